"""How a function is found by its name and called: built in, of the compiler, or in Puppet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.lambdas import Callee, Lambda, Watched, call_function
from headwater.langs.puppet.engine.steps import FREE, spend
from headwater.langs.puppet.engine.variables import seen
from headwater.langs.puppet.engine.weights import (
    DIGITS_BOUND,
    LONG,
    charged,
    is_digits_bound,
    weighed,
)
from headwater.langs.puppet.fault import Fault, Problem, Unready, fail
from headwater.langs.puppet.functions import find as find_built_in
from headwater.langs.puppet.hashes import Hash, size_of
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Act, Read, Result, Secret
from headwater.langs.puppet.record.frames import (
    UNBOUND,
    Entered,
    Frame,
    Scope,
    Unbound,
    inside,
    unsettle,
)
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.refusals import BadRegexp, BadVersion
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, Sensitive, opaque_in
from headwater.text import Span

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.evidence import LookupRecord

ROOMS = {
    "including": "include contain require",
    "creating": "create_resources realize",
    "asking": "defined tag tagged fail",
    "templates": "epp inline_epp",
    "erb": "template inline_template",
    "lookups": "lookup hiera hiera_array hiera_hash hiera_include",
    "contexts": "not_found explain interpolate module_name environment_name cache cache_all "
    "cache_has_key cached_value cached_entries cached_file_data",
}
"""The modules of this room that have functions, and the functions in each."""

_HOMES = {name: room for room, names in ROOMS.items() for name in names.split()}
OWN_NAMES = frozenset(_HOMES)


class Call(msgspec.Struct, eq=False):
    """One call, as the function sees it (the protocol is `functions_protocol.Context`)."""

    frame: Frame
    unit: Unit
    node: Any
    name: str

    @property
    def compilation(self) -> Compilation:
        """The compilation it happens in."""
        found: Compilation = self.frame.scope.compilation
        return found

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.unit.span(self.node)

    def fail(self, message: str) -> NoReturn:
        raise Problem(codes.FUNCTION_FAILED, name=self.name, message=message)

    def mistyped(self, message: str) -> NoReturn:
        raise Problem(codes.MISTYPED, message=f"{self.name}: {message}")

    def log(self, level: str, message: str) -> None:
        self.compilation.messages.log(level, message, self.span)

    def variable(self, name: str) -> Value:
        value = self._seen(name)
        return None if value is UNBOUND else value

    def has_variable(self, name: str) -> bool:
        try:
            return self._seen(name) is not UNBOUND
        except Unready:  # a parameter that is there, and has no value yet
            return True

    def _seen(self, name: str) -> Value | Unbound:
        self.external("variable", name)
        return seen(self.frame, name)

    def call(self, name: str, args: Sequence[Any], block: object = None) -> Value:
        # Only functions of the older API have names in which capital letters count.
        known = name.islower() or self.compilation.program.function(name) is not None
        found = name if known else name.removeprefix("::").lower()
        return invoke(self.frame, self.unit, self.node, found, list(args), block)

    def spend(self, steps: int) -> None:
        spend(self.compilation.work, steps, self.unit, self.node)

    def external(self, kind: str, text: str, path: str | None = None) -> None:
        self.read(kind, text, path)

    def read(self, kind: str, text: str, path: str | None = None, detail: object = None) -> None:
        """Notes that it read something beside its arguments."""
        f = self.frame
        read = Read(kind, text, path, f, self.unit, self.node, detail)
        f.scope.compilation.record.reads.append(read)

    def looked_up(self, key: str, record: LookupRecord) -> None:
        self.read("hiera", key, None, record)

    def act(self, kind: str, subject: object = None) -> Act:
        """It as something done."""
        f = self.frame
        return Act(kind, subject, self.unit, self.node, f, f.guard, f.scope.record.clock)

    def undecide(self, why: Opaque) -> None:
        """Notes that what it does hangs on a value nobody here can compute."""
        self.compilation.messages.undecide(self.unit, self.node, why)
        unsettle(self.frame, self.unit, self.node, why)

    def at_top(self) -> Call:
        """The same call as if it stood at the top."""
        top, f = self.compilation.record.top, self.frame
        if f.scope is top:
            return self
        frame = inside(top)
        frame.guard = f.guard
        frame.origin = Entered(None, self.unit, self.node, f, f.scope.record.clock)
        return Call(frame, self.unit, self.node, self.name)

    def resolve_type(self, text: str) -> Value:
        return self.compilation.services.types.parsed(text)

    def find_file(self, kind: str, name: str) -> str | None:
        found: str | None = self.frame.scope.compilation.program.modules.file_of(kind, name)
        return found

    def miss_file(self, kind: str, name: str) -> None:
        """Notes a file that was looked for and is not there."""
        self.read("miss", name, self.compilation.program.modules.place_of(kind, name))

    def module_directory(self, name: str) -> str | None:
        return self.compilation.program.modules.module_directory(name)

    @property
    def level(self) -> LanguageLevel:
        return self.compilation.level

    @property
    def strict(self) -> str:
        return self.compilation.messages.strict


Own = Callable[[Call, Sequence[Any], Any], Any]

OWN: dict[str, tuple[Own, int, int | None]] = {}
"""The functions of the compiler that are loaded, with the number of arguments they take."""


def own(name: str, least: int = 0, most: int | None = None) -> Callable[[Own], Own]:
    """Registers a function of the compiler with the number of arguments it takes."""

    def register(function: Own) -> Own:
        OWN[name] = (function, least, most)
        return function

    return register


def invoke(f: Frame, unit: Unit, node: object, name: str, args: list[Any], block: object) -> Value:
    """Calls a function by name."""
    compilation: Compilation = f.scope.compilation
    services = compilation.services
    if name in services.plain and not compilation.work.opaque:
        function = services.plain[name]
    elif name in services.functions:
        function = services.functions[name]
    else:
        function = function_named(compilation, name, unit, node)
    for item in args:
        kind = item.__class__
        if kind is str:
            if len(item) > FREE:
                charged(f, unit, node, item)
        elif (kind is list or kind is Hash) and (compilation.work.weights or size_of(item) > FREE):
            charged(f, unit, node, item)
    try:
        result = function(Call(f, unit, node, name), args, block)
        kind = result.__class__
        origin = f.origin
        if result is not None and (origin is None or origin.does):
            compilation.record.results.append(Result(name, node, f, result))
        if kind is Sensitive:
            compilation.record.secrets.append(Secret(f, unit, node, result))
        elif kind is str:
            return result if len(result) < LONG else weighed(f, unit, node, result)
        elif kind is list or kind is Hash:
            return weighed(f, unit, node, result)
        return result
    except Problem as problem:
        raise problem.at(unit.blamed(node)) from None
    except (BadType, BadVersion, BadRegexp) as error:
        failed = codes.FUNCTION_FAILED.at(unit.blamed(node), name=name, message=str(error))
        raise Fault(failed) from None
    except ValueError as error:
        if not is_digits_bound(error):
            raise
        fail(codes.VALUE_TOO_LARGE, unit.blamed(node), bound=DIGITS_BOUND)
    except OverflowError:
        fail(codes.NUMBER_TOO_LARGE, unit.blamed(node), operator=f"{name}()")


def function_named(
    compilation: Compilation, name: str, unit: Unit, node: object
) -> Callable[..., Any]:
    """The function of a name; found once."""
    found = _find(compilation, name)
    if found is None:
        found = _in_ruby(compilation, name, unit.span(node))
    compilation.services.functions[name] = found
    if isinstance(found, OfKnown):
        compilation.services.plain[name] = found.function
    return found


def is_function(compilation: Compilation, name: str) -> bool:
    """Whether there is a function of a name."""
    if name in compilation.services.functions or _find(compilation, name) is not None:
        return True
    return compilation.program.function(name) is not None or _beside(compilation, name) is not None


def _beside(compilation: Compilation, name: str) -> str | None:
    """The file of a function of the older API that was loaded with another function."""
    host = compilation.services.ruby
    if host is None:
        return None
    found: str | None = host.file_of_old(name)
    return found


def _find(compilation: Compilation, name: str) -> Callable[..., Any] | None:
    """The function of a name: written in Puppet, of the compiler, or built in."""
    found = compilation.program.own_function(name)
    if found is None:
        entry = _own(name)
        if entry is not None:
            return _counted(*entry)
        built_in = find_built_in(name, compilation.level)
        if built_in is not None:
            return OfKnown(built_in.call)
        loaded = compilation.program.function(name)
        if not isinstance(loaded, tuple):
            return None
        found = loaded
    unit, node = found
    callee = unit.once("function", node, lambda: Callee(unit, node, name))
    compilation.services.bodies[name] = callee

    def written_in_puppet(call: Call, args: Sequence[Any], block: object) -> Value:
        return call_function(callee, compilation.record.top, args, call)

    return written_in_puppet


def _own(name: str) -> tuple[Own, int, int | None] | None:
    """A function of the compiler; its module is loaded with the first call."""
    room = _HOMES.get(name)
    if room is not None and name not in OWN:
        import_module(f"{__package__}.{room}")
    return OWN.get(name)


class OfKnown:
    """A built-in function; what it would make of an unknown value is unknown."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, call: Call, args: Sequence[Any], block: object) -> Value:
        if call.frame.scope.compilation.work.opaque:
            # Elements may be unknown of what is iterated over, if it is known how many.
            turns = block is not None and call.name in _ITERATING
            for item in args:
                found = item if isinstance(item, Opaque) else None if turns else opaque_in(item)
                if found is not None:
                    if block is not None:
                        call.undecide(found)
                    return found
            if isinstance(block, Lambda) and not turns:
                block = Watched(block)
        return self.function(call, args, block)


