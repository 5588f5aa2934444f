"""What a classifier says of a node: classes, top-level variables, an environment.

It is what an external node classifier of Puppet prints, or a part of it: a list of classes, a table
of classes with their parameters, or a hash with ``classes``, ``parameters`` and ``environment``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.puppet import codes
from headwater.langs.puppet.facts import Place
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.hashes import Hash
from headwater.text import Source, Unreadable, read_source

_PARTS = ("classes", "parameters", "environment")


class Classification(msgspec.Struct, frozen=True):
    """What is said of one node."""

    classes: Any = None
    parameters: Hash = msgspec.field(default_factory=Hash)
    environment: str | None = None
    at: Place | None = None
    """Where the classes stand."""


def read_table(source: Source) -> object:
    """The data of a text of YAML or JSON."""
    from headwater.langs.puppet.hiera.yaml import load_yaml
    from headwater.tree.yamltext import BadYaml, YamlTooLarge

    try:
        return load_yaml(source.text)
    except YamlTooLarge as error:
        at = source.span(error.start, error.start)
        raise Fault(YAML_TOO_LARGE.at(at, file=source.name, bound=error.bound)) from None
    except BadYaml as error:
        at = source.span(error.start, error.start)
        raise Fault(codes.BAD_INPUT.at(at, message=f"{source.name}: {error}")) from None


def from_file(path: str, texts: Mapping[str, Source]) -> Classification:
    """What a file says of the node that is compiled."""
    source = texts.get(path) or read_source(path)
    if isinstance(source, Unreadable):
        raise refused(source, path).of("--classes", path)
    return classification(read_table(source), source)


def classification(data: object, source: Source) -> Classification:
    """What data say of a node; refuses what says nothing of one."""
    at = source.span(0, 0)
    if isinstance(data, Hash) and "classes" in data and all(str(k) in _PARTS for k in data):
        parameters, environment = data.get("parameters"), data.get("environment")
        if not isinstance(parameters, Hash | None):
            raise Fault(codes.BAD_INPUT.at(at, message="parameters of a node are no hash"))
        if not isinstance(environment, str | None):
            raise Fault(codes.BAD_INPUT.at(at, message="the environment of a node is no text"))
        classes = _classes(data["classes"], source)
        at_classes = Place(source, ("classes",))
        return Classification(classes, parameters or Hash(), environment, at_classes)
    return Classification(_classes(data, source), at=Place(source))


def _classes(data: object, source: Source) -> list[Any] | dict[str, Any] | Hash | None:
    """Names of classes, each with or without parameters."""
    if data is None:
        return None
    if isinstance(data, list) and all(isinstance(name, str) for name in data):
        return data
    if isinstance(data, Hash) and all(isinstance(v, Hash | None) for v in data.values()):
        return data
    message = f"{source.name}: classes are a list of names, or a table of names and parameters"
    raise Fault(codes.BAD_INPUT.at(source.span(0, 0), message=message))


def given_classification(
    classes: object,
    parameters: Hash,
    path: str | None,
    texts: Mapping[str, Source],
) -> Classification:
    """What a job says of its node itself, and else what the file says that it names."""
    if path is None:
        return Classification(classes, parameters)
    found = from_file(path, texts)
    both = found.parameters.merged(parameters)
    if classes is not None:
        return Classification(classes, both, found.environment)
    return Classification(found.classes, both, found.environment, found.at)


def as_inputs(found: Classification) -> dict[str, object]:
    """A classification as the inputs of a job."""
    inputs = {
        "classes": plain(found.classes),
        "parameters": plain(found.parameters),
        "environment": found.environment,
    }
    return {name: value for name, value in inputs.items() if value}


def plain(value: object) -> object:
    """Data as a job has them."""
    if isinstance(value, Hash):
        table: dict[str, Any] = {}
        for name, one in value.pairs():
            table[str(name)] = plain(one)
        return table
    return [plain(one) for one in value] if isinstance(value, list) else value


__all__ = ["Classification", "Problem", "as_inputs", "classification", "given_classification",
           "read_table"]  # fmt: skip
