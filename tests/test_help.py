"""What help says: one sentence, an example, common options, then a group for each language."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from headwater.cli.main import VERBS, cli
from headwater.langs import LANGUAGES, families_of
from headwater.langs.fields import fields_of


def commands() -> Iterator[tuple[str, ...]]:
    context = click.Context(cli)
    for verb in VERBS:
        found = cli.get_command(context, verb)
        if isinstance(found, click.Group):
            yield from ((verb, name) for name in found.commands)
        else:
            yield (verb,)


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_help_is_a_sentence_and_an_example_before_the_options(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(cli, [*words, "--help"], prog_name="headwater").output
    usage, sentence, example, *_ = shown.split("\n\n")

    assert usage.startswith(f"Usage: headwater {' '.join(words)}")
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert example.startswith(f"  Example: headwater {' '.join(words)}")
    assert all(len(line) <= 80 for line in shown.splitlines() if not line.startswith("Usage"))


def test_the_help_of_compile_is_short_before_the_groups_of_languages() -> None:
    shown = CliRunner().invoke(cli, ["compile", "--help"], prog_name="headwater").output
    titles = [families_of(name).title for name in LANGUAGES if fields_of(families_of(name).program)]
    lines = shown.splitlines()
    groups = [lines.index(f"{title}:") for title in titles]

    assert min(groups) <= 24
    assert groups == sorted(groups)
    assert "headwater compile examples" in shown


@pytest.mark.parametrize("name", LANGUAGES)
def test_help_of_a_language_shows_every_field(name: str) -> None:
    shown = CliRunner().invoke(cli, ["help", name], prog_name="headwater").output
    takes = families_of(name)

    for struct in (takes.program, takes.lookup, takes.run):
        for field in fields_of(struct):
            assert f"  {field.name}" in shown
            assert field.about.option is None or f"({field.about.option}" in shown


def test_options_of_look_ups_and_runs_are_those_of_languages_that_have_them() -> None:
    lookup = CliRunner().invoke(cli, ["lookup", "--help"], prog_name="headwater").output
    run = CliRunner().invoke(cli, ["run", "--help"], prog_name="headwater").output

    assert "Puppet:" in lookup
    assert "SmartFrog:" not in lookup
    assert "--merge" in lookup
    assert "Opal:" in run
    assert "Puppet:" not in run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-steps", "0"], "'0' is not a whole number of at least 1"),
        (["--max-steps", "many"], "'many' is not a whole number of at least 1"),
        (["--on-unknown", "panic"], "'panic' is not error or opaque"),
        (["--engine", "steam"], "'steam' is not engine or paper"),
    ],
)
def test_an_option_with_a_wrong_value_says_what_was_expected(words: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["compile", "a.pp", *words], prog_name="headwater")

    assert done.exit_code == 2
    assert said in done.output
    assert words[0] in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.pp", "--dialect", "puppet", "--engine", "paper"],
         "the dialect puppet has no engine paper; it has engine"),
        (["a.pp", "--dialect", "like-puppet", "--engine", "engine"],
         "the dialect like-puppet has no engine engine; it has paper"),
    ],
)  # fmt: skip
def test_an_engine_that_a_dialect_does_not_have_is_refused(words: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["compile", *words], prog_name="headwater")

    assert done.exit_code == 2
    assert said in done.output
