"""A file of facts in which one fact is another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from headwater.langs.puppet.facts.several import FactsFile
from headwater.langs.puppet.facts.shapes import NodeFacts
from headwater.langs.puppet.facts.texts import read_facts, span_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.text import Source


def with_fact(source: Source, nodes: Sequence[str], path: str, value: str) -> str:
    """The text with a fact of nodes, whose path is written with dots, set to a value of YAML.

    A fact that is a text stays one: ``os.release.major=13``.  So does what holds no facts: who
    compiles with it is told.  Raises `ValueError`.
    """
    try:
        held = FactsFile.of(read_facts(source))
    except (Fault, Problem):
        return source.text
    from headwater.langs.puppet.hiera.yaml import load_objects
    from headwater.tree.yamltext import BadYaml

    try:
        given = load_objects(value)
    except BadYaml as error:
        raise ValueError(f"{value} is no YAML: {error}") from None
    text = source.text
    for start, end, put in sorted(_edits(source, held, nodes, path.split("."), value, given))[::-1]:
        text = text[:start] + put + text[end:]
    return text


Edit: TypeAlias = tuple[int, int, str]
"""From where to where a text becomes another."""


def _edits(
    source: Source, held: FactsFile, nodes: Sequence[str], names: list[str], value: str,
    given: object,
) -> Iterator[Edit]:  # fmt: skip
    for node in nodes[:1] if len(held.every) == 1 else nodes:
        facts = held.of_node(node)
        if facts is None:
            raise ValueError(f"{source.name} has no facts of {node}")
        depth, inner = _reached(facts, names)
        if depth == len(names):
            made = value.strip("'\"") if isinstance(inner, str) and _is_scalar(given) else given
            yield _put(facts, names, made)
            continue
        if not isinstance(inner, Hash):
            raise ValueError(f"the fact {'.'.join(names[:depth])} of {source.name} is no hash")
        made = given
        for name in reversed(names[depth + 1 :]):
            made = Hash({name: made})
        yield _added(source, facts, names[: depth + 1], made)


def _reached(facts: NodeFacts, names: list[str]) -> tuple[int, Any]:
    """How many names of a path lead somewhere, and where."""
    inner: Any = facts.values
    for depth, name in enumerate(names):
        if not isinstance(inner, Hash) or name not in inner:
            return depth, inner
        inner = inner[name]
    return len(names), inner


def _is_scalar(value: object) -> bool:
    return not isinstance(value, Hash | list)


def _put(facts: NodeFacts, names: list[str], value: object) -> Edit:
    place = facts.place(tuple(names))
    assert place is not None
    at = span_of(place)
    return at.start, at.end, _json(value)


def _added(source: Source, facts: NodeFacts, names: list[str], value: object) -> Edit:
    """One more entry in the hash that the last name but one leads to, or one more fact."""
    text = source.text
    place = facts.place(tuple(names[:-1]))
    assert place is not None
    start = span_of(place).start
    opening = text[start : start + 1]
    if opening not in ("{", "[") or not text.lstrip().startswith(("{", "[")):
        raise ValueError(
            f"{source.name} has no fact {'.'.join(names)}, and is no JSON to add it to"
        )
    entry = f"{json.dumps(names[-1])}: {_json(value)}"
    if opening == "[":  # facts that are listed one by one, of all nodes or of this one
        whose = "" if place.path or facts.node is None else f'"certname": {_json(facts.node)}, '
        entry = f'{{{whose}"name": {json.dumps(names[-1])}, "value": {_json(value)}}}'
    comma = "" if text[start + 1 :].lstrip().startswith(("}", "]")) else ", "
    return start + 1, start + 1, entry + comma


def _json(value: object) -> str:
    if isinstance(value, Hash):
        entries = (f"{_json(str(key))}: {_json(item)}" for key, item in value.pairs())
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return json.dumps(value, ensure_ascii=False)
