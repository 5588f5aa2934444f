"""``headwater check`` on Puppet: relationships that go in circles or lead nowhere."""

from __future__ import annotations

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.report import Diagnostic
from headwater.text import Source


def check(code: str, **inputs: object) -> list[Diagnostic]:
    return list(
        language_named("puppet").check(Job((Source.of_text("a.pp", code),), Fields(**inputs)))
    )


def test_a_circle_is_told_edge_by_edge() -> None:
    found = check("notify { 'a': }\n-> notify { 'b': }\nNotify['b'] -> Notify['a']\n")

    assert [d.code for d in found] == ["puppet-dependency-cycle"]
    assert "Notify[a] → Notify[b] → Notify[a]" in found[0].message
    assert [(note.at.first.line, note.message) for note in found[0].labels] == [
        (1, "Notify[a] comes before Notify[b] (before)"),
        (3, "Notify[b] comes before Notify[a] (before)"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "notify { 'a': require => Notify['a'] }",
        "class c { notify { 'a': require => Class['c'] } }\ninclude c",
        "class a { contain b }\nclass b { require a }\ninclude a",
        "define d { notify { $title: } }\nd { 'x': before => D['y'] }\n"
        "d { 'y': }\nNotify['y'] -> Notify['x']",
        "stage { 'early': before => Stage['main'] }\nclass e { notify { 'e': require => "
        "Notify['m'] } }\nclass { 'e': stage => early }\nnotify { 'm': }",
        "class a { notify { 'a': } }\nclass b { notify { 'b': } }\ninclude a, b\n"
        "Class['a'] -> Class['b']\nNotify['b'] ~> Notify['a']",
        "notify { ['p', 'q']: }\nNotify <| title == 'p' |> -> Notify <| title == 'q' |>\n"
        "Notify['q'] -> Notify['p']",
    ],
)
def test_circles_through_containers_are_found(code: str) -> None:
    assert [d.code for d in check(code)] == ["puppet-dependency-cycle"]


@pytest.mark.parametrize(
    "code",
    [
        "notify { 'a': } -> notify { 'b': } -> notify { 'c': }\nNotify['a'] -> Notify['c']",
        "class a { notify { 'a': } -> notify { 'b': } }\ninclude a\nnotify { 'z': require => "
        "Class['a'] }",
        "class a { include b }\nclass b { require c }\nclass c { notify { 'c': } }\ninclude a",
        "@notify { 'v': require => Notify['v'] }",
        "",
    ],
)
def test_what_has_an_order_has_no_circle(code: str) -> None:
    assert check(code) == []


def test_two_circles_are_two_findings() -> None:
    one = "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b'] -> Notify['a']\n"
    two = "notify { ['c', 'd']: }\nNotify['c'] -> Notify['d'] -> Notify['c']\n"

    assert [d.at.first.line for d in check(one + two)] == [2, 4]


def test_a_relationship_that_leads_nowhere_is_told_at_its_place() -> None:
    found = check("notify { 'a':\n  require => File['/x'],\n}\n")

    assert [(d.code, d.at.first.line) for d in found] == [("puppet-missing-resource", 2)]


def test_other_refusals_are_told_if_the_inputs_are_known() -> None:
    code = "include nosuch\n"

    assert check(code) == []
    assert [d.code for d in check(code, node="a")] == ["puppet-unknown-class"]


def test_a_long_circle_is_found_in_time() -> None:
    names = [f"n{i}" for i in range(3000)]
    code = "\n".join(
        f"notify {{ '{a}': before => Notify['{b}'] }}"
        for a, b in zip(names, [*names[1:], "n0"], strict=True)
    )

    found = check(code)

    assert [d.code for d in found] == ["puppet-dependency-cycle"]
    assert "more" in found[0].message
