"""Conditions: which branch gave the value, by what it was chosen, and which were not taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.frames import Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import matches
from headwater.langs.puppet.why.constructs import Branch, branches, decides, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, UNKNOWN, Path, Replay
from headwater.why import NOTHING, Node

# -- if and unless -------------------------------------------------------------------------------


@explains(ast.If, ast.Unless)
def _if(replay: Replay, here: Here, node: ast.If | ast.Unless, path: Path) -> Node:
    value = replay.value(here, node.test)
    if value is UNKNOWN:
        return replay.trace.operation("if", [replay.everything(here, node)])
    holds = value is not None and value is not False
    if isinstance(node, ast.Unless):
        holds = not holds
    body = node.then if holds else node.otherwise
    cause = replay.of(here, node.test)
    if not body:
        return replay.undef(cause)
    return replay.trace.guard(replay.of(here, body[-1], path), cause)


@decides(ast.If, ast.Unless)
def _decided_by_test(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    return replay.of(here, guard.node.test)


@branches(ast.If)
def _branches_of_if(guard: Guard) -> Iterator[Branch]:
    node, holds = guard.node, guard.taken
    yield Branch(node.otherwise if holds else node.then, False, FOREVER)
    yield Branch(node.then if holds else node.otherwise, True, FOREVER)


@branches(ast.Unless)
def _branches_of_unless(guard: Guard) -> Iterator[Branch]:
    node, holds = guard.node, guard.taken
    yield Branch(node.then if holds else node.otherwise, False, FOREVER)
    yield Branch(node.otherwise if holds else node.then, True, FOREVER)


# -- case and selector ---------------------------------------------------------------------------


@explains(ast.Case, ast.Selector)
def _choice(replay: Replay, here: Here, node: ast.Selector | ast.Case, path: Path) -> Node:
    """A selector, or a case as a value."""
    subject = _subject(node)
    value = replay.value(here, subject)
    causes = [replay.of(here, subject)]
    default: Any = None
    for option in node.options:
        if is_default_option(option):
            default = option
        for test in map(unwound, _tests(option)):
            if isinstance(test, ast.Default):
                continue
            causes.append(replay.of(here, test))
            pattern = replay.value(here, test)
            if value is UNKNOWN or pattern is UNKNOWN:
                return replay.trace.operation("?", [replay.everything(here, node)])
            several = pattern if isinstance(test, ast.Splat) else [pattern]
            if any(matches(value, one, None) for one in several):
                return _chosen(replay, here, option, causes, path)
    if default is None:
        return replay.undef(replay.trace.union(*causes))
    causes += _default_labels(replay, here, default)
    return _chosen(replay, here, default, causes, path)


def _chosen(
    replay: Replay, here: Here, option: ast.When | ast.Option, causes: list[Node], path: Path
) -> Node:
    union = replay.trace.union(*causes)
    body = _body(option)
    found = replay.of(here, body[-1], path) if body else replay.undef(NOTHING)
    return replay.trace.guard(found, union)


@decides(ast.Case, ast.Selector)
def _decided_by_options(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    """The subject, and the values of options that were compared with it."""
    node = guard.node
    found = [replay.of(here, _subject(node))]
    default: list[Node] = []
    for index, option in enumerate(node.options):
        if is_default_option(option) and options == FOREVER:
            default = _default_labels(replay, here, option)
        for value in _tests(option):
            if index <= options and not isinstance(value, ast.Default):
                found.append(replay.of(here, value))
        if option is guard.taken:
            return replay.trace.union(*found)
    return replay.trace.union(*found, *default)


@branches(ast.Case, ast.Selector)
def _branches_of_options(guard: Guard) -> Iterator[Branch]:
    """An option before the one taken was decided by what was looked at so far."""
    options, chosen = guard.node.options, guard.taken
    at = next((i for i, option in enumerate(options) if option is chosen), None)
    for index, option in enumerate(options):
        is_default = is_default_option(option)
        if option is chosen or (chosen is None and is_default):
            if isinstance(option, ast.When):
                yield Branch(option.body, True, FOREVER)
            continue
        known = index if at is None else min(index, at)
        yield Branch(_body(option), False, FOREVER if is_default and at is None else known)
        if is_default and at is not None and index < at:
            yield Branch(_body(option), False, at)


def _subject(node: ast.Case | ast.Selector) -> ast.Expr:
    return node.test if isinstance(node, ast.Case) else node.value


def _tests(option: ast.When | ast.Option) -> list[ast.Expr]:
    return option.values if isinstance(option, ast.When) else [option.match]


def _body(option: ast.When | ast.Option) -> list[ast.Expr]:
    return option.body if isinstance(option, ast.When) else [option.value]


def _default_labels(replay: Replay, here: Here, option: ast.When | ast.Option) -> list[Node]:
    tests = [test for test in _tests(option) if isinstance(test, ast.Default)]
    return [replay.labels.of(here.unit, test) for test in tests]


def is_default_option(option: ast.When | ast.Option) -> bool:
    """Whether an option of a case or selector is the default."""
    return any(isinstance(value, ast.Default) for value in _tests(option))
