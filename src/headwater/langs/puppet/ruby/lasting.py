"""Functions that outlast a compilation: their files do nothing but say what they are.

Every compilation begins without any function, so that none sees what another has done.  Of a file
that only defines a function, running it again would give the same again.  So a machine keeps what
such a file has defined, with what that took, and takes it away if a program has changed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.flow import children
from headwater.langs.puppet.ruby.functions import OldFunction, functions_of
from headwater.langs.puppet.ruby.machine import MOST_PROGRAMS, Machine
from headwater.langs.puppet.ruby.values import Class, RubyMethod, RubyValue
from headwater.text.named import NamedTuple

_PATHS: Final = frozenset(["Puppet", "Functions", "InternalFunction", "Parser"])
"""The constants by which files of functions name what they call."""

_WORDS: Final = frozenset(["dispatch", "argument_mismatch", "local_types"])
_INSTANCE: Final = "instance"
_OWN: Final = frozenset(["dispatcher", "local", _INSTANCE])
"""What a function's class holds by itself."""


class Definition(NamedTuple):
    """What a file does that only defines a function: what it requires first, and then the name."""

    required: tuple[str, ...]
    name: str
    old: bool
    """Whether it is of the older API."""


class Lasting(NamedTuple):
    """A function that a file has defined, and what running the file gave."""

    tree: s.Program
    definition: Definition
    function: Class | OldFunction
    methods: dict[str, RubyMethod | None]
    """Those that its class had, and in how many ways it could be called."""
    ways: int
    result: RubyValue
    steps: int


def keep(machine: Machine, path: str, tree: s.Program, result: RubyValue, steps: int) -> None:
    """Keeps what a file has defined, if it does nothing else."""
    found = None if machine.hides or not _usual(machine) else definition_in(tree)
    if found is None:
        return
    functions = functions_of(machine)
    table: dict[str, Any] = functions.old if found.old else functions.new
    function = table.get(found.name)
    if function is None or (function is not result and not found.old):
        return
    if len(machine.lasting) >= MOST_PROGRAMS:
        machine.lasting.clear()
    methods = {} if found.old else dict(function.methods)
    ways = 0 if found.old else len(function.ivars["dispatcher"].dispatches)
    machine.lasting[path] = Lasting(tree, found, function, methods, ways, result, steps)


def kept(machine: Machine, path: str, tree: s.Program) -> Lasting | None:
    """What a file would define again; None if it has to be run to tell."""
    found: Lasting | None = machine.lasting.get(path)
    if found is None or machine.hides or not _usual(machine):
        return None
    if found.tree is not tree or not _as_made(found):
        del machine.lasting[path]
        return None
    return found


def bring_back(machine: Machine, found: Lasting) -> RubyValue:
    """Defines the function again."""
    machine.spend(found.steps)
    functions = functions_of(machine)
    if isinstance(found.function, OldFunction):
        functions.old[found.definition.name] = found.function
    else:
        found.function.ivars.pop(_INSTANCE, None)
        functions.new[found.definition.name] = found.function
    return found.result


def _usual(machine: Machine) -> bool:
    """Whether the constants mean what they always do."""
    return all(_PATHS.isdisjoint(table) for table in machine.constants.values())


def _as_made(found: Lasting) -> bool:
    """Whether no program has changed the class of a function."""
    made = found.function
    if isinstance(made, OldFunction):
        return True
    access = made.access
    return (
        made.methods == found.methods
        and not (made.own or made.constants or made.variables)
        and not (made.included or made.extended or made.prepended)
        and not (access.hidden or access.own or access.constants)
        and access.visibility == "public"
        and _OWN.issuperset(made.ivars)
        and not made.ivars["local"]
        and len(made.ivars["dispatcher"].dispatches) == found.ways
    )


def definition_in(tree: s.Program) -> Definition | None:
    """What a file defines that does nothing else, and the same whenever it is run."""
    found = None if tree.names else _defined(tree.body)
    if found is not None and found.old and any(map(_remembers, _nodes(tree.body))):
        return None
    return found


def _nodes(node: s.Node) -> Iterator[s.Node]:
    todo = [node]
    while todo:
        at = todo.pop()
        yield at
        todo += children(at)


def _remembers(node: s.Node) -> bool:
    """Whether a block of the older API may find what an earlier call has left: ``$~`` is the
    file's."""
    asks = isinstance(node, s.Call) and node.name in ("last_match", "binding")
    return asks or isinstance(node, s.Global | s.ClassVariable)


def _defined(body: s.Expr) -> Definition | None:
    *first, last = _statements(body) or [body]
    required = [name for name in map(_requires, first) if name is not None]
    if len(required) < len(first):
        return None
    if isinstance(last, s.ModuleBody):
        inside = None if last.names or not _named(last.path) else _defined(last.body)
        return inside if inside is not None and inside.old and not inside.required else None
    if not isinstance(last, s.Call) or not isinstance(last.block, s.Block) or not last.arguments:
        return None
    old, name = last.name == "newfunction", last.arguments[0]
    known = last.receiver is None if old else last.name == "create_function"
    receiver = last.receiver is None or _named(last.receiver)
    if not (known or old) or not receiver or not all(map(_fixed, last.arguments)):
        return None
    if not old and (last.block.parameters or last.block.names or not _only_says(last.block.body)):
        return None
    if isinstance(name, s.Symbol):
        return Definition(tuple(required), name.name, old)
    return Definition(tuple(required), name.value, old) if isinstance(name, s.Str) else None


def _statements(body: s.Expr) -> list[s.Expr]:
    return list(body.items) if isinstance(body, s.Sequence) else [body]


def _requires(node: s.Expr) -> str | None:
    match node:
        case s.Call(
            receiver=None, name="require", arguments=[s.Str(value=name)], block=None
        ):
            return name
    return None


def _named(node: s.Expr) -> bool:
    """``Puppet::Functions`` and the like."""
    return isinstance(node, s.Constant) and node.name in _PATHS and (
        node.scope is None or _named(node.scope)
    )


def _fixed(node: s.Expr) -> bool:
    """Whether an argument is the same whenever it is evaluated."""
    if isinstance(node, s.Hash):
        return all(
            pair.key is not None and _fixed(pair.key) and _fixed(pair.value) for pair in node.pairs
        )
    return isinstance(node, s.Symbol | s.Str | s.Integer) or _named(node)


def _only_says(body: s.Expr) -> bool:
    """Whether the block of a function has nothing but methods, and how it may be called."""
    return all(
        (isinstance(one, s.Definition) and one.singleton is None)
        or (_word(one) and getattr(one, "name", "") in _WORDS and _words(getattr(one, "block", None)))
        for one in _statements(body)
    )


def _word(node: s.Expr) -> bool:
    return isinstance(node, s.Call) and node.receiver is None and all(map(_fixed, node.arguments))


def _words(block: s.Block | s.BlockPass | None) -> bool:
    if not isinstance(block, s.Block) or block.parameters or block.names:
        return False
    return all(_word(one) and getattr(one, "block", 1) is None for one in _statements(block.body))
