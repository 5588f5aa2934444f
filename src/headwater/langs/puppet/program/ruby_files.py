"""The files of Ruby in a folder of a module, by the names that their places give them.

A folder is listed once and again when it has changed, so that looking for a name in a hundred
modules takes one look at each folder, however many names there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from headwater.langs.puppet.files import is_folder, look, names_in

_LISTED: dict[str, tuple[int, dict[str, None], list[str]]] = {}
"""Files of Ruby and folders in a folder, without endings, with its time of change."""


def ruby_folder(module: str, *names: str) -> str | None:
    """The folder ``lib/puppet/…`` of a module, if it has one."""
    folder = f"{module}/lib/puppet"
    for name in names:
        listed = _listed(folder)
        if listed is None or name not in listed[2]:
            return None
        folder = f"{folder}/{name}"
    return folder


def ruby_files(folder: str | None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """All files of Ruby in a folder and below, if there is one: name, path."""
    if folder is None:
        return
    listed = _listed(folder)
    if listed is None:
        return
    for name in listed[1]:
        yield f"{prefix}{name}", f"{folder}/{name}.rb"
    for name in listed[2]:
        yield from ruby_files(f"{folder}/{name}", f"{prefix}{name}::")


def has_ruby_file(folder: str, name: str) -> bool:
    """Whether a folder lists a file of Ruby."""
    listed = _listed(folder)
    return listed is not None and name in listed[1]


def _listed(folder: str) -> tuple[int, dict[str, None], list[str]] | None:
    about = look(folder)
    if about is None:
        return None
    kept = _LISTED.get(folder)
    if kept is None or kept[0] != about.st_mtime_ns:
        names = names_in(folder)
        inner = [n for n in names if "." not in n and is_folder(os.path.join(folder, n))]
        files = {name[:-3]: None for name in names if name.endswith(".rb")}
        kept = _LISTED[folder] = (about.st_mtime_ns, files, inner)
    return kept
