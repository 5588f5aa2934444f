"""The facts of a job: a hash, or a file of JSON or YAML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash, from_data


def given_facts(given: Mapping[str, Any]) -> tuple[Hash, str | None]:
    """The facts among the inputs of a job and the file they come from; refuses other things."""
    path = given.get("facts_file")
    facts = given.get("facts")
    if isinstance(facts, str):
        path, facts = facts, None
    if path is not None and facts is None:
        facts = _read(path)
    found = Hash() if facts is None else from_data(facts)
    if not isinstance(found, Hash):
        raise Problem(codes.BAD_INPUT, message="facts are not a hash")
    return found, path


def _read(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError) as error:
        raise Problem(codes.BAD_INPUT, message=f"facts {path} cannot be read: {error}") from None
    try:
        if path.endswith((".yaml", ".yml")):
            from headwater.langs.puppet.hiera.yaml import load_yaml

            document = load_yaml(text, path)
        else:
            document = from_data(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Problem(codes.BAD_INPUT, message=f"facts {path}: {error}") from None
    if isinstance(document, Hash) and isinstance(document.get("values"), Hash):
        return document["values"]
    return document
