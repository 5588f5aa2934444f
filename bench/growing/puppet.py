"""Puppet's families: language, resources, relations, questions."""

from __future__ import annotations

from growing.row import Row, program

NUMBERS = "$a = Integer[1, {n}].map |$x| { $x }\n"
TITLES = '$t = Integer[1, {n}].map |$x| { "n${x}" }\n'
TABLE = "$h = Hash($t.map |$x| { [$x, 'v'] })\n"
NOTICES = "notify { 'n{i}': message => 'm' }\n"
SHOW = "notify { 'x': message => $b }\n"

LANGUAGE: dict[str, tuple[str, ...]] = {
    # name: what stands once (``{n}`` is the size), what stands n times, what stands at the end
    "ifs": ("$x = 1\n", "if $x != 0 { notify { 'n{i}': message => 'm' } }\n"),
    "functions": ("", "function f{i}() { 'v{i}' }\nnotify { 'n{i}': message => f{i}() }\n"),
    "undefined variables": ("", "notify { 'n{i}': message => \"x${u{i}}\" }\n"),
    "interpolation": ("$x = 'v'\nnotify { 'n': message => \"\n", "line {i} ${x}\n", '" }\n'),
    "array literal": ("notify { 'n': message => [\n", "  'v{i}',\n", "]}\n"),
    "hash literal": ("notify { 'n': message => {\n", "  'k{i}' => 'v{i}',\n", "}}\n"),
    "heredocs": ("", "notify { 'n{i}': message => @(END) }\n  text {i}\n  | END\n"),
    "map": (NUMBERS + "$b = $a.map |$x| { $x + 1 }\n" + SHOW, ""),
    "filter": (NUMBERS + "$b = $a.filter |$x| { $x > 0 }\n" + SHOW, ""),
    "array plus": (NUMBERS + "$b = $a + $a\n" + SHOW, ""),
    "append": (NUMBERS + "$b = $a << 1\n" + SHOW, ""),
    "unique": (NUMBERS + "$b = unique($a + $a)\n" + SHOW, ""),
    "sort": (TITLES + "$b = sort($t)\n" + SHOW, ""),
    "flatten": (TITLES + "$b = flatten($t.map |$x| { [$x] })\n" + SHOW, ""),
    "join": (TITLES + "$b = join($t, ',')\n" + SHOW, ""),
    "split": (TITLES + "$b = split(join($t, ','), ',')\n" + SHOW, ""),
    "regsubst": (TITLES + "$b = regsubst($t, 'n', 'm')\n" + SHOW, ""),
    "long regsubst": (TITLES + "$b = regsubst(join($t, ','), 'n', 'm', 'G')\n" + SHOW, ""),
    "slices": (NUMBERS + "$b = $a[0, -1]\n" + SHOW, ""),
    "splat": (NUMBERS + "$b = $a.reduce([0]) |$m, $x| { [*$m[0, 1], $x][1, 1] } + $a\n" + SHOW, ""),
    "zip": (NUMBERS + "$b = $a.map |$i, $x| { [$i, $x] }\n" + SHOW, ""),
    "hash plus": (TITLES + TABLE + "$b = $h + { 'a' => 1 }\n" + SHOW, ""),
    "hash minus": (TITLES + TABLE + "$b = $h - ['n1']\n" + SHOW, ""),
    "keys and values": (TITLES + TABLE + "$b = keys($h) + values($h)\n" + SHOW, ""),
    "group_by": (NUMBERS + "$b = group_by($a) |$x| { $x % 7 }\n" + SHOW, ""),
    "types of values": (
        TITLES + TABLE + "if $h =~ Hash[String, String] { notify { $t: message => 'm' } }\n",
        "",
    ),
    "enums": (
        "$x = 'k0'\nif $x =~ Enum[\n",
        "  'k{i}',\n",
        "'z'] { }\n" + TITLES + "notify { $t: message => 'm' }\n",
    ),
    "epp": (TITLES + "notify { 'x': message => "
            "inline_epp('<% $t.each |$i| { %>a<%= $i %><% } %>') }\n", ""),
}  # fmt: skip

