"""Every compilation ends: a program may take a number of evaluations, and no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask.jobs import answer_line
from headwater.cli.main import cli
from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.engine.work import MOST_STEPS
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.paper.adapter import changed
from headwater.langs.puppet.paper.state import State
from headwater.text import Source

NUMBERS = "$n = Integer[1, 3000].map |$x| { $x } "
TEXT = "$t = Integer[1, 15].reduce('x') |$m, $x| { \"${m}${m}\" } "
TITLES = '$n = Integer[1, 300].map |$x| { "n${x}" } '
EACH = "Integer[1, 100000].each |$i| "
ENDLESS = {
    "each in each": "Integer[1, 100000].each |$x| { Integer[1, 100000].each |$y| { } }",
    "map and reduce": "Integer[1, 9999].map |$x| { Integer[1, 9999].reduce |$m, $y| { $m + $y } }",
    "filter and any": "Integer[1, 9999].filter |$x| { Integer[1, 9999].any |$y| { false } }",
    "a function that calls itself twice": "function f($n) {\n"
    "if $n > 0 { f($n - 1) f($n - 1) } }\nf(60)",
    "a function and a lambda": "function g($n) {\n"
    "[1, 2].map |$x| { if $n > 0 { g($n - 1) } } }\ng(60)",
    "defines": 'define d($n) { if $n > 0 { d { "${title}a": n => $n - 1 } '
    "d { \"${title}b\": n => $n - 1 } } }\nd { 'x': n => 60 }",
    "resources": TITLES + EACH + '{ $m = $n.map |$x| { "${x}-${i}" } notify { $m: } }',
    "create_resources": EACH + "{ create_resources('notify', { \"n${i}\" => {} }) }",
    "collectors": TITLES + "@notify { $n: } " + EACH + '{ Notify <| title == "x${i}" |> }',
    "relationships": TITLES + "notify { $n: } " + EACH + "{ Notify[$n] -> Notify[$n] }",
    "templates": EACH + "{ inline_epp('<% Integer[1, 100].each |$x| { %>a<% } %>') }",
    "look-ups": EACH + "{ lookup('k', { 'default_value' => 1 }) }",
    "sort": NUMBERS + EACH + "{ $n.sort }",
    "join": NUMBERS + EACH + "{ $n.join(',') }",
    "arrays made of ranges": EACH + "{ Array(Integer[1, 10000]) }",
    "splats": EACH + "{ $a = [*Integer[1, 10000].step(2)] }",
    "array plus": NUMBERS + EACH + "{ $n + $n }",
    "hash plus": NUMBERS + "$h = Hash($n.map |$x| { [$x, 1] }) " + EACH + "{ $h + { 'a' => 1 } }",
    "equality": NUMBERS + "$m = $n + [] " + EACH + "{ $n == $m }",
    "in": NUMBERS + EACH + "{ 'z' in $n }",
    "matching a type": NUMBERS + EACH + "{ $n =~ Array[Integer] }",
    "case": NUMBERS + EACH + "{ case $n { Array[String]: { } default: { } } }",
    "arrays as keys": NUMBERS + EACH + "{ $h = { $n => 1 } }",
    "access by arrays": NUMBERS + EACH + "{ { 'a' => 1 }[$n] }",
    "types of many": NUMBERS + EACH + '{ Enum[$n.map |$x| { "a${x}" }] }',
    "texts": TEXT + EACH + '{ "${t}${t}" }',
    "texts compared": TEXT + '$u = "${t}" ' + EACH + "{ $t == $u }",
    "arrows from one": "notify { ['a', 'b']: }\n" + EACH + "{ Notify['a'] -> Notify['b'] }",
    "defines in defines": 'define d() { [1, 2, 3].each |$i| { d { "${title}${i}": } } }\n'
    "d { 'a': }",
    "regular expressions": TEXT + EACH + "{ $t =~ /y/ }",
    "widths": EACH + "{ sprintf('%90000d', 1) }",
}


def compiled(code: str, **inputs: Any) -> Any:  # noqa: ANN401
    """The outcome of a program."""
    return language_named("puppet").compile(Job((Source.of_text("x.pp", code),), Fields(**inputs)))


@pytest.mark.parametrize("name", ENDLESS)
def test_a_program_that_goes_on_for_very_long_is_refused(name: str) -> None:
    outcome = compiled(ENDLESS[name], max_steps=300_000)

    assert [error.code for error in outcome.errors] == ["puppet-too-many-steps"]
    assert "300,000" in outcome.errors[0].message
    assert outcome.errors[0].at.source.name in ("x.pp", "inlined-epp-text")


def test_it_is_told_where_the_program_was() -> None:
    code = "notice(1)\n[1].each |$a| {\n  Integer[1, 100000].each |$x| { $x }\n}"

    (error,) = compiled(code, max_steps=10_000).errors

    assert error.at.first.line == 3


def test_look_ups_that_double_texts_are_refused(tmp_path: Path) -> None:
    lines = ["k0: xxxxxxxxxxxxxxxxxxxx"]
    lines += [f"k{i}: \"%{{lookup('k{i - 1}')}}%{{lookup('k{i - 1}')}}\"" for i in range(1, 40)]
    (tmp_path / "data.yaml").write_text("\n".join(lines))
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - name: all\n    path: data.yaml\n    datadir: .\n"
    )
    outcome = compiled("$x = lookup('k39')", hiera=str(tmp_path / "hiera.yaml"), max_steps=300_000)

    assert [error.code for error in outcome.errors] == ["puppet-too-many-steps"]


def test_a_look_up_inside_of_data_counts_by_what_is_kept_of_it(tmp_path: Path) -> None:
    """Forty keys that each ask twice for the next took twelve gigabytes and were not refused."""
    lines = [
        "k0: x",
        *(f"k{i}: \"%{{lookup('k{i - 1}')}}%{{lookup('k{i - 1}')}}\"" for i in range(1, 12)),
    ]
    (tmp_path / "data.yaml").write_text("\n".join(lines))
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - name: all\n    path: data.yaml\n    datadir: .\n"
    )
    hiera = str(tmp_path / "hiera.yaml")
    outcome = compiled("$x = lookup('k11')", hiera=hiera, max_steps=300_000)

    assert [error.code for error in outcome.errors] == ["puppet-too-many-steps"]
    assert compiled("$x = lookup('k11')", hiera=hiera, max_steps=3_000_000).result is not None


def test_what_takes_room_counts_by_it() -> None:
    """A resource takes kilobytes; the arrows from one share what they wrote."""
    arrows = "notify { ['a', 'b']: }\nInteger[1, 500].each |$i| { Notify['a'] -> Notify['b'] }"
    resources = 'Integer[1, 500].each |$i| { notify { "n${i}": } }'

    assert compiled(resources, max_steps=400_000).result is None
    assert compiled(resources, max_steps=500_000).result is not None
    assert compiled(arrows, max_steps=100_000).result is not None


def test_a_program_with_enough_evaluations_is_compiled() -> None:
    code = 'Integer[1, 1000].each |$x| { notify { "n${x}": } }'

    assert compiled(code).result is not None
    assert compiled(code, max_steps=MOST_STEPS).result is not None
    assert compiled(code, max_steps=1_000).result is None


def test_comments_and_blanks_do_not_count() -> None:
    short = '[1, 2, 3].each |$x| { notify { "n${x}": } }'
    long = '[1, 2, 3].each |$x| {\n  # a comment\n\n    notify { "n${x}": } }'
    left = [compiled(code).causes.compilation.work.left for code in (short, long)]

    assert left[0] == left[1]


@pytest.mark.parametrize("wrong", [0, -1, True, "9", 1.5, []])
def test_a_bound_that_is_no_number_is_refused(wrong: object) -> None:
    line = json.dumps({"lang": "puppet", "code": "notice(1)", "max_steps": wrong}).encode()

    assert json.loads(answer_line(line))["error"]["code"] == "bad-job"


def test_jobs_and_commands_take_the_bound(tmp_path: Path) -> None:
    code = ENDLESS["each in each"]
    line = json.dumps({"id": 1, "lang": "puppet", "code": code, "max_steps": 20_000}).encode()
    manifest = tmp_path / "x.pp"
    manifest.write_text(code)
    told = CliRunner().invoke(cli, ["compile", str(manifest), "--max-steps", "20000"])

    assert json.loads(answer_line(line))["error"]["code"] == "puppet-too-many-steps"
    assert told.exit_code == 1
    assert "puppet-too-many-steps" in told.output
    assert "--max-steps" in told.output
    assert CliRunner().invoke(cli, ["compile", str(manifest), "--max-steps", "0"]).exit_code == 2


@pytest.mark.parametrize(
    "call",
    [
        "versioncmp('1{digits}', '2{digits}')", "scanf('{digits}', '%d')", "Timespan('{digits}')",
        "SemVer('{digits}.0.0')", "String(1, '%1{digits}d')", "sprintf('%d', '0x{digits}')",
        "strftime(Timestamp(0), '%1{digits}Y')", "Timestamp('{digits}', '%Y')",
        "Float('0x{digits}')", "Timespan(0) + 1.0e300",
    ],
)  # fmt: skip
def test_numbers_of_very_many_digits_are_refused(call: str) -> None:
    outcome = compiled(f"notice({call})".replace("{digits}", "7" * 5000))

    assert outcome.errors[0].code in (
        "puppet-value-too-large", "puppet-number-too-large", "puppet-function-failed",
    )  # fmt: skip


def test_what_a_step_of_the_paper_changed_is_told_without_a_look_at_all() -> None:
    """Each step asked for each name by its hash: thousands of classes took minutes."""
    hashed: list[object] = []

    class Name(str):
        __slots__ = ()

        def __hash__(self) -> int:
            hashed.append(self)
            return str.__hash__(self)

    many: Any = {Name(f"c{i}"): i for i in range(100)}
    more: Any = {"d": 1, ("notify", "x"): 1}
    before = State(kappa=many, sigma=many, catalog=many)
    after = State(kappa={**many, "d": more}, sigma=many, catalog={**many, ("notify", "x"): more})
    hashed.clear()

    assert changed(before, after) == "κ[d: dict] v_C + Notify[x]"
    assert not hashed
    again = State(kappa={**many, "c7": more}, sigma=before.sigma, catalog=after.catalog)
    assert changed(after, again) == "κ[c7: dict]"
    bound: Any = {("a", "x"): 1}
    cleared = State(kappa=again.kappa, catalog=again.catalog)
    filled = State(sigma=bound, kappa=again.kappa, catalog=again.catalog)
    assert changed(filled, cleared) == "clear(σ, a)"
