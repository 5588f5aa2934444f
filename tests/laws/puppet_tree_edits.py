"""Edits of every piece of a tree: literals, names of classes, data, levels, templates, facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source
from laws.puppet_edits import VALUES, literals
from laws.puppet_trees import Edit, Tree

_ENTRY = re.compile(r"^ *([\w:]+): (.+)$", re.MULTILINE)
_SCALAR = re.compile(r"(?<=[:\[,] )(\"[^\"]*\"|[\w./*%{}-]+)(?=[,\]}\n ])")
_WORD = re.compile(r"[A-Za-z0-9]+")
_RUBY = re.compile(r"'[^']*'|\"[^\"]*\"|\b\d+\b")
_JSON = re.compile(r'"[^"]*"|\b\d+\b')
_VALUES = ("u", "w", "b", "a", "web", "db", "1", "true", "[u, a]", "{ a: b }")
_KEYS = ("k", "h", "list", "nix", "ik", "fk", "cp1::p", "cp2::p", "cr1::k", "cr2::k", "hd::p",
         "hc::p", "classes")  # fmt: skip
_LEVELS = (
    '  - { name: new, path: "roles/db.yaml" }\n', '  - { name: new, path: "common.yaml" }\n',
    '  - { name: new, glob: "roles/*.yaml" }\n',
)  # fmt: skip
_FILES = {
    "data/x/a.yaml": "k: new\ncp1::p: new\n", "data/x/c.yaml": "list: [new]\nnix: new\n",
    "data/more.yaml": "k: more\ncp1::p: more\nik: more\nnix: more\n",
    "modules/m/files/first": "first\n", "modules/m/hiera.yaml": "version: 5\n",
}  # fmt: skip


def edits_of(tree: Tree, random: Random) -> list[Edit]:
    """One edit of each piece of a tree."""
    found: list[Edit] = []
    for path, text in tree.items():
        if path.endswith(".pp"):
            found += _of_manifest(path, text, random, _words(tree))
        elif path.endswith("hiera.yaml"):
            found += _of_hierarchy(path, text, random)
        elif path.endswith(".yaml"):
            found += _of_data(path, text, random)
        elif path.endswith(".json"):
            found += _of_facts(path, text, random)
        elif path.endswith(".rb"):
            found += [_changed(path, hit, "'w'") for hit in _RUBY.finditer(text)]
        else:
            found += _of_template(path, text, random)
        if path.startswith(("data/", "hiera")):
            found.append(Edit(path, whole=True))
    found += [Edit(path, new=text, whole=True) for path, text in _FILES.items() if path not in tree]
    return found


def kind_of(edit: Edit) -> str:
    """What an edit is an edit of, for those who count."""
    path = edit.path
    if edit.whole:
        return "file deleted" if edit.new is None else "file added"
    if path.endswith(".pp"):
        if "functions/" in path:
            return "body of a function"
        if edit.new == "nothing":
            return "class that is declared no more"
        return "literal" if edit.exact else "literal removed, with its entry or attribute"
    if path.endswith("hiera.yaml"):
        return "hiera.yaml"
    if path.endswith(".yaml"):
        return "entry of data" if edit.entry else "value or new entry of data"
    if path.endswith(".json"):
        return "fact"
    return "function in Ruby" if path.endswith(".rb") else "line of a template or file"


def _changed(path: str, hit: re.Match[str], new: str) -> Edit:
    return Edit(path, hit.start(), hit.end(), new)


def _words(tree: Tree) -> list[str]:
    """The literals that stand in manifests: a changed one may be like any other."""
    found = {"'nix'", "true", "undef", "2"}
    for path, text in tree.items():
        if path.endswith(".pp"):
            found |= {text[s:e] for s, e, inside in literals(text) if not inside}
    return sorted(found)


def _of_manifest(path: str, text: str, random: Random, words: list[str]) -> Iterator[Edit]:
    for start, end, inside in literals(text):
        old = text[start:end]
        pool = ["s", "u", "b"] if inside else words
        new = random.choice([word for word in pool if word != old])
        yield Edit(path, start, end, new, exact=True)
    for start, end in _removable(text):
        yield Edit(path, start, end, "")
    for start, end in _included(text):
        yield Edit(path, start, end, "nothing")


_SEPARATOR = re.compile(r"\s*[,;]")


def _removable(text: str) -> Iterator[tuple[int, int]]:
    """Literals in lists, entries with a literal key and attributes with a literal value.

    Each goes with the comma after it.
    """
    todo: list[object] = [*parse(Source("law.pp", text)).program.body]
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.Record):
            continue
        todo += ast.children(node)
        gone: list[Any] = []
        match node:
            case ast.Array(items=items):
                gone = [one for one in items if isinstance(one, VALUES)]
            case ast.Hash(entries=entries):
                gone = [one for one in entries if isinstance(one.key, VALUES)]
            case ast.Attribute(value=value) if isinstance(value, VALUES):
                gone = [node]
        for one in gone:
            after = _SEPARATOR.match(text, one.end)
            yield one.start, one.end if after is None else after.end()


def _included(text: str) -> Iterator[tuple[int, int]]:
    """The names of classes that are included; one that does nothing may stand there."""
    todo = list(parse(Source("law.pp", text)).program.body)
    while todo:
        node = todo.pop()
        match node:
            case ast.Call(function=ast.Name(value="include" | "contain" | "require"), args=args):
                yield from ((arg.start, arg.end) for arg in args if isinstance(arg, ast.Name))
        if isinstance(node, ast.Record):
            todo += ast.children(node)


def _of_hierarchy(path: str, text: str, random: Random) -> Iterator[Edit]:
    """Each scalar becomes another of them; levels come, go and change places."""
    scalars = [hit[0] for hit in _SCALAR.finditer(text)]
    for hit in _SCALAR.finditer(text):
        yield _changed(path, hit, random.choice([s for s in scalars if s != hit[0]]))
    for hit in re.finditer(r"^  - .*\n", text, re.MULTILINE):
        yield _changed(path, hit, "")
        yield Edit(path, hit.start(), hit.start(), random.choice(_LEVELS))
    yield Edit(path, len(text), len(text), random.choice(_LEVELS))


def _of_data(path: str, text: str, random: Random) -> Iterator[Edit]:
    """Values, scalars in them and keys become others; entries come and go."""
    free = [key for key in _KEYS if f"{key}:" not in text]
    for hit in _ENTRY.finditer(text):
        entry = hit.span()
        yield Edit(path, *hit.span(2), random.choice(_VALUES), entry=entry)
        yield Edit(path, *hit.span(1), random.choice(free), entry=entry)
        yield Edit(path, *entry, "", entry=entry)
    for hit in _SCALAR.finditer(text):
        yield _changed(path, hit, random.choice(_VALUES[:5]))
    yield Edit(path, len(text), len(text), f"{random.choice(free)}: {random.choice(_VALUES)}\n")


def _of_facts(path: str, text: str, random: Random) -> Iterator[Edit]:
    for hit in _JSON.finditer(text):
        is_key = text[hit.end() : hit.end() + 1] == ":"
        end = re.compile(r"[,}]|\Z").search(text, hit.end()) if is_key else None
        entry = None if end is None else (hit.start(), end.start())
        new = random.choice(['"nix"', '"db"', '"u"', '"w"'])
        yield Edit(path, *hit.span(), new, entry=entry)


def _of_template(path: str, text: str, random: Random) -> Iterator[Edit]:
    """Words of each line become others; lines come and go."""
    for hit in re.finditer(r"^.*\n", text, re.MULTILINE):
        word = _WORD.search(hit[0])
        if word is not None:
            start = hit.start() + word.start()
            yield Edit(path, start, start + len(word[0]), random.choice(["new", "u", "b"]))
        yield _changed(path, hit, "")
        yield Edit(path, hit.start(), hit.start(), "a line\n")
