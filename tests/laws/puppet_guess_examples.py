"""Programs in which something hangs on the unknown `$u`, each with values that it might have."""

from __future__ import annotations

_TEXTS = ["'a'", "'b'", "'x'", "undef", "true", "false"]
_FLAGS = ["true", "false"]
_LISTS = ["[]", "['a']", "['a', 'b']"]
_HASHES = ["{}", "{ 'a' => {} }", "{ 'a' => { 'message' => 1 }, 'b' => {} }"]

EXAMPLES: list[tuple[str, str, list[str]]] = [
    ("defaults that come with a collector", "notify { 'r': message => $u }\n"
     "class a { Notify <| message != 'v' |> { noop => true } }\n"
     "class b { Notify { withpath => true } include a }\ninclude b", ["'v'", "'w'"]),
    # -- conditions as values
    ("if", "$x = if $u { 1 } else { 2 }\nnotify { 'r': message => $x }", _FLAGS),
    ("unless", "$x = unless $u { 1 } else { 2 }\nnotify { 'r': message => $x }", _FLAGS),
    ("elsif", "$x = if false { 1 } elsif $u { 2 } else { 3 }\nnotify { 'r': message => $x }",
     _FLAGS),
    ("if without else", "notify { 'r': message => if $u { 1 } }", _FLAGS),
    ("case", "$x = case $u { 'a': { 1 } default: { 2 } }\nnotify { 'r': message => $x }", _TEXTS),
    ("option of a case", "$x = case 'x' { $u: { 1 } 'x': { 2 } default: { 3 } }\n"
     "notify { 'r': message => $x }", _TEXTS),
    ("effects in options of a case", "case 'x' { $u: { notify { 'a': } } 'x': { notify { 'b': } } "
     "default: { notify { 'c': } } }", _TEXTS),
    ("option of a case after one that matches", "case 'x' { 'x': { notify { 'a': message => 1 } } "
     "$u: { notify { 'b': } } }", _TEXTS),
    ("splatted option of a case", "case 'x' { *[$u, 'y']: { notify { 'a': } } "
     "default: { notify { 'b': } } }", _TEXTS),
    ("no option of a case", "case 'y' { $u: { notify { 'a': } } }\nnotify { 'r': }", _TEXTS),
    ("selector", "notify { 'r': message => $u ? { 'a' => 1, default => 2 } }", _TEXTS),
    ("option of a selector", "notify { 'r': message => 'x' ? { $u => 1, default => 2 } }", _TEXTS),
    ("options of a selector that declare", "$x = 'x' ? { $u => notify({}), default => 2 }", ["1"]),
    ("and", "notify { 'r': message => $u and true }\nnotify { 's': message => false and $u }",
     _FLAGS),
    ("or", "notify { 'r': message => $u or false }\nnotify { 's': message => true or $u }", _FLAGS),
    ("not", "notify { 'r': message => !$u }", _FLAGS),
    ("match", "notify { 'r': message => $u =~ /a/ }\nnotify { 's': message => $u =~ String }",
     ["'a'", "'b'"]),
    ("in", "notify { 'r': message => 'a' in $u }\nnotify { 's': message => $u in ['a'] }", _LISTS),
    ("comparison of a list that holds it", "notify { 'r': message => [$u] == ['a'] }", _TEXTS),
    ("captures", "$m = $u =~ /(.)b/\nnotify { 'r': message => $1 }", ["'ab'", "'cb'", "'x'"]),
    ("captures in a branch", "if 'ab' =~ /(.)b/ { if $u =~ /(.)c/ { notify { 'q': } }\n"
     "notify { 'r': message => $1 } }", ["'zc'", "'x'"]),
    ("effect in and", "class a { notify { 'ra': } } class b { notify { 'rb': } }\n"
     "$x = ($u and include(a))\n$y = ($u or include(b))", _FLAGS),
    # -- values
    ("parts of an array", "notify { 'r': message => [1, $u, { 'k' => $u, 'l' => 2 }] }", _TEXTS),
    ("parts of a hash", "$h = { 'a' => $u, 'b' => 1 }\nnotify { 'r': message => $h['b'] }\n"
     "notify { 's': message => $h['a'] }\nnotify { 't': message => $h }", _TEXTS),
    ("merged", "notify { 'r': message => { 'a' => 1 } + { 'b' => $u } }", _TEXTS),
    ("key of a hash", "notify { 'r': message => { 'a' => 1, $u => 2 } }", ["'a'", "'b'"]),
    ("index", "notify { 'r': message => [1, 2][$u] }", ["0", "1", "5"]),
    ("key", "notify { 'r': message => { 'a' => 1, 'b' => 2 }[$u] }", ["'a'", "'b'", "'c'"]),
    ("a chosen array", "$x = if $u { ['p', $u] } else { ['p', 'q', 'r'] }\n"
     "notify { 'r': message => $x }", _FLAGS),
    ("interpolated", "notify { 'r': message => \"<${u}>\" }", _TEXTS),
    ("size", "notify { 'r': message => size([1, $u]) }", _TEXTS),
    ("variable of another name", "$a = 1 $b = 2\nnotify { 'r': message => getvar($u) }",
     ["'a'", "'b'"]),
    ("assigned from an array", "[$p, $q] = [1, $u]\nnotify { 'r': message => $q }\n"
     "notify { 's': message => $p }", _TEXTS),
    ("sensitive", "notify { 'r': message => Sensitive($u) }", _TEXTS),
    # -- variables
    ("assigned in a branch", "if $u { $x = 1 } else { $x = 2 }\nnotify { 'r': message => $x }",
     _FLAGS),
    ("hidden by a branch", "$x = 1\nclass a { if $u { $x = 2 } notify { 'r': message => $x } }\n"
     "include a", _FLAGS),
    ("not hidden by a branch", "$x = 1\nclass a { unless $u { $x = 2 } "
     "notify { 'r': message => $x } }\ninclude a", _FLAGS),
    ("assigned in a case", "case $u { 'a': { $x = 1 } 'b': { $x = 2 } default: { $x = 3 } }\n"
     "notify { 'r': message => $x }", _TEXTS),
    ("a condition on a guessed value", "if $u { $x = 1 } else { $x = 2 }\n"
     "if $x == 1 { notify { 'one': } } else { notify { 'two': } }", _FLAGS),
    ("of a class", "class a { if $u { $x = 1 } }\ninclude a\nnotify { 'r': message => $a::x }",
     _FLAGS),
    ("inherited", "class a { if $u { $x = 1 } else { $x = 2 } }\n"
     "class b inherits a { notify { 'r': message => $x } }\ninclude b", _FLAGS),
    # -- lambdas and functions
    ("each", "$u.each |$i| { notify { $i: } }\nnotify { 'r': }", _LISTS),
    ("each of a list with it", "['p', $u].each |$i| { notify { $i: } }", ["'a'", "'b'"]),
    ("each of a hash with it", "$h = { 'p' => $u, 'q' => 1 }\n$h.each |$k, $v| { notify { $k: "
     "message => $v } }", _TEXTS),
    ("map", "notify { 'r': message => $u.map |$i| { 1 } }", _LISTS),
    ("map of a list with it", "notify { 'r': message => [$u, 'p'].map |$i| { [$i, 1] } }", _TEXTS),
    ("filter", "notify { 'r': message => ['a', 'b'].filter |$i| { $i == $u } }", _TEXTS),
    ("reduce", "notify { 'r': message => [1, 2].reduce |$m, $i| { if $u { $m } else { $i } } }",
     _FLAGS),
    ("break", "['a', 'b'].each |$i| { if $u { break() } notify { $i: } }", _FLAGS),
    ("next", "notify { 'r': message => ['a', 'b'].map |$i| { if $u { next(1) } 2 } }", _FLAGS),
    ("next before effects", "['a', 'b'].each |$i| { if $u { next() } notify { $i: } }", _FLAGS),
    ("then", "notify { 'r': message => $u.then |$x| { 1 } }", ["undef", "2"]),
    ("with effects", "with($u) |$x| { notify { 'r': message => $x } notify { 's': message => 1 } }",
     _TEXTS),
    ("variable set in a lambda", "['a'].each |$i| { if $u { $x = 1 } notify { 'r': "
     "message => $x } }", _FLAGS),
    ("return of a function", "function f($p) { if $p { return(1) } 2 }\n"
     "notify { 'r': message => f($u) }\nnotify { 's': message => f(true) }", _FLAGS),
    ("effects of a function", "function f($p) { if $p { notify { 'r': } } 3 }\n"
     "notify { 's': message => f($u) }", _FLAGS),
    ("argument of a function", "function f($p, $q) { $q }\nnotify { 's': message => f($u, 1) }",
     _TEXTS),
    ("return of a class", "class a { if $u { return() } notify { 'r': } }\ninclude a\n"
     "notify { 's': }", _FLAGS),
    ("return of a class, otherwise", "class a { unless $u { return() } notify { 'r': } }\n"
     "include a", _FLAGS),
    ("return of a define", "define d { case $u { 'a': { return() } default: { } } "
     "notify { 'r': } }\nd { 'x': }", _TEXTS),
    ("variable after a return", "$y = 'top'\nclass a { if $u { return() } $y = 1 }\n"
     "class b inherits a { notify { 'r': message => $y } }\ninclude b", _FLAGS),
    # -- resources
    ("resource in a branch", "if $u { notify { 'a': message => 1 } } else { notify { 'b': } }",
     _FLAGS),
    ("the same in both branches", "if $u { notify { 'a': message => 1 } } else { notify { 'a': "
     "message => 2 } }", _FLAGS),
    ("title", "notify { $u: message => 1 }\nnotify { 'r': }", ["'a'", "'b'", "['c', 'd']"]),
    ("title with it", "notify { \"x-${u}\": }", ["'a'", "'b'"]),
    ("one of several titles", "notify { ['p', $u]: message => 1 }", ["'a'", "'b'"]),
    ("titles by a branch", "$t = if $u { ['a'] } else { ['a', 'b'] }\nnotify { $t: }", _FLAGS),
    ("no titles by a branch", "$t = if $u { [] } else { ['a', 'b'] }\nnotify { $t: }", _FLAGS),
    ("no names of classes by a branch", "class a { notify { 'r': } }\n"
     "$t = if $u { [] } else { ['a'] }\ninclude $t", _FLAGS),
    ("no hash by a branch", "$t = if $u { {} } else { { 'r' => {} } }\n"
     "create_resources('notify', $t)", _FLAGS),
    ("no reference by a branch", "class a { notify { 'r': } }\nclass b inherits a { "
     "$t = if $u { [] } else { Notify['r'] }\nif true { Notify['r'] -> notify { 's': } }\n"
     "$t -> notify { 't': } }\ninclude b", _FLAGS),
    ("no override by a branch", "class a { notify { ['r', 's']: } }\nclass b inherits a { "
     "$t = if $u { 'r' } else { 's' }\nNotify[$t] { noop => true } }\ninclude b", _FLAGS),
    ("name", "notify { 'r': name => $u }\nnotify { 's': }", ["'a'", "'b'"]),
    ("alias", "notify { 'r': alias => $u }\nnotify { 's': before => Notify['r'] }", ["'a'", "'b'"]),
    ("splat", "notify { 'r': * => $u }", ["{}", "{ 'message' => 1 }"]),
    ("splat with it", "notify { 'r': * => { 'message' => $u, 'noop' => true } }", _TEXTS),
    ("undef in an attribute", "notify { 'r': message => if $u { undef } else { 1 } }", _FLAGS),
    ("local defaults", "notify { default: message => $u; 'r': ; 's': message => 1 }", _TEXTS),
    ("create_resources", "create_resources('notify', $u)\nnotify { 'r': }", _HASHES),
    ("create_resources with a value", "create_resources('notify', { 'r' => { 'message' => $u, "
     "'noop' => true }, 's' => {} })", _TEXTS),
    ("create_resources with attributes", "create_resources('notify', { 'r' => $u, 's' => {} })",
     ["{}", "{ 'message' => 1 }"]),
    ("create_resources with defaults", "create_resources('notify', { 'r' => {} }, $u)",
     ["{}", "{ 'message' => 1 }"]),
    ("create_resources of a type", "define d { notify { 'n': } }\ncreate_resources($u, "
     "{ 'r' => {} })", ["'notify'", "'d'"]),
    ("define", "define d ($p) { if $p { notify { 'a': } } notify { 'b': message => $p } "
     "notify { 'c': message => 1 } }\nd { 'x': p => $u }", _FLAGS),
    ("virtual", "if $u { @notify { 'a': } } else { notify { 'a': } }\nNotify <| title == 'b' |>",
     _FLAGS),
    ("tag", "notify { 'r': tag => $u }", ["'a'", "'b'"]),
    ("tag()", "class a { tag($u) notify { 'r': } }\ninclude a", ["'x'", "'y'"]),
    ("tag() in a branch", "class a { if $u { tag('x') } notify { 'r': } }\ninclude a", _FLAGS),
    ("metaparameter", "define d { notify { 'r': } }\nd { 'x': noop => $u }", _FLAGS),
    ("metaparameter in a branch", "define d { notify { 'r': } }\n"
     "if $u { d { 'x': noop => true } } else { d { 'x': } }", _FLAGS),
    ("attribute of a resource", "notify { 'r': message => $u }\n"
     "notify { 's': message => Notify['r']['message'] }", _TEXTS),
    ("attribute of an unknown resource", "notify { 'a': message => 1 } notify { 'b': message => 2 }"
     "\nnotify { 's': message => Notify[$u]['message'] }", ["'a'", "'b'"]),
    # -- defaults, overrides, collectors
    ("defaults in a branch", "if $u { Notify { message => 1 } }\nnotify { 'r': }", _FLAGS),
    ("defaults with it", "Notify { message => $u }\nnotify { 'r': }", _TEXTS),
    ("nearer defaults", "Notify { message => 1 }\nclass a { unless $u { Notify { message => 2 } } "
     "notify { 'r': } }\ninclude a", _FLAGS),
    ("override in a branch", "class a { notify { 'r': message => 1 } }\n"
     "class b inherits a { if $u { Notify['r'] { message => 2, noop => true } } }\ninclude b",
     _FLAGS),
    ("override not in a branch", "class a { notify { 'r': message => 1 } }\n"
     "class b inherits a { unless $u { Notify['r'] { message => 2, noop => true } } }\ninclude b",
     _FLAGS),
    ("override of an unknown", "class a { notify { ['a', 'b']: message => 1 } }\n"
     "class b inherits a { Notify[$u] { message => 2, noop => true } }\ninclude b",
     ["'a'", "'b'"]),
    ("override with a splat", "class a { notify { 'r': message => 1 } }\n"
     "class b inherits a { unless $u { Notify['r'] { * => { 'noop' => true } } } }\ninclude b",
     _FLAGS),
    ("appended", "class a { notify { 'r': tag => ['x'] } }\n"
     "class b inherits a { if $u { Notify['r'] { tag +> 'y' } } }\ninclude b", _FLAGS),
    ("collector", "@notify { 'a': } @notify { 'b': }\nNotify <| title == $u |>", ["'a'", "'b'"]),
    ("collector, unequal", "@notify { 'a': } @notify { 'b': }\nNotify <| title != $u |>",
     ["'a'", "'b'"]),
    ("collector by tag", "@notify { 'a': tag => 'x' } @notify { 'b': tag => 'y' }\n"
     "Notify <| tag == $u |>", ["'x'", "'y'"]),
    ("collector of both", "@notify { 'a': tag => 'x' } @notify { 'b': tag => 'y' }\n"
     "Notify <| tag == 'x' or title == $u |>", ["'a'", "'b'"]),
    ("collector of an attribute", "@notify { 'a': message => $u } @notify { 'b': message => 1 }\n"
     "Notify <| message == 1 |>", ["1", "2"]),
    ("collector of defines", "define d { notify { \"n-${title}\": } Notify { noop => true } }\n"
     "@d { 'a': } @d { 'b': }\nD <| title == $u |>", ["'a'", "'b'"]),
    ("collector that overrides", "notify { 'a': } notify { 'b': message => 1 }\n"
     "Notify <| title == $u |> { message => 2 }", ["'a'", "'b'"]),
    ("collector in a branch", "@notify { 'a': }\nnotify { 'b': }\n"
     "if $u { Notify <| |> { message => 1 } }", _FLAGS),
    ("collector not in a branch", "@notify { 'a': }\nnotify { 'b': }\n"
     "unless $u { Notify <| |> { message => 1 } }", _FLAGS),
    ("collector of what may be", "if $u { notify { 'a': } } else { notify { 'b': } }\n"
     "notify { 'r': }\nNotify <| |> { message => 1 }", _FLAGS),
    ("realize", "@notify { 'a': } @notify { 'b': }\nrealize(Notify[$u])", ["'a'", "'b'"]),
    ("realize in a branch", "@notify { 'a': }\nunless $u { realize(Notify['a']) }", _FLAGS),
    ("defaults that a realized define sets", "class k ($p = 1) { notify { 'r': message => $p } }\n"
     "define d { class { 'k': p => 2 } }\n@d { 'a': }\nD <| title == $u |>\n"
     "define e { include k }\ne { 'x': }", ["'a'", "'b'"]),
    # -- classes
    ("class in a branch", "class a { notify { 'r': message => 1 } }\nif $u { include a }", _FLAGS),
    ("class declared anyway", "class a { notify { 'r': message => 1 } }\nif $u { include a }\n"
     "include a", _FLAGS),
    ("class declared otherwise", "class a ($p = 1) { notify { 'r': message => $p } }\n"
     "unless $u { class { 'a': p => 2 } }\ninclude a", _FLAGS),
    ("parameter", "class a ($p = 1, $q = 2) { notify { 'r': message => $p } "
     "notify { 's': message => $q } }\nclass { 'a': p => $u }", ["undef", "3"]),
    ("parameter that is checked", "class a (Integer $p = 1) { notify { 'r': message => $p + 1 } }\n"
     "class { 'a': p => $u }", ["3", "4"]),
    ("default of a parameter", "class a ($p, $q = $p) { notify { 'r': message => $q } }\n"
     "class { 'a': p => $u }", ["3", "4"]),
    ("name of a class", "class a { notify { 'ra': } } class b { notify { 'rb': } }\ninclude $u",
     ["'a'", "'b'"]),
    ("name of a class in front of another", "class a ($p = $y) { notify { 'r': message => $p } }\n"
     "class b { }\nclass c { $y = 1 include $u }\nclass d { $y = 2 include a }\n"
     "include c\ninclude d", ["'a'", "'b'"]),
    ("contain", "class a { notify { 'r': } }\nclass b { if $u { contain a } else { include a } }\n"
     "include b", _FLAGS),
    ("contain of what is there", "class a { notify { 'r': } }\n"
     "class b { unless $u { contain a } }\ninclude a\ninclude b", _FLAGS),
    ("require", "class a { }\nclass b { unless $u { require a } notify { 'r': } }\n"
     "include a\ninclude b", _FLAGS),
    ("stage", "stage { 's': before => Stage['main'] }\nclass a { }\nclass { 'a': stage => $u }",
     ["'main'", "'s'"]),
    ("inherits in a branch", "class p { $x = 1 }\nclass a inherits p { notify { 'r': "
     "message => $x } }\nunless $u { include a }\ninclude p", _FLAGS),
    # -- queries
    ("defined", "if $u { notify { 'a': } }\nnotify { 'r': message => defined(Notify['a']) }",
     _FLAGS),
    ("defined, not in a branch", "unless $u { notify { 'a': } }\n"
     "if defined(Notify['a']) { notify { 'r': } } else { notify { 's': } }", _FLAGS),
    ("defined of an unknown", "notify { 'a': }\nnotify { 'r': message => defined(Notify[$u]) }",
     ["'a'", "'b'"]),
    ("defined of a class", "class k { }\nunless $u { include k }\n"
     "notify { 'r': message => defined(Class['k']) }", _FLAGS),
    ("defined after an unknown title", "notify { $u: }\n"
     "notify { 'r': message => defined(Notify['a']) }", ["'a'", "'b'"]),
    ("defined in a class that may be declared before", "class k ($p = 1) { notify { 'r': "
     "message => $p } }\nclass b { if $u { return() } include k }\ninclude b\n"
     "unless defined(Class['k']) { class { 'k': p => 2 } }", _FLAGS),
    ("defined of several", "unless $u { notify { 'a': } }\n"
     "notify { 'r': message => defined(Notify['b'], Notify['a']) }", _FLAGS),
    ("defined of a variable", "unless $u { $x = 1 }\nnotify { 'r': message => defined('$x') }",
     _FLAGS),
    ("tagged", "class a { unless $u { tag('x') } notify { 'r': message => tagged('x') } }\n"
     "include a", _FLAGS),
    ("lookup", "notify { 'r': message => lookup(\"k${u}\", undef, undef, 'd') }", ["'a'", "'b'"]),
    ("template", "notify { 'r': message => inline_epp('<% if $::u { %>a<% } else { %>b<% } %>') }",
     _FLAGS),
    ("template with an argument", "notify { 'r': message => inline_epp('<%= $p %>', "
     "{ 'p' => $u }) }", _TEXTS),
    # -- relationships
    ("relationship", "notify { ['a', 'b']: }\nnotify { 'r': before => Notify[$u] }",
     ["'a'", "'b'"]),
    ("relationship in a branch", "notify { ['a', 'b']: }\nif $u { Notify['a'] -> Notify['b'] }",
     _FLAGS),
    ("relationship not in a branch", "notify { ['a', 'b', 'c']: }\n"
     "unless $u { Notify['a'] -> Notify['b'] ~> Notify['c'] }", _FLAGS),
    ("relationship backwards", "notify { ['a', 'b']: }\nunless $u { Notify['a'] <- Notify['b'] }",
     _FLAGS),
    ("relationship of a resource", "notify { 'a': }\nunless $u { Notify['a'] -> notify { 'b': } }",
     _FLAGS),
    ("relationship to an unknown", "notify { ['a', 'b']: }\nNotify['a'] -> Notify[$u]\n"
     "notify { 'c': }", ["'b'", "'c'"]),
    ("relationship from an unknown", "notify { ['a', 'b', 'c']: }\nNotify[$u] -> Notify['c']",
     ["'a'", "'b'"]),
    ("relationship from a variable", "notify { ['a', 'b', 'c']: }\n"
     "$s = if $u { Notify['a'] } else { Notify['b'] }\n$s -> Notify['c']", _FLAGS),
    ("relationship to a collector", "notify { 'a': }\nif $u { notify { 'b': tag => 'x' } }\n"
     "Notify['a'] -> Notify <| tag == 'x' |>", _FLAGS),
    ("relationship to an unknown collector", "notify { ['a', 'b', 'c']: }\n"
     "Notify['a'] -> Notify <| title == $u |>", ["'b'", "'c'"]),
    ("relationship from an unknown collector", "notify { ['a', 'b', 'c']: }\n"
     "Notify <| title == $u |> -> Notify['c']", ["'a'", "'b'"]),
    ("relationship round a collector", "notify { ['a', 'c']: }\n"
     "unless $u { notify { 'b': tag => 'x' } }\n"
     "Notify['a'] -> Notify <| tag == 'x' |> -> Notify['c']", _FLAGS),
    ("relationship by an alias", "notify { 'a': alias => 'z' } notify { 'b': }\n"
     "unless $u { Notify['z'] -> Notify['b'] }", _FLAGS),
    ("relationship of classes", "class a { } class b { }\ninclude a, b\n"
     "unless $u { Class['A'] -> Class['b'] }", _FLAGS),
    ("relationship to a missing title", "notify { 'a': } notify { $u: }\n"
     "Notify['a'] -> Notify['b']", ["'b'"]),
    ("relationship of what may be", "notify { 'a': }\nif $u { notify { 'b': } }\n"
     "if $u { Notify['a'] -> Notify['b'] }", _FLAGS),
    # -- refusals
    ("fail", "if $u { fail('no') }\nnotify { 'r': message => 1 }", _FLAGS),
    ("fail otherwise", "unless $u { fail('no') }\nnotify { 'r': message => 1 }", _FLAGS),
    ("fail in else", "if $u { notify { 'a': } } else { fail('no') }", _FLAGS),
    ("fail in a case", "case $u { 'a': { notify { 'a': } } default: { fail('no') } }\n"
     "notify { 'r': }", _TEXTS),
    ("fail after effects", "if $u { notify { 'a': } if true { fail('no') } notify { 'b': } }\n"
     "notify { 'r': }", _FLAGS),
    ("refused in a branch", "if $u { notify { 'a': } notify { [undef]: } }\nnotify { 'r': }",
     _FLAGS),
    ("refused in a class", "class a { notify { 'a': } include nowhere }\nif $u { include a }\n"
     "notify { 'r': }", _FLAGS),
    ("refused in a define", "define d { notify { 'a': } fail('no') }\nif $u { d { 'x': } }\n"
     "notify { 'r': }", _FLAGS),
    ("override of what may be", "class a { if $u { notify { 'r': message => 1 } } }\n"
     "class b inherits a { if $u { Notify['r'] { message => 2 } } }\ninclude b", _FLAGS),
    ("realize of what may be", "unless $u { @notify { 'a': } realize(Notify['a']) }", _FLAGS),
]  # fmt: skip
