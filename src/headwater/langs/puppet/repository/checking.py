"""Checking an environment: each node's program, and what no single node can tell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from headwater.langs.protocol import Job
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import LateCauses, compile_job
from headwater.langs.puppet.catalog.cycles import dependency_cycles
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hiera.config import read_config
from headwater.langs.puppet.hiera.data import read_data
from headwater.langs.puppet.repository.modules import module_findings
from headwater.langs.puppet.tidy.environment import findings
from headwater.langs.repositories import NodeChecked
from headwater.report import Diagnostic
from headwater.text.reading import files_under, is_file, is_folder

_FUNCTIONS = {".yaml": "yaml_data", ".yml": "yaml_data", ".eyaml": "yaml_data",
              ".json": "json_data"}  # fmt: skip


def check_node(job: Job[Fields]) -> NodeChecked:
    """The catalog of a node, or why there is none, and circles in it."""
    outcome = compile_job(job)
    found = [*job.doubts, *outcome.diagnostics]
    keys: frozenset[str] = frozenset()
    if isinstance(outcome.causes, LateCauses):
        compilation = outcome.causes.compilation
        found += dependency_cycles(compilation.catalog)
        keys = compilation.services.hiera.layers.all_asked()
    return NodeChecked(outcome, tuple(found), keys)


def check_environment(given: Fields) -> Iterator[Diagnostic]:
    """Doubts about modules, and what nothing uses.

    Classes that nothing includes may be those that a classifier gives to nodes.
    """
    yield from module_findings(given)
    if given.env is None:
        return
    found = (one.diagnostic for one in findings(given.env, given))
    yield from (one for one in found if one.code != codes.UNUSED_CLASS.name)


def unasked_data(given: Fields, keys: AbstractSet[str]) -> Iterator[Diagnostic]:
    """The keys in the data of an environment that no node looks up."""
    env = given.env
    if env is None:
        return
    path = os.path.join(env, "hiera.yaml")
    if not is_file(path):
        return
    try:
        config = read_config(path, "environment")
    except (Fault, Problem):
        return  # whoever looks something up is told
    folders = dict.fromkeys(
        os.path.normpath(os.path.join(env, level.datadir))
        for level in config.levels
        if "%{" not in level.datadir
    )
    for folder in folders:
        for file in _data_files(folder):
            try:
                data = read_data(file, _FUNCTIONS[os.path.splitext(file)[1]])
            except (Fault, Problem):
                continue
            for key in data.data:
                if isinstance(key, str) and key not in keys and key != "lookup_options":
                    at = data.span((key,), key=True)
                    yield codes.UNUSED_KEY.at(at, nobody="no node", key=key, hint="")


def _data_files(folder: str) -> list[str]:
    if not is_folder(folder):
        return []
    return files_under(folder, lambda name: os.path.splitext(name)[1] in _FUNCTIONS, refused=[])
