"""Trees of Ruby texts and templates, read once and kept by the hash of their text.

What is kept on disk is MessagePack; reading it makes nodes and nothing else, and loads no
tree-sitter.  See `headwater.langs.cache` for where it lies and when it is believed.
"""

from __future__ import annotations

import os
from typing import Final

import msgspec

from headwater.langs.cache import user_cache, version_of
from headwater.langs.puppet.ruby import syntax as s
from headwater.text import Source

FORMAT: Final = "headwater ruby tree 4"

JUDGES: Final = (
    "langs/puppet/ruby/erb.py", "langs/puppet/ruby/literals.py", "langs/puppet/ruby/patterns.py",
    "langs/puppet/ruby/reader.py", "langs/puppet/ruby/reading.py", "langs/puppet/ruby/shifts.py",
    "langs/puppet/ruby/syntax.py",    "langs/puppet/ruby/variables.py",
)  # fmt: skip
"""What makes a tree of a text."""

_SHORT: Final = 2000
"""A text that is no file and no longer than this is most likely never seen again."""

_KNOWN: dict[tuple[str, str], s.Program] = {}
_DECODER: Final = msgspec.msgpack.Decoder(s.Program)


def tree_of(source: Source, *, template: bool = False) -> s.Program:
    """The tree of a file of Ruby, or of a template; raises `Unreadable` and `Beyond`."""
    kind = "erb" if template else "rb"
    known = _KNOWN.get((kind, source.text))
    if known is None:
        known = _KNOWN[kind, source.text] = _kept_or_read(source, kind)
    return known


def _kept_or_read(source: Source, kind: str) -> s.Program:
    cache = user_cache()
    key = f"{FORMAT}\0{version_of(*JUDGES)}\0{kind}\0{source.digest()}"
    body = None if cache is None else cache.load(key)
    if body is not None:
        try:
            return _DECODER.decode(body)
        except (msgspec.DecodeError, RecursionError):
            pass
    tree = _read(source.text, kind)
    if cache is not None and (len(source.text) > _SHORT or os.path.isfile(source.name)):
        try:
            cache.store(key, msgspec.msgpack.encode(tree))
        except (ValueError, OverflowError, TypeError, RecursionError):
            return tree
    return tree


def _read(text: str, kind: str) -> s.Program:
    if kind == "erb":
        from headwater.langs.puppet.ruby.erb import read_template

        return read_template(text)
    from headwater.langs.puppet.ruby.reader import read

    return read(text)
