"""How parameters of resources got their values: written, defaulted, looked up, overridden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.catalog.resource import Param
from headwater.langs.puppet.hiera.lookup import Record
from headwater.langs.puppet.syntax import ast
from headwater.why import NOTHING, Label, Loser, Node, Reason

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.replay import Path, Replay


def param_node(replay: Replay, param: Param, path: Path = ()) -> Node:
    """The node of a parameter: the winner, and what it won over."""
    trace = replay.trace
    winner = _written(replay, param, path)
    guarded = trace.guard(winner, replay.guard(param.guard))
    losers: list[Loser] = []
    if param.how == "hiera" and isinstance(param.detail, Record):
        losers += _lower_levels(replay, param.detail)
    old = param.old
    if old is not None and param.how != "arrow" and not param.add:
        reason: Reason = "default" if old.how in ("default", "parameter default") else "override"
        value = None if path else _plain(old.value)
        losers.append(Loser(value, param_node(replay, old, path), reason, _label(replay, param)))
    return trace.choice(guarded, losers=losers) if losers else guarded


def _written(replay: Replay, param: Param, path: Path) -> Node:
    trace = replay.trace
    if param.how == "hiera":
        return replay.places.hiera(trace, param.detail)[0]
    if param.unit is None or param.node is None or param.frame is None:
        return trace.label(
            Label("argument", replay.compiler.unit.source.span(0, 0), _shown(param.value))
        )
    if param.how in ("arrow", "require"):
        here = replay.everything(param.unit, param.node, param.frame)
        old = [] if param.old is None else [param_node(replay, param.old)]
        return trace.operation("arrow", [*old, here])
    found = _expression(replay, param, path)
    if param.add and param.old is not None:
        return trace.operation("+>", [param_node(replay, param.old), found])
    return found


def _expression(replay: Replay, param: Param, path: Path) -> Node:
    assert param.unit is not None
    assert param.frame is not None
    node: Any = param.node
    match node:
        case ast.Attribute(value=value):
            return replay.of(param.unit, value, param.frame, path)
        case ast.Attributes(value=value):
            return replay.of(param.unit, value, param.frame, (param.detail, *path))
        case ast.Call(args=args) if isinstance(param.detail, tuple) and len(args) > 1:
            title, name = param.detail
            return replay.of(param.unit, args[1], param.frame, (title, name, *path))
    return replay.of(param.unit, node, param.frame, path)


def _label(replay: Replay, param: Param) -> Node:
    if param.unit is None or param.node is None:
        return NOTHING
    return replay.label(param.unit, param.node, "definition")


def _lower_levels(replay: Replay, record: Record) -> list[Loser]:
    """Values for the same key at lower levels of the hierarchy."""
    from headwater.langs.puppet.hiera.lookup import every_place

    trace = replay.trace
    found = [tried for tried in every_place(replay.compiler.hiera, record.key) if tried.found]
    winner = next((tried for tried in record.tried if tried.found), None)
    losers: list[Loser] = []
    if record.strategy != "first" or winner is None:
        return losers
    by = replay.places.hiera(trace, record)[0]
    for tried in found:
        if tried.path == winner.path:
            continue
        assert tried.file is not None
        span = tried.file.span((tried.key,))
        node = trace.label(Label("hiera", span, span.text.strip() or tried.key))
        losers.append(Loser(_plain(tried.file.data[tried.key]), node, "level", by))
    return losers


def _plain(value: Any) -> Any:
    from headwater.langs.puppet.catalog.wire import to_data
    from headwater.langs.puppet.fault import Problem

    try:
        return to_data(value)
    except Problem:
        return None


def _shown(value: Any) -> str:
    from headwater.langs.puppet.engine.show import text_of

    return text_of(value)
