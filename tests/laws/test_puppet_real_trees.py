"""One-sided dependency in a control repository and in classes of Debian's modules.

T3  as T1 (`test_puppet_trees`), for edits of every piece of `examples/control` and of the modules
    of Debian's classes, as far as the compilation read them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laws.edit_counts import counted
from laws.parts import Counts
from laws.profile import examples, is_long
from laws.puppet_tree_edits import edits_of, kind_of
from laws.puppet_trees import Folder, Run, Tree, run, unexplained
from peers.catalogs import FACTS
from peers.debian import MODULES

CONTROL = Path(__file__).parents[2] / "examples" / "control"
CLASSES = [
    "chrony", "haproxy", "ntp::install", "openssl", "apt", "archive", "archive::staging",
    "archvsync", "chrony::install", "dns", "etcd", "etcd::service", "etcddiscovery::params",
    "filebeat", "filebeat::install::linux", "firewall", "firewall::linux::gentoo",
    "gitolite::client", "haproxy::globals", "horizon::deps", "ipaclient::automount",
    "logrotate::defaults::debian", "memcached::params", "mongodb", "mongodb::server::service",
    "mysql::client::install", "ntp::service", "oci::chrony", "octavia::roles",
    "openssl::packages", "openstacklib::defaults", "oslo::params", "ovn", "postfix",
    "postfix::packages", "powerdns", "redis::install", "rsync", "ssh::client::install", "sssd",
    "staging", "stdlib",
]  # fmt: skip


def files_below(folder: Path, *patterns: str) -> Tree:
    """The texts of a folder."""
    paths = sorted({path for pattern in patterns for path in folder.rglob(pattern)})
    return {str(p.relative_to(folder)): p.read_text() for p in paths if p.is_file()}


def try_some(
    folder: Folder, tree: Tree, first: Run, random: Random, most: int, inputs: dict[str, Any]
) -> Counts:
    """Edits pieces of the files that were read; the kinds of the edits that were accepted."""
    labels = [label for known in first.depends.values() for label in known]
    read = {label.at.source.name for label in [*labels, *first.output]}
    every = [e for e in edits_of(tree, random) if str(folder.at / e.path) in read]
    accepted: Counts = Counter()
    for edit in random.sample(every, min(most, len(every))):
        after = folder.compiled(edit.applied(tree), **inputs)
        found = list(unexplained(first, after, folder, tree, edit))
        assert found == [], (found, edit, tree[edit.path][edit.start : edit.end])
        if after.result is not None:
            accepted[kind_of(edit)] += 1
    return accepted


def try_control(at: Path, node: str, seed: int, most: int) -> Counts:
    """Edits the control repository of a node."""
    tree, folder = files_below(CONTROL, "*"), Folder(at)
    inputs = {"node": node, "facts": str(at / f"facts/{node}.json"), "puppet": 8}
    first = run(folder, tree, **inputs)
    assert first is not None
    return try_some(folder, tree, first, Random(seed), most, inputs)


def try_class(at: Path, name: str, seeds: range, most: int) -> Counts:
    """Edits the module of a class of Debian's."""
    module = name.partition("::")[0]
    folder, tried = Folder(at), Counts()
    own = files_below(MODULES / module, "*.pp", "*.epp", "*.erb")
    tree = {f"modules/{module}/{path}": text for path, text in own.items()}
    tree["manifests/site.pp"] = f"include {name}\n"
    inputs = {
        "facts": FACTS, "modulepath": [str(folder.at / "modules"), str(MODULES)],
        "settings": {"strict": "warning"},
    }  # fmt: skip
    first = run(folder, tree, **inputs)
    assert first is not None
    for seed in seeds:
        tried += try_some(folder, tree, first, Random(seed), most, inputs)
    return tried


@pytest.mark.parametrize("node", ["web1", "db1", "bastion1"])
@pytest.mark.parametrize("seed", range(examples(1, 8)))
def test_t3_what_an_edit_changes_in_a_control_repository(
    node: str, seed: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    name, most = f"{node}.example.com", examples(30, 1_000)
    tried = counted(f"control-{node}-{seed}", lambda: try_control(tmp_path, name, seed, most))
    record_property("examples", tried.total())


@pytest.mark.skipif(not MODULES.exists(), reason="Debian's modules are not installed")
@pytest.mark.parametrize("name", CLASSES if is_long() else CLASSES[:4])
def test_t3_what_an_edit_changes_in_a_class_of_debian(
    name: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seeds, most = range(examples(1, 4)), examples(20, 120)
    part = f"debian-{name.replace('::', '-')}"
    tried = counted(part, lambda: try_class(tmp_path, name, seeds, most))
    record_property("examples", tried.total())
