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
                    "last", "sort", "map", "collect", "each", "length", "size",
                    "empty?"])  # fmt: skip
_TEXTS = frozenset(["gsub", "sub", "split", "upcase", "downcase", "capitalize", "strip", "=~",
                    "match", "start_with?", "end_with?", "chomp", "lines", "tr", "to_sym", "!~",
                    "each_line", "rstrip", "lstrip"])  # fmt: skip
_COMPARING = frozenset([">", "<", ">=", "<="])
_KINDS = {"Array": "list", "Hash": "hash", "String": "text", "Integer": "number",
          "Numeric": "number", "TrueClass": "flag", "FalseClass": "flag"}  # fmt: skip
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
    classes: set[str] = field(default_factory=set)
    """What it is asked to be."""
    inner: Shape | None = None
    pairs: bool = False
    tested: bool = False
    """Whether it is asked if it is there."""

    @property
    def element(self) -> Shape:
        if self.inner is None:
            self.inner = Shape()
        return self.inner


_RENDERED = re.compile(r"(?:function_template\(|call_function\(.template.,)\s*\[?['\"]([^'\"]+)")
"""The names of templates that a template renders."""


@dataclass
class Template:
    """A template of a module, and the variables that it reads."""

    path: Path
    variables: dict[str, Shape]
    conditions: frozenset[int]
    """Where it has an ``if``."""

    @property
    def name(self) -> str:
        """What ``template()`` is given."""
        module, folder, *rest = self.path.relative_to(MODULES).parts
        named = folder == "templates" and "-" not in module
        return "/".join([module, *rest]) if named else str(self.path)

    def whole(self) -> Template:
        """The template with the variables of those that it renders."""
        variables = dict(self.variables)
        for name in _RENDERED.findall(self.path.read_text("utf-8", "replace")):
            module, _, rest = name.partition("/")
            inner = MODULES / module / "templates" / rest
            if inner.exists() and inner != self.path:
                variables = {**template_of(inner).whole().variables, **variables}
        return Template(self.path, variables, self.conditions)


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
            case s.Array(items=[one]):
                return self.shape(one)  # [@a].flatten.each
            case s.If(condition=condition):
                self._test(condition)
                self.shape(node.then)
                return self.shape(node.otherwise)
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

    def _test(self, node: object) -> None:
        """A condition: what stands alone in it is there or not."""
        match node:
            case s.And(left=left, right=right) | s.Or(left=left, right=right):
                self._test(left)
                self._test(right)
            case s.Not(value=inner) | s.Sequence(items=[inner]):
                self._test(inner)
            case _:
                self.shape(node).tested = True

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
            elif node.name in ("is_a?", "kind_of?", "instance_of?"):
                of.classes |= {first.name} if isinstance(first, s.Constant) else set()
            elif node.name in _COMPARING:
                of.constants += [near for one in key for near in _near(one)]
            elif node.name in ("==", "!=", "include?", "eql?", "===", "start_with?", "end_with?"):
                of.constants += key
            elif isinstance(first, s.Regex):
                of.constants += _words(first)
            elif isinstance(first, s.Array) and node.name.endswith("versioncmp"):
                self._versions(first.items)
            elif node.name == "call_function" and isinstance(node.arguments[-1], s.Array):
                self._versions(node.arguments[-1].items)
        if node.name == "nil?":
            of.tested = True
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

    def _versions(self, items: list[Any]) -> None:
        """What is compared with a version is an older one, that one or a newer one."""
        found = [one for item in items for one in _constant(item)]
        for item in items:
            self.shape(item).constants += [near for one in found for near in _near(one)]


def _near(constant: object) -> list[Any]:
    """What comes before and after a constant."""
    if isinstance(constant, int):
        return [constant - 1, constant, constant + 1]
    return ["0.1", constant, "99.9"]


def _words(pattern: s.Regex) -> list[Any]:
    """Texts that a regular expression may match: the words in it."""
    text = "".join(part.value for part in pattern.parts if isinstance(part, s.Str))
    return list(re.findall(r"\w{2,}", re.sub(r"\\\w", " ", text)))


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
    """Every template of the installed modules; those of their tests too."""
    return [template_of(path) for path in sorted(MODULES.glob("*/**/*.erb"))]


def template_of(path: Path) -> Template:
    """One of them."""
    tree = read_template(path.read_text("utf-8", "replace"))
    reading = Reading()
    reading.shape(tree.body)
    return Template(path, reading.variables, frozenset(_conditions(tree)))


def _conditions(node: object) -> Iterator[int]:
    """Where the conditions are that can go both ways."""
    if isinstance(node, s.If) and not isinstance(node.condition, s.Bool | s.Nil):
        yield node.at
    for part in children(node):
        yield from _conditions(part)


# -- values --------------------------------------------------------------------------------------


def value(random: Random, shape: Shape, wild: float, depth: int = 0, keep: float = 0.7) -> object:
    """A value that fits what is done with it, but for the `wild` share; `keep` of its keys."""
    careful = keep == 1.0
    if random.random() < wild or depth > (8 if careful else 3):
        return random.choice([None, True, False, *WORDS, 0, 7, [], {}])
    if shape.tested and random.random() < 0.3:
        return None
    if shape.constants and random.random() < 0.5:
        return random.choice(shape.constants)
    if careful and shape.constants:
        return random.choice(shape.constants)
    kinds: list[str] = []
    is_hash = shape.keys or shape.pairs or shape.methods & _HASHES
    if is_hash:
        kinds += ["hash"] * 4
    if shape.methods & _LISTS and not shape.pairs and not shape.keys:
        kinds += ["list"] * 3
    if shape.inner is not None and not shape.pairs:
        kinds += ["list"] * 2
    if shape.methods & _TEXTS:
        kinds += ["text"] * 3
    if shape.methods & _NUMBERS:
        kinds += ["number"]
    kinds += [_KINDS[name] for name in sorted(shape.classes & set(_KINDS)) for _ in range(3)]
    kind = random.choice(kinds or ["flag", "text", "text", "nothing", "number"])
    if careful and is_hash:
        kind = "hash"
    elif careful and "list" in kinds:
        kind = "list"
    match kind:
        case "hash":
            names = [name for name in shape.keys if random.random() < keep]
            names += random.sample(["k1", "key two", "k3"], random.randrange(3))
            keys = shape.keys
            return {
                n: value(random, keys.get(n, shape.element), wild, depth + 1, keep) for n in names
            }
        case "list":
            inner = shape.element
            count = range(random.randrange(4))
            return [value(random, inner, wild, depth + 1, keep) for _ in count]
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


def manifest(template: Template, random: Random, wild: float, keep: float = 0.7) -> str:
    """A manifest that renders a template with variables drawn for it."""
    own: list[str] = []
    others: dict[str, list[str]] = {}
    for name, shape in template.variables.items():
        owner, _, leaf = name.rpartition("::")
        if leaf in _RESERVED or not _NAME.match(leaf) or random.random() < wild:
            continue
        line = f"${leaf} = {literal(value(random, shape, wild, keep=keep))}"
        if not owner:
            own.append(line)
        elif all(_NAME.match(part) for part in owner.split("::")) and owner != "settings":
            others.setdefault(owner, []).append(line)
    classes = [f"class {name} {{ {' '.join(lines)} }} include {name}"
               for name, lines in others.items()]  # fmt: skip
    rendered = f"notify {{ 'rendered': message => template('{template.name}') }}"
    return "\n".join([*classes, f"class rendering {{ {' '.join(own)}", rendered, "}",
                      "include rendering"])  # fmt: skip
