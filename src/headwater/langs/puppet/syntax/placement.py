"""Which names a file of a module may define: Puppet finds definitions by file name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from headwater.langs.puppet.syntax import ast

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.definition_checks import Place

_DEFINITIONS = (ast.ClassDef, ast.Define, ast.Function, ast.Alias, ast.TypeMapping, ast.TypeDef)
_FOLDERS = frozenset({"manifests", "functions", "types", "plans"})


def namespace_of(name: str, modulepath: Iterable[str]) -> str | None:
    """The names a file of a module may define begin so; None when it stands in no module.

    Empty for a file of a module that may define nothing.
    """
    path = os.path.abspath(name)
    if not path.endswith(".pp"):
        return None
    for folder in modulepath:
        root = os.path.join(os.path.abspath(folder), "")
        if path.startswith(root):
            return _namespace(path[len(root) :].lower().split(os.sep))
    return None


def _namespace(parts: list[str]) -> str:
    """``apache/manifests/mod/ssl.pp`` holds ``apache::mod::ssl`` and what begins so."""
    if len(parts) < 3 or parts[1] not in _FOLDERS:
        return ""
    names = [parts[0], *parts[2:-1]]
    if not (len(parts) == 3 and parts[-1] == "init.pp"):
        names.append(parts[-1].removesuffix(".pp"))
    return "::".join(names)


def part_name(name: str) -> str | None:
    """What people call a file of a module: by its class or define, or as templates are named."""
    parts = os.path.abspath(name).split(os.sep)
    for at in range(len(parts) - 2, 0, -1):
        match parts[at]:
            case "manifests" | "functions" if parts[-1].endswith(".pp"):
                return _namespace([parts[at - 1], *parts[at:]]) or None
            case "templates":
                return "/".join([parts[at - 1], *parts[at + 1 :]])
    return None


def place_of(name: str, modulepath: Iterable[str]) -> Place | None:
    """The place of a file in a module; None when it stands in none of the module folders."""
    from headwater.langs.puppet.syntax.definition_checks import Place

    found = namespace_of(name, modulepath)
    return None if found is None else Place(found or None)


def does_something(program: ast.Program) -> bool:
    """Whether anything but definitions stands at the top of a program."""
    return any(not isinstance(node, _DEFINITIONS) for node in program.body)


def folders(modulepath: object) -> list[str]:
    """A modulepath as a user gives it: a list, or ``a:b``."""
    if isinstance(modulepath, str):
        return [folder for folder in modulepath.split(os.pathsep) if folder]
    if isinstance(modulepath, list | tuple):
        return [str(folder) for folder in modulepath]
    return []
