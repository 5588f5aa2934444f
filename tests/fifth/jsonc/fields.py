"""What JSON with comments takes."""

from typing import Annotated

import msgspec

from headwater.langs.fields import About, Count, Families


class Fields(msgspec.Struct, frozen=True):
    max_levels: Annotated[
        Count | None, About("how deep values may be nested (100)", 10, "--max-levels", "N")
    ] = None


FAMILIES = Families("JSON with comments", program=Fields)
