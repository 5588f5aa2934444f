"""Results: ordered trees, how their parts are addressed, written out and compared."""

from typing import TYPE_CHECKING

from headwater.text.late import late
from headwater.tree.address import Address, BadAddress, parse_address, show_address
from headwater.tree.result import NotThere, Result, Tree, is_leaf, writable
from headwater.tree.value import DataReference, Value

if TYPE_CHECKING:
    from headwater.tree.diff import Change, differences
else:
    __getattr__ = late(__name__, {"diff": "Change differences"})

__all__ = [
    "Address",
    "BadAddress",
    "Change",
    "DataReference",
    "NotThere",
    "Result",
    "Tree",
    "Value",
    "differences",
    "is_leaf",
    "parse_address",
    "show_address",
    "writable",
]
