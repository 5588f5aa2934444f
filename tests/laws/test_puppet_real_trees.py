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

from laws.edit_counts import Counts, counted
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


def try_control(at: Path, node: str, seeds: range, most: int) -> Counts:
    """Edits the control repository of a node."""
    tree, folder, tried = files_below(CONTROL, "*"), Folder(at), Counts()
    inputs = {"node": node, "facts": str(at / f"facts/{node}.json"), "puppet": 8}
    first = run(folder, tree, **inputs)
    assert first is not None
    for seed in seeds:
        tried += try_some(folder, tree, first, Random(seed), most, inputs)
    return tried


def try_class(at: Path, name: str, seeds: range, most: int) -> Counts | None:
    """Edits the module of a class of Debian's; nothing if it is refused."""
    module = name.partition("::")[0]
    if not (MODULES / module).exists():
        return None
    folder, tried = Folder(at), Counts()
    own = files_below(MODULES / module, "*.pp", "*.epp", "*.erb")
    tree = {f"modules/{module}/{path}": text for path, text in own.items()}
    tree["manifests/site.pp"] = f"include {name}\n"
    inputs = {
        "facts": FACTS, "modulepath": [str(folder.at / "modules"), str(MODULES)],
        "settings": {"strict": "warning"},
    }  # fmt: skip
    first = run(folder, tree, **inputs)
    if first is None:
        return None
    for seed in seeds:
        tried += try_some(folder, tree, first, Random(seed), most, inputs)
    return tried


@pytest.mark.parametrize("node", ["web1", "db1", "bastion1"])
def test_t3_what_an_edit_changes_in_a_control_repository(
    node: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seeds, most = range(examples(1, 8)), examples(30, 1_000)
    name = f"{node}.example.com"
    tried = counted(f"control-{node}", lambda: try_control(tmp_path, name, seeds, most))
    record_property("examples", tried.total())


_PART = 7


@pytest.mark.skipif(not MODULES.exists(), reason="Debian's modules are not installed")
@pytest.mark.parametrize("part", range(examples(1, len(CLASSES) // _PART)))
def test_t3_what_an_edit_changes_in_classes_of_debian(
    part: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chosen = CLASSES[part * _PART : (part + 1) * _PART] if is_long() else CLASSES[:4]
    seeds, most = range(examples(1, 4)), examples(20, 120)

    def run_part() -> Counts:
        found = [
            try_class(tmp_path / name.replace("::", "-"), name, seeds, most) for name in chosen
        ]
        assert sum(tried is not None for tried in found) >= len(chosen) * 3 // 4
        return sum((tried for tried in found if tried is not None), Counts())

    record_property("examples", counted(f"debian-{part}", run_part).total())
