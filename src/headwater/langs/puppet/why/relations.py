"""Arrows: any of them may add to a relationship."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.record.acts import Arrow, Collector
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ClassRef, ResourceRef
from headwater.langs.puppet.why.collectors import asked, population, queried, tested
from headwater.langs.puppet.why.collectors import attributes as attributes_of
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import NOTHING, Node


@explains(ast.Relation)
def _relation(replay: Replay, here: Here, node: ast.Relation, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def related(replay: Replay) -> Node:
    """All arrows, and those of branches not taken."""
    return replay.memo.once("related", _relate, replay)


def _relate(replay: Replay) -> Node:
    found = [replay.absences.any("relation")]
    arrows = replay.left.record.arrows
    # In a -> b -> c the first arrow stands inside the second, which has everything in it.
    inside = {(id(part), id(a.frame)) for a in arrows for part in ast.children(a.node)}
    for arrow in arrows:
        here = Here.of(arrow)
        if (id(arrow.node), id(arrow.frame)) not in inside:
            found.append(replay.everything(here, arrow.node))
        found.append(replay.epc(here))
        ends = (arrow.source, arrow.target)
        found += [population(replay, end) for end in ends if isinstance(end, Collector)]
    return replay.trace.union(*found)


class _Arrows(msgspec.Struct, frozen=True):
    """The arrows of one direction, by what is known of where they point from."""

    by_type: dict[str, list[tuple[Arrow, ast.Expr]]]
    """Those from resources of a type, with what says from which."""
    known: dict[Resource, list[Arrow]]
    collecting: list[Arrow]
    """Those from what a collector finds."""
    unknown: list[Arrow]
    """Those that may point from anything."""


def relating(replay: Replay, resource: Resource, name: str) -> Node:
    """The arrows that point from a resource, and what decided that others do not.

    All of an arrow matters if it points from the resource or that is not known; of one that points
    from another resource of the type, only what says from which.
    """
    arrows = replay.indexes.once(("arrows", name), lambda: _by_source(replay, name))
    found = [
        replay.absences.relating(name, resource),
        replay.memo.once(("ends", name, resource.type), _ends, replay, arrows, resource.type),
        replay.memo.once(("unknown ends", name), _wholes, replay, arrows.unknown),
        _wholes(replay, arrows.known.get(resource, ())),
    ]
    found += [_collected(replay, arrow, resource) for arrow in arrows.collecting]
    return replay.trace.union(*found)


def _by_source(replay: Replay, name: str) -> _Arrows:
    found = _Arrows({}, {}, [], [])
    for arrow in replay.left.record.arrows:
        if arrow.parameter != name:
            continue
        node, source = arrow.node, arrow.source
        assert isinstance(node, ast.Relation)
        first = node.right if node.op.startswith("<") else node.left
        if isinstance(source, Collector) and source.alternative is None:
            found.collecting.append(arrow)
        elif isinstance(source, ResourceRef | ClassRef) and _is_written(first):
            kind = "Class" if isinstance(source, ClassRef) else source.type
            found.by_type.setdefault(str(kind), []).append((arrow, first))
            resource = replay.left.catalog.find_reference(str(source))
            if resource is not None:
                found.known.setdefault(resource, []).append(arrow)
        else:
            found.unknown.append(arrow)
    return found


def _ends(replay: Replay, arrows: _Arrows, kind: str) -> Node:
    every = arrows.by_type.get(kind, ())
    return replay.trace.union(*(replay.everything(Here.of(arrow), end) for arrow, end in every))


def _wholes(replay: Replay, arrows: Sequence[Arrow]) -> Node:
    return replay.trace.union(*(_whole(replay, arrow) for arrow in arrows))


def _collected(replay: Replay, arrow: Arrow, resource: Resource) -> Node:
    """What of an arrow from what a collector finds matters to a resource."""
    source = arrow.source
    assert isinstance(source, Collector)
    if source.type != resource.type:
        return NOTHING
    tests = [tested(replay, resource, name) for name in attributes_of(replay, source)]
    if resource.ref in source.collected:
        return replay.trace.union(_whole(replay, arrow), *tests)
    return replay.trace.union(queried(replay, source), *tests)


def _whole(replay: Replay, arrow: Arrow) -> Node:
    here = Here.of(arrow)
    found = [replay.everything(here, arrow.node), replay.epc(here)]
    for end in (arrow.source, arrow.target):
        if isinstance(end, Collector):
            found += [asked(replay, end), population(replay, end)]
    return replay.trace.union(*found)


def _is_written(end: object) -> bool:
    """Whether the types of the references at an end are written there."""
    match end:
        case ast.Paren(value=inner):
            return _is_written(inner)
        case ast.Array(items=items):
            return all(_is_written(item) for item in items)
        case ast.Access(left=ast.TypeName(value=name)):
            return name.lower() not in ("resource", "type")
        case ast.Resource():
            return True
    return False
