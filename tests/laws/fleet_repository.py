"""A small repository in which something of every kind is read, and edits of all of it."""

# ruff: noqa: E501 - the files of the repository are as they are

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from laws.fleet_edits import ODD_KINDS, files_of, text_of, write_text
from thousands import BY_NODE, put

FILES = {
    "headwater.toml": """\
[puppet]
level = 8
environment = "."
[nodes]
facts = "facts"
trusted = "trusted"
classes = "classes.yaml"
""",
    "environment.conf": "modulepath = site:modules\n",
    "classes.yaml": "one.example.com: [c]\ntwo.example.com: {c: {level: 3}}\n",
    "hiera.yaml": f"""\
{BY_NODE}\
  - name: System
    path: "os/%{{facts.os.family}}.yaml"
  - name: Rack
    mapped_paths: [facts.tags, tag, "tags/%{{tag}}.yaml"]
  - name: Network
    data_hash: json_data
    path: "net/%{{facts.net.ip}}.txt"
  - name: Extra
    glob: "extra/*.yaml"
  - name: Everybody
    path: common.yaml
""",
    "data/common.yaml": """\
---
a::port: 80
a::names: [x, y]
a::options: {k: common}
b::unused: 1
lookup_options:
  a::options:
    merge: hash
""",
    "data/os/Debian.yaml": "a::options: {o: debian}\n",
    "data/nodes/one.example.com.yaml": "a::port: 81\n",
    "data/extra/first.yaml": "a::extra: first\n",
    "data/tags/7.yaml": "a::more::rack: seven\n",
    "data/net/192.0.2.1.txt": '{"a::more::cost": 1e5}\n',
    "manifests/site.pp": "node default {\n  include a\n}\nnode /^t[wh]/ {\n  include a, a::more\n}\n",
    "manifests/top.pp": "$site_wide = 'wide'\n",
    "modules/a/metadata.json": (
        '{"name": "me-a", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "a",\n'
        ' "source": "here", "dependencies": []}\n'
    ),
    "modules/a/manifests/init.pp": """\
class a (
  A::Port $port = 1,
  Array[String] $names = [],
  Hash $options = {},
  String $extra = 'none',
  String $fallback = 'nothing',
) {
  include b
  notify { 'a':
    message => "${port} ${names} ${options} ${extra} ${fallback} ${site_wide} ${trusted['certname']} ${serverversion}",
  }
  notify { 'facts':
    message => "${facts['os']['family']} ${facts['absent']} ${kernel} ${facts['net']['ip']}",
  }
  $facts['tags'].each |$tag, $value| { notify { "tag ${tag}": message => $value } }
  file { '/t':
    content => template('a/x.erb'),
  }
  file { '/e': content => epp('a/y.epp') }
  file { '/f': content => file('a/missing.txt', 'a/z.txt') }
  notify { 'calls': message => "${a::up('x')} ${a::rb(2)}" }
  if defined(d) { notify { 'd is there': } }
  a::thing { 'thing': }
}
""",
    "modules/a/manifests/more.pp": """\
class a::more ($rack = 'none', $cost = 0) {
  notify { 'more':
    message => "${rack} ${cost} ${getvar('facts.os.release.major', 0)} ${dig($facts, 'net', 'mac')}",
  }
  notify { 'asked':
    message => "${lookup('a::options', Hash, 'deep', {})} ${lookup({name => 'x::y', default_value => 1})}",
  }
  notify { 'found': message => String(find_file('a/w.txt', 'a/z.txt'))[-5, 5] }
  notify { 'in ruby': message => a_old('x') }
  notify { 'rendered': message => inline_template("<%= @facts['net']['ip'] %> <%= scope.lookupvar('uptime') %> <%= scope.function_template(['a/y.erb']) %>") }
  if 'os' in $facts and $facts['os'] =~ Struct[{family => Enum['Debian'], Optional[release] => Hash}] {
    notify { 'one of ours': }
  }
  create_resources('notify', lookup('a::more::notices', { default_value => {} }))
  @notify { 'virtual': tag => $facts.get('tags.room', 'nowhere') }
  Notify <| tag == 'b' |>
}
""",
    "modules/a/lib/puppet/parser/functions/a_old.rb": """\
module Puppet::Parser::Functions
  newfunction(:a_old, :type => :rvalue) do |args|
    args[0] + lookupvar('kernel').to_s
  end
end
""",
    "modules/a/templates/y.erb": "<% if @uptime -%><%= @tags.keys.join(' ') %><% end -%>\n",
    "modules/a/manifests/thing.pp": 'define a::thing { notify { "thing ${title}": } }\n',
    "modules/a/types/port.pp": "type A::Port = Integer[1, 65535]\n",
    "modules/a/functions/up.pp": "function a::up($x) { upcase($x) }\n",
    "modules/a/lib/puppet/functions/a/rb.rb": """\
Puppet::Functions.create_function(:'a::rb') do
  def rb(x)
    x + 1
  end
end
""",
    "modules/a/templates/x.erb": "<%= @port %> <%= @kernel %> <%= scope['b::value'] %>\n",
    "modules/a/templates/y.epp": "<%= $facts['os']['family'] %> <%= lookup('a::names').join(' ') %>\n",
    "modules/a/files/z.txt": "z\n",
    "modules/b/manifests/init.pp": "class b ($value = 'default') {\n  notify { 'b': message => $value }\n}\n",
    "modules/b/hiera.yaml": "version: 5\nhierarchy: [{name: module, path: common.yaml}]\n",
    "modules/b/data/common.yaml": "b::value: from module\nb::other: 1\n",
    "modules/c/manifests/init.pp": "class c ($level = 1) { notify { 'c': message => \"${level} ${trusted['extensions']}\" } }\n",
    "site/e/manifests/other.pp": "class e::other { }\n",
    "trusted/two.example.com.yaml": "certname: two.example.com\nextensions: {pp_role: db}\n",
    "unread.txt": "nothing\n",
}

