"""Facts and trusted data in every form that tools write, and what is said of other things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask import Request, compile_request
from headwater.cli.main import cli
from headwater.langs.puppet.facts import read_facts
from headwater.text import Source

FACTS: dict[str, Any] = {
    "os": {"family": "Debian", "release": {"major": "12"}},
    "cpus": 4, "load": 1.5, "virtual": False, "nothing": None, "tags": ["a", {"b": "c"}],
    "values": {"odd": 1}, "name": "n", "multi": "a\nb\n",
}  # fmt: skip
TRUSTED = {
    "authenticated": "remote", "certname": "web1.example.com", "domain": "example.com",
    "extensions": {"pp_role": "web"}, "external": {}, "hostname": "web1",
}  # fmt: skip
OTHER = {"os": {"family": "RedHat"}, "cpus": 2}


def rows(certname: str, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Facts as PuppetDB lists them."""
    environment = "production"
    return [
        {"certname": certname, "environment": environment, "name": name, "value": value}
        for name, value in facts.items()
    ]


def factset(certname: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as PuppetDB's query `factsets` gives them."""
    data = [{"name": name, "value": value} for name, value in facts.items()]
    return {"certname": certname, "hash": "0", "facts": {"href": "/x", "data": data}}


NODE, TOLD = "web1.example.com", {**FACTS, "trusted": TRUSTED}
CACHE = """\
--- !ruby/object:Puppet::Node::Facts
name: web1.example.com
values:
  os: {family: Debian, release: {major: "12"}}
  cpus: 4
  load: 1.5
  virtual: false
  nothing:
  tags:
  - a
  - b: c
  values: {odd: 1}
  name: "n"
  multi: |
    a
    b
timestamp: 2026-01-01 10:00:00.000000000 Z
expiration: 2026-01-02
"""
NODE_CACHE = (
    CACHE.replace("::Facts", "").replace("\nvalues:", "\nclasses: [a]\nparameters:")
    + "environment: !ruby/sym production\n"
)
FORMS = {
    "facter.json": (json.dumps(FACTS), None),
    "facter.yaml": (CACHE.split("values:\n", 1)[1].split("timestamp")[0].replace("\n  ", "\n")[2:],
                    None),
    "find.json": (json.dumps({"name": NODE, "values": FACTS, "timestamp": "x"}), NODE),
    "facts-cache.yaml": (CACHE, NODE),
    "node-cache.yaml": (NODE_CACHE, NODE),
    "later-facts-cache.yaml": (CACHE + "later: 1\n", NODE),
    "later-node-cache.yaml": (NODE_CACHE + "trusted: {later: 1}\n", NODE),
    "archive.json": (
        json.dumps({"certname": NODE, "environment": "p", "values": FACTS, "producer": None}), NODE
    ),
    "facts.json": (json.dumps(rows(NODE, FACTS)), NODE),
    "one-node.json": (json.dumps([{"name": n, "value": v} for n, v in FACTS.items()]), None),
    "factsets.json": (json.dumps([factset(NODE, FACTS)]), NODE),
    "factset.json": (json.dumps(factset(NODE, FACTS)), NODE),
    "inventory.json": (json.dumps([{"certname": NODE, "facts": FACTS}]), NODE),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same_facts(form: str) -> None:
    text, node = FORMS[form]
    (found,) = read_facts(Source.of_text(form, text))

    assert found.node == node
    assert plain(found.values) == FACTS
    assert found.trusted is None


def plain(value: object) -> object:
    """Data as Python has them."""
    if hasattr(value, "pairs"):
        return {key: plain(item) for key, item in value.pairs()}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "data",
    [
        TOLD,
        {"name": NODE, "values": TOLD},
        rows(NODE, TOLD),
        [factset(NODE, TOLD)],
        [{"certname": NODE, "facts": FACTS, "trusted": TRUSTED}],
    ],
)
def test_trusted_data_come_with_the_facts(data: object) -> None:
    (found,) = read_facts(Source.of_text("f.json", json.dumps(data)))

    assert plain(found.trusted) == TRUSTED
    assert plain(found.values) == FACTS


def test_a_file_says_which_nodes_it_holds() -> None:
    data = [*rows("web1", FACTS), *rows("db1", OTHER)]
    found = read_facts(Source.of_text("f.json", json.dumps(data)))

    assert [(one.node, len(one.values)) for one in found] == [("web1", len(FACTS)), ("db1", 2)]


def compiled(code: str, **inputs: Any) -> dict[str, Any]:  # noqa: ANN401
    """The messages of the notifies of a program."""
    done = compile_request(
        Request(sources=(Source.of_text("a.pp", code),), lang="puppet", inputs=inputs)
    )
    assert done.outcome.result is not None, done.diagnostics
    catalog: Any = done.outcome.result.plain()
    every = catalog["resources"]
    return {r["title"]: r["parameters"]["message"] for r in every if r["type"] == "Notify"}


CODE = "notify { 'a': message => [$trusted['certname'], $facts['os']['family'], $facts['cpus']] }"


def test_the_node_of_a_job_chooses_among_facts(tmp_path: Path) -> None:
    both, one = tmp_path / "both.json", tmp_path / "one.json"
    both.write_text(json.dumps([*rows("web1", FACTS), *rows("db1", OTHER)]))
    one.write_text(json.dumps(rows("db1", OTHER)))

    assert compiled(CODE, facts=str(both), node="DB1") == {"a": ["db1", "RedHat", 2]}
    assert compiled(CODE, facts=str(one)) == {"a": ["db1", "RedHat", 2]}
    assert compiled(CODE, facts_file=str(one), node="x") == {"a": ["x", "RedHat", 2]}
    assert compiled(CODE, facts={"name": "n", "values": OTHER}) == {"a": ["n", "RedHat", 2]}
    assert compiled(CODE, facts={**OTHER, "trusted": {"certname": "t"}}) == {
        "a": ["t", "RedHat", 2]
    }


def test_trusted_data_that_are_given_win(tmp_path: Path) -> None:
    file = tmp_path / "trusted.yaml"
    file.write_text("extensions: {pp_role: db}\n")
    code = "notify { 'a': message => [$trusted['extensions'], $trusted['certname']] }"

    assert compiled(code, facts=TOLD) == {"a": [{"pp_role": "web"}, NODE]}
    assert compiled(code, facts=TOLD, trusted_file=str(file)) == {"a": [{"pp_role": "db"}, NODE]}
    assert compiled(code, facts=TOLD, trusted={"extensions": {}}) == {"a": [{}, NODE]}
    file.write_text("trusted: {certname: c, extensions: {x: 1}}\n")
    assert compiled(code, trusted_file=str(file)) == {"a": [{"x": 1}, "c"]}


def headwater(*args: str, code: int = 0) -> str:
    """What a command says."""
    done = CliRunner().invoke(cli, list(args))
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An environment whose hierarchy asks for a role in the trusted data."""
    (tmp_path / "manifests").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n"
        "  - {name: role, path: '%{trusted.extensions.pp_role}.yaml'}\n"
        "  - {name: common, path: common.yaml}\n"
    )
    (tmp_path / "data" / "db.yaml").write_text("port: 5432\n")
    (tmp_path / "data" / "common.yaml").write_text("port: 80\n")
    (tmp_path / "manifests" / "site.pp").write_text(
        "notify { 'a': message => lookup('port') }\n"
        "notify { 'b': message => $trusted['extensions']['pp_role'] }\n"
    )
    (tmp_path / "trusted.json").write_text('{\n "extensions": {"pp_role": "db"}\n}\n')
    return tmp_path


def test_a_hierarchy_by_trusted_data_works_in_every_command(site: Path) -> None:
    trusted = ("--trusted", str(site / "trusted.json"))
    env = str(site)

    assert "5432" in headwater("compile", env, *trusted)
    assert headwater("lookup", "port", "--env", env, *trusted, "--format", "value") == "5432\n"
    told = headwater("explain", env, "Notify[a].message", *trusted)
    assert "trusted.json:2:28  trusted['extensions']['pp_role']" in told
    assert "db.yaml:1:7" in told
    assert "trusted.json:2:28" in headwater("explain", env, "Notify[b].message", *trusted)
    assert "Notify[a].message" in headwater(
        "impact", f"{site}/trusted.json:2", "--of", env, *trusted
    )
    headwater("check", env, *trusted)
    assert "db.yaml" in headwater("blame", env, "Notify[a].message", *trusted)


@pytest.mark.parametrize(
    ("form", "line"), [("facter.json", 1), ("facts-cache.yaml", 4), ("facts.json", 1)]
)
def test_a_fact_is_shown_where_it_stands(form: str, line: int, tmp_path: Path) -> None:
    file, manifest = tmp_path / form, tmp_path / "a.pp"
    file.write_text(FORMS[form][0])
    manifest.write_text("notify { 'a': message => $facts['os']['release']['major'] }\n")
    told = json.loads(
        headwater(
            "explain", str(manifest), "Notify[a].message", "--facts", str(file), "--format", "json"
        )
    )

    (fact,) = (one for one in told["depends"] if one["kind"] == "fact")
    assert fact["line"] == line
    shown = file.read_text().splitlines()[line - 1][fact["column"] - 1 : fact["end_column"] - 1]
    assert shown == '"12"'


EXTERNAL = {
    "a.yaml": "Alpha: 1\nos: {family: X}\nshared: a\nempty:\nday: 2020-01-01\n",
    "b.txt": "shared=b=2\nnot a fact\n key = blank \nnothing=\n",
    "c.json": '{"cpus": 64}',
    "d.sh": "echo never=run",
    ".hidden.yaml": "hidden: 1",
}


def test_external_facts_are_put_over_the_others(tmp_path: Path) -> None:
    for name, text in EXTERNAL.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "d.sh").chmod(0o755)
    code = "notify { 'a': message => $facts }"
    facts = compiled(code, facts=FACTS, external_facts=[str(tmp_path)])["a"]

    assert facts["cpus"] == 64
    assert facts["os"] == {"family": "X"}
    assert facts["shared"] == "b=2"
    assert facts["alpha"] == 1
    assert facts["day"] == "2020-01-01"
    assert facts[" key "] == " blank "
    for name in ("empty", "never", "hidden", "nothing=", "not a fact"):
        assert name not in facts


def test_an_external_fact_is_shown_where_it_stands(tmp_path: Path) -> None:
    for name, text in EXTERNAL.items():
        (tmp_path / name).write_text(text)
    manifest = tmp_path / "a.pp"
    manifest.write_text(
        "notify { 'a': message => \"${facts['shared']} ${facts['os']['family']}\" }"
    )
    told = headwater(
        "explain", str(manifest), "Notify[a].message", "--external-facts", str(tmp_path)
    )

    assert "b.txt:1:1  facts['shared']" in told
    assert "a.yaml:2:14  facts['os']['family']" in told


BAD = {
    "list.json": ("[1, 2]", 1),
    "empty.json": ("[]", 1),
    "broken.json": ('{"a": 1,\n "b": }', 2),
    "broken.yaml": ("a: 1\nb: [", 2),
    "nothing.yaml": ("", 1),
    "facter.txt": ("os => {\n  family => Debian\n}\n", 1),
    "contents.json": ('[{"certname": "a", "path": ["os"], "name": "os", "value": 1}]', 1),
    "twice.json": ('[{"certname": "a", "name": "os", "value": 1},\n'
                   '{"certname": "a", "name": "os", "value": 2}]', 2),
    "same.json": ('[{"certname": "a", "facts": {}},\n{"certname": "a", "facts": {}}]', 2),
    "other.json": ('[\n{"certname": "a"}]', 2),
    "name.json": ('[{"certname": "a", "name": 1, "value": 1}]', 1),
    "certname.json": ('[{"certname": 1, "name": "a", "value": 1}]', 1),
    "row.json": ('{"certname": "a", "facts": {"data": [\n1]}}', 2),
    "object.yaml": ("--- !ruby/object:Object\na: 1\n", 1),
    "trusted.json": ('{"trusted": {"certname": "a",\n "extensions": 1}}', 2),
    "trust.json": ('[{"certname": "a", "facts": {},\n "trusted": 1}]', 2),
    "many.json": (json.dumps([*rows("a", OTHER), *rows("b", OTHER)]), 1),
    "nan.json": ('{"a": NaN}', 1),
    "vast.json": ('{"a": 1,\n "b": -1e999}', 2),
    "long.yaml": (f"a: 1\nb: {'1' * 5000}\n", 2),
    "hours.yaml": (f"a: 1\nb: {'1' * 5000}:30\n", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_file_without_facts_is_refused_where_that_shows(name: str, tmp_path: Path) -> None:
    text, line = BAD[name]
    file = tmp_path / name
    file.write_text(text)
    done = compile_request(
        Request(
            sources=(Source.of_text("a.pp", ""),), lang="puppet", inputs={"facts_file": str(file)}
        )
    )

    (error,) = done.diagnostics
    assert error.code == "puppet-bad-input"
    assert (error.at.source.name, error.at.first.line) == (str(file), line), error.message


@pytest.mark.parametrize(
    ("text", "line"),
    [("[1]", 1), ("a: 1", 1), ("certname: a\nextensions: [1]", 2), ("{", 1), ("certname: 1", 1)],
)
def test_trusted_data_that_are_none_are_refused(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "trusted.yaml"
    file.write_text(text)
    request = Request(
        sources=(Source.of_text("a.pp", ""),), lang="puppet", inputs={"trusted_file": str(file)}
    )
    (error,) = compile_request(request).diagnostics

    assert error.code == "puppet-bad-input"
    assert (error.at.source.name, error.at.first.line) == (str(file), line)


@pytest.mark.parametrize(
    "inputs",
    [
        {"trusted_file": "nosuch.yaml"},
        {"external_facts": ["nosuch"]},
        {"facts_file": "nosuch.json"},
        {"trusted": {"extensions": 1}},
        {"facts": {"certname": "a", "facts": {"data": [1]}}},
    ],
)
def test_inputs_that_are_not_there_are_refused(inputs: dict[str, Any]) -> None:
    request = Request(sources=(Source.of_text("a.pp", ""),), lang="puppet", inputs=inputs)
    (error,) = compile_request(request).diagnostics

    assert error.code == "puppet-bad-input"


def test_an_external_file_that_is_no_hash_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[1]")
    request = Request(
        sources=(Source.of_text("a.pp", ""),), lang="puppet",
        inputs={"external_facts": [str(tmp_path)]},
    )  # fmt: skip
    (error,) = compile_request(request).diagnostics

    assert error.code == "puppet-bad-input"
    assert error.at.source.name == str(tmp_path / "a.json")


@pytest.mark.parametrize(
    "text",
    ["? {a: 1}\n: 1\nx: 2\n", "? [a]\n: 1\ncertname: n\nvalues: {x: 2}\n",
     "? [a]\n: 1\nname: n\nparameters: {x: 2}\n"],
)  # fmt: skip
def test_a_hash_with_keys_of_any_kind_is_one_of_facts(text: str) -> None:
    (node,) = read_facts(Source.of_text("f.yaml", text))

    assert len(node.values) == text.count("\n") - 1


@pytest.mark.parametrize("key", ["{a: 1}", "[a]", "~", "1"])
def test_a_fact_whose_name_is_no_text_is_no_variable(key: str, tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text(f"? {key}\n: 1\nx: 2\n")
    request = Request(
        sources=(Source.of_text("a.pp", "notify { 'n': message => \"${x} ${facts['x']}\" }"),),
        lang="puppet",
        inputs={"facts_file": str(tmp_path / "f.yaml")},
    )

    compiled = compile_request(request)

    assert compiled.diagnostics == ()
    assert compiled.outcome.result is not None
