"""Arrows: noted while evaluating, turned into ``before`` and ``notify`` at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, flattened
from headwater.langs.puppet.engine.collectors import Collector, Realize
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.equality import _shown
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.engine.frames import Frame
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef, opaque_in

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler


class Relation:
    """One arrow between two ends, each a reference or a collector."""

    __slots__ = ("frame", "guard", "node", "parameter", "source", "target", "unit", "when")

    def __init__(
        self, source: Any, target: Any, parameter: str, frame: Frame, unit: Unit, node: Any
    ) -> None:
        self.source = source
        self.target = target
        self.parameter = parameter
        self.frame = frame
        self.guard = frame.guard
        self.when = frame.scope.compiler.clock
        self.unit = unit
        self.node = node

    def evaluate(self, compiler: Compiler) -> None:
        """Writes the relationship into the resource that comes first."""
        for source in _leftmost(self.source):
            for target in _collected(self.target):
                self._write(compiler, source, target)

    def _write(self, compiler: Compiler, source: Any, target: Any) -> None:
        first = compiler.find_reference(str(source))
        second = compiler.find_reference(str(target))
        if compiler.undecided and (first is None or second is None):
            missing = source if first is None else target
            what = f"whether {missing} is there"
            compiler.warn(codes.OPAQUE_VALUE, self.unit.span(self.node), what=what)
            return
        if first is None:
            raise Problem(
                codes.MISSING_RESOURCE, resource=str(source), what=f" to come before {target}"
            )
        if second is None:
            raise Problem(
                codes.MISSING_RESOURCE, resource=str(target), what=f" to come after {source}"
            )
        old = first.params.get(self.parameter)
        have = [] if old is None or old.value is None else old.value
        value = [*have, str(target)] if isinstance(have, list) else [have, str(target)]
        param = Param(
            value, first.source, "arrow", unit=self.unit, node=self.node, frame=self.frame,
            guard=self.guard,
        )  # fmt: skip
        param.when = self.when
        first.set(self.parameter, param)


def _collected(end: Any) -> list[Any]:
    if isinstance(end, Collector | Realize):
        return [resource.ref for resource in end.collected.values()]
    return [end]


def _leftmost(end: Any) -> list[Any]:
    """The resources of an end; what stands left of a collector that found nothing."""
    if not isinstance(end, Collector | Realize):
        return [end]
    if end.collected:
        return [resource.ref for resource in end.collected.values()]
    alternative = end.alternative
    if alternative is None:
        return []
    if len(alternative) == 1:
        return _leftmost(alternative[0])
    return list(alternative)


@maker(ast.Relation)
def _relation(unit: Unit, node: ast.Relation) -> Code:
    left, right = make(unit, node.left), make(unit, node.right)
    parameter = "notify" if "~" in node.op else "before"
    reverse = node.op in ("<-", "<~")

    def relate(f: Frame) -> Any:
        compiler = f.scope.compiler
        a, b = left(f), right(f)
        unknown = opaque_in([a, b]) if compiler.opaque else None
        if unknown is not None:
            compiler.undecide(unit, node, unknown)
        try:
            lefts = _ends(compiler, a)
            rights = _ends(compiler, b)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        sources, targets = (rights, lefts) if reverse else (lefts, rights)
        spend(compiler, len(sources) * len(targets), unit, node)
        for source in sources:
            for target in targets:
                compiler.relations.append(Relation(source, target, parameter, f, unit, node))
        if not rights:
            return lefts
        if len(rights) == 1 and isinstance(rights[0], Collector | Realize):
            rights[0].alternative = lefts
        return rights

    return relate


def _ends(compiler: Compiler, value: Any) -> list[Any]:
    """The references and collectors that stand on one side of an arrow, each once."""
    found: list[Any] = []
    for item in flattened(value):
        if isinstance(item, Opaque):
            continue
        if isinstance(item, str):
            item = compiler.types.parsed(item, compiler.top)
        if isinstance(item, ResourceRef) and item.type is not None:
            if item.title is None:
                raise Problem(codes.BAD_RELATION, value=_shown(item))
            if item.type != "Node":
                compiler.resource_type(item.type.lower())
        elif not isinstance(item, ClassRef | Collector | Realize):
            raise Problem(codes.BAD_RELATION, value=_shown(item))
        if not any(item is other or item == other for other in found):
            found.append(item)
    return found


__all__ = ["Relation", "fail"]
