"""What a compilation is given beside the manifest: node, facts, trusted data, settings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.classification import Classification, given_classification
from headwater.langs.puppet.engine.environment_conf import environment_conf, named_by
from headwater.langs.puppet.engine.work import MOST_STEPS
from headwater.langs.puppet.facts import NodeFacts, given_facts
from headwater.langs.puppet.facts.noted import noted_facts
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.fields import EnvironmentFields, Fields
from headwater.langs.puppet.files import refusals
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.langs.puppet.hiera.globs import folders_of
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.parsing import Reading
from headwater.langs.puppet.settings import given_settings
from headwater.langs.puppet.syntax.placement import folders
from headwater.text import Source
from headwater.text.moment import once
from headwater.text.patterns import LatePattern
from headwater.text.reading import Unread, exists, files_under, is_folder

_VARIABLE = LatePattern(r"(?:::)?[a-z_]\w*")


class Inputs(msgspec.Struct):
    """The inputs of a job, read and checked."""

    reading: Reading
    """How the program is judged: its language level, and how strictly."""
    node: str = "node.example.com"
    facts: Hash = msgspec.field(default_factory=Hash)
    given: NodeFacts = msgspec.field(default_factory=lambda: NodeFacts(None, Hash()))
    """The facts and trusted data that are given, with their places."""
    trusted: Hash = msgspec.field(default_factory=Hash)
    modulepath: list[str] = msgspec.field(default_factory=list)
    hiera: str | None = None
    env: str | None = None
    classified: Classification = Classification()
    """What a classifier says of the node."""
    environment: str = "production"
    """The name of the environment."""
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    variables: dict[str, str] = msgspec.field(default_factory=dict)
    on_unknown: str = "error"
    keep_virtual: bool = False
    max_steps: int = MOST_STEPS


def read_inputs(given: Fields, texts: Mapping[str, Source], *, strict: bool = False) -> Inputs:
    """The inputs of a job; refuses what cannot be used.  `strict`: doubtful things are errors."""
    level, settings = given_settings(given, strict=strict)
    inputs = Inputs(Reading.of(level, settings), settings=settings)
    inputs.given = given_facts(given, texts, in_parts=True)
    inputs.node = (given.node or inputs.given.node or "node.example.com").lower()
    facts = _with_names(inputs.given.values.copy(), inputs.node, level)
    told = inputs.given
    inputs.facts, told.asked, told.whose = noted_facts(told, facts)
    host, _, domain = inputs.node.partition(".")
    inputs.trusted = Hash({
        "authenticated": "local",
        "certname": inputs.node,
        "extensions": Hash(),
        "hostname": host,
        "domain": domain or None,
        "external": Hash(),
    })  # fmt: skip
    if inputs.given.trusted is not None:
        inputs.trusted = inputs.trusted.merged(inputs.given.trusted)
    inputs.env = _environment(given.env)
    inputs.modulepath = _modulepath(given, inputs)
    inputs.hiera = given.hiera
    inputs.classified = given_classification(
        from_data(given.classes), from_data(given.parameters or {}), given.classes_file, texts
    )
    folder = os.path.basename(os.path.abspath(given.env)) if given.env else "production"
    inputs.environment = given.environment or inputs.classified.environment or folder
    for pair in given.set or ():
        name, sign, value = pair.partition("=")
        if not sign or not _VARIABLE.fullmatch(name):
            what = f"set {pair} is not NAME=VALUE, a variable and its value"
            raise Problem(codes.BAD_INPUT, message=what).of("--set", pair)
        if name not in ("strict", "strict_variables"):
            inputs.variables[name] = value
    inputs.on_unknown = given.on_unknown or "error"
    inputs.max_steps = given.max_steps or MOST_STEPS
    inputs.keep_virtual = bool(given.keep_virtual)
    return inputs


def _environment(folder: str | None) -> str | None:
    """The folder of an environment, which must be there."""
    if folder is not None:
        with refusals():
            if not is_folder(folder):
                what = "it is no folder" if exists(folder) else "no such folder"
                message = f"the environment {folder} cannot be read: {what}"
                raise Problem(codes.BAD_INPUT, message=message).of("--env", folder)
    return folder


def _modulepath(given: EnvironmentFields, inputs: Inputs) -> list[str]:
    base = [os.path.abspath(folder) for folder in folders(given.modulepath)]
    env, listed = inputs.env, given.env_modulepath
    if env is None:
        return base
    key = ("modulepath", env, *base, None, *([None] if listed is None else listed))
    return [*once(key, lambda: _modulepath_in(env, base, listed))]


def _modulepath_in(env: str, base: list[str], listed: Sequence[str] | None) -> list[str]:
    """The folders of modules in an environment, whose environment.conf may list them."""
    around = os.path.abspath(env)
    if listed is None:
        with refusals():
            conf = environment_conf(env).get("modulepath")
            if conf is None:
                return [os.path.join(around, "modules"), *base]
            with named_by(conf):
                return [*_listed(conf.value, around, base)]
    found: list[str] = []
    for folder in listed:
        if folder in ("$basemodulepath", "${basemodulepath}"):
            found += base
        else:
            found.append(os.path.join(around, folder))
    return found


def _listed(modulepath: str, around: str, base: list[str]) -> Iterator[str]:
    """The folders that a modulepath in environment.conf names, those of its patterns too."""
    for named in modulepath.rstrip(os.pathsep).split(os.pathsep):
        path = named if named.startswith("$") else os.path.join(around, named)
        if any(char in path for char in "*?["):
            yield from folders_of(path)
            continue
        if named == "$basemodulepath":
            yield from base
            continue
        for folder in path.replace("$basemodulepath", os.pathsep.join(base)).split(os.pathsep):
            is_folder(folder)  # one that may not be read is refused here
            yield folder


_LAID_OUT = ("environment.conf", "manifests", "modules")


def is_environment(folder: str) -> bool:
    """Whether a folder is laid out as an environment."""
    return any(_is_there(os.path.join(folder, name)) for name in _LAID_OUT)


def _is_there(path: str) -> bool:
    try:
        return exists(path)
    except Unread:
        return True  # whoever reads it says why it is not read


def gathered(folder: str, inputs: Fields) -> tuple[tuple[str, ...], Fields]:
    """The manifests that a folder means: those of an environment, or all that lie in it."""
    is_one, files = once(("manifests", folder), lambda: _manifests(folder))
    if is_one:
        inputs = msgspec.structs.replace(inputs, env=inputs.env or folder)
    return files, inputs


def _manifests(folder: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a folder is an environment, and the manifests that it means."""
    path, is_one, named = folder, is_environment(folder), None
    if is_one:
        named = environment_conf(folder).get("manifest")
        path = os.path.join(folder, "manifests" if named is None else named.value)
    with named_by(named):
        if not is_folder(path):
            return is_one, ((path,) if exists(path) else ())
        return is_one, tuple(files_under(path, lambda name: name.endswith(".pp")))


def _with_names(facts: Hash, node: str, level: LanguageLevel) -> Hash:
    """Facts with the names of the node added, as a server adds them."""
    host, _, domain = node.partition(".")
    for name, value in (
        ("hostname", host),
        ("domain", domain or None),
        ("fqdn", node),
        ("clientcert", node),
        ("clientversion", level.version),
        ("clientnoop", False),
    ):
        if value is not None and name not in facts:
            facts.put(name, value)
    return facts
