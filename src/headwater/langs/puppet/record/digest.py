"""A digest of evidence: two records with the same digest say the same.

Everything that can be reached from the record and the catalog counts: frames, bindings, values,
resources, parameters, in their order.  Texts and what the engine works with do not: a node is
told by its kind and place, a unit by its name.
"""

from __future__ import annotations

import hashlib
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.syntax import ast

_PLAIN = frozenset([str, int, float, bool, bytes, type(None)])
_WITHOUT = frozenset(
    ["compilation", "entering", "pending", "sieve", "code", "_watchers", "_record"]
)
"""Attributes that are not evidence: what the engine works with."""


def digest(record: Record, catalog: Catalog) -> str:
    """The digest of a record, and of the resources it speaks of."""
    hashed = hashlib.sha256()
    numbers: dict[int, int] = {}
    kept: list[Any] = []
    todo: list[Any] = [record, catalog.resources, catalog.classes, catalog.tags]
    while todo:
        at = todo.pop()
        kind = at.__class__
        if kind in _PLAIN:
            hashed.update(f"{kind.__name__}:{at!r};".encode(errors="surrogatepass"))
            continue
        if kind is Bytes:
            hashed.update(f"{at.encoding}:{str(at)!r};".encode(errors="surrogatepass"))
            continue
        number = numbers.get(id(at))
        if number is not None:
            hashed.update(f"#{number};".encode())
            continue
        numbers[id(at)] = len(numbers)
        kept.append(at)
        parts = _parts(at)
        hashed.update(f"{kind.__name__}({len(parts)});".encode())
        todo.extend(reversed(parts))
    return hashed.hexdigest()


def _parts(at: object) -> list[Any]:
    """What an object says, in order."""
    if isinstance(at, ast.Record):
        return [getattr(at, "start", 0), getattr(at, "end", 0)]
    if isinstance(at, Unit):
        return [at.name]
    if isinstance(at, dict):
        return [part for entry in at.items() for part in entry]
    if isinstance(at, list | tuple):
        return list(at)
    if isinstance(at, set | frozenset):
        return sorted(at, key=repr)
    names = getattr(at, "__struct_fields__", None)
    if names is None:
        slots = [name for base in type(at).__mro__ for name in getattr(base, "__slots__", ())]
        names = [*slots, *getattr(at, "__dict__", ())]
    found: list[Any] = []
    for name in names:
        if name not in _WITHOUT and hasattr(at, name):
            found += [name, getattr(at, name)]
    return found
