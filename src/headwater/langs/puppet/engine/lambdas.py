"""Lambdas and functions written in Puppet: binding arguments to parameters, running bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.blocks import make_block
from headwater.langs.puppet.engine.doing import computes
from headwater.langs.puppet.engine.expressions import Code, make
from headwater.langs.puppet.engine.steps import A_RUN, exhausted
from headwater.langs.puppet.engine.type_names import is_plain
from headwater.langs.puppet.engine.work import Work
from headwater.langs.puppet.fault import Next, Problem, Return, Unready, default_of, fail
from headwater.langs.puppet.program.definitions import Parameter
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Binding, Entered, Frame, Scope, inside
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import opaque_in

MOST_CALLS = 900
"""How many calls of functions and lambdas, and declarations, may be nested."""


class Calling(Protocol):
    """The call that a function is entered by."""

    unit: Unit
    node: Any
    frame: Frame


class Callee:
    """What a lambda and a function have in common: parameters, body, type of the result."""

    __slots__ = (
        "body", "computes", "does", "fixed", "least", "most", "name", "names", "node",
        "params", "returns", "simple", "steps", "typed", "unit",
    )  # fmt: skip

    def __init__(self, unit: Unit, node: ast.Lambda | ast.Function, name: str) -> None:
        self.unit = unit
        self.node = node
        self.name = name
        self.does = True
        """Whether it may do more than give a value; of a lambda that does not, no frame is kept."""
        self.computes = computes(node.body)
        """Whether a run only computes a value; all runs of an iteration then have one frame."""
        before = unit.size
        self.params = make_params(unit, node.params)
        self.names = [param.name for param in self.params]
        self.body = make_block(unit, node.body)
        self.returns: Code | None = make(unit, node.returns) if node.returns else None
        self.steps, unit.size = unit.size - before + A_RUN, before
        """What a run counts."""
        self.simple = self.returns is None and not any(
            param.type or param.default or param.splat for param in self.params
        )
        self.fixed = not any(param.default or param.splat for param in self.params)
        """Whether each parameter has a value as soon as there are as many arguments."""
        self.typed = self.returns is not None or any(param.type for param in self.params)
        self.least = sum(1 for p in self.params if p.default is None and not p.splat)
        splat = any(param.splat for param in self.params)
        self.most: int | None = None if splat else len(self.params)

    def run(self, frame: Frame, args: Sequence[Any]) -> Value:
        """Binds arguments in a new frame and runs the body."""
        work: Work = frame.scope.compilation.work
        if self.simple and len(args) == len(self.names):
            if len(args) == 1:
                frame.vars = {self.names[0]: args[0]}
            else:
                frame.vars = dict(zip(self.names, args, strict=True))
        else:
            self._bind(frame, args)
        work.depth = depth = work.depth + 1
        work.left = left = work.left - self.steps
        if depth > MOST_CALLS or left < 0:
            self.refuse(work)
        try:
            result = self.body(frame)
        except Next as jump:
            result = jump.value
        work.depth = depth - 1
        if self.returns is not None:
            self._check_result(frame, result)
        return result

    def resolve(self, frame: Frame) -> None:
        """Evaluates all types, whether they will be needed or not."""
        for param in self.params:
            if param.type is not None:
                found = type_of(param, frame)
                if isinstance(found, model.TypeReference):
                    problem = Problem(codes.UNKNOWN_TYPE, name=found.text)
                    raise problem.at(self.unit.span(param.node.type))
        if self.returns is not None:
            self.returns(frame)

    def refuse(self, work: Work) -> NoReturn:
        """Too many calls inside each other, or evaluations."""
        if work.left < 0:
            exhausted(work, self.unit, self.node)
        work.depth = 0
        fail(codes.TOO_MANY_CALLS, self.unit.span(self.node), bound=MOST_CALLS)

    def _check_result(self, frame: Frame, result: Value) -> None:
        assert self.returns is not None
        wanted = self.returns(frame)
        if not is_instance(wanted, result) and not opaque_in(result):
            from headwater.langs.puppet.types import infer_set, show_type

            raise Problem(
                codes.MISTYPED,
                message=f"value returned from {self.name} expects {_a(wanted)} value, "
                f"got {show_type(infer_set(result))}",
            )

    def _bind(self, frame: Frame, args: Sequence[Any]) -> None:
        params, names = self.params, self.names
        if self.fixed and len(args) == len(names):
            frame.vars = dict(zip(names, args, strict=True))
            for param, value in zip(params, args, strict=True):
                if param.type is not None:
                    wanted = param.type_value
                    if wanted is None or not is_instance(wanted, value):
                        self._check(frame, param, value)
            return
        if len(args) < self.least or (self.most is not None and len(args) > self.most):
            raise Problem(codes.MISTYPED, message=self._count(len(args)))
        bound = frame.vars
        frame.pending = _pending(self, frame)
        for index, param in enumerate(params):
            if param.splat:
                value: Any = list(args[index:])
                lone = len(value) == 1 and value[0] is None
                if (not value or lone) and param.default is not None:
                    value = param.default(frame)
                    value = value if isinstance(value, list) else [value]
            elif index < len(args):
                value = args[index]
            else:
                assert param.default is not None
                value = default_of(param.default, frame)
                frame.bindings[param.name] = Binding(
                    "default", self.unit, param.node.default, frame, frame.guard, None,
                    frame.scope.record.clock,
                )  # fmt: skip
            bound[param.name] = value
        frame.pending = None
        for param in params:
            if param.type is not None:
                self._check(frame, param, bound[param.name])

    def _check(self, frame: Frame, param: Parameter, value: Value) -> None:
        wanted = type_of(param, frame)
        if param.splat:
            element = wanted.element if isinstance(wanted, model.ArrayType) else wanted
            assert isinstance(value, list)
            good = all(is_instance(element, item) for item in value)
        else:
            good = is_instance(wanted, value)
        if not good and not opaque_in(value):
            from headwater.langs.puppet.types import infer_set, show_type

            raise Problem(
                codes.MISTYPED,
                message=f"{self.name}: parameter '{param.name}' expects {_a(wanted)} value, "
                f"got {show_type(infer_set(value))}",
            )

    def _count(self, given: int) -> str:
        least, most = self.least, self.most
        wanted = (
            str(least)
            if most == least
            else f"at least {least}"
            if most is None or (given < least)
            else f"at most {most}"
        )
        return f"{self.name} takes {wanted} arguments, got {given}"


def _a(type_: model.Type) -> str:
    from headwater.langs.puppet.types import show_type

    text = show_type(type_)
    return f"{'an' if text[0] in 'AEIOU' else 'a'} {text}"


def _pending(callee: Callee, frame: Frame) -> Callable[[str], None]:
    """Refuses reads of parameters that have no value yet."""
    names = callee.names

    def pending(name: str) -> None:
        if name in names:
            raise Unready(
                codes.PARAMETER_ORDER, resource=callee.name,
                name=names[len(frame.vars)] if len(frame.vars) < len(names) else name, other=name,
            )  # fmt: skip

    return pending


def type_of(param: Parameter, frame: Frame) -> model.Type:
    """The type of a parameter, found once per compilation, or once for all if it is plain."""
    if param.type_value is not None:
        return param.type_value
    cache = frame.scope.compilation.work.param_types
    found = cache.get(param)
    if found is None:
        assert param.type is not None
        found = cache[param] = param.type(frame)
        if is_plain(param.node.type):
            param.type_value = found
    return found


def make_params(unit: Unit, nodes: list[ast.Param]) -> list[Parameter]:
    """Parameters with their types and defaults compiled."""
    return [
        Parameter(
            node,
            make(unit, node.type) if node.type is not None else None,
            make(unit, node.default) if node.default is not None else None,
        )
        for node in nodes
    ]


class Lambda:
    """A lambda with the frame it was written in: what functions call a block.

    Its types are evaluated when it is handed over.
    """

    __slots__ = ("callee", "frame")

    def __init__(self, callee: Callee, frame: Frame) -> None:
        self.callee = callee
        self.frame = frame
        if callee.typed:
            callee.resolve(frame)

    @property
    def arity(self) -> tuple[int, int | None]:
        """How many arguments it must and may have."""
        return self.callee.least, self.callee.most

    @property
    def parameters(self) -> list[tuple[str, Any]]:
        """Names and types of the parameters."""
        return [
            (p.name, type_of(p, self.frame) if p.type is not None else None)
            for p in self.callee.params
        ]

    @property
    def callable_type(self) -> model.CallableType:
        """What it can be called with, as a type."""
        least, most = self.arity
        types = tuple(model.ANY if type_ is None else type_ for _, type_ in self.parameters)
        if most is None and isinstance(types[-1], model.ArrayType):
            types = (*types[:-1], types[-1].element)
        size = None if least == most and types else model.IntegerType(least, most)
        return model.CallableType(model.TupleType(types, size))

    def __call__(self, *args: object) -> Value:
        frame = inside(self.frame)
        frame.origin = self.callee
        most = self.callee.most
        return self.callee.run(frame, args if most is None else args[:most])

    def one(self) -> Callable[[Any], Any]:
        """The lambda as a function of one argument, to be called many times."""
        callee, up = self.callee, self.frame
        if not callee.simple or len(callee.names) != 1:
            return self
        body, (name,), scope, guard = callee.body, callee.names, up.scope, up.guard
        work, steps = scope.compilation.work, callee.steps
        outer = work.depth
        depth = outer + 1
        if depth > MOST_CALLS:
            return self
        if callee.computes:
            frame = Frame(up, scope, guard, {}, {}, None, callee)
            bound = frame.vars

            def compute(value: object) -> Value:
                work.left = left = work.left - steps
                if left < 0:
                    callee.refuse(work)
                bound[name] = value
                frame.match = None
                return body(frame)

            return compute

        def call(value: object) -> Value:
            work.depth = depth
            work.left = left = work.left - steps
            if left < 0:
                callee.refuse(work)
            try:
                result = body(Frame(up, scope, guard, {name: value}, {}, None, callee))
            except Next as jump:
                result = jump.value
            work.depth = outer
            return result

        return call

    def two(self) -> Callable[[Any, Any], Any]:
        """The lambda as a function of two arguments, to be called many times."""
        callee, up = self.callee, self.frame
        if not callee.simple or len(callee.names) != 2:
            return self
        body, (first, second), scope, guard = callee.body, callee.names, up.scope, up.guard
        work, steps = scope.compilation.work, callee.steps
        outer = work.depth
        depth = outer + 1
        if depth > MOST_CALLS:
            return self
        if callee.computes:
            frame = Frame(up, scope, guard, {}, {}, None, callee)
            bound = frame.vars

            def compute(a: object, b: object) -> Value:
                work.left = left = work.left - steps
                if left < 0:
                    callee.refuse(work)
                bound[first] = a
                bound[second] = b
                frame.match = None
                return body(frame)

            return compute

        def call(a: object, b: object) -> Value:
            work.depth = depth
            work.left = left = work.left - steps
            if left < 0:
                callee.refuse(work)
            try:
                result = body(Frame(up, scope, guard, {first: a, second: b}, {}, None, callee))
            except Next as jump:
                result = jump.value
            work.depth = outer
            return result

        return call

    def named(self, arguments: Mapping[str, Any]) -> Value:
        """Calls it with arguments by name."""
        return self(*[arguments.get(name) for name in self.callee.names])


class Watched(Lambda):
    """A lambda whose results decide something: it is noted if one of them is unknown."""

    __slots__ = ()

    def __init__(self, of: Lambda) -> None:
        super().__init__(of.callee, of.frame)

    def __call__(self, *args: object) -> Value:
        result = super().__call__(*args)
        if opaque_in(result) is not None:
            self.frame.scope.record.guesses.guessed = True
        return result

    def one(self) -> Callable[[Any], Any]:
        """Itself."""
        return self

    def two(self) -> Callable[[Any, Any], Any]:
        """Itself."""
        return self


def call_function(callee: Callee, scope: Scope, args: Sequence[Any], call: Calling) -> Value:
    """Calls a function written in Puppet: it sees its parameters and the top (or node) only."""
    frame = inside(scope)
    frame.guard = call.frame.guard
    frame.origin = Entered(callee, call.unit, call.node, call.frame, scope.record.clock)
    scope.compilation.record.entered.append(frame)
    try:
        return callee.run(frame, args)
    except Return as jump:
        scope.compilation.work.depth -= 1
        return jump.value  # which Puppet does not check
