"""What a side has under the names that a compilation read.

A compilation gives the same result on two sides if everything it read is the same on both:
contents of files, names in folders, keys of data files, facts, variables of the environment, and
what was not there.
"""

from __future__ import annotations

import os
import stat
from typing import TypeAlias

from headwater.fleet.sides import Side
from headwater.langs.keyed import PARTS, KeysData, KeysFacts
from headwater.text.digest import sha256
from headwater.text.moment import SEEN, Seen
from headwater.text.reading import Unread, is_folder, look, names_in, read_bytes, real_path
from headwater.text.reads import Reads

Identity: TypeAlias = str
"""Equal where what was read is equal."""

MISSING: Identity = "-"


class Identities:
    """What a side has, each name looked up once."""

    def __init__(self, side: Side, language: object) -> None:
        self._side = side
        self._keyed = language if isinstance(language, KeysData) else None
        self._facts = language if isinstance(language, KeysFacts) else None
        self._contents: dict[str, Identity] = {}
        self._kinds: dict[str, Identity] = {}
        self._keys: dict[str, dict[str, Identity]] = {}
        self._parts: dict[str, dict[str, Identity]] = {}

    def content(self, path: str) -> Identity:
        """What a file holds, or which names a folder has and of which kind each is."""
        if path not in self._contents:
            with self._side.here():
                self._contents[path] = _content(path)
        return self._contents[path]

    def kind(self, path: str) -> Identity:
        """Whether there is a file or a folder."""
        if path not in self._kinds:
            with self._side.here():
                self._kinds[path] = _kind(path)
        return self._kinds[path]

    def key(self, path: str, key: str) -> Identity:
        """What a data file has under a key."""
        keys = self._keys.setdefault(path, {})
        found = keys.get(key)
        if found is None:
            with self._side.here():
                told = None if self._keyed is None else self._keyed.key_identity(path, key)
            found = keys[key] = self.content(path) if told is None else told
        return found

    def fact(self, path: str, part: str) -> Identity:
        """What a file of facts has in a part of it."""
        parts = self._parts.setdefault(path, {})
        found = parts.get(part)
        if found is None:
            with self._side.here():
                told = None if self._facts is None else self._facts.fact_identity(path, part)
            found = parts[part] = self.content(path) if told is None else told
        return found

    def forget(self, path: str) -> None:
        """Looks a path up again when it is asked for: it may be another thing by then."""
        for known in (self._contents, self._kinds, self._keys, self._parts):
            known.pop(path, None)


class Momentary:
    """What a side has at the moment that is looked at (`at_one_moment`), and at no other."""

    def __init__(self, side: Side, language: object) -> None:
        self._side = side
        self._language = language
        self._known: tuple[Seen | None, Identities] | None = None

    def now(self) -> Identities:
        """What it has at this moment."""
        with self._side.here():
            seen = SEEN.get()
        if self._known is None or seen is None or self._known[0] is not seen:
            self._known = (seen, Identities(self._side, self._language))
        return self._known[1]


def variable(name: str) -> Identity:
    """What a variable of the environment is set to."""
    value = os.environ.get(name)
    return MISSING if value is None else sha256(os.fsencode(value)).hexdigest()


def first_difference(reads: Reads, one: Identities, other: Identities) -> str | None:
    """A path whose content, kind or parts are not the same on two sides; None if all are."""
    for path in sorted(reads.contents):
        if one.content(path) != other.content(path):
            return path
    for path in sorted(reads.kinds - reads.contents):
        if one.kind(path) != other.kind(path):
            return path
    for path, keys in sorted(reads.keys.items()):
        if one.content(path) != other.content(path):
            for key in keys:
                if one.key(path, key) != other.key(path, key):
                    return path
    for path, parts in sorted(reads.facts.items()):
        part = PARTS.join(sorted(parts))
        changed = one.content(path) != other.content(path)
        if changed and one.fact(path, part) != other.fact(path, part):
            return path
    return None


def _content(path: str) -> Identity:
    try:
        about = look(path)
        if about is None:
            return MISSING
        if stat.S_ISDIR(about.st_mode):
            names = [f"{name}/{_kind(os.path.join(path, name))}" for name in names_in(path)]
            return _digest("d", "\0".join(names).encode("utf-8", "surrogateescape"), path)
        return _digest("f", read_bytes(path), path)
    except Unread as unread:
        return f"!{unread.kind}"


def _digest(kind: str, content: bytes, path: str) -> Identity:
    """With the path that links lead to: rules about what may be read go by it."""
    inner = sha256(content).hexdigest()
    return f"{kind}{inner}:{real_path(path)}"


def _kind(path: str) -> Identity:
    try:
        if is_folder(path):
            return "d"
        return MISSING if look(path) is None else "f"
    except Unread as unread:
        return f"!{unread.kind}"
