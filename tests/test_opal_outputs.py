"""What reaches a terminal: nothing that acts, nothing that forges lines, and nothing by links.

Names, values, files and places are hostile in every command that prints them.
"""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.durable import Caller, commit_world, file_name, run_program
from headwater.ask.endorse import sign_domain, signer_of
from headwater.cli.showing import CONTINUED, folded
from headwater.langs.opal.runtime.keys import new_key
from headwater.langs.opal.runtime.policy import load_policy
from opal_cli import Headwater, Said, headwater  # noqa: F401 - a fixture

HOSTILE = [
    "\x1b[31mred",
    "two\n    9  2026-01-01T00:00:00Z  program  forged  dns: dns.x  endorsed by dns (signed)",
    "\r\x1b[2K",
    "\u202egnp.exe",
    "\x9b31m\x85\u2028\u2029",
    "zero\u200b\ufeffwidth\u00ad",
    "bell\x07\x08\x7f",
    "ann: dns.x  endorsed by dns (signed)",
    "\U000e0041\u2066",
]


def clean(said: Said) -> None:
    """Every line is printable, and none of them is forged."""
    for text in (said.out, said.err):
        for line in text.split("\n"):
            assert line.isprintable(), repr(line)
            assert not line.startswith(("    9  2026", "hash 0000")), line
    assert said.status in (0, 1, 2, 4), said


@pytest.mark.parametrize("bad", HOSTILE, ids=[f"{n}" for n in range(len(HOSTILE))])
def test_no_command_prints_what_acts_on_a_terminal(
    headwater: Headwater,  # noqa: F811
    bad: str,
) -> None:
    quoted = json.dumps(bad)
    program = f"""
    with {quoted} do {{
      handle {quoted}.x := f with [{quoted}] merging set3 in {{
        f; at {quoted} do {{ if {quoted}.x = () then {{ {quoted}.y := 1 }} else {{ skip }} }}
      }};
      u := hyp {{ {quoted}.x := {quoted} }}
    }}
    """
    file = f"{bad.replace('/', '')}.opal"
    Path(file).write_text(program)
    common = ("--ext", "--store", "state.db", "--at", bad)
    seen: dict[tuple[str, ...], Said] = {}

    def say(*words: str, text: str | None = None) -> Said:
        said = headwater(*words, text=text)
        clean(said)
        seen[words] = said
        return said

    assert say("run", file, *common, "--as", bad, "--id", "one").status == 0
    say("run", file, *common, "--as", bad, "--id", "json", "--format", "json")
    for form in ("text", "json"):
        say("run", file, *common, "--as", "ann", "--no-prompt", "--diagnostics", form)
        say("run", file, *common, "--as", bad, "--id", bad, "--diagnostics", form)
        say("run", f"none{file}", *common, "--as", bad, "--diagnostics", form)
        say("run", file, *common, "--as", "ann", "--key", file, "--diagnostics", form)
        say("run", file, *common, "--as", "ann", "--policy", file, "--diagnostics", form)
        say("run", file, *common, "--as", "ann", "--endorsement", file, "--diagnostics", form)
        say("world", "show", bad, "--store", "state.db", "--format", form)
        say("world", "show", "one.u", "--store", "state.db", "--format", form)
        say("world", "list", "--store", "state.db", "--all", "--format", form)
        say("store", "log", "state.db", "--format", form)
        say("store", "show", "state.db", "--format", form)
        say("store", "verify", "state.db", "--format", form)
        say("store", "log", f"none{bad}", "--diagnostics", form)
        say("explain", "--store", "state.db", f"{quoted}.x", "--format", form)
        say("explain", "--store", "state.db", f"{quoted}.nothing", "--diagnostics", form)
        say("key", "list", "--store", "state.db", "--format", form)
    say("run", file, *common, "--as", "ann", "--prompt", text="n\n")
    say("run", file, *common, "--as", "ann", "--id", "ask", "--request", "asked")
    say("world", "drop", bad, "--store", "state.db", "--as", bad)
    say("world", "commit", bad, "--store", "state.db", "--as", bad)
    say("world", "commit", "one.u", "--store", "state.db", "--as", "ann")
    say("world", "commit", "one.u", "--store", "state.db", "--as", bad)
    say("key", "new", bad)
    say("key", "new", "dns")
    say("key", "trust", "dns.pub", "--store", "state.db", "--as", bad)
    say("key", "trust", "dns.pub", "--store", "state.db", "--as", bad)
    say("key", "revoke", "dns.pub", "--store", "state.db", "--as", f"{bad}!", "--key", "dns.key")
    say("key", "show", file)
    for form in ("text", "json"):
        say("key", "list", "--store", "state.db", "--format", form)
        say("store", "log", "state.db", "--format", form)
    (request,) = Path("asked").iterdir()
    asked = say("endorse", str(request), "--key", "dns.key", "--as", bad, "--show-to", f"{bad}.txt")
    say("endorse", str(request), "--key", "dns.key", "--as", bad, "--yes-to", asked.hash)
    say("endorse", str(request), "--key", "dns.key", "--as", bad, "--expires", bad)
    shown = headwater("endorse", str(request), "--key", "dns.key", "--as", bad)
    clean(shown)
    assert "\n" in shown.out
    section = {"format_version": 1}
    policy = f"[domain.{quoted}]\nserial = 1\nowners = [{quoted}]\n[[domain.{quoted}.grant]]\n"
    policy += f"to = {quoted}\nwrite = [{quoted}]\nmerge = [{quoted}]\nat = [{quoted}]\n"
    Path("policy.toml").write_text(f"format_version = {section['format_version']}\n{policy}")
    say("endorse", "--policy", "policy.toml", "--key", "dns.key", "--as", bad, "--store",
        "state.db")  # fmt: skip
    say("endorse", "--policy", "policy.toml", "--key", "dns.key", "--as", f"{bad}?", "--store",
        "state.db")  # fmt: skip
    say("store", "backup", "state.db", f"{bad.replace('/', '')}.db")