NODES = {
    "one.example.com": "Debian",
    "two.example.com": "RedHat",
    "three.example.com": "Debian",
}

NEW_FILES = {
    "site/a/manifests/init.pp": "class a { notify { 'shadow': } }\n",
    "site/b/manifests/init.pp": "class b { }\n",
    "site/e/manifests/init.pp": "class e { }\n",
    "modules/d/manifests/init.pp": "class d { }\n",
    "modules/a/files/missing.txt": "no more\n",
    "modules/a/hiera.yaml": "version: 5\nhierarchy: [{name: module, path: common.yaml}]\n",
    "modules/a/data/common.yaml": "a::fallback: from module\n",
    "data/nodes/two.example.com.yaml": "a::names: [new]\n",
    "data/nodes/three.example.com.yaml": "a::port: text\n",
    "data/os/RedHat.yaml": "a::options: {o: redhat}\na::port: 8\n",
    "data/extra/second.yaml": "a::extra: second\na::fallback: extra\n",
    "data/extra/Zero.yaml": "a::extra: zero\n",
    "data/tags/b.yaml": "a::more::rack: b\na::port: 5\n",
    "data/net/192.0.2.1.txt": '{"a::more::cost": "1e5"}\n',
    "modules/a/files/w.txt": "w\n",
    "manifests/another.pp": "notify { 'another': }\n",
    "manifests/aaa.pp": "$kernel_name = $kernel\n",
    "modules/a/functions/rb.pp": "function a::rb($x) { $x * 2 }\n",
    "modules/a/lib/puppet/functions/a/up.rb": (
        "Puppet::Functions.create_function(:'a::up') do\n  def up(x)\n    x\n  end\nend\n"
    ),
    "functions/up.pp": "function environment::up($x) { $x }\n",
    "modules/a/types/name.pp": "type A::Name = String\n",
    "modules/zz/manifests/init.pp": "class zz { }\n",
    "trusted/one.example.com.yaml": "certname: one.example.com\nextensions: {pp_role: web}\n",
    "README.md": "words\n",
}

