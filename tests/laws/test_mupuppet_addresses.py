"""Addresses of a catalog, and its result, through `ask`."""

from __future__ import annotations

import json

import pytest

from headwater.ask import Request, compile_request
from headwater.ask.document import why_document
from headwater.ask.explain import Explanation, explain
from headwater.ask.jobs import run_jobs
from headwater.langs.puppet.language import LANGUAGE
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.tree import BadAddress

SITE = """notify { 'a]b': message => ['x', { 'k' => 1 }] }
file { '/etc/motd': content => "hello" }
"""


def request(text: str = SITE, **inputs: object) -> Request:
    return Request(sources=(Source("site.pp", text),), engine="paper", inputs=inputs)


@pytest.mark.parametrize(
    "text",
    [
        "File[/etc/motd].content",
        "File[/etc/motd]",
        'Notify["a]b"].message[1]["k"]',
        ".",
    ],
)
def test_an_address_reads_as_it_is_shown(text: str) -> None:
    assert LANGUAGE.show_address(LANGUAGE.parse_address(text)) == text


def test_a_title_may_always_be_quoted() -> None:
    assert LANGUAGE.parse_address('File["/etc/motd"].content') == ("File[/etc/motd]", "content")


@pytest.mark.parametrize("text", ["motd", 'File["\\x"].a', "file[/a"])
def test_a_bad_address_says_so(text: str) -> None:
    with pytest.raises(BadAddress):
        LANGUAGE.parse_address(text)


def test_every_value_has_an_entry_in_the_why_document() -> None:
    compiled = compile_request(request())
    document = why_document(compiled)

    assert list(document["values"]) == [
        'Notify["a]b"]',
        'Notify["a]b"].message',
        'Notify["a]b"].message[0]',
        'Notify["a]b"].message[1]',
        'Notify["a]b"].message[1]["k"]',
        "File[/etc/motd]",
        "File[/etc/motd].content",
    ]
    assert document["values"]["File[/etc/motd].content"]["where"] is not None


def test_a_pointer_leads_to_the_same_value() -> None:
    compiled = compile_request(request())
    answers = [
        explain(compiled, a) for a in ("/resources/1/parameters/content", "File[/etc/motd].content")
    ]

    assert all(isinstance(answer, Explanation) for answer in answers)
    assert len({answer.value for answer in answers if isinstance(answer, Explanation)}) == 1


def test_an_address_that_is_not_there_names_the_nearest() -> None:
    answer = explain(compile_request(request()), "File[/etc/motd].contents")

    assert isinstance(answer, Diagnostic)
    assert answer.help == "did you mean File[/etc/motd].content?"


def test_a_job_answers_with_resources_rules_and_why() -> None:
    job = {"id": 1, "code": "notify { 'n': }", "lang": "puppet", "engine": "paper", "why": True}
    answers: list[bytes] = []
    run_jobs([json.dumps(job | {"rules": True, "provenance": "thesis"}).encode()], answers.append)
    answer = json.loads(b"".join(answers))

    assert answer["result"] == {"resources": [{"type": "Notify", "title": "n", "parameters": {}}]}
    assert "eval/ResDecl" in answer["rules"]
    assert "dependency/ResDecl" in answer["rules"]
    assert "Notify[n]" in answer["why"]["values"]
