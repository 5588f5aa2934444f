"""Edits of whole trees of files: manifests, modules, data, hiera.yaml, templates, facts.

A tree is a text of sections, ``-- path --`` before each file.  ``manifests/site.pp`` is compiled
in the environment that the tree is, with other manifests there; ``facts.json`` has the facts,
``classes.yaml`` the classes of a classifier, ``trusted.yaml`` the trusted data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.adapter import compile_job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hiera import config as hiera_config
from headwater.langs.puppet.hiera import data as data_files
from headwater.text import Source
from headwater.tree import Address
from headwater.why import Label, depends
from laws.puppet_edits import literals, outputs

Tree = dict[str, str]
_GIVEN = {"facts": "facts.json", "classes_file": "classes.yaml", "trusted_file": "trusted.yaml"}
_SECTION = re.compile(r"^-- ((?:[+-] )?\S+) --\n", re.MULTILINE)


def tree_of(text: str) -> Tree:
    """The files in a text of sections; what stands before the first is the manifest."""
    first, *rest = _SECTION.split(text)
    tree = {"manifests/site.pp": first} if first.strip() else {}
    return tree | dict(zip(rest[::2], rest[1::2], strict=True))


@dataclass(frozen=True)
class Edit:
    """A change of one file: a stretch of text replaced, or a file made (None: or deleted)."""

    path: str
    start: int = 0
    end: int = 0
    new: str | None = None
    whole: bool = False
    """Whether the file itself comes or goes."""
    entry: tuple[int, int] | None = None
    """The entry that goes with a key that is replaced."""
    exact: bool = False
    """Whether it replaces a literal of a program, which has a label of its own."""

    def applied(self, tree: Tree) -> Tree:
        """The tree after the change."""
        if not self.whole:
            old = tree[self.path]
            return {**tree, self.path: old[: self.start] + (self.new or "") + old[self.end :]}
        rest = {path: text for path, text in tree.items() if path != self.path}
        return rest if self.new is None else {**rest, self.path: self.new}


def taken_apart(text: str) -> tuple[Tree, Edit]:
    """The tree of an example, and its edit: ‹old→new›, ``-- + path --`` or ``-- - path --``."""
    tree, edit = {}, None
    for path, body in tree_of(text).items():
        if path.startswith("+ "):
            edit = Edit(path[2:], new=body, whole=True)
        elif path.startswith("- "):
            edit = Edit(path[2:], whole=True)
        elif "‹" in body:
            before, _, rest = body.partition("‹")
            old, new = rest.partition("›")[0].split("→")
            tree[path] = before + old + rest.partition("›")[2]
            start, end = len(before), len(before) + len(old)
            exact = path.endswith(".pp") and _is_literal(tree[path], start, end)
            edit = Edit(path, start, end, new, exact=exact)
        else:
            tree[path] = body
    assert edit is not None, text
    return tree, edit


def _is_literal(text: str, start: int, end: int) -> bool:
    return any((s, e) == (start, end) for s, e, _ in literals(text))


def examples_in(file: Path) -> dict[str, str]:
    """The examples of a file by their names, each after a line ``==== name``."""
    _, *parts = re.split(r"^==== (.+)\n", file.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


class Folder:
    """A folder that a tree is written to, file by file as they change."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self._there: Tree = {}

    def write(self, tree: Tree) -> None:
        """Makes the folder hold this tree; what was read of it before is forgotten."""
        for path in self._there.keys() - tree.keys():
            (self.at / path).unlink()
        for path, text in tree.items():
            if self._there.get(path) != text:
                (self.at / path).parent.mkdir(parents=True, exist_ok=True)
                (self.at / path).write_text(text)
        self._there = dict(tree)
        data_files._FILES.clear()
        hiera_config._CONFIGS.clear()

    def compiled(self, tree: Tree, **inputs: Any) -> Outcome:  # noqa: ANN401
        """The outcome of a tree."""
        self.write(tree)
        given: dict[str, Any] = {"env": str(self.at), "node": "n1", "puppet": 7, **inputs}
        for name, path in _GIVEN.items():
            if path in tree:
                given[name] = str(self.at / path)
        sites = sorted(path for path in tree if path.startswith("manifests/"))
        sources = tuple(Source(str(self.at / path), tree[path]) for path in sites)
        return compile_job(Job(sources, Fields(**given)))


