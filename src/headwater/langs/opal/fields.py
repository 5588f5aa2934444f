"""What Opal takes: what surrounds a program."""

from typing import Annotated

import msgspec

from headwater.langs.fields import About, Families


class Fields(msgspec.Struct, frozen=True):
    """The surroundings of a program; `inputs.py` reads the stores in them."""

    ext: Annotated[bool | None, About("allow the extensions", True, "--ext")] = None
    initial: Annotated[
        dict[str, object] | None, About("stores to begin with", {"shop.sold": [[], []]})
    ] = None
    endorse: Annotated[
        list[str] | None, About("the principals who say yes (all by default)", ["shop"])
    ] = None
    at: Annotated[str | None, About("where the program starts (home)", "shop")] = None


class Run(msgspec.Struct, frozen=True):
    """What a run over a durable store takes."""

    ext: Annotated[bool | None, About("allow the extensions", True, "--ext")] = None
    at: Annotated[str | None, About("where the program starts (home)", "shop", "--at", "NAME")] = (
        None
    )


FAMILIES = Families("Opal", program=Fields, run=Run)
