"""The machine that runs Ruby: it sends messages, raises Ruby's errors and counts what is done.

One machine belongs to one compilation at a time.  It knows the compiler only as `Host`, a small
protocol; it reads no file but those the host hands out.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import CO_VARARGS
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.access import ALONE, NOBODY, PUBLIC, visibility
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    CLASS,
    KERNEL,
    MAIN,
    MODULE,
    OBJECT,
    class_of,
)
from headwater.langs.puppet.ruby.partial import refuse_if_partial
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.values import (
    MESSAGE,
    Class,
    DefinedMethod,
    Keywords,
    Proc,
    Raised,
    RubyMethod,
    RubyObject,
    RubyValue,
    Symbol,
    Text,
    positional,
    symbol,
)

if TYPE_CHECKING:
    from headwater.langs.puppet.ruby.frames import Activation, Frame
    from headwater.langs.puppet.ruby.surroundings import ScopeObject
    from headwater.langs.puppet.ruby.syntax import Program

STEPS: Final = 20_000_000
"""How many calls, turns of loops and blocks one compilation's Ruby may make."""

OF_STEPS: Final = "steps of Ruby"
"""The name of that bound."""

DEEPEST: Final = 5_000
"""How deep blocks and Ruby's own methods may run inside each other, whoever calls them: each takes
a part of the stack of the process, which nobody can ask for more."""

A_CALL: Final = 10
"""So many of these a call of a method in Ruby counts for."""

LONGEST: Final = 64 * 1024 * 1024
"""How many characters a string may get."""

SMALL: Final = 64
"""So many characters of a new string cost a step; a shorter one costs none."""

LONG: Final = 1024
"""So many characters of a string that is looked at cost a step; a shorter one costs none."""

COMPARED: Final = 10
"""So many steps are counted for each array or hash that is compared or shown: arrays that hold one
another twice are soon compared more often than anybody waits for."""

MOST: Final = 2_000_000
"""How many elements an array may get."""


MOST_PROGRAMS: Final = 2_000
"""How many files and templates a machine keeps the closures of."""

SHOWN: Final = 65
"""How much of a value a message about a missing method shows."""


class Host(Protocol):
    """The compiler as Ruby sees it."""

    def log(self, level: str, message: str) -> None:
        """Writes to the compiler's log."""
        ...

    def call(
        self,
        name: str,
        args: list[Any],
        block: Proc | None = None,
        scope: ScopeObject | None = None,
    ) -> RubyValue:
        """Calls a function of Puppet, whatever it is written in, from a scope."""
        ...

    def call_old(self, name: str, args: list[Any], scope: ScopeObject) -> RubyValue:
        """Calls a function of the older API."""
        ...

    def has_function(self, name: str, *, old: bool) -> bool:
        """Whether there is a function of a name; `old`: one of the older API."""
        ...

    def constant(self, machine: Machine, path: str) -> RubyValue:
        """The value of a constant that Ruby has not (``Puppet::Parser::Functions``)."""
        ...

    def known(self, machine: Machine, path: str) -> RubyValue:
        """The same, or None where there is none: asked before a class or module is made."""
        ...

    def own_file(self, path: str, construct: str) -> str | None:
        """The text of a file of a module, None if there is no such file; for files elsewhere it
        refuses the construct that asks."""
        ...

    def require(self, machine: Machine, name: str, by: str, *, beside: bool) -> bool:
        """Loads a file of a module (``puppet_x/…``) for another; whether it was new."""
        ...


Part: TypeAlias = tuple[str, int, int, bool, Any]
"""A part of what a template writes: text, place, whether it is inserted, and then its value."""


class Output(Protocol):
    """Where a template writes: its own text and the values it inserts, with their places."""

    def add(self, part: Part) -> None: ...


