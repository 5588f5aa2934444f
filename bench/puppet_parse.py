"""Parsing Debian's Puppet modules: ours against Puppet's own parser, in the same run.

Both sides have all texts in memory and run in one process each; each is measured in
turn, several times, and the best time of each counts.  The goals: parsing and parsing
with validation, each at least 4 times as fast as Puppet.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from given import nothing
from headwater.langs.puppet.syntax import parse, validate
from headwater.langs.puppet.syntax.cache import TreeCache
from headwater.text import Source, read_source
from peers.puppet import ABSENT, Puppet, corpus, installed

ROUNDS = 3
GOAL = 4.0


def ours(sources: list[Source], *, check: bool) -> float:
    """Seconds that we take."""
    began = time.perf_counter()
    for source in sources:
        parsed = parse(source)
        if check:
            validate(parsed.program)
    return time.perf_counter() - began


def cached(sources: list[Source], folder: Path) -> float:
    """Seconds to load the same trees from the cache."""
    cache = TreeCache(folder)
    for source in sources:
        cache.store(parse(source).program)
    began = time.perf_counter()
    for source in sources:
        assert cache.load(source) is not None
    return time.perf_counter() - began


def main() -> int:
    """Prints MB/s and the ratios; 1 if a goal is missed."""
    nothing(__doc__)
    if not installed() or not corpus():
        print(f"skipped: {ABSENT}")
        return 0
    sources = [s for s in map(read_source, corpus()) if isinstance(s, Source)]
    files = [(source.name, source.text) for source in sources]
    size = sum(len(text.encode()) for _, text in files) / 1e6
    print(f"{len(files)} files, {size:.2f} MB")
    peer = Puppet()
    missed = 0
    for what, check in (("parse", False), ("parse and validate", True)):
        times = [
            (ours(sources, check=check), peer.seconds(files, validate=check)) for _ in range(ROUNDS)
        ]
        mine, theirs = (min(column) for column in zip(*times, strict=True))
        ratio = theirs / mine
        missed += ratio < GOAL
        print(
            f"{what}: ours {size / mine:.2f} MB/s, Puppet {size / theirs:.2f} MB/s, "
            f"{ratio:.1f} times as fast (goal {GOAL:.0f})"
        )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        seconds = min(cached(sources, Path(folder)) for _ in range(2))
    best = min(ours(sources, check=False) for _ in range(2))
    print(f"load from the cache: {size / seconds:.2f} MB/s, {best / seconds:.1f} times parsing")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
