"""A headwater.toml for a folder that has none, from what the folder looks like."""

from __future__ import annotations

import json
import os

import msgspec

from headwater.fleet.finding import NAME
from headwater.langs import LANGUAGES, language_named
from headwater.langs.repositories import Found, HasNodes, Surveyed


class Initial(msgspec.Struct, frozen=True):
    """The text of a new file, where it belongs, and what was not found."""

    path: str
    text: str
    missing: tuple[str, ...]


def initial(folder: str) -> Initial:
    """The file that fits a folder."""
    surveyed = [
        language.survey(folder)
        for language in map(language_named, LANGUAGES)
        if isinstance(language, HasNodes)
    ]
    best = max(surveyed, key=lambda one: len(one.found))
    return Initial(os.path.join(folder, NAME), _text(best), best.missing)


def _text(surveyed: Surveyed) -> str:
    """What was found as TOML, each key with how it is known."""
    lines = ["# What Headwater needs to know of this repository: docs/repository.md", ""]
    sections = dict.fromkeys(one.section for one in surveyed.found)
    for section in sections:
        lines.append(f"[{section}]")
        keys = [(_pair(one), one.reason) for one in surveyed.found if one.section == section]
        width = max(len(pair) for pair, _ in keys)
        lines += [f"{pair.ljust(width)}  # {reason}" for pair, reason in keys]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _pair(found: Found) -> str:
    """A key and its value; texts, numbers and lists of JSON are those of TOML."""
    return f"{found.key} = {json.dumps(found.value, ensure_ascii=False)}"
