"""What look-ups rest on beside data: hierarchies, patterns for files, functions, keys."""

from __future__ import annotations

from headwater.langs.puppet.hiera.config import Config
from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.hiera.functions import Computed
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.text import Source
from headwater.why import Node


def consulted(replay: Replay, here: Here, record: LookupRecord) -> list[Node]:
    """What decided where a key was looked for, and what functions of data gave."""
    found = hierarchies(replay, record.key)
    found += [
        replay.labels.miss(replay.inputs.file(pattern).span(0, 0), record.key)
        for pattern in dict.fromkeys(record.globs)
    ]
    for tried in record.tried:
        if isinstance(tried.file, Computed):
            function = tried.file
            inside = Here(function.unit, replay.left.record.top, None, here.when)
            found.append(replay.everything(inside, *function.node.body, *function.node.params))
    for name in dict.fromkeys(record.keys):
        found.append(_key(replay, name))
    return found


def hierarchies(replay: Replay, key: str) -> list[Node]:
    """Each hiera.yaml that a key may be looked up by, as a whole, or that there is none.

    All of it counts: options of look-ups are gathered from every level.
    """
    layers = replay.left.layers
    layers.begin()
    module = key.partition("::")[0] if "::" in key else None
    given = ((layers.global_config, None), (layers.env_config, layers.host.env))
    found = [_hierarchy(replay, config, folder) for config, folder in given]
    if module is not None:
        own, folder = layers.module_config(module), layers.host.module_directory(module)
        found.append(_hierarchy(replay, own, folder))
    return [node for node in found if node is not None]


def _hierarchy(replay: Replay, config: Config | None, folder: str | None) -> Node | None:
    if config is not None:
        whole = config.file.source.span(0, len(config.file.source.text))
        names = ", ".join(level.name for level in config.levels)
        return replay.labels.input("hiera", whole, f"hierarchy: {names}")
    if folder is None:
        return None
    return replay.labels.miss(replay.inputs.file(f"{folder}/hiera.yaml").span(0, 0), "hierarchy")


def _key(replay: Replay, name: str) -> Node:
    """A key that something was decrypted with; what is in it is never shown."""
    at = Source("environment", "") if name.startswith("$") else replay.inputs.file(name)
    return replay.labels.input("file", at.span(0, 0), name)
