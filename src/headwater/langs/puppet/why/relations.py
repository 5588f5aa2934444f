"""Arrows: any of them may add to a relationship."""

from __future__ import annotations

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


def relating(replay: Replay, resource: Resource, name: str) -> Node:
    """The arrows that point from a resource, and what decided that others do not."""
    found = [replay.absences.relating(name, resource)]
    for arrow in replay.left.record.arrows:
        if arrow.parameter == name:
            found.append(_pointing(replay, arrow, resource))
    return replay.trace.union(*found)


def _pointing(replay: Replay, arrow: Arrow, resource: Resource) -> Node:
    """What of an arrow matters to a resource: all, if it points from it or that is not known.

    Of an arrow that points from another resource of the type, only what says from which.
    """
    node = arrow.node
    assert isinstance(node, ast.Relation)
    first = node.right if node.op.startswith("<") else node.left
    here, source = Here.of(arrow), arrow.source
    if isinstance(source, Collector) and source.alternative is None:
        if source.type != resource.type:
            return NOTHING
        tests = [tested(replay, resource, name) for name in attributes_of(replay, source)]
        if resource.ref in source.collected:
            return replay.trace.union(_whole(replay, arrow), *tests)
        return replay.trace.union(queried(replay, source), *tests)
    if isinstance(source, ResourceRef | ClassRef) and _is_written(first):
        kind = "Class" if isinstance(source, ClassRef) else source.type
        if kind != resource.type:
            return NOTHING
        if replay.left.catalog.find_reference(str(source)) is not resource:
            return replay.everything(here, first)
    return _whole(replay, arrow)


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
