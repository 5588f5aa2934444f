"""One-sided dependency in a control repository and in classes of Debian's modules.

T3  as T1 (`test_puppet_trees`), for edits of every piece of `examples/control` and of the modules
    of Debian's classes, as far as the compilation read them
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laws.profile import examples, is_long
from laws.puppet_tree_edits import edits_of
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
) -> int:
    """Edits pieces of the files that were read; how many of the edited trees were accepted."""
    labels = [label for known in first.depends.values() for label in known]
    read = {label.at.source.name for label in [*labels, *first.output]}
    every = [e for e in edits_of(tree, random) if str(folder.at / e.path) in read]
    accepted = 0
    for edit in random.sample(every, min(most, len(every))):
        after = folder.compiled(edit.applied(tree), **inputs)
        accepted += after.result is not None
        found = list(unexplained(first, after, folder, tree, edit))
        assert found == [], (found, edit, tree[edit.path][edit.start : edit.end])
    return accepted


@pytest.mark.parametrize("node", ["web1.example.com", "db1.example.com"])
def test_t3_what_an_edit_changes_in_a_control_repository(
    node: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    tree, folder = files_below(CONTROL, "*"), Folder(tmp_path)
    inputs = {"node": node, "facts": str(tmp_path / f"facts/{node}.json"), "puppet": 8}
    first = run(folder, tree, **inputs)
    assert first is not None
    tried = 0
    for seed in range(examples(1, 6)):
        tried += try_some(folder, tree, first, Random(seed), examples(40, 1_000), inputs)
    record_property("examples", tried)


@pytest.mark.skipif(not MODULES.exists(), reason="Debian's modules are not installed")
def test_t3_what_an_edit_changes_in_classes_of_debian(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chosen = list(islice(cycle(CLASSES), examples(4, len(CLASSES))))
    tried, met = 0, 0
    for index, name in enumerate(chosen):
        module = name.partition("::")[0]
        if not (MODULES / module).exists():
            continue
        folder = Folder(tmp_path / str(index))
        own = files_below(MODULES / module, "*.pp", "*.epp", "*.erb")
        tree = {f"modules/{module}/{path}": text for path, text in own.items()}
        tree["manifests/site.pp"] = f"include {name}\n"
        inputs = {
            "facts": FACTS, "modulepath": [str(folder.at / "modules"), str(MODULES)],
            "settings": {"strict": "warning"},
        }  # fmt: skip
        first = run(folder, tree, **inputs)
        if first is None:
            continue
        met += 1
        tried += try_some(folder, tree, first, Random(index), examples(20, 150), inputs)
    assert met >= (30 if is_long() else 3)
    record_property("examples", tried)
