"""All findings about an environment as a whole."""

from __future__ import annotations

import os

from headwater.langs.codes import FOLDER_LOCKED
from headwater.langs.protocol import Finding, Job
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import lookup_job
from headwater.langs.puppet.engine.inputs import read_inputs
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.program.parsing import Reading
from headwater.langs.puppet.program.puppetfile import NAME as PUPPETFILE
from headwater.langs.puppet.syntax import parse, validate
from headwater.langs.puppet.tidy.bodies import leaking_defaults, read_before_assigned
from headwater.langs.puppet.tidy.texts import Texts
from headwater.langs.puppet.tidy.unused import (
    unused_classes,
    unused_keys,
    unused_parameters,
    unused_templates,
)
from headwater.report import Diagnostic, in_order
from headwater.text import Source, Unreadable, read_source

_NO_KEY = "headwater::no_such_key"
"""A key that is looked up only to see in which files it would be."""

OF_ALL = (unused_keys, unused_parameters, unused_classes, unused_templates)
"""What nothing uses can only be told if everything can be read."""
OF_EACH = (read_before_assigned, leaking_defaults)


def findings(folder: str, inputs: Fields) -> list[Finding]:
    """What is likely not meant in an environment, each with a fix if one is safe."""
    try:
        read = read_inputs(inputs, {})
        texts = Texts(folder, read.modulepath, read.reading, set(read.given.values) or None)
    except Fault as fault:
        return [Finding(fault.diagnostic)]
    except Problem as problem:
        return [Finding(problem.at(Source(folder, "").span(0, 0)).diagnostic)]
    checks = OF_EACH if texts.unread else (*OF_ALL, *OF_EACH)
    found = [one for check in checks for one in check(texts)]
    found += [
        Finding(why)
        for file, why in texts.unread
        if why.code == FOLDER_LOCKED.name
        or os.path.basename(file) == PUPPETFILE
        or _sound(file, read.reading)
    ]
    found += [Finding(one) for one in _empty_paths(inputs)]
    by_diagnostic = {one.diagnostic: one for one in found}
    return [by_diagnostic[one] for one in in_order(by_diagnostic)]


def _sound(file: str, reading: Reading) -> bool:
    """Whether a text is right but for the place of its file, which a check of it does not see."""
    source = read_source(file)
    if isinstance(source, Unreadable):
        return False
    parsed = parse(source)
    return parsed.ok and not any(d.is_error for d in validate(parsed.program, None, reading.level))


def _empty_paths(inputs: Fields) -> list[Diagnostic]:
    """The paths of data in which something comes out empty, for the facts that are given."""
    if not (inputs.facts or inputs.facts_file):
        return []
    asked = lookup_job(Job((), inputs), _NO_KEY, None)
    if isinstance(asked, tuple):
        return []
    return [one for one in asked.diagnostics if one.code == codes.EMPTY_INTERPOLATION.name]