SILENT: dict[str, tuple[str, ...]] = {
    # The same, with an output that does not grow.
    "if-elsif chain": ("$x = 'none'\nif $x == 'a' { }\n", "elsif $x == 'k{i}' { }\n"),
    "nested ifs": ("$x = 1\n", "if $x == 1 { $y{i} = {i} }\n"),
    "case options": ("$x = 1\ncase $x {\n", "  'k{i}': { }\n", "}\n"),
    "a case of many": ("$x = 1\ncase $x {\n  'z',\n", "  'k{i}',\n", "  'y': { }\n}\n"),
    "selector options": ("$x = 1\n$y = $x ? {\n", "  'k{i}' => 1,\n", "default => 0 }\n"),
    "sum": ("$x = 1\n$y = $x\n", "  + {i}\n"),
    "or": ("$x = 1\n$y = $x == 0\n", "  or $x == {i}\n"),
    "array minus": (NUMBERS + "$b = $a - $a\n", ""),
    "array minus another": (NUMBERS + "$b = $a - Integer[1, {n}].map |$x| { $x + {n} }\n", ""),
    "in": (NUMBERS + "$b = $a.filter |$x| { $x in ['z', 'y'] }\n", ""),
    "equal arrays": (NUMBERS + "$b = $a == $a.map |$x| { $x }\n", ""),
    "each": ("Integer[1, {n}].each |$x| { $y = $x + 1 }\n", ""),
    "reduce": (NUMBERS + "$b = $a.reduce |$m, $x| { $m + $x }\n", ""),
    "variables": ("", "$w{i} = {i}\n"),
    "chain of variables": ("$v0 = 'x'\n", "$v{k} = $v{i}\n"),
    "definitions of defines": ("", "define d{i}() { }\n"),
    "definitions of classes": ("", "class c{i}($p = {i}) { }\n"),
    "type aliases": ("type T0 = String\n", "type T{k} = Variant[T{i}, Integer]\n"),
    "nodes": ("node default { }\n", "node 'n{i}.example.com' { }\n"),
    "nodes by pattern": ("node default { }\n", "node /^n{i}x/ { }\n"),
    "regular expressions": ("$x = 'abc'\n", "if $x =~ /k{i}/ { }\n"),
    "comments": ("", "# comment {i}\n"),
}  # fmt: skip

CATALOG: dict[str, tuple[str, ...]] = {
    "resources": ("", NOTICES),
    "resources from an array": (TITLES + "notify { $t: message => 'm' }\n", ""),
    "resources in one expression": ("notify {\n", "  'n{i}': message => 'm';\n", "}\n"),
    "parameters": ("define d(\n", "  $p{i} = {i},\n", ") { }\nd { 'x': }\n"),
    "parameters from a hash": (
        "define d(\n", "  $p{i},\n",
        ") { notify { 'x': message => $p0 } }\n"
        'd { "x": * => Hash(Integer[0, {n} - 1].map |$x| { ["p${x}", $x] }) }\n'),
    "classes": ("", "class c{i} { notify { 'n{i}': message => 'm' } }\ninclude c{i}\n"),
    "parameters of classes": (
        "",
        "class c{i}($p = {i}) { notify { 'n{i}': message => $p } }\ninclude c{i}\n",
    ),
    "classes that include the next": (
        "include c0\n",
        "class c{i} { notify { 'n{i}': message => 'm' } include c{k} }\n",
        "class c{n} { }\n",
    ),
    "classes that inherit the one before": (
        "class c0 { }\ninclude c{n}\n",
        "class c{k} inherits c{i} { notify { 'n{i}': message => 'm' } }\n"),
    "contain": ("", "class c{i} { notify { 'n{i}': message => 'm' } }\n"
                    "class d{i} { contain c{i} }\ninclude d{i}\n"),
    "defines": ("define d() { notify { $title: message => 'm' } }\n", "d { 'n{i}': }\n"),
    "defines of defines": ("define e($x) { notify { $title: message => $x } }\n"
                           "define d() { e { $title: x => 1 } }\n", "d { 'n{i}': }\n"),
    "many defaults": (
        "Notify { withpath => true, loglevel => 'debug', tag => 'x' }\n",
        "notify { 'n{i}': message => 'm' }\n",
    ),
    "tags": ("", "notify { 'n{i}': tag => ['a{i}', 'b'] }\n"),
    "calls of tag": (
        "",
        "class c{i} { tag('t{i}') notify { 'n{i}': message => 'm' } }\ninclude c{i}\n",
    ),
    "overrides": ("", NOTICES + "Notify['n{i}'] { loglevel => 'debug' }\n"),
    "collectors by title": (
        "",
        "@notify { 'n{i}': message => 'm' }\nNotify <| title == 'n{i}' |>\n",
    ),
    "collectors by tag": ("", "@notify { 'n{i}': tag => 't{i}' }\nNotify <| tag == 't{i}' |>\n"),
    "collectors by the tag of a class": (
        "",
        "class c{i} { @notify { 'n{i}': message => 'm' } }\ninclude c{i}\n"
        "Notify <| tag == 'c{i}' |>\n",
    ),
    "collectors by value": (
        "",
        "@notify { 'n{i}': message => 'm{i}' }\nNotify <| message == 'm{i}' |>\n",
    ),
    "collectors by two questions": (
        "",
        "@notify { 'n{i}': message => 'm' }\nNotify <| message == 'm' and title == 'n{i}' |>\n",
    ),
    "a collector with an override": ("Notify <| |> { tag => 'x' }\n", NOTICES),
    "a collector of many": ("Notify <| tag == 'x' |>\n", "@notify { 'n{i}': tag => 'x' }\n"),
    "exported resources": ("Notify <<| |>>\n", "@@notify { 'n{i}': message => 'm' }\n"
                           "realize(Notify['n{i}'])\n"),
    "collectors with overrides": ("", NOTICES + "Notify <| title == 'n{i}' |> { tag => 'x' }\n"),
    "realize": ("", "@notify { 'n{i}': message => 'm' }\nrealize(Notify['n{i}'])\n"),
    "a row of requires": ("notify { 'n0': }\n", "notify { 'n{k}': require => Notify['n{i}'] }\n"),
    "a row of arrows": ("notify { 'n0': }\n",
                        "notify { 'n{k}': message => 'm' }\nNotify['n{i}'] -> Notify['n{k}']\n"),
    "arrows from one resource": ("notify { 'z': }\n",
                                 NOTICES + "Notify['z'] -> Notify['n{i}']\n"),
    "a chain in one statement": ("", "notify { 'n{i}': message => 'm' }\n-> ", "notify { 'z': }\n"),
    "arrows between arrays": (TITLES + "notify { $t: message => 'm' }\nnotify { 'z': }\n"
                              "Notify[$t] -> Notify['z']\n", ""),
    "arrows of collectors": ("notify { 'z': }\nNotify <| tag == 'x' |> -> Notify['z']\n",
                             "notify { 'n{i}': tag => 'x' }\n"),
    "before an array": (
        TITLES + "notify { $t: message => 'm' }\nnotify { 'z': before => Notify[$t] }\n",
        "",
    ),
    "create_resources": (
        TITLES + "$h = Hash($t.map |$x| { [$x, { 'message' => 'm' }] })\n"
        "create_resources('notify', $h)\n", ""),
    "create_resources with defaults": (
        TITLES + "$h = Hash($t.map |$x| { [$x, {}] })\n"
        "create_resources('notify', $h, { 'message' => 'm' })\n", ""),
    "each that declares": (TITLES + "$t.each |$x| { notify { $x: message => \"${x}!\" } }\n", ""),
    "files": ("", "file { '/d{i}/f': content => 'x' }\n"),
    "files in files": ("file { '/d': ensure => directory }\n",
                       "file { '/d/f{i}': ensure => present, mode => '0644' }\n"),
    "defined classes": ("", "class c{i} { }\nif !defined(Class['c{i}']) { include c{i} }\n"),
    "defined": ("", "if !defined(Notify['n{i}']) { notify { 'n{i}': message => 'm' } }\n"),
    "stages": ("", "stage { 's{i}': before => Stage['main'] }\n"
                   "class c{i} { notify { 'n{i}': message => 'm' } }\n"
                   "class { 'c{i}': stage => 's{i}' }\n"),
}  # fmt: skip

