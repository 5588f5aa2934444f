"""Law: a node whose compilation read nothing that an edit changes compiles to the same after it.

Edits of every file of a control repository, lines changed, doubled and taken away, files deleted
and files added where something looks for one; nothing on disk changes.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from headwater.fleet.identity import Identities, first_difference
from headwater.fleet.sides import Side
from headwater.langs import language_named
from headwater.text.reading import files_under
from headwater.text.reads import Reads, noting
from headwater.text.standin import Edits
from headwater.tree.json import plain
from laws.profile import examples

CONTROL = str(Path(__file__).parent.parent.parent / "examples" / "control")
NODES = ("web1.example.com", "db1.example.com", "bastion1.example.com")
EDITS = examples(160, 8000)

NEW_FILES = {
    "modules/profile/manifests/base.pp": "class profile::base { notify { 'shadow': } }\n",
    "modules/role/manifests/bastion.pp": "class role::bastion { notify { 'shadow': } }\n",
    "site/ntp/manifests/init.pp": "class ntp { }\n",
    "data/os/RedHat-8.yaml": "ntp::service: other\n",
    "data/os/Ubuntu.yaml": "ntp::service: other\n",
    "data/nodes/bastion1.example.com.yaml": "ntp::servers: [added]\n",
    "functions/directives.pp": "function directives() { [] }\n",
    "lib/puppet/functions/lookup.rb": "Puppet::Functions.create_function(:lookup) { }\n",
    "modules/apache/functions/directives.pp": "function apache::directives(*$x) { ['added'] }\n",
    "modules/users/hiera.yaml": "version: 5\nhierarchy: [{name: x, path: common.yaml}]\n",
    "modules/users/data/common.yaml": "users::accounts: {added: {}}\n",
    "modules/ntp/lib/puppet/functions/added.rb": "Puppet::Functions.create_function(:added) { }\n",
    "modules/zebra/manifests/init.pp": "class zebra { }\n",
    "manifests/another.pp": "notify { 'another': }\n",
    "README.txt": "nothing\n",
}


def request(node: str) -> Request:
    facts = os.path.join(CONTROL, "facts", f"{node}.json")
    return Request((CONTROL,), lang="puppet", inputs={"node": node, "facts_file": facts})


def answer(node: str) -> object:
    """What a node compiles to, or why it does not."""
    outcome = compile_request(request(node)).outcome
    if outcome.result is None:
        return [(one.code, one.message) for one in outcome.errors]
    return plain(outcome.result.get(()))


def edit(chance: random.Random, files: list[str]) -> dict[str, bytes | None]:
    """An edit of one file."""
    kind = chance.choice(["line", "line", "line", "word", "word", "double", "delete", "add"])
    if kind == "add":
        name = chance.choice([*NEW_FILES])
        return {os.path.join(CONTROL, name): NEW_FILES[name].encode()}
    path = chance.choice(files)
    if kind == "delete":
        return {path: None}
    lines = Path(path).read_text().split("\n")
    at = chance.randrange(len(lines))
    if kind == "line":
        del lines[at]
    elif kind == "double":
        lines.insert(at, lines[at])
    else:
        words = lines[at].split(" ")
        words[chance.randrange(len(words))] += chance.choice(["1", "x", "'", ":", ""])
        lines[at] = " ".join(words)
    return {path: "\n".join(lines).encode()}


@pytest.mark.parametrize("seed", range(4))
def test_incremental_equals_full(seed: int) -> None:
    chance = random.Random(f"fleet {seed}")
    files = files_under(CONTROL, lambda _: True)
    language = language_named("puppet")
    here = Side("here")
    known = Identities(here, language)
    before: dict[str, tuple[object, Reads]] = {}
    for node in NODES:
        reads = Reads()
        with noting(reads):
            before[node] = (answer(node), reads)
    seen: Counter[str] = Counter()
    for _ in range(EDITS // 4):
        edits = edit(chance, files)
        there = Side("there", Edits(edits))
        changed = Identities(there, language)
        for node, (result, reads) in before.items():
            touched = first_difference(reads, known, changed)
            with there.here():
                same = answer(node) == result
            seen[f"{'touched' if touched else 'proved'}, {'same' if same else 'different'}"] += 1
            assert touched or same, (node, edits)
    assert seen["proved, same"] > EDITS // 40
    assert seen["touched, different"] > EDITS // 40
