"""msgspec without the parts of it that no command needs at its start.

msgspec loads all it has: readers of YAML and TOML, descriptions of types, schemas.  Headwater uses
its structs, JSON and msgpack.  So stand-ins lie in the places of the other parts while it is
loaded; whoever asks a stand-in for something gets it from the real part.

Three modules of others are treated alike.  Of `typing_extensions`, which some other package may
have brought along, msgspec asks names that `typing` has too; it would load `inspect`, the parser
and the disassembler of Python.  Of `platform`, `uuid` asks the name of the system; and of
`_uuid`, which loads a library of the system, a faster way to do what it can do itself.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType


class Part(ModuleType):
    """Stands where a part of msgspec would be, and gives what that has."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # Python asks whether this is a package
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        found: object = getattr(import_module(self.__name__), name)
        return found


class Schemas(Part):
    """The functions that msgspec takes from the part that makes schemas."""

    def schema(self, *args: object, **more: object) -> object:
        """A schema of a type."""
        made: object = import_module(self.__name__).schema(*args, **more)
        return made

    def schema_components(self, *args: object, **more: object) -> object:
        """Schemas of types that share parts."""
        made: object = import_module(self.__name__).schema_components(*args, **more)
        return made


class Platform(ModuleType):
    """What `uuid` wants to know of the platform."""

    def system(self) -> str:
        """The name of the system."""
        return os.uname().sysname


def load_msgspec() -> None:
    """Loads msgspec, unless it is loaded."""
    places: dict[str, ModuleType | None] = {
        **{name: Part(name) for name in ("msgspec.inspect", "msgspec.toml", "msgspec.yaml")},
        "msgspec._json_schema": Schemas("msgspec._json_schema"),
        "typing_extensions": None,
        "_uuid": None,
    }
    if hasattr(os, "uname"):
        places["platform"] = Platform("platform")
    if "msgspec" in sys.modules or not places.keys().isdisjoint(sys.modules):
        return
    sys.modules.update(places)  # type: ignore[arg-type]
    try:
        import msgspec  # noqa: F401
    finally:
        for name, place in places.items():
            if sys.modules.get(name) is place:
                del sys.modules[name]
