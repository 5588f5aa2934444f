"""Templates of installed modules with variables invented for them, for us and for real Puppet.

What a template does with a variable says what it may be: `Shape` collects the keys, elements and
constants that it is used with, and values are drawn from that, now and then from something else.
The variables stand in a class of the main manifest, which renders the template; variables of
other classes stand in classes of their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.erb import read_template
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from peers.debian import MODULES

_NAME = re.compile(r"[a-z_]\w*\Z", re.ASCII)
_RESERVED = frozenset(["facts", "trusted", "server_facts", "title", "name", "module_name",
                       "caller_module_name", "environment", "__file__"])  # fmt: skip
_SAME = frozenset(["sort", "uniq", "compact", "flatten", "to_a", "reject", "select", "reverse",
                   "sort_by", "dup", "clone", "find_all", "strip", "to_s", "chomp", "first",
                   "last", "sample", "min", "max", "delete_if", "tap", "freeze"])  # fmt: skip
_OVER = frozenset(["each", "map", "collect", "each_with_index", "select", "reject", "sort_by",
                   "each_slice", "inject", "any?", "all?", "find", "detect", "flat_map",
                   "each_with_object", "group_by", "partition", "reverse_each"])  # fmt: skip
_LISTS = frozenset(["join", "each_with_index", "flatten", "push", "<<", "concat", "compact", "uniq",
                    "last", "sort", "map", "collect", "each"])  # fmt: skip
_TEXTS = frozenset(["gsub", "sub", "split", "upcase", "downcase", "capitalize", "strip", "=~",
                    "match", "start_with?", "end_with?", "chomp", "lines", "tr", "to_sym", "!~",
                    "each_line", "rstrip", "lstrip"])  # fmt: skip
_NUMBERS = frozenset(["+", "-", "*", "/", ">", "<", ">=", "<=", "to_i", "to_f", "times", "%"])
_HASHES = frozenset(["each_pair", "keys", "values", "has_key?", "key?", "fetch", "merge",
                     "each_key", "each_value", "dig", "delete"])  # fmt: skip
WORDS = ("alpha", "beta gamma", "10", "3.5", "/etc/x", "a=b", "", "true", "10.0.0.1", "UPPER")


@dataclass
class Shape:
    """What a template does with a value."""

    methods: set[str] = field(default_factory=set)
    keys: dict[str, Shape] = field(default_factory=dict)
    constants: list[Any] = field(default_factory=list)
    inner: Shape | None = None
    pairs: bool = False

    @property
    def element(self) -> Shape:
        if self.inner is None:
            self.inner = Shape()
        return self.inner


@dataclass
class Template:
    """A template of a module, and the variables that it reads."""

    path: Path
    variables: dict[str, Shape]

    @property
    def name(self) -> str:
        module, _, *rest = self.path.relative_to(MODULES).parts
        return "/".join([module, *rest])


class Reading:
    """One walk over a template."""

    def __init__(self) -> None:
        self.variables: dict[str, Shape] = {}
        self._locals: dict[str, Shape] = {}

    def variable(self, name: str) -> Shape:
        return self.variables.setdefault(name.removeprefix("::"), Shape())

    def shape(self, node: object) -> Shape:
        """What is known of the value of an expression; the walk goes through all of it."""
        match node:
            case s.Instance(name=name):
                return self.variable(name)
            case s.Local(name=name):
                return self._locals.setdefault(name, Shape())
            case s.Sequence(items=[*_, last]):
                for item in node.items[:-1]:
                    self.shape(item)
                return self.shape(last)
            case s.Assign(target=s.Local(name=name), value=value):
                found = self._locals[name] = self.shape(value)
                return found
            case s.Call(
                receiver=s.Call(receiver=None, name="scope"),
                name="lookupvar" | "[]" | "include?" | "exist?",
                arguments=[s.Str(value=name), *_],
            ):
                return self.variable(name)
            case s.Call(receiver=None, name="has_variable?", arguments=[s.Str(value=name)]):
                return self.variable(name)
            case s.Call():
                return self._call(node)
            case s.Case(subject=subject, whens=whens, otherwise=otherwise):
                of = Shape() if subject is None else self.shape(subject)
                for when in whens:
                    for pattern in when.patterns:
                        self.shape(pattern)
                        of.constants += _constant(pattern)
                    self.shape(when.body)
                return self.shape(otherwise)
            case s.Node():
                for part in children(node):
                    self.shape(part)
        return Shape()

    def _call(self, node: s.Call) -> Shape:
        of = Shape() if node.receiver is None else self.shape(node.receiver)
        of.methods.add(node.name)
        result = of if node.name in _SAME else Shape()
        if node.arguments:
            first = node.arguments[0]
            key = _constant(first)
            if node.name in ("[]", "fetch", "has_key?", "key?") and key:
                if isinstance(key[0], str):
                    result = of.keys.setdefault(key[0], Shape())
                else:
                    result = of.element
            elif node.name in ("==", "!=", "include?", "eql?", "===", "=~"):
                of.constants += key
        for argument in node.arguments:
            self.shape(argument)
        if node.receiver is None and node.name in ("Array", "String", "Integer"):
            result = self.shape(node.arguments[0]) if node.arguments else result
        block = node.block
        if isinstance(block, s.Block):
            names = [one.name for one in block.parameters]
            if node.name in _OVER:
                indexed = node.name in ("each_with_index", "inject", "each_with_object")
                if len(names) > 1 and not indexed:
                    of.pairs = True
                    self._locals[names[0]] = Shape()
                    self._locals[names[1]] = of.element
                elif names:
                    self._locals[names[0]] = of.element
            self.shape(block.body)
        elif block is not None:
            self.shape(block)
        return result


def _constant(node: object) -> list[Any]:
    match node:
        case s.Str(value=value):
            return [value]
        case s.Integer(text=text) if text.isdigit():
            return [int(text)]
        case s.Bool(value=value):
            return [value]
        case s.Sequence(items=[one]):
            return _constant(one)
    return []


def children(node: Any) -> Iterator[Any]:  # noqa: ANN401
    """The nodes right below a node."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, s.Node):
                yield item


