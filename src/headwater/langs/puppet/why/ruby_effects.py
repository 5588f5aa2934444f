"""What a function written in Ruby could do beside giving a value, found without running it.

Ruby reaches the compiler through few doors: the scope, the catalog, and other functions that it
calls by name.  A text that opens none of them does nothing; one that calls ``create_resources``
with the name of a type adds resources of it.  Anything else may do everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.ruby import syntax as s

_READING = frozenset(
    ["lookupvar", "[]", "resource", "findresource", "environment", "function_defined_with_params",
     "include?", "has_key?", "to_hash", "nil?", "resources"]
)  # fmt: skip
"""What may be asked of the scope, the compiler or the catalog without changing them."""

_DOORS = frozenset(
    ["scope", "closure_scope", "catalog", "compiler", "known_resource_types", "parser"]
)
_ANYTHING = frozenset(
    ["send", "__send__", "public_send", "eval", "instance_eval", "instance_exec", "class_eval",
     "class_exec", "module_eval", "method", "public_method", "instance_method", "define_method",
     "setvar", "tag", "add_resource", "add_class", "add_edge", "evaluate_classes", "realize",
     "instance_variable_get", "instance_variable_set", "const_get", "binding", "method_missing"]
)  # fmt: skip
_PURE = frozenset(
    ["merge", "deep_merge", "is_a", "downcase", "upcase", "split", "join", "flatten", "empty",
     "lookup", "defined", "pick", "dig", "getvar", "stdlib::deferrable_epp", "type_of", "warning",
     "notice", "debug", "info", "err", "deprecation", "stdlib::deprecation", "fail"]
)  # fmt: skip
"""Functions that only give a value."""


def declared_types(tree: s.Program) -> set[str] | None:
    """The types of which a text may declare resources; None if it may do anything."""
    found: set[str] = set()
    nodes = list(_nodes(tree.body))
    harmless = _only_read(nodes)
    names = {p.name for n in nodes if isinstance(n, s.Block) for p in n.parameters}
    names |= {p.name for n in nodes if isinstance(n, s.Definition) for p in n.parameters}
    for node in nodes:
        if isinstance(node, s.Local) and node.name in _DOORS and id(node) not in harmless:
            return None
        if not isinstance(node, s.Call):
            continue
        if node.name in _DOORS and id(node) not in harmless and node.name not in names:
            return None
        if node.name == "call_function" or node.name.startswith("function_"):
            types = _called(node)
            if types is None:
                return None
            found |= types
        elif node.name in _ANYTHING or (node.name == "include" and _is_text(node)):
            return None
    return found


def _called(node: s.Call) -> set[str] | None:
    """The types that a function called by name declares."""
    name, arguments = node.name.removeprefix("function_"), list(node.arguments)
    if node.name == "call_function":
        first = arguments.pop(0) if arguments else None
        if not isinstance(first, s.Str | s.Symbol):
            return None
        name = first.value if isinstance(first, s.Str) else first.name
    elif arguments and isinstance(arguments[0], s.Array):
        arguments = arguments[0].items
    if name in _PURE:
        return set()
    kind = arguments[0] if arguments else None
    if name != "create_resources" or not isinstance(kind, s.Str):
        return None
    return {kind.value.lstrip("@").removeprefix("::").lower()}


def _only_read(nodes: list[Any]) -> set[int]:
    """The doors that are only looked through: ``scope.catalog.resource(…)``."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, s.Call) and node.name in _READING:
            at: Any = node.receiver
            while isinstance(at, s.Call | s.Local) and at.name in _DOORS:
                found.add(id(at))
                at = at.receiver if isinstance(at, s.Call) else None
    return found


def _is_text(node: s.Call) -> bool:
    return any(isinstance(arg, s.Str | s.Array) for arg in node.arguments)


def _nodes(node: Any) -> Iterator[Any]:  # noqa: ANN401
    todo = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, s.Node):
            yield one
            todo.extend(getattr(one, name) for name in reversed(one.__struct_fields__))
        elif isinstance(one, list):
            todo.extend(reversed(one))
