"""What is done when it is first needed, because a command needs little of it.

A command that compiles one small manifest must not pay for every data type and function
there is: loading them all would take several times as long as compiling.
"""

from __future__ import annotations

import os
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


def shipped(path: str) -> dict[str, Any]:
    """A document in JSON that lies beside these modules, which may all lie in an archive.

    Loading `pkgutil` or `importlib.resources` would take longer than reading it.
    """
    import msgspec

    assert __spec__ is not None
    loader: Any = __spec__.loader
    data = loader.get_data(os.path.join(os.path.dirname(__file__), path))
    return msgspec.json.decode(data, type=dict[str, Any])
