"""Facts of many nodes in one file, as PuppetDB exports them: nodes, their answers, what is kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headwater.fleet.keptfile import place_for
from test_fleet import CONTROL, NODES, run, values, worked_out

Facts = dict[str, dict[str, Any]]
Form = Callable[[Facts], list[dict[str, Any]]]
WHEN = "2026-01-02T03:04:05.678Z"


def rows(facts: Facts) -> list[dict[str, Any]]:
    """PuppetDB's `facts`, whose rows come in any order."""
    every = [
        {"certname": node, "environment": "production", "name": name, "value": value}
        for node, own in facts.items()
        for name, value in own.items()
    ]
    return every[::2] + every[1::2]


def factsets(facts: Facts) -> list[dict[str, Any]]:
    """PuppetDB's `factsets`."""
    return [
        {"certname": node, "timestamp": WHEN, "hash": "0",
         "facts": {"href": "/x", "data": [{"name": n, "value": v} for n, v in own.items()]}}
        for node, own in facts.items()
    ]  # fmt: skip


def inventories(facts: Facts) -> list[dict[str, Any]]:
    """PuppetDB's `inventory`."""
    return [
        {"certname": node, "timestamp": WHEN, "environment": "production", "facts": own,
         "trusted": {"certname": node, "extensions": {}, "authenticated": "remote"}}
        for node, own in facts.items()
    ]  # fmt: skip


FORMS: dict[str, Form] = {"facts": rows, "factsets": factsets, "inventory": inventories}


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    monkeypatch.chdir(folder)
    place_for.cache_clear()
    return folder


def known_facts() -> Facts:
    """The facts of the example."""
    return {node: json.loads(Path(f"facts/{node}.json").read_text()) for node in NODES}


def export(facts: Facts, form: Form) -> None:
    """One file in the place of a file for each node."""
    for path in Path("facts").iterdir():
        path.unlink()
    Path("facts/all.json").write_text(json.dumps(form(facts), indent=1))


def listed(*words: str) -> list[str]:
    """The names of the nodes there are."""
    done = run("nodes", *words, "--format", "json")
    return [row["node"] for row in json.loads(done.stdout)["nodes"]]


@pytest.mark.parametrize("form", FORMS)
def test_an_export_makes_the_nodes_that_files_make(form: str, control: Path) -> None:
    assert run("init").exit_code == 0
    before = values()
    export(known_facts(), FORMS[form])

    done = run("init", "--force")
    assert 'facts = "facts"  # 1 file, 3 nodes' in done.output
    assert "3 nodes; next:" in done.output
    assert listed() == NODES
    assert values() == before
    assert run("check").output == "3 nodes, 23 files, 0 problems\n"


@pytest.mark.parametrize("form", FORMS)
def test_what_a_node_read_of_an_export_is_its_own(form: str, control: Path) -> None:
    facts = known_facts()
    export(facts, FORMS[form])
    run("init")
    assert worked_out() == NODES

    facts["db1.example.com"]["networking"]["hostname"] = "db9"
    export(facts, FORMS[form])
    assert worked_out() == ["db1.example.com"], "the others read nothing of it"
    assert values() == values("--fresh")

    facts["web1.example.com"]["uptime_seconds"] = -1
    export(facts, FORMS[form])
    assert worked_out() == [], "nobody asked for it"

    facts["web1.example.com"]["os"]["name"] = "Devuan"
    del facts["bastion1.example.com"]
    export(facts, FORMS[form])
    assert worked_out() == ["web1.example.com"]
    assert values() == values("--fresh")

    export(facts, FORMS["factsets" if form == "facts" else "facts"])
    again = NODES[1:] if form == "inventory" else []
    assert worked_out() == again, "an inventory has trusted data too"
    assert values() == values("--fresh")


def test_trusted_data_of_an_export_are_read_too(control: Path) -> None:
    with open("manifests/site.pp", "a") as file:
        file.write("notify { \"zone ${trusted['extensions']['pp_zone']}\": }\n")
    facts = known_facts()
    run("init")

    def put(zone: str) -> None:
        data = inventories(facts)
        data[0]["trusted"]["extensions"] = {"pp_zone": zone}
        export(facts, lambda _: data)

    put("north")
    assert worked_out() == NODES
    put("south")
    assert worked_out() == ["bastion1.example.com"]
    assert "zone south" in run("compile", "bastion1").output


def test_a_fact_is_supposed_in_an_export(control: Path) -> None:
    export(known_facts(), rows)
    run("init")
    said = run("whatif", "--fact", "virtual=zen", "--node", "web1").output
    assert "+It runs on zen." in said
    assert "from facts/all.json:" in said
    done = run("whatif", "--fact", "virtual=zen", "--format", "json")
    assert sorted(n for group in json.loads(done.stdout)["groups"] for n in group["nodes"]) == NODES
    assert "3 may change" in run("whatif", "--who", "--fact", "virtual=zen").output


