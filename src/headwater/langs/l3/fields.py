"""What L3 takes beside its files: tags for whole operands."""

from typing import Annotated

import msgspec

from headwater.langs.fields import About, Families


class Fields(msgspec.Struct, frozen=True):
    """The inputs of a program."""

    tag: Annotated[
        list[str] | None,
        About("tags and constraints of a whole file, as if written after it",
              ["inventory.yaml=#security"], "--tag", "FILE=#TAG", many=True),
    ] = None  # fmt: skip


FAMILIES = Families("L3", program=Fields)
