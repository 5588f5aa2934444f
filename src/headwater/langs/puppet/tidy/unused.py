"""What nothing uses: keys of data, parameters, classes, templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from headwater.langs.protocol import Finding
from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.partial import may_be
from headwater.langs.puppet.tidy.fixes import without_key
from headwater.langs.puppet.tidy.texts import Name, Texts, names_in
from headwater.report import nearest

_INCLUDING = frozenset(["include", "contain", "require", "hiera_include"])
_LOOKING = frozenset(["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"])
_RENDERING = frozenset(["template", "epp"])
_INTERPOLATED = re.compile(r"%\{\s*+(?:lookup|hiera|alias)\(\s*+['\"]([^'\"]*+)['\"]")
_QUOTED = re.compile(r"['\"]([\w:./-]++)['\"]")
_COMMENT = re.compile(r"#[^\n]*+")
_WORD = re.compile(r"[a-z_]\w*+")


# -- keys of data ----------------------------------------------------------------------------------


def unused_keys(texts: Texts) -> Iterator[Finding]:
    """Keys of data that no class has a parameter for, and that no look-up names."""
    classes = {
        node.name.lower(): [param.name for param in node.params]
        for _, node in texts.of_kind(ast.ClassDef)
    }
    looked_up = _looked_up(texts)
    known = {name[0] for name in looked_up if len(name) == 1}
    computed = [name for name in looked_up if len(name) > 1]
    for file in texts.data:
        for key in file.data.entries:
            if not isinstance(key, str) or key == "lookup_options" or key in known:
                continue
            owner, _, name = key.rpartition("::")
            anything = None in known and owner not in classes
            if anything or name in classes.get(owner, ()):
                continue
            if not any(may_be(one, key) for one in computed):
                yield _unused_key(file, key, classes)


def _looked_up(texts: Texts) -> list[Name]:
    """The keys that are looked up by name, in manifests, data, templates and Ruby."""
    found: list[Name] = []
    for _, call, function in texts.calls():
        if function in _LOOKING and call.args:
            inner = unwound(call.args[0])
            found += [(None,)] if isinstance(inner, ast.Hash) else names_in(inner)
    for file in texts.data:
        for text in _texts_in(file.data):
            found += [(key,) for key in _INTERPOLATED.findall(text)]
    for source in texts.beside():
        found += [(word,) for word in _QUOTED.findall(source.text)]
    # Of lookup('a.b') the key is a.
    first = [(n[0].partition(".")[0],) for n in found if len(n) == 1 and n[0] is not None]
    return [*found, *first]


def _unused_key(file: DataFile, key: str, classes: dict[str, list[str]]) -> Finding:
    owner, _, name = key.rpartition("::")
    meant: str | None = None
    hint = ""
    if owner in classes:
        close = nearest(name, classes[owner])
        hint = f": the class {owner} has no parameter {name}"
        meant = f"{owner}::{close}" if close else None
    elif owner:
        other = nearest(owner, classes)
        hint = f": there is no class {owner}"
        meant = f"{other}::{name}" if other is not None and name in classes[other] else None
    help = f"did you mean {meant}?" if meant else None
    at = file.span((key,), key=True)
    told = codes.UNUSED_KEY.at(at, nobody="nothing", key=key, hint=hint, help=help)
    return Finding(told, None if meant else without_key(file, key))


def _texts_in(value: object) -> Iterator[str]:
    todo = [value]
    while todo:
        at = todo.pop()
        if isinstance(at, str):
            yield at
        elif isinstance(at, Hash):
            todo.extend(at.entries.values())
        elif isinstance(at, list):
            todo.extend(at)


# -- parameters ------------------------------------------------------------------------------------


def unused_parameters(texts: Texts) -> Iterator[Finding]:
    """Parameters whose names stand nowhere but where they are declared.

    A name counts as read wherever it stands as a word: in the body, in a template or a function of
    Ruby of the module, in a class that inherits, or anywhere by its full name.
    """
    inside = {id(unit): _words(unit.source.text) for unit in texts.units}
    everywhere = set().union(*(words.keys() for words in inside.values()))
    beside: dict[str, set[str]] = {}
    for module, _, source in texts.templates:
        beside.setdefault(module, set()).update(_words(source.text))
    ruby = set().union(*(_words(source.text).keys() for source in texts.other))
    heirs = {
        node.parent.lower().removeprefix("::")
        for _, node in texts.of_kind(ast.ClassDef)
        if node.parent
    }
    for unit, node in texts.definitions():
        if unit.module in texts.foreign or node.name.lower() in heirs:
            continue
        own = _words(unit.source.text[node.start : node.end])
        module = node.name.partition("::")[0]
        for param in node.params:
            elsewhere = beside.get(module, set()) | ruby
            if own[param.name] > 1 or param.name in elsewhere or param.name in _METAPARAMETERS:
                continue
            if f"{node.name}::{param.name}" in everywhere:
                continue
            kind = "the class" if isinstance(node, ast.ClassDef) else "the define"
            at = unit.span(param)
            told = codes.UNUSED_PARAMETER.at(
                at, kind=kind, name=node.name, parameter=f"${param.name}"
            )
            yield Finding(told)


_METAPARAMETERS = frozenset(["alias", "audit", "before", "loglevel", "noop", "notify", "require",
                             "schedule", "stage", "subscribe", "tag"])  # fmt: skip


def _words(text: str) -> Counter[str]:
    """The words of a text and how often each stands there, comments left out."""
    found = Counter(_WORD.findall(_COMMENT.sub("", text)))
    found.update(name.lstrip("$:") for name in re.findall(r"\$[\w:]++", text) if "::" in name)
    return found


# -- classes and templates -------------------------------------------------------------------------


def unused_classes(texts: Texts) -> Iterator[Finding]:
    """Classes of this repository that nothing declares."""
    named: list[Name] = []
    for _, call, function in texts.calls():
        if function in _INCLUDING:
            named += [name for arg in call.args for name in names_in(arg)]
    for _, node in texts.of_kind(ast.Resource):
        if names_in(node.type) == [("class",)]:
            named += [name for body in node.bodies for name in names_in(body.title)]
    named += [(node.parent,) for _, node in texts.of_kind(ast.ClassDef) if node.parent]
    # Any text may be one of a list of names that somebody goes through.
    named += [(node.value,) for _, node in texts.of_kind(ast.String)]
    for file in texts.data:
        named += [(text,) for text in _texts_in(file.data)]
    exact = {name[0].removeprefix("::").lower() for name in named if len(name) == 1 and name[0]}
    computed = [name for name in named if len(name) > 1]
    for unit, node in texts.of_kind(ast.ClassDef):
        if unit.module in texts.foreign:
            continue
        name = node.name.lower()
        if name not in exact and not any(may_be(one, name) for one in computed):
            at = unit.source.span(node.name_start, node.name_end)
            yield Finding(codes.UNUSED_CLASS.at(at, name=node.name))


def unused_templates(texts: Texts) -> Iterator[Finding]:
    """Templates of this repository that nothing renders."""
    named = [
        name
        for _, call, function in texts.calls()
        if function in _RENDERING
        for arg in call.args
        for name in names_in(arg)
    ]
    quoted = {word for source in texts.beside() for word in _QUOTED.findall(source.text)}
    quoted |= {node.value for _, node in texts.of_kind(ast.String)}
    for module, name, source in texts.templates:
        full = f"{module}/{name}"
        if module in texts.foreign or full in quoted or any(may_be(one, full) for one in named):
            continue
        yield Finding(codes.UNUSED_TEMPLATE.at(source.span(0, 0), name=full))
