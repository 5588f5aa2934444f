"""The fields that only jobs of Opal have."""

from __future__ import annotations

import msgspec


class Fields(msgspec.Struct):
    """What surrounds a program; `inputs.py` judges and reads it."""

    initial: object = None
    endorse: object = None
    at: object = None
    ext: object = None
