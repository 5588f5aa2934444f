"""What a compilation is given beside the manifest: node, facts, trusted data, settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.classification import Classification, given_classification
from headwater.langs.puppet.engine.work import MOST_STEPS
from headwater.langs.puppet.facts import NodeFacts, given_facts
from headwater.langs.puppet.facts.noted import noted_facts
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.fields import EnvironmentFields, Fields
from headwater.langs.puppet.files import refusals
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.parsing import Reading
from headwater.langs.puppet.settings import given_settings
from headwater.langs.puppet.syntax.placement import folders
from headwater.text import Source, read_source
from headwater.text.moment import once
from headwater.text.patterns import LatePattern
from headwater.text.reading import Unread, exists, files_under, is_folder, read_bytes

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
        listed = conf.split(os.pathsep)
    found: list[str] = []
    with refusals(), _named(env, "modulepath"):
        for folder in listed:
            if folder in ("$basemodulepath", "${basemodulepath}"):
                found += base
            else:
                found.append(os.path.join(around, folder))
                is_folder(found[-1])
    return found


@contextmanager
def _named(env: str, setting: str) -> Iterator[None]:
    """What is refused meanwhile was named by a setting of ``environment.conf``."""
    try:
        yield
    except Unread as why:
        source = read_source(os.path.join(env, "environment.conf"))
        if isinstance(source, Source):
            for line in re.finditer(r"^[^\S\n]*+(\w++)[^\S\n]*+=.*$", source.text, re.MULTILINE):
                if line[1] == setting:
                    why.named_at = source.span(*line.span())
        raise


_CONF = {"manifest", "modulepath", "config_version", "environment_timeout",
         "disable_per_environment_manifest", "static_catalogs", "rich_data"}  # fmt: skip


def environment_conf(env: str) -> Mapping[str, str]:
    """The settings in ``environment.conf``: names, values, and variables of the environment.

    Raises `Unread` if it is no file that may be read.
    """
    try:
        text = read_bytes(os.path.join(env, "environment.conf")).decode("utf-8")
    except Unread as unread:
        if unread.kind != "missing":
            raise
        return {}
    except UnicodeDecodeError:
        return {}
    return _settings_in(text, os.path.basename(os.path.abspath(env)))


@lru_cache(100)
def _settings_in(text: str, environment: str) -> Mapping[str, str]:
    pairs = (line.partition("#")[0].partition("=") for line in text.splitlines())
    found = {name.strip(): value.strip() for name, sign, value in pairs if sign}
    return {
        key: _with_variables(value.strip("\"'"), environment)
        for key, value in found.items()
        if key in _CONF
    }


def _with_variables(value: str, environment: str) -> str:
    return value.replace("$environment", environment).replace("${environment}", environment)


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
    path, is_one = folder, is_environment(folder)
    if is_one:
        path = os.path.join(folder, environment_conf(folder).get("manifest", "manifests"))
    with _named(folder, "manifest"):
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
