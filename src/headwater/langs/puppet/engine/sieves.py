"""The query of a collector as a sieve: what lets those resources pass that it asks for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.population import Population, key
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.expressions import make, unwound
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Sieve
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown, equals, folded, includes
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, ResourceRef, opaque_in

_QUERIED = (
    ast.Access, ast.Variable, ast.Boolean, ast.String, ast.Interpolated, ast.Integer, ast.Float,
    ast.Undef, ast.Name,
)  # fmt: skip


_TEXT = frozenset([str])


def make_query(unit: Unit, node: object) -> Callable[[Frame], Any]:
    """The closure that makes the sieve of a query, or gives the value that stands there."""
    node = unwound(node)
    if not isinstance(node, ast.Binary):
        return make(unit, node) if isinstance(node, _QUERIED) else _not_queried
    if node.op not in ("and", "or", "==", "!="):
        return _not_queried
    left, right = make_query(unit, node.left), make_query(unit, node.right)
    if node.op in ("and", "or"):
        combined = Both if node.op == "and" else Either
        return lambda f: combined(sieve_of(left(f)), sieve_of(right(f)))
    return lambda f: _comparison(left(f), right(f), node.op == "==", f, unit, node)


def sieve_of(found: Value | Sieve) -> Sieve:
    """A sieve; a value is none, which shows as soon as a resource is to be tested."""
    return found if callable(found) else Broken(found)


def narrowed(sieve: Sieve | None, population: Population) -> list[Resource] | None:
    """Resources among which are all that pass a sieve; None where every one must be tested."""
    match sieve:
        case Tagged(tags):
            return population.tagged(tags)
        case Valued(attribute, wanted) if key(wanted) is not None:
            return population.valued(attribute, wanted)
        case Both(left, right):
            # Left may be no question, which is a mistake if there is any resource to ask it of.
            plain = isinstance(left, Tagged | Valued | Unequal)
            by_right = plain and _number(right, population) < _number(left, population)
            return narrowed(right if by_right else left, population)
        case Either(left, right):
            one, other = narrowed(left, population), narrowed(right, population)
            return None if one is None or other is None else population.together(one, other)
    return None


def asks_tags_alone(sieve: Sieve | None) -> bool:
    """Whether nothing but tags decides what passes."""
    match sieve:
        case Tagged():
            return True
        case Both(left, right) | Either(left, right):
            return asks_tags_alone(left) and asks_tags_alone(right)
    return False


def _number(sieve: Sieve, population: Population) -> float:
    """About how many resources are left when a sieve narrows them."""
    match sieve:
        case Tagged(tags):
            return population.number_tagged(tags)
        case Valued(attribute, wanted) if key(wanted) is not None:
            return population.number_valued(attribute, wanted)
        case Both(left, right):
            return min(_number(left, population), _number(right, population))
        case Either(left, right):
            return _number(left, population) + _number(right, population)
    return math.inf


@dataclass(frozen=True)
class Broken:
    """A value where a question should stand."""

    value: Value

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        if not resources:
            return []
        what = "undef" if self.value is None else _shown(self.value)
        raise Problem(codes.CANNOT_COLLECT, message=f"{what} is no question about a resource")


@dataclass(frozen=True)
class Both:
    """``left and right``"""

    left: Sieve
    right: Sieve

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        return self.right(self.left(resources))


@dataclass(frozen=True)
class Either:
    """``left or right``"""

    left: Sieve
    right: Sieve

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        found = set(self.left(resources))
        found.update(self.right([resource for resource in resources if resource not in found]))
        return [resource for resource in resources if resource in found]


@dataclass(frozen=True)
class Tagged:
    """``tag == 'text'``: who has one of the tags, or stands in something that has."""

    tags: list[str]

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        # Many stand in the same scope, and each scope is asked once.
        tags = self.tags
        around = {resource.declared.scope for resource in resources}
        asked = [(s, s.resource) for s in around if s is not None]
        outside = {s for s, owner in asked if owner is not None and owner.has_tag(tags)}
        if outside or len(tags) != 1:
            wanted = frozenset(tags)
            return [
                resource
                for resource in resources
                if resource.declared.scope in outside or not wanted.isdisjoint(resource.tags)
            ]
        (tag,) = tags
        return [resource for resource in resources if tag in resource.tags]


@dataclass(frozen=True)
class Valued:
    """``attribute == value``; a list is asked for an element.  `doubt` tells what is unknown."""

    attribute: str
    wanted: Any
    doubt: Callable[[Any], bool]
    frame: Frame

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        known = not self.frame.scope.compilation.work.opaque
        if known and self.attribute != "title" and self.wanted.__class__ is str:
            return self._quickly(resources)
        return [resource for resource in resources if self._passes(resource.value(self.attribute))]

    def _quickly(self, resources: list[Resource]) -> list[Resource]:
        """The same for a text, while nothing is unknown."""
        attribute, wanted, same = self.attribute, self.wanted, folded(self.wanted)
        found: list[Resource] = []
        for resource in resources:
            param = resource.params.get(attribute)
            if param is None:
                continue
            have = param.value
            if have.__class__ is str:
                passes = have == wanted or folded(have) == same
            elif have.__class__ is list and _TEXT.issuperset(map(type, have)):
                passes = wanted in have or same in map(folded, have)
            else:
                passes = self._passes(have)
            if passes:
                found.append(resource)
        return found

    def _passes(self, have: Value) -> bool:
        if self.doubt(have):
            return False
        if isinstance(have, list):
            return includes([_plain(item) for item in have], self.wanted, self.frame)
        return equals(_plain(have), self.wanted)


@dataclass(frozen=True)
class Unequal:
    """``attribute != value``"""

    attribute: str
    wanted: Any
    doubt: Callable[[Any], bool]

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        return [resource for resource in resources if self._passes(resource)]

    def _passes(self, resource: Resource) -> bool:
        have = resource.value(self.attribute)
        return not self.doubt(have) and not equals(_plain(have), self.wanted)


def _comparison(
    attribute: Value | Sieve, value: Value | Sieve, equal: bool, f: Frame, unit: Unit, node: object
) -> Sieve:
    """The sieve of ``attribute == value`` or ``attribute != value``."""
    if isinstance(attribute, Opaque):
        _doubts(f, unit, node, attribute)
        return lambda resources: []
    if not isinstance(attribute, str):
        return sieve_of(None if callable(attribute) else attribute)
    wanted: Any = object() if callable(value) else _plain(value)
    doubt = _doubts(f, unit, node, wanted)
    if not equal:
        return Unequal(attribute, wanted, doubt)
    if attribute == "tag":
        tags = []
        for tag in value if isinstance(value, list) else [value]:
            if isinstance(tag, Opaque):
                continue
            if isinstance(tag, int | float) and not isinstance(tag, bool):
                raise Problem(codes.BAD_TAG, name=str(tag))
            tags.append(str(tag).lower())
        return Tagged(tags)
    return Valued(attribute, wanted, doubt, f)


def _doubts(f: Frame, unit: Unit, node: object, wanted: object) -> Callable[[Any], bool]:
    """Whether it is unknown if an attribute is what is wanted; it is then taken not to be."""
    compilation = f.scope.compilation

    def doubt(have: object) -> bool:
        unknown = opaque_in([wanted, have]) if compilation.work.opaque else None
        if unknown is not None:
            compilation.messages.undecide(unit, node, unknown)
        return unknown is not None

    doubt(None)
    return doubt


def _not_queried(f: Frame) -> Sieve:
    """A query is of plain values: no calculation, no collection."""
    raise Problem(codes.CANNOT_COLLECT, message="a query compares plain values")


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, ResourceRef) else value
