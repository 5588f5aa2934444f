"""Two catalogs compared: what means the same, which files they name, what they refer to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from headwater.langs.puppet.addresses import reference
from headwater.langs.puppet.values import HIDDEN
from headwater.tree import Address, Change, Value
from headwater.tree.json import BadJson, read_json

_MOUNT = re.compile(r"puppet://[^/]*/modules/([^/]+)/(.+)", re.DOTALL)
_REFERENCE = re.compile(r"((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)\[(.+)\]", re.DOTALL)
_RELATIONS = frozenset(["before", "require", "notify", "subscribe"])
_ENDINGS: dict[str, Literal["json", "yaml"]] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


def in_form_only(change: Change) -> bool:
    """A value and an array that holds it alone mean the same, and so do tags in any order."""
    if change.kind != "changed":
        return False
    old, new = change.before, change.after
    if len(change.address) == 2 and change.address[1] == "tag":
        return _tags(old) == _tags(new)
    return isinstance(old, list) != isinstance(new, list) and _several(old) == _several(new)


def _several(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _tags(value: Value) -> set[str]:
    return {str(one) for one in _several(value)}


def data_format(address: Address, result: Value) -> Literal["json", "yaml"] | None:
    """What the content of a file is written in, by the ending of its path."""
    if len(address) != 2 or address[1] != "content" or not isinstance(result, dict):
        return None
    ref = str(address[0])
    parameters = result.get(ref)
    named = parameters.get("path") if isinstance(parameters, dict) else None
    path = named if isinstance(named, str) else ref.removeprefix("File[").removesuffix("]")
    return _ENDINGS.get(os.path.splitext(path.rstrip('"'))[1]) if ref.startswith("File[") else None


def sources(result: Value) -> Iterator[tuple[Address, list[tuple[str, str]]]]:
    """The files of modules that are named as sources: module and path in it, first choice first."""
    for ref, parameters in result.items() if isinstance(result, dict) else ():
        if not isinstance(parameters, dict) or not ref.startswith("File["):
            continue
        given = [one for one in _several(parameters.get("source")) if isinstance(one, str)]
        found = [(hit[1], hit[2]) for one in given if (hit := _MOUNT.fullmatch(one))]
        if found:
            yield (ref, "source"), found


def absent_references(result: Value) -> Mapping[Address, str]:
    """The resources that others refer to and that are not there."""
    if not isinstance(result, dict):
        return {}
    there = set(result) | {
        f"{ref.partition('[')[0]}[{one}]"
        for ref, parameters in result.items() if isinstance(parameters, dict)
        for one in _names(parameters)
    }  # fmt: skip
    found: dict[Address, str] = {}
    for ref, parameters in result.items():
        if not isinstance(parameters, dict):
            continue
        for name in _RELATIONS & parameters.keys():
            for target in _targets(parameters[name]):
                if target not in there:
                    found[ref, name] = target
    return found


def _names(parameters: dict[str, Any]) -> Iterator[str]:
    """What a resource goes by beside its title."""
    for name in ("name", "path", "alias"):
        for one in _several(parameters.get(name)):
            if isinstance(one, str):
                yield one.rstrip("/") if name == "path" and one != "/" else one


def _targets(value: Value) -> Iterator[str]:
    for one in _several(value):
        if isinstance(one, list):
            yield from _targets(one)
        elif isinstance(one, str) and (hit := _REFERENCE.fullmatch(one)):
            title = hit[2].strip("'\"")
            yield f"{hit[1].removeprefix('::')}[{title}]"


def read_catalog(text: str) -> Value | None:
    """The parameters of the resources of a catalog as Puppet, PuppetDB and we write it."""
    try:
        data = read_json(text)
    except BadJson:
        return None
    for around in ("data", "catalog"):  # PuppetDB's and the API's wrappers
        inner = data.get(around) if isinstance(data, dict) else None
        data = inner if isinstance(inner, dict) and "resources" in inner else data
    resources = data.get("resources") if isinstance(data, dict) else None
    if isinstance(resources, dict):  # PuppetDB's query `catalogs`
        resources = resources.get("data")
    if not isinstance(resources, list):
        return None
    found: dict[str, Value] = {}
    for one in resources:
        if not (isinstance(one, dict) and isinstance(one.get("type"), str) and "title" in one):
            return None
        parameters = {**(one.get("parameters") or {})}
        for name in one.get("sensitive_parameters") or ():
            if name in parameters:
                parameters[name] = HIDDEN
        found[reference(one["type"], str(one["title"]))] = parameters
    return found
