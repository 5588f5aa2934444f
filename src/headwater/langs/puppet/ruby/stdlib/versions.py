"""``Gem::Version``: versions as RubyGems orders them; and that of Ruby itself."""

from __future__ import annotations

import re
from typing import Final

from headwater.langs.puppet.ruby.classes import BUILTIN, COMPARABLE, OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import Native, RubyValue, Text

module("Gem")
VERSION: Final = define("Gem::Version", OBJECT)
VERSION.included.append(COMPARABLE)
_WELL_FORMED = re.compile(
    r"\s*+(?>(?:[0-9]++(?>(?:\.[0-9a-zA-Z]++)*)(?>(?:-[0-9A-Za-z-]++(?>(?:\.[0-9A-Za-z-]++)*))?))?)\s*+\Z"
)
_PART = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)


class Version(Native):
    """One version."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text.strip().replace("-", ".pre.") or "0"

    @property
    def segments(self) -> list[int | str]:
        """Numbers and words, in order."""
        return [int(one) if one.isdigit() else one for one in _PART.findall(self.text)]

    def compare(self, other: Version) -> int:
        """Less than 0, 0 or more: a word is before every number."""
        ours, theirs = _trimmed(self.segments), _trimmed(other.segments)
        for at in range(max(len(ours), len(theirs))):
            a = ours[at] if at < len(ours) else 0
            b = theirs[at] if at < len(theirs) else 0
            if a == b:
                continue
            if isinstance(a, str) and isinstance(b, str):
                return -1 if a < b else 1
            if isinstance(a, int) and isinstance(b, int):
                return -1 if a < b else 1
            return -1 if isinstance(a, str) else 1
        return 0


def _trimmed(parts: list[int | str]) -> list[int | str]:
    """Without the zeros at the end of the numbers and of the whole."""
    word = next((at for at, part in enumerate(parts) if isinstance(part, str)), len(parts))
    head, tail = parts[:word], parts[word:]
    for part in (head, tail):
        while part and part[-1] == 0:
            part.pop()
    return [*head, *tail]


OF_TYPE[Version] = VERSION


@own_method(VERSION, "new", "create")
def new(m: Machine, self: RubyValue, text: RubyValue) -> RubyValue:
    if text.__class__ is Version:
        return text
    spelled = m.text(text)
    if _WELL_FORMED.match(spelled) is None:
        raise m.error("ArgumentError", f"Malformed version number string {spelled}")
    return Version(spelled)


@method(VERSION, "<=>")
def compare(m: Machine, self: Version, other: RubyValue) -> RubyValue:
    if other.__class__ is not Version:
        if not isinstance(other, Text) or _WELL_FORMED.match(m.text(other)) is None:
            return None
        other = Version(m.text(other))
    return self.compare(other)


@method(VERSION, "to_s", "version")
def to_s(m: Machine, self: Version) -> str:
    return self.text


@method(VERSION, "inspect")
def inspect(m: Machine, self: Version) -> str:
    return f'#<Gem::Version "{self.text}">'


@method(VERSION, "segments")
def segments(m: Machine, self: Version) -> RubyValue:
    return [Text(one) if isinstance(one, str) else one for one in self.segments]


@method(VERSION, "prerelease?")
def is_prerelease(m: Machine, self: Version) -> RubyValue:
    return any(isinstance(one, str) for one in self.segments)


assert BUILTIN["Gem::Version"] is VERSION


_RUBY: Final[dict[str, RubyValue]] = {
    "VERSION": "3.1.2", "ENGINE": "ruby", "ENGINE_VERSION": "3.1.2", "PATCHLEVEL": 20,
    "RELEASE_DATE": "2022-04-12",
}  # fmt: skip
"""The Ruby that all this is compared with; its platform is not told."""

for _name, _told in _RUBY.items():
    OBJECT.constants[f"RUBY_{_name}"] = _told
