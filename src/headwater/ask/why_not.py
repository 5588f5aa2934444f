"""Why a value is not another one: the changes that would make it so, each of them tried.

In this order: taking away what overrides a value that lost; writing the value where the present
one is written; giving it to a place that was asked before; then what decides, a fact, a condition
or a level, written as something else that the program compares it with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headwater.ask.compile import Compiled
from headwater.ask.document import FORMAT_VERSION
from headwater.ask.explain import Explanation
from headwater.ask.trying import Change, other_texts, rewritten, value_with
from headwater.langs.abilities import VariesInputs
from headwater.report.diagnostic import place
from headwater.tree import Value
from headwater.tree.json import compact, plain
from headwater.why import Label

MOST_TRIED = 300
"""So many changes are tried."""

NEAR = 6
"""On so many lines before and after a condition other options of it are looked for."""

_QUOTED = re.compile(r"(['\"])([^'\"\n\\$]{1,60})\1")

MOST_TEXTS = 24
"""So many texts are tried in the place of an input that decides."""


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The changes that make a value another one, of all that were tried."""

    address: str
    wanted: str
    already: bool
    tried: int
    changes: tuple[Change, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer to ``--why-not`` as data."""
        return {
            "format_version": FORMAT_VERSION,
            "address": self.address,
            "why_not": self.wanted,
            "already": self.already,
            "tried": self.tried,
            "changes": [
                {
                    "message": change.message,
                    "edits": [{**place(edit.at), "text": edit.text} for edit in change.edits],
                }
                for change in self.changes
            ],
        }


def why_not(compiled: Compiled, answer: Explanation, text: str, most: int) -> WhyNot:
    """At most so many changes that make an explained value what a text spells."""
    wanted = _wanted(text, answer.value)
    shown = compact(wanted)
    goal = (plain(wanted),)
    if (plain(answer.value),) == goal:
        return WhyNot(answer.address, shown, True, 0, ())
    found: list[Change] = []
    kinds: set[str] = set()
    tried = 0
    for change in _changes(compiled, answer, wanted):
        if tried >= MOST_TRIED or len(found) >= most:
            break
        kind = change.message.partition(":")[0]
        if kind in kinds and most < len(kinds) + MOST_TEXTS:
            continue  # one of a kind is enough, unless all are asked for
        tried += 1
        if value_with(compiled, answer.parts, change.edits) == goal:
            found.append(change)
            kinds.add(kind)
    return WhyNot(answer.address, shown, False, tried, tuple(found))


def _wanted(text: str, present: Value) -> Value:
    """The value that a text spells: JSON, or a text, as the present value is one."""
    try:
        found: Value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(present, str) and not isinstance(found, str) else found


def _changes(compiled: Compiled, answer: Explanation, wanted: Value) -> Iterator[Change]:
    language, views = compiled.language, answer.views
    varies = language if isinstance(language, VariesInputs) else None
    shown = compact(wanted)
    winners = views.origins or answer.made_of
    if varies is not None and any(plain(lost.value) == plain(wanted) for lost in views.masked):
        for label in winners:
            for edit in varies.removals(label):
                yield Change(f"remove what overrides {shown}", (edit,))
    for label in answer.made_of:
        new = varies.spelt(label, wanted) if varies is not None else shown
        if new is not None:
            yield Change(f"write {shown} where the value is written", (rewritten(label, new),))
    for label in views.depends:
        missing = label.kind == "miss" and varies is not None
        filled = varies.filling(label, shown) if missing and varies is not None else None
        if filled is not None:
            yield Change(f"write {label.text} where it is looked for first", (filled,))
    yield from _deciding(answer)


def _deciding(answer: Explanation) -> Iterator[Change]:
    """Inputs that decide, each written as others are, or otherwise."""
    own = set(answer.made_of)
    rest = [label for label in answer.views.depends if label not in own]
    compared = [label for label in rest if label.kind in ("literal", "key")]
    texts = dict.fromkeys(_bare(label) for label in compared)
    for label in compared:  # the options that were not looked at stand beside those that were
        texts |= dict.fromkeys(_near(label))
    first = [label for label in rest if label.kind in ("fact", "hiera")]
    for label in [*first, *compared]:
        quote = label.at.text[:1] if label.at.text[:1] in ("'", '"') else ""
        present = _bare(label)
        others = [f"{quote}{t}{quote}" for t in [*texts][:MOST_TEXTS] if t and t != present]
        for new in dict.fromkeys([*others, *other_texts(label.at)]):
            what = label.text if label.kind == "fact" else label.at.text
            message = f"{label.kind} {what}: write {new}"
            yield Change(message, (rewritten(label, new),))


def _near(label: Label) -> list[str]:
    """The texts in quotation marks on the lines around an input."""
    source, line = label.at.source, label.at.first.line
    start, end = source.offset(max(1, line - NEAR)), source.offset(line + NEAR + 1)
    return [hit[2] for hit in _QUOTED.finditer(source.text, start, end)]


def _bare(label: Label) -> str:
    return label.at.text.strip("'\"")