HIERARCHIES = (
    FILES["hiera.yaml"],
    FILES["hiera.yaml"].replace("extra/*.yaml", "extra/f*.yaml"),
    FILES["hiera.yaml"].replace("  - name: Everybody\n    path: common.yaml\n", ""),
    FILES["hiera.yaml"].replace("facts.os.family", "facts.kernel"),
    FILES["hiera.yaml"].replace('  - name: System\n    path: "os/%{facts.os.family}.yaml"\n', ""),
    FILES["hiera.yaml"].replace('path: "nodes/', 'path: "nodes2/'),
    FILES["hiera.yaml"] + "# a comment\n",
    FILES["hiera.yaml"] + "default_hierarchy: [{name: last, path: last.yaml}]\n",
    "version: 3\n",
)

DATA = ("data/common.yaml", "data/os/Debian.yaml", "data/nodes/one.example.com.yaml",
        "data/extra/first.yaml", "data/tags/7.yaml", "modules/b/data/common.yaml", "data/last.yaml")  # fmt: skip
KEYS = ("a::more::rack", "a::more::cost", "x::y", "a::port", "a::names", "a::options", "a::extra", "a::fallback", "b::value", "b::other",
        "b::unused", "lookup_options", "c::level")  # fmt: skip
VALUES = ("1", "8080", "[a, b]", "{k: v}", "text", "'%{facts.kernel}'", "\"%{lookup('b::unused')}\"",
          "~", "70000")  # fmt: skip
OPTIONS = ("{a::options: {merge: deep}}", "{a::options: {merge: first}}",
           "{a::names: {merge: unique}}", "{'^a::': {merge: hash}}", "{}")  # fmt: skip


def facts_of(family: str) -> dict[str, Any]:
    """The facts of a machine."""
    return {
        "os": {"family": family, "release": {"major": "12"}},
        "kernel": "Linux",
        "net": {"ip": "192.0.2.1", "mac": "00"},
        "tags": {"rack": "7", "room": "b"},
        "uptime": 5,
    }


def write(folder: Path) -> None:
    """Writes the repository to a new folder."""
    for name, text in FILES.items():
        put(folder / name, text)
    for node, family in NODES.items():
        put(folder / f"facts/{node}.json", json.dumps(facts_of(family)))


def edit(folder: Path, chance: random.Random) -> str:
    """Makes an edit; says which."""
    kind = chance.choice(KINDS)
    try:
        return f"{kind.__name__}: {kind(folder, chance)}"
    except OSError as error:  # a folder stands where a file was, or a link leads nowhere
        return f"{kind.__name__}: {error.strerror}"


def _word(folder: Path, chance: random.Random) -> str:
    """A word of a file becomes another."""
    path = chance.choice([p for p in files_of(folder) if p.name != "headwater.toml"])
    lines = text_of(path).split("\n")
    at = chance.randrange(len(lines))
    words = lines[at].split(" ")
    words[chance.randrange(len(words))] += chance.choice(["1", "x", "'", ":", " ", "\n"])
    lines[at] = " ".join(words)
    write_text(path, "\n".join(lines))
    return f"{path.relative_to(folder)}:{at + 1}"


def _line(folder: Path, chance: random.Random) -> str:
    """A line of a file goes, or comes twice."""
    path = chance.choice([p for p in files_of(folder) if p.name != "headwater.toml"])
    lines = text_of(path).split("\n")
    at = chance.randrange(len(lines))
    if chance.random() < 0.5:
        del lines[at]
    else:
        lines.insert(at, chance.choice([lines[at], "", "# comment"]))
    write_text(path, "\n".join(lines))
    return f"{path.relative_to(folder)}:{at + 1}"


