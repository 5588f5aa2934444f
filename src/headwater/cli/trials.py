"""Answers of ``explain`` that were tried: ``--confirm`` and ``--why-not``."""

from __future__ import annotations

from headwater.ask.compile import Compiled
from headwater.ask.explain import Explanation
from headwater.ask.trying import Effect, confirm
from headwater.ask.why_not import WhyNot, why_not
from headwater.cli.explanation import Telling, line_of
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.report.terminal import snippet

MOST_CHANGES = 3
"""So many changes are told, unless all are asked for."""

MOST_OF_ALL = 50

EFFECTS: dict[Effect, str] = {
    "changes": "change it",
    "fails": "leave no result when they are changed",
    "same": "were changed, and it stayed the same",
    "untried": "were not tried",
}


def say_confirmed(compiled: Compiled, answer: Explanation, form: str, how: Telling) -> None:
    """Which inputs change a value, by trying."""
    labels = answer.made_of if how.direct else answer.views.depends
    found = confirm(compiled, answer.parts, answer.value, labels)
    if form == "json":
        document = answer.as_json(direct=how.direct)
        document["confirmed"] = [
            {**answer.resolved(label), "effect": effect} for label, effect in found.items()
        ]
        write_json(document)
        return
    say(how.paint("1", f"{answer.address} = {answer.shown}"))
    for effect, words in EFFECTS.items():
        own = [label for label in labels if found[label] == effect]
        if not own:
            continue
        say()
        say(how.paint("note", f"{len(own)} of {len(labels)} inputs {words}"))
        some, more = how.some(own)
        for label in some:
            say(line_of(label))
        if more:
            say(f"  {more:,} more: --all")


def say_why_not(
    compiled: Compiled, answer: Explanation, other: str, form: str, how: Telling
) -> None:
    """The changes that would make a value another one."""
    most = MOST_OF_ALL if how.limit is None else MOST_CHANGES
    found = why_not(compiled, answer, other, most)
    if form == "json":
        write_json(found.as_json())
        return
    say(how.paint("1", f"{answer.address} = {answer.shown}"))
    say()
    if found.already:
        say(f"it is {found.wanted}")
        return
    if not found.changes:
        say(f"none of the {found.tried:,} changes that were tried makes it {found.wanted}")
        return
    _say_changes(found, how)


def _say_changes(found: WhyNot, how: Telling) -> None:
    for number, change in enumerate(found.changes):
        say(how.paint("help", f"{'or' if number else 'to make it'} {found.wanted}")
            if not number else how.paint("help", "or"))  # fmt: skip
        say(f"  {change.message}")
        for edit in change.edits:
            text = edit.text.strip()
            what = f"write {text}" if text else "remove this"
            for line in snippet(edit.at, what, "^" if text else "-", how.paint, arrow="-->"):
                say(line)
