"""The folder in which executions happen: programs, data, a store, keys, requests."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from fuzz.corpus import EXAMPLES, FACTS, HIERA_TEXTS

PROGRAMS = {
    "a.sf": 'P extends { x 1; }\nsfConfig extends { a 1; b a; c extends P, { x 2; } d "é"; }\n',
    "b.sf": "sfConfig extends { a 1; }\n",
    "bad.sf": "sfConfig extends { a b; }\n",
    "a.l3": (EXAMPLES / "l3-firefighter" / "crew.l3").read_text(encoding="utf-8"),
    "b.yaml": "a: 2\nd: [1, 2]\n",
    "a.pp": "class c($x = 1) { notify { 'a': message => \"v${x}\" } }\ninclude c\n",
    "b.pp": "file { '/tmp/x': ensure => file, content => lookup('k', default_value => 'd') }\n",
    "bad.pp": "notify {",
    "a.epp": "<%- | $x = 1 | -%>\nhello <%= $x %>\n",
    "a.opal": "with n do { n.x := (() . ()) }\n",
    "bad.opal": "with n do { n.x := m.y }\n",
    "facts.json": json.dumps(FACTS),
    "facts.yaml": "os: {family: Debian}\nrole: web\n",
    "hiera.yaml": HIERA_TEXTS[0],
    "data/common.yaml": HIERA_TEXTS[1],
    "jobs": '{"id": 1, "file": "a.sf"}\n[]\n{"id": 2, "code": "a: 1", "lang": "l3"}\n',
    "empty.pp/.keep": "",
    "policy.toml": 'format_version = 1\n[domain.n]\nserial = 1\nowners = ["ann"]\n'
    '[[domain.n.grant]]\nto = "ann"\nwrite = ["n.x"]\n',
}


OFFICE = [
    "a.opal", "bad.opal", "a.sf", "a.pp", "bad.pp", "state.db", "n.key", "n.pub", "ann.key",
    "ann.pub", "policy.toml", "policy.toml.sig",
]  # fmt: skip


class Workshop:
    """A folder with a store in it; executions that change it get a copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room = folder / "room"
        self.bench = folder / "bench"
        """Where files of one execution are written, so that the room is the same for all."""
        (self.bench / "data").mkdir(parents=True)
        (self.bench / "manifests").mkdir()
        for name, text in PROGRAMS.items():
            path = self.room / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        shutil.copytree(EXAMPLES / "site", self.room / "site")
        os.environ["GIT_CEILING_DIRECTORIES"] = str(folder)
        os.chdir(self.room)
        self._make_store()
        self.statements = {
            path.name: path.read_text(encoding="utf-8")
            for path in sorted((self.room / "asked").iterdir())
        }
        self.names = sorted(
            str(path.relative_to(self.room)) for path in self.room.rglob("*") if path.is_file()
        )

    def _make_store(self) -> None:
        """A store with a commit, a world that waits, keys and what passes between people."""
        from fuzz.commands import SIGN_POLICY, agreed, call

        for command in (
            "key new n --out n.key",
            "key new ann --out ann.key",
            "key trust n.pub --store state.db",
            "key trust ann.pub --store state.db",
            "run a.opal --store state.db --as n --key n.key --ext --id first",
            "run a.opal --store state.db --as ann --key ann.key --ext --id second --request asked",
        ):
            call(command.split())
        (asked,) = (self.room / "asked").iterdir()
        for sign in (SIGN_POLICY, f"endorse {asked} --key n.key --out asked/signed.json"):
            status = call(agreed(sign).split())
            assert status == 0, sign
        shutil.copy(self.room / "policy.toml.sig", self.room / "asked" / "policy.toml.sig")

    def copy(self) -> Path:
        """A room that may be spoilt: the store, what passes between people, and programs."""
        spare = self.folder / "spare"
        shutil.rmtree(spare, ignore_errors=True)
        shutil.copytree(self.room / "asked", spare / "asked")
        shutil.copytree(self.room / "site", spare / "site")
        for name in OFFICE:
            shutil.copy(self.room / name, spare / name)
        return spare
