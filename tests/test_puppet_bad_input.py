"""Bad input to the Puppet compiler: a located refusal with a code, in time, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from headwater.ask import BadRequest, Request, compile_request
from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.text import Source, Unreadable, read_source


def compiled(code: str, **inputs: Any) -> Outcome:  # noqa: ANN401
    """The outcome of a program that is refused."""
    outcome = language_named("puppet").compile(
        Job((Source.of_text("a.pp", code),), Fields(**inputs))
    )
    assert outcome.result is None
    return outcome


def refusal(code: str, **inputs: object) -> tuple[str, str, int]:
    """Code, file and line of the first error."""
    error = compiled(code, **inputs).errors[0]
    return error.code, os.path.basename(error.at.source.name), error.at.first.line


def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    ("code", "expected", "line"),
    [
        ("\ninclude nosuch::thing", "puppet-unknown-class", 2),
        ("\nclass { 'nosuch': }", "puppet-unknown-class", 2),
        ("\nnosuch { 'a': }", "puppet-unknown-type", 2),
        ("\nnosuch::thing { 'a': }", "puppet-unknown-type", 2),
        ("\n$x = nosuch(1)", "puppet-unknown-function", 2),
        ("\n$x = Nosuch::Type", "puppet-unknown-type", 2),
        ("\n$x = epp('nosuch/a.epp')", "puppet-function-failed", 2),
        ("\n$x = file('nosuch/a')", "puppet-function-failed", 2),
        ("class a inherits nosuch { }\ninclude a", "puppet-unknown-class", 2),
    ],
)
def test_what_is_missing_is_named(code: str, expected: str, line: int, tmp_path: Path) -> None:
    assert refusal(code, modulepath=str(tmp_path)) == (expected, "a.pp", line)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class a inherits b { }\nclass b inherits a { }\ninclude a", "puppet-inherits-itself"),
        ("class a inherits a { }\ninclude a", "puppet-inherits-itself"),
        ("class a inherits b { }\nclass b inherits c { }\nclass c inherits b { }\ninclude a",
         "puppet-inherits-itself"),
        ("type A = B\ntype B = A\nnotify { 'x': message => 1 =~ A }", "puppet-bad-type-expression"),
        ("function f($x) { f($x) }\nf(1)", "puppet-too-many-calls"),
        ("function f($x) { [1].each |$i| { f($x) } }\nf(1)", "puppet-too-many-calls"),
        ("define d($n) { d { \"${n}x\": n => \"${n}x\" } }\nd { 'a': n => 'a' }", "puppet-endless"),
        ("notify { 'x': message => inline_epp('<%= inline_epp(\"<%= 1 \") %>') }",
         "puppet-unclosed"),
    ],
)  # fmt: skip
def test_what_never_ends_is_refused(code: str, expected: str) -> None:
    found = refusal(code)[0]

    assert found.startswith("puppet-")
    assert found == expected or expected == "puppet-unclosed"


def test_a_template_that_renders_itself_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"m/templates/a.epp": "<%= epp('m/a.epp') %>\n"})

    code, _, _ = refusal("$x = epp('m/a.epp')", modulepath=str(tmp_path))

    assert code == "puppet-too-many-calls"


@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    code, file, line = refusal("$x = " + "[" * depth + "]" * depth)

    assert (file, line) == ("a.pp", 1)
    assert code.startswith("puppet-")


@pytest.mark.parametrize("value", ["Integer[1, 3000].reduce([]) |$m, $x| { [$m] }",
                                   "Integer[1, 97].reduce({}) |$m, $x| { { 'a' => $m } }",
                                   "$facts['deep']", "[1.5, $facts['vast']]"])  # fmt: skip
def test_what_no_catalog_can_hold_is_refused_where_it_is_put(value: str) -> None:
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]
    facts = {"deep": deep, "vast": float("inf")}
    found = refusal(f"$x = {value}\nnotify {{ 'a': message => $x }}", facts=facts)

    assert found == ("puppet-value-too-large", "a.pp", 2)


def test_what_ninety_six_values_hold_is_put_into_a_catalog() -> None:
    value = "Integer[1, 95].reduce([]) |$m, $x| { [$m] }"
    request = Request(
        sources=(Source.of_text("a.pp", f"notify {{ 'a': message => {value} }}"),), lang="puppet"
    )
    outcome = compile_request(request).outcome
    assert outcome.result is not None

    text = "".join(outcome.result.export("json")) + "".join(outcome.result.export("yaml"))
    assert text.count("[]") >= 2


def test_ten_megabytes_of_program_are_answered_in_time() -> None:
    line = "notify { 'number %07d': message => \"some text ${facts['os']} and more of it\" }\n"
    text = "".join(line % number for number in range(10_000_000 // 80))
    assert len(text) > 9_000_000

    code, file, at = refusal(text + "notify { 'unfinished'\n")

    assert (code, file) == ("puppet-unclosed", "a.pp")
    assert at > 100_000


def test_ten_megabytes_on_one_line_are_answered_in_time() -> None:
    code, _, line = refusal("$x = '" + "a" * 10_000_000)

    assert (code, line) == ("puppet-unclosed-string", 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("k: [1, 2\nl: 3\n", 2),
        ("k: 1\n\tl: 2\n", 2),
        ("k: &a [*b]\n", 1),
        ("k: 1\nk2: {a: b\n", 3),
        ("k: 2020-01-01\n", 1),
        ("k: !ruby/object:Foo {}\n", 1),
        ("k: 1\nl: &l [*l]\n", 2),
    ],
)
def test_broken_data_are_refused_at_their_place(text: str, line: int, tmp_path: Path) -> None:
    hiera = "version: 5\nhierarchy: [{ name: c, path: c.yaml }]\n"
    folder = write(tmp_path, {"hiera.yaml": hiera, "data/c.yaml": text})

    found = refusal("$x = lookup('k')", hiera=f"{folder}/hiera.yaml")

    assert found == ("puppet-hiera-config", "c.yaml", line)


def test_broken_json_data_are_refused_at_their_place(tmp_path: Path) -> None:
    hiera = "version: 5\nhierarchy: [{ name: c, path: c.json, data_hash: json_data }]\n"
    folder = write(tmp_path, {"hiera.yaml": hiera, "data/c.json": '{\n "k": 1,\n}\n'})

    found = refusal("$x = lookup('k')", hiera=f"{folder}/hiera.yaml")

    assert found == ("puppet-hiera-config", "c.json", 3)


def test_defaults_without_a_function_are_refused_for_the_usual_level_too(tmp_path: Path) -> None:
    folder = write(tmp_path, {"hiera.yaml": "version: 5\ndefaults: {datadir: data}\n"})

    found = refusal("$x = lookup('k')", hiera=f"{folder}/hiera.yaml")

    assert found == ("puppet-hiera-config", "hiera.yaml", 2)


def test_a_hiera_yaml_that_is_not_there_is_refused() -> None:
    assert refusal("$x = lookup('k')", hiera="/nowhere/hiera.yaml")[0] == "puppet-hiera-config"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"m/manifests/init.pp": "class m { }\n"})
    (tmp_path / "m/manifests/init.pp").chmod(0)

    assert refusal("include m", modulepath=str(tmp_path))[0] == "puppet-bad-input"


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m/manifests/init.pp"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"class m { notify { '\xff\xfe': } }\n")

    assert refusal("include m", modulepath=str(tmp_path))[0] == "puppet-bad-input"
    assert isinstance(read_source(str(path)), Unreadable)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "facts.json").mkdir()

    assert refusal("notify { 'a': }", facts=str(tmp_path / "facts.json"))[0] == "not-a-regular-file"


@pytest.mark.parametrize(
    "code",
    [
        "$x = '{a}b' =~ /^(a+)+$/",
        "$x = '{a}b' ? {{ /^(a|a)*$/ => 1, default => 2 }}",
        "case '{a}b' {{ /^(a+)+$/: {{ }} }}",
        "$x = regsubst('{a}b', '^(a+)+$', 'x')",
        "$x = '{a}b'.split(/^(a+)+$/)",
        "node /^(([a-z])+.)+[A-Z]([a-z])+$/ {{ }}",
        "$x = '{a}b' in [/^(a+)+$/]",
        "$x = '{a}b' =~ Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/]",
        "$x = ['{a}b'] !~ Array[Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/]]",
        "function f(Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/] $p) {{ }} f('{a}b')",
        "function f() >> Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/] {{ '{a}b' }} f()",
        "define d(Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/] $p) {{ }} d {{ 'x': p => '{a}b' }}",
        "with('{a}b') |Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/] $p| {{ }}",
        "$x = assert_type(Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/], '{a}b')",
        "$x = lookup('k', Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/], 'first', '{a}b')",
        "$x = Enum['{a}b'] < Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/]",
        "case '{a}b' {{ Pattern[/^(([a-z])+.)+[A-Z]([a-z])+$/]: {{ }} }}",
    ],
)
def test_a_hostile_regular_expression_is_bounded_in_time(code: str) -> None:
    source = Source.of_text("a.pp", code.format(a="a" * 60))
    job = Job((source,), Fields(node="a" * 60))
    outcome = language_named("puppet").compile(job)

    errors = [d for d in outcome.errors if d.code != "puppet-no-node"]
    assert all(d.code == "puppet-regex-bound" for d in errors)
    assert all(d.at.source is source for d in errors)
    assert errors or "Pattern" not in code


@pytest.mark.parametrize(
    "code",
    [
        "size(1)", "join('a', 1)", "sprintf(1)", "split(1, 2)", "lookup(1)", "include(1)",
        "create_resources(1, 2)", "each(1, 2)", "regsubst(1, 2, 3)", "versioncmp(1, 2)",
        "fqdn_rand('x')", "defined(1)", "realize(1)", "tag({ 'a' => 1 })", "epp(1)",
        "match(1, 2)", "Integer('x')", "Integer[2, 1]", "Enum[1]",
        "Pattern['(']", "Struct[1]", "Tuple[1]", "Hash[1]", "strftime(1, 2)", "new(1)",
        "assert_type(1, 2)", "dig(1, 2)", "max()", "reduce(1)", "with(1)", "lest(1)",
        "SemVer('x')", "Timestamp('x')", "Binary('%')", "URI(1)", "Sensitive()", "1 + 'x'",
        "'a' - 1", "-'x'", "[1] < [2]", "1 =~ /a/", "'a' =~ 1", "1[1]", "undef[1]", "'a'['b']",
        "[1]['a']", "1 << 999999999999", "9223372036854775807 + 1", "1 / 0", "1 % 0",
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_at_their_line(code: str) -> None:
    found = refusal(f"\n$x = {code}\n")

    assert found[0].startswith("puppet-")
    assert found[0] != "puppet-not-yet"
    assert found[1:] == ("a.pp", 2)


@pytest.mark.parametrize(
    "inputs",
    [
        {"facts": "nowhere.json"}, {"facts": [1]}, {"facts": 3}, {"classes": 3},
        {"classes": {"a": 3}}, {"classes": [1]}, {"modulepath": 3}, {"env": "/nowhere"},
        {"hiera": 3}, {"node": 3}, {"trusted": 3}, {"settings": {"strict": "nosuch"}},
        {"on_unknown": "nosuch"}, {"set": "a"},
    ],
)  # fmt: skip
def test_odd_inputs_are_no_traceback(inputs: dict[str, Any]) -> None:
    source = Source.of_text("a.pp", "class a { }\nnotify { 'x': message => lookup('k', Any, "
                            "undef, 1) }\n")  # fmt: skip
    try:
        outcome = compile_request(Request(sources=(source,), inputs=inputs)).outcome
    except BadRequest as refused:
        assert str(refused).startswith(f"{next(iter(inputs))} must be ")  # noqa: PT017
        return

    assert outcome.result is not None or outcome.errors[0].code.startswith("puppet-")


@pytest.mark.parametrize(
    "doubled",
    ['"${was}${was}"', "$was + $was", "[$was, $was]", "{ a => $was, b => $was }",
     "[1, 2].map |$i| { $was }"],
)  # fmt: skip
def test_a_value_that_doubles_is_refused_by_its_size(doubled: str) -> None:
    lines = ["$x0 = ['some', 'values']"]
    lines += [f"$x{n + 1} = {doubled.replace('was', f'x{n}')}" for n in range(60)]

    assert compiled("\n".join(lines)).errors[0].code == "puppet-value-too-large"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("(:'m::f') do\n  dispatch :f\nend", "wrong number of arguments (given 0, expected 1..3)"),
        ("(:'m::f') do\n  argument_mismatch :f\nend", "wrong number of arguments (given 0"),
        ("(:'m::f') do\n  local_types\nend", "wrong number of arguments (given 0, expected 1..3)"),
        ("(:'m::f')", "private method `binding' called for nil:NilClass"),
    ],
)
def test_functions_in_ruby_that_lack_a_block(tmp_path: Path, body: str, said: str) -> None:
    files = {"m/lib/puppet/functions/m/f.rb": f"Puppet::Functions.create_function{body}\n"}
    error = compiled("notice(m::f())", modulepath=[write(tmp_path, files)]).errors[0]
    assert error.code == "puppet-ruby-error"
    assert f"Function Load Error for function 'm::f': {said}" in error.message
