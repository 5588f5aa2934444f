"""``headwater lookup``: values of Hiera with every place that decides them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli

SITE = {
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - { name: node, path: 'nodes/%{trusted.certname}.yaml' }\n"
    "  - { name: role, path: 'roles/%{facts.role}.yaml' }\n"
    "  - { name: common, path: common.yaml }\n",
    "data/nodes/a.yaml": "---\nk: node\nlist: [1]\n",
    "data/common.yaml": "k: common\nlist: [1, 2]\nh: { x: { y: deep } }\n"
    "alias: \"%{alias('list')}\"\nlookup_options: { list: { merge: unique } }\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write(tmp_path, SITE)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def lookup(site: Path, *words: str) -> tuple[int, str]:
    args = ["lookup", *words, "--hiera", str(site / "hiera.yaml")]
    result = CliRunner().invoke(cli, args)
    return result.exit_code, result.output


def document(site: Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lookup(site, *words, "--format", "json")[1])
    return found


def test_the_first_level_wins_and_the_others_are_told(site: Path) -> None:
    found = document(site, "k", "--node", "a")

    assert found["value"] == "node"
    told = [(p["level"], p["status"], (p["at"] or {}).get("line")) for p in found["places"]]
    assert told == [("node", "found", 2), ("role", "no file", None), ("common", "overridden", 1)]
    assert found["places"][1]["empty"] == ["facts.role"]
    assert [w["code"] for w in found["warnings"]] == ["puppet-empty-interpolation"]
    assert found["warnings"][0]["line"] == 4


def test_options_in_data_decide_how_levels_are_merged(site: Path) -> None:
    found = document(site, "list", "--node", "a")

    assert found["value"] == [1, 2]
    assert found["strategy"] == "unique"
    assert found["options"]["file"].endswith("common.yaml")
    assert found["options"]["line"] == 5


def test_a_strategy_can_be_given(site: Path) -> None:
    assert document(site, "list", "--node", "a", "--merge", "first")["value"] == [1]


def test_a_dotted_key_digs_and_names_the_line_of_its_part(site: Path) -> None:
    found = document(site, "h.x.y")

    assert found["value"] == "deep"
    assert (found["places"][-1]["at"]["line"], found["places"][-1]["at"]["column"]) == (3, 11)


def test_lookups_inside_a_value_are_explained_too(site: Path) -> None:
    found = document(site, "alias")

    assert found["value"] == [1, 2]
    assert [inner["key"] for inner in found["inner"]] == ["list"]


def test_a_missing_key_is_refused_with_the_nearest_one(site: Path) -> None:
    code, text = lookup(site, "lst", "--format", "value")

    assert code == 1
    assert "no value for lst" in text
    assert "Did you mean list?" in text


def test_a_default_stands_in_for_a_missing_key(site: Path) -> None:
    code, text = lookup(site, "nosuch", "--default", "d", "--format", "value")

    assert code == 0
    assert text.startswith('"d"\n')


def test_broken_data_are_refused_at_their_place(site: Path) -> None:
    (site / "data/common.yaml").write_text("k: [1, 2\nl: 3\n")

    code, text = lookup(site, "nosuch")

    assert code == 1
    assert "common.yaml:2" in text
    assert "puppet-hiera-config" in text


def test_a_key_that_refers_to_itself_is_refused(site: Path) -> None:
    (site / "data/common.yaml").write_text("a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n")

    code, text = lookup(site, "a")

    assert code == 1
    assert "a → b → a" in text


@pytest.mark.parametrize(
    ("level", "line"),
    [
        ("{ name: x, lookup_key: my::backend, path: a.yaml }", 5),
        ("{ name: x, data_hash: hocon_data, path: a.conf }", 5),
        ("{ name: x, hiera3_backend: mongodb }", 5),
    ],
)
def test_a_level_only_ruby_can_read_is_refused_where_it_stands(
    site: Path, level: str, line: int
) -> None:
    text = SITE["hiera.yaml"].replace("{ name: common, path: common.yaml }", level)
    (site / "hiera.yaml").write_text(text)

    code, output = lookup(site, "k")
    assert code == 1
    assert f"hiera.yaml:{line}" in output
    found = document(site, "k", "--on-unknown", "opaque")
    assert found["value"]["__ptype"] == "Headwater::Opaque"
    assert found["places"][-1]["status"] == "unknown"


def test_an_encrypted_value_is_refused_at_its_place(site: Path) -> None:
    text = SITE["hiera.yaml"].replace(
        "path: common.yaml", "path: c.eyaml, lookup_key: eyaml_lookup_key"
    )
    write(site, {"hiera.yaml": text, "data/c.eyaml": "plain: 1\nsecret: ENC[PKCS7,abc]\n"})

    assert document(site, "plain")["value"] == 1
    code, output = lookup(site, "secret")
    assert code == 1
    assert "c.eyaml:2:9" in output


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("version: 5\nhierarchy: 1\n", "2:12"),
        ("version: 5\nnosuch: 1\n", "2:9"),
        ("version: 5\nhierarchy:\n  - { name: a, paths: x }\n", "3:23"),
        ("version: 5\nhierarchy:\n  - { name: a, path: x, glob: y }\n", "3:5"),
        ("version: 5\nhierarchy:\n  - { name: a }\n  - { name: a }\n", "4:5"),
    ],
)
def test_a_bad_hierarchy_is_refused_at_its_place(site: Path, text: str, place: str) -> None:
    (site / "hiera.yaml").write_text(text)

    code, output = lookup(site, "k")

    assert code == 1
    assert f"hiera.yaml:{place}" in output


def test_a_manifest_gives_the_variables_of_its_node(site: Path, tmp_path: Path) -> None:
    (site / "data/common.yaml").write_text("k: '%{x}'\n")
    (site / "main.pp").write_text("$x = 'from the program'\n")

    assert document(site, "k", "--of", str(site / "main.pp"))["value"] == "from the program"


WRITTEN = {
    "hiera.yaml": "version: 5\nhierarchy:\n  - { name: f, lookup_key: 'm::key' }\n"
    "  - { name: common, path: common.yaml }\n",
    "data/common.yaml": "a: common\nb: 1\n",
    "modules/m/functions/key.pp": "function m::key($key, $options, $context) {\n"
    "  if $key != 'a' { $context.not_found }\n"
    "  \"on ${facts['os']}\"\n}\n",
    "manifests/site.pp": "notify { 'x': message => lookup('a') }\n",
}


def test_a_level_names_the_function_that_serves_it(tmp_path: Path) -> None:
    write(tmp_path, WRITTEN)
    (tmp_path / "facts.json").write_text('{"os": "x"}')
    more = ["--modulepath", str(tmp_path / "modules"), "--facts", str(tmp_path / "facts.json")]

    found = document(tmp_path, "a", *more)
    assert found["value"] == "on x"
    first, second = found["places"]
    assert (first["level"], first["status"], first["written"]) == ("f", "found", "m::key()")
    assert first["at"]["file"].endswith("key.pp")
    assert second["status"] == "overridden"
    assert document(tmp_path, "b", *more)["value"] == 1


def test_a_value_of_a_function_comes_from_it_and_depends_on_its_facts(tmp_path: Path) -> None:
    write(tmp_path, WRITTEN)
    (tmp_path / "facts.json").write_text('{"os": "x"}')
    args = ["explain", str(tmp_path / "manifests/site.pp"), "Notify[x].message"]
    args += ["--env", str(tmp_path), "--facts", str(tmp_path / "facts.json")]

    result = CliRunner().invoke(cli, args)

    assert result.exit_code == 0, result.output
    assert "key.pp:1:10" in result.output
    assert "facts['os']" in result.output
    assert "common.yaml" in result.output


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('lookup("${key}x")', "40 functions"),
        ("lookup($key)", "for which it was called"),
        ("[{ true => 1 }]", "cannot be looked up"),
    ],
)
def test_a_function_of_data_is_refused_at_its_name(tmp_path: Path, body: str, said: str) -> None:
    code = "function m::key($key, $options, $context) {\n  unless $key =~ /^a/ "
    code += f"{{ $context.not_found }}\n  {body}\n}}\n"
    write(tmp_path, {**WRITTEN, "modules/m/functions/key.pp": code})

    status, output = lookup(tmp_path, "a", "--modulepath", str(tmp_path / "modules"))

    assert status == 1
    assert said in output
    assert "key.pp:1:10" in output


@pytest.mark.parametrize(
    ("call", "expression"),
    [
        ("lookup('h.x', Hash, 'deep')", ["{ y: 1 }", "{ z: 2 }"]),
        ("lookup('h', Hash, 'deep')['x']", ["{ y: 1 }", "{ z: 2 }"]),
        ("lookup('l', Array, 'unique')", ["[[a], b]", "[b, c]"]),
    ],
)
def test_what_is_merged_is_among_the_inputs(
    tmp_path: Path, call: str, expression: list[str]
) -> None:
    write(tmp_path, MERGED)
    text = f"notify {{ 'n': message => {call} }}"
    job = {"code": text, "lang": "puppet", "hiera": str(tmp_path / "hiera.yaml"), "why": True}
    result = CliRunner().invoke(cli, ["compile", "--jobs", "-"], input=json.dumps(job))
    why = json.loads(result.output)["why"]

    value = why["values"]["Notify[n].message"]
    named = [one["input"] for one in value["expression"]["args"]]
    assert [why["inputs"][one]["text"] for one in named] == expression
    assert set(named) <= set(value["depends"])


MERGED = {
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - { name: first, path: first.yaml }\n  - { name: second, path: second.yaml }\n",
    "data/first.yaml": "h: { x: { y: 1 } }\nl: [[a], b]\n",
    "data/second.yaml": "h: { x: { z: 2 } }\nl: [b, c]\n",
}


@pytest.mark.parametrize(
    ("call", "place"),
    [
        ("lookup('l', Array, 'unique')[0]", ("first.yaml", 1, 6)),
        ("lookup('l', Array, 'unique')[1]", ("first.yaml", 1, 10)),
        ("lookup('l', Array, 'unique')[2]", ("second.yaml", 1, 8)),
        ("lookup('l.1')", ("first.yaml", 1, 10)),
        ("lookup('l.2')", ("second.yaml", 1, 8)),
        ("lookup('n')[0]", ("first.yaml", 2, 5)),
    ],
)
def test_an_element_of_a_merged_list_was_written_where_it_first_occurs(
    tmp_path: Path, call: str, place: tuple[str, int, int]
) -> None:
    write(tmp_path, MERGED)
    write(
        tmp_path,
        {
            "data/first.yaml": "l: [[a], b]\nn: [y]\n",
            "data/second.yaml": "l: [b, c]\nn: [x, y]\n"
            "lookup_options: { l: { merge: unique }, n: { merge: unique } }\n",
        },
    )
    text = f"notify {{ 'n': message => {call} }}"
    job = {"code": text, "lang": "puppet", "hiera": str(tmp_path / "hiera.yaml"), "why": True}
    result = CliRunner().invoke(cli, ["compile", "--jobs", "-"], input=json.dumps(job))
    why = json.loads(result.output)["why"]

    written = why["inputs"][why["values"]["Notify[n].message"]["where"]]
    assert (Path(written["file"]).name, written["line"], written["column"]) == place
