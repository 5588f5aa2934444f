"""Trees of files in which two constructs of Puppet meet: one inside the other, or one after it.

A `Piece` is a construct as text: ``{v}`` stands for a value it is given, ``{s}`` for statements
inside it, ``{i}`` for a number that keeps its names apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

WORDS = ("'u'", "'w'", "'b'", "'a'", "1")


class Piece(NamedTuple):
    """A construct: definitions, statements, the value it gives, and files."""

    name: str
    body: str = "{s}"
    value: str = "{v}"
    before: str = ""
    files: Mapping[str, str] = MappingProxyType({})


_F = "function f{i}($a) {{ if $a == 'u' {{ 'a' }} else {{ \"f${{a}}\" }} }}\n"
_D = "define d{i} ($p = 'dp', $q = 'dq') {{ notify {{ \"d{i} ${{title}}\": message => $p }} }}\n"

PIECES = [
    Piece("variable", "$x{i} = {v}\n{s}", "$x{i}"),
    Piece("if", "$x{i} = if {v} == 'u' {{ 'a' }} else {{ 'b' }}\nif $x{i} == 'a' {{ {s} }}",
          "$x{i}"),
    Piece("unless", "unless {v} == 'u' {{ $y{i} = 'n' {s} }}", "\"${{y{i}}}\""),
    Piece("case", "case {v} {{ 'u', 'w': {{ {s} }} default: {{ notify {{ 'c{i}': }} }} }}",
          "(case {v} {{ 'u': {{ 'a' }} default: {{ 'b' }} }})"),
    Piece("selector", value="({v} ? {{ 'u' => 'a', /b/ => 'r', default => 'b' }})"),
    Piece("alias", "if {v} =~ A{i} {{ {s} }}", "({v} ? {{ A{i} => 'a', default => 'b' }})",
          "type A{i} = Enum['u', 'b']\n"),
    Piece("alias of a module", value="({v} =~ M::B)",
          files={"modules/m/types/b.pp": "type M::B = Variant[Enum['u'], Integer]\n"}),
    Piece("function", value="f{i}({v})", before=_F),
    Piece("call", value="call('f{i}', {v})", before=_F),
    Piece("return", value="g{i}({v})",
          before="function g{i}($a) {{ if $a == 'u' {{ return('a') }} \"g${{a}}\" }}\n"),
    Piece("next", "[{v}].each |$n{i}| {{ if $n{i} == 'u' {{ next() }} {s} }}",
          "([{v}, 'b'].map |$e| {{ if $e == 'u' {{ next('a') }} $e }})[0]"),
    Piece("each", "[{v}, 'b'].each |$e| {{ notify {{ \"e{i} ${{e}}\": message => $e }} }}\n{s}"),
    Piece("filter", value="([{v}, 'b'].filter |$e| {{ $e != 'b' }})[0]"),
    Piece("reduce", value="([{v}, 'b'].reduce |$m, $e| {{ \"${{m}}${{e}}\" }})"),
    Piece("then", "{v}.then |$t| {{ {s} }}", "({v}.then |$t| {{ \"t${{t}}\" }})"),
    Piece("hash", "$h{i} = {{ 'a' => {v}, 'b' => 'w' }}\n{s}", "$h{i}['a']"),
    Piece("merged hash", "$h{i} = {{ 'a' => 'w', 'c' => 'u' }} + {{ 'a' => {v} }}\n{s}",
          "$h{i}['a']"),
    Piece("splat", "$h{i} = {{ 'message' => {v} }}\nnotify {{ 's{i}': * => $h{i} }}\n{s}",
          "Notify['s{i}']['message']"),
    Piece("default body", "notify {{ default: message => {v}; 'b{i}': loglevel => 'info' }}\n{s}",
          "Notify['b{i}']['message']"),
    Piece("splat in a default body", "$h{i} = {{ 'p' => {v} }}\n"
          "d{i} {{ default: * => $h{i}; 'z': q => 'w' }}\n{s}", "D{i}['z']['p']", _D),
    Piece("default", "include cd{i}\n{s}", "Notify['f{i}']['message']",
          "class cd{i} {{ Notify {{ message => {v} }} notify {{ 'f{i}': }} }}\n"),
    Piece("inner default", "Notify {{ message => 'out' }}\ninclude ci{i}\n{s}",
          "Notify['i{i}']['message']",
          "class ci{i} {{ if {v} == 'u' {{ Notify {{ message => 'in' }} }}\n"
          "notify {{ 'i{i}': }} }}\n"),
    Piece("collector", "$q{i} = {v}\nNotify <| message == $q{i} |> {{ noop => true }}\n{s}"),
    Piece("collector that sets", "notify {{ 'co{i}': message => 'm', loglevel => 'info' }}\n"
          "Notify <| loglevel == 'info' |> {{ message => {v} }}\n{s}"),
    Piece("collector of all", "Notify <| title != 'out' |> {{ withpath => ({v} == 'u') }}\n{s}"),
    Piece("virtual", "@notify {{ 'v{i}': message => {v}, tag => 'w' }}\n"
          "Notify <| tag == 'w' |>\n{s}"),
    Piece("realize", "@notify {{ ['ru', 'rw']: }}\nrealize Notify[\"r${{{v}}}\"]\n{s}"),
    Piece("tag of a collector", "notify {{ 'tc{i}': }}\n"
          "Notify <| title == 'tc{i}' |> {{ tag => {v} }}\n"
          "Notify <| tag == 'u' |> {{ loglevel => 'err' }}\n{s}"),
    Piece("tag()", "include tg{i}\n{s}", before="class tg{i} {{ tag({v}) if tagged('u') {{ "
          "notify {{ 'tg{i}': }} }} }}\n"),
    Piece("tag of a define", "d{i} {{ 'tg': tag => {v} }}\n"
          "Notify <| tag == 'u' |> {{ loglevel => 'err' }}\n{s}", before=_D),
    Piece("define", "d{i} {{ 'q': p => {v} }}\n{s}", "D{i}['q']['p']", _D),
    Piece("metaparameter", "d{i} {{ 'mp': noop => ({v} == 'u') }}\n{s}", before=_D),
    Piece("class", "include ch{i}", before="class ch{i} {{ {s} }}\n"),
    Piece("contain", "contain ct{i}", before="class ct{i} {{ {s} }}\n"),
    Piece("parameter", "include cp{i}\n{s}", "$cp{i}::p",
          "class cp{i} ($p = {v}) {{ notify {{ 'p{i}': message => $p }} }}\n"),
    Piece("class as a resource", "class {{ 'cr{i}': p => {v} }}\n{s}", "$cr{i}::p",
          "class cr{i} ($p, $k = 'd') {{ notify {{ 'cr{i}': message => \"${{p}} ${{k}}\" }} }}\n"),
    Piece("override", "include oi{i}\n{s}", "Notify['ov{i}']['message']",
          "class ov{i} {{ notify {{ 'ov{i}': message => 'm' }} }}\n"
          "class oi{i} inherits ov{i} {{ Notify['ov{i}'] {{ message => {v} }} }}\n"),
    Piece("inherited variable", "include iw{i}\n{s}", "$iw{i}::y",
          "class iv{i} {{ $y = {v} }}\nclass iw{i} inherits iv{i} {{ notify {{ 'iw{i}': "
          "message => $y }} }}\n"),
    Piece("arrow", "notify {{ ['ra{i}', 'rb{i}']: }}\n"
          "if {v} == 'u' {{ Notify['ra{i}'] -> Notify['rb{i}'] }}\n{s}"),
    Piece("create_resources", "create_resources('notify', {{ 'k{i}' => {{ 'message' => {v} }} }})"
          "\n{s}", "Notify['k{i}']['message']"),
    Piece("defined", "if defined(Notify[\"d${{{v}}}\"]) {{ {s} }}\nnotify {{ 'db{i}': }}",
          "defined(Notify['in'])"),
    Piece("getvar", "$gv{i} = {v}\n{s}", "getvar('gv{i}')"),
    Piece("match", "if \"${{{v}}}\" =~ /^(.)/ {{ notify {{ 'm{i}': message => $1 }} {s} }}"),
    Piece("reference", "notify {{ 'rr{i}': message => {v} }}\n{s}",
          "Resource['notify', 'rr{i}']['message']"),
    Piece("reference in a variable", "notify {{ 'rv{i}': message => {v} }}\n"
          "$rv{i} = [Notify['rv{i}']]\n{s}", "$rv{i}[0]['message']"),
    Piece("lookup", value="lookup('k', {{ 'default_value' => {v} }})"),
    Piece("lookup that misses", value="lookup('nix', {{ 'default_value' => {v} }})"),
    Piece("lookup of several keys", value="lookup(['nix', 'k'], {{ 'default_value' => {v} }})"),
    Piece("deep look-up", value="lookup('h', {{ 'merge' => 'deep', 'default_value' => "
          "{{ 'a' => {v} }} }})['a']"),
    Piece("look-up by options", value="lookup('list', {{ 'default_value' => {v} }})"),
    Piece("function of data", value="lookup('fk')"),
    Piece("interpolated data", value="lookup('ik')"),
    Piece("hiera_include", "hiera_include('classes')\n{s}", "$hc::p",
          "class hc ($p = {v}) {{ }}\n"
          "class hd ($p = 'd') {{ notify {{ 'hd': message => $p }} }}\n"),
    Piece("fact", "if $facts['role'] == {v} {{ {s} }}", "\"f ${{facts['os']['family']}}\""),
    Piece("fact that is missing", "if $facts['nix'] == {v} {{ {s} }}", "\"f ${{facts['nix']}}\""),
    Piece("EPP", value="epp('m/t.epp', {{ 'a' => {v} }})", files={
        "modules/m/templates/t.epp": "<%- | $a | -%>\nline <%= $a %>\n"
        "<% if $a == 'u' {{ -%>\nyes <%= $facts['role'] %>\n<% }} -%>\n"}),
    Piece("ERB", "$eb{i} = {v}\n{s}", "template('m/t{i}.erb')", files={
        "modules/m/templates/t{i}.erb": "line <%= @eb{i} %>\n<% if @eb{i} == 'u' %>yes\n<% end %>"
        "<%= @facts['role'] %>\n"}),
    Piece("inline template", "$it{i} = {v}\n{s}", "inline_template('<%= @it{i} %> b')"),
    Piece("function in Ruby", value="m::rf({v})", files={
        "modules/m/lib/puppet/functions/m/rf.rb": "Puppet::Functions.create_function(:'m::rf') do\n"
        "  def rf(x)\n    x == 'u' ? 'a' : \"r#{{x}}\"\n  end\nend\n"}),
    Piece("file()", value="[{v}, file('m/first', 'm/second')]",
          files={"modules/m/files/second": "second\n"}),
    Piece("and", "$an{i} = ({v} == 'u' and 'b' == 'b')\nif $an{i} {{ {s} }}", "$an{i}"),
]  # fmt: skip

BASE = {
    "hiera.yaml": """version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: role, path: "roles/%{facts.role}.yaml" }
  - { name: globs, glob: "x/*.yaml" }
  - { name: function, lookup_key: dfun, options: { o: w } }
  - { name: common, paths: [more.yaml, common.yaml] }
