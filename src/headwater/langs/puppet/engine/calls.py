"""Calls of functions: built in, of the compiler, written in Puppet, or unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.effects import active
from headwater.langs.puppet.engine.expressions import Code, make, make_list, maker
from headwater.langs.puppet.engine.frames import UNBOUND, Frame, decide, find
from headwater.langs.puppet.engine.lambdas import Callee, Lambda
from headwater.langs.puppet.engine.weights import weighed
from headwater.langs.puppet.fault import Break, Fault, Next, Problem, Return
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.regexps import BadRegexp, TooHard
from headwater.langs.puppet.types.versions import BadVersion
from headwater.langs.puppet.values import Sensitive

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler


class Call(msgspec.Struct, eq=False):
    """One call, as the function sees it (the protocol is `functions_protocol.Context`)."""

    frame: Frame
    unit: Unit
    node: Any
    name: str

    @property
    def compiler(self) -> Compiler:
        """The compilation it happens in."""
        return self.frame.scope.compiler

    def fail(self, message: str) -> NoReturn:
        raise Problem(codes.FUNCTION_FAILED, name=self.name, message=message)

    def mistyped(self, message: str) -> NoReturn:
        raise Problem(codes.MISTYPED, message=f"{self.name}: {message}")

    def log(self, level: str, message: str) -> None:
        self.compiler.log(level, message, self.unit.span(self.node))

    def variable(self, name: str) -> Any:
        value = self.lookup(name)
        return None if value is UNBOUND else value

    def has_variable(self, name: str) -> bool:
        return self.lookup(name) is not UNBOUND

    def lookup(self, name: str) -> Any:
        self.external("variable", name)
        if "::" in name:
            return self.compiler.qualified(name.removeprefix("::"))
        return find(self.frame, name)

    def call(self, name: str, args: Sequence[Any], block: Any = None) -> Any:
        return invoke(self.frame, self.unit, self.node, name, list(args), block)

    def external(self, kind: str, text: str, path: str | None = None) -> None:
        self.compiler.external(kind, text, path, self.frame, self.unit, self.node)

    def resolve_type(self, text: str) -> Any:
        return self.compiler.types.parsed(text, self.frame)

    def find_file(self, kind: str, name: str) -> str | None:
        return self.compiler.loader.file_of(kind, name)

    def module_directory(self, name: str) -> str | None:
        return self.compiler.loader.module_directory(name)

    @property
    def strict(self) -> str:
        return self.compiler.strict


@maker(ast.Call)
def _call(unit: Unit, node: ast.Call) -> Code:
    args = make_list(unit, node.args)
    functor = node.function
    if isinstance(functor, ast.Name):
        return _named(unit, node, functor.value, args, node.block)
    type_ = make(unit, functor)
    return _named(unit, node, "new", lambda f: [type_(f), *args(f)], node.block)


@maker(ast.Method)
def _method(unit: Unit, node: ast.Method) -> Code:
    args = make_list(unit, [node.receiver, *node.args])
    return _named(unit, node, node.function.value, args, node.block)


def _named(
    unit: Unit,
    node: ast.Call | ast.Method,
    name: str,
    args: Callable[[Frame], list[Any]],
    block: ast.Lambda | None,
) -> Code:
    name = name.removeprefix("::")
    jump = _JUMPS.get(name)
    if jump is not None and block is None:
        return jump(unit, node, args)
    if block is None:
        return lambda f: invoke(f, unit, node, name, args(f), None)
    callee = Callee(unit, block, "lambda")
    if active(block.body):

        def iterate(f: Frame) -> Any:
            values, guard = args(f), f.guard
            decide(f, unit, node, None)
            f.guard = guard  # the frames of the lambda know the call by themselves
            return invoke(f, unit, node, name, values, Lambda(callee, f))

        return iterate
    return lambda f: invoke(f, unit, node, name, args(f), Lambda(callee, f))


def invoke(f: Frame, unit: Unit, node: Any, name: str, args: list[Any], block: Any) -> Any:
    """Calls a function by name."""
    compiler = f.scope.compiler
    function = compiler.functions.get(name)
    if function is None:
        function = compiler.function(name, unit, node)
    try:
        result = function(Call(f, unit, node, name), args, block)
        kind = result.__class__
        if kind is Sensitive:
            compiler.secrets.append((f, unit, node, result))
        elif kind is list or kind is Hash or kind is str:
            return weighed(f, unit, node, result)
        return result
    except Problem as problem:
        raise problem.at(unit.blamed(node)) from None
    except (BadType, BadVersion, BadRegexp) as error:
        failed = codes.FUNCTION_FAILED.at(unit.blamed(node), name=name, message=str(error))
        raise Fault(failed) from None
    except TooHard as error:
        at = unit.blamed(node)
        raise Fault(codes.REGEX_BOUND.at(at, pattern="…", reason=str(error))) from None


def _jump(kind: type[Next] | type[Return]) -> Callable[..., Code]:
    def make_jump(unit: Unit, node: Any, args: Callable[[Frame], list[Any]]) -> Code:
        span = unit.span(node)

        def jump(f: Frame) -> NoReturn:
            values = args(f)
            if len(values) > 1:
                raise Fault(codes.MISTYPED.at(span, message="expects at most one argument"))
            raise kind(values[0] if values else None, span)

        return jump

    return make_jump


def _break(unit: Unit, node: Any, args: Callable[[Frame], list[Any]]) -> Code:
    span = unit.span(node)

    def leave(f: Frame) -> NoReturn:
        raise Break(None, span)

    return leave


_JUMPS: dict[str, Callable[..., Code]] = {
    "next": _jump(Next),
    "return": _jump(Return),
    "break": _break,
}
