"""Calls: what they were given and read, and what they copied."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.record.frames import Binding
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.data import hiera, lower_levels
from headwater.langs.puppet.why.erb import variables_read
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.passed import passed_on
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.scoping import find_then
from headwater.why import Node

_LOOKUPS = frozenset(["lookup", "hiera"])


@explains(ast.Call, ast.Method)
def _call(replay: Replay, here: Here, node: ast.Call | ast.Method, path: Path) -> Node:
    trace = replay.trace
    args = call_arguments(node)
    name = name_called(node)
    found = [replay.of(here, arg) for arg in args if not _asserts(name, args, arg)]
    causes = reads(replay, here, node)
    if node.block is not None:
        causes.append(replay.everything(here, *node.block.body, *node.block.params))
    seen: set[str] = set()
    for function in functions_called(replay, here, node):
        inside = body_of(replay, here, function, seen)
        causes += [replay.everything(where, part) for part, where in inside]
    union = trace.union(*causes)
    copied = _projection(replay, here, node, name, args, path)
    if copied is None:
        copied = _passed(replay, here, node, name, args, path)
    if copied is not None:
        return trace.copy(copied, trace.union(union, *found))
    return trace.operation(name, found, union)


def functions_called(replay: Replay, here: Here, node: ast.Call | ast.Method) -> list[str]:
    """The functions that a call may call: ``call('f')`` calls f, or, if that is not known, any."""
    name = name_called(node)
    if name != "call" or "call" in replay.left.bodies:
        return [name]
    wanted = replay.value(here, call_arguments(node)[0]) if call_arguments(node) else None
    return [wanted.removeprefix("::")] if isinstance(wanted, str) else [*replay.left.bodies]


def body_of(replay: Replay, here: Here, name: str, seen: set[str]) -> list[tuple[Any, Here]]:
    """The body of a function written in Puppet, once; it sees the top."""
    if name in seen:
        return []
    seen.add(name)
    body = replay.left.bodies.get(name)
    if body is None:
        return []
    inside = Here(body.unit, replay.left.record.top, here.guard, here.when)
    return [(part, inside) for part in (*body.node.body, *body.node.params)]


def _asserts(name: str, args: list[Any], arg: object) -> bool:
    """Whether an argument is a type that the value is only checked against."""
    if name != "lookup" or len(args) < 2 or arg is not args[1]:
        return False
    type_ = arg.left if isinstance(arg, ast.Access) else arg
    return isinstance(type_, ast.TypeName)


def _passed(
    replay: Replay, here: Here, node: ast.Call | ast.Method, name: str, args: list[Any], path: Path
) -> Node | None:
    """What a call gave back of what it was given, or what the body of a function gave."""
    body = replay.left.bodies.get(name)
    frame = None if body is None else replay.indexes.entered_by(node, here.frame)
    if body is not None and frame is not None and body.node.body and not _returns(body.node.body):
        bound = [one.when for one in frame.bindings.values() if isinstance(one, Binding)]
        when = max([frame.origin.when, *bound])
        inside = Here(body.unit, frame, frame.guard, when)
        return replay.of(inside, body.node.body[-1], path)
    result = replay.value(here, node)
    return passed_on(replay, here, name, result, args, path)


def _returns(body: list[Any]) -> bool:
    """Whether a body may be left by return()."""
    todo: list[Any] = list(body)
    while todo:
        at = todo.pop()
        if isinstance(at, ast.Call | ast.Method) and name_called(at) in ("return", "next"):
            return True
        todo += ast.children(at)
    return False


def _projection(
    replay: Replay, here: Here, node: object, name: str, args: list[Any], path: Path
) -> Node | None:
    """A call that gives a part of what it reads as it is: ``dig``, ``getvar``, ``lookup`` …"""
    if name == "dig" and args:
        keys = [replay.value(here, key) for key in args[1:]]
        if all(isinstance(key, str | int) for key in keys):
            return replay.of(here, args[0], (*keys, *path))
    copied = [
        read.detail[1]
        for read in replay.indexes.reads_of(node)
        if read.kind == "copied" and read.detail[0] == name and read.frame is here.frame
    ]
    if len(copied) == 1 and not any(isinstance(arg, ast.Splat) for arg in args):
        return replay.of(here, args[copied[0]], path)
    if name == "unwrap" and args:
        return replay.of(here, args[0], path)
    if name == "getvar" and len(args) == 1:
        wanted = replay.value(here, args[0])
        if isinstance(wanted, str):
            root, *rest = split_key(wanted)
            if find_then(replay.left.record, here, str(root)).owner is not None:
                return replay.variable(here, str(root), (*rest, *path), node)
    if name in _LOOKUPS:
        records = [
            read.detail
            for read in replay.indexes.reads_of(node)
            if read.kind == "hiera" and read.frame is here.frame
        ]
        if len(records) == 1 and any(tried.found for tried in records[0].tried):
            found = hiera(replay, here, records[0], path)[0]
            losers = lower_levels(replay, here, records[0], path)
            return replay.trace.choice(found, losers=losers)
    return None


def arguments(replay: Replay, here: Here, node: ast.Call | ast.Method) -> Node:
    """All that a call is given, and what it reads by itself."""
    found = [replay.of(here, arg) for arg in call_arguments(node)]
    return replay.trace.union(*found, *reads(replay, here, node))


def reads(replay: Replay, here: Here, node: object) -> list[Node]:
    """What a call read beside its arguments: variables, files, data, the catalog."""
    found: list[Node] = []
    every = replay.indexes.reads_of(node)
    # A call that stands in a define or class runs once in each frame: others read other things.
    own = any(read.kind == "rendering" and read.frame is here.frame for read in every)
    for read in every:
        where = Here(read.unit, read.frame, here.guard, here.when)
        outside = read.kind, read.text, read.path, read.unit.span(node)
        match read.kind:
            case "variable":
                found.append(replay.variable(where, read.text, (), node))
            case "rendering":
                if read.frame is here.frame or not own:
                    found += variables_read(replay, where, read, node)
            case "hiera":
                found.append(hiera(replay, where, read.detail)[0])
            case "epp":
                template, up = read.detail
                inside = Here(template, up, here.guard, here.when)
                found.append(replay.everything(inside, *template.program.body))
            case "ruby":
                found += [
                    replay.labels.input("file", span, span.text.partition("\n")[0].strip())
                    for span in read.detail
                ]
            case "copied" | "titles":
                pass  # see `_projection` and `declarations.titled`
            case "parameter":
                resource, name = read.detail
                found.append(replay.parameter(where, resource, name))
            case "query":
                found.append(replay.query(where, node))
                found.append(replay.inputs.read(*outside))
            case _:
                found.append(replay.inputs.read(*outside))
    return found


def call_arguments(node: ast.Call | ast.Method) -> list[Any]:
    """What a call is given, the receiver of a method and the type of ``new`` first."""
    if isinstance(node, ast.Method):
        return [node.receiver, *node.args]
    if isinstance(node.function, ast.Name):
        return [*node.args]
    return [node.function, *node.args]
