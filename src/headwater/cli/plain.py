"""``headwater compile`` where the command line is plain, read without click.

Loading click takes as long as compiling a small program.  A line that has files and options of
the languages, each as its declaration spells it, can be read by these declarations alone.  Any
other line, and one that says something wrong, is left to click, which knows what to tell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from headwater.ask.inputs import (
    CommonFields,
    Field,
    choices,
    fields,
    fields_of,
    likely_fields,
    spelt,
    takes,
)
from headwater.ask.request import BadRequest, find_language
from headwater.cli.compiling import write_compiled
from headwater.cli.settings import Settings
from headwater.cli.streams import mend_streams
from headwater.text.reading import Unread

FORMAT = "--format"


class Line(msgspec.Struct, frozen=True):
    """A command line that was read."""

    files: tuple[str, ...]
    form: str | None
    settings: Settings


def compiled_plainly(words: Sequence[str]) -> bool:
    """Does what a plain line says, if it is one; if not, nothing has happened."""
    line = read_line(words)
    if line is None:
        return False
    mend_streams()
    try:
        language = find_language(line.settings.request(line.files))
        if line.form is not None and line.form not in language.formats:
            return False
        write_compiled(line.files, line.form, line.settings)
    except (BadRequest, Unread):
        return False
    except Exception as error:
        click = sys.modules.get("click")  # loaded by who found a mistake
        if click is None or not isinstance(error, click.ClickException):
            raise
        return False
    sys.exit(0)


def read_line(words: Sequence[str]) -> Line | None:
    """What a line says; None if it is not plain, or wrong."""
    if words[:1] != ["compile"] or "_HEADWATER_COMPLETE" in os.environ:
        return None
    options = _options(likely_fields(words))
    files: list[str] = []
    form: str | None = None
    given: dict[str, Any] = {}
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            files.append(word)
            continue
        option, sign, value = word.partition("=")
        field = options.get(option)
        if field is None and option != FORMAT:
            field = _options(fields()).get(option)
            if field is None:
                return None
        if field is not None and takes(field, bool):
            if sign:
                return None
            given[field.name] = True
            continue
        if not sign:
            value = next(rest, "-")
        if not value or value.startswith("-"):
            return None
        if field is None:
            form = value
        elif not _give(given, field, value):
            return None
    return Line(tuple(files), form, _settings(given)) if files else None


def _options(own: Iterable[Field]) -> dict[str, Field]:
    """The fields by their options; those that several languages have by the first."""
    found: dict[str, Field] = {}
    names: set[str] = set()
    for field in [*fields_of(CommonFields), *own]:
        if field.about.option is not None and field.name not in names:
            names.add(field.name)
            found[field.about.option] = field
    return found


def _give(given: dict[str, Any], field: Field, text: str) -> bool:
    """Notes the value of a field; not one that it cannot have."""
    if field.about.many:
        given.setdefault(field.name, []).append(text)
    elif choices(field) is None and takes(field, str):
        given[field.name] = text
    else:
        try:
            given[field.name] = spelt(field, text)
        except ValueError:
            return False
    return True


def _settings(given: dict[str, Any]) -> Settings:
    common = {field.name for field in fields_of(CommonFields)}
    own = {name: value for name, value in given.items() if name in common}
    if "include" in own:
        own["include"] = tuple(own["include"])
    inputs = {name: value for name, value in given.items() if name not in common and value}
    return Settings(**own, inputs=inputs, warnings="summary")
