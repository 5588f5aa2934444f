"""External facts: the files of folders ``facts.d``, read as Facter reads them.

YAML, JSON and lines ``name=value``.  A program that would print facts is not run.  Names are in
lower case; of equal ones in a folder the last file counts, of folders the first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.shapes import NodeFacts, Place
from headwater.langs.puppet.facts.texts import data_of, text_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import is_folder, names_in
from headwater.langs.puppet.hashes import Hash
from headwater.text import Source

_LINE = re.compile(r"(.+?)=(.+)")


def add_external(facts: NodeFacts, folders: list[str]) -> None:
    """Puts the facts of folders over those of a node."""
    found: dict[str, tuple[object, Place]] = {}
    for folder in folders:
        if not is_folder(folder):
            message = f"external facts {folder}: there is no folder"
            raise Problem(codes.BAD_INPUT, message=message).of("--external-facts", folder)
        for name in sorted(names_in(folder), reverse=True):
            ending = os.path.splitext(name)[1].lower()
            if name.startswith(".") or ending not in (".yaml", ".json", ".txt"):
                continue
            source = text_of(os.path.join(folder, name), "external facts")
            read = _lines(source) if ending == ".txt" else _entries(source)
            here = {name: (value, place) for name, value, place in read}
            for key, (value, place) in here.items():
                if value is not None:
                    found.setdefault(key.lower(), (value, place))
    values = facts.values.copy()
    for key, (value, place) in found.items():
        values.put(key, value)
        facts.own[key] = place
    facts.values = values


def _lines(source: Source) -> Iterator[tuple[str, object, Place]]:
    at = 0
    for line in source.text.split("\n"):
        found = _LINE.fullmatch(line.removesuffix("\r"))
        if found is not None:
            yield found[1], found[2], Place(source, (), (at, at + len(found[0])))
        at += len(line) + 1


def _entries(source: Source) -> Iterator[tuple[str, object, Place]]:
    data = data_of(source, "external facts")
    if data is None:
        return
    if not isinstance(data, Hash):
        message = f"external facts {source.name}: they are not a hash"
        raise Fault(codes.BAD_INPUT.at(source.span(0, 0), message=message))
    for key, value in data.pairs():
        yield str(key), value, Place(source, (str(key),))
