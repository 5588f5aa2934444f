"""Reads what ``puppet generate types`` wrote into ``.resource_types`` of an environment.

A file there is one call in Puppet's language: name, properties, parameters, patterns of titles,
and whether two resources of one name are the same.
"""

from __future__ import annotations

from functools import lru_cache

from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.titles import TitlePattern
from headwater.langs.puppet.files import NO_FILE, Stamp, refused
from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source, Unreadable, read_source

_MAKER = "Puppet::Resource::ResourceType3"


@lru_cache(maxsize=4096)
def generated(path: str, name: str, stamp: Stamp = NO_FILE) -> TypeInfo | None:
    """The type that a file describes; None if it describes none of that name."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise refused(source, path)
    return _described(source, name)


def _described(source: Source, name: str) -> TypeInfo | None:
    parsed = parse(source)
    call = parsed.program.body[0] if parsed.ok and parsed.program.body else None
    if not isinstance(call, ast.Method) or not isinstance(call.receiver, ast.TypeName):
        return None
    if call.receiver.value != _MAKER or len(call.args) < 3 or _text(call.args[0]) != name:
        return None
    members = [entry for part in call.args[1:3] for entry in getattr(part, "items", [])]
    names: set[str] = {"name"}
    keys: list[str] = []
    for member in members:
        if isinstance(member, ast.Call) and len(member.args) > 1:
            label = _text(member.args[1])
            names.add(label)
            if len(member.args) > 2 and getattr(member.args[2], "value", False) is True:
                keys.append(label)
    patterns = _patterns(call.args[3]) if len(call.args) > 3 else ()
    isomorphic = len(call.args) < 5 or getattr(call.args[4], "value", True) is True
    return TypeInfo(name, frozenset(names), tuple(keys) or ("name",), isomorphic, patterns)


def _text(node: object) -> str:
    return str(getattr(node, "value", ""))


def _patterns(node: object) -> tuple[TitlePattern, ...]:
    """The patterns of titles; the plain one is no pattern."""
    found = [
        TitlePattern(
            getattr(entry.key, "pattern", ""), tuple(_text(item) for item in entry.value.items)
        )
        for entry in getattr(node, "entries", [])
    ]
    return () if len(found) == 1 and len(found[0].names) == 1 else tuple(found)
