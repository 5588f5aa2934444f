"""No regular expression of ours takes long on any text: steps are counted, not timed."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from backtracking import Counting, TooMany, growth, possessive_groups, pumped
from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hiera.globs import _fits, files_of
from headwater.langs.puppet.syntax.tokens import master
from headwater.langs.puppet.types.rubytext import _DIGITS, _PREFIX
from headwater.text import Lexicon, Source

SOURCES = Path(__file__).parents[2] / "src"
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
SIZE = 12
MOST_TEXTS = 200
"""Texts that a pattern is tried with; of more, every second, third …"""
MADE_OF_INPUT = {
    "headwater/langs/puppet/catalog/scan.py": "the name of a type, a plain word",
    "headwater/langs/puppet/catalog/secrets.py": "texts as they are, with no repetition",
    "headwater/langs/puppet/functions/scanf.py": "one repetition, and nothing after it",
    "headwater/langs/puppet/hiera/globs.py": "tried below",
    "headwater/langs/puppet/ruby/library.py": "plain parts, one after the other",
    "headwater/langs/puppet/ruby/methods/bytes.py": "one character, or one escape of it",
    "headwater/langs/puppet/ruby/stdlib/addresses.py": "a row of zeros of a fixed length",
    "headwater/langs/puppet/ruby/stdlib/globs.py": "one character each",
    "headwater/langs/puppet/ruby/stdlib/texts.py": "one character, or one reference to it",
    "headwater/langs/puppet/ruby/literals.py": "one character after a backslash",
    "headwater/langs/puppet/syntax/tokens.py": "tried below",
    "headwater/langs/puppet/types/plain_regexps.py": "bounded beforehand; a law tries it",
    "headwater/langs/puppet/types/rubytext.py": "tried below",
    "headwater/langs/puppet/types/strptime.py": "one repetition, and nothing after it",
    "headwater/text/patterns.py": "the door of all others",
    "headwater/text/tokens.py": "the lexicons, which are found by themselves",
}
"""The modules that put patterns together at run time, and why none of those takes long."""


class Written(NamedTuple):
    """A pattern, where it is written, and how it is used."""

    place: str
    source: str
    flags: int
    ways: frozenset[str]


def _module(path: Path) -> str:
    parts = list(path.relative_to(SOURCES).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call, str | None]]:
    """Each use of a pattern: the way, the call, and the name it is kept under."""
    named = {
        id(node.value): node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="re"), attr=way) if way in METHODS | {"compile"}:
                yield way, node, named.get(id(node))
            case ast.Name(id="LatePattern"):
                yield "compile", node, named.get(id(node))


def _ways(name: str | None, own: str, everything: str) -> frozenset[str]:
    """The methods that are called on a pattern that has a name."""
    if name is None:
        return frozenset({"match"})
    text = own if name.startswith("_") else everything
    used = set(re.findall(rf"\b{name}\.({'|'.join(METHODS)})\b", text))
    if not used:  # it is handed on
        used = set(re.findall(rf"\b(?!re\.)[a-z_]+\.({'|'.join(METHODS - {'split'})})\(", own))
    return frozenset(used)


def written() -> tuple[list[Written], list[str]]:
    """Every pattern of the sources, and the places of those that are made at run time."""
    found: list[Written] = []
    made: list[str] = []
    paths = sorted(SOURCES.rglob("*.py"))
    texts = {path: path.read_text() for path in paths}
    everything = "\n".join(texts.values())
    for path, text in texts.items():
        if "re." not in text and "LatePattern" not in text:
            continue
        module = importlib.import_module(_module(path))
        for way, call, name in _calls(ast.parse(text)):
            place = f"{path.relative_to(SOURCES)}:{call.lineno}"
            try:
                source, flags = _evaluated(call, way, vars(module))
            except NameError:
                made.append(str(path.relative_to(SOURCES)))
                continue
            ways = _ways(name, text, everything) if way == "compile" else frozenset({way})
            if isinstance(source, bytes):
                source = source.decode("latin-1")
            found.append(Written(place, source, flags, ways))
        for name, value in vars(module).items():
            if isinstance(value, Lexicon):
                pattern = value._pattern
                found.append(Written(f"{place_of(path)}:{name}", pattern.pattern, pattern.flags,
                                     frozenset({"finditer"})))  # fmt: skip
    return found, made


def place_of(path: Path) -> str:
    """A path as it is shown."""
    return str(path.relative_to(SOURCES))


def _evaluated(call: ast.Call, way: str, names: dict[str, Any]) -> tuple[Any, int]:
    """The pattern and the flags of a call; `NameError` where it takes local variables."""
    wanted = [call.args[0]]
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(way, 2)
    flags = [k.value for k in call.keywords if k.arg == "flags"] or call.args[position:]
    values = [
        eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))  # noqa: S307
        for node in [*wanted, *flags[:1]]
    ]
    return values[0], int(values[1]) if len(values) > 1 else 0


FOUND, MADE = written()


def test_patterns_are_found() -> None:
    """The sources have well over a hundred; fewer means that they are no longer found."""
    assert len(FOUND) > 150


def explosive(source: str, flags: int, ways: frozenset[str]) -> list[str]:
    """The texts on which a pattern takes more than in proportion to their length."""
    bad = []
    pattern = Counting(source, flags, most=20_000)
    texts = pumped(pattern)
    texts = texts[:: len(texts) // MOST_TEXTS + 1]
    for way in sorted({w if w in ("match", "fullmatch") else "search" for w in ways}):
        for text in texts:
            try:
                once, twice = growth(pattern, text, way, SIZE)
            except TooMany:
                bad.append(f"{way} {text!r}: without end")
                continue
            if twice > 2.6 * once + 50:
                bad.append(f"{way} {text!r}: {once} steps, then {twice}")
    return bad


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.place)
def test_a_pattern_takes_steps_in_proportion_to_the_text(one: Written) -> None:
    assert explosive(one.source, one.flags, one.ways)[:5] == []


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.place)
def test_no_pattern_repeats_a_group_possessively(one: Written) -> None:
    """Python before 3.11.5 matches such patterns wrongly: write an atomic group."""
    assert not possessive_groups(one.source, one.flags)


@pytest.mark.parametrize("epp", [False, True])
def test_the_lexer_of_puppet_repeats_no_group_possessively(epp: bool) -> None:
    pattern = master(epp=epp, pending=False)
    assert not possessive_groups(pattern.pattern, pattern.flags & ~re.UNICODE)


def test_possessive_groups_are_found_out() -> None:
    assert possessive_groups(r"x(?:[^a]|b(?:cd|e)*+)")
    assert not possessive_groups(r"x(?>(?:[^a]++|b)*)[cd]?+")


def test_patterns_that_are_made_at_run_time_are_known() -> None:
    assert set(MADE) <= set(MADE_OF_INPUT)


@pytest.mark.parametrize("epp", [False, True])
@pytest.mark.parametrize("pending", [False, True])
def test_the_lexer_of_puppet_takes_steps_in_proportion_to_the_text(
    epp: bool, pending: bool
) -> None:
    pattern = master(epp=epp, pending=pending)

    assert explosive(pattern.pattern, pattern.flags, frozenset({"match"}))[:5] == []


@pytest.mark.parametrize("base", sorted(_DIGITS))
def test_integers_of_a_base_take_steps_in_proportion_to_the_text(base: int) -> None:
    digits = f"[{_DIGITS[base]}]"
    source = rf"\s*([+-]?)(?:{_PREFIX[base]}_?)?({digits}+(?:_{digits}+)*)\s*\Z"

    assert explosive(source, re.ASCII, frozenset({"match"}))[:5] == []


def test_many_stars_in_a_glob_end() -> None:
    assert not _fits("a" * 250, "*a" * 40 + "*b")
    assert _fits("a" * 250, "*a" * 40 + "*")
    assert _fits("abcbd", "a*b*d")
    assert not _fits("abcbdx", "a*b*d")
    assert _fits("ab", "a**b")


def test_many_braces_in_a_glob_are_refused() -> None:
    with pytest.raises(Problem):
        files_of("{a,b}" * 40, lambda _: None)


def test_nested_quantifiers_are_found_out() -> None:
    """The count itself: patterns that are known to be slow."""
    for source in (r"(?:(?:::)?[A-Z]\w*)+(?!::|\w)", r"(a+)+\Z", r"\s*\(?\s*:", r"a*a*b"):
        assert explosive(source, 0, frozenset({"match"}))
    assert explosive(r"\s*,", 0, frozenset({"search"}))
    assert not explosive(r"[A-Z]\w*+(?>(?:::[A-Z]\w*+)*)(?!::)", 0, frozenset({"match"}))


@pytest.mark.parametrize(
    "text",
    [
        "$x = " + "P" * 40 + "::c",
        "$x = " + "Pp" * 40 + "::",
        "$x = A" + "::A" * 400 + "::c",
        "$x = Resource['" + "P" * 40 + "-']",
        "$x = type('" + "P" * 40 + "-')",
        "$x = '" + " " * 3000 + "' + 1",
        "$x = SemVerRange('" + " " * 3000 + "')",
        "$x = Timespan('" + "1" * 60 + "x', '" + "%D" * 12 + "')",
        "$x = versioncmp('" + "0" * 20000 + "1', '1', true)",
    ],
    ids=range(9),
)
@pytest.mark.parametrize("form", ["{}", "<% {} %>"])
def test_no_text_keeps_the_compiler_busy(text: str, form: str) -> None:
    """Each of these took minutes or for ever; that it ends is the test."""
    name = "x.epp" if "%>" in form else "x.pp"
    list(language_named("puppet").check(Job((Source.of_text(name, form.format(text)),), Fields())))
