"""What a program computes with: `Value` is the closed union of Puppet's values.

A lambda is no value: it only stands after a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from headwater.langs.puppet import values as v
    from headwater.langs.puppet.hashes import Hash
    from headwater.langs.puppet.types.iterator import PuppetIterator
    from headwater.langs.puppet.types.model import Type

Value: TypeAlias = (
    "None | bool | int | float | str | list[Any] | Hash | v.Default | v.Regexp | v.Sensitive "
    "| v.Deferred | v.Timestamp | v.Timespan | v.SemVer | v.SemVerRange | v.Binary | v.Uri "
    "| v.LookupContext | v.Opaque | v.Symbolic | Type | PuppetIterator"
)
"""One value.  What arrays and hashes hold are values too, which mypy is not told: a list of texts
would be no list of values to it."""
