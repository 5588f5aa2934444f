"""``newfunction``: functions of the older API, which run as methods of the scope."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.exchange import from_ruby, to_old
from headwater.langs.puppet.ruby.frames import Return
from headwater.langs.puppet.ruby.functions import OldFunction, compiler_of, functions_of
from headwater.langs.puppet.ruby.library import FUNCTIONS3, SCOPE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.scope import ScopeObject
from headwater.langs.puppet.ruby.values import UNDEFINED, Proc, Text, symbol


@own_method(FUNCTIONS3, "newfunction")
def newfunction(
    m: Machine, self: Any, name: Any, options: Any = UNDEFINED, block: Proc | None = None
) -> Any:
    called = to.name_of(m, name)
    given = Hash() if options is UNDEFINED else to.hash_(m, options)
    kind = given.get(symbol("type"), symbol("statement"))
    arity = given.get(symbol("arity"), -1)
    if kind not in (symbol("statement"), symbol("rvalue")):
        m.fail("Puppet::DevError", f"Invalid statement type {m.inspect(kind)}")
    if block is None:
        m.fail("ArgumentError", "tried to create Proc object without a block")
    functions_of(m).old[called] = OldFunction(called, block, int(arity), kind is symbol("rvalue"))
    return Hash.of(
        [(symbol("arity"), arity), (symbol("type"), kind), (symbol("name"), f"function_{called}")]
    )


@own_method(FUNCTIONS3, "function")
def function(m: Machine, self: Any, name: Any, environment: Any = UNDEFINED) -> Any:
    called = to.name_of(m, name)
    return Text(f"function_{called}") if compiler_of(m).has_old(called) else False


@own_method(FUNCTIONS3, "rvalue?")
def gives_value(m: Machine, self: Any, name: Any, environment: Any = UNDEFINED) -> bool:
    found = functions_of(m).old.get(to.name_of(m, name))
    return found is not None and found.gives


@own_method(FUNCTIONS3, "arity")
def arity_of(m: Machine, self: Any, name: Any, environment: Any = UNDEFINED) -> int:
    found = functions_of(m).old.get(to.name_of(m, name))
    return -1 if found is None else found.arity


@own_method(FUNCTIONS3, "autoloader", "environment_module")
def autoloader(m: Machine, self: Any, *args: Any) -> Any:
    raise Beyond("Puppet::Parser::Functions.autoloader")


def call_old(m: Machine, function: OldFunction, caller: Any, args: list[Any]) -> Any:
    """Calls a function from Puppet: its arguments are made what the older API knows."""
    return from_ruby(run_old(m, function, caller, [to_old(arg) for arg in args]))


def run_old(m: Machine, function: OldFunction, caller: Any, args: list[Any]) -> Any:
    """Calls a function from Ruby."""
    count, arity = len(args), function.arity
    least = arity if arity >= 0 else -arity - 1
    if count < least or (arity >= 0 and count > arity):
        bound = f"{arity}" if arity >= 0 else f"minimum {least}"
        m.fail(
            "ArgumentError",
            f"{function.name}(): Wrong number of arguments given ({count} for {bound})",
        )
    try:
        result = function.block.call([args], None, ScopeObject(caller))
    except Return as jump:
        result = jump.value
    return _returned(result) if function.gives else None


def _returned(value: Any) -> Any:
    """A result without :undef in it."""
    if value is symbol("undef"):
        return None
    if value.__class__ is list:
        return [_returned(item) for item in value]
    if isinstance(value, Hash):
        return Hash.of((_returned(name), _returned(item)) for name, item in value.pairs())
    return value


def methods_in(tree: s.Program) -> str | None:
    """The first ``def`` in a file of the older API, which Puppet refuses."""
    todo: list[Any] = [tree.body]
    while todo:
        node = todo.pop()
        if isinstance(node, s.Definition):
            return node.name
        if isinstance(node, s.Node):
            todo.extend(getattr(node, name) for name in node.__struct_fields__)
        elif isinstance(node, list):
            todo.extend(reversed(node))
    return None


@method(SCOPE, "method_missing")
def method_missing(m: Machine, self: Any, name: Any, *args: Any, block: Proc | None = None) -> Any:
    """``scope.function_x([…])``: a function of the older API."""
    called = to.name_of(m, name)
    plain = called.removeprefix("function_")
    compiler = compiler_of(m)
    if plain == called or not compiler.has_old(plain):
        raise m.error("NoMethodError", f"undefined method `{called}' for {m.described(self)}")
    if not args or args[0].__class__ is not list:
        raise m.error(
            "ArgumentError",
            "custom functions must be called with a single array that contains the arguments. "
            "For example, function_example([1]) instead of function_example(1)",
        )
    return compiler.call_old(self.context, plain, list(args[0]))


@method(SCOPE, "call_function")
def call_function(
    m: Machine, self: Any, name: Any, args: Any = UNDEFINED, block: Proc | None = None
) -> Any:
    given = [] if args is UNDEFINED else args if args.__class__ is list else [args]
    return compiler_of(m).call_from(self.context, m.text(name), list(given), block)


@method(SCOPE, "respond_to?")
def responds(m: Machine, self: Any, name: Any, private: Any = False) -> bool:
    called = to.name_of(m, name)
    plain = called.removeprefix("function_")
    if plain != called:
        return plain in functions_of(m).old
    return m.find(self, called) is not None
