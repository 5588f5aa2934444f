"""Jumps: which bodies ``next``, ``break`` and ``return`` leave, and what they keep from running.

``next`` leaves one turn of a lambda, ``break`` all its turns, ``return`` the body of the function,
class or define that it stands in, and the lambdas on the way there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Set
from functools import partial
from typing import Any

from headwater.langs.puppet.record.frames import Entered, Frame, Guard, Scope
from headwater.langs.puppet.syntax import ast

JUMPS = frozenset(["break", "next", "return"])
_OUT_OF_LAMBDAS = frozenset(["return"])
_ENDING = frozenset(["break", "return"])
"""Jumps after which a lambda gets no further turn."""


def escaping(guard: Guard, kinds: Set[str]) -> Set[str]:
    """The jumps in a branch that leave the frame of its decision: not those of a lambda in it."""
    return kinds & _OUT_OF_LAMBDAS if isinstance(guard.node, ast.Call | ast.Method) else kinds


def left_by(guard: Guard, kinds: Set[str]) -> Iterator[Hashable]:
    """What jumps in a branch leave: frames, and the turns of a lambda that come after."""
    frame: Frame | None = guard.frame
    kinds = escaping(guard, kinds)
    while kinds and frame is not None:
        yield id(frame)
        if _is_body(frame):
            return
        if kinds & _ENDING:
            yield _turns(frame)
        kinds, frame = kinds & _OUT_OF_LAMBDAS, frame.up


def around(frame: Frame) -> Iterator[Hashable]:
    """What a piece of program in a frame would not run in, had a jump left it before."""
    at: Frame | None = frame
    while at is not None:
        yield id(at)
        if isinstance(at, Scope):
            return
        if isinstance(at.origin, Entered):
            at = at.origin.frame
        else:
            yield _turns(at)
            at = at.up


def skipped(guard: Guard, kinds: Set[str]) -> Iterator[tuple[Frame, list[Any]]]:
    """The statements that jumps in a branch keep from running, by the frames they run in."""
    frame: Frame | None = guard.frame
    kinds, node = escaping(guard, kinds), guard.node
    while kinds and frame is not None:
        body = _body_of(frame, guard)
        is_lambda = not _is_body(frame)
        rest = guard.unit.once("following", node, partial(following, body, node))
        yield frame, body if is_lambda and kinds & _ENDING else rest
        if not is_lambda or frame.origin is None:
            return
        kinds, node, frame = kinds & _OUT_OF_LAMBDAS, frame.origin.node, frame.up


def following(body: list[Any], node: object) -> list[Any]:
    """What runs after a node in a body; all of it, if the node is not there."""
    way = _way(body, node)
    if way is None:
        return body
    return [one for siblings, index in way for one in siblings[index + 1 :]]


def _way(body: list[Any], node: object) -> list[tuple[list[Any], int]] | None:
    """The lists of siblings that lead to a node, each with the index in it."""
    for index, one in enumerate(body):
        if one is node:
            return [(body, index)]
        if not isinstance(one, ast.Record):
            continue
        for inner in _rows(one):
            found = _way(inner, node)
            if found is not None:
                return [*found, (body, index)]
    return None


def _rows(node: object) -> list[list[Any]]:
    """The nodes below one, in rows that run one after the other; branches come first."""
    whole = list(ast.children(node))
    match node:
        case ast.If(then=then, otherwise=otherwise) | ast.Unless(then=then, otherwise=otherwise):
            return [then, otherwise, whole]
        case ast.Case(options=options):
            return [*([option] for option in options), whole]
        case ast.When(body=body):
            return [body, whole]
    return [whole]


def _is_body(frame: Frame) -> bool:
    """Whether a frame is that of a class, define, node, function or template: no lambda."""
    return isinstance(frame, Scope) or isinstance(frame.origin, Entered)


def _turns(frame: Frame) -> Hashable:
    """All turns of the lambda that a frame is one of."""
    return (id(frame.up), id(getattr(frame.origin, "node", None)))


def _body_of(frame: Frame, guard: Guard) -> list[Any]:
    if isinstance(frame, Scope):
        body = frame.source.body
        return body if _way(body, guard.node) is not None else guard.unit.program.body
    origin = frame.origin.body if isinstance(frame.origin, Entered) else frame.origin
    return guard.unit.program.body if origin is None else list(origin.node.body)
