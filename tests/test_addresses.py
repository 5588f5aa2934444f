"""Addresses as people write them, and what is said about those that name nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.ask.addresses import find_value
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request
from headwater.cli.main import cli
from headwater.report import Diagnostic
from headwater.text import Source

PROGRAM = """\
class ntp($servers = ['a', 'b']) { }
class ntp::server($options = { 'x y' => 1, 'b' => { 'c' => 2 } }) { }
include ntp, ntp::server
file { '/etc/motd': content => 'hello' }
exec { 'test [ -f x ]': path => '/bin' }
exec { 'a].b': path => '/sbin' }
notify { "it's": message => 'm' }
notify { "'quoted'": message => 'q' }
notify { 'a"b': message => 'n' }
ssh_authorized_key { 'Key': user => 'root' }
"""


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    return compile_request(Request(sources=(Source("site.pp", PROGRAM),)))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("File[/etc/motd].content", "File[/etc/motd].content"),
        ("File['/etc/motd'].content", "File[/etc/motd].content"),
        ('File["/etc/motd"].content', "File[/etc/motd].content"),
        ("File[ '/etc/motd' ].content", "File[/etc/motd].content"),
        ("File['/etc/motd']['content']", "File[/etc/motd].content"),
        ('File[/etc/motd]["content"]', "File[/etc/motd].content"),
        ("File[/etc/motd][content]", "File[/etc/motd].content"),
        ("file[/etc/motd].content", "File[/etc/motd].content"),
        ("FILE[/etc/motd]", "File[/etc/motd]"),
        ("::File[/etc/motd]", "File[/etc/motd]"),
        ("ssh_authorized_key[Key].user", "Ssh_authorized_key[Key].user"),
        ("Class[ntp].servers", "Class[Ntp].servers"),
        ("class['::ntp'].servers[1]", "Class[Ntp].servers[1]"),
        ("Class[ntp::server]", "Class[Ntp::Server]"),
        ("Class[NTP::Server].options['x y']", 'Class[Ntp::Server].options["x y"]'),
        ("Class[ntp::server].options.b.c", 'Class[Ntp::Server].options["b"]["c"]'),
        ("class[main]", "Class[main]"),
        ("Class[Main]", "Class[main]"),
        ("ntp::servers", "Class[Ntp].servers"),
        ("$ntp::server::options", "Class[Ntp::Server].options"),
        ("Exec[test [ -f x ]].path", 'Exec["test [ -f x ]"].path'),
        ("Exec['test [ -f x ]']", 'Exec["test [ -f x ]"]'),
        ("Exec[a].b].path", 'Exec["a].b"].path'),
        ("Notify[it's].message", "Notify[it's].message"),
        ("Notify['it\\'s'].message", "Notify[it's].message"),
        ("Notify['quoted'].message", "Notify['quoted'].message"),
        ('Notify[a"b].message', 'Notify["a\\"b"].message'),
    ],
)
def test_an_address_is_found_however_it_is_written(
    compiled: Compiled, written: str, meant: str
) -> None:
    found = find_value(compiled, written)

    assert not isinstance(found, Diagnostic), found
    shown = compiled.language.show_address(found[0])
    assert shown == meant
    again = find_value(compiled, shown)
    assert not isinstance(again, Diagnostic)
    assert again[0] == found[0]


@pytest.mark.parametrize(
    ("written", "help"),
    [
        ("File[/etc/mtd].content", "did you mean File[/etc/motd].content?"),
        ("file['/etc/mtd'].contnt", "did you mean File[/etc/motd].content?"),
        ("File[/etc/mtd].zzzzz", "did you mean File[/etc/motd]?"),
        ("Class[npt].servers[1]", "did you mean Class[Ntp].servers[1]?"),
        ("Class[ntp].servers[7]", "Class[Ntp].servers has 2 elements, counted from 0"),
        ("Class[ntp::server].options.b.d", 'Class[Ntp::Server].options["b"] has c'),
        ("File[/etc/motd", "'File[/etc/motd' has no ] after its title"),
        ("nonsense", "'nonsense' does not begin with a reference such as File[/etc/motd]"),
        ('File["\\q"].content', '"\\q" is not a well-formed string'),
    ],
)
def test_what_is_said_of_an_address_that_names_nothing(
    compiled: Compiled, written: str, help: str
) -> None:
    found = find_value(compiled, written)

    assert isinstance(found, Diagnostic)
    assert found.code == "unknown-address"
    assert found.help == help
    assert found.at.source.text == "", "no line of the program is to blame"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def test_places_and_inputs_that_are_not_there(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_text("notify { 'a': }\n")
    other = tmp_path / "other.txt"
    other.write_text("x")

    for words, code, message in (
        (["impact", f"{site}:9999"], "no-such-line", "has 1 line: there is no line 9999"),
        (["impact", f"{site}:0"], "no-such-line", "there is no line 0"),
        (["impact", f"{site}:1:99"], "no-such-line", "has 15 characters: there is no column 99"),
        (["impact", f"{tmp_path}/no.yaml:1", "--of", str(site)], "file-unreadable", "no such file"),
        (["compile", str(site), "--set", "foo"], "puppet-bad-input", "foo is not NAME=VALUE"),
        (["compile", str(site), "--set", "=x"], "puppet-bad-input", "=x is not NAME=VALUE"),
        (["compile", str(site), "--env", "/nope"], "puppet-bad-input", "/nope cannot be read"),
        (["compile", "--env", "/nope"], "file-unreadable", "cannot read /nope"),
        (["compile", "nothere"], "file-unreadable", "cannot read nothere"),
        (["explain", "nothere", "File[x]"], "file-unreadable", "cannot read nothere"),
        (["check", "nothere"], "file-unreadable", "cannot read nothere"),
        (["diff", "main", "feature"], "file-unreadable", "headwater diff main..feature"),
        (["compare", "no.pp"], "file-unreadable", "cannot read no.pp: no such file"),
    ):
        done = run(*words)
        assert done.exit_code == 1, (words, done.output)
        assert f"[{code}]" in done.output, (words, done.output)
        assert message in done.output, (words, done.output)
        assert "notify" not in done.output, "no unrelated line is shown"

    done = run("compile", str(other))
    assert done.exit_code == 2
    assert "cannot tell the language" in done.output
    assert run("impact", f"{site}:2").exit_code == 0, "the place after the last line is one"
