"""The sections of headwater.toml that are the same for every language."""

from typing import Annotated

import msgspec

from headwater.langs.fields import About, Name


class NodesSection(msgspec.Struct, frozen=True):
    """``[nodes]``"""

    facts: Annotated[
        Name | None, About("a folder of facts: files of nodes, or of many", "facts", path="folder")
    ] = None
    trusted: Annotated[
        Name | None, About("a folder of trusted data, a file for each node", "trusted",
                           path="folder")
    ] = None  # fmt: skip
    classes: Annotated[
        Name | None, About("a file with the classes of nodes", "classes.yaml", path="file")
    ] = None


class RulesSection(msgspec.Struct, frozen=True):
    """``[rules]``"""

    files: Annotated[
        list[Name] | None, About("files of rules, or patterns of their paths", ["rules/*.toml"])
    ] = None


class DiffSection(msgspec.Struct, frozen=True):
    """``[diff]``"""

    ignore: Annotated[
        list[Name] | None,
        About("patterns of addresses whose differences are left out", ["File[/etc/motd].content"]),
    ] = None
