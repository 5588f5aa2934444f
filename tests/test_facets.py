"""Facets of languages work on what was compiled: nothing is compiled twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask.durable import durable
from headwater.cli.main import cli
from headwater.langs import LANGUAGES, language_named
from headwater.langs.durable import RunsDurably
from headwater.langs.protocol import Job


@pytest.mark.parametrize(
    ("lang", "text", "words", "said"),
    [
        ("l3", "a: 1 #p <+> 2 #q\n#p > #q\n", ["a", "--to-win", "2"], "to make 2 win at a"),
        ("l3", "a: 1 #p <+> 2 #q\n#p > #q\n",
         ["a", "--to-win", "2", "--engine", "paper"], "to make 2 win at a"),
        ("puppet", "$x = 'v'\n$y = 1\nfile { '/a': content => $x }\n",
         ["File[/a].content", "--slice"], "$x = 'v'"),
        ("smartfrog", "sfConfig extends { a 1; }", ["a"], "a = 1"),
    ],
)  # fmt: skip
def test_a_question_compiles_once(
    lang: str,
    text: str,
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind: Any = type(language_named(lang))
    compile, times = kind.compile, []

    def counted(self: object, job: Job[Any]) -> object:
        times.append(job.engine)
        return compile(self, job)

    monkeypatch.setattr(kind, "compile", counted)
    file = tmp_path / f"main{LANGUAGES[lang].endings[0]}"
    file.write_text(text)
    done = CliRunner().invoke(cli, ["explain", str(file), *words], prog_name="headwater")

    assert said in done.output
    assert len(times) == 1


@pytest.mark.parametrize(
    ("name", "text", "words", "said"),
    [
        ("a.l3", "a: 1", ["--slice"], "l3 has no slices"),
        ("a.sf", "sfConfig extends { a 1; }", ["--to-win", "2"], "there is nothing to win"),
        ("a.pp", "notify { 'a': }", ["--slice", "--engine", "engine"], "by the engine paper"),
        ("a.pp", "notify { 'a': }", ["--slice", "--dialect", "puppet"], "has no engine paper"),
    ],
)
def test_what_a_language_cannot_answer_is_said(
    name: str, text: str, words: list[str], said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    done = CliRunner().invoke(cli, ["explain", str(tmp_path / name), "a", *words])

    assert done.exit_code == 2
    assert said in done.output


def test_durable_runs_are_a_facet() -> None:
    every = [language_named(name) for name in LANGUAGES]
    able = [language for language in every if isinstance(language, RunsDurably)]

    assert len(able) == 1
    assert durable() is able[0].durable
