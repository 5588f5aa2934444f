"""Interpolation in data of Hiera: what ``%{variable}`` and ``%{lookup('key')}`` come to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.hiera.keys import dig
from headwater.langs.puppet.hiera.merge import NOT_FOUND, Found
from headwater.langs.puppet.hiera.pieces import pieces, together
from headwater.langs.puppet.hiera.pieces import segments as parts_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, opaque_in
from headwater.report import Note

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.config import Level
    from headwater.langs.puppet.hiera.host import Frame
    from headwater.langs.puppet.hiera.layers import Layers

INNER_LOOKUP = 300
"""What a look-up inside of data counts: all that is recorded of it is kept, two kilobytes or so."""
MOST_TEXT = 100_000_000
"""Characters of a text."""
_NONE = Hash()
_EMPTIED = ": it is taken as empty"


class UnknownPlace(Exception):
    """The name of a place holds an unknown value."""

    def __init__(self, why: Opaque) -> None:
        super().__init__(why.why)
        self.why = why


class Interpolation(ABC):
    """What a look-up knows when it fills in the texts of data, and notes what it read for them."""

    def __init__(
        self, layers: Layers, frame: Frame, overrides: Hash | None = None,
        defaults: Hash | None = None,
    ) -> None:  # fmt: skip
        self.layers = layers
        self.frame = frame
        self.overrides = overrides or _NONE
        self.defaults = defaults or _NONE
        self.in_3 = False
        """Whether the data that are being read are of version 3."""
        self.record = LookupRecord("")
        self.reading: tuple[DataFile, str] | None = None
        """The file and the key whose value is being interpolated."""

    @abstractmethod
    def inner(self, key: str) -> Found:
        """What ``lookup('key')`` in a text finds; its record is part of this one's."""

    def interpolated(self, value: Value, *, methods: bool = True) -> Value:
        """A value of data with its interpolations done."""
        if isinstance(value, str):
            return self.interpolate(value, methods=methods) if "%{" in value else value
        if isinstance(value, list):
            return [self.interpolated(item, methods=methods) for item in value]
        if isinstance(value, Hash):
            return Hash.of(
                (self.interpolated(k, methods=methods), self.interpolated(v, methods=methods))
                for k, v in value.pairs()
            )
        return value

    def interpolated_hash(self, value: Hash) -> Hash:
        """The options of a level with their interpolations done."""
        made = self.interpolated(value, methods=False)
        assert isinstance(made, Hash)
        return made

    def interpolate(
        self, text: str, *, methods: bool = True, extra: dict[str, Any] | None = None,
        location: Level | None = None,
    ) -> Value:  # fmt: skip
        """A text with its interpolations done; ``alias`` gives a value of any kind.

        `location`: the level of which the text says in which files to look.
        """
        if "%{" not in text:
            return text
        out: list[str] = []
        every, rest = pieces(text)
        odd = text.__class__ is Bytes
        for one in every:
            out.append(one.before)
            if one.method is None:
                if not one.name:
                    continue
                value = self.variable(parts_of(one.name), extra, location)
                if value.__class__ is not str or "%{" in value:
                    value = self.interpolated(value)
                if value is None or value == "":
                    self.record.empty.append(one.name)
            else:
                if not methods:
                    raise Problem(
                        codes.HIERA_CONFIG, message=f"no functions are allowed in '{text}'"
                    )
                value = self._method(one.method, one.name, text, one.whole)
                if one.method == "alias":
                    return value
            if value.__class__ is str:
                out.append(value)
                continue
            unknown = opaque_in(value)
            if unknown is not None:
                self.record.unknown = unknown.why
                if not methods:
                    raise UnknownPlace(unknown)
                return unknown
            value = value if isinstance(value, str) else _as_ruby(value)
            odd = odd or value.__class__ is Bytes
            out.append(value)
        out.append(rest)
        size = sum(map(len, out))
        self.layers.host.spend(2 + (size >> 6))
        if size > MOST_TEXT:
            raise Problem(codes.VALUE_TOO_LARGE, bound=f"{MOST_TEXT:,} characters")
        return together(text, out) if odd else "".join(out)

    def _method(self, name: str, key: str, text: str, whole: str) -> Value:
        if name == "literal":
            return key
        if name == "scope":
            return self.variable(parts_of(key))
        if name not in ("lookup", "hiera", "alias"):
            raise Problem(codes.HIERA_CONFIG, message=f"there is no interpolation {name}()")
        if name == "alias" and text != whole:
            raise Problem(
                codes.HIERA_CONFIG, message=f"alias() must be the whole text, not in '{text}'"
            )
        self.layers.host.spend(INNER_LOOKUP)
        value = self.inner(key)
        return self.defaults.get(key, "") if value is NOT_FOUND else value

    def variable(
        self, segments: Sequence[str | int], extra: dict[str, Any] | None = None,
        location: Level | None = None,
    ) -> Value:  # fmt: skip
        """A variable, or what lies in it."""
        root = str(segments[0])
        self.record.read.append(".".join(map(str, segments)))
        if extra and root in extra:
            value = extra[root]
        elif root in self.overrides:
            value = self.overrides[root]
        else:
            found = self._calling(root) if self.in_3 else None
            if found is None:
                found = self.layers.host.variable(self.frame, root)
            value = self._unknown_variable(root, location) if found is None else found[0]
        if value is None or len(segments) == 1:
            return value
        inside = dig(value, list(segments[1:]), root)
        return None if inside is NOT_FOUND else inside

    def _calling(self, name: str) -> tuple[Any] | None:
        """A name that only data of version 3 have: who looks up."""
        host = self.layers.host
        match name:
            case "calling_class":
                return (host.calling_class(self.frame),)
            case "calling_class_path":
                return ((host.calling_class(self.frame) or "").replace("::", "/"),)
            case "calling_module":
                return host.variable(self.frame, "module_name") or (None,)
        return None

    def _unknown_variable(self, root: str, location: Level | None) -> Value:
        """What stands for a variable that is not there."""
        host = self.layers.host
        strict = host.strict == "error"
        if root in self.defaults and (host.level.interpolates_defaults or not strict):
            return self.defaults[root]
        at = location.at if location is not None else None
        if self.reading is not None:
            file, key = self.reading
            at = file.span((key,))
        if not strict:
            if host.strict == "warning" and at is not None:
                host.warn(codes.UNKNOWN_VARIABLE, at, name=root, reason=_EMPTIED)
            return None
        if location is None or not host.level.spared_locations:
            labels = [Note("it is interpolated here", at)] if at is not None else []
            raise Problem(codes.UNKNOWN_VARIABLE, labels=labels, name=root, reason=" (in Hiera)")
        if root not in self.layers.spared:
            self.layers.spared.add(root)
            host.warn(codes.UNKNOWN_VARIABLE, location.at, name=root, reason=_EMPTIED)
        return None


def _as_ruby(value: Value) -> str:
    """A value that is no text, in a text: here Ruby writes it, not Puppet."""
    from headwater.langs.puppet.types.rubytext import to_s

    return "" if value is None else to_s(value)
