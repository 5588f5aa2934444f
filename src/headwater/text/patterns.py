"""Regular expressions that a command may never need.

Compiling one takes 30 to 130 µs, and the modules of a small command have a hundred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any


class LatePattern:
    """A regular expression that is compiled at first use; then as fast as any."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search",
                 "split", "sub", "subn")  # fmt: skip

    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[Any]]
    sub: Callable[..., str]
    subn: Callable[..., tuple[str, int]]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            # Called only while the methods are not there yet.
            if name not in LatePattern.__slots__:
                raise AttributeError(name)
            compiled = re.compile(self._source, self._flags)
            for method in LatePattern.__slots__[2:]:
                setattr(self, method, getattr(compiled, method))
            return getattr(self, name)
