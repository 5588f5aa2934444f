"""Types of Debian's modules: their parameters, keys and titles are those that Puppet knows."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.adapter import LateCauses
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.scan import scan
from headwater.langs.puppet.fields import Fields
from headwater.text import Source
from laws.profile import examples
from peers.catalogs import Oracle, difference, ours
from peers.corpus import MODULES
from peers.puppet import ABSENT, installed

TITLES = ("a", "a::b", "a@b", "a@b@c", "a/b", "/a/b", "a:b", "a b", "a:/x", "@", "", "a::b@c::d")


@functools.cache
def known() -> list[Any]:
    """What real Puppet knows of each type."""
    if not installed() or not MODULES.is_dir():
        pytest.skip(ABSENT)
    script = Path(__file__).with_name("puppet_types.rb")
    done = subprocess.run(
        ["ruby", str(script), str(MODULES)], capture_output=True, text=True, check=True
    )
    return [row for row in map(json.loads, done.stdout.splitlines()) if row[2] is not None]


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    return Oracle("--modulepath", str(MODULES))


def run(name: str) -> TypeInfo:
    """A type as it is known after a resource of it was declared."""
    job = Job(
        (Source.of_text("a.pp", f"{name} {{ 'a@b': }}\n"),),
        Fields(modulepath=str(MODULES), puppet=7),
    )
    outcome = language_named("puppet").compile(job)
    assert isinstance(outcome.causes, LateCauses), outcome.errors
    found = outcome.causes.compilation.services.types.resource(name)[1]
    assert isinstance(found, TypeInfo)
    return found


@pytest.mark.peer
def test_parameters_and_keys_are_those_of_puppet() -> None:
    rows = known()
    ran = []
    for file, name, parameters, keys, isomorphic, _ in rows:
        info = scan(file, name)
        assert info is not None, file
        if info.open or info.unread:
            info = run(name)
            ran.append(name)
        assert not info.open, name
        assert info.parameters | {"name"} == {*parameters, "name"}, name
        assert sorted(info.keys) == keys, name
        assert info.isomorphic == isomorphic, name
    assert len(rows) > 150
    assert len(ran) > 8


def programs() -> list[str]:
    """A resource of each type by titles, and with each key by hand."""
    found = []
    for _, name, _, keys, _, patterns in known():
        odd = len(keys) > 1 or len(patterns) > 1
        titles = TITLES if odd else TITLES[:3]
        given = ["", *(f"{key} => 'x@y', " for key in keys)]
        found += [f"{name} {{ '{title}': {one}}}\n" for title in titles for one in given]
        found += [f"{name} {{ 'a': }}\n{name} {{ 'b': {key} => 'a' }}\n" for key in keys]
    return found


@pytest.mark.peer
def test_titles_and_keys_by_hand_give_what_they_give_in_puppet() -> None:
    every = programs()
    wanted = examples(60, len(every))
    for code in every[:: max(1, len(every) // wanted)]:
        real = oracle().ask(code=code, filename="code.pp")
        if not real["ok"] and "Could not autoload" in real["error"]["message"]:
            continue  # this Puppet does not find a file that only lies on an agent's path
        assert difference(real, ours(code, modulepath=str(MODULES))) is None, code
