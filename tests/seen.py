"""What a run of the tests has seen happen: codes that were emitted, rules that were applied.

A code counts as provoked when a diagnostic of it was made, or was read in the output of a command;
a rule when it fired, or when a law with the mark ``rule`` passed.  Each worker notes its own; after
a run of everything, what nobody saw fails the run (`conftest.py`).
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headwater.langs import firing
from headwater.report import Code, Diagnostic

LANGS = Path(__file__).parents[1] / "src/headwater/langs"

SEEN: set[str] = set()
"""``code NAME`` and ``rule LANGUAGE NAME``."""

NOT_PROVOKED = {
    "sf-replaces-root": "no text leads to it; Lemma 2's law applies it to stores",
    "internal-error": "a bug of ours; the test of the stream plants one",
}
"""Codes that no text provokes, each with the reason."""


def watch() -> None:
    """Begins to note codes and rules; before any language is loaded."""
    plain_at, plain_fire = Code.at, firing.fire

    def at(self: Code, *args: Any, **fields: Any) -> Diagnostic:  # noqa: ANN401
        SEEN.add(f"code {self.name}")
        return plain_at(self, *args, **fields)

    def fire(rule: str) -> None:
        module = str(sys._getframe(1).f_globals["__name__"])
        saw_rules(module.split(".")[2], [rule])
        plain_fire(rule)

    Code.at = at  # type: ignore[method-assign]
    firing.fire = fire


def saw_rules(language: str, rules: Iterable[str]) -> None:
    """Notes rules of a language that were applied."""
    SEEN.update(f"rule {language} {rule}" for rule in rules)


def saw_code(name: str) -> None:
    """Notes a code that another process made, and a test has checked."""
    SEEN.add(f"code {name}")


def saw_output(text: str) -> None:
    """Notes the codes in what a command wrote."""
    SEEN.update(
        f"code {code}" for code in re.findall(r"(?:error|warning|note)\[([a-z0-9-]+)\]", text)
    )
    SEEN.update(f"code {code}" for code in re.findall(r'"code": ?"([a-z0-9-]+)"', text))


def unseen(seen: set[str], codes: Iterable[str], rules: Iterable[tuple[str, str]]) -> list[str]:
    """What should have happened in a run of all tests and did not."""
    missing = [f"no test provokes {name}" for name in codes
               if f"code {name}" not in seen and name not in NOT_PROVOKED]  # fmt: skip
    missing += [f"no test fires {name} of {language}" for language, name in rules
                if f"rule {language} {name}" not in seen]  # fmt: skip
    return sorted(missing)


def rules_to_fire() -> Iterable[tuple[str, str]]:
    """The rules that are done, by language; those of domains are data and cannot fire."""
    for path in sorted(LANGS.glob("*/rules.toml")):
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if entry["status"] == "done" and entry["fired"] != "domain":
                yield path.parent.name, name
