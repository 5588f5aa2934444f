"""From the configuration at the end to a result: the resources, and the causes of their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from headwater.langs.puppet.addresses import reference
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.machine import resolve, witnesses
from headwater.langs.puppet.paper.natives import RELATIONSHIPS, native
from headwater.langs.puppet.paper.provenance import (
    NONE,
    Applied,
    Beta,
    Formula,
    Labels,
    Why,
    operation,
)
from headwater.langs.puppet.paper.state import ResourceValue, State, World
from headwater.langs.puppet.paper.values import capitalised, flat, parts, plain, whole
from headwater.text import Span
from headwater.tree import Address, NotThere, Tree, Value
from headwater.why import Loser, Node, Trace


def visible(resource: ResourceValue, *, like_puppet: bool) -> dict[str, t.Value]:
    """The parameters that a catalog shows: Puppet leaves out undef and a name like the title."""
    if not like_puppet:
        return dict(resource.attributes)
    known = native(resource.type)
    assert known is not None
    attributes = dict(resource.attributes)
    shown: dict[str, t.Value] = {}
    trimmed = str(resource.title.value).rstrip("/") or "/"
    if resource.type == "file" and trimmed != resource.title.value:
        shown["path"] = t.Atom(trimmed, operation("path", resource.title.why))
    other = attributes.pop("name", None) if known.namevar != "name" else None
    if other is not None and not (isinstance(other, t.Atom) and other.value is None):
        attributes[known.namevar] = other  # Puppet shows it so, though it manages the first
    for name, value in attributes.items():
        if isinstance(value, t.Atom) and value.value is None:
            continue
        shown[name] = flattened(value, always=name in RELATIONSHIPS)
    if shown.get(known.namevar) == resource.title:
        del shown[known.namevar]
    return shown


def flattened(value: t.Value, *, always: bool) -> t.Value:
    """Arrays of references are flat in a catalog, and those of relationships without undef."""
    if not isinstance(value, t.ArrayValue):
        return value
    items = list(flat(value))
    if not always and not any(isinstance(item, t.Reference) for item in items):
        return value
    kept = [i for i in items if not (always and isinstance(i, t.Atom) and i.value is None)]
    shape = NONE.union(*(p.why.depends for p in parts(value) if not isinstance(p, t.Reference)))
    return t.ArrayValue(tuple(kept), value.why.plus(shape))


class Resources:
    """The catalog v_C as a result."""

    def __init__(self, state: State, world: World) -> None:
        like_puppet = world.like_puppet
        self.values: dict[str, dict[str, t.Value]] = {}
        self.resources: dict[str, ResourceValue] = {}
        for resource in state.catalog.values():
            name = reference(capitalised(resource.type), str(resource.title.value))
            self.resources[name] = resource
            self.values[name] = visible(resource, like_puppet=like_puppet)

    def root(self) -> dict[str, Value]:
        """Parameters by reference and name."""
        return {
            name: {key: plain(value) for key, value in values.items()}
            for name, values in self.values.items()
        }

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Every resource, then its parameters and the elements of arrays and hashes."""
        for name, values in self.values.items():
            yield (name,), {key: plain(value) for key, value in values.items()}
            for key, value in values.items():
                yield from self._inside((name, key), value)

    def _inside(self, address: Address, value: t.Value) -> Iterator[tuple[Address, Value]]:
        yield address, plain(value)
        match value:
            case t.ArrayValue(items=items):
                for index, item in enumerate(items):
                    yield from self._inside((*address, index), item)
            case t.HashValue(entries=entries):
                for key, item in entries:
                    yield from self._inside((*address, str(key.value)), item)
            case _:
                pass

    def named(self, address: Address) -> Address:
        """An address as reference, parameter and the rest; a pointer is one into `plain`."""
        match address:
            case ("resources", int(index), *rest) if index < len(self.values):
                name = list(self.values)[index]
                return (name, *(rest[1:] if rest[:1] == ["parameters"] else rest))
            case _:
                return address

    def get(self, address: Address) -> Value:
        """The value at an address; raises `NotThere`."""
        if address in (("resources",), ()) and address:
            return self.root()
        return Tree(self.root()).get(self.named(address))

    def export(self, format: str) -> Iterator[str]:
        """As JSON (also called catalog), compact JSON or YAML."""
        document: Value = self.plain()
        name = {"catalog": "json"}.get(format, format)
        yield from Tree(document).export(name)

    def plain(self) -> dict[str, Value]:
        """The list of resources with type, title and parameters."""
        return {
            "resources": [
                {
                    "type": capitalised(resource.type),
                    "title": plain(resource.title),
                    "parameters": {k: plain(v) for k, v in self.values[name].items()},
                }
                for name, resource in self.resources.items()
            ]
        }