class Builtin(RubyMethod):
    """A method that is written in Python: ``run(machine, receiver, *args[, block=…])``."""

    __slots__ = ("least", "most", "name", "passes_on", "run", "takes_block", "takes_options")

    def __init__(self, name: str, run: Callable[..., RubyValue]) -> None:
        shown: Any = run
        while hasattr(shown, "__wrapped__"):
            shown = shown.__wrapped__
        code = shown.__code__
        positional = code.co_varnames[: code.co_argcount]
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        most = len(positional) - 2 - ("block" in positional)
        optional = len(shown.__defaults__ or ()) - ("block" in positional)
        self.takes_block = "block" in named
        self.takes_options = "options" in positional
        """Its last argument may be a hash of options, and nothing else."""
        self.passes_on = self.takes_block and bool(code.co_flags & CO_VARARGS)
        """It may hand its arguments to another: those by name stay what they are."""
        self.name = name
        self.run = run
        self.least = most - max(optional, 0)
        self.most = None if code.co_flags & CO_VARARGS else most - self.takes_options


class Refused(RubyMethod):
    """A method that Ruby has and that is not evaluated here, with the reason."""

    __slots__ = ("name", "reason")

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        """With its class: ``Array#shuffle``, ``File.read``."""
        self.reason = reason

    def run(
        self, machine: Machine, receiver: RubyValue, args: list[Any], block: Proc | None
    ) -> RubyValue:
        raise Beyond(self.name)


class _Nowhere:
    """No template: nothing can be written."""

    def add(self, part: Part) -> None:
        raise Beyond("text outside of a template")