def test_two_sets_of_facts_are_compared(control: Path) -> None:
    facts = known_facts()
    export(facts, rows)
    run("init")
    shutil.copytree("facts", "../before")
    facts["db1.example.com"]["networking"]["hostname"] = "db9"
    del facts["web1.example.com"]
    export(facts, inventories)

    found = json.loads(run("diff", "--from", "facts=../before", "--format", "json").stdout)
    assert [group["nodes"] for group in found["groups"]] == [["db1.example.com"]]
    said = run("diff", "--to", "facts=../before", "--node", "web1").output
    assert "no node or file is called web1" in said


def test_facts_in_two_files_are_no_guess(control: Path) -> None:
    facts = known_facts()
    run("init")
    own = {"web1.example.com": facts["web1.example.com"]}
    Path("facts/all.json").write_text(json.dumps(rows(own)))

    done = run("compile", "web1")
    assert done.exit_code == 1
    assert "error[node-twice]" in done.output
    assert "facts/all.json" in done.output
    said = run("nodes").output
    assert "web1.example.com is left out: the facts of web1.example.com are in" in said
    assert "db1.example.com" in said
    assert run("check").exit_code == 1
    assert run("compile", "web1", "--facts", "facts/all.json").exit_code == 0


def test_an_export_that_is_broken_is_reported_and_skipped(control: Path) -> None:
    run("init")
    for text, why in {
        "[{": "it ends too early",
        "[]": "the list is empty",
        '[{"certname": "a", "name": "x", "value": 1}, {"name": "x", "value": 1}]': "have none",
    }.items():
        Path("facts/more.json").write_text(text)
        said = run("nodes").output
        assert "warning[node-skipped]: more is left out" in said
        assert why in said
        assert "web1.example.com" in said


def test_a_list_in_yaml_makes_nodes(control: Path) -> None:
    Path("facts/more.yaml").write_text(
        "# exported\n---\n- certname: a.example.com\n  facts: {os: {name: A, family: Debian}}\n"
        "- certname: b.example.com\n  facts: {os: {name: B}}\n"
    )
    run("init")
    assert listed() == sorted(["a.example.com", "b.example.com", *NODES])
    assert listed("$facts['os']['name'] == 'B'") == ["b.example.com"]


def test_a_repository_without_nodes_says_so(control: Path) -> None:
    shutil.rmtree("facts")
    run("init")
    done = run("check")
    assert done.exit_code == 1
    why = "the repository has no nodes: headwater.toml names no folder"
    assert f"warning[no-nodes]: {why}" in done.output
    assert "0 problems" not in done.output
    for words in (
        ["fleet", "check"], ["fleet", "compile"], ["fleet", "list"], ["fleet", "lookup", "x"],
        ["diff", "--to", "puppet=7"], ["whatif", "data/common.yaml:2=x: y"],
    ):  # fmt: skip
        done = run(*words)
        assert (done.exit_code, "no-nodes" in done.output) == (1, True), words
    assert "no-nodes" in run("nodes").output

    Path("facts").mkdir()
    Path("headwater.toml").write_text('[nodes]\nfacts = "facts"\n')
    assert "no file in facts ends in .json" in run("check").output


def test_an_expression_that_fits_no_node_is_no_clean_answer(control: Path) -> None:
    run("init")
    for command in (["check"], ["nodes"], ["fleet", "compile"]):
        done = run(*command, "$facts['os']['family'] == 'Debain'")
        assert done.exit_code == 2
        assert "no node fits $facts['os']['family'] == 'Debain'" in done.output


def test_what_is_wrong_with_a_side_is_told_once(control: Path) -> None:
    run("init")
    for side in ("env=nope", "facts=nope", "classes=nope"):
        done = run("diff", "--from", side)
        assert done.exit_code == 1
        assert done.output.count("error[") == 1, done.output
        assert "3 failed" in done.output
    found = json.loads(run("diff", "--from", "env=nope", "--format", "json").stdout)
    assert [one["node"] for one in found["failed"]] == NODES


def test_impact_counts_what_fails_in_one_way(control: Path) -> None:
    run("init")
    Path("data/nodes/web1.example.com.yaml").write_text("role: nonsense\n")
    for place in ("data/common.yaml:10", "site/profile/manifests/database.pp:5"):
        several = [run("fleet", "impact", place, *more).output for more in ([], [], ["--fresh"])]
        assert len({*several}) == 1, several
        assert ", 1 failed" in several[0]
        assert several[0].count("web1.example.com") == 1
        both = [told("impact", place, *more) for more in ([], ["--fresh"])]
        assert [one["failed"] for one in both] == [["web1.example.com"]] * 2
        assert both[0]["unaffected"] == both[1]["unaffected"]
    done = run("fleet", "impact", "data/nope.yaml:1")
    assert (done.exit_code, done.output.count("error[")) == (1, 1)
    assert "did not read" not in done.output


def told(*words: str) -> dict[str, Any]:
    """What a question of all nodes tells, whether it fails or not."""
    found: dict[str, Any] = json.loads(run("fleet", *words, "--format", "json").stdout)
    return found
