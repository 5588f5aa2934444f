"""Trees of files in which constructs of Puppet meet: one inside the other, or one after it.

A `Piece` is a construct as text (``puppet_pieces.txt``): ``<v>`` stands for a value it is given,
``<s>`` for statements inside it, ``<i>`` for a number that keeps its names apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from laws.puppet_trees import Tree, examples_in, tree_of

WORDS = ("'u'", "'w'", "'b'", "'a'", "1")


class Piece(NamedTuple):
    """A construct: statements, the value it gives, definitions, and files."""

    name: str
    body: str
    value: str
    before: str
    files: Mapping[str, str]


def _piece(name: str, text: str) -> Piece:
    parts = tree_of(text)
    before, value = parts.pop("before", ""), parts.pop("value", "<v>").rstrip("\n")
    around = "" if "<s>" in before else "<s>"
    return Piece(name, parts.pop("manifests/site.pp", around), value, before, parts)


_FILE = Path(__file__).parents[1] / "puppet_pieces.txt"
PIECES = [_piece(name, text) for name, text in examples_in(_FILE).items()]

BASE = {
    "hiera.yaml": """version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: role, path: "roles/%{facts.role}.yaml" }
  - { name: globs, glob: "x/*.yaml" }
  - { name: function, lookup_key: dfun, options: { o: w } }
  - { name: common, paths: [more.yaml, own1.yaml, own2.yaml, own3.yaml, common.yaml] }
""",
    "data/roles/web.yaml": "h: { a: u }\nclasses: [hc]\n",
    "data/roles/db.yaml": "k: db\ncp1::p: b\n",
    "data/x/b.yaml": "k: u\nlist: [w]\n",
    "data/common.yaml": "k: w\nh: { a: w, b: b }\nlist: [u, b]\n"
    "ik: \"%{facts.role} %{lookup('k')}\"\n"
    "cp2::p: u\ncr1::k: c\nclasses: [hd]\nlookup_options: { list: { merge: unique } }\n",
    "modules/nothing/manifests/init.pp": "class nothing { }\n",
    "functions/dfun.pp": "function dfun($key, $options, $context) {\n"
    "  if $key == 'fk' { \"${options['o']} u\" } else { $context.not_found }\n}\n",
    "facts.json": '{ "role": "web", "os": { "family": "u", "name": "b" }, "n": 2, '
    '"tags": ["t1", "t2"] }\n',
}


def meeting(pieces: list[Piece], random: Random) -> Tree:
    """A tree of files in which constructs meet: each is inside the next, or comes before it."""
    files = dict(BASE)
    before = body = ""
    statements, value = "notify { 'deep': message => 'w' }", random.choice(WORDS)
    for index, piece in enumerate(pieces, 1):
        if random.random() < 0.2:
            value = random.choice(WORDS)
        nested = index > 1 and random.random() < 0.5
        inside = body if nested else statements
        own = _filled(piece.body, index, value, inside)
        before += _filled(piece.before, index, value, inside)
        body = own if nested else f"{body}\n{own}"
        value = f"({_filled(piece.value, index, value, statements)})"
        statements = f"notify {{ 'in{index}': message => {value} }}"
        for path, text in piece.files.items():
            _add(files, _filled(path, index, ""), _filled(text, index, ""))
    files["manifests/site.pp"] = f"{before}{body}\nnotify {{ 'out': message => {value} }}\n"
    return files


def _add(files: Tree, path: str, text: str) -> None:
    """Files of two constructs are put together; the same text is there once."""
    old = files.get(path, "")
    if text not in old:
        files[path] = old + text


def _filled(text: str, index: int, value: str, statements: str = "") -> str:
    given = {"i": str(index), "v": value, "s": statements}
    return re.sub("<([ivs])>", lambda hit: given[hit[1]], text)
