"""Trees of files in which an output changes with a piece that stands far from its value.

Each is a name, the tree with one stretch between ‹ and ›, and the other text for it.  What has no
such stretch changes by a file: ``+ path`` makes it with the text that follows, ``- path`` deletes it.
"""

from __future__ import annotations

HIERA = """
-- hiera.yaml --
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{facts.role}.yaml" }
  - { name: common, path: common.yaml }
-- data/nodes/web.yaml --
k: from node
-- data/nodes/db.yaml --
k: from db
-- data/common.yaml --
k: from common
-- data/other.yaml --
k: from other
-- facts.json --
{ "role": "web" }
"""
READ = "notify { 'r': message => lookup('k', default_value => 'none') }\n"
CLASS = "class a ($k = 1) { notify { 'r': message => $k } }\ninclude a\n"

EXAMPLES: list[tuple[str, str, str]] = [
    # -- hiera.yaml
    ("path of a level", READ + HIERA.replace("nodes/%{facts.role}", "‹nodes/%{facts.role}›"),
     "other"),
    ("part of the path of a level", READ + HIERA.replace("%{facts.role}", "‹%{facts.role}›"),
     "db"),
    ("path of the level below", READ + HIERA.replace("common.yaml }", "‹common›.yaml }")
     .replace("web.yaml --\nk: from node", "web.yaml --\nq: 1"), "other"),
    ("path of a level that misses", READ + HIERA.replace('"nodes', '"‹nodes›')
     .replace("web.yaml --\nk: from node", "web.yaml --\nq: 1").replace("data/other.yaml",
     "data/x/web.yaml"), "x"),
    ("datadir of all levels", READ + HIERA.replace("datadir: data", "datadir: ‹data›")
     + "-- more/common.yaml --\nk: more\n", "more"),
    ("datadir of a level", READ + HIERA.replace('path: "nodes', 'datadir: ‹data›, path: "nodes')
     + "-- more/nodes/web.yaml --\nk: more\n", "more"),
    ("default hierarchy", CLASS.replace("include a", "include m")
     + "-- modules/m/manifests/init.pp --\nclass m ($k = 1) { notify { 'r': message => $k } }\n"
     "-- modules/m/hiera.yaml --\nversion: 5\nhierarchy: []\ndefault_hierarchy:\n"
     "  - { name: d, path: ‹a›.yaml }\n-- modules/m/data/a.yaml --\nm::k: 2\n"
     "-- modules/m/data/b.yaml --\nm::k: 3\n", "b"),
    ("data of a module", "include m\n"
     "-- modules/m/manifests/init.pp --\nclass m ($k = 1) { notify { 'r': message => $k } }\n"
     "-- modules/m/hiera.yaml --\nversion: 5\nhierarchy:\n"
     "  - { name: d, path: ‹a›.yaml }\n-- modules/m/data/a.yaml --\nm::k: 2\n"
     "-- modules/m/data/b.yaml --\nm::k: 3\n", "b"),
    ("hierarchy of a module that misses", "include m\n"
     "-- modules/m/manifests/init.pp --\nclass m ($k = 1) { notify { 'r': message => $k } }\n"
     "-- modules/m/hiera.yaml --\nversion: 5\nhierarchy:\n"
     "  - { name: d, path: ‹a›.yaml }\n-- modules/m/data/b.yaml --\nm::k: 3\n", "b"),
    ("mapped paths", READ + HIERA.replace("path: common.yaml",
     'mapped_paths: [facts.roles, r, "‹x›%{r}.yaml"]').replace('{ "role": "web" }',
     '{ "role": "none", "roles": ["a"] }') + "-- data/xa.yaml --\nk: a\n-- data/ya.yaml --\nk: b\n",
     "y"),
    ("fact of mapped paths", READ + HIERA.replace("path: common.yaml",
     'mapped_paths: [facts.roles, r, "x%{r}.yaml"]').replace('{ "role": "web" }',
     '{ "role": "none", "roles": [‹"a"›] }') + "-- data/xa.yaml --\nk: a\n-- data/xb.yaml --\nk: b\n",
     '"b"'),
    ("glob of a level", READ + HIERA.replace("path: common.yaml", 'glob: "‹x›*.yaml"')
     .replace('"web"', '"none"') + "-- data/xa.yaml --\nk: a\n-- data/ya.yaml --\nk: b\n", "y"),
    ("glob that finds nothing", READ + HIERA.replace("path: common.yaml", 'glob: "‹x›*.yaml"')
     .replace('"web"', '"none"') + "-- data/ya.yaml --\nk: b\n", "y"),
    ("a new file for a glob", READ + HIERA.replace("path: common.yaml", 'glob: "x*.yaml"')
     .replace('"web"', '"none"'), "+ data/xa.yaml\nk: new\n"),
    ("a new file before others of a glob", READ + HIERA.replace("path: common.yaml",
     'glob: "x*.yaml"').replace('"web"', '"none"') + "-- data/xb.yaml --\nk: b\n",
     "+ data/xa.yaml\nk: new\n"),
    ("a new file in a folder of a glob", READ + HIERA.replace("path: common.yaml",
     'glob: "x/**/*.yaml"').replace('"web"', '"none"') + "-- data/x/b.yaml --\nk: b\n",
     "+ data/x/a/c.yaml\nk: new\n"),
    ("a new file for a path", READ + HIERA.replace('"web"', '"mail"'),
     "+ data/nodes/mail.yaml\nk: new\n"),
    ("a file that goes", READ + HIERA, "- data/nodes/web.yaml"),
    ("a new hiera.yaml", READ + "-- data/common.yaml --\nk: 1\n",
     "+ hiera.yaml\nversion: 5\nhierarchy: [{ name: c, path: common.yaml }]\n"),
    ("a new hiera.yaml, for a parameter", CLASS + "-- data/common.yaml --\na::k: 2\n",
     "+ hiera.yaml\nversion: 5\nhierarchy: [{ name: c, path: common.yaml }]\n"),
    ("a new hiera.yaml of a module", "include m\n"
     "-- modules/m/manifests/init.pp --\nclass m ($k = 1) { notify { 'r': message => $k } }\n"
     "-- modules/m/data/common.yaml --\nm::k: 3\n", "+ modules/m/hiera.yaml\nversion: 5\n"),
    ("a hiera.yaml that goes", READ + HIERA, "- hiera.yaml"),
    ("options of a level", READ + HIERA.replace('path: common.yaml',
     "lookup_key: f, options: { x: ‹1› }").replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($key, $options, $context) {\n  if $key == 'k' { $options['x'] } else { $context.not_found } }\n", "2"),
    ("body of a function of data", READ + HIERA.replace('path: common.yaml', "lookup_key: f")
     .replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($key, $options, $context) {\n  if $key == 'k' { ‹1› } else { $context.not_found } }\n", "2"),
    ("body of a function of all data", READ + HIERA.replace('path: common.yaml', "data_hash: f")
     .replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($options, $context) { { 'k' => ‹1› } }\n", "2"),
    ("key in a function of all data", READ + HIERA.replace('path: common.yaml', "data_hash: f")
     .replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($options, $context) { { ‹'k'› => 1 } }\n", "'q'"),
    ("a key that a function of data does not have", READ + HIERA.replace('path: common.yaml',
     "data_hash: f").replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($options, $context) { { ‹'q'› => 1 } }\n", "'k'"),
    ("what a function of data calls", READ + HIERA.replace('path: common.yaml', "lookup_key: f")
     .replace('"web"', '"none"')
     + "-- functions/f.pp --\nfunction f($key, $options, $context) {\n  if $key == 'k' { g() } else { $context.not_found } }\n"
     "-- functions/g.pp --\nfunction g() { ‹1› }\n", "2"),
    ("lookup_options", READ + HIERA.replace("k: from common",
     "lookup_options: { k: { merge: ‹first› } }\nk: from common"), "unique"),
    ("lookup_options for a pattern", READ + HIERA.replace("k: from common",
     'lookup_options: { "^‹x›": { merge: unique } }\nk: from common'), "k"),
    # -- type aliases
    ("alias in a selector", "type A = Enum[‹'s'›]\n"
     "notify { 'r': message => 's' ? { A => 1, default => 2 } }\n", "'t'"),
    ("alias in a case", "type A = Enum[‹'s'›]\n"
     "case 's' { A: { notify { 'r': } } default: { notify { 'q': } } }\n", "'t'"),
    ("alias with =~", "type A = Enum[‹'s'›]\nif 's' =~ A { notify { 'r': } }\n", "'t'"),
    ("alias in a filter", "type A = Enum[‹'s'›]\n"
     "notify { 'r': message => ['s', 't'].filter |$x| { $x =~ A } }\n", "'t'"),
    ("alias of an alias", "type B = Enum[‹'s'›]\ntype A = B\n"
     "notify { 'r': message => 's' ? { A => 1, default => 2 } }\n", "'t'"),
    ("alias in a type", "type A = Enum[‹'s'›]\n"
     "notify { 'r': message => ['s'] ? { Array[A] => 1, default => 2 } }\n", "'t'"),
    ("alias of a module", "notify { 'r': message => 's' ? { M::A => 1, default => 2 } }\n"
     "-- modules/m/types/a.pp --\ntype M::A = Enum[‹'s'›]\n", "'t'"),
    ("alias as a value", "type A = Enum[‹'s'›]\n$t = A\n"
     "notify { 'r': message => 's' ? { $t => 1, default => 2 } }\n", "'t'"),
    ("alias shown in a text", "type A = Enum[‹'s'›]\nnotify { 'r': message => \"${A}\" }\n", "'t'"),
    ("alias that a function tests", "type A = Enum[‹'s'›]\nfunction f($x) { $x =~ A }\n"
     "notify { 'r': message => f('s') }\n", "'t'"),
    ("alias that assert_type tests", "type A = Enum[‹'s'›]\n"
     "notify { 'r': message => assert_type(A, 's') |$a, $b| { 'no' } }\n", "'t'"),
    # -- collectors that build on each other, tags
    ("collectors that build on each other", "notify { 'x': message => 'a', withpath => ‹true› }\n"
     "Notify <| withpath == true |> { message => 'b' }\n"
     "Notify <| message == 'b' |> { noop => true }\n", "false"),
    ("value of a collector that another tests", "notify { 'x': message => 'a', withpath => true }\n"
     "Notify <| withpath == true |> { message => ‹'b'› }\n"
     "Notify <| message == 'b' |> { noop => true }\n", "'c'"),
    ("value of a collector that another could test", "notify { 'x': message => 'a' }\n"
     "Notify <| title == 'x' |> { message => ‹'c'› }\n"
     "Notify <| message == 'b' |> { noop => true }\n", "'b'"),
    ("query of a collector that another builds on", "notify { 'x': message => 'a' }\n"
     "Notify <| title == ‹'y'› |> { message => 'b' }\n"
     "Notify <| message == 'b' |> { noop => true }\n", "'x'"),
    ("tag that a collector sets", "notify { 'x': }\nNotify <| title == 'x' |> { tag => ‹'seen'› }\n"
     "Notify <| tag == 'seen' |> { message => 'm' }\n", "'not'"),
    ("tag that a collector could set", "notify { 'x': }\n"
     "Notify <| title == ‹'y'› |> { tag => 'seen' }\n"
     "Notify <| tag == 'seen' |> { message => 'm' }\n", "'x'"),
    ("tag that a collector sets on a define", "define d { notify { 'x': } }\nd { 'q': }\n"
     "D <| title == 'q' |> { tag => ‹'seen'› }\nNotify <| tag == 'seen' |> { message => 'm' }\n",
     "'not'"),
    ("which define a collector tags", "define d { notify { 'x': } }\nd { 'q': }\n"
     "D <| title == ‹'q'› |> { tag => 'seen' }\n", "'p'"),
    ("which define a collector could tag", "define d { notify { 'x': } }\nd { 'q': }\n"
     "D <| title == ‹'p'› |> { tag => 'seen' }\nNotify <| tag == 'seen' |> { message => 'm' }\n",
     "'q'"),
    ("an override that sets a tag", "class a { notify { 'x': } }\n"
     "class b inherits a { Notify['x'] { tag => ‹'seen'› } }\ninclude b\n"
     "Notify <| tag == 'seen' |> { message => 'm' }\n", "'not'"),
    ("a default that sets a tag", "Notify { tag => ‹'seen'› }\nnotify { 'x': }\n"
     "Notify <| tag == 'seen' |> { message => 'm' }\n", "'not'"),
    # -- look-ups of several keys
    ("lookup of several keys", "notify { 'r': message => lookup(['j', 'k']) }\n" + HIERA,
     "+ data/nodes/web.yaml\nk: from node\nj: now here\n"),
    ("lookup of several keys in a file not there",
     "notify { 'r': message => lookup(['j', 'k']) }\n" + HIERA.replace('"web"', '"mail"'),
     "+ data/nodes/mail.yaml\nj: now here\n"),
    ("lookup of several keys, none there", "notify { 'r': message => lookup(['j', 'i'], "
     "default_value => 1) }\n" + HIERA, "+ data/nodes/web.yaml\nj: now here\n"),
    ("lookup with options in a hash", "notify { 'r': message => lookup({ 'name' => ['j', 'k'] }) }\n"
     + HIERA, "+ data/nodes/web.yaml\nk: from node\nj: now here\n"),
    ("default_values_hash", "notify { 'r': message => lookup({ 'name' => 'j', "
     "'default_values_hash' => { 'j' => ‹1› } }) }\n" + HIERA, "2"),
    # -- calls
    ("call()", "function g($x) { \"${x} ‹1›\" }\nnotify { 'r': message => call('g', 5) }\n", "2"),
    ("call() of a computed name", "function g($x) { 1 }\nfunction h($x) { ‹2› }\n$n = 'h'\n"
     "notify { 'r': message => call($n, 5) }\n", "3"),
    ("name in call()", "function g() { 1 }\nfunction h() { 2 }\n"
     "notify { 'r': message => call(‹'g'›) }\n", "'h'"),
    ("call() in a function", "function g() { ‹1› }\nfunction f() { call('g') }\n"
     "notify { 'r': message => f() }\n", "2"),
    ("function in an interpolation", "function g() { ‹1› }\nnotify { 'r': message => \"${g()}\" }\n",
     "2"),
    ("function of a module", "notify { 'r': message => m::g() }\n"
     "-- modules/m/functions/g.pp --\nfunction m::g() { ‹1› }\n", "2"),
    # -- references
    ("attribute by Resource", "notify { 'x': message => ‹'a'› }\n"
     "notify { 'r': message => Resource['notify', 'x']['message'] }\n", "'b'"),
    ("attribute by Resource of a variable", "$t = 'notify'\nnotify { 'x': message => ‹'a'› }\n"
     "notify { 'r': message => Resource[$t, 'x']['message'] }\n", "'b'"),
    ("attribute by Resource with a title", "notify { 'x': message => ‹'a'› }\n"
     "notify { 'r': message => Resource['notify']['x']['message'] }\n", "'b'"),
    ("attribute by a variable", "notify { 'x': message => ‹'a'› }\n$t = Notify['x']\n"
     "notify { 'r': message => $t['message'] }\n", "'b'"),
    ("attribute by a computed type", "notify { 'x': message => ‹'a'› }\n$t = Notify\n"
     "notify { 'r': message => $t['x']['message'] }\n", "'b'"),
    ("attribute by an element", "notify { 'x': message => ‹'a'› }\n$t = [Notify['x']]\n"
     "notify { 'r': message => $t[0]['message'] }\n", "'b'"),
    ("attribute in a lambda", "notify { 'x': message => ‹'a'› }\n"
     "[Notify['x']].each |$t| { notify { 'r': message => $t['message'] } }\n", "'b'"),
    ("attribute in a define", "notify { 'x': message => ‹'a'› }\n"
     "define d ($t) { notify { 'r': message => $t['message'] } }\nd { 'q': t => Notify['x'] }\n",
     "'b'"),
    ("attribute after a collector", "notify { 'x': message => 'a' }\n"
     "Notify <| title == 'x' |> { message => ‹'b'› }\n"
     "define d { notify { 'r': message => Notify['x']['message'] } }\nd { 'q': }\n", "'c'"),
    ("attribute that a default gives", "Notify { message => ‹'a'› }\nnotify { 'x': }\n"
     "notify { 'r': message => \"m ${Notify['x']['message']}\" }\n", "'b'"),
    ("attribute of a class", "class a ($p = ‹1›) { }\ninclude a\n"
     "notify { 'r': message => Class['a']['p'] }\n", "2"),
    # -- default bodies
    ("default body with a splat", "$h = { 'message' => ‹'a'› }\n"
     "notify { default: * => $h; 'r': noop => true }\n", "'b'"),
    ("default body", "notify { default: message => ‹'a'›; 'r': noop => true }\n", "'b'"),
    ("key of a splat in a default body", "$h = { ‹'message'› => 'a' }\n"
     "notify { default: * => $h; 'r': noop => true }\n", "'loglevel'"),
    ("default body that a body goes over", "notify { default: message => 'a', noop => ‹true›; "
     "'r': message => 'b' }\n", "false"),
    ("default body with a splat, computed", "$n = 'mess'\n$h = { \"${n}age\" => ‹'a'› }\n"
     "notify { default: * => $h + { 'noop' => true }; 'r': }\n", "'b'"),
    ("splat over a default body", "$h = { ‹'message'› => 'a' }\n"
     "notify { default: message => 'd'; 'r': * => $h }\n", "'loglevel'"),
    ("default body of a define", "define d ($p = 1, $q = 2) { notify { $title: message => $p } }\n"
     "$h = { ‹'p'› => 5 }\nd { default: * => $h; 'r': }\n", "'q'"),
    # -- tag() and tagged()
    ("tag, then tagged", "tag(‹'t1'›)\nnotify { 'r': message => tagged('t1') }\n", "'t2'"),
    ("tagged by a title", "class a { notify { 'r': message => tagged(‹'a'›) } }\ninclude a\n",
     "'c'"),
    ("tag in a class, tagged in another", "class a { tag(‹'t1'›) }\nclass b { include a\n"
     "notify { 'r': message => tagged('t1') } }\ninclude b\n", "'t2'"),
    ("tag in a class that includes", "class a { tag(‹'t1'›) include b }\n"
     "class b { notify { 'r': message => tagged('t1') } }\ninclude a\n", "'t2'"),
    ("tag of a parameter", "define d { notify { 'r': message => tagged('t1') } }\n"
     "d { 'q': tag => ‹'t1'› }\n", "'t2'"),
    ("tag in a define, tagged after it", "define d ($t) { tag($t)\n"
     "notify { 'r': message => tagged('t1') } }\nd { 'q': t => ‹'t1'› }\n", "'t2'"),
    ("if tagged", "class a { tag(‹'t1'›) if tagged('t1') { notify { 'r': } } }\ninclude a\n",
     "'t2'"),
    # -- resource defaults
    ("inner default over an outer one", "Notify { message => 'out' }\n"
     "class a { Notify { message => ‹'in'› } notify { 'r': } }\ninclude a\n", "'on'"),
    ("inner default of another parameter", "Notify { message => ‹'out'› }\n"
     "class a { Notify { noop => true } notify { 'r': } }\ninclude a\n", "'on'"),
    ("name in an inner default", "Notify { message => 'out' }\n"
     "class a { Notify { ‹message => 'info'› } notify { 'r': } }\ninclude a\n", "loglevel => 'info'"),
    ("key of an inner default with a splat", "Notify { message => 'out' }\n$h = { ‹'loglevel'› => "
     "'info' }\nclass a { Notify { * => $h } notify { 'r': } }\ninclude a\n", "'message'"),
    ("key of a splat over a default", "Notify { message => 'out' }\n$h = { ‹'loglevel'› => "
     "'info' }\nnotify { 'r': * => $h }\n", "'message'"),
    ("key of a splat of a class", "class a ($p = 1, $q = 2) { notify { 'r': message => $p } }\n"
     "$h = { ‹'q'› => 5 }\nclass { 'a': * => $h }\n", "'p'"),
    ("key of a splat of a collector", "notify { 'r': message => 'm' }\n$h = { ‹'noop'› => true }\n"
     "Notify <| |> { * => $h }\n", "'message'"),
    ("key of a splat of an override", "class a { notify { 'r': message => 'm' } }\n"
     "$h = { ‹'noop'› => true }\nclass b inherits a { Notify['r'] { * => $h } }\ninclude b\n",
     "'message'"),
    ("metaparameter that a collector sets around", "define d { notify { 'x': } }\nd { 'q': }\n"
     "D <| title == ‹'q'› |> { noop => true }\n", "'p'"),
    ("metaparameter of a class around a define", "define d { notify { 'x': } }\nclass a { d { 'q': } }\n"
     "class { 'a': noop => ‹true› }\n", "false"),
    ("default with a splat", "$h = { ‹'message'› => 'info' }\nNotify { * => $h }\nnotify { 'r': }\n",
     "'loglevel'"),
    ("inner default in a define", "Notify { message => 'out' }\n"
     "define d { Notify { message => ‹'in'› } notify { 'r': } }\nd { 'q': }\n", "'on'"),
    ("default in the class that declares a define", "define d { notify { 'r': } }\n"
     "class a { Notify { message => ‹'in'› } d { 'q': } }\ninclude a\n", "'on'"),
    # -- templates and functions in Ruby
    ("line of a template", "notify { 'r': message => template('m/t.erb') }\n"
     "-- modules/m/templates/t.erb --\n‹one›\n", "two"),
    ("variable of a template", "$x = ‹1›\nnotify { 'r': message => template('m/t.erb') }\n"
     "-- modules/m/templates/t.erb --\n<%= @x %>\n", "2"),
    ("fact in a template", "notify { 'r': message => template('m/t.erb') }\n"
     "-- modules/m/templates/t.erb --\n<%= @facts['role'] %>\n-- facts.json --\n"
     '{ "role": ‹"a"›, "other": 1 }\n', '"b"'),
    ("line of an EPP", "notify { 'r': message => epp('m/t.epp', { 'x' => 1 }) }\n"
     "-- modules/m/templates/t.epp --\n<%- | $x | -%>\nx ‹is› <%= $x %>\n", "was"),
    ("argument of an EPP", "notify { 'r': message => epp('m/t.epp', { 'x' => ‹1› }) }\n"
     "-- modules/m/templates/t.epp --\n<%- | $x | -%>\nx is <%= $x %>\n", "2"),
    ("function in an EPP", "notify { 'r': message => epp('m/t.epp') }\nfunction g() { ‹1› }\n"
     "-- modules/m/templates/t.epp --\nx is <%= g() %>\n", "2"),
    ("alias in an EPP", "notify { 'r': message => epp('m/t.epp') }\ntype A = Enum[‹'s'›]\n"
     "-- modules/m/templates/t.epp --\nx is <%= 's' =~ A %>\n", "'t'"),
    ("template from a template", "notify { 'r': message => epp('m/t.epp') }\n"
     "-- modules/m/templates/t.epp --\nx is <%= epp('m/u.epp') %>\n"
     "-- modules/m/templates/u.epp --\n‹one›\n", "two"),
    ("function of Ruby", "notify { 'r': message => m::f(1) }\n"
     "-- modules/m/lib/puppet/functions/m/f.rb --\n"
     "Puppet::Functions.create_function(:'m::f') do\n  def f(x)\n    x + ‹1›\n  end\nend\n", "2"),
    ("file() that comes", "notify { 'r': message => file('m/a', 'm/b') }\n"
     "-- modules/m/files/b --\nb\n", "+ modules/m/files/a\na\n"),
    # -- definitions that come and go
    ("a new function hides nothing", "notify { 'r': message => m::f() }\n"
     "-- modules/m/functions/f.pp --\nfunction m::f() { ‹'a'› }\n", "'b'"),
    ("facts by key", "notify { 'r': message => $facts['os']['name'] }\n-- facts.json --\n"
     '{ "os": { "name": ‹"a"›, "family": "x" } }\n', '"b"'),
    ("legacy fact", "notify { 'r': message => $role }\n-- facts.json --\n"
     '{ "role": ‹"a"› }\n', '"b"'),
    ("fact that is missing", "notify { 'r': message => $facts['nix'] }\n-- facts.json --\n"
     '{ ‹"role"›: "a" }\n', '"nix"'),
]  # fmt: skip
