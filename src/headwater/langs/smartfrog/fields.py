"""The fields that only jobs of SmartFrog have; all but `phase` are for the production dialect."""

from __future__ import annotations

import msgspec


class Fields(msgspec.Struct):
    """Where to stop, and what ``PROPERTY``, ``ENVPROPERTY`` and the like may read."""

    phase: str | None = None
    property: dict[str, str | int | float | bool] | list[str] | None = None
    env_allow: list[str] | str | None = None
    external: bool | None = None
