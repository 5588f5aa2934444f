"""The fields that only jobs of Puppet have."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from headwater.langs.fields import Name


class Fields(msgspec.Struct):
    """What a manifest is compiled for and with; `engine/inputs.py` judges and reads the rest."""

    node: object = None
    facts: object = None
    facts_file: Name | None = None
    trusted: dict[str, object] | None = None
    modulepath: list[Name] | Name | None = None
    hiera: Name | None = None
    env: Name | None = None
    classes: object = None
    pre: str | None = None
    post: str | None = None
    set: list[str] | None = None
    keep_virtual: bool | None = None
    on_unknown: Literal["error", "opaque"] | None = None
    provenance: Literal["dplus", "thesis"] | None = None
    puppet: Literal[7, 8] | None = None
    setting: list[str] | None = None
    max_steps: Annotated[int, msgspec.Meta(ge=1)] | None = None