def _key(folder: Path, chance: random.Random) -> str:
    """A key of a data file comes, goes, or gets another value."""
    path = folder / chance.choice(DATA)
    key = chance.choice(KEYS)
    old = text_of(path).split("\n") if path.exists() else []
    lines = [one for one in old if not one.startswith((key, "  a::", "    merge")) and one]
    if key != "lookup_options":
        lines = [one for one in old if not one.startswith(key) and one]
    value = chance.choice(OPTIONS if key == "lookup_options" else VALUES)
    if chance.random() < 0.8:
        lines.append(f"{key}: {value}")
    put(path, "\n".join([*lines, ""]))
    return f"{path.relative_to(folder)}: {key}: {value}"


def _hierarchy(folder: Path, chance: random.Random) -> str:
    """Another hiera.yaml."""
    number = chance.randrange(len(HIERARCHIES))
    put(folder / "hiera.yaml", HIERARCHIES[number])
    return str(number)


def _fact(folder: Path, chance: random.Random) -> str:
    """A fact of a node is another, or is not there."""
    paths = sorted((folder / "facts").iterdir())
    if not paths:
        return "nothing"
    path = chance.choice(paths)
    try:
        facts = json.loads(text_of(path))
    except ValueError:
        facts = facts_of("Debian")
    if isinstance(facts, list):
        facts = chance.choice(facts or [{}]).get("facts") or facts_of("Debian")
    *outer, last = chance.choice(
        [("os", "family"), ("os", "release", "major"), ("kernel",), ("net", "ip"), ("net", "mac"),
         ("tags", "rack"), ("tags", "new"), ("uptime",), ("absent",), ("os",), ("tags",), ("new",),
         ("trusted",)]
    )  # fmt: skip
    inner = facts
    for name in outer:
        inner = inner.setdefault(name, {}) if isinstance(inner.get(name, {}), dict) else {}
    if chance.random() < 0.3:
        inner.pop(last, None)
    else:
        inner[last] = chance.choice(["RedHat", "x", 7, {"a": "b"}, {"certname": "q"}, ["l"], None])
    write_text(path, json.dumps(facts, indent=chance.choice([None, 2])))
    return f"{path.name}: {outer} {last}"


def _new(folder: Path, chance: random.Random) -> str:
    """A file comes where something looks for one, or shadows another."""
    name = chance.choice([*NEW_FILES])
    put(folder / name, NEW_FILES[name])
    return name


def _delete(folder: Path, chance: random.Random) -> str:
    """A file goes."""
    path = chance.choice([p for p in files_of(folder) if p.name != "headwater.toml"])
    path.unlink()
    return str(path.relative_to(folder))


def _rename(folder: Path, chance: random.Random) -> str:
    """A file or a folder gets another name."""
    names = ["modules/b", "modules/c", "site/e", "data/os", "data/os/Debian.yaml", "data/extra",
             "data/extra/first.yaml", "modules/a/templates/x.erb", "modules/a/files/z.txt",
             "manifests/top.pp", "modules/a/manifests/thing.pp", "modules/a/functions/up.pp",
             "facts/three.example.com.json", "modules/a/types"]  # fmt: skip
    old, new = chance.choice(names), chance.choice(["2", "zz", ".old"])
    one, other = folder / old, folder / f"{old}{new}"
    if other.exists():
        one, other = other, one
    if one.exists() and not other.exists():
        one.rename(other)
    return f"{one.name} -> {other.name}"


def _level(folder: Path, chance: random.Random) -> str:
    """Another level of the language, or another place for modules."""
    path = folder / "headwater.toml"
    text = path.read_text()
    if chance.random() < 0.7:
        text = text.replace("= 8", "= 7") if "= 8" in text else text.replace("= 7", "= 8")
        path.write_text(text)
        return "level"
    put(folder / "environment.conf",
        chance.choice(["modulepath = site:modules\n", "modulepath = modules\n", ""]))  # fmt: skip
    return "environment.conf"


def _back(folder: Path, chance: random.Random) -> str:
    """A file is again what it was at first."""
    name = chance.choice([*FILES])
    put(folder / name, FILES[name])
    return name


KINDS = (_word, _word, _line, _line, _key, _key, _key, _hierarchy, _fact, _fact, _fact, _new, _new,
         _delete, _rename, _level, _back, _back, *ODD_KINDS)  # fmt: skip
