"""The catalog as something that is read: existence, attributes, collectors, overrides, queries.

What a parameter depends on beside its value is everything that could have written it
differently: overrides and collectors that ran, whether they applied or not, and those of
branches that were not taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.catalog.metadata import RELATIONS
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.expressions import make, unwound
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Collector, Override, Realize
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.absences import FOREVER
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.parameters import chain_node, history_node, param_node
from headwater.langs.puppet.why.reasons import declaration
from headwater.langs.puppet.why.variables import title_node
from headwater.why import NOTHING, Node

if TYPE_CHECKING:
    from headwater.langs.puppet.why.replay import Path, Replay


class States:
    """What there is in the catalog, and why."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.compilation = replay.compilation
        self.trace = replay.trace
        self._existence: dict[Resource, Node] = {}
        self._meddling: dict[tuple[Resource, str], Node] = {}
        self._related: Node | None = None
        self._tests: dict[Collector, tuple[Node, list[str]]] = {}
        self._tagging: dict[Resource, Node] = {}
        self._overrides: dict[tuple[str, str], Node] = {}
        self._populations: dict[tuple[str, tuple[str, ...]], Node] = {}
        self._attributes: dict[tuple[Resource, str], Node] = {}
        self._declarations: dict[Resource, Node] = {}

    # -- existence -------------------------------------------------------------------------------

    def exists(self, resource: Resource) -> Node:
        """Why a resource is there: what declares it, under which conditions, inside what."""
        known = self._existence.get(resource)
        if known is None:
            known = self._existence[resource] = self._exists(resource)
        return known

    def _exists(self, resource: Resource) -> Node:
        replay, running = self.replay, self.replay.running
        if resource.type == "Node":
            return running.node_cause()
        if resource.type == "Class":
            name = resource.definition.name if resource.definition is not None else ""
            return running.exists(name)
        if declared(resource).unit is None or declared(resource).frame is None:
            return NOTHING
        here = declaration(resource)
        causes = self.trace.union(
            replay.label(*head(resource), "definition"),
            running.epc(here),
            self.realized(resource),
        )
        return self.trace.guard(title_node(replay, resource), causes)

    def realized(self, resource: Resource) -> Node:
        """Why a virtual resource is real: one collector or realize() that found it."""
        if not _was_virtual(resource) or resource.virtual:
            return NOTHING
        for one in self.compilation.record.collectors:
            if resource.ref in one.collected:
                if isinstance(one, Realize):
                    return self.trace.union(
                        self.replay.running.epc(Here.of(one.act)),
                        self.replay.arguments(Here.of(one.act), one.act.node),
                        self.replay.label(one.act.unit, one.act.node, "definition"),
                    )
                return self.matching(one, resource)
        return NOTHING

    def grown(self) -> Node:
        """G: what could add to the set of outputs beside what is there."""
        replay, running = self.replay, self.replay.running
        found = [replay.absences.any("growth")]
        for resource in self.compilation.catalog.resources:
            found.append(self.exists(resource) if not resource.virtual else self._latent(resource))
        for collector in self.compilation.record.collectors:
            if isinstance(collector, Collector):
                here = Here.of(collector)
                found.append(running.epc(here))
                found.append(replay.everything(here, collector.node))
            else:
                found.append(replay.arguments(Here.of(collector.act), collector.act.node))
        for overrides in self.compilation.record.overrides.values():
            found += [self._targeted(override) for override in overrides]
        found.append(self.related())
        for acts in self.compilation.record.declarations.values():
            for act in acts:
                found.append(running.epc(Here.of(act)))
                if isinstance(act.node, ast.Call | ast.Method):
                    found.append(replay.arguments(Here.of(act), act.node))
        for scope in self.compilation.record.scopes.values():
            if scope.defaults or replay.absences.every("default") != NOTHING:
                found.append(running.timing(scope))
        return self.trace.union(*found)

    def _latent(self, resource: Resource) -> Node:
        """A virtual resource that nothing made real: what tests of it could see."""
        if declared(resource).unit is None or declared(resource).frame is None:
            return NOTHING
        found = [history_node(self.replay, resource, p) for p in resource.params.values()]
        here = declaration(resource)
        return self.trace.union(
            *found, title_node(self.replay, resource), self.replay.running.epc(here)
        )

    # -- reads of the catalog --------------------------------------------------------------------

    def attribute(self, here: Here, node: Any, target: ast.Access, key: Any, path: Path) -> Node:
        """``File['x']['mode']``: the parameter as it was then."""
        replay, trace = self.replay, self.trace
        causes = [replay.of(here, part) for part in (*target.keys, *node.keys)]
        title = replay.value(here, target.keys[0]) if len(target.keys) == 1 else None
        found = self.named(target.left, title)
        if found is None or not isinstance(key, str):
            return trace.operation("[]", [trace.union(*causes, self.query(here))])
        causes.append(self.exists(found))
        if not replay.strict:
            causes.append(replay.running.tpc(here))
        param = found.params.get(key)
        while (
            param is not None
            and (declared(found).when if param.when is None else param.when) > here.when
        ):
            param = param.old
        causes.append(self.meddling(found, key, param))
        if param is None:
            if key == "title":
                return trace.copy(title_node(replay, found), trace.union(*causes))
            return replay.undef(trace.union(*causes))
        return trace.copy(chain_node(replay, found, param, path), trace.union(*causes))

    def named(self, type_: Any, title: Any) -> Resource | None:
        """The resource of a type as it is written, and a title."""
        if not isinstance(title, str) or not isinstance(type_, ast.TypeName):
            return None
        kind = "::".join(part.capitalize() for part in type_.value.split("::"))
        return self.compilation.catalog.find(kind, title)

    def query(self, here: Here) -> Node:
        """The catalog as defined() and tagged() see it: all that was there, or was not."""
        replay = self.replay
        found = [replay.running.tpc(here)]
        for table in ("type", "class", "tag"):
            found.append(replay.absences.every(table, here.when))
        for resource in self.compilation.catalog.resources:
            if declared(resource).when <= here.when:
                found.append(self._declared(resource))
        for name, scope in self.compilation.record.scopes.items():
            if 0 < scope.when <= here.when:
                found.append(replay.running.link(name) if scope.source.kind == "class" else NOTHING)
        return self.trace.union(*found)

    def _declared(self, resource: Resource) -> Node:
        if declared(resource).unit is None or declared(resource).frame is None:
            return NOTHING
        known = self._declarations.get(resource)
        if known is None:
            epc = self.replay.running.epc(declaration(resource))
            known = self.trace.union(epc, title_node(self.replay, resource))
            self._declarations[resource] = known
        return known

    # -- who else could have written a parameter -------------------------------------------------

    def meddling(self, resource: Resource, name: str, param: Param | None) -> Node:
        """What could have written a parameter and did not, or not so."""
        key = (resource, name)
        known = self._meddling.get(key)
        if known is None:
            self._meddling[key] = NOTHING
            known = self._meddling[key] = self._meddle(resource, name)
        if param is not None and param.how == "default":
            known = self.trace.union(known, self._defaulted(resource, param))
        return known

    def meddled(self, resource: Resource, param: Param) -> Node:
        """The same of a parameter as a variable in the body of its class or define."""
        name = next((name for name, own in resource.params.items() if own is param), None)
        return NOTHING if name is None else self.meddling(resource, name, param)

    def _meddle(self, resource: Resource, name: str) -> Node:
        replay = self.replay
        kind = resource.type.lower()
        found = [replay.absences.of("override", kind), replay.absences.of("collected", kind)]
        found.append(self._overriding(resource.type, name))
        for collector in self.compilation.record.collectors:
            if not isinstance(collector, Collector) or collector.type != resource.type:
                continue
            if collector.overrides and name in collector.overrides:
                found.append(self.matching(collector, resource))
        if name in RELATIONS:
            found.append(self.related())
        return self.trace.union(*found)

    def _overriding(self, kind: str, name: str) -> Node:
        """What overrides by reference are for, that set a parameter of a type."""
        known = self._overrides.get((kind, name))
        if known is None:
            every = self.compilation.record.overrides.get(kind, ())
            found = [self._targeted(override) for override in every if name in override.params]
            known = self._overrides[kind, name] = self.trace.union(*found)
        return known

    def _targeted(self, override: Override) -> Node:
        node = override.node
        here = Here.of(override)
        target = node.target if isinstance(node, ast.Override) else node
        return self.trace.union(self.replay.everything(here, target), self.replay.running.epc(here))

    def matching(self, collector: Collector, resource: Resource) -> Node:
        """What decided whether a collector takes a resource."""
        asked, attributes = self._asked(collector)
        return self.trace.union(asked, *(self._tested(resource, name) for name in attributes))

    def _asked(self, collector: Collector) -> tuple[Node, list[str]]:
        """What a query depends on by itself, and the attributes that it tests."""
        known = self._tests.get(collector)
        if known is None:
            replay, here = self.replay, Here.of(collector)
            tests = _tests(collector)
            asked = self.trace.union(
                replay.running.epc(here),
                replay.label(collector.unit, collector.node, "query"),
                *(replay.everything(here, value) for _, values in tests for value in values),
            )
            known = self._tests[collector] = (asked, [name for name, _ in tests if name])
        return known

    def _tested(self, resource: Resource, attribute: str) -> Node:
        known = self._attributes.get((resource, attribute))
        if known is None:
            known = self._attributes[resource, attribute] = self._test(resource, attribute)
        return known

    def _test(self, resource: Resource, attribute: str) -> Node:
        replay = self.replay
        if attribute == "title":
            return title_node(replay, resource)
        if attribute == "tag":
            return self.tagging(resource)
        param = resource.params.get(attribute)
        defaults = replay.absences.of("default", resource.type.lower())
        overrides = replay.absences.of("override", resource.type.lower())
        others = [defaults, overrides]
        if param is None:
            return self.trace.union(*others)
        return self.trace.union(history_node(replay, resource, param), *others)

    def tagging(self, resource: Resource) -> Node:
        """All that a resource's tags come from."""
        known = self._tagging.get(resource)
        if known is None:
            known = self._tagging[resource] = self._tag(resource)
        return known

    def _tag(self, resource: Resource) -> Node:
        replay, found = self.replay, [self.replay.absences.any("tag")]
        at: Resource | None = resource
        seen: set[int] = set()
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            found.append(title_node(replay, at))
            param = at.params.get("tag")
            if param is not None:
                found.append(history_node(replay, at, param))
            for act in self.compilation.record.acts:
                if act.kind == "tag" and act.subject is at:
                    here = Here.of(act)
                    found.append(replay.arguments(here, act.node))
                    found.append(replay.running.epc(here))
            around = declared(at).around
            at = around
        return self.trace.union(*found)

    def related(self) -> Node:
        """All arrows, and those of branches not taken: any may add to a relationship."""
        if self._related is None:
            self._related = self._relate()
        return self._related

    def _relate(self) -> Node:
        replay = self.replay
        found = [replay.absences.any("relation")]
        for relation in self.compilation.record.arrows:
            here = Here.of(relation)
            found.append(replay.everything(here, relation.node))
            found.append(replay.running.epc(here))
            ends = (relation.source, relation.target)
            found += [self._collecting(end) for end in ends if isinstance(end, Collector)]
        return self.trace.union(*found)

    def _collecting(self, collector: Collector) -> Node:
        """All that a collector might take or leave."""
        asked, attributes = self._asked(collector)
        return self.trace.union(
            asked, self._population(collector.type, tuple(sorted(set(attributes))))
        )

    def _population(self, kind: str, attributes: tuple[str, ...]) -> Node:
        """The resources of a type with the attributes that queries test."""
        known = self._populations.get((kind, attributes))
        if known is None:
            found = [self.replay.absences.of("type", kind.lower())]
            for resource in self.compilation.catalog.by_type.get(kind, ()):
                found.append(self._declared(resource))
                found += [self._tested(resource, name) for name in attributes]
            known = self._populations[kind, attributes] = self.trace.union(*found)
        return known

    def _defaulted(self, resource: Resource, param: Param) -> Node:
        """Why a resource default is in force: the scopes it was looked for in."""
        replay = self.replay
        found = [replay.absences.of("default", resource.type.lower(), FOREVER)]
        scope = declared(resource).scope
        while scope is not None and scope is not getattr(param.frame, "scope", None):
            found.append(replay.running.hop(scope))
            found.append(replay.running.timing(scope))
            scope = scope.parent
        if param.unit is not None and param.frame is not None and param.when is not None:
            found.append(replay.running.epc(Here(param.unit, param.frame, param.guard, param.when)))
        return self.trace.union(*found)

    def param(self, resource: Resource, name: str, param: Param, path: Path) -> Node:
        """A parameter as an output."""
        causes = [self.exists(resource), self.meddling(resource, name, param)]
        if resource.type == "Class" and resource.definition is not None:
            causes.append(self.replay.running.link(resource.definition.name))
        return param_node(self.replay, resource, param, path, self.trace.union(*causes))


