"""Answers are short and say where: counted on ``examples/control`` and on Debian's modules.

P1  at most 15 % of the values are computed, not written anywhere
P2  half of the values of the control repository depend on at most 20 inputs
P3  at least 60 % of the literals that values list are confirmed by a change, relationships apart

The long run writes ``docs/laws/puppet-precision.md``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.profile import is_long
from laws.puppet_precision import (
    CONTROL,
    NODES,
    Confirmed,
    Count,
    class_of_debian,
    confirm,
    control,
    copied,
)
from peers.catalogs import SERVER
from peers.corpus import MODULES, facts_of
from peers.corpus import jobs as corpus_jobs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "laws" / "puppet-precision.md"
CLASSES = (
    "apt", "memcached", "rsync::server", "logrotate", "haproxy", "redis", "ssh", "collectd",
    "chrony", "postgresql::server", "rabbitmq", "mysql::server",
)  # fmt: skip
_SHORT = ("apt", "memcached")


def count_of_control() -> Count:
    """The values of all nodes of the control repository."""
    found = Count()
    for node in NODES:
        found.add(control(CONTROL, node))
    return found


def count_of_debian(names: tuple[str, ...]) -> tuple[Count, list[str]]:
    """The values of classes of Debian's modules, and the classes that compile."""
    found, counted = Count(), []
    inputs = {
        "facts": facts_of("debian12"), "settings": SERVER, "modulepath": str(MODULES), "puppet": 7,
    }  # fmt: skip
    for job in corpus_jobs():
        if job.name in names and job.machine == "debian12":
            compiled = class_of_debian(job.code, inputs)
            if compiled.outcome.result is not None:
                found.add(compiled)
                counted.append(job.name)
    return found, counted


def test_p1_p2_the_control_repository() -> None:
    found = count_of_control()

    assert found.values > 250
    assert found.share_computed <= 0.15, found.computed
    assert found.median <= 20, Count(sizes=sorted(found.sizes))


@pytest.mark.skipif(not MODULES.exists(), reason="Debian's modules are not installed")
def test_p1_classes_of_debians_modules() -> None:
    found, counted = count_of_debian(CLASSES if is_long() else _SHORT)

    assert counted
    assert found.share_computed <= 0.15, found.computed


def test_p3_listed_literals_are_confirmed_by_a_change(tmp_path: Path) -> None:
    folder, found = copied(tmp_path), Confirmed()
    for node in NODES if is_long() else ("db1",):
        confirm(folder, node, found, None if is_long() else 12)

    assert found.share >= 0.6, found
    if is_long():
        PAGE.write_text(page(found))


def page(found: Confirmed) -> str:
    """The report."""
    counted = count_of_control()
    rows = [_row("`examples/control`, three nodes", counted)]
    if MODULES.exists():
        debian, names = count_of_debian(CLASSES)
        rows.append(_row(f"{len(names)} classes of Debian's modules", debian))
    made = ", ".join(f"{name} {many}" for name, many in counted.computed.most_common())
    kinds = ", ".join(f"{kind} {many:,}" for kind, many in counted.kinds.most_common())
    relations = found.relations
    return f"""# How short and how telling: Puppet

Written by `make laws` (tests/laws/test_puppet_precision.py); do not edit.

| | values | computed | depends: median | largest |
|---|---|---|---|---|
{chr(10).join(rows)}

Computed in the control repository: {made}.
What its values depend on, by kind: {kinds}.

Every literal of a manifest that a value lists was replaced, at most twice, and the node compiled
again:

| | listed | confirmed |
|---|---|---|
| parameters | {found.plain.total():,} | {found.plain[True]:,} ({found.share:.0%}) |
| relationships | {relations.total():,} | {relations[True]:,} |
| refused whatever was written | {found.untried:,} | |
"""


def _row(name: str, count: Count) -> str:
    share = f"{count.computed.total():,} ({count.share_computed:.1%})"
    return f"| {name} | {count.values:,} | {share} | {count.median:g} | {max(count.sizes)} |"
