"""Templates of installed modules, and what each does with the variables that it reads.

What a template does with a variable says what it may be: a `Shape` collects the keys, elements,
classes and constants that it is used with.  `peers.template_values` draws values from that.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.erb import read_template
from peers.debian import MODULES
from peers.template_regexps import matching

SAME = frozenset(["sort", "uniq", "compact", "flatten", "to_a", "reject", "select", "reverse",
                  "sort_by", "dup", "clone", "find_all", "strip", "to_s", "chomp", "first",
                  "last", "sample", "min", "max", "delete_if", "tap", "freeze", "downcase",
                  "upcase", "capitalize", "to_i", "to_f", "to_sym"])  # fmt: skip
OVER = frozenset(["each", "map", "collect", "each_with_index", "select", "reject", "sort_by",
                  "each_slice", "inject", "any?", "all?", "find", "detect", "flat_map",
                  "each_with_object", "group_by", "partition", "reverse_each", "each_pair",
                  "sort", "find_all", "delete_if", "each_key", "each_value"])  # fmt: skip
_NAME = re.compile(r"[a-z_]\w*\Z", re.ASCII)
_COMPARING = frozenset([">", "<", ">=", "<="])
_EQUAL = frozenset(["==", "!=", "include?", "eql?", "===", "start_with?", "end_with?", "index"])
_MATCHING = frozenset(["=~", "!~", "match", "match?", "scan", "===", "gsub", "sub"])
_KEYED = frozenset(["[]", "fetch", "has_key?", "key?", "include?", "delete", "dig"])
_RENDERED = re.compile(r"(?:function_template\(|call_function\(.template.,)\s*\[?['\"]([^'\"]+)")
"""The names of templates that a template renders."""


@dataclass
class Shape:
    """What a template does with a value."""

    methods: set[str] = field(default_factory=set)
    keys: dict[str, Shape] = field(default_factory=dict)
    """By name; that of a symbol begins with a colon."""
    constants: list[Any] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    """What it is asked to be."""
    inner: Shape | None = None
    named: Shape | None = None
    """What is done with the keys of a hash."""
    pairs: bool = False
    tested: bool = False
    """Whether it is asked if it is there."""

    @property
    def element(self) -> Shape:
        if self.inner is None:
            self.inner = Shape()
        return self.inner

    @property
    def name(self) -> Shape:
        if self.named is None:
            self.named = Shape()
        return self.named

    def parts(self) -> list[Shape]:
        """What is known of what lies in it."""
        return [*self.keys.values(), *(one for one in (self.inner, self.named) if one is not None)]

    def join(self, other: Shape) -> None:
        """Two values that one variable may be: what is done with one is done with the other."""
        other.methods |= self.methods
        other.keys |= self.keys
        other.constants += self.constants
        other.classes |= self.classes
        self.methods, self.keys = other.methods, other.keys
        self.constants, self.classes = other.constants, other.classes
        self.inner = other.inner = other.inner or self.element
        self.named = other.named = other.named or self.named

    @property
    def has_symbols(self) -> bool:
        """Whether its keys are symbols, which no manifest can write."""
        return any(name.startswith(":") for name in self.keys)


Place = tuple[int, int]
"""Where a condition stands in its template."""


@dataclass
class Condition:
    """What decides about a condition: of an ``if``, or a ``when`` of ``case``."""

    about: list[Shape]
    """The values that it asks for."""
    loops: list[Shape]
    """The values that the loops around it go through."""
    inside: tuple[Place, bool] | None
    """The condition around it, and how that must go."""


@dataclass
class Template:
    """A template of a module, and the variables that it reads."""

    path: Path
    variables: dict[str, Shape]
    conditions: dict[Place, Condition]
    own: set[str]
    """The variables of the scope that it sets itself."""

    @property
    def module(self) -> str:
        """The module that it belongs to; the folder may have its author's name before it."""
        return self.path.relative_to(MODULES).parts[0].rpartition("-")[2]

    @property
    def is_linked(self) -> bool:
        """Whether the module is found only by a link of another name."""
        return not (MODULES / self.module).exists()

    @property
    def name(self) -> str:
        """What ``template()`` is given."""
        _, folder, *rest = self.path.relative_to(MODULES).parts
        return "/".join([self.module, *rest]) if folder == "templates" else str(self.path)

    def whole(self) -> Template:
        """The template with the variables of those that it renders."""
        variables = dict(self.variables)
        for name in _RENDERED.findall(self.path.read_text("utf-8", "replace")):
            module, _, rest = name.partition("/")
            inner = MODULES / module / "templates" / rest
            if inner.exists() and inner != self.path:
                variables = {**template_of(inner).whole().variables, **variables}
        for name in self.own:
            variables.pop(name, None)
        return Template(self.path, variables, self.conditions, self.own)


@functools.cache
def templates() -> list[Template]:
    """Every template of the installed modules; those of their tests too."""
    return [template_of(path) for path in sorted(MODULES.glob("*/**/*.erb"))]


