"""What is loaded when it is first needed, because a command needs little of what there is.

A command that compiles one small manifest must not pay for every data type and function
there is: loading them all would take several times as long as compiling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package; `modules` gives the names that each module has."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def attribute(name: str) -> Any:  # noqa: ANN401
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home}"), name)

    return attribute


def when_called(scope: dict[str, Any], module: str, names: str) -> None:
    """Puts stand-ins for functions of a module into the scope of another.

    The first call of one loads the module and puts the function itself into its place.  Who reads
    the types sees an ordinary import.
    """
    for name in names.split():
        scope[name] = _stand_in(scope, module, name)


def _stand_in(scope: dict[str, Any], module: str, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] | None = None

    def call(*args: object, **named: object) -> object:
        nonlocal found
        if found is None:
            found = getattr(import_module(module), name)
            if scope[name] is call:
                scope[name] = found
        result: object = found(*args, **named)
        return result

    return call
