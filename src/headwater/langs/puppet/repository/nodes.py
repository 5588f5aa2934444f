"""Nodes of a repository as Puppet sees them: facts, trusted data, classes, role, environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from headwater.langs.codes import unread
from headwater.langs.protocol import Job, LookedUp
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import lookup_job
from headwater.langs.puppet.classification import (
    Classification,
    as_inputs,
    classification,
    plain,
    read_table,
)
from headwater.langs.puppet.engine.inputs import is_environment, read_inputs
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields, Section
from headwater.langs.puppet.hashes import Hash
from headwater.langs.repositories import Absent, NodeAbout, NodeFiles, Unusable
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import is_folder, names_in

_ROLE = "role::"
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d++)? ?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)


def node_inputs(node: NodeFiles) -> dict[str, object]:
    """The inputs of a program for a node."""
    found: dict[str, object] = {"node": node.name}
    if node.facts is not None:
        found["facts_file"] = node.facts
    if node.trusted is not None:
        found["trusted"] = _trusted(node.trusted)
    if isinstance(node.classes, Classification):
        found |= as_inputs(node.classes)
    return found


def _trusted(path: str) -> object:
    """The trusted data in a file, as a job has them."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise Unusable(unread(source, path, source.at))
    try:
        data = read_table(source)
    except Fault as fault:
        raise Unusable(fault.diagnostic) from None
    if not isinstance(data, Hash | None):
        message = f"{path}: trusted data are a hash"
        raise Unusable(codes.BAD_INPUT.at(source.span(0, 0), message=message))
    return plain(data or Hash())


def read_classified(source: Source) -> dict[str, object]:
    """What a classifier printed of a node, as inputs."""
    try:
        return as_inputs(classification(read_table(source), source))
    except Fault as fault:
        raise Unusable(fault.diagnostic) from None


def about_node(given: Fields) -> NodeAbout:
    """What the facts, the trusted data and the classes of a node say of it."""
    at = Source(given.facts_file or given.node or "", "").span(0, 0)
    try:
        inputs = read_inputs(given, {})
    except Fault as fault:
        raise Unusable(fault.diagnostic) from None
    except Problem as problem:
        if problem.input is not None and problem.input.source.name == "--facts":
            problem.input = None  # a repository names its files by patterns, not by an option
        raise Unusable(problem.at(at).diagnostic) from None
    named = given.environment or inputs.classified.environment
    environment = named or inputs.facts.get("agent_specified_environment")
    role, source = _role(inputs.facts, inputs.trusted, inputs.classified.classes)
    if role is None and given.env is not None:
        role, source = _role_in_data(given)
    known = environment if isinstance(environment, str) else None
    return NodeAbout(known, role, source, _moment(inputs.given.when))


def _moment(text: str | None) -> float | None:
    """A time as tools write it, in seconds since 1970; one without a zone is taken for UTC."""
    found = None if text is None else _TIME.fullmatch(text.strip())
    if found is None:
        return None
    day, clock, zone = found.groups(default="")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}")
        offset = datetime.strptime(zone.replace(":", "") or "Z", "%z").utcoffset()
        return (moment.replace(tzinfo=UTC) - (offset or timedelta())).timestamp()
    except (ValueError, OverflowError):
        return None


def _role_in_data(given: Fields) -> tuple[str | None, str | None]:
    """The role that the data of a node's environment say."""
    found = lookup_job(Job((), given), "role", None)
    if isinstance(found, LookedUp) and isinstance(found.value, str):
        return found.value, "data, key role"
    return None, None


def _role(
    facts: Hash, trusted: Hash, classes: list[Any] | Hash | None
) -> tuple[str | None, str | None]:
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
    """What a table says of each node, its name in lower case."""
    try:
        data = read_table(source)
        if data is None:
            return {}
        if not isinstance(data, Hash):
            message = f"{source.name} is no table of nodes with their classes"
            raise Unusable(codes.BAD_INPUT.at(source.span(0, 0), message=message))
        found: dict[str, object] = {}
        for name, value in data.pairs():
            found[str(name).lower()] = classification(value, source)
    except Fault as fault:
        raise Unusable(fault.diagnostic) from None
    return found


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
