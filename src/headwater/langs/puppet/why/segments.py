"""The pieces of a text that was put together, by a template or by a string with insertions.

A text is followed from where it stands, through variables and parameters that copy it, to the
call that made it.  The record has what that call wrote, piece by piece.  An inserted value of an
EPP is explained like any expression.  One of ERB came out of Ruby: it is told apart by identity,
since a text that Ruby made is a new one, and one that it passed on is still the program's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.protocol import Segment
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Read
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import binding_of
from headwater.langs.puppet.record.renderings import Piece, Rendering
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.flow import Flow, Origin, projection
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.erb import flow_of, shortened, value_of
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.literals import ALIKE
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.scoping import owner_then
from headwater.why import Node

_TEMPLATES = frozenset(["template", "inline_template", "epp", "inline_epp"])
_LONGEST_WAY = 1_000
"""Variables and parameters that a text is followed through."""


def may_have_pieces(param: Param) -> bool:
    """Whether a parameter is a text, and not one that is written as it is."""
    node = param.node
    value = node.value if node.__class__ is ast.Attribute else node
    return isinstance(param.value, str) and value.__class__ not in ALIKE


class Pieces:
    """The pieces of texts; those that came about alike have the same, of other lengths."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._alike: dict[tuple[Resource, str], list[Node] | None] = {}

    def of(self, resource: Resource, param: Param) -> list[Segment]:
        """The pieces of a text that a template wrote; none if no template did."""
        found = _text_of(self._replay, resource, param)
        if found is None:
            return []
        here, node = found
        if isinstance(node, ast.Interpolated):
            nodes = [self._replay.of(here, part) for part in node.segments]
            return _composed(self._replay, here, node, param.value, nodes)
        return _written_by(self._replay, here, node, param.value)

    def like(self, resource: Resource, name: str, param: Param, other: Resource) -> list[Segment]:
        """The same of a parameter that another resource speaks for."""
        key, replay = (other, name), self._replay
        if key not in self._alike:
            self._alike[key] = self._nodes(other, other.params[name])
        nodes = self._alike[key]
        if nodes is None:
            return []
        found = _text_of(replay, resource, param)
        assert found is not None
        here, node = found
        assert isinstance(node, ast.Interpolated)
        return _composed(replay, here, node, param.value, nodes)

    def _nodes(self, resource: Resource, param: Param) -> list[Node] | None:
        """How the pieces of a text with insertions came about, if a parameter is one."""
        found = _text_of(self._replay, resource, param)
        if found is None:
            return None
        here, node = found
        assert isinstance(node, ast.Interpolated)  # what has a recipe calls no template
        return [self._replay.of(here, part) for part in node.segments]


def _text_of(
    replay: Replay, resource: Resource, param: Param
) -> tuple[Here, ast.Interpolated | ast.Call] | None:
    """The text with insertions, or the call of a template, that a parameter is copied from."""
    found = _way_of(resource, param)
    for _ in range(_LONGEST_WAY):
        if found is None:
            return None
        here, node = found
        if isinstance(node, ast.Call) and name_called(node) in _TEMPLATES:
            return here, node
        if isinstance(node, ast.Heredoc):
            node = node.text
        if isinstance(node, ast.Interpolated):
            return here, node
        found = _copied_from(replay, here, node)
    return None


def _written_by(replay: Replay, here: Here, call: ast.Call, whole: object) -> list[Segment]:
    reads = [
        read
        for read in replay.indexes.reads_of(call)
        if read.kind == "rendering" and read.frame is here.frame
    ]
    made: list[Segment] = []
    for read in _outermost(reads, whole):
        made += _segments(replay, here, read, reads)
    return made


def _composed(
    replay: Replay, here: Here, node: ast.Interpolated, whole: str, nodes: list[Node]
) -> list[Segment]:
    """The pieces of a text with insertions; none if the value of one is not known."""
    made: list[Segment] = []
    texts: list[str] = []
    for part, of in zip(node.segments, nodes, strict=True):
        value = replay.value(here, part)
        if not isinstance(value, str):
            return []
        texts.append(value)
        inserted = part.__class__ is ast.Embedded
        made.append(Segment(len(value), here.unit.span(part), inserted, of))
    return made if "".join(texts) == str(whole) else []


def _way_of(resource: Resource, param: Param) -> tuple[Here, Any] | None:
    """The expression of a parameter, and where it was evaluated."""
    if param.unit is None or param.frame is None or param.node is None:
        return None
    when = declared(resource).when if param.when is None else param.when
    here = Here(param.unit, param.frame, param.guard, when)
    node = param.node
    return here, unwound(node.value if isinstance(node, ast.Attribute) else node)


