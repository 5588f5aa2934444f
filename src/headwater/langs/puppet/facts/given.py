"""The facts and trusted data that a job gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.several import FactsFile, copied, facts_for_reading, facts_in
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


def given_facts(
    inputs: NodeFields, texts: Mapping[str, Source], *, in_parts: bool = False
) -> NodeFacts:
    """What a job says of its node: facts, trusted data and their places; refuses other things.

    Of `texts`, which are read already, it takes those that go by the name of a file.  With
    `in_parts`, who asks notes what is read of a file (`NodeFacts.file`).
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
        found = _for_node(FactsFile.of(every), inputs.node, "facts")
    elif path is not None and path in texts:
        found = _for_node(FactsFile.of(read_facts(texts[path])), inputs.node, path)
    elif path is not None:
        found = _from_file(path, inputs, in_parts=in_parts)
    else:
        found = NodeFacts(None, Hash())
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


def _from_file(path: str, inputs: NodeFields, *, in_parts: bool) -> NodeFacts:
    """The facts of a node in a file."""
    if READS.get() is None or inputs.external_facts or not in_parts:
        return _for_node(facts_in(path), inputs.node, path)
    with noting(None):
        try:  # facts that are noted are copied (`noted_facts`)
            found = _for_node(facts_for_reading(path), inputs.node, path)
        except (Fault, Problem):
            found = None
    if found is None:  # what is wrong with a file hangs on all of it
        return _for_node(facts_in(path), inputs.node, path)
    if found.trusted is not None:
        found.trusted = found.trusted.map_values(copied)
    found.file = path
    return found


def _for_node(held: FactsFile, node: str | None, name: str) -> NodeFacts:
    """The facts that are meant, of those that a file holds."""
    every = held.every
    found = held.of_node(node)
    if found is not None:
        if len(every) == 1:
            return replace(found, own={**found.own})
        values = found.values.map_values(copied)  # the file is held, and a program may change them
        return replace(found, values=values, own={**found.own}, among=True)
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
