"""``headwater check`` on Puppet: relationships that go in circles or lead nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.ask.check import check as check_files
from headwater.ask.check import files_in
from headwater.ask.request import Request
from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.report import Diagnostic
from headwater.text import Source


def check(code: str, **inputs: Any) -> list[Diagnostic]:  # noqa: ANN401
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


def test_what_of_ruby_in_a_module_is_not_evaluated_is_told(tmp_path: Path) -> None:
    files = {
        "m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n"
        "  LIMIT = 3\n"
        "  def f(x)\n"
        "    PuppetX::M.helper(x, LIMIT).upcase\n"
        "    Puppet::Util::Execution.execute(x)\n"
        "    system(x)\n"
        "  end\n"
        "end\n",
        "m/lib/puppet/parser/functions/old.rb": "module Puppet::Parser::Functions\n"
        "  newfunction(:old, type: :rvalue) { |args| Digest::MD5.hexdigest(args[0]) }\n"
        "end\n",
        "m/lib/puppet/type/t.rb": "system('not looked at')\n",
        "m/templates/a.erb": "a <%= @x %>\n<%= `uptime` %>\n",
        "m/templates/b.erb": "<% if @x %>\n",
        "m/manifests/init.pp": "class m { }\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    found = [
        (*_told(d), d.message.split(" is ")[0])
        for d in check_files(Request(), files_in([str(tmp_path)]))
    ]

    beyond = ("puppet-ruby-beyond", "warning")
    assert sorted(found) == [
        (*beyond, "a.erb", 2, "`…` (a program) (templates/a.erb:2)"),
        (*beyond, "f.rb", 5, "Puppet::Util::Execution (lib/puppet/functions/m/f.rb:5)"),
        (*beyond, "f.rb", 6, "system (lib/puppet/functions/m/f.rb:6)"),
        ("puppet-ruby-syntax", "error", "b.erb", 1, "the template"),
    ]


def _told(found: Diagnostic) -> tuple[str, str, str, int]:
    name = Path(found.at.source.name).name
    return found.code, found.severity, name, found.at.first.line
