"""Nodes of a repository as Puppet sees them: facts, trusted data, classes, role, environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.protocol import Job, LookedUp
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import lookup_job
from headwater.langs.puppet.engine.inputs import is_environment, read_inputs
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields, Section
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.yaml import load_yaml
from headwater.langs.repositories import Absent, NodeAbout, NodeFiles, Unusable
from headwater.text import Source
from headwater.text.reading import is_folder, names_in
from headwater.tree.yamltext import BadYaml, YamlTooLarge

_ROLE = "role::"


def node_inputs(node: NodeFiles) -> dict[str, object]:
    """The inputs of a program for a node."""
    found: dict[str, object] = {"node": node.name}
    if node.facts is not None:
        found["facts_file"] = node.facts
    if node.classes is not None:
        found["classes"] = node.classes
    return found


def about_node(given: Fields) -> NodeAbout:
    """What the facts, the trusted data and the classes of a node say of it."""
    at = Source(given.facts_file or given.node or "", "").span(0, 0)
    try:
        inputs = read_inputs(given, {})
    except Fault as fault:
        raise Unusable(fault.diagnostic) from None
    except Problem as problem:
        raise Unusable(problem.at(at).diagnostic) from None
    environment = inputs.facts.get("agent_specified_environment")
    role, source = _role(inputs.facts, inputs.trusted, inputs.classes)
    if role is None and given.env is not None:
        role, source = _role_in_data(given)
    return NodeAbout(environment if isinstance(environment, str) else None, role, source)


def _role_in_data(given: Fields) -> tuple[str | None, str | None]:
    """The role that the data of a node's environment say."""
    found = lookup_job(Job((), given), "role", None)
    if isinstance(found, LookedUp) and isinstance(found.value, str):
        return found.value, "data, key role"
    return None, None


def _role(facts: Hash, trusted: Hash, classes: Any) -> tuple[str | None, str | None]:  # noqa: ANN401
    """What a node is for, by whoever says so first, and who that is."""
    extensions = trusted.get("extensions")
    sayings = (
        ("trusted.extensions.pp_role", extensions.get("pp_role") if isinstance(extensions, Hash)
         else None),
        ("facts.role", facts.get("role")),
    )  # fmt: skip
    for place, value in sayings:
        if isinstance(value, str) and value:
            return value, place
    names = [str(name).removeprefix("::") for name in classes or ()]
    role = next((name for name in names if name.startswith(_ROLE)), None)
    return (None, None) if role is None else (role.removeprefix(_ROLE), "classes")


def read_classes(source: Source) -> Mapping[str, object]:
    """What a table of classes says of each node, its name in lower case."""
    try:
        data = load_yaml(source.text)
    except YamlTooLarge as error:
        at = source.span(error.start, error.start)
        raise Unusable(YAML_TOO_LARGE.at(at, file=source.name, bound=error.bound)) from None
    except BadYaml as error:
        at = source.span(error.start, error.start)
        raise Unusable(codes.BAD_INPUT.at(at, message=f"{source.name}: {error}")) from None
    if data is None:
        return {}
    if not isinstance(data, Hash):
        message = f"{source.name} is no table of nodes with their classes"
        raise Unusable(codes.BAD_INPUT.at(source.span(0, 0), message=message))
    found: dict[str, object] = {}
    for name, value in data.pairs():
        if not isinstance(value, (list, Hash, type(None))):
            message = f"the classes of {name} are no list and no hash"
            raise Unusable(codes.BAD_INPUT.at(source.span(0, 0), message=message))
        found[str(name).lower()] = _plain(value)
    return found


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Data as a job has them."""
    if isinstance(value, Hash):
        table: dict[str, Any] = {}
        for name, one in value.pairs():
            table[str(name)] = _plain(one)
        return table
    return [_plain(one) for one in value] if isinstance(value, list) else value


def environments(section: Section, root: str) -> Mapping[str, str]:
    """The environments by name: those in the folder that is named, or the repository itself."""
    if section.environments is not None:
        folders = [
            (n, os.path.join(section.environments, n)) for n in names_in(section.environments)
        ]
        return {n: path for n, path in folders if n[:1].isalnum() and is_folder(path)}
    return {os.path.basename(os.path.abspath(root)): root} if is_environment(root) else {}


def absent_folders(given: Fields, environment: str) -> Iterator[Absent]:
    """The folders of the modulepath that are not there."""
    for number, folder in enumerate(given.env_modulepath or ()):
        path = os.path.normpath(os.path.join(environment, folder))
        if "$" not in folder and not is_folder(path):
            yield Absent(("modulepath", number), path)
