"""The one reader of YAML: nodes, places, bounds; and everybody who uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.yaml import Document
from headwater.tree.yamltext import (
    MOST_VALUES,
    PLAIN,
    QUOTED,
    STANDARD,
    BadYaml,
    YamlTooLarge,
    compose,
)

HIERA = "version: 5\nhierarchy: [{ name: c, path: c.yaml }]\n"


def bomb(first: str, next_: str, levels: int) -> str:
    """Lines of which each stands for the one before, several times."""
    lines = [f"a0: &a0 {first}"]
    for n in range(1, levels):
        lines.append(f"a{n}: &a{n} " + next_.replace("@", f"*a{n - 1} "))
    return "\n".join(lines) + "\nk: 1\n"


BOMBS = {
    "lists of nine": bomb("[x, x, x, x, x, x, x, x, x]", "[" + ", ".join("@" * 9) + "]", 7),
    "lists of two": bomb("[x]", "[@, @]", 40),
    "mappings": bomb("{x: 1}", "{l: @, r: @}", 40),
    "lists of mappings": bomb("[{x: 1}]", "[{l: @}, {r: @}]", 40),
    "blocks": bomb("x", "\n  - @\n  - @", 40),
}
MERGES = bomb("{x: 1}", "{<<: [@, @], k: [@, @]}", 40)
DEEP = {"brackets": "k: " + "[" * 60_000, "columns": "k:\n  " + "- " * 60_000 + "1\n"}


def refused(tmp_path: Path, files: dict[str, str], *command: str) -> str:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    words = [str(tmp_path / word[1:]) if word.startswith("@") else word for word in command]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 1, done.output
    return done.output


def users(bad: str) -> dict[str, tuple[dict[str, str], list[str]]]:
    """Everybody who reads YAML, with a text in the place of what they read."""
    main = {"a.pp": "notify { 'a': message => lookup('k') }"}
    module = {"m/m/manifests/init.pp": "class m($p = 1) { }", "a.pp": "include m"}
    return {
        "L3": ({"a.yaml": bad}, ["compile", "--lang", "l3", "@a.yaml"]),
        "L3, check": ({"a.yaml": bad}, ["check", "--lang", "l3", "@a.yaml"]),
        "facts": ({"a.pp": "", "f.yaml": bad}, ["compile", "@a.pp", "--facts", "@f.yaml"]),
        "facts of the paper": (
            {"a.pp": "", "f.yaml": bad},
            ["compile", "--engine", "paper", "@a.pp", "--facts", "@f.yaml"],
        ),
        "data": (
            {**main, "h.yaml": HIERA, "data/c.yaml": bad},
            ["compile", "@a.pp", "--hiera", "@h.yaml"],
        ),
        "lookup": ({"h.yaml": HIERA, "data/c.yaml": bad}, ["lookup", "k", "--hiera", "@h.yaml"]),
        "hiera.yaml": ({**main, "h.yaml": bad}, ["compile", "@a.pp", "--hiera", "@h.yaml"]),
        "hiera.yaml of an environment": (
            {"e/manifests/a.pp": "lookup('k')", "e/hiera.yaml": bad},
            ["compile", "@e"],
        ),
        "hiera.yaml of a module": (
            {**module, "m/m/hiera.yaml": bad},
            ["compile", "@a.pp", "--modulepath", "@m"],
        ),
        "data of a module": (
            {**module, "m/m/hiera.yaml": HIERA, "m/m/data/c.yaml": bad},
            ["compile", "@a.pp", "--modulepath", "@m"],
        ),
    }


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("user", users(""))
def test_aliases_of_aliases_are_refused_by_the_bound(user: str, kind: str, tmp_path: Path) -> None:
    files, command = users(BOMBS[kind])[user]
    output = refused(tmp_path, files, *command)

    assert "[yaml-too-large]" in output
    assert "1,000,000 values" in output


@pytest.mark.parametrize("user", [user for user in users("") if not user.startswith("L3")])
def test_merges_of_merges_are_refused_by_the_bound(user: str, tmp_path: Path) -> None:
    files, command = users(MERGES)[user]

    assert "[yaml-too-large]" in refused(tmp_path, files, *command)


@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("user", users(""))
def test_what_is_nested_too_deep_is_refused_by_the_bound(
    user: str, kind: str, tmp_path: Path
) -> None:
    files, command = users(DEEP[kind])[user]
    output = refused(tmp_path, files, *command)

    if user.startswith("L3"):
        assert "[l3-too-deep]" in output
    else:
        assert "[yaml-too-large]" in output
        assert "1,200 levels" in output


@pytest.mark.parametrize("user", users(""))
@pytest.mark.parametrize(
    "text", ["a: &a [*a]", "a: &a {b: *a}", "a: &a [[{b: [*a]}]]", "a: &a\n  - b: *a\n"]
)
def test_an_alias_of_what_it_is_part_of_is_refused(user: str, text: str, tmp_path: Path) -> None:
    files, command = users(text + "\nk: 1\n")[user]

    assert "part of" in refused(tmp_path, files, *command)


def test_many_aliases_within_the_bound_are_fine() -> None:
    small = bomb("[x, x]", "[@, @]", 10)
    data = Document(small).data
    assert isinstance(data, Hash)
    assert data["a9"][0][1] == data["a8"][1]
    rows = "a: &a [x, x]\n" + "".join(f"k{n}: *a\n" for n in range(1000))
    data = Document(rows).data
    assert isinstance(data, Hash)
    assert len(data) == 1001


def test_the_number_of_values_is_exact() -> None:
    # The list a is 1,000 values; with it go the mapping, two keys and the list of b.
    a = "a: &a [" + ", ".join(["x"] * 999) + "]\n"
    most = (MOST_VALUES - 4) // 1000
    rest = MOST_VALUES - 4 - 1000 * most
    fits = a + "b: [" + ", ".join(["*a"] * (most - 1) + ["x"] * rest) + "]\n"
    assert compose(fits, levels=10).root is not None
    with pytest.raises(YamlTooLarge):
        compose(fits.replace("]\n", ", x]\n", 2), levels=10)


def test_nodes_know_what_is_written_and_where() -> None:
    text = "a: 1\nb: '1'\nc: !!str 1\nd: [x, !t y]\ne: ! 2\n"
    root, second = compose(text, levels=10)
    values = {key.value: value for key, value in root.value}

    assert second is None
    assert [values[name].tag for name in "abcde"] == [PLAIN, QUOTED, STANDARD + "str", PLAIN, PLAIN]
    assert values["d"].value[1].tag == "!t"
    assert [text[v.start_mark.index : v.end_mark.index] for v in values.values()] == [
        "1", "'1'", "!!str 1", "[x, !t y]", "! 2",
    ]  # fmt: skip


def test_only_the_first_document_counts_and_the_second_has_its_place() -> None:
    assert compose("a: 1\n---\nb: 2\n", levels=10).second == 5
    assert compose("a: 1\n...\n", levels=10).second is None
    assert compose("", levels=10) == (None, None)
    assert compose("a: 1\n---\n" + "[" * 5000, levels=10).second == 5


@pytest.mark.parametrize(
    ("text", "at"), [("a: [1", 5), ("a: *b", 3), ("é: \x01", 3), ("a: \ud800", 3), ("\ta: 1", 0)]
)
def test_what_is_no_yaml_has_its_place(text: str, at: int) -> None:
    with pytest.raises(BadYaml) as bad:
        compose(text, levels=10)

    assert bad.value.start == at
