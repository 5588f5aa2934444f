"""The functions of production SmartFrog, by the name of their class.

A function is given a `Call` and answers a value with its node; a value that is taken over
from an argument keeps that argument's node.
"""

from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function
from headwater.langs.smartfrog.production.functions.choosing import CHOOSING
from headwater.langs.smartfrog.production.functions.logic import LOGIC
from headwater.langs.smartfrog.production.functions.numbers import NUMBERS, added_at_once
from headwater.langs.smartfrog.production.functions.outside import OUTSIDE
from headwater.langs.smartfrog.production.functions.texts import TEXTS, joined_at_once

FUNCTIONS: dict[str, Function] = {**CHOOSING, **LOGIC, **NUMBERS, **OUTSIDE, **TEXTS}

__all__ = [
    "FUNCTIONS",
    "LOGIC",
    "NUMBERS",
    "Call",
    "Failed",
    "Function",
    "added_at_once",
    "joined_at_once",
]
