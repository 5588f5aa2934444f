"""The cache of this user: where it is, what is in it, forgetting it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from headwater.langs.cache import most_bytes, usable, user_cache


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """A cache; `state` is ``on``, ``off``, or ``unsafe`` if others may write to its folder."""

    state: str
    folder: str | None = None
    entries: int = 0
    bytes: int = 0
    most_bytes: int = 0

    def as_json(self) -> dict[str, object]:
        """The document of the machine interface."""
        return {
            "format_version": 1,
            "state": self.state,
            "folder": self.folder,
            "entries": self.entries,
            "bytes": self.bytes,
            "most_bytes": self.most_bytes,
        }


def cache_info() -> CacheInfo:
    """What there is to know of the cache."""
    cache = user_cache()
    if cache is None:
        return CacheInfo("off")
    state = "on" if usable(cache.folder) or not os.path.lexists(cache.folder) else "unsafe"
    entries, size = cache.info() if state == "on" else (0, 0)
    return CacheInfo(state, cache.folder, entries, size, most_bytes())


def clear_cache() -> int:
    """Forgets everything; how many entries that were."""
    cache = user_cache()
    return cache.clear() if cache is not None and usable(cache.folder) else 0
