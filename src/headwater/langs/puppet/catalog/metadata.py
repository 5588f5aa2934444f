"""What the compiler must know of types written in Ruby: names of parameters, keys, titles.

The agent's own types and those of the ``*_core`` modules are data (types.json, asked once
of Puppet 7.23); those of modules that are there come from a scan of their files (see scan).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from headwater.langs.puppet.late import shipped
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.titles import TitlePattern
else:
    when_called(globals(), "headwater.langs.puppet.catalog.titles", "TitlePattern")

_STRIPS = r"(?m:^(/|.+:/|.*[^/])/*\Z)"
"""The pattern of titles of ``file``: the title without the slashes at its end."""

OWN = frozenset(
    ["component", "exec", "file", "filebucket", "group", "notify", "package", "resources",
     "schedule", "service", "stage", "tidy", "user", "whit"]
)  # fmt: skip
"""The agent's own types, which no module can bring another of."""


class TypeInfo(msgspec.Struct, eq=False):
    """A native type.  `open` when not all parameters are known: then any is accepted."""

    name: str
    parameters: frozenset[str]
    keys: tuple[str, ...] = ("name",)
    isomorphic: bool = True
    patterns: tuple[TitlePattern, ...] = ()
    open: bool = False
    unread: bool = False
    """Whether it has title patterns that only Ruby can tell."""
    unsure: bool = False
    """Whether its file says more than a scan understands, so that Ruby is asked first."""
    namevar: str = ""
    """The parameter that the title stands for."""
    accepted: frozenset[str] = frozenset()
    """The parameters there are, metaparameters included."""
    plain: bool = False
    """Whether a title is the one key of its resource, unless it ends with `ending`."""
    ending: str = "\0"
    _titled: bool = False
    """Whether a title is the value of `namevar` and nothing else, unless it ends with `ending`."""
    _every_key: frozenset[str] = frozenset()
    """What may be given as a key: the keys and ``name``."""
    _from_title: tuple[bool, ...] = ()
    """Of each key, in order of their names, whether a title that is all that is given is it."""
    _without_keys: bool = False
    """Whether a title that is all that is given says nothing of keys."""

    def __post_init__(self) -> None:
        self.namevar = self.keys[0] if len(self.keys) == 1 else "name"
        self.accepted = self.parameters | metaparameter_names()
        strips = [one.pattern for one in self.patterns] == [_STRIPS]
        self.plain = len(self.keys) == 1 and (strips or not self.patterns)
        self.ending = "/" if strips else "\0"
        self._titled = self.plain or (not self.patterns and bool(self.keys))
        self._every_key = frozenset([*self.keys, "name"])
        self._from_title = tuple(key in (self.namevar, "name") for key in sorted(self.keys))
        self._without_keys = not self.isomorphic or not any(self._from_title)

    @property
    def settled(self) -> bool:
        """Whether nothing is left that only Ruby can tell."""
        return not (self.unsure or self.unread or self.open)

    @property
    def plainly_titled(self) -> bool:
        """Whether any title fits, as far as is known without Ruby."""
        fits = self.plain or (self._titled and not self.open)
        return fits and not self.unread and not self.unsure

    def is_name(self, title: str, given: Container[str]) -> bool:
        """Whether a title is the name of a resource, and nothing that is given says another."""
        return self._titled and self.namevar not in given and title[-1:] != self.ending

    def key_of_title(self, title: str, given: Iterable[str]) -> tuple[str | None, ...] | None:
        """The keys of a resource that has them from its title alone; none where that is the key.

        None where what is given has to be looked at.
        """
        if not self._titled or title[-1:] == self.ending or not self._every_key.isdisjoint(given):
            return None
        if self.plain or self._without_keys:
            return ()
        return tuple([title if is_title else None for is_title in self._from_title])

    def accepts(self, parameter: str) -> bool:
        """Whether there is such a parameter."""
        return self.open or parameter in self.accepted

    def parse_title(self, title: str) -> dict[str, str | None] | None:
        """The parameters that a title gives, or None if no pattern fits, or there is no key."""
        if not self.keys:
            return None
        if self.plain and title[-1:] != self.ending and title:
            return {self.namevar: title}
        if not self.patterns:
            return {self.namevar: title}
        for pattern in self.patterns:
            found = pattern.parse(title)
            if found is not None:
                return found
        return None


@cache
def _document() -> dict[str, Any]:
    return shipped("catalog/types.json")


@cache
def metaparameters() -> tuple[str, ...]:
    """The names of the metaparameters, in Puppet's order."""
    return tuple(_document()["metaparameters"])


@cache
def metaparameter_names() -> frozenset[str]:
    """The same as a set."""
    return frozenset(metaparameters())


RELATIONS = ("require", "subscribe", "before", "notify")
"""The metaparameters that order resources."""


@cache
def inherited_metaparameters() -> tuple[str, ...]:
    """Those that contained resources take over."""
    return tuple(name for name in metaparameters() if name not in RELATIONS)


@cache
def builtin(name: str, level: LanguageLevel = DEFAULT) -> TypeInfo | None:
    """A type that is shipped as data, as it is at a level."""
    entry = _document()["types"].get(name)
    if entry is None:
        return None
    patterns = tuple(
        TitlePattern(source, tuple(names)) for source, names in entry.get("patterns", ())
    )
    return TypeInfo(
        name,
        frozenset([*entry["parameters"], *level.native_parameters.get(name, ()), "name"]),
        tuple(entry["keys"]),
        entry.get("isomorphic", True),
        patterns,
    )