def templates() -> list[Template]:
    """The templates of the installed modules that are Ruby we read."""
    found: list[Template] = []
    for path in sorted(MODULES.glob("*/templates/**/*.erb")):
        reading = Reading()
        try:
            reading.shape(read_template(path.read_text("utf-8", "replace")).body)
        except (Unreadable, Beyond):
            continue
        found.append(Template(path, reading.variables))
    return found


# -- values --------------------------------------------------------------------------------------


def value(random: Random, shape: Shape, depth: int = 0) -> object:
    """A value that fits what is done with it, most of the time."""
    if random.random() < 0.12 or depth > 3:
        return random.choice([None, True, False, *WORDS, 0, 7, [], {}])
    if shape.constants and random.random() < 0.5:
        return random.choice(shape.constants)
    kinds: list[str] = []
    if shape.keys or shape.pairs or shape.methods & _HASHES:
        kinds += ["hash"] * 4
    if shape.methods & _LISTS and not shape.pairs and not shape.keys:
        kinds += ["list"] * 3
    if shape.inner is not None and not shape.pairs:
        kinds += ["list"] * 2
    if shape.methods & _TEXTS:
        kinds += ["text"] * 3
    if shape.methods & _NUMBERS:
        kinds += ["number"]
    kind = random.choice(kinds or ["flag", "text", "text", "nothing", "number"])
    match kind:
        case "hash":
            names = [name for name in shape.keys if random.random() < 0.7]
            names += random.sample(["k1", "key two", "k3"], random.randrange(3))
            keys = shape.keys
            return {n: value(random, keys.get(n, shape.element), depth + 1) for n in names}
        case "list":
            inner = shape.element
            return [value(random, inner, depth + 1) for _ in range(random.randrange(4))]
        case "text":
            return random.choice(WORDS)
        case "number":
            return random.choice([0, 1, 42, -3])
        case "flag":
            return random.choice([True, False])
    return None


def literal(given: object) -> str:
    """A value as it is written in Puppet."""
    match given:
        case None:
            return "undef"
        case bool():
            return str(given).lower()
        case str():
            escaped = given.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case list():
            return f"[{', '.join(map(literal, given))}]"
        case dict():
            pairs = ", ".join(f"{literal(k)} => {literal(v)}" for k, v in given.items())
            return f"{{{pairs}}}"
    return json.dumps(given)


def manifest(template: Template, random: Random) -> str:
    """A manifest that renders a template with variables drawn for it."""
    own: list[str] = []
    others: dict[str, list[str]] = {}
    for name, shape in template.variables.items():
        owner, _, leaf = name.rpartition("::")
        if leaf in _RESERVED or not _NAME.match(leaf) or random.random() < 0.1:
            continue
        line = f"${leaf} = {literal(value(random, shape))}"
        if not owner:
            own.append(line)
        elif all(_NAME.match(part) for part in owner.split("::")) and owner != "settings":
            others.setdefault(owner, []).append(line)
    classes = [f"class {name} {{ {' '.join(lines)} }} include {name}"
               for name, lines in others.items()]  # fmt: skip
    rendered = f"notify {{ 'rendered': message => template('{template.name}') }}"
    return "\n".join([*classes, f"class rendering {{ {' '.join(own)}", rendered, "}",
                      "include rendering"])  # fmt: skip