def template_of(path: Path) -> Template:
    """One of them."""
    tree = read_template(path.read_text("utf-8", "replace"))
    reading = Reading()
    reading.shape(tree.body)
    if reading.asks_for_all:
        for word in sorted(filter(_NAME.match, reading.words)):
            reading.variables.setdefault(word, Shape(constants=["undef"], tested=True))
    return Template(path, reading.variables, reading.conditions, reading.own)


def children(node: s.Node) -> Iterator[s.Node]:
    """The nodes right below a node."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, s.Node):
                yield item


class Reading:
    """One walk over a template."""

    def __init__(self) -> None:
        self.variables: dict[str, Shape] = {}
        self.conditions: dict[Place, Condition] = {}
        self.asks_for_all = False
        """Whether it takes variables from a hash of all, by names that are not told apart."""
        self.words: set[str] = set()
        self.own: set[str] = set()
        """The variables of the scope that it sets itself."""
        self._locals: dict[str, Shape] = {}
        self._known: dict[str, list[Any]] = {}
        """What the template itself puts into a variable."""
        self._methods: dict[str, list[Shape]] = {}
        """What the parameters of its own methods are used for."""
        self._loops: list[Shape] = []
        self._inside: list[tuple[Place, bool]] = []
        self._touched: list[Shape] = []

    def variable(self, name: str) -> Shape:
        known = name.removeprefix("::") if "::" in name[2:] else name
        return self.variables.setdefault(known, Shape())

    def shape(self, node: object) -> Shape:
        """What is known of the value of an expression; the walk goes through all of it."""
        found = self._shape(node)
        self._touched.append(found)
        return found

    def _shape(self, node: object) -> Shape:
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
                found = self.shape(value)
                if name in self._locals and self._locals[name] is not found:
                    self._locals[name].join(found)
                self._locals[name] = found
                return found
            case s.Assign(target=s.Instance(name=name), value=s.Array() as value):
                self._known[name] = constants(value)
                return self.shape(value)
            case s.Definition(name=name):
                self._locals.update({one.name: Shape() for one in node.parameters})
                self._methods[name] = [self._locals[one.name] for one in node.parameters]
                return self.shape(node.body)
            case s.Call(receiver=s.Call(receiver=None, name="scope"), name="to_hash"):
                self.asks_for_all = True
                return Shape()
            case s.Str(value=text):
                self.words.add(text)
                return Shape()
            case s.For(target=s.Local(name=name), value=value):
                self._locals[name] = self.shape(value).element
                return self.shape(node.body)
            case s.Call(
                receiver=s.Call(receiver=None, name="scope"),
                name="lookupvar" | "[]" | "include?" | "exist?",
                arguments=[s.Str(value=name), *_],
            ):
                return self.variable(name)
            case s.Call(receiver=None, name="has_variable?", arguments=[s.Str(value=name)]):
                return self.variable(name)
            case s.Call(
                receiver=s.Call(receiver=None, name="scope"),
                name="setvar",
                arguments=[s.Str(value=name), *_],
            ):
                self.own.add(name)
                return self._call(node)
            case s.Call():
                return self._call(node)
            case s.Array(items=[one]):
                return self.shape(one)  # [@a].flatten.each
            case s.Or(left=left, right=right) | s.And(left=left, right=right):
                first, second = self.shape(left), self.shape(right)
                return first if isinstance(node, s.Or) else second
            case s.If():
                return self._if(node)
            case s.Case():
                return self._case(node)
            case s.Node():
                for part in children(node):
                    self.shape(part)
        return Shape()

    def _condition(self, place: Place, about: list[Shape]) -> None:
        inside = self._inside[-1] if self._inside else None
        self.conditions[place] = Condition(about, list(self._loops), inside)

    def _if(self, node: s.If) -> Shape:
        place = (node.condition.at, node.condition.end)
        self._touched = []
        self._test(node.condition)
        self._condition(place, list(self._touched))
        self._inside.append((place, True))
        self.shape(node.then)
        self._inside[-1] = (place, False)
        found = self.shape(node.otherwise)
        self._inside.pop()
        return found

    def _case(self, node: s.Case) -> Shape:
        self._touched = []
        of = Shape() if node.subject is None else self.shape(node.subject)
        about, depth = self._touched, len(self._inside)
        for when in node.whens:
            self._touched = []
            for pattern in when.patterns:
                if node.subject is None:
                    self._test(pattern)
                self.shape(pattern)
                of.constants += constants(pattern)
                of.classes |= {pattern.name} if isinstance(pattern, s.Constant) else set()
            place = (when.at, when.end)
            self._condition(place, [*about, *self._touched])
            self._inside.append((place, True))
            self.shape(when.body)
            self._inside[-1] = (place, False)
        found = self.shape(node.otherwise)
        del self._inside[depth:]
        return found

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
        result = of if node.name in SAME else Shape()
        if node.name in ("keys", "values") and not node.arguments:
            result = Shape(inner=of.name if node.name == "keys" else of.element)
        given = [self.shape(argument) for argument in node.arguments]
        if node.receiver is None:
            for wanted, shape in zip(self._methods.get(node.name, []), given, strict=False):
                shape.join(wanted)
                self._handed(wanted, shape)
        if node.arguments:
            result = self._given(node, of, node.arguments[0]) or result
        if node.name in ("nil?", "empty?"):
            of.tested = True
        if node.receiver is None and node.name in ("Array", "String", "Integer"):
            result = self.shape(node.arguments[0]) if node.arguments else result
        block = node.block
        if isinstance(block, s.Block):
            self._block(node.name, of, block)
        elif block is not None:
            self.shape(block)
        return result

    def _handed(self, wanted: Shape, given: Shape) -> None:
        """What a method of the template asks of a parameter, it asks of what it is given."""
        for condition in self.conditions.values():
            if any(one is wanted for one in condition.about):
                condition.about.append(given)
                condition.loops += self._loops

    def _given(self, node: s.Call, of: Shape, first: s.Expr) -> Shape | None:
        """What the first argument of a method says of its receiver, and of its result."""
        known = constants(first)
        result = None
        if node.name in _KEYED and known and isinstance(known[0], str):
            if node.name != "include?" or of.keys:
                result = of.keys.setdefault(known[0], Shape())
        elif node.name in ("[]", "fetch") and not isinstance(first, s.Range):
            result = of.element
        if node.name in ("is_a?", "kind_of?", "instance_of?"):
            of.classes |= {first.name} if isinstance(first, s.Constant) else set()
        elif node.name in _COMPARING:
            of.constants += [near for one in known for near in _near(one)]
            if not known and node.receiver is not None:
                self.shape(first).constants += [
                    near for one in constants(node.receiver) for near in _near(one)
                ]
        elif node.name in _EQUAL:
            of.constants += known
            if node.name == "include?" and node.receiver is not None:
                self.shape(first).constants += self._literals(node.receiver)
            if node.name == "===":
                self.shape(first).constants += constants(node.receiver)
        elif isinstance(first, s.Str) and node.name in ("match", "match?"):
            of.constants += matching(first.value)
        elif isinstance(first, s.Regex) and node.name in _MATCHING:
            of.constants += known
        elif node.name in _MATCHING and isinstance(node.receiver, s.Regex):
            self.shape(first).constants += constants(node.receiver)
        elif isinstance(first, s.Array) and node.name.endswith("versioncmp"):
            self._versions(first.items)
        elif node.name == "call_function" and len(node.arguments) > 1:
            last = node.arguments[-1]
            self._versions(last.items if isinstance(last, s.Array) else node.arguments[1:])
        return result

    def _literals(self, node: s.Expr) -> list[Any]:
        known = self._known.get(node.name, []) if isinstance(node, s.Instance) else []
        return [*known, *constants(node)]

    def _block(self, name: str, of: Shape, block: s.Block) -> None:
        names = [one.name for one in block.parameters]
        if name in OVER:
            indexed = name in ("each_with_index", "inject", "each_with_object")
            nested = block.parameters[0].nested if block.parameters else []
            if nested:
                names, indexed = [one.name for one in nested], False
            if name == "each_key":
                self._locals.update(dict.fromkeys(names, of.name))
            elif name == "sort" or len(names) == 1:
                self._locals.update(dict.fromkeys(names, of.element))
            elif len(names) > 1 and not indexed:
                of.pairs = True
                self._locals[names[0]] = of.name
                self._locals[names[1]] = of.element
            elif names:
                self._locals[names[0]] = of.element
        self._loops.append(of)
        self.shape(block.body)
        self._loops.pop()

    def _versions(self, items: list[s.Expr]) -> None:
        """What is compared with a version is an older one, that one or a newer one."""
        found = [one for item in items for one in constants(item)]
        for item in items:
            self.shape(item).constants += [near for one in found for near in _near(one)]


def _near(constant: object) -> list[Any]:
    """What comes before and after a constant."""
    if isinstance(constant, int | float):
        return [constant - 1, constant, constant + 1]
    return ["0.1", constant, "99.9"]


def constants(node: object) -> list[Any]:
    """What a value is compared with, from a literal."""
    match node:
        case s.Str(value=value):
            return [value]
        case s.Symbol(name=name):
            return [f":{name}"]
        case s.Integer(text=text) if text.isdigit():
            return [int(text)]
        case s.Float(value=number):
            return [number]
        case s.Bool(value=flag):
            return [flag]
        case s.Regex(parts=parts):
            fixed = "".join(part.value if isinstance(part, s.Str) else "x" for part in parts)
            return matching(fixed)
        case s.Array(items=items):
            return [one for item in items for one in constants(item)]
        case s.Sequence(items=[one]):
            return constants(one)
        case s.Range(low=low, high=high):
            return [near for end in (low, high) for one in constants(end) for near in _near(one)]
    return []
