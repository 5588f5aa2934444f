"""Packages whose modules are loaded when one of their names is asked for.

A command that compiles one small manifest must not pay for every data type and function
there is: loading them all takes longer than Puppet's words need to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package; `modules` gives the names that each module has."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def attribute(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home}"), name)

    return attribute