def test_the_log_has_one_line_for_each_entry(headwater: Headwater) -> None:  # noqa: F811
    Path("p.opal").write_text("skip")
    for number, bad in enumerate(HOSTILE):
        done = headwater("run", "p.opal", "--store", "s.db", "--as", bad, "--id", f"r{number}")
        assert done.status == 0
    said = headwater("store", "log", "s.db")
    assert len(said.out.splitlines()) == len(HOSTILE)
    assert '"ann: dns.x  endorsed by dns (signed)": writes nothing' in said.out


# --- files ----------------------------------------------------------------------------


NO_FILES = ["", ":memory:", "file:x.db", "file:///tmp/x.db", ":x", "FILE:x",
            "file::memory:?cache=shared", "sqlite:///x.db", "a\0b"]  # fmt: skip


@pytest.mark.parametrize("name", NO_FILES)
def test_a_store_is_a_file(headwater: Headwater, name: str) -> None:  # noqa: F811
    Path("p.opal").write_text("n.x := 1")
    new_key("ann", Path("ann.key"))
    for words in (
        ("run", "p.opal", "--ext", "--store", name, "--as", "n"),
        ("key", "trust", "ann.pub", "--store", name),
        ("store", "log", name),
        ("store", "verify", name),
        ("world", "list", "--store", name),
        ("explain", "--store", name, "n.x"),
    ):
        said = headwater(*words)
        assert (said.status, "store-bad-name" in said.err) == (1, True), words
    headwater("run", "p.opal", "--ext", "--store", "good.db", "--as", "n")
    said = headwater("store", "backup", "good.db", name)
    assert "store-bad-name" in said.err
    assert sorted(p.name for p in Path(".").iterdir() if "key" not in p.name) == [
        "ann.pub", "good.db", "p.opal"]  # fmt: skip


def test_no_two_nodes_share_a_file() -> None:
    names = ["web 1", "web_1", "web%201", "web.1", "web/1", "web\n1", "web-1", "web~1", "Web_1",
             "../web", "", ".", "..", "x" * 300, "x" * 301, "ä", "a\u0308", "\udcff", "%",
             "é"]  # fmt: skip
    files = [file_name(name) for name in names]
    assert len(set(files)) == len(names)
    for file in files:
        assert len(file) < 200
        assert "/" not in file
        assert "." not in file
        assert file.isascii()
    assert file_name("dns") == "dns"


def propose(folder: Path, *nodes: str, caller: str = "ann") -> list[tuple[str, Path]]:
    text = "; ".join(f"with {json.dumps(n)} do {{ {json.dumps(n)}.x := 1 }}" for n in nodes)
    (folder / "p.opal").write_text(text)
    done = run_program(
        str(folder / "p.opal"), str(folder / "s.db"), Caller(caller), id="w", inputs={"ext": True},
        request=str(folder / "asked"),
    )  # fmt: skip
    return list(done.waiting)


