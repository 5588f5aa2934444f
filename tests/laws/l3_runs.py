"""Running generated L3 programs: what an outcome says, in a form that can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from headwater.langs import Job, Options, Outcome
from headwater.langs.l3.fields import Fields
from headwater.langs.l3.language import LANGUAGE
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.tree import Address, Tree
from headwater.tree.json import compact
from headwater.why import Label, depends, masked, origins


def run(
    sources: tuple[Source, ...],
    *,
    engine: Literal["engine", "paper"] = "engine",
    strict: bool = False,
) -> Outcome:
    """The outcome of a program."""
    return LANGUAGE.compile(Job(sources, Fields(), engine=engine, options=Options(strict=strict)))


def tree(outcome: Outcome) -> Any:  # noqa: ANN401
    """The result as data, or none."""
    return outcome.result.root if isinstance(outcome.result, Tree) else None


def text(outcome: Outcome) -> str:
    """The result as text, or the codes of the errors: how two results are compared."""
    if outcome.result is None:
        return " ".join(sorted({d.code for d in outcome.errors}))
    return "".join(outcome.result.export("compact"))


def told(diagnostic: Diagnostic) -> dict[str, Any]:
    """Everything a diagnostic says."""
    return diagnostic.as_json()


def warned(outcome: Outcome) -> list[tuple[str, str, tuple[str, ...]]]:
    """The warnings without their places."""
    return sorted(
        (d.code, d.message, tuple(sorted(note.message for note in d.labels)))
        for d in outcome.diagnostics
    )


def labels_of(outcome: Outcome) -> Iterator[Address]:
    """Every address of labels, also of blocks, in order."""
    todo: list[tuple[Address, Any]] = [((), tree(outcome))]
    while todo:
        address, value = todo.pop()
        yield address
        if isinstance(value, dict):
            todo.extend(((*address, label), child) for label, child in value.items())


def known(label: Label) -> tuple[str, str, int, str]:
    """A label as it can be compared between runs."""
    return label.kind, label.at.source.name, label.at.start, label.text


def why(outcome: Outcome) -> dict[Any, Any]:
    """All provenance of an outcome."""
    causes = outcome.causes
    assert causes is not None
    assert outcome.result is not None
    trace = causes.trace
    addresses = dict.fromkeys([*labels_of(outcome), *(a for a, _ in outcome.result.walk())])
    found: dict[Any, Any] = {"output": [known(x) for x in depends(trace, causes.output())]}
    for address in addresses:
        node = causes.of(address)
        found[address] = {
            "where": [known(x) for x in origins(trace, node)],
            "depends": [known(x) for x in depends(trace, node)],
            "masked": [
                (compact(m.value), m.where and known(m.where), m.reason, [known(x) for x in m.by])
                for m in masked(trace, node)
            ],
        }
    return found
