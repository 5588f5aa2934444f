"""``newfunction``: functions of the older API, which run as methods of the scope."""

from __future__ import annotations

from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, class_of, define
from headwater.langs.puppet.ruby.exchange import from_ruby, to_old
from headwater.langs.puppet.ruby.flow import children
from headwater.langs.puppet.ruby.frames import Return
from headwater.langs.puppet.ruby.functions import OldFunction, compiler_of, functions_of, note_copy
from headwater.langs.puppet.ruby.library import FUNCTIONS3
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Native,
    Proc,
    RubyValue,
    Text,
    symbol,
)
from headwater.langs.puppet.types.value import Value


@own_method(FUNCTIONS3, "newfunction")
def newfunction(
    m: Machine,
    self: RubyValue,
    name: RubyValue,
    options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    called = to.name_of(m, name)
    given = Hash() if options is UNDEFINED else to.hash_(m, options)
    kind = given.get(symbol("type"), symbol("statement"))
    arity = given.get(symbol("arity"), -1)
    if kind not in (symbol("statement"), symbol("rvalue")):
        m.fail("Puppet::DevError", f"Invalid statement type {m.inspect(kind)}")
    if block is None:
        m.fail("ArgumentError", "tried to create Proc object without a block")
    gives = kind is symbol("rvalue")
    functions_of(m).old[called] = OldFunction(called, block, int(arity), gives, m.at[0])
    return Hash.of(
        [(symbol("arity"), arity), (symbol("type"), kind), (symbol("name"), f"function_{called}")]
    )


@own_method(FUNCTIONS3, "function")
def function(
    m: Machine, self: RubyValue, name: RubyValue, environment: Given = UNDEFINED
) -> RubyValue:
    called = to.name_of(m, name)
    return Text(f"function_{called}") if compiler_of(m).has_function(called, old=True) else False


@own_method(FUNCTIONS3, "rvalue?")
def gives_value(
    m: Machine, self: RubyValue, name: RubyValue, environment: Given = UNDEFINED
) -> bool:
    found = functions_of(m).old.get(to.name_of(m, name))
    return found is not None and found.gives


@own_method(FUNCTIONS3, "arity")
def arity_of(m: Machine, self: RubyValue, name: RubyValue, environment: Given = UNDEFINED) -> int:
    found = functions_of(m).old.get(to.name_of(m, name))
    return -1 if found is None else found.arity


@own_method(FUNCTIONS3, "environment_module")
def environment_module(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    raise Beyond("Puppet::Parser::Functions.environment_module")


class Autoloader(Native):
    """``Puppet::Parser::Functions.autoloader``, which loads functions of the older API by name"""


_AUTOLOAD: Final = define("Puppet::Util::Autoload", OBJECT)
OF_TYPE[Autoloader] = _AUTOLOAD


@own_method(FUNCTIONS3, "autoloader")
def autoloader(m: Machine, self: RubyValue) -> RubyValue:
    return Autoloader()


@method(_AUTOLOAD, "loaded?")
def is_loaded(m: Machine, self: RubyValue, name: RubyValue) -> bool:
    return to.name_of(m, name) in functions_of(m).old


@method(_AUTOLOAD, "load")
def load(m: Machine, self: RubyValue, name: RubyValue, environment: Given = UNDEFINED) -> bool:
    return compiler_of(m).has_function(to.name_of(m, name), old=True)


@method(_AUTOLOAD, "loadall", "load_all")
def load_all(m: Machine, self: RubyValue, environment: Given = UNDEFINED) -> None:
    """Functions are loaded when they are called."""


def call_old(m: Machine, function: OldFunction, scope: ScopeObject, args: list[Any]) -> Value:
    """Calls a function from Puppet: its arguments are made what the older API knows."""
    given = [to_old(arg) for arg in args]
    result = _run(m, function, scope, list(given))
    note_copy(m, result, given if function.gives else ())
    return from_ruby(_returned(result)) if function.gives else None


def run_old(m: Machine, function: OldFunction, scope: ScopeObject, args: list[Any]) -> RubyValue:
    """Calls a function from Ruby."""
    result = _run(m, function, scope, args)
    return _returned(result) if function.gives else None


def _run(m: Machine, function: OldFunction, scope: ScopeObject, args: list[Any]) -> RubyValue:
    count, arity = len(args), function.arity
    least = arity if arity >= 0 else -arity - 1
    if count < least or (arity >= 0 and count > arity):
        bound = f"{arity}" if arity >= 0 else f"minimum {least}"
        m.fail(
            "ArgumentError",
            f"{function.name}(): Wrong number of arguments given ({count} for {bound})",
        )
    functions_of(m).called.add(function)
    try:
        return function.block.call([args], None, scope)
    except Return as jump:
        return jump.value


def _returned(value: RubyValue) -> RubyValue:
    """A result without :undef in it."""
    if value is symbol("undef"):
        return None
    if value.__class__ is list:
        return [_returned(item) for item in value]
    if isinstance(value, Hash):
        return Hash.of((_returned(name), _returned(item)) for name, item in value.pairs())
    return value


def check_text(m: Machine, path: str, text: str, tree: s.Program) -> None:
    """Refuses what Puppet refuses in a file of the older API before it runs it.

    That is any ``def``, wherever it stands, and a file that calls no ``newfunction(…)``.
    """
    called = False
    todo: list[s.Node] = [tree.body]
    while todo:
        node = todo.pop()
        match node:
            case s.Definition(name=name):
                m.at = (path, node.at)
                m.fail(
                    "SecurityError",
                    f"Illegal method definition of method '{name}' in source {path} "
                    "in legacy function",
                )
            case s.Call(name="newfunction"):
                called = called or _has_brackets(node, text)
        todo.extend(children(node))
    if not called:
        m.at = (path, 0)
        m.fail(
            "ArgumentError",
            f"The code loaded from {path} does not seem to be a Puppet 3x API function "
            "- no 'newfunction' call.",
        )


def _has_brackets(call: s.Call, text: str) -> bool:
    """Whether a call is no command: Puppet does not see ``newfunction :f do … end``."""
    start = call.at if call.receiver is None else call.receiver.end
    end = text.index(call.name, start) + len(call.name)
    return text[end : end + 1] == "(" or not (call.arguments or call.bare)


def check_result(m: Machine, path: str, name: str, result: RubyValue) -> None:
    """Refuses a file that gave anything but what ``newfunction`` gives for a function."""
    if not isinstance(result, Hash):
        kind = class_of(result).name
        m.fail(
            "ArgumentError",
            f"Illegal legacy function definition! The code loaded from {path} did not return "
            f"the result of calling 'newfunction'. Got '{kind}'",
        )
    made = result.get(symbol("name"))
    if made != f"function_{name}":
        m.fail(
            "ArgumentError",
            f"The code loaded from {path} produced mis-matched name, expected 'function_{name}', "
            f"got '{made}'",
        )
