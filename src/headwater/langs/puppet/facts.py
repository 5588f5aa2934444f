"""The facts of a job: a hash, or a file of JSON or YAML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.text import Source, Unreadable, read_source


def given_facts(inputs: Fields, texts: Mapping[str, Source]) -> tuple[Hash, Source | None]:
    """The facts among the inputs of a job and the text they come from; refuses other things.

    Of `texts`, which are read already, it takes the one that goes by the name of the file.
    """
    path, facts = inputs.facts_file, inputs.facts
    if isinstance(facts, str):
        path, facts = facts, None
    source: Source | None = None
    if path is not None and facts is None:
        source = texts.get(path) or _text(path)
        facts = _facts(source)
    found = Hash() if facts is None else from_data(facts)
    if not isinstance(found, Hash):
        raise Problem(codes.BAD_INPUT, message="facts are not a hash")
    return found, source


def _text(path: str) -> Source:
    source = read_source(path)
    if isinstance(source, Unreadable):
        if source.kind != "missing":
            raise refused(source, path)
        reason = f"facts {path} cannot be read: {source.reason}"
        raise Problem(codes.BAD_INPUT, message=reason)
    return source


def _facts(source: Source) -> Any:  # noqa: ANN401
    path = source.name
    try:
        if path.endswith((".yaml", ".yml")):
            document = _yaml(source)
        else:
            document = from_data(json.loads(source.text))
    except (ValueError, RecursionError) as error:
        raise Problem(codes.BAD_INPUT, message=f"facts {path}: {error}") from None
    if isinstance(document, Hash) and isinstance(document.get("values"), Hash):
        return document["values"]
    return document


def _yaml(source: Source) -> object:
    from headwater.langs.puppet.hiera.yaml import load_yaml
    from headwater.tree.yamltext import YamlTooLarge

    try:
        return load_yaml(source.text)
    except YamlTooLarge as error:
        at = source.span(error.start, error.start)
        raise Fault(YAML_TOO_LARGE.at(at, file=source.name, bound=error.bound)) from None
