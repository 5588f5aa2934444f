"""A data file with another value under a key, as its author would write it."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.keys import dig, split_key
from headwater.langs.puppet.hiera.merge import NOT_FOUND
from headwater.langs.puppet.hiera.yaml import Document
from headwater.text import Source
from headwater.tree.yamltext import BadYaml


class NotEdited(ValueError):
    """Why a file cannot have that value there."""


def keys_of(source: Source) -> list[str]:
    """The keys that a file has; none if it is no hash."""
    try:
        data = Document(source.text).data
    except BadYaml:
        return []
    return [key for key in data if isinstance(key, str)] if isinstance(data, Hash) else []


def with_value(source: Source, key: str, value: str) -> str:
    """The text of a file in which a key has a value, which is written as YAML; the key may reach
    into hashes and arrays, as in ``lookup``.  Raises `NotEdited`.
    """
    try:
        wanted = Document(value).data
    except BadYaml as error:
        raise NotEdited(f"{value} is no YAML: {error}") from None
    if "\n" in value:
        raise NotEdited("a value is written on one line")
    try:
        document = Document(source.text)
    except BadYaml as error:
        raise NotEdited(f"{source.name} is no YAML: {error}") from None
    segments = split_key(key)
    found = document.place(tuple(segments), key=False)
    if found is None:
        edited = _added(source.text, document.data, segments, value)
    else:
        start, end = found
        end = start + len(source.text[start:end].rstrip())
        edited = source.text[:start] + value + source.text[end:]
    if _value(edited, segments) != _shown(wanted):
        raise NotEdited(f"{key} cannot be edited in place in {source.name}: edit the line instead")
    return edited


def _added(text: str, data: object, segments: list[str | int], value: str) -> str:
    """The text with a new key at its end."""
    name = segments[0]
    if len(segments) > 1 or not (data is None or isinstance(data, Hash)):
        raise NotEdited(f"there is nothing at {'.'.join(map(str, segments))}")
    if text.lstrip().startswith("{"):
        raise NotEdited(f"there is no {name}, and a file in braces gets no new keys")
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}{name}: {value}\n"


def _value(text: str, segments: list[str | int]) -> str | None:
    """What a text has under a key, in a form that can be compared."""
    try:
        data = Document(text).data
    except BadYaml:
        return None
    if not isinstance(data, Hash) or segments[0] not in data:
        return None
    found = (
        dig(data[segments[0]], segments[1:], str(segments[0]))
        if segments[1:]
        else data[segments[0]]
    )
    return None if found is NOT_FOUND else _shown(found)


def _shown(value: object) -> str:
    if isinstance(value, Hash):
        return f"{{{', '.join(f'{_shown(k)}: {_shown(v)}' for k, v in value.pairs())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value)
