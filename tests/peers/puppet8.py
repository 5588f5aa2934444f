"""Puppet 8.10 as a peer: unpacked into a folder, run by the Ruby that Puppet 7 came with.

It is not the version that level 8 follows, OpenVox 8.28.1, so it has a level of its own here, which
differs from that in what is known to have come between them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import MappingProxyType

import msgspec

from headwater.langs.puppet.levels import EIGHT, LEVELS
from peers.catalogs import Oracle
from peers.puppet import installed

ABSENT = "Puppet 8 is not there (tests/peers/install.sh unpacks it)"
NUMBER = 810
LEVELS[NUMBER] = msgspec.structs.replace(
    EIGHT,
    number=NUMBER,
    version="8.10.0",
    takes_sensitive=frozenset(["split"]),
    native_parameters=MappingProxyType({}),
)
"""Puppet 8.10: without what OpenVox 8.26 added."""

_GROUP = re.compile(r"node\b[^{]*\(\?")


def library() -> Path:
    """Where its Ruby files are."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = os.environ.get("HEADWATER_PEERS") or Path(cache) / "headwater-peers"
    return Path(folder) / "puppet8/usr/lib/ruby/vendor_ruby"


def there() -> bool:
    """Whether it can be run."""
    return (library() / "puppet").is_dir() and installed()


def oracle(*options: str) -> Oracle:
    """A process of it."""
    return Oracle(*options, library=library())


def excepted(program: str) -> str | None:
    """Why a program is not compared: Puppet 8.10 has a mistake that OpenVox 8.28.1 has not."""
    if _GROUP.search(program):
        return "a node with a group (?…): Puppet 8.10 gives it a name with capital letters"
    return None