def _copied_from(replay: Replay, here: Here, node: object) -> tuple[Here, Any] | None:
    """The expression that a variable copies its value from."""
    if not isinstance(node, ast.Variable):
        return None
    owner = owner_then(replay.left.record, here, node.name)
    binding = None if owner is None else binding_of(owner, node.name.rpartition("::")[2])
    if owner is None or binding is None:
        return None
    if binding.kind == "parameter" and owner.scope.resource is not None:
        return _way_of(owner.scope.resource, binding.detail)
    if binding.kind != "assigned" or binding.detail is not None:
        return None
    assert binding.unit is not None
    assert binding.frame is not None
    there = Here(binding.unit, binding.frame, binding.guard, binding.when - 1)
    return there, unwound(binding.node)


def _outermost(reads: list[Read], whole: object) -> list[Read]:
    """The templates whose texts, one after the other, are the whole; not those inside of them."""
    if not isinstance(whole, str):
        return []
    inner = {
        id(piece.value) for read in reads for piece in read.detail.pieces if piece.value is not None
    }
    found = [read for read in reads if id(read.detail.text) not in inner]
    return found if "".join(read.detail.text for read in found) == str(whole) else []


def _segments(replay: Replay, here: Here, read: Read, reads: list[Read]) -> Iterator[Segment]:
    rendering: Rendering = read.detail
    for piece in rendering.pieces:
        nested = next((one for one in reads if one.detail.text is piece.value), None)
        if nested is not None and piece.inserted:
            yield from _segments(replay, here, nested, reads)
        elif rendering.unit is not None:
            node = _of_epp(replay, here, rendering.unit, piece)
            yield Segment(piece.size, piece.place, piece.inserted, node)
        else:
            flow = flow_of(rendering.tree)
            node = _of_erb(replay, here, read, flow, piece)
            yield Segment(piece.size, piece.place, piece.inserted, node)


def _text(replay: Replay, piece: Piece) -> Node:
    """A piece of a template's own text."""
    return replay.labels.input("literal", piece.place, piece.place.text)


def _of_epp(replay: Replay, here: Here, unit: Unit, piece: Piece) -> Node:
    if not piece.inserted:
        return _text(replay, piece)
    assert piece.frame is not None
    inside = Here(unit, piece.frame, piece.frame.guard, here.when)
    return replay.of(inside, piece.node.value)


def _of_erb(replay: Replay, here: Here, read: Read, flow: Flow, piece: Piece) -> Node:
    place = piece.place
    around = flow.guards(place.start, place.end)
    guards = replay.trace.union(*_nodes(replay, read, here, around))
    if not piece.inserted:
        return replay.trace.guard(_text(replay, piece), guards)
    node = flow.inserted(place.start, place.end)
    if node is None:
        return guards
    return replay.trace.guard(_inserted(replay, here, read, flow, piece, node), guards)


def _inserted(
    replay: Replay, here: Here, read: Read, flow: Flow, piece: Piece, node: s.Node
) -> Node:
    """A value that Ruby inserted: copied, if it is one that the template read, or computed."""
    origins = flow.origins(node)
    direct = projection(_alone(node))
    if direct is not None:
        where = _from(read, here)
        path = shortened(replay, where, direct)
        if path == direct[1]:
            return replay.variable(where, direct[0], path, read.node)
    sources = _nodes(replay, read, here, origins)
    copied = {
        replay.variable(where, name, path, read.node): None
        for name, path, where in _holding(replay, here, read, origins, piece.value)
    }
    if len(copied) == 1:
        return replay.trace.guard(next(iter(copied)), replay.trace.union(*sources))
    label = replay.labels.input("operation", piece.place, piece.place.text.strip())
    return replay.trace.operation("ruby", sources, label)


def _alone(node: s.Node) -> s.Node:
    while isinstance(node, s.Sequence | s.Array) and len(node.items) == 1:
        node = node.items[0]
    return node


def _holding(
    replay: Replay,
    here: Here,
    read: Read,
    origins: frozenset[Origin],
    value: object,
) -> Iterator[tuple[str, Path, Here]]:
    """Where in the variables that it can come from a text stands."""
    if not isinstance(value, str):
        return
    for name, path in sorted(origins, key=str):
        where = _from(read, here)
        start = shortened(replay, where, (name, path))
        held = value_of(replay, where, name)
        for part in start:
            held = held[part] if not isinstance(held, Hash) or part in held else None
        todo: list[tuple[Any, Path]] = [(held, start)]
        while todo:
            at, way = todo.pop()
            if at is value:
                yield name, way, where
            elif at.__class__ is list:
                todo += [(item, (*way, index)) for index, item in enumerate(at)]
            elif isinstance(at, Hash):
                todo += [(item, (*way, key)) for key, item in at.pairs() if isinstance(key, str)]


def _from(read: Read, here: Here) -> Here:
    """Where a template looked for variables from."""
    return Here(read.unit, read.frame, here.guard, here.when)


def _nodes(replay: Replay, read: Read, here: Here, origins: frozenset[Origin]) -> list[Node]:
    """How variables, or parts of them, got their values."""
    found = []
    for name, path in sorted(origins, key=str):
        where = _from(read, here)
        short = shortened(replay, where, (name, path))
        found.append(replay.variable(where, name, short, read.node))
    return found
