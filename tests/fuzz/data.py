"""Documents of JSON's kind with something wrong in them: a type, a depth, a number, a text."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from fuzz.texts import STRINGS

_DEEP = "\u2603deep"
"""Stands for a nested value, which encoders cannot write: it becomes one in the text."""

SCALARS: list[Any] = [
    None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e308, 5e-324, 2**31, 2**63, -(2**63) - 1, 2**64,
    10**25, 10**400, *STRINGS, "5", "a.b", "n.x", "home", "engine", "paper", "puppet", "error",
]  # fmt: skip


def odd_value(rng: Random) -> object:
    """A value that is likely wrong wherever it stands."""
    match rng.randrange(12):
        case 0:
            return f"{_DEEP} {rng.choice([20, 200, 1000, 100_000])} {rng.choice('[{')}"
        case 1:
            return []
        case 2:
            return {}
        case 3:
            return [odd_value(rng) for _ in range(rng.randint(1, 3))]
        case 4:
            return {str(rng.choice(SCALARS)): odd_value(rng) for _ in range(rng.randint(1, 3))}
        case 5:
            return [[], [[], []]]
        case _:
            return rng.choice(SCALARS)


def places(root: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401
    """Every place of a document: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    todo = [root]
    while todo:
        value = todo.pop()
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in [*inside]:
            found.append((value, key))
            if isinstance(part, dict | list):
                todo.append(part)
    return found


def mutated(document: object, rng: Random, donors: list[Any] | None = None) -> object:
    """A copy with one to three things wrong."""
    holder = {"root": copy.deepcopy(document)}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        holders = places(holder)
        parent, key = rng.choice(holders if rng.random() < 0.97 else holders[:1])
        match rng.randrange(8):
            case 0 if isinstance(parent, dict) and len(holders) > 1:
                del parent[key]
            case 1 if isinstance(parent, dict):
                parent[str(rng.choice([*STRINGS, f"{key}x", str(key).upper()]))] = parent[key]
            case 2:
                parent[key] = [parent[key]]
            case 3:
                parent[key] = {"a": parent[key]}
            case 4 if donors:
                parent[key] = copy.deepcopy(rng.choice(donors))
            case _:
                parent[key] = odd_value(rng)
        holder.setdefault("root", None)
    return holder["root"]


def written(document: object) -> str:
    """As JSON, with the nested values in it."""
    pieces = json.dumps(document, ensure_ascii=True, default=str).split(json.dumps(_DEEP)[:-1])
    text = pieces[0]
    for piece in pieces[1:]:
        said, _, rest = piece.partition('"')
        _, times, bracket = said.split(" ")
        many = min(int(times), 100_000)
        text += "[" * many + "]" * many if bracket == "[" else '{"a":' * many + "1" + "}" * many
        text += rest
    return text
