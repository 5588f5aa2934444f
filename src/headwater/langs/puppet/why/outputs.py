"""The outputs of a compilation: its parameters, and what could change the set of them."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.record.acts import Collector
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import history_node, param_node
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.classes import link
from headwater.langs.puppet.why.declarations import exists
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.instances import Instances
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.overrides import targeted
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.relations import related
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


def output_node(replay: Replay, resource: Resource, name: str, param: Param, path: Path) -> Node:
    """A parameter as an output."""
    causes = [exists(replay, resource), meddling(replay, resource, name, param)]
    if resource.type == "Class" and resource.definition is not None:
        causes.append(link(replay, resource.definition.name))
    return param_node(replay, resource, param, path, replay.trace.union(*causes))


def grown(replay: Replay, instances: Instances) -> Node:
    """G: what could add to the set of outputs beside what is there."""
    record = replay.left.record
    found = [replay.absences.any("growth")]
    for resource in dict.fromkeys(map(instances.like, replay.left.catalog.resources)):
        found.append(_latent(replay, resource) if resource.virtual else exists(replay, resource))
    for collector in record.collectors:
        if isinstance(collector, Collector):
            here = Here.of(collector)
            found.append(replay.epc(here))
            found.append(replay.everything(here, collector.node))
        else:
            found.append(arguments(replay, Here.of(collector.act), collector.act.node))
    for overrides in record.overrides.values():
        found += [targeted(replay, override) for override in overrides]
    found.append(related(replay))
    for acts in record.declarations.values():
        for act in acts:
            found.append(replay.epc(Here.of(act)))
            if isinstance(act.node, ast.Call | ast.Method):
                found.append(arguments(replay, Here.of(act), act.node))
    for scope in record.scopes.values():
        if scope.defaults or replay.absences.every("default") != NOTHING:
            found.append(replay.timing(scope))
    return replay.trace.union(*found)


def _latent(replay: Replay, resource: Resource) -> Node:
    """A virtual resource that nothing made real: what tests of it could see."""
    found = declared(resource)
    if found.unit is None or found.frame is None:
        return NOTHING
    seen = [history_node(replay, resource, param) for param in resource.params.values()]
    epc = replay.epc(Here.of_declaration(resource))
    return replay.trace.union(*seen, title_node(replay, resource), epc)
