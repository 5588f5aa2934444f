"""Classes that a program makes under one of Ruby's whose values are Python's."""

from __future__ import annotations

from headwater.langs.puppet.ruby.classes import BUILTIN, OF_TYPE
from headwater.langs.puppet.ruby.machine import Refused
from headwater.langs.puppet.ruby.values import Class


def refuse_values(made: Class, name: str) -> None:
    """Refuses the values of a new class under Array, Hash, String or their like: they would be
    plain ones, without its methods."""
    above = made.superclass
    while above is not None and BUILTIN.get(above.name or "") is not above:
        above = above.superclass
    if above is None or above not in OF_TYPE.values():
        return
    for method in above.own:
        made.own[method] = Refused(f"{name}.{method}, of a class under {above.name}", "")