_ITERATING = frozenset(["each", "map", "reverse_each", "with", "then", "reduce", "lest"])
"""Functions that call a lambda whatever the elements are."""

_WITHOUT_BLOCK = frozenset(["include", "contain", "require", "defined", "epp", "inline_epp"])
"""Functions that refuse a lambda; the older ones do not care."""


def _counted(function: Own, least: int, most: int | None) -> Callable[..., Any]:
    def counted(call: Call, args: Sequence[Any], block: object) -> Value:
        if len(args) < least or (most is not None and len(args) > most):
            wanted = f"at least {least}" if len(args) < least else f"at most {most}"
            call.mistyped(f"expects {wanted} arguments, got {len(args)}")
        if block is not None and call.name in _WITHOUT_BLOCK:
            call.mistyped("does not expect a block")
        return function(call, args, block)

    return counted


def global_scope(scope: Scope) -> Scope:
    """The node scope or the top, from which templates look."""
    while scope.parent is not None and not scope.is_node:
        outer = scope.outer
        if outer is None:
            return scope
        scope = outer
    return scope


def _in_ruby(compilation: Compilation, name: str, span: Span) -> Callable[..., Any]:
    """A function that a module has in Ruby."""
    where = compilation.program.function(name)
    if where is None:
        where = _beside(compilation, name)
    if not isinstance(where, str):
        help = compilation.program.modules.absence(name)
        raise Fault(codes.UNKNOWN_FUNCTION.at(span, name=name, help=help))
    return compilation.services.in_ruby(name, where)
