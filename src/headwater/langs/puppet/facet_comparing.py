"""What Puppet knows of comparing two catalogs (`langs/comparing.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from headwater.langs.protocol import Outcome
    from headwater.tree import Address, Change, Value


class PuppetComparing:
    """Comparing, for the language's object."""

    def in_form_only(self, change: Change) -> bool:
        """Whether both values mean the same to an agent."""
        from headwater.langs.puppet.catalog.comparing import in_form_only

        return in_form_only(change)

    def data_format(self, address: Address, result: Value) -> Literal["json", "yaml"] | None:
        """What the content of a file is written in."""
        from headwater.langs.puppet.catalog.comparing import data_format

        return data_format(address, result)

    def files_named(self, outcome: Outcome) -> Mapping[Address, str]:
        """The files of modules that are sources of files."""
        from headwater.langs.puppet.adapter import files_named

        return files_named(outcome)

    def absent_references(self, result: Value) -> Mapping[Address, str]:
        """The resources that others refer to and that are not there."""
        from headwater.langs.puppet.catalog.comparing import absent_references

        return absent_references(result)

    def saved_result(self, text: str) -> Value | None:
        """A saved catalog."""
        from headwater.langs.puppet.catalog.comparing import read_catalog

        return read_catalog(text)
