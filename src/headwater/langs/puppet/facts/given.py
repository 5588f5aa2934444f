"""The facts and trusted data that a job gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.shapes import (
    TRUSTED,
    BadShape,
    NodeFacts,
    Place,
    faults_of,
    nodes_in,
)
from headwater.langs.puppet.facts.texts import data_of, read_facts, span_of, text_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import NodeFields
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.text import Source
from headwater.text.reads import READS, noting

_MOST_NAMED = 5


def given_facts(inputs: NodeFields, texts: Mapping[str, Source]) -> NodeFacts:
    """What a job says of its node: facts, trusted data and their places; refuses other things.

    Of `texts`, which are read already, it takes those that go by the name of a file.
    """
    path, facts = inputs.facts_file, inputs.facts
    if isinstance(facts, str):
        path, facts = facts, None
    if facts is not None:
        try:
            every = nodes_in(facts if isinstance(facts, Hash) else from_data(facts))
        except BadShape as shape:
            problem = Problem(codes.BAD_INPUT, message=f"facts: {shape.message}")
            raise problem.of("facts", "") from None
    elif path is not None:
        every = read_facts(texts[path]) if path in texts else _from_file(path, inputs)
    else:
        every = [NodeFacts(None, Hash())]
    found = _for_node(every, inputs.node, path or "facts")
    folders = inputs.external_facts
    if folders:
        from headwater.langs.puppet.facts.external import add_external

        add_external(found, folders)
    told = found.trusted
    _trust(found, inputs.trusted or inputs.trusted_file, texts)
    for trusted in (told, found.trusted):
        if found.node is None and trusted is not None:
            found.node = trusted.get("certname")
    return found


def _from_file(path: str, inputs: NodeFields) -> list[NodeFacts]:
    """The facts of a file; of one that holds those of one node alone, who reads them notes it."""
    if READS.get() is None or inputs.external_facts:
        return read_facts(path)
    with noting(None):
        try:
            every = read_facts(path)
        except (Fault, Problem):
            every = []
    if len(every) == 1 and every[0].plain:
        every[0].file = path
        return every
    return read_facts(path)


def _for_node(every: list[NodeFacts], node: str | None, name: str) -> NodeFacts:
    """The facts that are meant, of those that a file holds."""
    if len(every) == 1:
        return msgspec.structs.replace(every[0])
    for facts in every:
        if facts.node is not None and facts.node.lower() == (node or "").lower():
            return msgspec.structs.replace(facts)
    names = [str(facts.node) for facts in every]
    listed = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
    message = f"facts {name} are of {len(every)} nodes, {listed}; --node says which is meant"
    if node is not None:
        message = f"facts {name} are of {len(every)} nodes, {listed}; {node} is not among them"
    at = every[0].at
    if at is None:
        raise Problem(codes.BAD_INPUT, message=message).of("facts", "")
    raise Fault(codes.BAD_INPUT.at(at.source.span(0, 0), message=message))


def _trust(facts: NodeFacts, given: Any, texts: Mapping[str, Source]) -> None:  # noqa: ANN401
    """Puts trusted data that are given over those that came with the facts."""
    if given is None:
        return
    source: Source | None = None
    place: Place | None = None
    if isinstance(given, str):
        source = texts.get(given) or text_of(given, "trusted data")
        data = data_of(source, "trusted data")
        place = Place(source)
        if isinstance(data, Hash) and isinstance(data.get("trusted"), Hash):
            data, place = data["trusted"], Place(source, ("trusted",))
        wrong = ("they are not a hash", "") if not isinstance(data, Hash) else None
        if wrong is None and not any(key in data for key in TRUSTED):
            wrong = (f"they have none of {', '.join(TRUSTED)}", "")
    else:
        data, wrong = given if isinstance(given, Hash) else from_data(given), None
    wrong = wrong or next(faults_of(data), None)
    if wrong is not None:
        message = f"trusted data: {wrong[0]}"
        if place is None:
            raise Problem(codes.BAD_INPUT, message=message).of("trusted", "")
        at = span_of(place.inside((wrong[1],)))
        raise Fault(codes.BAD_INPUT.at(at, message=message))
    facts.trusted, facts.trusted_at = data, place
