"""Which names a file of a module may define: Puppet finds definitions by file name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.definition_checks import Place

_FOLDERS = frozenset({"manifests", "functions", "types", "plans"})


def place_of(name: str, modulepath: Iterable[str]) -> Place | None:
    """The place of a file in a module; None when it stands in none of the module folders."""
    from pathlib import PurePath

    path = PurePath(os.path.abspath(name))
    if path.suffix != ".pp":
        return None
    for folder in modulepath:
        root = PurePath(os.path.abspath(folder))
        if root in path.parents:
            return _namespace([part.lower() for part in path.relative_to(root).parts])
    return None


def _namespace(parts: list[str]) -> Place:
    """``apache/manifests/mod/ssl.pp`` holds ``apache::mod::ssl`` and what begins so."""
    from headwater.langs.puppet.syntax.definition_checks import Place

    if len(parts) < 3 or parts[1] not in _FOLDERS:
        return Place(None)
    names = [parts[0], *parts[2:-1]]
    if not (len(parts) == 3 and parts[-1] == "init.pp"):
        names.append(parts[-1].removesuffix(".pp"))
    return Place("::".join(names))


def folders(modulepath: object) -> list[str]:
    """A modulepath as a user gives it: a list, or ``a:b``."""
    if isinstance(modulepath, str):
        return [folder for folder in modulepath.split(os.pathsep) if folder]
    if isinstance(modulepath, list | tuple):
        return [str(folder) for folder in modulepath]
    return []
