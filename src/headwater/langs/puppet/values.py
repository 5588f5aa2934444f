"""The values of Puppet that plain Python has no name for.

Everything else is plain: None is undef, and there are bool, int, float, str and list.  A hash
is a `Hash`.  Data types are objects of `langs.puppet.types`; references to resources and
classes are values *and* types, and live here.
"""

from __future__ import annotations

from functools import lru_cache
from operator import is_
from typing import Any, Final, final

import msgspec

from headwater.langs.puppet.hashes import Hash, identity

HIDDEN: Final = "Sensitive [value redacted]"
"""What stands for a sensitive value: Puppet's own words."""


@final
class Default:
    """The value ``default``; there is one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "default"


DEFAULT: Final = Default()


class Symbolic:
    """A symbol of Ruby: functions of modules may give some back, and no string is equal to one."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f":{self.name}"


class Sensitive(msgspec.Struct, frozen=True, eq=False):
    """A value that may not be shown."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sensitive) and identity(self.value) == identity(other.value)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Sensitive, identity(self.value)))

    def __repr__(self) -> str:
        return HIDDEN


class Regexp(msgspec.Struct, frozen=True):
    """A regular expression, by its Ruby source."""

    pattern: str


class ResourceRef(msgspec.Struct, frozen=True):
    """``File['/x']``; `type` is capitalised (``My::Def``); without a title it is ``File``.

    A bare ``Resource`` has neither (`type` is None).  `held`: see `held`.
    """

    type: str | None
    title: str | None = None
    held: bool = False

    def __str__(self) -> str:
        if self.type is None:
            return "Resource"
        return self.type if self.title is None else f"{self.type}[{self.title}]"


class ClassRef(msgspec.Struct, frozen=True):
    """``Class['a::b']``; `name` is lower case, None for ``Class`` alone."""

    name: str | None
    held: bool = False

    def __str__(self) -> str:
        return "Class" if self.name is None else f"Class[{capitalised(self.name)}]"


class Deferred(msgspec.Struct, frozen=True, eq=False):
    """A call that the agent makes when it applies the catalog."""

    name: str
    arguments: list[Any]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Deferred)
            and self.name == other.name
            and identity(self.arguments) == identity(other.arguments)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.name, identity(self.arguments)))


class LookupContext(msgspec.Struct, frozen=True, eq=False):
    """``Puppet::LookupContext``: what a function of data asks Hiera with."""

    cache: Hash
    module_name: str | None
    environment_name: str
    interpolate: Any
    files: dict[str, Any]
    """What was made of the files that functions in Puppet have read."""


class Timestamp(msgspec.Struct, frozen=True, order=True):
    """Nanoseconds since 1970-01-01 00:00:00 UTC."""

    nanoseconds: int


class Timespan(msgspec.Struct, frozen=True, order=True):
    """A duration in nanoseconds."""

    nanoseconds: int


class SemVer(msgspec.Struct, frozen=True):
    """A version; `prerelease` and `build` are lists of parts or None."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[str | int, ...] | None = None
    build: tuple[str | int, ...] | None = None


class SemVerRange(msgspec.Struct, frozen=True):
    """A range of versions, as it was written."""

    text: str


class Binary(msgspec.Struct, frozen=True):
    """Bytes."""

    data: bytes


class Uri(msgspec.Struct, frozen=True):
    """A URI, as it was written."""

    text: str


class Opaque(msgspec.Struct, frozen=True):
    """A value nobody here can compute: `why` says what would have given it."""

    why: str


SINGLE: frozenset[type] = frozenset([str, int, float, bool, type(None)])
"""The classes of plain values that have no parts."""


def held(value: Any, known: dict[int, tuple[Any, Any]]) -> Any:  # noqa: ANN401
    """A value as a parameter holds it: Puppet makes resources of references, and shows them so.

    `known` has what was asked before, by identity, so that parts are looked at once.
    """
    kind = value.__class__
    if kind is ResourceRef:
        return (
            value
            if value.type is None or value.held
            else ResourceRef(value.type, value.title, True)
        )
    if kind is ClassRef:
        return value if value.name is None else ClassRef(value.name, True)
    if (kind is not list and kind is not Hash) or not value:
        return value
    if kind is list:
        if SINGLE.issuperset(map(type, value)):
            return value
    elif value.only_data or (
        value.odd is None and SINGLE.issuperset(map(type, value.entries.values()))
    ):
        return value
    found = known.get(id(value))
    if found is not None:
        return found[1]
    made: Any
    if kind is list:
        made = [held(item, known) for item in value]
        same = all(map(is_, made, value))
    else:
        made = value.map_values(lambda item: held(item, known))
        if value.odd is not None:
            made = made.map_pairs(lambda key, item: (held(key, known), item))
        same = all(map(is_, made, value)) and all(map(is_, made.values(), value.values()))
    result = value if same else made
    known[id(value)] = (value, result)
    return result


def is_held(value: object) -> bool:
    """Whether a value is a reference as a parameter holds it."""
    return isinstance(value, ResourceRef | ClassRef) and value.held


def opaque_in(value: object) -> Opaque | None:
    """An unknown value in a value, if there is one."""
    if value.__class__ is str or value is None:
        return None
    if isinstance(value, Opaque):
        return value
    if isinstance(value, Sensitive):
        return opaque_in(value.value)
    if isinstance(value, Hash):
        value = [] if value.only_data else list(value.values())
    if isinstance(value, list):
        for item in value:
            if item.__class__ is not str and item is not None:
                found = opaque_in(item)
                if found is not None:
                    return found
    return None


@lru_cache(maxsize=4096)
def capitalised(name: str) -> str:
    """``my::def`` as it stands in a reference: ``My::Def``."""
    return "::".join(part[:1].upper() + part[1:] for part in name.split("::"))


__all__ = [
    "DEFAULT",
    "Binary",
    "ClassRef",
    "Default",
    "Deferred",
    "Opaque",
    "Regexp",
    "ResourceRef",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "Timespan",
    "Timestamp",
    "Uri",
    "capitalised",
    "held",
    "is_held",
    "opaque_in",
]