""",
    "data/roles/web.yaml": "h: { a: u }\nclasses: [hc]\n",
    "data/roles/db.yaml": "k: db\ncp1::p: b\n",
    "data/x/b.yaml": "k: u\nlist: [w]\n",
    "data/common.yaml": "k: w\nh: { a: w, b: b }\nlist: [u, b]\n"
    "ik: \"%{facts.role} %{lookup('k')}\"\n"
    "cp2::p: u\ncr1::k: c\nclasses: [hd]\nlookup_options: { list: { merge: unique } }\n",
    "functions/dfun.pp": "function dfun($key, $options, $context) {\n"
    "  if $key == 'fk' { \"${options['o']} u\" } else { $context.not_found }\n}\n",
    "facts.json": '{ "role": "web", "os": { "family": "u", "name": "b" }, "n": 2 }\n',
}


def pair_tree(one: Piece, other: Piece, random: Random) -> dict[str, str]:
    """A tree of files in which two constructs meet."""
    first, second = random.choice(WORDS), random.choice(WORDS)
    nested = random.random() < 0.5
    gives = _filled(one.value, 1, first)
    inner = f"notify {{ 'in': message => {gives} }}"
    own = _filled(one.body, 1, first, inner)
    value = second if nested else f"({gives})" if random.random() < 0.8 else second
    statements = own if nested else "notify { 'deep': message => 'w' }"
    around = _filled(other.body, 2, value, statements)
    body = around if nested else f"{own}\n{around}"
    given = _filled(other.value, 2, value)
    before = _filled(one.before, 1, first, inner) + _filled(other.before, 2, value, statements)
    site = f"{before}{body}\nnotify {{ 'out': message => {given} }}\n"
    files = {**BASE, "manifests/site.pp": site}
    for piece, index in ((one, 1), (other, 2)):
        for path, text in piece.files.items():
            files[_filled(path, index, "")] = _filled(text, index, "")
    return files


def _filled(text: str, index: int, value: str, statements: str = "") -> str:
    return text.format(i=index, v=value, s=statements)
