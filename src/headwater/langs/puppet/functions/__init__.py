"""The functions built into Puppet that need nothing of the compiler but its `Context`.

`find` gives one by name and loads only the module it is in; `TABLE` holds all of them.
Functions that declare classes and resources, read Hiera or render templates belong to
the engine.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.levels import DEFAULT, LanguageLevel

if TYPE_CHECKING:
    from headwater.langs.puppet.functions.show import shown as shown
    from headwater.langs.puppet.functions_protocol import Function

    TABLE: dict[str, Function]

ROOMS = {
    "collections": "compare dig flatten get getvar keys sort tree_each values",
    "digests": "digest fqdn_rand md5 sha1 sha256 shellquote sprintf",
    "iteration": "all any break each filter group_by index lest map partition reduce "
    "reverse_each slice step then unique with",
    "numbers": "abs ceiling floor max min round",
    "outside": "alert annotate binary_file crit debug emerg err fail file find_file "
    "find_template generate import info module_directory notice warning",
    "patterns": "match regsubst split",
    "scanf": "scanf",
    "strings": "camelcase capitalize chomp chop downcase empty join length lstrip rstrip size "
    "strip upcase",
    "times": "strftime",
    "types": "assert_type call convert_to new type unwrap",
    "versions": "versioncmp",
}
"""The modules, and the functions in each."""

_HOMES = {name: room for room, names in ROOMS.items() for name in names.split()}
NAMES = frozenset(_HOMES)
"""The names of all functions."""


@cache
def find(name: str, level: LanguageLevel = DEFAULT) -> Function | None:
    """The function of a name as it is at a language level, or None."""
    room = _HOMES.get(name)
    if room is None:
        return None
    import_module(f"{__name__}.{room}")
    from headwater.langs.puppet.functions.registry import function

    return function(name, level)


@cache
def _table() -> dict[str, Function]:
    for room in ROOMS:
        import_module(f"{__name__}.{room}")
    from headwater.langs.puppet.functions.registry import table

    return table()


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name == "TABLE":
        return _table()
    if name == "shown":
        from headwater.langs.puppet.functions.show import shown

        return shown
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["NAMES", "ROOMS", "TABLE", "find", "shown"]
