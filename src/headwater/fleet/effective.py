"""A result as it takes effect, and how two of them are told apart.

Where a result names a file as the source of a content, the file's text is what counts: it is
compared as if it stood there.  Values that differ in form only are no differences; neither is what
somebody does not want to see.  Both are counted.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, cast

import msgspec

from headwater.ask.compile import Compiled
from headwater.fleet.patterns import fits_address
from headwater.langs import Language
from headwater.langs.comparing import ComparesResults
from headwater.text.digest import sha256
from headwater.text.reading import Unread, files_under, is_folder, read_bytes
from headwater.tree import Address, Change, Value, differences
from headwater.tree.json import BadJson, read_json

MOST_TEXT = 200_000
"""Bytes of a file that is shown as text; of a longer one, its digest."""


class Manner(msgspec.Struct, frozen=True):
    """How results are compared."""

    ignore: tuple[str, ...] = ()
    """Patterns of addresses that are left out; one of a whole resource fits all that is in it."""
    as_data: bool = False
    """Whether texts in JSON and YAML are compared by what they say."""


PLAINLY = Manner()


class Told(msgspec.Struct):
    """The changes that count, and how many do not."""

    changes: list[Change] = []
    form: int = 0
    ignored: int = 0


def effective(compiled: Compiled) -> tuple[Value, Mapping[Address, str]]:
    """The values of a result with the texts of the files that it names, and where these lie.

    The files are under the addresses that their texts have.
    """
    result = compiled.outcome.result
    assert result is not None
    values = result.get(())
    compares = _comparing(cast(Hashable, compiled.language))
    named = {} if compares is None else compares.files_named(compiled.outcome)
    if not named or not isinstance(values, dict):
        return values, {}
    found: dict[str, Any] = dict(values)
    places: dict[Address, str] = {}
    for (ref, name, *_), path in named.items():
        parameters = found[str(ref)]
        if "content" not in parameters:
            kept = {key: value for key, value in parameters.items() if key != name}
            found[str(ref)] = {**kept, "content": content_of(path)}
            places[ref, "content"] = path
    return found, places


@cache
def _comparing(language: Hashable) -> ComparesResults | None:
    """The language, if it knows of comparing."""
    return language if isinstance(language, ComparesResults) else None


def content_of(path: str) -> Value:
    """The text of a file; what tells it apart if it is none, and of a folder that of each file."""
    try:
        if is_folder(path):
            return {
                os.path.relpath(file, path): _digest(read_bytes(file))
                for file in files_under(path, lambda _: True)
            }
        data = read_bytes(path)
    except Unread as unread:
        return f"({unread.kind})"
    try:
        return data.decode() if len(data) <= MOST_TEXT else _digest(data)
    except UnicodeDecodeError:
        return _digest(data)


def _digest(data: bytes) -> str:
    return f"{{sha256}}{sha256(data).hexdigest()}"


def told_apart(old: Value, new: Value, language: Language, manner: Manner) -> Told:
    """What counts of the differences between two results."""
    found = Told()
    knowing = _comparing(cast(Hashable, language))
    for change in differences(old, new):
        if any(fits_address(manner.ignore, one) for one in _around(change.address, language)):
            found.ignored += 1
        elif knowing is not None and knowing.in_form_only(change):
            found.form += 1
        elif manner.as_data and (inner := _as_data(change, new, knowing)) is not None:
            found.form += not inner
            found.changes += inner
        else:
            found.changes.append(change)
    return found


def _around(address: Address, language: Language) -> Iterator[str]:
    """An address as people write it, and those of what it lies in."""
    for count in range(len(address), 0, -1):
        yield language.show_address(address[:count])


def _as_data(change: Change, new: Value, knowing: ComparesResults | None) -> list[Change] | None:
    """What differs in the data of two texts; None if they are no data."""
    if knowing is None or not (isinstance(change.before, str) and isinstance(change.after, str)):
        return None
    form = knowing.data_format(change.address, new)
    if form is None:
        return None
    try:
        before, after = (_parsed(text, form) for text in (change.before, change.after))
    except ValueError:
        return None
    return [*_inside(change.address, differences(before, after))]


def _parsed(text: str, form: str) -> Value:
    if form == "json":
        try:
            found: Value = read_json(text)
            return found
        except BadJson as error:
            raise ValueError(str(error)) from None
    import yaml

    try:
        data: Value = yaml.safe_load(text)
        return data
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _inside(address: Address, changes: Iterable[Change]) -> Iterator[Change]:
    for one in changes:
        yield Change(one.kind, (*address, *one.address), one.before, one.after)