MOST = {"classes that include the next": 880, "sum": 4900, "or": 4900, "if-elsif chain": 12000,
        "type aliases": 6000, "classes that inherit the one before": 880,
        "a chain in one statement": 4800}  # fmt: skip
FOUND = {
    # What `check` finds fault with.
    "a circle of arrows", "variables", "chain of variables",
}  # fmt: skip
FORGIVING = {"undefined variables"}
"""What level 7 warns about and level 8 refuses."""
NAMED_ONCE = {"a circle of arrows"}
"""Of what `check` finds there, it shows a part."""


def rows() -> list[Row]:
    """All families, compiled, and questions to them."""
    made: dict[str, Row] = {}
    for table in (LANGUAGE, SILENT, CATALOG):
        for name, parts in table.items():
            made[name] = Row(
                "puppet", name, program(*parts), ".pp",
                words=("--puppet", "7", "--node", "n") if name in FORGIVING else (),
                most=MOST.get(name, 1 << 16), constant=table is SILENT,
            )  # fmt: skip
    circle = Row("puppet", "a circle of arrows", program(
        "notify { 'n0': }\nNotify['n{n}'] -> Notify['n0']\n",
        "notify { 'n{k}': }\nNotify['n{i}'] -> Notify['n{k}']\n"), ".pp")  # fmt: skip
    made[circle.name] = circle
    asked: list[Row] = []
    for name, row in made.items():
        asked += [
            row.asked("check", exit=int(name in FOUND), constant=name not in FOUND - NAMED_ONCE),
            row.asked("blame", constant=row.constant),
            row.asked("why", constant=row.constant),
            row.asked("diff", constant=row.constant),
            row.asked("impact", "1", constant=True),
        ]
    return [*made.values(), *asked]
