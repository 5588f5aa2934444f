"""``metadata.json`` of a module: one that is faulty makes Puppet leave the whole module out."""

from __future__ import annotations

import os
from typing import NoReturn

import msgspec

from headwater.langs.puppet.files import Stamp, refused, stamp
from headwater.langs.puppet.ruby_json import without_comments
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import reach
from headwater.tree.json import BadJson, read_json

NEEDED = ("source", "author", "version", "license", "dependencies")
"""What a metadata.json must have, unless it is empty."""


class Faulty(msgspec.Struct, frozen=True):
    """A metadata.json with a fault; `readable` if it is JSON, `fatal` if Puppet breaks on it."""

    source: Source
    at: int
    reason: str
    readable: bool
    fatal: bool = False
    empty: bool = False


_KEPT: dict[str, tuple[Stamp, Faulty | None]] = {}
"""What is wrong with the files by path, with their states."""


def faulty(folder: str, about: os.stat_result) -> Faulty | None:
    """What is wrong with the metadata of a module; `about` is what is known of their file.

    Raises `Fault` if they may not be read, at which Puppet ends too.
    """
    path = f"{folder}/metadata.json"
    now = stamp(about)
    kept = _KEPT.get(path)
    if kept is None or kept[0] != now or now[0] > reach().most_bytes:
        kept = _KEPT[path] = (now, _fault(path))
    return kept[1]


def _fault(path: str) -> Faulty | None:
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise refused(source, path).at(source.at)
    if not source.text or source.bom:
        reason = "its metadata.json is no JSON (it is empty, or begins with a byte order mark)"
        return Faulty(source, 0, reason, readable=False, empty=not source.text)

    def no_number(name: str) -> NoReturn:
        raise BadJson(f"{name} is not JSON", max(source.text.find(name), 0))

    try:
        data = read_json(without_comments(source.text), no_number)
    except BadJson as error:
        reason = f"its metadata.json is no JSON ({error.message})"
        return Faulty(source, error.at, reason, readable=False)
    if not isinstance(data, dict):
        return Faulty(source, 0, "its metadata.json is no hash", readable=True) if data else None
    missing = [name for name in NEEDED if data.get(name) is None] if data else []
    if missing:
        return Faulty(source, 0, f"its metadata.json has no {missing[0]}", readable=True)
    if data and not isinstance(data["dependencies"], list):
        reason = "the dependencies in its metadata.json are no list"
        return Faulty(source, 0, reason, readable=True)
    for one in data.get("dependencies", ()):
        if not isinstance(one, dict) or not isinstance(one.get("name", ""), str | None):
            at = max(source.text.find('"dependencies"'), 0)
            reason = "a dependency in its metadata.json is no hash with a name"
            return Faulty(source, at, reason, readable=True, fatal=True)
    return None
