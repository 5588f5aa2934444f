"""What a folder looks like to Puppet: where its environments, modules, data and facts are."""

from __future__ import annotations

import os
from collections.abc import Iterator

from headwater.langs.puppet.engine.environment_conf import NAME, environment_conf
from headwater.langs.puppet.engine.inputs import is_environment
from headwater.langs.puppet.facts.several import exported, facts_in
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.levels import DEFAULT
from headwater.langs.repositories import Found, Surveyed
from headwater.text.reading import Unread, exists, is_file, is_folder, names_in

_ENVIRONMENTS = ("environments", "code/environments", "puppet/environments")
_MODULES = ("site", "site-modules", "dist", "modules")
_TELLTALE = ("os", "networking", "kernel", "fqdn", "clientcert", "osfamily")
"""Facts that nearly every node has: by them a file of facts is told from other data."""
_PASSED_OVER = {"modules", "manifests", "site", "site-modules", "dist", "data", "hieradata"}
_FACTS = (".json", ".yaml", ".yml")
_DEEPEST, _MOST = 3, 2_000
"""How far folders of facts are looked for."""


def survey(root: str) -> Surveyed:
    """What there is in a folder, and what was looked for in vain."""
    found = [Found("puppet", "level", DEFAULT.number, "the default; 7 if your servers run it")]
    missing: list[str] = []
    environment = _environment(root, found, missing)
    if environment is not None:
        _in_environment(environment, found, missing)
    facts = _facts_folder(root, missing)
    if facts is None:
        missing.append("facts: no folder holds any; `facter --json > facts/NODE.json` makes some")
    else:
        found.append(Found("nodes", "facts", os.path.relpath(facts, root), _counted(facts)))
    if is_folder(os.path.join(root, "trusted")):
        found.append(Found("nodes", "trusted", "trusted", "trusted data of nodes"))
    for name in ("classes.yaml", "classes.yml"):
        if is_file(os.path.join(root, name)):
            found.append(Found("nodes", "classes", name, "classes of nodes"))
            break
    return Surveyed(tuple(found), tuple(missing))


def _environment(root: str, found: list[Found], missing: list[str]) -> str | None:
    """One environment of the repository, to look into."""
    for name in _ENVIRONMENTS:
        folder = os.path.join(root, name)
        inner = [os.path.join(folder, n) for n in names_in(folder)] if is_folder(folder) else []
        owned = [path for path in inner if is_folder(path) and is_environment(path)]
        if owned:
            names = ", ".join(os.path.basename(path) for path in owned)
            found.append(Found("puppet", "environments", name, names))
            return owned[0]
    if is_environment(root):
        seen = [
            n for n in ("environment.conf", "manifests", "modules") if exists(os.path.join(root, n))
        ]
        found.append(Found("puppet", "environment", ".", f"it has {', '.join(seen)}"))
        return root
    missing.append("environment: there is no environment.conf, manifests or modules here")
    return None


def _in_environment(folder: str, found: list[Found], missing: list[str]) -> None:
    """What an environment has: modules, unless environment.conf lists them; data; a Puppetfile."""
    try:
        listed = environment_conf(folder).get("modulepath")
    except Unread as why:
        missing.append(f"{NAME}: {why.reason}")
        return
    modules = [n for n in _MODULES if is_folder(os.path.join(folder, n))]
    if listed is None and modules and modules != ["modules"]:
        found.append(Found("puppet", "modulepath", modules, "the folders that are there"))
    elif listed is None and not modules:
        missing.append("modules: there is no folder of modules")
    if not is_file(os.path.join(folder, "hiera.yaml")):
        missing.append("hiera.yaml: there is none, so there are no data")
    if not is_file(os.path.join(folder, "Puppetfile")):
        missing.append("Puppetfile: there is none; modules are not compared with it")


def _facts_folder(root: str, missing: list[str]) -> str | None:
    """The folder with the facts of the most nodes."""
    counted: dict[str, int] = {}
    for folder in _folders(root):
        try:
            counted[folder] = _nodes_in(_fact_files(folder))
        except Unread as why:
            missing.append(f"facts in {os.path.relpath(why.path, root)}: {why.reason}")
    best = max(counted, key=lambda folder: (counted[folder], -len(folder)), default=None)
    return best if best is not None and counted[best] else None


def _nodes_in(files: list[str]) -> int:
    """How many nodes files of facts are about."""
    return sum(len(exported(path)) or 1 for path in files)


def _folders(root: str) -> Iterator[str]:
    """The folders below a root that may hold facts, near ones first."""
    todo = [(root, 0)]
    seen = 0
    while todo and seen < _MOST:
        folder, depth = todo.pop(0)
        for name in _names_in(folder):
            path = os.path.join(folder, name)
            if name.startswith(".") or name in _PASSED_OVER or not _is_folder(path):
                continue
            seen += 1
            yield path
            if depth + 1 < _DEEPEST and not os.path.islink(path):
                todo.append((path, depth + 1))


def _names_in(folder: str) -> list[str]:
    try:
        return names_in(folder)
    except Unread:
        return []  # it is told when its facts are counted


def _is_folder(path: str) -> bool:
    try:
        return is_folder(path)
    except Unread:
        return False  # likewise


def _fact_files(folder: str) -> list[str]:
    """The files of a folder that may be facts, if the first that can be read is."""
    files = [os.path.join(folder, n) for n in names_in(folder) if n.endswith(_FACTS)]
    for path in files[:5]:
        try:
            every = facts_in(path).every
        except (Fault, Problem, RecursionError):
            continue
        return files if any(name in one.values for one in every for name in _TELLTALE) else []
    return []


def _counted(folder: str) -> str:
    files = _fact_files(folder)
    nodes = _nodes_in(files)
    told = "1 file" if len(files) == 1 else f"{len(files)} files"
    return told if nodes == len(files) else f"{told}, {nodes} nodes"