def test_requests_of_several_nodes_are_all_there(tmp_path: Path) -> None:
    nodes = ["web 1", "web_1", "web.1", "web/1"]
    waiting = propose(tmp_path, *nodes)
    assert len({file for _, file in waiting}) == len(nodes)
    for node, file in waiting:
        assert json.loads(file.read_text())["node"] == node


def test_files_are_written_whole_and_never_through_links(
    tmp_path: Path,
    headwater: Headwater,  # noqa: F811
) -> None:
    treasure = tmp_path / "treasure"
    treasure.write_text("gold")
    (tmp_path / "asked").mkdir()
    for name in ("asked/w.n.request.json", "out.json", "shown.txt", "policy.toml.sig"):
        (tmp_path / name).symlink_to(treasure)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    ((_, request),) = propose(tmp_path, "n")
    assert not request.is_symlink()
    new_key("n", tmp_path / "n.key")
    said = headwater("endorse", str(request), "--key", "n.key", "--show-to", "shown.txt")
    done = headwater("endorse", str(request), "--key", "n.key", "--yes-to", said.hash, "--out",
                     "out.json")  # fmt: skip
    assert done.status == 0
    Path("policy.toml").write_text("format_version = 1\n[domain.n]\n")
    Path("policy.toml.sig").unlink()
    Path("policy.toml.sig").symlink_to("nowhere")
    policy = ("endorse", "--policy", "policy.toml", "--key", "n.key", "--store", "s.db")
    assert headwater(*policy, "--yes-to", headwater(*policy).hash).status == 0
    backup = headwater("store", "backup", "s.db", "dangling")
    assert "store-unopenable" in backup.err
    assert treasure.read_text() == "gold"
    assert not (tmp_path / "nowhere").exists()
    for name in ("out.json", "shown.txt", "policy.toml.sig"):
        assert stat.S_ISREG(os.lstat(tmp_path / name).st_mode)
    assert not list(tmp_path.rglob("*.part"))


def test_a_file_that_cannot_be_written_leaves_nothing(headwater: Headwater) -> None:  # noqa: F811
    waiting = propose(Path("."), "n")
    new_key("n", Path("n.key"))
    said = headwater("endorse", str(waiting[0][1]), "--key", "n.key")
    for target in ("no/such/folder/x.json", "asked"):
        done = headwater("endorse", str(waiting[0][1]), "--key", "n.key", "--yes-to", said.hash,
                         "--out", target)  # fmt: skip
        assert (done.status, "opal-file-unwritable" in done.err) == (1, True)
    Path("blocked").write_text("")
    Path("elsewhere").mkdir()
    Path("link").symlink_to("elsewhere")
    done = headwater("world", "commit", "w", "--store", "s.db", "--as", "ann", "--request", "link")
    assert (done.status, "opal-file-unwritable" in done.err) == (1, True)
    assert not list(Path("elsewhere").iterdir())
    done = headwater("world", "commit", "w", "--store", "s.db", "--as", "ann", "--request",
                     "blocked")  # fmt: skip
    assert (done.status, "opal-file-unwritable" in done.err) == (1, True)
    assert not list(Path(".").rglob("*.part"))


def test_owners_who_sign_a_policy_at_once_lose_no_signature(tmp_path: Path) -> None:
    owners = [f"owner{n}" for n in range(8)]
    file = tmp_path / "policy.toml"
    sections = "".join(f"[domain.{owner}]\nserial = 1\n" for owner in owners)
    file.write_text(f"format_version = 1\n{sections}")
    for owner in owners:
        new_key(owner, tmp_path / f"{owner}.key")

    def sign(owner: str) -> None:
        domain = load_policy(str(file)).domains[owner]
        sign_domain(str(file), domain, "0" * 32, signer_of(str(tmp_path / f"{owner}.key")))

    for _ in range(5):
        Path(f"{file}.sig").unlink(missing_ok=True)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(sign, owners))
        assert sorted(load_policy(str(file)).signatures) == owners


