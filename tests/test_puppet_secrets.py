"""Sensitive values are shown nowhere but in the catalog, where Puppet puts them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask.jobs import answer_line
from headwater.cli.main import cli

SECRET = "hunter2-is-secret"
PART = "half-of-it"

MANIFEST = f"""class db ($password = Sensitive('{SECRET}')) {{
  user {{ 'u': password => $password }}
  notify {{ 'unwrapped': message => $password.unwrap }}
}}
class over inherits db {{ User['u'] {{ password => Sensitive('{SECRET}-new') }} }}
$part = '{PART}'
file {{ '/composed': content => Sensitive("x${{part}}y") }} # {SECRET}
file {{ '/inner': content => {{ 'k' => Sensitive('{SECRET}') }}['k'] }}
file {{ '/template': content => inline_epp('pw <%= $p %>', {{ 'p' => Sensitive('{SECRET}') }}) }}
include over
if $db::password == Sensitive('{SECRET}') {{ notify {{ 'guarded': }} }}
"""


def run(*args: str) -> str:
    """Everything a command prints, on both channels."""
    result = CliRunner().invoke(cli, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output + (result.stderr or "")


def assert_hidden(text: str) -> None:
    assert SECRET not in text, text
    assert PART not in text, text


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    path = tmp_path / "site.pp"
    path.write_text(MANIFEST)
    return str(path)


ADDRESSES = [
    "User[u].password", "User[u]", "Notify[unwrapped].message", "File[/composed].content",
    "File[/inner].content", "File[/template].content", "Notify[guarded]", "Class[Db].password",
    "User[u].@tags", "User[u].@edges", "/resources/4", "/resources", "/edges/1",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("format", ["text", "json"])
def test_explain_shows_no_secret(manifest: str, address: str, format: str) -> None:
    shown = run("explain", manifest, address, "--format", format)

    assert "[redacted]" in shown or "redacted]" in shown or "@" in address or "/" in address
    assert_hidden(shown)


@pytest.mark.parametrize("command", ["blame", "explain"])
def test_a_secret_that_is_a_key_is_hidden(command: str, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(
        f"$s = Sensitive('{SECRET}').unwrap notify {{ 'a': message => {{ $s => 1, 'k' => $s }} }}\n"
    )
    asked = ["Notify[a].message"] if command == "explain" else []
    shown = run(command, str(path), *asked)
    assert "Notify[a].message" in shown
    assert_hidden(shown)


TITLED = f"""\
$s = Sensitive('{SECRET}').unwrap
define d {{ notify {{ "in ${{title}}": message => 'y' }} }}
notify {{ "a ${{s}}": message => 'x' }}
d {{ $s: }}
notify {{ 'z': require => Notify["a ${{s}}"] }}
"""
IN_TITLES = [
    ["blame"], ["blame", "--format", "json"], ["check"],
    ["explain", "Notify[a [redacted]].message"],
    ["explain", "Notify[in [redacted]].message"], ["explain", "Notify[a [redacted]].@tags"],
    ["explain", "Notify[in [redacted]].@edges"], ["explain", "D[[redacted]]"],
    ["explain", "Notify[z].require", "--format", "json"], ["explain", "Notify[a].message"],
    ["explain", "/resources/2/title"], ["explain", "/edges/2"],
]  # fmt: skip


@pytest.mark.parametrize("asked", IN_TITLES, ids=" ".join)
def test_a_secret_in_a_title_is_hidden_in_addresses(asked: list[str], tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(TITLED)
    command, *rest = asked
    shown = run(command, str(path), *rest)

    assert "error[" not in shown or asked == ["explain", "Notify[a].message"]
    assert_hidden(shown)


def test_a_difference_of_what_has_a_secret_in_its_title_shows_none(tmp_path: Path) -> None:
    old, new = tmp_path / "old.pp", tmp_path / "new.pp"
    old.write_text(TITLED)
    new.write_text(TITLED.replace("'x'", "'w'"))
    shown = run("diff", str(old), str(new))

    assert '+ Notify["a [redacted]"].message = "w"' in shown
    assert_hidden(shown)


def test_titles_that_differ_in_their_secrets_have_addresses_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(
        f"$s = Sensitive('{SECRET}').unwrap\n$t = Sensitive('x{SECRET}').unwrap\n"
        "notify { $s: message => 'one' }\nnotify { $t: message => 'two' }\n"
    )

    assert '"one"' in run("explain", str(path), "Notify[[redacted]].message")
    assert '"two"' in run("explain", str(path), "Notify[[redacted] 2].message")
    assert '"two"' in run("explain", str(path), f"Notify[x{SECRET}].message")


def test_what_overrode_a_secret_is_known_and_not_shown(manifest: str) -> None:
    found = json.loads(run("explain", manifest, "User[u].password", "--format", "json"))

    assert found["value"] == "Sensitive [value redacted]"
    assert found["masked"][0]["value"] == "Sensitive [value redacted]"
    assert found["masked"][0]["reason"] == "override"


@pytest.mark.parametrize("line", [1, 6, 7, 9])
def test_impact_shows_no_secret(manifest: str, line: int) -> None:
    for format in ("text", "json"):
        assert_hidden(run("impact", f"{manifest}:{line}", "--format", format))


def test_a_difference_shows_no_secret(manifest: str, tmp_path: Path) -> None:
    other = tmp_path / "other.pp"
    other.write_text(MANIFEST.replace("pw <%=", "password <%=").replace("'/inner'", "'/other'"))

    assert_hidden(run("diff", manifest, str(other)))


def test_the_answer_to_a_job_shows_secrets_in_the_catalog_only(manifest: str) -> None:
    job = {"lang": "puppet", "file": manifest, "why": True}
    answer = json.loads(answer_line(json.dumps(job).encode()))

    assert answer["ok"]
    catalog = answer.pop("result")
    assert SECRET in json.dumps(catalog)
    [user] = [r for r in catalog["resources"] if r["type"] == "User"]
    assert user["sensitive_parameters"] == ["password"]
    assert_hidden(json.dumps(answer))


REFUSED: list[tuple[str, dict[str, Any]]] = [
    (f"file {{ '/f': content => Sensitive('{SECRET}'), nonsense => 1 }}", {}),
    (f"file {{ '/f': content => Sensitive('{SECRET}') mode => 1 }}", {}),
    (f"class c (Integer $p) {{ }} class {{ 'c': p => Sensitive('{SECRET}') }}", {}),
    (f"$x = Sensitive('{SECRET}') + 1", {}),
    (f"$x = Sensitive('{SECRET}') fail(\"it is ${{x}} ${{x.unwrap}}\")", {}),
    (f'$x = Sensitive.new("{SECRET}") notice($x.unwrap) warning($nothing)', {}),
]


@pytest.mark.parametrize(("text", "inputs"), REFUSED)
def test_diagnostics_show_no_secret(text: str, inputs: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(text + "\n")

    assert_hidden(run("check", str(path)))
    shown = run("compile", str(path)) if "warning" not in text else run("explain", str(path), ".")
    assert "puppet-" in shown
    assert_hidden(shown)
    job = {"lang": "puppet", "file": str(path), "why": True, **inputs}
    assert_hidden(answer_line(json.dumps(job).encode()).decode())


def test_secrets_from_data_are_hidden_where_they_stand(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "hiera.yaml").write_text(
        "---\nversion: 5\nhierarchy:\n  - { name: node, path: node.yaml }\n"
        "  - { name: common, path: common.yaml }\n"
    )
    (tmp_path / "data/node.yaml").write_text(f"---\nc::p: {SECRET}\n")
    (tmp_path / "data/common.yaml").write_text(
        f"---\nc::p: {SECRET}-below\nlooked: {PART}\nlookup_options:\n"
        "  c::p: { convert_to: Sensitive }\n  looked: { convert_to: Sensitive }\n"
    )
    path = tmp_path / "site.pp"
    path.write_text(
        "class c ($p) { user { 'u': password => $p } }\ninclude c\n"
        "file { '/f': content => lookup('looked') }\n"
    )
    hiera = ("--hiera", str(tmp_path / "hiera.yaml"))

    for address in ("User[u].password", "File[/f].content", "Class[C].p"):
        for format in ("text", "json"):
            shown = run("explain", str(path), address, "--format", format, *hiera)
            assert "redacted" in shown
            assert_hidden(shown)
    where = json.loads(run("explain", str(path), "User[u].password", "--format", "json", *hiera))
    assert any(x["file"].endswith("node.yaml") and x["line"] == 2 for x in where["depends"])


@pytest.mark.parametrize(
    "inner", ["Sensitive([$a{}])", "Sensitive({{k => $a{}}})", "[Sensitive([$a{0}, $a{0}])]"]
)
def test_secrets_in_secrets_are_hidden_however_deep(inner: str, tmp_path: Path) -> None:
    """A recursion too deep, and for what is doubled one that never ended."""
    deep = " ".join(f"$a{n + 1} = {inner.format(n)}" for n in range(3000))
    manifest = tmp_path / "deep.pp"
    manifest.write_text(f"$a0 = Sensitive('{SECRET}') {deep}\nnotice($a3000) notice('{SECRET}')\n")
    printed = run("compile", str(manifest))
    assert "[redacted]" in printed
    assert_hidden(printed)
