"""The files of Ruby in folders of modules, by the names that their places give them.

Looking for a name in a hundred modules takes one look at each folder, however many names there
are (`tables`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from headwater.langs.puppet.files import is_folder, names_in
from headwater.langs.puppet.program.tables import Looked, kept


class Functions(msgspec.Struct, frozen=True):
    """The files of functions by name: of all, and of those of the older API."""

    every: dict[str, str]
    old: dict[str, str]


def functions_in(folders: tuple[str, ...]) -> Functions:
    """The functions of modules: the first that has one, the newer API before the older."""
    return kept(("functions", folders), lambda looked: _functions(looked, folders))


def types_in(folders: tuple[str, ...]) -> dict[str, list[str]]:
    """The files of the types of modules by name, in order."""
    return kept(("types", folders), lambda looked: _types(looked, folders))


def libraries_in(folders: tuple[str, ...], inner: str) -> dict[str, list[str]]:
    """What modules have in a folder of their ``lib``, by its name there, in order."""
    return kept(("libraries", inner, folders), lambda looked: _libraries(looked, folders, inner))


def _libraries(looked: Looked, folders: tuple[str, ...], inner: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for module in folders:
        folder = _way(looked, os.path.join(module, "lib"), inner.split("/") if inner else [])
        if folder is not None:
            for name in names_in(folder):
                found.setdefault(os.path.join(inner, name), []).append(os.path.join(folder, name))
    return found


def _way(looked: Looked, folder: str, steps: list[str]) -> str | None:
    """The folder some steps below one, if it is there."""
    for number, step in enumerate(steps):
        if number and step not in names_in(folder):
            return None
        folder = os.path.join(folder, step)
        if looked.at(folder) is None:
            return None
    return folder if steps or looked.at(folder) is not None else None


def _functions(looked: Looked, folders: tuple[str, ...]) -> Functions:
    every: dict[str, str] = {}
    old: dict[str, str] = {}
    for folder in folders:
        for name, path in _below(looked, _folder(looked, folder, "functions")):
            every.setdefault(name, path)
        for name, path in _below(looked, _folder(looked, folder, "parser", "functions")):
            every.setdefault(name, path)
            old.setdefault(name, path)
    return Functions(every, old)


def _types(looked: Looked, folders: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for module in folders:
        folder = _folder(looked, module, "type")
        if folder is not None:
            for name in _listed(looked, folder).files:
                found.setdefault(name, []).append(f"{folder}/{name}.rb")
    return found


def _folder(looked: Looked, module: str, *names: str) -> str | None:
    """The folder ``lib/puppet/…`` of a module, if it has one."""
    folder = f"{module}/lib/puppet"
    for name in names:
        if name not in _listed(looked, folder).folders:
            return None
        folder = f"{folder}/{name}"
    return folder


def _below(looked: Looked, folder: str | None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """All files of Ruby in a folder and below, if there is one: name, path."""
    if folder is None:
        return
    listed = _listed(looked, folder)
    for name in listed.files:
        yield f"{prefix}{name}", f"{folder}/{name}.rb"
    for name in listed.folders:
        yield from _below(looked, f"{folder}/{name}", f"{prefix}{name}::")


class _Listed(msgspec.Struct, frozen=True):
    """Files of Ruby and folders in a folder, without endings."""

    files: list[str]
    folders: list[str]


def _listed(looked: Looked, folder: str) -> _Listed:
    if looked.at(folder) is None:
        return _Listed([], [])
    names = names_in(folder)
    inner = [n for n in names if "." not in n and is_folder(os.path.join(folder, n))]
    return _Listed([name[:-3] for name in names if name.endswith(".rb")], inner)
