"""Parsing a text for a compilation: through the cache, validated, refused if it has errors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.settings import setting
from headwater.langs.puppet.syntax.cache import user_cache
from headwater.langs.puppet.syntax.placement import namespace_of
from headwater.report import Diagnostic
from headwater.text import Source


class Reading(msgspec.Struct, frozen=True):
    """How a program is judged: at which language level, and what is made of doubtful things."""

    level: LanguageLevel
    strict: str
    strict_variables: bool
    deprecations: bool
    """Whether deprecations are told."""

    @staticmethod
    def of(level: LanguageLevel, given: Mapping[str, Any]) -> Reading:
        """As the settings that are given say, or else the level."""
        silenced = given.get("disable_warnings") or ""
        names = silenced.split(",") if isinstance(silenced, str) else map(str, silenced)
        silent = "deprecations" in [name.strip() for name in names]
        strict, variables = (setting(level, given, name) for name in ("strict", "strict_variables"))
        return Reading(level, str(strict), bool(variables), not silent)

    def judged(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Findings as they are to be told."""
        silent = {codes.DUPLICATE_KEY.name} if self.strict == "off" else set()
        if not self.deprecations:
            silent.add(codes.COMPUTED_TYPE.name)
        told = [one for one in found if one.code not in silent]
        return [_as_error(one) for one in told] if self.strict == "error" else told

    def accepted(self, unit: Unit) -> Unit:
        """A text that has been parsed; refuses it if what is doubtful in it is an error."""
        if unit.findings:
            found = self.judged(unit.findings)
            errors = [one for one in found if one.is_error]
            if errors:
                raise SyntaxFault(errors, found)
        return unit


def _as_error(found: Diagnostic) -> Diagnostic:
    strict = found.code == codes.DUPLICATE_KEY.name
    return replace(found, severity="error") if strict else found


def parsed_unit(
    source: Source, module: str | None, modulepath: list[str], reading: Reading, *,
    template: bool = False,
) -> Unit:  # fmt: skip
    """A text parsed and validated at a level; its errors are a fault (the first by place)."""
    namespace = namespace_of(source.name, modulepath)
    known = not template or source.name.endswith(".epp")  # else it would be kept as a manifest
    cache = user_cache() if known and not source.bom else None
    if cache is not None:
        program = cache.load(source, namespace, reading.level)
        if program is not None:
            return Unit(program, module)
    from headwater.langs.puppet.syntax import parse, validate
    from headwater.langs.puppet.syntax.placement import place_of

    parsed = parse(source, template=template or None)
    found = parsed.diagnostics
    if parsed.ok:
        place = place_of(source.name, modulepath)
        found = [*found, *validate(parsed.program, place, reading.level)]
    errors = [diagnostic for diagnostic in found if diagnostic.is_error]
    if errors:
        raise SyntaxFault(errors, found)
    # A short text that is no file is most likely never seen again.
    if cache is not None and not found and (len(source.text) > 2000 or os.path.isfile(source.name)):
        cache.store(parsed.program, namespace, reading.level)
    unit = Unit(parsed.program, module)
    unit.findings = [*found]
    return unit


class SyntaxFault(Fault):
    """A text that does not parse, with everything found wrong with it."""

    def __init__(self, errors: list[Any], found: list[Any]) -> None:
        super().__init__(errors[0])
        self.errors = found
