"""What compiling tells: what is doubtful at level 7, refused at level 8, or another value there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from headwater.langs.protocol import Job, Outcome, TextEdit
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import compile_job
from headwater.langs.puppet.addresses import show_catalog_address
from headwater.langs.puppet.catalog.result import CatalogResult
from headwater.langs.puppet.facts import given_facts
from headwater.langs.puppet.facts.legacy import is_legacy
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast, parse
from headwater.langs.puppet.syntax.ast import Program
from headwater.langs.puppet.types.arithmetic import number_of
from headwater.langs.puppet.upgrade.static import Wanted
from headwater.report import Diagnostic
from headwater.text import Source, Span
from headwater.tree import Address, differences

_FORETOLD = frozenset(
    code.name
    for code in (
        codes.UNKNOWN_VARIABLE, codes.NUMERIC_COERCION, codes.LATE_OVERRIDE, codes.NO_HASH,
        codes.DOUBTFUL_METADATA,
    )
)  # fmt: skip
"""Warnings of level 7 that are errors at level 8."""

_RELAXED: dict[str, object] = {"strict": "warning", "strict_variables": False}
_MOST_CHANGES = 100


def with_level(
    job: Job[Fields], number: Literal[7, 8], settings: dict[str, object], facts: Hash | None = None
) -> Job[Fields]:
    """The same job at a level; settings that it gives itself win."""
    given = {**settings, **(job.inputs.settings or {})}
    inputs = msgspec.structs.replace(job.inputs, puppet=number, settings=given)
    if facts is not None:
        told: Any = facts
        inputs = msgspec.structs.replace(
            inputs, facts=told, facts_file=None, external_facts=None, **_node_of(job)
        )
    return replace(job, inputs=inputs)


def at_level_7(job: Job[Fields]) -> Outcome:
    """The outcome of a job as it is now."""
    return compile_job(with_level(job, 7, {}))


def _node_of(job: Job[Fields]) -> dict[str, Any]:
    """The name and trusted data of a node, where the file of its facts says them."""
    given = given_facts(job.inputs, job.texts)
    node = job.inputs.node or given.node
    return {"node": node, "trusted": given.trusted, "trusted_file": None}


def facts_of(job: Job[Fields]) -> Hash:
    """The facts that a job gives."""
    try:
        return given_facts(job.inputs, job.texts).values
    except (Problem, Fault):
        return Hash()


def wanted_without(job: Job[Fields], now: Outcome) -> list[Wanted]:
    """What else level 8 would do with a job if its facts are those that agents then send."""
    facts = facts_of(job)
    sent = facts.where(lambda name, _: not is_legacy(str(name)))
    if len(sent) == len(facts):
        return []
    return _otherwise(job, now, [compile_job(with_level(job, 8, _RELAXED, sent))])


def wanted_by(job: Job[Fields], now: Outcome) -> list[Wanted]:
    """What level 8 would do with a job and the facts that it has, of which level 7 gave `now`."""
    found: list[Wanted] = []
    for told in now.diagnostics:
        if told.code in _FORETOLD:
            found.append(Wanted(_refused(told), tuple(_numbers(told))))
    then = [compile_job(with_level(job, 8, how)) for how in (_RELAXED, {})]
    return [*found, *_otherwise(job, now, then)]


def _otherwise(job: Job[Fields], now: Outcome, then: list[Outcome]) -> list[Wanted]:
    """The refusals of level 8, and the values that the first of its catalogs has otherwise."""
    if now.result is None:
        return []
    found = [Wanted(_refused(error)) for outcome in then for error in outcome.errors]
    if then[0].result is not None:
        found += [Wanted(told) for told in _changes(job, now, then[0])]
    return found


def _refused(told: Diagnostic) -> Diagnostic:
    made = codes.LEVEL_REFUSES.at(told.at, message=told.message, labels=told.labels)
    return replace(made, help=told.help)


def _changes(job: Job[Fields], now: Outcome, then: Outcome) -> Iterable[Diagnostic]:
    """The values that are others at level 8, at the place where they are made."""
    from headwater.tree.json import compact

    before, after = now.result, then.result
    assert isinstance(before, CatalogResult)
    assert isinstance(after, CatalogResult)
    start = (job.sources or (Source("(no manifest)", ""),))[0].span(0, 0)
    found: list[Diagnostic] = []
    for change in islice(differences(before.get(()), after.get(())), _MOST_CHANGES):
        there = [change.kind != "added", change.kind != "removed"]
        shown = [
            compact(side) if is_there else "nothing"
            for side, is_there in zip((change.before, change.after), there, strict=True)
        ]
        outcome = now if there[0] else then
        found.append(
            codes.LEVEL_CHANGES.at(
                _place(outcome, change.address) or start,
                address=show_catalog_address(change.address),
                before=shown[0],
                after=shown[1],
            )
        )
    return after.secrets.diagnostics(before.secrets.diagnostics(found))


def _place(outcome: Outcome, address: Address) -> Span | None:
    """Where a value is written, or else where its resource is declared."""
    from headwater.why import where

    causes = outcome.causes
    assert causes is not None
    label = where(causes.trace, causes.of(address))
    if label is not None and label.kind == "literal":
        return label.at
    path = causes.path(address)
    return path[-1] if path else None


# -- texts that are taken for numbers ------------------------------------------------------------


def _numbers(told: Diagnostic) -> Iterable[TextEdit]:
    """Edits that make numbers of the operands where a text was taken for one."""
    if told.code != codes.NUMERIC_COERCION.name:
        return ()
    source = told.at.source
    parsed = parse(source)
    if not parsed.ok:
        return ()
    node = _at(parsed.program, told.at)
    match node:
        case None:
            return ()
        case ast.Binary():
            sides = [node.left, node.right]
        case ast.Minus():
            sides = [node.value]
        case key:  # an index of an array
            sides = [key]
    return [edit for side in sides for edit in _as_number(source, side)]


def _as_number(source: Source, node: ast.Placed) -> list[TextEdit]:
    """Edits that make a number of an operand, whatever else is changed in it."""
    span = Span(source, node.start, node.end)
    match node:
        case ast.Integer() | ast.Float() | ast.Minus():
            return []
        case ast.String(value=text) if number_of(text) is not None:
            return [TextEdit(span, text.strip())]
        case ast.Binary(op="+" | "-" | "*" | "/" | "%"):
            return []  # what it gives is a number
    around = (node.start, "Numeric("), (node.end, ")")
    return [TextEdit(source.span(at, at), text) for at, text in around]


def _at(program: Program, at: Span) -> ast.Expr | None:
    """The operation that a finding is about, or the index."""
    todo: list[Any] = [*program.body]
    index: ast.Expr | None = None
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Binary | ast.Minus) and node.end == at.end and at.start in (
            node.start, getattr(node, "at", node.start)
        ):  # fmt: skip
            return node
        if isinstance(node, ast.Access):
            same = [key for key in node.keys if (key.start, key.end) == (at.start, at.end)]
            index = same[0] if same else index
        todo += [
            part for part in ast.children(node) if part.start <= at.start or part.end >= at.end
        ]
    return index
