"""Arrows: noted while evaluating, turned into ``before`` and ``notify`` at the end."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Arrow, Collector, Realize
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, compute, unsettle
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef, opaque_in

_COLLECTING = (Collector, Realize)


def evaluate(compilation: Compilation, arrow: Arrow) -> None:
    """Writes the relationship into the resource that comes first."""
    find = compilation.catalog.find_reference
    targets = [str(target) for target in _collected(arrow.target)]
    found = [find(target) for target in targets]
    for source in leftmost(arrow.source):
        first = find(str(source))
        for target, second in zip(targets, found, strict=True):
            _write(compilation, arrow, source, first, target, second)


def _write(
    compilation: Compilation, arrow: Arrow, source: object, first: Resource | None, target: str,
    second: Resource | None,
) -> None:  # fmt: skip
    messages = compilation.messages
    if messages.undecided and (first is None or second is None):
        missing = source if first is None else target
        what = f"whether {missing} is there"
        messages.warn(codes.OPAQUE_VALUE, arrow.unit.span(arrow.node), what=what)
        return
    if first is None:
        raise Problem(
            codes.MISSING_RESOURCE, resource=str(source), what=f" to come before {target}"
        )
    if second is None:
        raise Problem(codes.MISSING_RESOURCE, resource=str(target), what=f" to come after {source}")
    old = first.params.get(arrow.parameter)
    have = [] if old is None or old.value is None else old.value
    if old is not None and old.how == "arrow":  # all arrows of a parameter share one array
        value = have
        value.append(target)
    else:
        value = [*have, target] if isinstance(have, list) else [have, target]
    param = Param(
        value, declared(first).source, "arrow", False, arrow.unit, arrow.node, arrow.frame,
        arrow.guard, len(value) - 1, None, arrow.when,
    )  # fmt: skip
    first.set(arrow.parameter, param)


def _collected(end: object) -> list[Any]:
    if isinstance(end, _COLLECTING):
        return [*end.collected]
    return [end]


def leftmost(end: object) -> list[Any]:
    """The resources of an end; what stands left of a collector that found nothing."""
    if not isinstance(end, _COLLECTING):
        return [end]
    if end.collected:
        return [*end.collected]
    alternative = end.alternative
    if alternative is None:
        return []
    if len(alternative) == 1:
        return leftmost(alternative[0])
    return list(alternative)


@maker(ast.Relation)
def _relation(unit: Unit, node: ast.Relation) -> Code:
    left, right = make(unit, node.left), make(unit, node.right)
    parameter = "notify" if "~" in node.op else "before"
    reverse = node.op in ("<-", "<~")

    def relate(f: Frame) -> Value:
        compilation: Compilation = f.scope.compilation
        a, b = left(f), right(f)
        unknown = opaque_in([a, b]) if compilation.work.opaque else None
        if compilation.work.opaque:
            compute(f, unit, node)
        if unknown is not None:
            compilation.messages.undecide(unit, node, unknown)
            unsettle(f, unit, node, unknown)
        try:
            lefts = _ends(compilation, a)
            rights = _ends(compilation, b)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        sources, targets = (rights, lefts) if reverse else (lefts, rights)
        spend(compilation.work, len(sources) * len(targets), unit, node)
        for source in sources:
            for target in targets:
                when = compilation.record.clock
                arrow = Arrow(source, target, parameter, f, unit, node, when)
                compilation.record.arrows.append(arrow)
        if not rights:
            return lefts
        if len(rights) == 1 and isinstance(rights[0], Collector | Realize):
            rights[0].alternative = lefts
        return rights

    return relate


def _ends(compilation: Compilation, value: object) -> list[Any]:
    """The references and collectors that stand on one side of an arrow, each once."""
    found: list[Any] = []
    seen: set[Any] = set()
    for item in flattened(value):
        if isinstance(item, Opaque):
            continue
        if isinstance(item, str):
            item = compilation.services.types.parsed(item)
        if isinstance(item, ResourceRef) and item.type is not None:
            if item.title is None:
                raise Problem(codes.BAD_RELATION, value=_shown(item))
            if item.type != "Node":
                compilation.services.types.resource(item.type.lower())
        elif not isinstance(item, ClassRef | Collector | Realize):
            raise Problem(codes.BAD_RELATION, value=_shown(item))
        key = item if isinstance(item, ResourceRef | ClassRef) else id(item)
        if key not in seen:
            seen.add(key)
            found.append(item)
    return found
