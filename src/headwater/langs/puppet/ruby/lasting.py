"""Functions that outlast a compilation: their files do nothing but say what they are.

Every compilation begins without any function, so that none sees what another has done.  Of a file
that only defines a function, running it again would give the same again.  So a machine keeps what
such a file has defined, with what that took, and takes it away if a program has changed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.classes import MAIN
from headwater.langs.puppet.ruby.closed import CONSTANTS, Recipe, Shared, hangs_on_arguments
from headwater.langs.puppet.ruby.flow import children
from headwater.langs.puppet.ruby.functions import OldFunction, functions_of
from headwater.langs.puppet.ruby.machine import MOST_PROGRAMS, Machine
from headwater.langs.puppet.ruby.values import Class, RubyMethod, RubyValue
from headwater.text.named import NamedTuple

_PATHS: Final = CONSTANTS | {"Functions", "InternalFunction", "Parser"}
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


class Lasting(msgspec.Struct, frozen=True):
    """A function that a file has defined, and what running the file gave."""

    tree: s.Program
    definition: Definition
    function: Class | OldFunction
    methods: dict[str, RubyMethod | None]
    """Those that its class had, and in how many ways it could be called."""
    ways: int
    result: RubyValue
    steps: int
    asking: frozenset[RubyMethod] | None
    """Which of its methods hang on their arguments alone (`closed`); None if a block does not."""
    given: dict[Any, Given]
    """What it gave for which arguments, when nothing else had run."""


class Given(NamedTuple):
    """What a function gave for some arguments."""

    recipe: Recipe
    copied: int | None
    """Which of its arguments it gave back as it was."""
    ran: frozenset[RubyMethod]
    steps: int


MOST_GIVEN: Final = 1_000
"""For how many arguments it is remembered what a function gave."""


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
    asking = _asking(tree, function)
    machine.lasting[path] = Lasting(tree, found, function, methods, ways, result, steps, asking, {})


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
    """Whether constants, and what has no receiver, mean what they always do."""
    own = machine.main.own
    return (own is None or len(own) == len(MAIN)) and all(
        _PATHS.isdisjoint(table) for table in machine.constants.values()
    )


def _asking(tree: s.Program, function: Class | OldFunction) -> frozenset[RubyMethod] | None:
    """The methods of a function that give the same whenever they are given the same."""
    call = next(node for node in _nodes(tree.body) if isinstance(node, s.Call) and node.block)
    assert isinstance(call.block, s.Block)
    if isinstance(function, OldFunction):
        body = [call.block.body, *call.block.parameters]
        return frozenset() if hangs_on_arguments(body, frozenset()) else None
    dispatches = function.ivars["dispatcher"].dispatches
    if any(isinstance(knit, str) for one in dispatches for knit in one.weaving):
        return None
    own = {
        one.name: [one.body, *one.parameters]
        for one in _statements(call.block.body)
        if isinstance(one, s.Definition)
    }
    if not own.keys().isdisjoint(("call", "initialize")):
        return None
    known, names = frozenset(own), frozenset[str]()
    while known != names:
        names, known = known, frozenset(n for n in known if hangs_on_arguments(own[n], known))
    return frozenset(filter(None, map(function.methods.get, names)))


def given_before(machine: Machine, path: str, function: object) -> Lasting | None:
    """A function of which it is remembered what it gave for its arguments."""
    found: Lasting | None = machine.lasting.get(path)
    if found is None or found.asking is None or found.function is not function:
        return None
    return None if machine.hides or not _usual(machine) else found


class Remembered(NamedTuple):
    """A call that is over."""

    args: list[Any]
    result: Any
    steps: int


def remember(machine: Machine, of: Lasting, key: object, call: Remembered) -> None:
    """Remembers what a function gave, if it can be made of equal arguments again."""
    into, ran = of.given, frozenset(machine.entered)
    if of.asking is None or not ran <= of.asking:
        return
    try:
        recipe = Recipe(call.result, call.args)
    except Shared:
        return
    if len(into) >= MOST_GIVEN:
        into.clear()
    into[key] = Given(recipe, functions_of(machine).copied, ran, call.steps)


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
        case s.Call(receiver=None, name="require", arguments=[s.Str(value=name)], block=None):
            return name
    return None


def _named(node: s.Expr) -> bool:
    """``Puppet::Functions`` and the like."""
    return (
        isinstance(node, s.Constant)
        and node.name in _PATHS
        and (node.scope is None or _named(node.scope))
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
    for one in _statements(body):
        match one:
            case s.Definition(singleton=None):
                continue
            case s.Call(receiver=None, name=name, block=s.Block(parameters=[], names=[]) as block):
                if name not in _WORDS or not all(map(_fixed, one.arguments)):
                    return False
                if not all(map(_is_word, _statements(block.body))):
                    return False
            case _:
                return False
    return True


def _is_word(node: s.Expr) -> bool:
    """``param 'String', :name``"""
    match node:
        case s.Call(receiver=None, arguments=arguments, block=None):
            return all(map(_fixed, arguments))
    return False
