"""Parsing a text for a compilation: through the cache, validated, refused if it has errors."""

from __future__ import annotations

import os
from typing import Any

from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax.cache import user_cache
from headwater.langs.puppet.syntax.placement import namespace_of
from headwater.text import Source


def parsed_unit(
    source: Source, module: str | None, modulepath: list[str], *, template: bool = False
) -> Unit:
    """A text parsed and validated; its errors are a fault (the first by place)."""
    namespace = namespace_of(source.name, modulepath)
    known = not template or source.name.endswith(".epp")  # else it would be kept as a manifest
    cache = user_cache() if known and not source.bom else None
    if cache is not None:
        program = cache.load(source, namespace)
        if program is not None:
            return Unit(program, module)
    from headwater.langs.puppet.syntax import parse, validate
    from headwater.langs.puppet.syntax.placement import place_of

    parsed = parse(source, template=template or None)
    found = parsed.diagnostics
    if parsed.ok:
        place = place_of(source.name, modulepath)
        found = [*found, *validate(parsed.program, place)]
    errors = [diagnostic for diagnostic in found if diagnostic.is_error]
    if errors:
        raise SyntaxFault(errors, found)
    # A short text that is no file is most likely never seen again.
    if cache is not None and not found and (len(source.text) > 2000 or os.path.isfile(source.name)):
        cache.store(parsed.program, namespace)
    unit = Unit(parsed.program, module)
    unit.findings = [*found]
    return unit


class SyntaxFault(Fault):
    """A text that does not parse, with everything found wrong with it."""

    def __init__(self, errors: list[Any], found: list[Any]) -> None:
        super().__init__(errors[0])
        self.errors = found