@pytest.mark.parametrize("missing", [".key", ".pub"])
def test_a_pair_of_keys_is_made_whole_or_not_at_all(tmp_path: Path, missing: str) -> None:
    file = tmp_path / "ann.key"
    new_key("ann", file)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    file.with_suffix(missing).unlink()
    with pytest.raises(Exception, match="key-exists"):
        new_key("ann", file)
    left = [p.name for p in tmp_path.iterdir()]
    assert left == [name for name in before if not name.endswith(missing)]


# --- what helps -----------------------------------------------------------------------


def test_a_read_that_is_not_granted_is_told_with_its_place(headwater: Headwater) -> None:  # noqa: F811
    new_key("dns", Path("dns.key"))
    headwater("key", "trust", "dns.pub", "--store", "s.db")
    Path("a.opal").write_text("dns.secret := 7")
    headwater("run", "a.opal", "--ext", "--store", "s.db", "--as", "dns", "--key", "dns.key")
    Path("b.opal").write_text("u := hyp {\n  with dns do { ann.x := dns.secret }\n}")
    said = headwater("run", "b.opal", "--ext", "--store", "s.db", "--as", "ann")
    assert "opal-read-not-granted" in said.err
    assert "b.opal:2:26" in said.err
    assert 'help: ask dns for read = ["ann"]' in said.err


def test_a_key_that_is_not_trusted_is_told_where_it_is_used(headwater: Headwater) -> None:  # noqa: F811
    for name in ("ann", "dns"):
        new_key(name, Path(f"{name}.key"))
    Path("p.opal").write_text("ann.x := 1")
    run = ("run", "p.opal", "--ext", "--store", "s.db", "--as", "ann", "--key")
    said = headwater(*run, "ann.key")
    assert said.status == 0
    assert "key-untrusted" in said.err
    assert "headwater key trust ann.pub" in said.err
    headwater("key", "trust", "ann.pub", "--store", "s.db")
    assert "key-untrusted" not in headwater(*run, "ann.key").err
    said = headwater(*run, "dns.key")
    assert "opal-not-authentic" in said.err
    assert "headwater key trust" in said.err
    ((_, request),) = propose(Path("."), "dns", caller="bob")
    hash = headwater("endorse", str(request), "--key", "dns.key").hash
    headwater("endorse", str(request), "--key", "dns.key", "--yes-to", hash)
    said = headwater("world", "commit", "w", "--store", "s.db", "--as", "bob", "--endorsement",
                     "asked/w.dns.endorsement.json")  # fmt: skip
    assert "opal-endorsement-unknown-key" in said.err
    assert "help: headwater key trust" in said.err


def test_worlds_show_what_they_would_replace(headwater: Headwater) -> None:  # noqa: F811
    Path("a.opal").write_text('n.list := ["ns1", "ns3"]; n.pair := ("a" . 1)')
    said = headwater("run", "a.opal", "--ext", "--store", "s.db", "--as", "n")
    assert 'n.list = ["ns1", "ns3"]\n  n.pair = ("a" . 1)' in said.out
    Path("b.opal").write_text('u := hyp { n.list := ["ns1", []]; n.new := [1, [2], ()] }')
    headwater("run", "b.opal", "--ext", "--store", "s.db", "--as", "n", "--id", "b")
    said = headwater("world", "show", "b.u", "--store", "s.db")
    assert 'n.list = ["ns1", ()]\n    was ["ns1", "ns3"]' in said.out
    assert "n.new = [1, [2], ()]\n    was nothing" in said.out
    shown: Any = json.loads(headwater("world", "show", "b.u", "--store", "s.db", "--format",
                                      "json").out)  # fmt: skip
    assert shown["stores"]["n.list"] == ["ns1", [[], []]]
    assert shown["before"] == {"n.list": ["ns1", ["ns3", []]], "n.new": None}
    said = headwater("world", "show", "nope", "--store", "s.db")
    assert (said.status, "there is no world nope" in said.err) == (1, True)
    assert "commit" not in said.err


SELVES = ["n.x := (() . n.x)", "n.x := n.x", "n.x := [1, n.x]", "n.x := ((n.y . n.x) . n.x)",
          "u := hyp { n.x := (() . n.x) }"]  # fmt: skip


