"""What both engines do alike with a finished result: its bounds and how values are shown."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from headwater.tree import Value

MOST_VALUES = 2_000_000
"""How many values a result may have.  Links can double a result with every line."""

SUB_STORE = "{…}"
"""What stands for a component inside a shown component."""

MOST_SHOWN = 12


def first_level(attributes: Iterable[tuple[str, Value]]) -> Value:
    """A component as it is shown among overridden values: a few attributes, one level deep."""
    some = list(islice(attributes, MOST_SHOWN + 1))
    level: dict[str, Value] = dict(some[:MOST_SHOWN])
    if len(some) > MOST_SHOWN:
        level["…"] = SUB_STORE
    return level
