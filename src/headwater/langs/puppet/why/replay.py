"""`Replay`: expressions are followed again over the frames that were recorded.

Variables are assigned once, so a frame as it is at the end says what every expression saw,
as far as it was written before.  Here the parts of this room are put together.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.engine.apart import Apart
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why import (
    access,
    assignments,
    blocks,
    classes,
    conditionals,
    declarations,
    meddling,
    operators,
    queries,
    reasons,
    resources,
    strings,
    templates,
)
from headwater.langs.puppet.why import variables as variables_
from headwater.langs.puppet.why.absences import Absences
from headwater.langs.puppet.why.calls import body_of, functions_called, reads
from headwater.langs.puppet.why.constructs import EXPLAINERS
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.indexes import Indexes
from headwater.langs.puppet.why.inputs import InputLabels
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.left import Left
from headwater.langs.puppet.why.literals import ALIKE, LITERALS, PASSING
from headwater.langs.puppet.why.memo import Memo
from headwater.langs.puppet.why.questions import Absences as AnyAbsences
from headwater.langs.puppet.why.questions import Path
from headwater.langs.puppet.why.replayed import value_then
from headwater.langs.puppet.why.tagging import tagging
from headwater.langs.puppet.why.timelines import Timeline
from headwater.langs.puppet.why.witnesses import Witnesses
from headwater.why import Node, Trace, depends
from headwater.why.trace import LABEL, MISS

CONSTRUCTS = (
    access, assignments, blocks, conditionals, operators, resources, strings, templates, variables_,
)  # fmt: skip
"""Modules that register how their nodes are explained; the others are needed here anyway."""


_NO_INPUTS = frozenset(["definition", "miss"])


class Replay:
    """The trace of one compilation, made as questions come."""

    telling = True

    def __init__(
        self, compilation: Compilation, secrets: Secrets, absences: AnyAbsences | None = None
    ) -> None:
        self._apart = Apart(compilation)
        self.left = Left(compilation, self._apart)
        self.trace = self.new_trace()
        self.labels = self.new_labels(secrets)
        self.inputs = InputLabels(self.labels, compilation.inputs)
        self.memo = Memo()
        self._literals: dict[int, Node] = {}
        self._constants: dict[int, Any] = {}
        self._resting = bytearray()
        self._inventory: Timeline[Resource | str] | None = None
        self.indexes = Indexes(compilation.record)
        self.strict = self._is_strict(compilation)
        scopes = compilation.record.scopes
        self.witnesses = Witnesses(n for n, scope in scopes.items() if classes.is_class(scope))
        self.absences: AnyAbsences = self.new_absences() if absences is None else absences
        classes.find_witnesses(self)

    def new_trace(self) -> Trace:
        """The trace that is made."""
        return Trace()

    def new_labels(self, secrets: Secrets) -> Labels:
        """The labels of inputs."""
        return Labels(self.trace, secrets)

    def new_absences(self) -> AnyAbsences:
        """What did not happen."""
        return Absences(self)

    @staticmethod
    def _is_strict(compilation: Compilation) -> bool:
        messages = compilation.messages
        return messages.strict_variables or messages.strict == "error"

    # -- values ----------------------------------------------------------------------------------

    def of(self, here: Here, node: object, path: Path = ()) -> Node:
        """How the value of an expression (or what lies in it along a path) came about."""
        kind = type(node)
        if kind in ALIKE:  # whoever evaluates it, so that thousands of frames share one answer
            found = self._literals.get(id(node))
            if found is None:
                found = self._literals[id(node)] = EXPLAINERS[kind](self, here, node, path)
            return found
        if kind is ast.Variable:
            own = variables_.own_node(self, here, node, path)  # type: ignore[arg-type]
            if own is not None:
                return own
        elif kind in PASSING:
            return self.of(here, node.value, path)  # type: ignore[attr-defined]
        _, frame, guard, when = here
        key = (id(node), id(frame), id(guard), when, path)
        known = self.memo.whole.get(key)
        if known is not None:
            return known
        return self.memo.once(key, EXPLAINERS[kind], self, here, node, path)

    def everything(self, here: Here, *nodes: object) -> Node:
        """All that is written in a piece of program, and all that it could have read."""
        _, frame, guard, when = here
        where = (id(frame), id(guard), when)
        return self.trace.union(
            *(self.memo.once((id(node), where), self._everything, here, node) for node in nodes)
        )

    def _everything(self, here: Here, node: object) -> Node:
        found: list[Node] = []
        todo = [(node, here)]
        functions: set[str] = set()
        while todo:
            at, where = todo.pop()
            if isinstance(at, LITERALS):
                found.append(self.labels.of(where.unit, at))
            elif isinstance(at, ast.Variable | ast.TypeName):
                found.append(self.of(where, at))
            elif isinstance(at, ast.Relation) and at is not node and where is here:
                found.append(self.everything(here, at))  # each arrow of a chain asks for the rest
            elif isinstance(at, ast.Record):
                if isinstance(at, ast.Array | ast.Hash):
                    found.append(self.labels.structure(where.unit, at))
                elif isinstance(at, ast.Access):
                    found += reads(self, where, at)
                    if isinstance(at.left, ast.TypeName):
                        found += queries.named(self, where, at)
                    if isinstance(unwound(at.left), ast.Access):
                        found.append(self.of(where, at))
                elif isinstance(at, ast.Call | ast.Method):
                    found += reads(self, where, at)
                    for name in functions_called(self, where, at):
                        todo += body_of(self, where, name, functions)
                named = at.function if isinstance(at, ast.Call | ast.Method) else None
                plain = isinstance(named, ast.Name)  # the name of a function is no input
                parts = (part for part in ast.children(at) if not plain or part is not named)
                todo.extend((part, where) for part in parts)
        return self.trace.union(*found)

    def value(self, here: Here, node: object) -> Any:  # noqa: ANN401
        """The value of an expression that only gives a value; `UNKNOWN` for others."""
        if type(node) not in ALIKE:
            return value_then(self, self._apart, here, node)
        known = self._constants
        if id(node) not in known:
            known[id(node)] = value_then(self, self._apart, here, node)
        return known[id(node)]

    def variable(self, here: Here, name: str, path: Path, node: object) -> Node:
        """How a variable that was read got its value."""
        return variables_.variable_node(self, here, name, path, node)

    def undef(self, causes: Node) -> Node:
        """A value that is not there."""
        return self.trace.operation("undef", [], causes)

    # -- why code ran, and what there is ---------------------------------------------------------

    def guards(self, guard: Guard | None) -> Node:
        """The conditions around a piece of program."""
        return reasons.guards(self, guard)

    def deciding(self, guard: Guard, options: int) -> Node:
        """β: what a decision was made by, up to an option of a case."""
        return reasons.deciding(self, guard, options)

    def epc(self, here: Here) -> Node:
        """Why a piece of program ran."""
        return reasons.epc(self, here)

    def tpc(self, here: Here) -> Node:
        """What decided when a piece of program ran."""
        return reasons.tpc(self, here)

    def entry(self, frame: Frame) -> Node:
        """Why the code of a frame ran at all."""
        return reasons.entry(self, frame)

    def timing(self, frame: Frame) -> Node:
        """What decided when the code of a frame ran."""
        return reasons.timing(self, frame)

    def link(self, name: str) -> Node:
        """λ(a): what decided where and when a class was first declared."""
        return classes.link(self, name)

    def exists(self, resource: Resource) -> Node:
        """Why a resource is there."""
        return declarations.exists(self, resource)

    def declared_until(self, when: int) -> Node:
        """Why all was declared that was there at a time, resources and classes."""
        if self._inventory is None:
            self._inventory = queries.inventory(self.left)
        return self._inventory.until(self, when)

    def query(self, here: Here, node: object) -> Node:
        """The catalog as a call of defined() or tagged() sees it."""
        found = queries.query(self, here)
        resource = here.frame.scope.resource
        if resource is None or not isinstance(node, ast.Call | ast.Method):
            return found
        if name_called(node) == "defined":
            return found
        return self.trace.union(found, tagging(self, resource))

    def parameter(self, here: Here, resource: Resource, name: str) -> Node:
        """A parameter of a resource as a function saw it."""
        return access.parameter_node(self, here, resource, name)

    def meddle(self, resource: Resource, name: str) -> Node:
        """Who else could have written a parameter."""
        return meddling.others(self, resource, name)

    def size(self, node: Node) -> tuple[Any, ...]:
        """How much something depends on: of several reasons for one thing the smallest is told."""
        if not self._inputs_below(node):
            return (0, [])
        labels = [x for x in depends(self.trace, node) if x.kind not in _NO_INPUTS]
        return (len(labels), sorted(x.order[1:] for x in labels))

    def _inputs_below(self, node: Node) -> bool:
        """Whether a node rests on anything but definitions and misses: most classes do not.

        Nodes come after their children, so each is looked at once, whoever asks.
        """
        known, trace = self._resting, self.trace
        for at in range(len(known), node + 1):
            tag = trace.tags[at]
            if tag in (LABEL, MISS):
                known.append(trace.labels[trace.left[at]].kind not in _NO_INPUTS)
            else:
                known.append(any(known[child] for child in trace.children(Node(at))))
        return bool(known[node])
