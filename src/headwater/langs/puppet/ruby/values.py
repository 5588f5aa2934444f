"""Ruby's values.

nil is None; true, false, integers and floats are Python's.  Arrays are lists and hashes are
Puppet's `Hash`, shared with the compiler and changed in place, because Ruby changes what it
is given.  A string made by Ruby is a `Text`, which can change; a plain `str` is a string that
Puppet holds, or a key of a hash: nobody may change it.  Symbols, ranges, classes, objects and
procs have classes of their own here.  `RubyObject` stands for every object of a class that was
written in Ruby or has no class of its own here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from headwater.langs.puppet.bytestrings import encoding_of, in_encoding, of_bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.values import Symbolic

if TYPE_CHECKING:
    from fractions import Fraction

    from headwater.langs.puppet.types.regexps import Match
    from headwater.langs.puppet.types.value import Value


@final
class Symbol(Symbolic):
    """``:a``; there is one of each name."""

    __slots__ = ()


_SYMBOLS: dict[str, Symbol] = {}


def symbol(name: str) -> Symbol:
    """The symbol of a name."""
    found = _SYMBOLS.get(name)
    if found is None:
        found = _SYMBOLS[name] = Symbol(name)
    return found


class Text:
    """A string that Ruby made and may change; `s` is a `Bytes` where it is no text in UTF-8."""

    __slots__ = ("frozen", "s")

    def __init__(self, s: str, frozen: bool = False) -> None:
        self.s = s
        self.frozen = frozen

    def __eq__(self, other: object) -> bool:
        if other.__class__ is Text:
            return self.s == other.s
        return isinstance(other, str) and self.s == other

    def __hash__(self) -> int:
        return hash(self.s)

    def __repr__(self) -> str:
        return f"Text({self.s!r})"


def bytes_text(data: bytes) -> Text:
    """A string of bytes that are no characters."""
    return Text(of_bytes(data))


class DefaultHash(Hash):
    """``Hash.new(0)``, ``Hash.new { |h, k| … }``: a hash that answers for keys it has not."""

    default: Any = None
    procedure: Any = None


class Keywords(Hash):
    """Arguments given by name: a hash that a method without such parameters takes as its last."""


def positional(args: list[Any]) -> list[Any]:
    """Arguments for who takes none by name: those are a hash, and none at all is no argument."""
    last = args[-1]
    return [*args[:-1], Hash(last.entries, last.odd)] if len(last) else args[:-1]


class Range:
    """``1..9``, ``1...9``; an end that is open is None."""

    __slots__ = ("exclusive", "high", "low")

    def __init__(self, low: RubyValue, high: RubyValue, exclusive: bool) -> None:
        self.low = low
        self.high = high
        self.exclusive = exclusive

    def __eq__(self, other: object) -> bool:
        return (
            other.__class__ is Range
            and self.low == other.low
            and self.high == other.high
            and self.exclusive == other.exclusive
        )

    def __hash__(self) -> int:
        return hash((self.low, self.high, self.exclusive))


class Pattern:
    """A regular expression: what is written between the slashes, and its options."""

    __slots__ = ("flags", "inner", "source")

    def __init__(self, source: str, flags: str = "") -> None:
        self.source = source
        self.flags = "".join(letter for letter in "mix" if letter in flags)
        self.inner = source
        if self.flags:
            self.inner = in_encoding(f"(?{self.flags}:{source})", encoding_of(source))
        """What the engine is given."""

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Pattern and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)


class Matched:
    """``MatchData``: a match in a text; the places are in bytes of UTF-8."""

    __slots__ = ("found", "pattern", "text")

    def __init__(self, found: Match, text: str, pattern: Pattern) -> None:
        self.found = found
        self.text = text
        self.pattern = pattern

    def group(self, index: int) -> Text | None:
        """The text of a group, or nil."""
        count = len(self.found.starts)
        if index < 0:
            index += count
            if index <= 0:
                return None
        found = self.found.group(index)
        return None if found is None else Text(found)

    def before(self) -> str:
        """The text before the match."""
        return self.found.data[: self.found.start].decode("utf-8", "surrogateescape")

    def after(self) -> str:
        """The text after the match."""
        return self.found.data[self.found.end :].decode("utf-8", "surrogateescape")


class Access:
    """Who may call the methods of a class."""

    __slots__ = ("constants", "hidden", "inside", "module_functions", "own", "visibility")

    def __init__(self) -> None:
        self.visibility = "public"
        """What methods are that are defined now."""
        self.inside: RubyMethod | None = None
        """The method that ran when the body of the class began."""
        self.module_functions = False
        """Whether they are methods of the module itself too."""
        self.hidden: dict[str, str] = {}
        """Which methods are not public, or are so again."""
        self.own: dict[str, str] = {}
        """The same of the methods of the class itself."""
        self.constants: set[str] = set()
        """Which constants only the class itself names."""


class RubyMethod:
    """What a class has under a name: built in, refused, or written in Ruby."""

    __slots__ = ()
    name: str
    run: Callable[..., RubyValue]


class DefinedMethod(RubyMethod):
    """A method written in Ruby, as whoever calls it sees it; `calling.Method` is what it is."""

    __slots__ = ()
    owner: RubyValue
    """The class, module or object it is a method of."""
    where: tuple[str, int, int]
    """Its file, and where it begins and ends there."""


FOUND: Final[dict[tuple[Class, str], RubyMethod | None]] = {}
"""What objects of Ruby's own classes answer messages with, of those that were asked for."""

MOST_FOUND: Final = 20_000