@dataclass
class Run:
    """The first run of a tree, with the labels that each output depends on."""

    outputs: dict[Address, Any]
    depends: dict[Address, list[Label]]
    output: list[Label]


def run(folder: Folder, tree: Tree, **inputs: Any) -> Run | None:  # noqa: ANN401
    """The first run of a tree; None if it is refused."""
    outcome = folder.compiled(tree, **inputs)
    if outcome.result is None:
        return None
    causes = outcome.causes
    assert causes is not None
    found = outputs(outcome)
    known = {a: depends(causes.trace, causes.of(a)) for a in found}
    return Run(found, known, depends(causes.trace, causes.output()))


def touched(labels: Iterable[Label], folder: Folder, tree: Tree, edit: Edit) -> bool:
    """Whether one of the labels speaks of what an edit changes."""
    path = str(folder.at / edit.path)
    return any(_speaks_of(label, path, tree, edit) for label in labels)


def _speaks_of(label: Label, path: str, tree: Tree, edit: Edit) -> bool:
    name, at = label.at.source.name, label.at
    if edit.whole and edit.new is not None and label.kind == "miss":
        # A file that comes is missed by its name, or by a pattern that it matches.
        return name == path or (_is_pattern(name) and _pattern(name).fullmatch(path) is not None)
    if name != path:
        return False
    if edit.whole:
        return True
    if label.kind == "miss":
        return _mentions(label.text, edit.new)
    if at.start == at.end:  # a file as a whole, or something that is not in it
        return (label.kind, label.text) == ("fact", "facts") or (
            label.kind == "file" or _mentions(label.text, edit.new)
        )
    start, end = edit.entry or (edit.start, edit.end)
    if edit.exact:
        return (at.start, at.end) == (start, end)
    if start < end:
        return at.start < end and start < at.end
    return at.start <= end and start <= at.end


def _mentions(missed: str, new: str | None) -> bool:
    """Whether a text has the last name of something that was missed."""
    names = re.findall(r"[\w:]+", missed)
    return new is not None and bool(names) and names[-1] in new


def _is_pattern(name: str) -> bool:
    return "*" in name or "?" in name or "{" in name or "[" in name


def _pattern(glob: str) -> re.Pattern[str]:
    """A glob of Ruby as a regular expression, for the globs that are used here."""
    parts = re.split(r"(\*\*/|\*|\?|\{[^}]*\})", glob)
    text = ""
    for part in parts:
        if part == "**/":
            text += "(?:.*/)?"
        elif part in ("*", "?"):
            text += "[^/]*" if part == "*" else "[^/]"
        elif part.startswith("{"):
            text += "(?:" + "|".join(re.escape(p) for p in part[1:-1].split(",")) + ")"
        else:
            text += re.escape(part)
    return re.compile(text)


def unexplained(
    first: Run, after: Outcome, folder: Folder, tree: Tree, edit: Edit
) -> Iterator[tuple[str, Address]]:
    """Outputs that an edit changed although nothing that they depend on speaks of it."""
    if after.result is None:
        return
    now: Mapping[Address, Any] = outputs(after)
    for address, value in first.outputs.items():
        gone = address not in now
        if not gone and repr(now[address]) == repr(value):
            continue
        if not touched(first.depends[address], folder, tree, edit):
            yield "gone" if gone else "changed", address
    if now.keys() != first.outputs.keys() and not touched(first.output, folder, tree, edit):
        yield "set", ()
