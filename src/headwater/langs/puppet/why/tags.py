"""Why a resource has a tag, and why it stands in what contains it."""

from __future__ import annotations

from functools import lru_cache

from headwater.langs.puppet.catalog.resource import Param, Resource, flattened, is_main, tag_text
from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Entered, Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import chain_node
from headwater.langs.puppet.why.calls import arguments, call_arguments
from headwater.langs.puppet.why.classes import base, link
from headwater.langs.puppet.why.declarations import head
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.questions import UNKNOWN, Replay
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


def tag_node(replay: Replay, resource: Resource, tag: str) -> Node:
    """One tag of a resource: from its type, its title, ``tag``, or what it stands in."""
    exists = replay.exists(resource)
    return replay.trace.guard(_tag(replay, resource, tag, set()), exists)


class Alike:
    """The tags of resources that came about alike: most have the same names, and one answer."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._named: dict[tuple[Resource, int], dict[str, Node] | None] = {}
        self._nodes: dict[tuple[Resource, object], Node] = {}

    def of(self, resource: Resource, like: Resource) -> dict[str, Node] | None:
        """The tags of a resource that another speaks for; none where that cannot be told."""
        rows = _rows(resource, like)
        if rows is None:
            return None
        mine, its = rows
        known = (like, len(its))
        if known not in self._named:
            self._named[known] = self._plain(like, its)
        plain, titles = self._named[known], self._titles(mine)
        if plain is None or titles is None:
            return None
        found: dict[str, Node] = {}
        for tag in resource.tags:
            node = None if tag in titles else plain.get(tag)
            if node is None:
                key = (like, _source(mine, tag))
                node = self._nodes.get(key)
                if node is None:
                    node = self._nodes[key] = tag_node(self._replay, resource, tag)
            found[tag] = node
        return found

    def _plain(self, resource: Resource, row: list[Resource]) -> dict[str, Node] | None:
        """The tags of a resource that are no titles of a row."""
        titles = self._titles(row)
        if titles is None:
            return None
        every = (tag for tag in resource.tags if tag not in titles)
        return {tag: tag_node(self._replay, resource, tag) for tag in every}

    def _titles(self, row: list[Resource]) -> set[str] | None:
        """The names that titles of a row give as tags, if only they and types give any."""
        found: set[str] = set()
        for at in row:
            if "tag" in at.params or self._replay.indexes.acts_on("tag", at):
                return None
            found.update(_names(at.title))
        return found


def _rows(one: Resource, other: Resource) -> tuple[list[Resource], list[Resource]] | None:
    """Two resources, each with what it is in, up to what both are in; none if it is in several."""
    mine, its = [], []
    while one is not other:
        mine.append(one)
        its.append(other)
        around, its_around = _holders(one), _holders(other)
        if len(around) != 1 or len(its_around) != 1:
            return None
        (one,), (other,) = around, its_around
    return mine, its


def _source(row: list[Resource], tag: str) -> object:
    """How far out in a row stands what has a tag by its title, or by the name of its type."""
    for level, at in enumerate(row):
        if tag in _names(at.type):
            return level, tag
        if tag in _names(at.title):
            return level
    return tag


def _tag(replay: Replay, resource: Resource, tag: str, seen: set[Resource]) -> Node:
    seen.add(resource)
    own = _own_tag(replay, resource, tag)
    return _around(replay, resource, tag, seen) if own is None else own


def _own_tag(replay: Replay, resource: Resource, tag: str) -> Node | None:
    """A tag that a resource has by itself."""
    if tag in _names(resource.type) and declared(resource).unit is not None:
        return replay.labels.of(*head(resource), "definition")
    if tag in _names(resource.type):
        return replay.trace.operation("type", [])
    if tag in _names(resource.title) and not is_main(resource):
        if resource.type in ("Class", "Node"):
            return _defined(replay, resource)
        return title_node(replay, resource)
    param = resource.params.get("tag")
    while param is not None:
        if any(tag in _names(_text(item)) for item in flattened(param.value)):
            return _from_parameter(replay, resource, param, tag)
        param = param.old
    for act in replay.indexes.acts_on("tag", resource):
        found = _called(replay, act, tag)
        if found is not None:
            return found
    return None


def _around(replay: Replay, resource: Resource, tag: str, seen: set[Resource]) -> Node:
    """The tag of something the resource is in, or was declared in."""
    found: list[Node] = []
    holders = _holders(resource)
    if _in_a_row(replay, resource):
        # No way leads to a holder but this, so what it says is the same whoever asks.
        for holder in holders:
            if tag in holder.tags and holder is not resource:
                found.append(
                    replay.memo.once(("tag", holder, tag), _tag, replay, holder, tag, set())
                )
                found.append(replay.exists(holder))
        holders = []
    for holder in holders:
        if tag in holder.tags and holder not in seen:
            found.append(_tag(replay, holder, tag, seen))
            found.append(replay.exists(holder))
    found.append(placing(replay, resource))
    if len(found) == 1:
        return replay.trace.operation("tag", found)
    return replay.trace.guard(found[0], replay.trace.union(*found[1:]))


def _holders(resource: Resource) -> list[Resource]:
    """What a resource is in, or was declared in."""
    around = resource.declared.around
    if around is None:
        return list(resource.containers)
    return list(dict.fromkeys((*resource.containers, around)))


def _in_a_row(replay: Replay, resource: Resource) -> bool:
    """Whether a resource is in one thing, that in one more, and so on, up to what is in nothing."""
    known = replay.indexes.in_a_row
    row: dict[Resource, None] = {}
    at: Resource | None = resource
    while at is not None and at not in known and at not in row:
        row[at] = None
        holders = [one for one in _holders(at) if one is not at]
        if len(holders) > 1:
            known[at] = False
        at = holders[0] if holders else None
    found = at is None or known.get(at, False)
    for one in row:
        known.setdefault(one, found)
    return known[resource]


def _from_parameter(replay: Replay, resource: Resource, param: Param, tag: str) -> Node:
    value, causes = param.value, meddling(replay, resource, "tag", param)
    if isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, list) and tag in _names(_text(item)):
                return replay.trace.guard(chain_node(replay, resource, param, (index,)), causes)
    return replay.trace.guard(chain_node(replay, resource, param), causes)


def _called(replay: Replay, act: Act, tag: str) -> Node | None:
    """The tag, if it is one that a call of tag() gave."""
    here = Here.of(act)
    causes = [replay.epc(here), replay.labels.of(act.unit, act.node, "definition")]
    unknown = False
    for arg in call_arguments(act.node):
        value = replay.value(here, arg)
        unknown |= value is UNKNOWN
        if any(tag in _names(_text(item)) for item in flattened(value)):
            return replay.trace.guard(replay.of(here, arg), replay.trace.union(*causes))
    if not unknown:
        return None
    causes.append(arguments(replay, here, act.node))
    return replay.trace.operation("tag", causes)


def _defined(replay: Replay, resource: Resource) -> Node:
    """The name of a class or node, as its definition has it."""
    definition = resource.definition
    if definition is None or definition.unit is None or definition.node is None:
        return replay.trace.operation("title", [])
    return replay.labels.of(definition.unit, _Name(definition.node), "definition")


class _Name:
    """The name in a definition, as a node with a place."""

    def __init__(self, node: ast.Placed) -> None:
        self.start = getattr(node, "name_start", node.start)
        self.end = getattr(node, "name_end", node.end)


def placing(replay: Replay, resource: Resource) -> Node:
    """What decided in which scope a resource was declared."""
    if resource.type == "Class" and resource.definition is not None:
        name = resource.definition.name
        return link(replay, name) if name in replay.left.record.declarations else NOTHING
    found: list[Node] = []
    frame: Frame | None = declared(resource).frame
    while frame is not None:
        if isinstance(frame.origin, Entered):
            frame = frame.origin.frame
            found.append(base(replay, frame.scope if frame is not None else None))
        else:
            frame = frame.up
    return replay.trace.union(*found)


def edge_node(replay: Replay, container: Resource, resource: Resource) -> Node:
    """The edge from what contains a resource to it."""
    trace = replay.trace
    causes = [replay.exists(container), replay.exists(resource), placing(replay, resource)]
    for act in replay.indexes.acts_on("contain", (container, resource))[:1]:
        here = Here.of(act)
        causes += [replay.epc(here), arguments(replay, here, act.node)]
        where = replay.labels.of(act.unit, act.node, "definition")
        return trace.guard(where, trace.union(*causes))
    if container.type == "Stage":
        causes += [
            chain_node(replay, one, one.params["stage"])
            for one in replay.left.catalog.resources
            if "stage" in one.params
        ]
        return trace.operation("stage", [], trace.union(*causes))
    if declared(resource).unit is not None:
        where = replay.labels.of(*head(resource), "definition")
        return trace.guard(where, trace.union(*causes))
    return trace.operation("contains", [], trace.union(*causes))


def outlying(replay: Replay) -> Node:
    """What could change which tags and edges there are, beside what is there."""
    record = replay.left.record
    found = [replay.absences.any("tag")]
    found += [link(replay, name) for name in record.declarations if name in record.scopes]
    for act in record.acts:
        here = Here.of(act)
        found += [replay.epc(here), arguments(replay, here, act.node)]
    for resource in replay.left.catalog.resources:
        found.append(placing(replay, resource))
        found.append(tags_before(replay, resource))
    return replay.trace.union(*found)


def tags_before(replay: Replay, resource: Resource) -> Node:
    """What ``tag`` was set to before it was set to what it is: those tags stay."""
    found: list[Node] = []
    param = resource.params.get("tag")
    while param is not None and param.old is not None:
        param = param.old
        found.append(chain_node(replay, resource, param))
    return replay.trace.union(*found)


@lru_cache(maxsize=256)
def _names(text: str) -> list[str]:
    name = text.lower()
    return [name, *name.split("::")] if "::" in name else [name]


def _text(value: object) -> str:
    return value if isinstance(value, str) else tag_text(value)