class Class:
    """A class or a module: its methods, constants and ancestors."""

    def __init__(
        self, name: str | None, superclass: Class | None = None, is_module: bool = False
    ) -> None:
        self.name = name
        self.superclass = superclass
        self.is_module = is_module
        self.methods: dict[str, RubyMethod | None] = {}
        self.own: dict[str, RubyMethod] = {}
        """The methods of the class itself (``def self.m``)."""
        self.constants: dict[str, RubyValue] = {}
        self.included: list[Class] = []
        self.extended: list[Class] = []
        self.prepended: list[Class] = []
        self.variables: dict[str, RubyValue] = {}
        self.ivars: dict[str, Any] = {}
        self.outer: Class | None = None
        self.attached: RubyValue = None
        """What ``class << a`` is the class of."""
        self.access = Access()
        self.closed = False
        """Whether no program may change it: it is one of Ruby's own (`Machine.check_open`)."""

    def ancestors(self) -> list[Class]:
        """The class, its modules, then those of the classes above."""
        result: list[Class] = []
        current: Class | None = self
        while current is not None:
            for one in reversed(current.prepended):
                result.extend(part for part in one.ancestors() if part not in result)
            result.append(current)
            for one in reversed(current.included):
                result.extend(part for part in one.ancestors() if part not in result)
            current = current.superclass
        return result

    def find(self, name: str) -> RubyMethod | None:
        """The method of a name that objects of this class have, or None."""
        if not self.closed:
            return self._search(name)
        key = (self, name)
        if key in FOUND:
            return FOUND[key]
        if len(FOUND) >= MOST_FOUND:
            FOUND.clear()
        found = FOUND[key] = self._search(name)
        return found

    def _search(self, name: str) -> RubyMethod | None:
        current: Class | None = self
        while current is not None:
            for one in reversed(current.prepended):
                found = one.find(name)
                if found is not None:
                    return found
            found = current.methods.get(name)
            if found is not None:
                return found
            for one in reversed(current.included):
                found = one.find(name)
                if found is not None:
                    return found
            current = current.superclass
            if current is not None and current.closed:
                return current.find(name)
        return None

    def find_own(self, name: str) -> RubyMethod | None:
        """The method of a name that the class itself has, or None."""
        current: Class | None = self
        while current is not None:
            found = current.own.get(name)
            if found is not None:
                return found
            for module in reversed(current.extended):
                found = module.find(name)
                if found is not None:
                    return found
            current = current.superclass
        return None

    def is_below(self, other: Class) -> bool:
        """Whether objects of this class are objects of the other."""
        return self is other or other in self.ancestors()

    def __repr__(self) -> str:
        return self.name or "#<Class>"


class RubyObject:
    """An object of a class."""

    __slots__ = ("cls", "frozen", "hidden", "ivars", "own")

    def __init__(self, cls: Class, ivars: dict[str, Any] | None = None) -> None:
        self.cls = cls
        self.ivars: dict[str, Any] = {} if ivars is None else ivars
        self.own: dict[str, RubyMethod | None] | None = None
        """Methods of this object alone."""
        self.hidden: dict[str, str] | None = None
        """Which of them are not public."""
        self.frozen = False


class Proc:
    """A block or a lambda with the frame it was made in; `call` takes arguments and a block."""

    __slots__ = ("arity", "call", "is_lambda", "one", "parameters", "self_")

    def __init__(
        self,
        call: Callable[..., RubyValue],
        one: Callable[[Any], RubyValue],
        arity: int,
        is_lambda: bool,
        self_: RubyValue,
        parameters: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.call = call
        self.one = one
        self.arity = arity
        self.is_lambda = is_lambda
        self.self_ = self_
        self.parameters = parameters


class BoundMethod:
    """``method(:name)``: a method with its receiver."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: RubyValue, name: str) -> None:
        self.receiver = receiver
        self.name = name


class Enumerator:
    """What an iteration gives back that was asked for without a block: a receiver and a method."""

    __slots__ = ("args", "name", "place", "receiver")

    def __init__(self, receiver: RubyValue, name: str, args: list[Any]) -> None:
        self.receiver = receiver
        self.name = name
        self.args = args
        self.place = 0
        """How many elements ``next`` has given."""


class Raised(Exception):
    """An exception of Ruby on its way up; `at` is where it was raised: a file and an offset."""

    def __init__(self, error: RubyObject, at: tuple[str, int] = ("", 0)) -> None:
        super().__init__(error)
        self.error = error
        self.at = at
        self.refused: Exception | None = None
        """What the compiler refused, if it was the compiler who raised it."""


MESSAGE: Final = " message"
"""Where an error has its message: no variable of an object is named so."""


class Native:
    """A value whose class of Ruby is written in Python: a set, an address, a scope."""

    __slots__ = ()


class Classed(Native):
    """One that is of one of several classes."""

    __slots__ = ("cls",)
    cls: Class


RubyValue: TypeAlias = (
    "Value | Text | Symbol | Fraction | Range | Pattern | Matched | Class | RubyObject | Proc "
    "| BoundMethod | Enumerator | Native"
)
"""One value of Ruby.  What arrays and hashes hold are values too, which mypy is not told: a list
of texts would be no list of values to it."""


Number: TypeAlias = int | float

RubyString: TypeAlias = Text | str


class Undefined(Enum):
    """What an argument is that was not given."""

    UNDEFINED = 0


UNDEFINED: Final = Undefined.UNDEFINED

Given: TypeAlias = "RubyValue | Undefined"
"""An argument that need not be given."""