def head(resource: Resource) -> tuple[Unit, Any]:
    """The part of a declaration that stands for the resource: its type."""
    found = declared(resource)
    assert found.unit is not None
    node = found.node
    return found.unit, node.type if isinstance(node, ast.Resource) else node


def _was_virtual(resource: Resource) -> bool:
    node = declared(resource).node
    if isinstance(node, ast.Resource):
        return node.form != "regular"
    if isinstance(node, ast.Call) and node.args:
        first = node.args[0]
        return not isinstance(first, ast.Name | ast.String) or first.value.startswith("@")
    return False


def _tests(collector: Collector) -> list[tuple[str, list[Any]]]:
    """The attributes that a query tests, each with the expressions that say which and for what."""
    found: list[tuple[str, list[Any]]] = []
    todo = [collector.node.query]
    while todo:
        at = unwound(todo.pop())
        if at is None:
            continue
        if not isinstance(at, ast.Binary):
            found.append(("", [at]))
            continue
        if at.op in ("and", "or"):
            todo += [at.left, at.right]
            continue
        left = unwound(at.left)
        if isinstance(left, ast.Name | ast.String):
            found.append((left.value, [at.right]))
        else:
            name = make(collector.unit, left)(collector.frame)
            found.append((name if isinstance(name, str) else "", [left, at.right]))
    return found