@pytest.mark.parametrize("text", SELVES)
def test_a_read_of_what_is_assigned_is_warned_of(headwater: Headwater, text: str) -> None:  # noqa: F811
    Path("a.opal").write_text("n.x := 1; n.y := 1")
    Path("b.opal").write_text(
        f"with n do {{ handle n.y := g with () merging refuse in {{ {text} }} }}"
    )
    headwater("run", "a.opal", "--ext", "--store", "s.db", "--as", "n")
    for words in (("check",), ("run", "--store", "s.db", "--as", "n")):
        said = headwater(words[0], "b.opal", "--ext", *words[1:])
        assert "opal-reads-itself" in said.out + said.err
        assert "n.x is () here" in said.out + said.err
    fine = text.replace("(() . n.x)", "()").replace("n.x :=", "n.z :=").replace("n.x", "n.y")
    Path("c.opal").write_text(
        f"with n do {{ handle n.y := g with () merging refuse in {{ {fine} }} }}"
    )
    assert "opal-reads-itself" not in headwater("check", "c.opal", "--ext").out


def test_a_handle_over_a_value_of_the_store_is_warned_of_when_run(headwater: Headwater) -> None:  # noqa: F811
    text = "with n do { handle n.x := inc with (() . n.x) merging refuse in { inc; inc } }"
    Path("a.opal").write_text(text)
    assert "opal-reads-itself" not in headwater("check", "a.opal", "--ext").out
    run = ("run", "a.opal", "--ext", "--store", "s.db", "--as", "n")
    assert "opal-reads-itself" not in headwater(*run).err
    assert "opal-reads-itself" in headwater(*run).err


@pytest.mark.parametrize("merge", ["set3", "o h c to (n.h . n.c)", "hyp", "curr", "o h c to m.y"])
def test_a_commit_in_a_program_merges_as_a_later_one_does(tmp_path: Path, merge: str) -> None:
    """A merge that is kept has the permissions that the world had, wherever the commit stands."""
    found = []
    for way in ("program", "world"):
        store = str(tmp_path / f"{way}.db")

        def run(text: str, id: str, store: str = store) -> None:
            file = tmp_path / f"{id}.opal"
            file.write_text(text)
            caller = Caller("ann", prompt=lambda _: True)
            run_program(str(file), store, caller, id=id, inputs={"ext": True}, request=None)

        run("with m do { m.y := 5 }", "zero")
        handled = f"handle n.x := f with [1] merging {merge} in {{ f }}"
        run(f"with m do {{ with n do {{ {handled} }} }}", "one")
        change = "with m do { with n do { n.x := [1, 2] } }"
        if way == "program":
            run(f"w := hyp {{ {change} }}; commit w", "two")
        else:
            run(f"w := hyp {{ {change} }}", "two")
            commit_world(store, "two.w", Caller("ann", prompt=lambda _: True), request=None)
        from headwater.ask.durable import values

        found.append(values(store, None)[1]["n.x"])
    assert found[0] == found[1]


def test_a_line_that_is_too_long_for_a_terminal_begins_no_other() -> None:
    forged = '"' + " " * 200 + "hash 0000" + "日本" * 60 + '"'
    for width in (40, 80, 120):
        first, *rest = folded(forged, width)
        assert rest
        assert all(part.startswith(CONTINUED) for part in rest)
        assert first + "".join(part.removeprefix(CONTINUED) for part in rest) == forged
    assert folded(forged, None) == [forged]
    assert folded("short", 80) == ["short"]


def test_names_that_are_no_text_are_told(headwater: Headwater) -> None:  # noqa: F811
    """Bytes of the command line that are not UTF-8 reach Python as halves of pairs."""
    bad = "\udcff"
    Path("p.opal").write_text("with n do { n.x := 1 }")
    new_key("n", Path("n.key"))
    store = ("--store", "s.db")
    for words in (
        ("run", "p.opal", "--ext", *store, "--as", bad),
        ("run", "p.opal", "--ext", *store, "--as", "n", "--at", bad),
        ("key", "trust", "n.pub", *store, "--as", bad),
        ("world", "show", bad, *store),
        ("world", "commit", bad, *store, "--as", "n"),
        ("world", "drop", bad, *store, "--as", bad),
    ):
        said = headwater(*words)
        clean(said)
        assert (said.status, "store-not-text" in said.err) == (1, True), words
    ((_, request),) = propose(Path("."), "n")
    signed = ("endorse", str(request), "--key", "n.key", "--as", bad)
    clean(headwater(*signed))
    clean(headwater(*signed, "--yes-to", headwater(*signed).hash))
    clean(headwater("world", "commit", "w", *store, "--as", "ann", "--endorsement",
                    "asked/w.n.endorsement.json"))  # fmt: skip
