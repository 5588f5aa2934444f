"""Words of production SmartFrog: names that need no quotes, and tags that mean something."""

from __future__ import annotations

import re

RESERVED = frozenset(
    ["APPLY", "ASSERT", "ATTRIB", "CONSTANT", "DATA", "ELSE", "ENDSWITCH", "ENVPROPERTY",
     "FI", "HERE", "HOST", "IENVPROPERTY", "IF", "IPROPERTY", "LAZY", "NULL", "OPTIONAL",
     "PARENT", "PROCESS", "PROPERTY", "ROOT", "SWITCH", "TBD", "THEN", "THIS", "VAR",
     "extends", "false", "true"]
)  # fmt: skip

FINAL, OVERRIDE, LOCAL = "sfFinal", "sfOverride", "sfLocal"
"""Tags that mean something."""

LAZY, DATA = "sfFunctionLazy", "sfFunctionData"
"""Attributes of a function that keep it for run time."""

_LETTER = r"A-Za-z_$¢-¥ªµºÀ-ÖØ-öø-ÿ"
WORD = rf"[{_LETTER}][{_LETTER}0-9.\-+@\#~%^&]*"

_IS_WORD = re.compile(rf"{WORD}\Z")


def is_word(name: str) -> bool:
    """Whether a name can be written without quotes."""
    return bool(_IS_WORD.match(name)) and name not in RESERVED
