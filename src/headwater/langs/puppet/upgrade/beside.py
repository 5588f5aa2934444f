"""Files beside the manifests: facts that are gone in templates of Ruby, in data and hiera.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.langs.protocol import TextEdit
from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.legacy import brackets, instead, is_legacy, structured
from headwater.langs.puppet.upgrade.static import Wanted
from headwater.text import Source

_TAG = re.compile(r"<%(?!%)(?>(?:[^%]++|%(?!>))*)(?:%>|\Z)")
_IN_RUBY = re.compile(
    r"(?P<facts>@facts|scope\[(?P<t>['\"])(?:::)?facts(?P=t)\])"
    r"\[(?P<s>['\"])(?P<fact>[a-z]\w*+)(?P=s)\]"
    r"|(?<![\w@])@(?P<at>[a-z]\w*+)"
    r"|scope\[(?P<q>['\"])(?:::)?(?P<index>[a-z]\w*+)(?P=q)\]"
    r"|scope\.lookupvar\((?P<r>['\"])(?:::)?(?P<call>[a-z]\w*+)(?P=r)\)"
)
_IN_DATA = re.compile(
    r"%\{\s*+(?:scope\(\s*+\\?['\"]{1,2}+)?(?P<path>(?:::|facts\.)?(?P<name>[a-z]\w*+))"
    r"(?:\\?['\"]{1,2}+\s*+\))?\s*+\}"
)
_MAPPED = re.compile(
    r"\bmapped_paths['\"]?\s*+:\s*+(?:\[|-[ \t])\s*+['\"]?"
    r"(?P<path>(?:::|facts\.)?(?P<name>[a-z]\w*+))\b(?!\.)"
)
_BACKEND = re.compile(r"^[ \t{,-]*hiera3_backend\s*:", re.MULTILINE)
_VERSION = re.compile(r"^version\s*:\s*3\b|^:(?:backends|hierarchy):", re.MULTILINE)


def wanted_beside(source: Source) -> list[Wanted]:
    """The findings of one file that is no manifest."""
    if source.name.endswith(".erb"):
        return list(_in_ruby(source))
    found = list(_in_data(source))
    if source.name.endswith("hiera.yaml"):
        found += _hiera_3(source)
    return found


def _in_ruby(source: Source) -> Iterator[Wanted]:
    for tag in _TAG.finditer(source.text):
        for use in _IN_RUBY.finditer(tag[0]):
            name = use["at"] or use["index"] or use["call"] or use["fact"]
            if not is_legacy(name):
                continue
            path = structured(name)
            head = use["facts"] or ("@facts" if use["at"] else "scope['facts']")
            text = None if path is None else f"{head}{brackets(path)}"
            start = tag.start() + use.start()
            yield _legacy(source, name, start, start + len(use[0]), text)


def _in_data(source: Source) -> Iterator[Wanted]:
    uses = [_IN_DATA, _MAPPED] if source.name.endswith("hiera.yaml") else [_IN_DATA]
    for use in (found for pattern in uses for found in pattern.finditer(source.text)):
        name = use["name"]
        if is_legacy(name):
            path = structured(name)
            text = None if path is None else ".".join(map(str, ("facts", *path)))
            yield _legacy(source, name, *use.span("path"), text)


def _legacy(source: Source, name: str, start: int, end: int, text: str | None) -> Wanted:
    at = source.span(start, end)
    told = codes.LEGACY_FACT.at(at, name=name, help=f"use {instead(name)}")
    return Wanted(told, () if text is None else (TextEdit(at, text),), name)


def _hiera_3(source: Source) -> Iterator[Wanted]:
    for use in _BACKEND.finditer(source.text):
        at = source.span(use.end() - 1 - len(use[0].lstrip(" \t{,-").rstrip(":")), use.end())
        yield Wanted(codes.OLD_HIERA.at(at, what="hiera3_backend"))
    version = _VERSION.search(source.text)
    if version is not None:
        yield Wanted(codes.OLD_HIERA.at(source.span(*version.span()), what="version 3"))
