"""A file of facts in which one fact is another."""

from __future__ import annotations

import json
from typing import Any

from headwater.langs.puppet.facts.shapes import NodeFacts
from headwater.langs.puppet.facts.texts import read_facts, span_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.text import Source


def with_fact(source: Source, path: str, value: str) -> str:
    """The text with a fact, whose path is written with dots, set to a value, written as YAML.

    A fact that is a text stays one: ``os.release.major=13``.  Raises `ValueError`.
    """
    try:
        every = read_facts(source)
    except (Fault, Problem) as error:
        raise ValueError(f"{source.name} holds no facts: {error}") from None
    if len(every) != 1:
        raise ValueError(f"{source.name} has the facts of {len(every)} nodes")
    from headwater.langs.puppet.hiera.yaml import load_objects
    from headwater.tree.yamltext import BadYaml

    names = path.split(".")
    depth, inner = _reached(every[0], names)
    try:
        given = load_objects(value)
    except BadYaml as error:
        raise ValueError(f"{value} is no YAML: {error}") from None
    if depth == len(names):
        made = value.strip("'\"") if isinstance(inner, str) and _is_scalar(given) else given
        return _put(source, every[0], names, made)
    if not isinstance(inner, Hash):
        raise ValueError(f"the fact {'.'.join(names[:depth])} of {source.name} is no hash")
    for name in reversed(names[depth + 1 :]):
        given = Hash({name: given})
    return _added(source, every[0], names[: depth + 1], given)


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


def _put(source: Source, facts: NodeFacts, names: list[str], value: object) -> str:
    place = facts.place(tuple(names))
    assert place is not None
    at = span_of(place)
    return source.text[: at.start] + _json(value) + source.text[at.end :]


def _added(source: Source, facts: NodeFacts, names: list[str], value: object) -> str:
    """The text with one more entry in the hash that the last name but one leads to."""
    text = source.text
    place = facts.place(tuple(names[:-1]))
    assert place is not None
    at = span_of(place)
    start = text.find("{", at.start) if len(names) > 1 else text.find("{")
    if start < 0 or not text.lstrip().startswith("{"):
        raise ValueError(
            f"{source.name} has no fact {'.'.join(names)}, and is no JSON to add it to"
        )
    rest = text[start + 1 :]
    comma = "" if rest.lstrip().startswith("}") else ", "
    return f"{text[: start + 1]}{json.dumps(names[-1])}: {_json(value)}{comma}{rest}"


def _json(value: object) -> str:
    if isinstance(value, Hash):
        entries = (f"{_json(str(key))}: {_json(item)}" for key, item in value.pairs())
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return json.dumps(value, ensure_ascii=False)
