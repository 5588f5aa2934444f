"""Random programs of the whole language, with data for Hiera: definitions, resources, collectors."""

# ruff: noqa: E501 (forms of programs are easier to read in one line each)

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.choices import Choices
from headwater.langs.puppet.generate.expressions import TYPES, WORDS, Expressions

HIERARCHY = """\
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{facts.fqdn}.yaml" }
  - { name: os, paths: ["os/%{facts.os.family}.yaml", "os/%{nosuch}.yaml"] }
  - { name: mapped, mapped_paths: [facts.kinds, kind, "kind/%{kind}.yaml"] }
  - { name: globbed, glob: "extra/*.yaml" }
  - { name: common, path: common.yaml }
"""
FILES = ("common", "os/Debian", "nodes/node.example.com", "extra/one", "extra/two")


@dataclass(frozen=True, slots=True)
class Program:
    """A manifest and the files of its data; no files, no Hiera."""

    code: str
    files: dict[str, str] = field(default_factory=dict)


class Programs(Expressions):
    """Makes programs out of choices."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self.place = "top"

    def program(self) -> Program:
        """Definitions, a node perhaps, and code at the top."""
        on = self.on
        hiera = on.chance(4)
        parts = [f"$x = {self.any(1)}" if on.chance(3) else "$x = 'xx'"]
        kinds = on.several(0, 4, lambda: on.upto(5))
        for number, kind in enumerate(kinds):
            if kind < 5:
                self.defined["ccddf"[kind]].append(WORDS[number])
        parts += [self.definition(kind, WORDS[n]) for n, kind in enumerate(kinds)]
        self.place = "top"
        parts += on.several(1, 5, lambda: self.statement(2))
        if on.chance(8):
            names = on.pick(("default", "'node.example.com'", "/^node/", "'other', default"))
            self.place = "node"
            parts.append(f"node {names} {{\n{self.body(1)}\n}}")
        return Program("\n".join(parts) + "\n", self.data() if hiera else {})

    # -- definitions -------------------------------------------------------------------------------

    def definition(self, kind: int, word: str) -> str:
        """A class, define, function or alias."""
        on = self.on
        number = on.fresh()
        before = list(self.vars)
        self.place = f"{kind}{number}"
        self.vars = ["facts", "x", "title", "p"]
        try:
            match kind:
                case 0 | 1:
                    parent = f" inherits {self.name('c')}" if on.chance(4) else ""
                    return f"class c_{word}({self.parameters()}){parent} {{\n{self.body(1)}\n}}"
                case 2 | 3:
                    return f"define d_{word}({self.parameters()}) {{\n{self.body(1)}\n}}"
                case 4:
                    self.vars = ["p", "x"]
                    last = on.pick(("", "", ", $q = 2", ", *$rest", ", String $q = 'q'"))
                    typed = on.pick(("", "", "Integer ", "Variant[Integer, String] "))
                    result = on.pick(("", "", " >> Integer", " >> Any", " >> String"))
                    jump = on.pick(("", "", f"if $p {{ return({self.any(1)}) }} "))
                    return f"function f_{word}({typed}$p{last}){result} {{ {jump}$r = {self.any(2)}\n$r }}"
            return f"type T_{word} = {on.pick(TYPES)}".replace("T_", "T")
        finally:
            self.vars = before

    def parameters(self) -> str:
        """Parameters of a class or define."""
        on = self.on
        type_ = on.pick(
            (
                "",
                "",
                "",
                "String ",
                "Optional[Integer] ",
                "Integer ",
                "Any ",
                "Array ",
                "Hash ",
                "Sensitive ",
            )
        )
        default = on.pick((" = 'dflt'", " = 1", " = undef", " = $title", " = $q", ""))
        second = on.pick(
            (
                "",
                "",
                f", $q = {self.simple()}",
                ", Integer $q = $p",
                ", $message = 'm'",
                ", $q = [$p]",
            )
        )
        return f"{type_}$p{default}{second}"

    # -- statements --------------------------------------------------------------------------------

    def body(self, depth: int) -> str:
        """Statements one after the other."""
        return "\n".join(self.on.several(1, 3, lambda: self.statement(depth)))

    def title(self) -> str:
        """A title; most are different."""
        on = self.on
        word, number = on.pick(WORDS), on.fresh()
        return on.pick((
            f"'{self.place}-{word}{number}'", f"'{word}'", f'"{self.place}-${{title}}-{word}{number}"',
            f"['{word}{number}', '{self.place}{number}']", "$x", f"{self.any(1)}", f"'{word}/{number}'",
        ))  # fmt: skip

    def attributes(self, *, names: tuple[str, ...] = ("message",)) -> str:
        """Attributes of a resource."""
        on = self.on
        found = on.several(0, 2, lambda: on.upto(11))
        listed = []
        for kind in dict.fromkeys(found):
            match kind:
                case 0 | 1 | 2:
                    listed.append(f"{on.pick(names)} => {self.any(1)}")
                case 3:
                    listed.append(
                        f"tag => {on.pick((chr(39) + on.pick(WORDS) + chr(39), '[' + chr(39) + 'a' + chr(39) + ', b]', '$x'))}"
                    )
                case 4:
                    listed.append(f"noop => {on.pick(('true', 'false', 'undef'))}")
                case 5:
                    name = on.pick(("require", "before", "notify", "subscribe"))
                    listed.append(f"{name} => {self.reference()}")
                case 6:
                    listed.append(
                        f"loglevel => {on.pick(('debug', 'undef', chr(39) + 'err' + chr(39)))}"
                    )
                case 7:
                    listed.append(
                        f"* => {on.pick(('{}', '{ withpath => true }', '{ noop => $x }', '$x'))}"
                    )
                case 8:
                    listed.append(f"alias => '{on.pick(WORDS)}'")
                case 9:
                    listed.append(f"withpath => {self.simple()}")
                case 10:
                    listed.append(f"audit => {on.pick(('all', '[message]'))}")
                case _:
                    listed.append(f"name => '{on.pick(WORDS)}{on.fresh()}'")
        return ", ".join(listed)

    def reference(self) -> str:
        """A reference to resources, some of which are there."""
        on = self.on
        word = on.pick(WORDS)
        return on.pick((
            f"Notify['{word}']", f"Class[{self.name('c')}]", f"{self.name('d').capitalize()}['{on.pick(WORDS)}']",
            f"[Notify['{word}'], Class[{self.name('c')}]]", "Notify[$x]", f"Notify['{word}', 'a']",
            f"'Notify[{word}]'", "undef", "File['/tmp/a']",
        ))  # fmt: skip

    def resource(self) -> str:
        """A declaration of resources."""
        on = self.on
        form = on.pick(("", "", "", "", "@", "@@"))
        match on.upto(8):
            case 0 | 1 | 2:
                return f"{form}notify {{ {self.title()}: {self.attributes()} }}"
            case 3:
                one = f"{self.title()}: {self.attributes()}"
                default = f"default: {self.attributes()}"
                return f"{form}notify {{ {on.pick((one, default))}; {self.title()}: {self.attributes()} }}"
            case 4:
                names = on.pick(("mode", "ensure", "content", "owner", "source"))
                path = on.pick(
                    ("'/tmp/a'", "'/tmp/b/'", "'/tmp/a/'", f"'/tmp/{on.fresh()}'", "'/'", "'rel'")
                )
                return f"{form}file {{ {path}: {self.attributes(names=(names,))} }}".replace(
                    "withpath", "backup"
                )
            case 5:
                command = on.pick(("'/bin/true'", "'/bin/false a'"))
                return f"exec {{ {self.title()}: command => {command}, refreshonly => true }}"
            case 6:
                return f"{form}{self.name('d')} {{ {self.title()}: {self.attributes(names=('p', 'p', 'q'))} }}".replace(
                    "withpath", "p"
                )
            case 7:
                given = on.pick(("", f"p => {self.any(1)}", "stage => main", "noop => true"))
                name = self.name("c")
                return f"class {{ '{name}': {given} }}"
        kind = on.pick(("user", "package", "service", "group", "nosuch", "stage", "schedule"))
        return (
            f"{form}{kind} {{ {self.title()}: {on.pick(('', 'ensure => present', 'bogus => 1'))} }}"
        )

    def statement(self, depth: int) -> str:
        """A statement."""
        on = self.on
        word, class_ = on.pick(WORDS), self.name("c")
        match on.upto(47):
            case 0 | 1 | 2 | 3:
                return self.resource()
            case 4:
                return self.assignment()
            case 5 if depth:
                return f"if {self.any(1)} {{\n{self.body(depth - 1)}\n}}"
            case 6 if depth:
                return f"case {self.any(1)} {{ {self.option(1)}: {{\n{self.body(depth - 1)}\n}} default: {{ {self.statement(0)} }} }}"
            case 7 if depth:
                before = list(self.vars)
                self.vars.append("i")
                over = on.pick(("['p', 'q']", "({ 'k' => 1 })", "[1, 2, 3]", "'ab'", "$x"))
                params = on.pick(("$i", "$i", "$i, $j"))
                inner = on.make((lambda: f'notify {{ "{self.place}-${{i}}-{on.fresh()}": {self.attributes()} }}',
                                 lambda: self.statement(0)))  # fmt: skip
                self.vars = before
                return f"{over}.{on.pick(('each', 'map', 'reverse_each'))} |{params}| {{ {inner} }}"
            case 8 | 9:
                return f"{on.pick(('include', 'contain', 'require'))} {on.pick((class_, f'Class[{class_}]', class_ + ', ' + self.name('c')))}"
            case 10:
                return self.collector()
            case 11:
                return self.arrow()
            case 12:
                return f"Notify {{ {self.attributes()} }}"
            case 13:
                op = on.pick(("=>", "+>"))
                what = on.pick(("message", "tag", "noop", "require"))
                return f"Notify['{word}'] {{ {what} {op} {self.any(1)} }}"
            case 14:
                return f"realize({self.reference()})"
            case 15:
                return f"tag('{word}'{on.pick(('', ', ' + chr(39) + 'z' + chr(39)))})"
            case 16:
                inner = on.pick(
                    (
                        f"{{ 'm' => {{ 'message' => {self.any(1)} }} }}",
                        "{ 'n' => undef, 'o' => { 'noop' => $x } }",
                        "{ 'n' => {}, 'o' => {} }",
                    )
                )
                return f"create_resources({on.pick(('notify', chr(39) + '@notify' + chr(39), self.name('d'), chr(39) + 'class' + chr(39)))}, {inner}{on.pick(('', ', { noop => true }'))})"
            case 17:
                return f"notify {{ '{self.place}-v{on.fresh()}': message => {self.any(3)} }}"
            case 18:
                return f"notify {{ '{self.place}-w{on.fresh()}': message => [{self.any(2)}, {self.any(2)}] }}"
            case 19:
                return f"notify {{ '{self.place}-q{on.fresh()}': message => ${class_}::{on.pick(('p', 'v', 'x', 'title'))} }}"
            case 20:
                return f"{on.pick(('notice', 'warning', 'info'))}({self.any(1)})"
            case 21:
                return f"unless {self.any(1)} {{\n{self.statement(0)}\n}} else {{ {self.statement(0)} }}"
            case 22:
                return f"$v = {self.any(2)}"
            case 23:
                return self.any(1)
        return self.resource()

    def assignment(self) -> str:
        """A variable written, or several at once."""
        on = self.on
        name = f"v{on.fresh()}"
        value = self.any(2)
        found = on.pick((
            f"${name} = {value}", f"${name} = {value}", f"[$a{name}, ${name}] = [1, {value}]",
            f"[$k, ${name}] = {{ 'k' => {value}, '{name}' => 2 }}", f"${name} = $b{name} = {value}",
        ))  # fmt: skip
        self.vars.append(name)
        return found

    def collector(self) -> str:
        """A collector, perhaps with a query and a body."""
        on = self.on
        word = on.pick(WORDS)
        query = on.pick((
            "", f"tag == '{word}'", f"title == '{word}'", "message != 'a'", f"noop == true and tag != '{word}'",
            f"(title == '{word}' or tag == a)", "message == $x", f"tag == ['{word}', 'a']", f"message == {self.simple()}",
        ))  # fmt: skip
        body = on.pick(("", "", "", " { message => 'over' }", " { tag => 'late' }", f" {{ message +> {self.any(1)} }}",
                        " { noop => true }", f" {{ require => Notify['{word}'] }}"))  # fmt: skip
        kind = on.pick(("Notify", "Notify", "Notify", self.name("d").capitalize(), "File"))
        if on.chance(8):
            return f"{kind} <<| {query} |>>"
        return f"{kind} <| {query} |>{body}"

    def arrow(self) -> str:
        """A chain of resources, references and collectors."""
        on = self.on
        ends = on.several(2, 3, lambda: on.make((
            lambda: f"Notify['{on.pick(WORDS)}']",
            lambda: f"notify {{ {self.title()}: }}",
            lambda: f"Class[{self.name('c')}]",
            lambda: f"Notify <| tag == '{on.pick(WORDS)}' |>",
            lambda: f"[Notify['{on.pick(WORDS)}'], Notify['{on.pick(WORDS)}']]",
            lambda: f"class {{ {self.name('c')}: }}",
            lambda: "$x",
        )))  # fmt: skip
        arrows = [on.pick(("->", "~>", "<-", "<~")) for _ in ends[1:]]
        return ends[0] + "".join(f" {a} {e}" for a, e in zip(arrows, ends[1:], strict=True))

    # -- data --------------------------------------------------------------------------------------

    def data(self) -> dict[str, str]:
        """The files of a hierarchy."""
        on = self.on
        files = {"hiera.yaml": HIERARCHY}
        for name in FILES:
            if name == "common" or on.chance(2):
                lines = [
                    f"{key}: {self.leaf(2)}" for key in dict.fromkeys(on.several(1, 4, self.key))
                ]
                if on.chance(2):
                    lines.append(f"lookup_options: {self.options()}")
                files[f"data/{name}.yaml"] = "\n".join(lines) + "\n"
        return files

    def key(self) -> str:
        """A key of data."""
        return self.on.pick(
            (*(f"c_{w}::p" for w in WORDS), "k1", "k2", "k3", "c_a::q", "c_b::message")
        )

    def leaf(self, depth: int) -> str:
        """A value of data, as YAML in one line."""
        on = self.on
        match on.upto(9 if depth else 5):
            case 0 | 1:
                return on.pick(WORDS)
            case 2:
                return on.pick(
                    (
                        "1",
                        "~",
                        "true",
                        "1.5",
                        "'1'",
                        "no",
                        "0o17",
                        "017",
                        "1_000",
                        "2020-01-01",
                        "':s'",
                        ".5",
                    )
                )
            case 3:
                return f'"{on.pick(("%{facts.os.family}", "%{x}", "%{facts.nosuch}", "a%{}b", "%{::kernel}", "%{lookup(" + chr(39) + "k2" + chr(39) + ")}"))}-{on.pick(WORDS)}"'
            case 4:
                return f"\"%{{{on.pick(('alias', 'lookup', 'literal', 'hiera'))}('{on.pick(('k1', 'k2', 'k3', 'k3.l', 'none'))}')}}\""
            case 5:
                return f"'{on.pick(WORDS)} %{{facts.kernel}}'"
            case 6 | 7:
                return f"[{', '.join(on.several(0, 3, lambda: self.leaf(depth - 1)))}]"
        keys = dict.fromkeys(on.several(0, 3, lambda: on.pick(("k", "l", "m", "1", "--k"))))
        return "{" + ", ".join(f"{key}: {self.leaf(depth - 1)}" for key in keys) + "}"

    def options(self) -> str:
        """lookup_options."""
        on = self.on
        merge = on.pick(("first", "unique", "hash", "deep", "{strategy: deep, knockout_prefix: '--'}",
                         "{strategy: deep, merge_hash_arrays: true}", "{strategy: deep, sort_merged_arrays: true}"))  # fmt: skip
        key = on.pick((self.key(), "'^c_.*::p$'", "k1", "'^k'"))
        more = on.pick(
            (
                "",
                "",
                ", convert_to: String",
                ", convert_to: [Array, true]",
                ", convert_to: Sensitive",
            )
        )
        return f"{{ {key!s}: {{ merge: {merge}{more} }} }}"


def program_of(data: bytes) -> Program:
    """The program that a string of bytes stands for."""
    return Programs(Choices(data)).program()
