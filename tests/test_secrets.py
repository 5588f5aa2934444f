"""Planted secrets are searched for in every output of every command, and in every file it leaves.

The catalog holds what Puppet puts into it; nothing else does.
"""

from __future__ import annotations

import base64
import json
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import VERBS, cli

SECRET = "Ge-heim \"zwei\" 'drei' $vier \\fünf"
"""A value with characters that are written in several ways."""
DATA = "aus-den-daten-geheim"
DEEP = "tief-in-einem-hash-geheim"


def forms(secret: str) -> set[str]:
    """A secret in clear, escaped and in base64."""
    data = secret.encode()
    return {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        secret.replace("\\", "\\\\").replace("'", "\\'"),
        secret.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$"),
        base64.b64encode(data).decode().rstrip("="),
        base64.urlsafe_b64encode(data).decode().rstrip("="),
        data.hex(),
    }


def leaks(text: str, *secrets: str) -> set[str]:
    return {form for secret in secrets for form in forms(secret) if form in text}


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


PLANTED = f"""class db ($password, $deep) {{
  user {{ 'u': password => $password }}
  file {{ '/deep': content => $deep }}
}}
$plain = Sensitive({quoted(SECRET)})
$encoded = String(Binary($plain.unwrap, '%s'), '%B')
include db
notify {{ 'unwrapped': message => $plain.unwrap }}
notify {{ 'inside': message => "<<${{plain.unwrap}}>>" }}
notify {{ 'encoded': message => $encoded }}
notify {{ 'quoted': message => String($plain.unwrap, '%p') }}
notify {{ 'long': message => {{ 'k' => [$plain.unwrap] }} }}
file {{ '/composed': content => Sensitive("x${{plain.unwrap}}y") }}
file {{ '/template': content => inline_epp('pw <%= $p %>', {{ 'p' => $plain }}) }}
warning("it is ${{plain.unwrap}}")
"""
OTHER = PLANTED.replace("pw <%=", "password <%=").replace("<<$", "<$") + "notify { 'more': }\n"
FAILS = PLANTED + 'fail("it was ${plain.unwrap} and ${encoded}")\n'
WRONG = PLANTED + "file { '/f': content => $plain, nonsense => $plain }\n"
SYNTAX = f"file {{ '/f': content => Sensitive({quoted(SECRET)}) mode => 1 }}\n"
HIERA = "version: 5\nhierarchy: [{ name: one, path: one.yaml }, { name: two, path: two.yaml }]\n"
ONE = f"""db::password: {DATA}
db::deep: {{ deep: {DEEP} }}
lookup_options:
  '^db::': {{ convert_to: Sensitive }}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    for name, text in {
        "a.pp": PLANTED, "b.pp": OTHER, "fails.pp": FAILS, "wrong.pp": WRONG, "syntax.pp": SYNTAX,
        "mu.pp": f"node default {{ file {{ 'a': content => Sensitive({quoted(SECRET)}) }} }}\n",
        "hiera.yaml": HIERA, "data/one.yaml": ONE, "data/two.yaml": f"db::password: {DATA}2\n",
        "a.opal": "n.x := cons((), ())\n",
        "p.toml": "format_version = 1\n[domain.ann]\nserial = 1\n",
        "a.sf": "sfConfig extends { a 1; }\n",
    }.items():  # fmt: skip
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(work)
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))
    return work


def headwater(*args: str) -> Result:
    done = CliRunner().invoke(cli, args)
    assert done.exception is None or isinstance(done.exception, SystemExit), (args, done.exception)
    return done


H = ["--hiera", "hiera.yaml"]
ADDRESSES = ["User[u].password", "User[u]", "File[/deep].content", "Notify[unwrapped].message",
             "Notify[inside].message", "Notify[encoded].message", "Notify[quoted].message",
             "Notify[long].message", "File[/composed].content", "File[/template].content",
             "Class[Db].password", "/resources", "/resources/5"]  # fmt: skip
PROGRAMS = ["a.pp", "b.pp", "fails.pp", "wrong.pp", "syntax.pp"]

COMMANDS: dict[str, list[list[str]]] = {
    "compile": [["compile", file, *H] for file in PROGRAMS]
    + [["compile", "a.pp", *H, "--diagnostics", "json"],
       ["compile", "a.pp", *H, "--format", "yaml"],
       ["compile", "mu.pp", "--engine", "paper"]],
    "check": [["check", file, *H, "--format", form] for file in PROGRAMS
              for form in ("text", "json", "sarif")],
    "explain": [["explain", "a.pp", address, *H, "--format", form] for address in ADDRESSES
                for form in ("text", "json")]
    + [["explain", "a.pp", address, *H, *more] for address in ADDRESSES[:4]
       for more in (["--confirm"], ["--why-not", "x"], ["--absent"], ["--all"],
                    ["--confirm", "--format", "json"], ["--why-not", "x", "--format", "json"])]
    + [["explain", "mu.pp", "--engine", "paper", "--slice", "File[a].content"]],
    "blame": [["blame", "a.pp", *H, "--format", form] for form in ("text", "json")],
    "impact": [["impact", f"a.pp:{line}", *H, "--format", form] for line in (5, 6, 8, 9, 13)
               for form in ("text", "json")]
    + [["impact", "data/one.yaml:1", "--of", "a.pp", *H]],
    "diff": [["diff", "a.pp", "b.pp", *H, "--format", form] for form in ("text", "json")],
    "steps": [["steps", "mu.pp"]],
    "compare": [
        ["compare", "a.pp", *H], ["compare", "a.pp", "fails.pp", *H, "--format", "json"],
        ["compare", "a.pp", *H, "--with", "x=printf '{{\"name\":\"y\"}}' {file}"],
        ["compare", "a.pp", *H, "--with", "x=cat {file}"],
    ],
    "lookup": [["lookup", key, *H, "--format", form] for key in ("db::password", "db::deep")
               for form in ("text", "json", "value")],
    "export": [["export", "--prov", "a.pp", *H], ["export", "--prov", "a.pp", "Class[Db]", *H],
               ["export", "--prov", "fails.pp", *H]],
    "whatif": [["whatif", "data/one.yaml:1=x: y", "--lang", "puppet", *H],
               ["whatif", "data/one.yaml:db::password=x", "--env", ".", *H]],
    "fleet": [["fleet", *words, "--format", form] for form in ("text", "json") for words in (
        ["compile"], ["compile"], ["check"], ["list"], ["lookup", "db::password"],
        ["lookup", "db::deep"], ["impact", "manifests/site.pp:5"], ["impact", "data/one.yaml:1"],
        *(["explain", address] for address in ADDRESSES))],
    "nodes": [["nodes"]],
    "init": [["init"]],
    "generate": [["generate", "smartfrog"]],
    "rule": [["rule"]],
    "cache": [["cache", "info"]],
    "run": [["run", "a.opal", "--store", "s.db", "--as", "ann", "--key", "ann.key"],
            ["run", "a.opal", "--store", "s.db", "--as", "ann", "--format", "json"],
            ["run", "a.opal", "--store", "s.db", "--as", "n", "--policy", "ann.key"],
            ["run", "ann.key", "--store", "s.db", "--as", "ann"],
            ["run", "a.opal", "--store", "ann.key", "--as", "ann"],
            ["run", "a.opal", "--store", "s.db", "--as", "ann", "--endorsement", "ann.key"]],
    "store": [["store", "log", "s.db", "--format", "json"], ["store", "show", "s.db"],
              ["store", "verify", "s.db"], ["store", "backup", "s.db", "copy.db"],
              ["store", "log", "ann.key"]],
    "world": [["world", "list", "--store", "s.db", "--all"],
              ["world", "list", "--store", "ann.key"]],
    "endorse": [["endorse", "--policy", "p.toml", "--as", "ann", "--key", "ann.key"],
                ["endorse", "ann.key", "--key", "ann.key"]],
    "help": [["help", "opal"]],
    "key": [["key", "show", "ann.key"], ["key", "new", "ann"], ["key", "list", "--store", "s.db"],
            ["key", "trust", "ann.pub", "--store", "s.db"], ["key", "show", "ann.pub"],
            ["key", "trust", "ann.key", "--store", "s.db"],
            ["key", "rotate", "ann.pub", "--key", "ann.key", "--store", "s.db"]],
}  # fmt: skip


def made_ready(verb: str, place: Path) -> None:
    """What a command needs beside the files: a store, or a repository with nodes."""
    if verb in ("store", "world", "key"):
        headwater("run", "a.opal", "--store", "s.db", "--as", "ann", "--key", "ann.key")
    if verb == "fleet":
        for name, text in {
            "headwater.toml": '[puppet]\nenvironment = "."\n[nodes]\nfacts = "facts"\n',
            "manifests/site.pp": FAILS.replace("fail(", "if $facts['fails'] { fail(").rstrip()
            + " }\n",
            "facts/one.json": "{}", "facts/two.json": '{"fails": true}',
        }.items():  # fmt: skip
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(text)


def test_every_command_is_searched() -> None:
    assert set(COMMANDS) == set(VERBS)


def private_key(place: Path) -> str:
    headwater("key", "new", "ann")
    lines = (place / "ann.key").read_text().splitlines()
    return lines[1]


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_no_output_of_a_command_shows_a_secret(verb: str, place: Path) -> None:
    key = private_key(place)
    made_ready(verb, place)
    secrets = [SECRET, DATA, DEEP]
    for command in COMMANDS[verb]:
        done = headwater(*command)
        catalog = verb == "compile" and done.exit_code == 0
        shown = done.stderr if catalog else done.output
        assert not leaks(shown, *secrets), (command, shown)
        assert key not in done.output, command
        assert base64.b64decode(key)[-32:].hex() not in done.output


def test_the_catalog_holds_what_puppet_puts_into_it(place: Path) -> None:
    catalog = headwater("compile", "a.pp", *H).stdout

    assert leaks(catalog, SECRET)
    assert leaks(catalog, DATA)


def test_answers_to_jobs_show_secrets_in_the_catalog_only(place: Path) -> None:
    from headwater.ask.jobs import answer_line

    for file in PROGRAMS:
        job = {"file": file, "hiera": "hiera.yaml", "why": True}
        answer = json.loads(answer_line(json.dumps(job).encode()))
        answer.pop("result", None)
        assert not leaks(json.dumps(answer, ensure_ascii=False), SECRET, DATA, DEEP)
        assert not leaks(json.dumps(answer), SECRET, DATA, DEEP)


MAY_HOLD = {
    "cache": "parsed data and manifests",
    "ann.key": "a private key",
    "s.db": "a store",
    "copy.db": "a copy of a store",
}
"""The files that may hold secrets, as docs/security.md lists them; the inputs are the user's."""


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_files_that_may_hold_secrets_are_for_their_owner_only(
    verb: str, place: Path, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        key = private_key(place)
        own = {place / "ann.key", place / "ann.pub"}
        inputs = {path for path in place.rglob("*") if path.is_file()} - own
        made_ready(verb, place)
        inputs |= {place / "manifests/site.pp"}
        for command in COMMANDS[verb]:
            headwater(*command)
    finally:
        os.umask(before)
    for path in sorted(tmp_path.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_relative_to(tmp_path / "cache"):
            assert mode == (0o700 if path.is_dir() else 0o600), path
        elif path.is_file() and path not in inputs:
            data = path.read_bytes().decode("latin-1")
            holds = leaks(data, SECRET, DATA, DEEP) or key in data
            known = any(path.name.startswith(name) for name in MAY_HOLD)
            assert not holds or known, path
            assert not known or mode == 0o600, path
