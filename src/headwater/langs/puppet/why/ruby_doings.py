"""What a function written in Ruby could do beside giving a value, found without running it.

Ruby reaches the compiler through few doors: the scope, the catalog, and other functions that it
calls by name.  A text that opens none of them does nothing; one that calls functions does what
those do; and one that opens a door, does so by a name that it computes, or holds what is refused,
may do anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.flow import children
from headwater.text.named import NamedTuple

_READING = frozenset(
    ["lookupvar", "[]", "resource", "findresource", "environment", "include?", "has_key?",
     "to_hash", "nil?", "resources", "call_function", "source"]
)  # fmt: skip
"""What may be asked of the scope, the compiler or the catalog without changing them."""

_DOORS = frozenset(
    ["scope", "closure_scope", "catalog", "compiler", "known_resource_types", "parser"]
)
_SENDING = frozenset(["send", "__send__", "public_send"])
_ANYTHING = frozenset(
    ["eval", "instance_eval", "instance_exec", "class_eval", "class_exec", "module_eval", "method",
     "public_method", "instance_method", "define_method", "setvar", "tag", "add_resource",
     "add_class", "add_edge", "evaluate_classes", "realize", "instance_variable_get",
     "instance_variable_set", "const_get", "binding", "method_missing"]
)  # fmt: skip
_AS_A_TYPE = frozenset(["capitalize", "downcase", "to_s"])
"""Methods that leave a text the name of the same type."""


class Called(NamedTuple):
    """A function that is called by name; `old`: as ``function_x``, by the older API.

    Of its arguments, texts are known, and which are parameters of the calling function.
    """

    name: str
    old: bool
    arguments: tuple[str | int | None, ...]


class Doings(NamedTuple):
    """The functions that a text calls, and the files that it requires (`beside`: from its own)."""

    calls: list[Called]
    required: list[tuple[str, bool]]


def doings_of(tree: s.Program) -> Doings | None:
    """What a text may do; None if it may do anything."""
    nodes = list(_nodes(tree.body))
    harmless = _only_read(nodes)
    parameters = _parameters(nodes)
    names = {p.name for n in nodes if isinstance(n, s.Block) for p in n.parameters}
    names |= {p.name for n in nodes if isinstance(n, s.Definition) for p in n.parameters}
    found = Doings([], [])
    for node in nodes:
        if isinstance(node, s.Refused):
            return None  # nobody knows what stands in it
        if isinstance(node, s.Local) and node.name in _DOORS and id(node) not in harmless:
            return None
        if not isinstance(node, s.Call):
            continue
        name, arguments = _sent(node)
        if name in _DOORS and id(node) not in harmless and name not in names:
            return None
        if name == "call_function" or name.startswith("function_"):
            called = _called(name, arguments, parameters)
            if called is None:
                return None
            found.calls.append(called)
        elif name in ("require", "require_relative") and node.receiver is None:
            if not (arguments and isinstance(arguments[0], s.Str)):
                return None
            found.required.append((arguments[0].value, name == "require_relative"))
        elif name in _ANYTHING or name in _SENDING or _loads(node):
            return None
    return found


def _sent(node: s.Call) -> tuple[str, list[Any]]:
    """The method that is called and what it is given; ``send(:m, a)`` calls m."""
    arguments = list(node.arguments)
    if node.name in _SENDING and arguments and isinstance(arguments[0], s.Str | s.Symbol):
        return _text(arguments[0]), arguments[1:]
    return node.name, arguments


def _called(name: str, arguments: list[Any], parameters: dict[str, int]) -> Called | None:
    """The function that is called; None if its name is computed."""
    old = name != "call_function"
    if old:
        name = name.removeprefix("function_")
        given = arguments[0].items if arguments and isinstance(arguments[0], s.Array) else [None]
    else:
        if not arguments or not isinstance(arguments[0], s.Str | s.Symbol):
            return None
        name, given = _text(arguments[0]), arguments[1:]
    if any(isinstance(one, s.Splat) for one in given):
        given = [None]
    return Called(name.lower(), old, tuple(_argument(one, parameters) for one in given))


def _argument(node: s.Node | None, parameters: dict[str, int]) -> str | int | None:
    while isinstance(node, s.Call) and node.name in _AS_A_TYPE and node.receiver is not None:
        node = node.receiver
    match node:
        case s.Str() | s.Symbol():
            return _text(node)
        case s.Local(name=name):
            return parameters.get(name)
    return None


def _text(node: s.Str | s.Symbol) -> str:
    return node.value if isinstance(node, s.Str) else node.name


def _parameters(nodes: list[Any]) -> dict[str, int]:
    """The locals of an older function that are its arguments: ``type, title = arguments``."""
    every = [n.block for n in nodes if isinstance(n, s.Call) and n.name == "newfunction"]
    blocks = [block for block in every if isinstance(block, s.Block)]
    if len(blocks) != 1 or [p.kind for p in blocks[0].parameters] != ["required"]:
        return {}
    given, found = blocks[0].parameters[0].name, dict[str, int]()
    changed = [n for n in nodes if isinstance(n, s.Assign | s.OperatorAssign)]
    for node in changed:
        match node:
            case s.Assign(target=s.Targets(items=items), value=s.Local(name=name)) if name == given:
                for index, item in enumerate(items):
                    if not isinstance(item, s.Local):
                        break
                    found[item.name] = index
    assigned = [n.name for node in changed for n in _nodes(node.target) if isinstance(n, s.Local)]
    return {name: at for name, at in found.items() if assigned.count(name) == 1}


def _only_read(nodes: list[Any]) -> set[int]:
    """The doors that are only looked through: ``scope.catalog.resource(…)``."""
    found: set[int] = set()
    for node in nodes:
        match node:
            case s.Call() if _is_reading(_sent(node)[0]):
                at: Any = node.receiver
                while isinstance(at, s.Call | s.Local) and at.name in _DOORS:
                    found.add(id(at))
                    at = at.receiver if isinstance(at, s.Call) else None
            case s.Assign(target=s.Local() as target):  # scope = self
                found.add(id(target))
            case s.Definition(name="call", body=body):  # hands on what Puppet calls it with
                for inner in _nodes(body):
                    match inner:
                        case s.Call(name="dispatch", arguments=handed) | s.Array(items=handed):
                            found.update(map(id, handed))
    return found


def _is_reading(name: str) -> bool:
    return name in _READING or name.startswith("function_")


def _loads(node: s.Call) -> bool:
    """Whether a file is loaded by a method of Ruby's, or a class declared by Puppet's."""
    if node.name == "load":
        return node.receiver is None
    texts = any(isinstance(arg, s.Str | s.Array) for arg in node.arguments)
    return node.name == "include" and texts


def _nodes(node: s.Node) -> Iterator[s.Node]:
    """A node and all in it, in order."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        todo += reversed(children(one))