class PaperCauses:
    """The annotations of the catalog, as a trace."""

    def __init__(self, resources: Resources, state: State, world: World, labels: Labels) -> None:
        self._resources = resources
        self._notes = state.notes
        self._world = world
        self._labels = labels.all
        self._trace = Trace()
        self._classes: Mapping[str, frozenset[int]] = witnesses(state.notes)
        self._catalog = state.catalog

    @property
    def trace(self) -> Trace:
        """The trace that the nodes belong to."""
        return self._trace

    def causes(self, beta: Beta) -> Node:
        """All labels of a set."""
        found = sorted(resolve(beta, self._classes))
        return self._trace.union(*(self._trace.label(self._labels[number]) for number in found))

    def node(self, why: Why) -> Node:
        """The node of a value with these annotations."""
        made = self.formula(why.expression)
        if why.where is not None and isinstance(why.expression, Applied):
            made = self._trace.composed(self._trace.label(self._labels[why.where]), made)
        made = self._trace.guard(made, self.causes(why.depends))
        losers = [Loser(m.value, self.node(m.why), m.reason, self.causes(m.by)) for m in why.masked]
        return self._trace.choice(made, losers=losers) if losers else made

    def formula(self, formula: Formula) -> Node:
        """The node of an expression; parts that are one object are one node."""
        done: dict[int, Node] = {}
        todo = [formula]
        while todo:
            at = todo[-1]
            missing: list[Formula] = []
            if isinstance(at, Applied):
                missing = [arg for arg in at.args if id(arg) not in done]
            if missing:
                todo.extend(missing)
                continue
            todo.pop()
            if isinstance(at, Applied):
                done[id(at)] = self._trace.operation(at.op, [done[id(arg)] for arg in at.args])
            else:
                done[id(at)] = self._trace.label(self._labels[at])
        return done[id(formula)]

    def of(self, address: Address) -> Node:
        """The node of a value, of a resource (its existence), or of everything."""
        address = self._resources.named(address)
        if address in ((), ("resources",)):
            inside = [(name, key) for name, held in self._resources.values.items() for key in held]
            return self._trace.union(self.output(), *(self.of(each) for each in inside))
        name = str(address[0])
        if name not in self._resources.resources:
            raise NotThere((), list(self._resources.values))
        resource = self._resources.resources[name]
        if len(address) == 1:
            return self.node(resource.title.why.plus(resource.exists))
        value = self._resources.values[name][str(address[1])]
        around: Beta = NONE
        for part in address[2:]:
            around |= value.why.depends
            match value:
                case t.ArrayValue(items=items):
                    value = items[int(part)]
                case t.HashValue(entries=entries):
                    value = next(item for key, item in entries if str(key.value) == str(part))
                case _:
                    raise NotThere(address[:2], [])
        return self.node(whole(value).plus(around))

    def output(self) -> Node:
        """What could change which resources and parameters there are."""
        beta = self._notes.growth
        for resource in self._catalog.values():
            beta |= resource.exists
            for _, value in resource.attributes:
                if self._world.like_puppet:
                    # A parameter is there unless it is undef or a name equal to the title.
                    beta |= value.why.depends
                inner = (part for part in parts(value) if not isinstance(part, t.Atom))
                beta = beta.union(*(part.why.depends for part in inner))
        return self.causes(beta)

    def position(self, address: Address) -> None:
        """Nothing decides the place of a resource but the order of evaluation."""

    def path(self, address: Address) -> tuple[Span, ...]:
        """The declarations that led to the resource, outermost first."""
        address = self._resources.named(address)
        if not address or str(address[0]) not in self._resources.resources:
            return ()
        return self._resources.resources[str(address[0])].path