class Machine:
    """What one compilation's Ruby shares: constants, loaded files, the count of steps.

    The closures of a text know their machine, so a machine that is free serves another compilation:
    `begin` leaves nothing of the one before but the closures, and functions nobody has changed.
    """

    def __init__(self, host: Host | None = None, steps: int = STEPS) -> None:
        self._programs: dict[tuple[int, str], tuple[Program, Callable[[Frame], RubyValue]]] = {}
        """The closures of files and templates, by their trees and names."""
        self._lasting: dict[str, object] = {}
        """Functions that files do nothing but define; see `lasting`."""
        self.begin(host, steps)

    def keep(self, path: str, definition: object) -> None:
        """Keeps for later compilations what a file defines."""
        if len(self._lasting) >= MOST_PROGRAMS:
            self._lasting.clear()
        self._lasting[path] = definition

    def kept(self, path: str) -> object:
        """What is kept of a file, or nothing."""
        return self._lasting.get(path)

    def drop(self, path: str) -> None:
        """Keeps it no longer."""
        del self._lasting[path]

    def begin(self, host: Host | None, steps: int = STEPS) -> None:
        """Begins anew, for a compilation or for none."""
        self.host = host
        self.steps = steps
        self.depth = 0
        self.at: tuple[str, int] = ("", 0)
        """Where the last call stands: a file and an offset."""
        self.constants: dict[Class, dict[str, RubyValue]] = {}
        """Constants that the program put into Ruby's own classes and modules."""
        self.globals: dict[str, Any] = {}
        self.main = RubyObject(OBJECT)
        self.main.own = dict(MAIN)
        self.hides = False
        """Whether any method of the program is private or protected."""
        self.output: Output = _Nowhere()
        """The template that is being rendered."""
        self.frozen: dict[int, Any] = {}
        """Arrays and hashes that are frozen, by their numbers."""
        self.watch: Callable[[Any], None] | None = None
        """Told before an array or hash changes in place: it may be Puppet's."""
        self.method: RubyMethod | None = None
        """The method that runs, if it is written in Ruby."""
        self.entered: set[RubyMethod] = set()
        """The methods written in Ruby that have run."""
        self.functions: Any = None
        """The functions that loaded files define; see `functions`."""
        self.activation: Activation | None = None
        """The call whose ``$~`` a method of strings or patterns sets."""

    # Puppet

    def follow(self, version: str) -> None:
        """Makes a version of Puppet the one that runs."""
        self.set_constant(BUILTIN["Puppet"], "PUPPETVERSION", version)

    def log(self, level: str, message: str) -> None:
        """Writes to the compiler's log."""
        if self.host is not None:
            self.host.log(level, message)

    def call(
        self,
        name: str,
        args: list[Any],
        block: Proc | None = None,
        scope: ScopeObject | None = None,
    ) -> RubyValue:
        """Calls a function of Puppet, from a scope."""
        if self.host is None:
            raise Beyond(f"the function {name}")
        return self.host.call(name, args, block, scope)

    # constants

    def lookup_constant(self, scope: Class, name: str) -> RubyValue:
        """A constant of a class or module itself; raises KeyError."""
        own = self.constants.get(scope)
        if own is not None and name in own:
            return own[name]
        return scope.constants[name]

    def set_constant(self, scope: Class, name: str, value: RubyValue) -> None:
        """Gives a constant to a class or module."""
        if scope.name is not None and BUILTIN.get(scope.name) is scope:
            self.constants.setdefault(scope, {})[name] = value
        else:
            scope.constants[name] = value
        if isinstance(value, Class) and value.name is None:
            value.name = name if scope is OBJECT else f"{scope.name}::{name}"
            value.outer = scope

    def missing_constant(self, scope: Class | None, name: str) -> RubyValue:
        """A constant nobody has set: the host may have it; all else is refused by name."""
        path = name if scope is None or scope is OBJECT else f"{scope.name}::{name}"
        if self.host is not None:
            return self.host.constant(self, path)
        raise Beyond(path)

    # messages

    def known_program(self, tree: Program, file: str) -> Callable[[Frame], RubyValue] | None:
        """The closure of a file or template, if it was made before."""
        kept = self._programs.get((id(tree), file))
        return None if kept is None else kept[1]

    def trees_of(self, file: str) -> list[Program]:
        """The trees of a file whose closures are kept."""
        return [tree for (_, name), (tree, _) in self._programs.items() if name == file]

    def keep_program(self, tree: Program, file: str, made: Callable[[Frame], RubyValue]) -> None:
        """Keeps the closure of a file or template, and its tree, whose identity stays its own."""
        if len(self._programs) >= MOST_PROGRAMS:
            self._programs.clear()
        self._programs[id(tree), file] = (tree, made)

    def find(self, receiver: RubyValue, name: str) -> RubyMethod | None:
        """The method that answers a message, or None."""
        if receiver.__class__ is RubyObject:
            if receiver.own is not None and name in receiver.own:
                return receiver.own[name]
            return receiver.cls.find(name)
        if receiver.__class__ is Class:
            found = receiver.find_own(name)
            return (
                found if found is not None else (MODULE if receiver.is_module else CLASS).find(name)
            )
        return class_of(receiver).find(name)

    def send(
        self, receiver: RubyValue, name: str, args: list[Any], block: Proc | None = None
    ) -> RubyValue:
        """Sends a message and gives the answer."""
        method = self.find(receiver, name)
        if method is None:
            method = self.at_top(name)
            if method is None:
                return self.missing(receiver, name, args, block)
        return self.invoke(method, receiver, args, block)

    def answers(self, receiver: RubyValue, name: RubyValue, private: RubyValue = False) -> bool:
        """Whether an object says that it answers a message that it has no method for."""
        handler = self.find(receiver, "respond_to_missing?")
        return handler is not None and self.truth(
            self.invoke(handler, receiver, [name, private], None)
        )

    def found_in(self, cls: Class, name: str) -> RubyMethod | None:
        """The method that objects of a class have; for ``class << a``, what `a` itself has."""
        return cls.find(name) if cls.attached is None else self.find(cls.attached, name)

    def at_top(self, name: str) -> DefinedMethod | None:
        """A method that a file defines outside of all classes: every object has it for itself."""
        found = None if self.main.own is None else self.main.own.get(name)
        return found if isinstance(found, DefinedMethod) else None

    def send_from(
        self,
        caller: RubyValue,
        receiver: RubyValue,
        name: str,
        args: list[Any],
        block: Proc | None = None,
    ) -> RubyValue:
        """Sends a message of another object: what that object may not call is not answered."""
        method = self.find(receiver, name)
        if method is not None:
            how = visibility(receiver, name)
        else:
            how = PUBLIC if self.at_top(name) is None else ALONE
        if how.word == "private" or (
            how.word == "protected"
            and (caller is NOBODY or how.owner is None or not self.is_a(caller, how.owner))
        ):
            return self.missing(receiver, name, args, block, f"{how.word} method `{{}}' called")
        if method is None:
            return self.missing(receiver, name, args, block)
        return self.invoke(method, receiver, args, block)

    def invoke(
        self, method: RubyMethod, receiver: RubyValue, args: list[Any], block: Proc | None
    ) -> RubyValue:
        """Calls a method that was found."""
        self.steps -= 1
        if self.steps < 0:
            raise Exhausted(OF_STEPS, STEPS)
        if not isinstance(method, Builtin):
            self.depth += A_CALL
            if self.depth > DEEPEST:
                self.depth -= A_CALL
                raise self.error("SystemStackError", "stack level too deep")
            around, self.method = self.method, method
            self.entered.add(method)
            try:
                return method.run(self, receiver, args, block)
            finally:
                self.depth -= A_CALL
                self.method = around
        if args and args[-1].__class__ is Keywords and not method.passes_on:
            args = positional(args)
        count = len(args)
        if (count < method.least or (method.most is not None and count > method.most)) and not (
            method.takes_options and count == (method.most or 0) + 1 and isinstance(args[-1], Hash)
        ):
            raise self.wrong_count(count, method.least, method.most)
        self.depth += 1
        if self.depth > DEEPEST:
            self.too_deep()
        try:
            if method.takes_block:
                made = method.run(self, receiver, *args, block=block)
            else:
                made = method.run(self, receiver, *args)
        finally:
            self.depth -= 1
        if made.__class__ is Text and len(made.s) > SMALL and made is not receiver:
            self.measure(made)
        return made

    def measure(self, made: Text) -> None:
        """Bounds a new string, and counts the work of making it."""
        self.check_size(len(made.s))
        self.spend(len(made.s) // SMALL)

    def missing(
        self,
        receiver: RubyValue,
        name: str,
        args: list[Any],
        block: Proc | None,
        complaint: str = "undefined method `{}'",
    ) -> RubyValue:
        """A message that nobody answers: ``method_missing``, or an error as Ruby's."""
        handler = self.find(receiver, "method_missing")
        if handler is not None:
            return self.invoke(handler, receiver, [symbol(name), *args], block)
        raise self.unanswered(receiver, name, args, complaint)

    def unanswered(
        self,
        receiver: RubyValue,
        name: str,
        args: list[Any],
        complaint: str = "undefined method `{}'",
    ) -> Raised:
        """The error of a message that nobody answers."""
        refuse_if_partial(receiver, name)
        return self.error(
            "NoMethodError",
            f"{complaint.format(name)} for {self.described(receiver)}",
            name=symbol(name),
            receiver=receiver,
            args=args,
        )

    def described(self, value: RubyValue) -> str:
        """A value as messages about missing methods name it."""
        if value is None:
            return "nil:NilClass"
        if value is True or value is False:
            return f"{str(value).lower()}:{class_of(value).name}"
        if value.__class__ is Class:
            kind = "Module" if value.is_module else "Class"
            return f"{self.text(self.send(value, 'inspect', []))}:{kind}"
        if value is self.main:
            return "main:Object"
        cls = class_of(value)
        if (
            value.__class__ is RubyObject
            and self.find(value, "inspect") is KERNEL.methods["inspect"]
        ):
            return f"#<{cls.name}>"
        shown = self.inspect(value)
        if len(shown) > SHOWN:
            shown = f"#<{cls.name}>"
        return shown if shown.startswith("#") else f"{shown}:{cls.name}"

    def tell(self, module: Class, name: str, what: RubyValue) -> None:
        """Calls what a class or module has defined to be told of something."""
        found = module.find_own(name)
        if found is not None:
            self.invoke(found, module, [what], None)

    def find_above(self, receiver: RubyValue, method: DefinedMethod) -> RubyMethod | None:
        """The method that ``super`` means in a method: the next of its name above its owner."""
        owner, name = method.owner, method.name
        if receiver.__class__ is Class and owner is not MODULE and owner is not CLASS:
            current: Class | None = receiver
            while current is not None and current.own.get(name) is not method:
                current = current.superclass
            if current is not None:
                above = current.superclass
                found = None if above is None else above.find_own(name)
                return found if found is not None else CLASS.find(name)
        line = class_of(receiver).ancestors()
        if receiver.__class__ is RubyObject and receiver.own and receiver.own.get(name) is method:
            return receiver.cls.find(name)
        place = next((at for at, one in enumerate(line, 1) if one is owner), len(line))
        for one in line[place:]:
            if name in one.methods:
                return one.methods[name]
        return None

    def definee(self, frame: Frame) -> Class | RubyObject:
        """What ``def`` gives its method to: the class around, or an object that is extended."""
        if frame.lexical[0] is OBJECT and frame.self_.__class__ is RubyObject:
            return frame.self_
        return frame.lexical[0]

    def check_open(self, cls: Class) -> None:
        """Refuses a change of Ruby's own classes."""
        if cls.name is not None and BUILTIN.get(cls.name) is cls:
            raise Beyond(f"reopening {cls.name}")

    # what methods need of each other

    def text(self, value: RubyValue) -> str:
        """``to_s`` as a plain str."""
        if value.__class__ is str:
            return value
        if value.__class__ is Text:
            return value.s
        if value is None:
            return ""
        if value.__class__ is int and value.bit_length() < 13_000:
            return str(value)
        made = value if isinstance(value, str) else self.send(value, "to_s", [])
        return made.s if made.__class__ is Text else made if isinstance(made, str) else repr(made)

    def inspect(self, value: RubyValue) -> str:
        """``inspect`` as a plain str."""
        made = self.send(value, "inspect", [])
        return made.s if made.__class__ is Text else str(made)

    def as_array(self, value: RubyValue, how: str) -> list[Any]:
        """The array that ``to_a`` or ``to_ary`` makes of a value; anything else is an error."""
        made = self.send(value, how, [])
        if made.__class__ is list:
            return made
        name = class_of(value).name
        shown = f"{name} to Array ({name}#{how} gives {class_of(made).name})"
        raise self.error("TypeError", f"can't convert {shown}")

    def spread(self, value: RubyValue) -> list[Any]:
        """What ``*value`` stands for among arguments."""
        if value is None:
            return []
        if value.__class__ is list:
            return value
        if self.find(value, "to_a") is None:
            return [value]
        return self.as_array(value, "to_a")

    def equal(self, left: RubyValue, right: RubyValue) -> bool:
        """``==``"""
        kind = left.__class__
        other = right.__class__
        if kind is Text or kind is str or kind is Bytes:
            if other is not Text and other is not str and other is not Bytes:
                return False
            text: Any = left
            text = text.s if kind is Text else text
            if len(text) > LONG:
                self.look_at(text)
            return left == right
        if (kind is int or kind is float) and other is not Fraction:
            return (other is int or other is float) and left == right
        if left is right:
            return True
        if kind is bool or left is None:
            return False
        answer = self.send(left, "==", [right])
        return answer is not None and answer is not False

    def truth(self, value: RubyValue) -> bool:
        """Whether a value counts as true."""
        return value is not None and value is not False

    def compare(self, left: RubyValue, right: RubyValue) -> int:
        """``<=>``, or the error of values that cannot be compared."""
        if (left.__class__ is int or left.__class__ is float) and (
            right.__class__ is int or right.__class__ is float
        ):
            return -1 if left < right else 1 if left > right else 0
        if (left.__class__ is Text or left.__class__ is str) and (
            right.__class__ is Text or right.__class__ is str
        ):
            a = left.s if isinstance(left, Text) else left
            b = right.s if isinstance(right, Text) else right
            if a.isascii() or b.isascii():
                return -1 if a < b else 1 if a > b else 0
        answer = self.send(left, "<=>", [right])
        if answer is None:
            raise self.incomparable(left, right)
        return self.sign(answer)

    def sign(self, order: RubyValue) -> int:
        """The answer of a comparison as an integer; it may be any number."""
        if order.__class__ is int:
            return order
        if self.truth(self.send(order, ">", [0])):
            return 1
        return -1 if self.truth(self.send(order, "<", [0])) else 0

    def incomparable(self, left: RubyValue, right: RubyValue) -> Raised:
        shown = (
            self.inspect(right)
            if right is None or isinstance(right, bool | int | float | Symbol)
            else class_of(right).name
        )
        return self.error(
            "ArgumentError", f"comparison of {class_of(left).name} with {shown} failed"
        )

    def is_a(self, value: RubyValue, cls: Class) -> bool:
        """``is_a?``"""
        if value.__class__ is Class and cls in value.extended:
            return True
        return class_of(value).is_below(cls)

    def check_size(self, size: int) -> None:
        """Refuses what would grow beyond all measure."""
        if size > LONGEST:
            raise Exhausted("size of a value of Ruby", LONGEST)

    def check_count(self, count: int) -> None:
        """Refuses an array that would grow beyond all measure."""
        if count > MOST:
            raise Exhausted("elements of an array of Ruby", MOST)

    def spend(self, steps: int) -> None:
        """Counts work that is done at once."""
        self.steps -= steps
        if self.steps < 0:
            raise Exhausted(OF_STEPS, STEPS)

    def too_deep(self) -> NoReturn:
        """What may not run: too much does already, or all steps are taken."""
        if self.steps < 0:
            raise Exhausted(OF_STEPS, STEPS)
        self.depth -= 1
        raise self.error("SystemStackError", "stack level too deep")

    def look_at(self, text: str) -> None:
        """Counts that a string is gone through, if it is long."""
        if len(text) > LONG:
            self.spend(len(text) // LONG)

    # errors

    def error(self, cls: str | Class, message: str, **fields: object) -> Raised:
        """An error of Ruby's own, to be raised."""
        made = RubyObject(BUILTIN[cls] if isinstance(cls, str) else cls)
        made.ivars[MESSAGE] = Text(message)
        if self.globals.get("$!") is not None:
            made.ivars[" cause"] = self.globals["$!"]
        made.ivars.update((f" {name}", value) for name, value in fields.items())
        return Raised(made, self.at)

    def fail(self, cls: str, message: str) -> NoReturn:
        """Raises an error of Ruby's own."""
        raise self.error(cls, message)

    def is_frozen(self, value: RubyObject) -> Raised:
        """The error of an object that does not change any more."""
        told = "can't modify frozen " + f"{value.cls.name}: {self.described(value)}"
        return self.error("FrozenError", told, receiver=value)

    def wrong_count(self, given: int, least: int, most: int | None) -> Raised:
        expected = (
            f"{least}+" if most is None else str(least) if least == most else f"{least}..{most}"
        )
        return self.error(
            "ArgumentError", f"wrong number of arguments (given {given}, expected {expected})"
        )


__all__ = ["KERNEL", "Builtin", "Host", "Machine"]
