"""The functions built into Puppet that need nothing of the compiler but its `Context`.

`TABLE` holds them by name.  Functions that declare classes and resources, read Hiera
or render templates belong to the engine.
"""

from headwater.langs.puppet.functions import (
    collections,
    digests,
    iteration,
    numbers,
    outside,
    patterns,
    scanf,
    strings,
    times,
    types,
    versions,
)
from headwater.langs.puppet.functions.registry import table
from headwater.langs.puppet.functions.show import shown

TABLE = table()
ROOMS = (
    collections, digests, iteration, numbers, outside, patterns, scanf, strings, times, types,
    versions,
)  # fmt: skip

__all__ = ["TABLE", "shown"]
