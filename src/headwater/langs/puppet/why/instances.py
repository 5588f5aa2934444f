"""What is the same for every instance of a define is found once.

A define that is used a thousand times declares the same resources each time, and so does a lambda
that is called a thousand times.  Frames of one body are *alike* if it has a `Recipe`, what it
reads came about in the same way, and what it chooses by has the same values.  Then everything in
them came about in the same way, and one of them speaks for all.

To be asked only while no other question is open: an answer in part would make frames alike that
are not.
"""

from __future__ import annotations

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Entered, Frame, Scope, binding_of
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.changes import changes_anything
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.langs.puppet.why.recipes import Recipe, is_constant, recipe_of
from headwater.langs.puppet.why.variables import bound_node
from headwater.why import NOTHING

_SCALARS = frozenset([str, Bytes, int, float, bool, type(None)])
"""The kinds of values that are compared where something was chosen by them."""

Alike = tuple[object, ...]
"""What frames have to agree in."""


class Instances:
    """Resources of defines and lambdas, and which one speaks for those that came about alike."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._spokesmen: dict[Resource, Resource] = {}
        self._frames: dict[int, Frame | None] = {}
        self._first: dict[Alike, Frame] = {}
        self._recipes: dict[int, Recipe | None] = {}
        self._constants: dict[int, bool] = {}
        self._declared: dict[tuple[int, int], Resource | None] | None = None

    def like(self, resource: Resource) -> Resource:
        """The resource that speaks for one: another that came about alike, or itself."""
        known = self._spokesmen.get(resource)
        if known is None:
            known = self._spokesmen[resource] = self._like(resource)
        return known

    def _like(self, resource: Resource) -> Resource:
        found = declared(resource)
        if found.frame is None or not isinstance(found.body, ast.Body):
            return resource
        first = self._frame(found.frame, found.when)
        if first is None or first is found.frame:
            return resource
        other = self._only(first, found.body)
        if other is None or self._only(found.frame, found.body) is not resource:
            return resource
        return other if _is_regular(resource) and _is_regular(other) else resource

    def _only(self, frame: Frame, body: ast.Body) -> Resource | None:
        """The resource that a body declared in a frame, if it was one."""
        if self._declared is None:
            only: dict[tuple[int, int], Resource | None] = {}
            for resource in self._replay.left.catalog.resources:
                found = declared(resource)
                key = (id(found.frame), id(found.body))
                only[key] = None if key in only else resource
            self._declared = only
        return self._declared.get((id(frame), id(body)))

    def same(self, resource: Resource, name: str, param: Param) -> Resource:
        """The resource that speaks for a parameter: nothing replaced it there or here, or could."""
        other = self.like(resource)
        if other is resource or self._replay.indexes.rewritten(resource.type, name):
            return resource
        its = other.params.get(name)
        if its is None or its.node is not param.node or its.how != param.how:
            return resource
        return other if self._is_plain(param) and self._is_plain(its) else resource

    def _is_plain(self, param: Param) -> bool:
        """Whether a parameter has what is written with its resource, or a constant default."""
        if param.old is not None or param.add or param.node is None:
            return False
        if param.how == "given":
            return param.when is None and isinstance(param.node, ast.Attribute)
        if param.how != "parameter default":
            return False
        known = self._constants.get(id(param.node))
        if known is None:
            known = self._constants[id(param.node)] = is_constant(param.node)
        return known

    # -- frames ----------------------------------------------------------------------------------

    def _frame(self, frame: Frame, when: int) -> Frame | None:
        """The first frame like one that code ran in at a time; none if that cannot be told."""
        key = id(frame)
        if key not in self._frames:
            alike = self._alike(frame, when)
            self._frames[key] = None if alike is None else self._first.setdefault(alike, frame)
        return self._frames[key]

    def _alike(self, frame: Frame, when: int) -> Alike | None:
        replay = self._replay
        if changes_anything(replay) or replay.left.record.guesses.guessed:
            return None
        if not replay.absences.stays(frame):
            return None
        if isinstance(frame, Scope):
            return self._define(frame, when)
        if frame.origin is None or frame.up is None or isinstance(frame.origin, Entered):
            return None
        return self._lambda(frame, when)

    def _lambda(self, frame: Frame, when: int) -> Alike | None:
        body, replay = frame.origin, self._replay
        if not isinstance(body.node, ast.Lambda) or any(
            one.default is not None or one.splat for one in body.node.params
        ):
            return None
        around = self._around(frame, when, self._recipe(body.unit, body.node))
        if around is None:
            return None
        given = (
            replay.memo.once(("bound", id(frame), name, ()), bound_node, replay, frame, name, ())
            for name in body.names
        )
        return (id(body.node), id(frame.up), id(frame.guard), *given, *around)

    def _define(self, scope: Scope, when: int) -> Alike | None:
        resource = scope.resource
        definition = None if resource is None else resource.definition
        if resource is None or definition is None or not isinstance(definition.node, ast.Define):
            return None
        found = declared(resource)
        if definition.unit is None or found.frame is None or scope.defaults:
            return None
        if self._frame(found.frame, found.when) is None:
            return None  # it stands alone
        params: list[object] = []
        for name, param in resource.params.items():
            if not self._is_plain(param):
                return None
            params += (name, param.how, id(param.node))
        around = self._around(scope, when, self._recipe(definition.unit, definition.node))
        if around is None:
            return None
        return (id(self.like(resource)), id(scope.outer), *params, *around)

    def _recipe(self, unit: Unit, node: ast.Lambda | ast.Define) -> Recipe | None:
        """The recipe of a body, unless it read parameters of resources."""
        key = id(node)
        if key not in self._recipes:
            found = recipe_of(unit, node)
            asks = self._replay.indexes.reads_of
            if found is not None and any(asks(one) for one in found.accesses):
                found = None
            self._recipes[key] = found
        return self._recipes[key]

    def _around(self, frame: Frame, when: int, recipe: Recipe | None) -> Alike | None:
        """Where the variables of others are that a body reads, and the values it chooses by."""
        if recipe is None:
            return None
        own, found = frame.vars, list[object]()
        for name in recipe.whole:
            if name not in own:
                found.append(self._outside(frame, when, name))
        for name in recipe.parts:
            found.append(None if name in own else self._outside(frame, when, name))
        if None in found or any(n in own and not isinstance(own[n], str) for n in recipe.texts):
            return None
        for node in recipe.deciding:
            value = self._value(frame, node)
            if value.__class__ not in _SCALARS:
                return None
            found += (value.__class__, value)
        return tuple(found)

    def _value(self, frame: Frame, node: ast.Expr) -> object:
        """The value of an expression in a frame whose body ran to its end."""
        if isinstance(node, ast.Variable):
            # What others have is the same for all that look in the same place.
            return frame.vars.get(node.name)
        unit = frame.scope.source.unit if frame.origin is None else frame.origin.unit
        assert unit is not None
        return self._replay.value(Here(unit, frame, None, FOREVER), node)

    def _outside(self, frame: Frame, when: int, name: str) -> int | None:
        """Which frame around one has a variable, if only that could."""
        absences, owner = self._replay.absences, None
        at: Frame | None = frame
        while at is not None:
            if name in at.vars:
                binding = binding_of(at, name)
                if binding is not None and binding.when > when:
                    return None
                owner = id(at) if owner is None else owner
            elif owner is None and absences.variable(at, name, FOREVER) != NOTHING:
                return None
            at = at.up if at.up is not None else at.scope.outer
        return owner


def _is_regular(resource: Resource) -> bool:
    """Whether a resource is there as it was declared, and all about it is known."""
    return (
        resource.unknown is None
        and resource.untold is None
        and not resource.virtual
        and not resource.exported
        and resource.type not in ("Class", "Node")
    )
