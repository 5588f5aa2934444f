"""``Puppet::Functions.create_function``: functions whose methods are chosen by types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from headwater.langs.puppet.functions_protocol import Block
from headwater.langs.puppet.ruby.calling import Method
from headwater.langs.puppet.ruby.classes import BUILTIN, OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.functions import (
    compiler_of,
    functions_of,
    note_copy,
    proc_of,
    top_of,
)
from headwater.langs.puppet.ruby.library import FUNCTION, FUNCTIONS4, INTERNAL
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Native,
    Proc,
    Raised,
    RubyObject,
    RubyValue,
    Symbol,
)
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.aliases import define as define_alias
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.description import mismatch_text
from headwater.langs.puppet.types.inference import infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.signatures import (
    Mistyped,
    Signature,
    choose,
    describe_signatures,
)
from headwater.langs.puppet.types.value import Value

_BUILDER: Final = define("Puppet::Functions::DispatcherBuilder", OBJECT)
_LOCAL: Final = define("Puppet::Functions::LocalTypeAliasesBuilder", OBJECT)
define("Puppet::Pops::Types::TypeAssertionError", BUILTIN["RuntimeError"])
_DISPATCHER: Final = define("Puppet::Functions::Dispatcher", OBJECT)
module("Puppet::Pops::Loader")
_LOADER: Final = define("Puppet::Pops::Loader::DependencyLoader", OBJECT)


class Dispatch:
    """One way to call a function: a signature, the method behind it, and what is put in."""

    __slots__ = ("method", "returns", "signature", "weaving")

    def __init__(self, method_: str, signature: Signature) -> None:
        self.method = method_
        self.signature = signature
        self.returns: model.Type | None = None
        self.weaving: list[int | str] = []
        """Arguments by place (negative: from there on), and names of what is put between."""

    def weave(self, scope: RubyValue, args: Sequence[Any]) -> list[Any]:
        """The arguments of the method."""
        if not any(isinstance(knit, str) for knit in self.weaving):
            return list(args)
        made: list[Any] = []
        for knit in self.weaving:
            if isinstance(knit, str):
                made.append(scope)
            elif knit < 0:
                made.extend(args[-knit - 1 :])
            elif knit < len(args):
                made.append(args[knit])
        return made


class Dispatcher(Native):
    """The ways to call one function, in order; ``self.class.dispatcher`` in Ruby."""

    __slots__ = ("dispatches", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.dispatches: list[Dispatch] = []

    def run(
        self,
        m: Machine,
        instance: RubyObject,
        scope: RubyValue,
        args: list[Any],
        block: Block | None,
    ) -> RubyValue:
        """Calls the first method that takes the arguments, which are values of Puppet."""
        signatures = [one.signature for one in self.dispatches]
        found = next((one for one in signatures if one.accepts(args, block)), None)
        if found is None:
            raise m.error("ArgumentError", self._why(signatures, args, block))
        chosen = self.dispatches[signatures.index(found)]
        values = [to_ruby(arg) for arg in args]
        given = chosen.weave(scope, values)
        passed = None if block is None else proc_of(m, block)
        result = m.send(instance, chosen.method, given, passed)
        if found.complain:
            raise m.error("ArgumentError", f"'{self.name}' {m.text(result)}")
        if chosen.returns is not None:
            self._check(m, chosen, from_ruby(result))
        note_copy(m, result, values)
        return result

    def _why(self, signatures: list[Signature], args: list[Any], block: Block | None) -> str:
        real = [one for one in signatures if not one.complain]
        try:
            choose(self.name, real, args, block, _unparsed)
        except Mistyped as error:
            return str(error)
        return describe_signatures(self.name, real, [infer_set(arg) for arg in args], None)

    def _check(self, m: Machine, chosen: Dispatch, result: Value) -> None:
        assert chosen.returns is not None
        if is_instance(chosen.returns, result):
            return
        subject = f"value returned from function '{chosen.method}' has wrong type,"
        message = mismatch_text(subject, chosen.returns, infer_set(result))
        raise m.error("Puppet::Pops::Types::TypeAssertionError", message)


def _unparsed(text: str, lookup: object = None, *, ours: bool = False) -> model.Type:
    raise AssertionError("signatures of Ruby's functions are parsed when they are made")


OF_TYPE[Dispatcher] = _DISPATCHER


class Builder:
    """A ``dispatch`` block while it runs."""

    def __init__(self, local: dict[str, model.Type]) -> None:
        self.local = local
        self.types: list[model.Type] = []
        self.names: list[str] = []
        self.weaving: list[int | str] = []
        self.least = 0
        self.most: int | None = 0
        self.block: model.Type | None = None
        self.optional_block = False
        self.returns: model.Type | None = None


def _parse(m: Machine, local: dict[str, model.Type], text: RubyValue) -> model.Type:
    """The type that a text in a ``dispatch`` spells, or the type itself."""
    if model.is_type(text):
        found: model.Type = text
        return found
    spelled = to.string(m, text)
    try:
        return compiler_of(m).parse_type(spelled, local.get)
    except BadType as error:
        raise m.error(
            "ArgumentError",
            f"Parsing of type string '\"{spelled}\"' failed with message: <{error}>.\n",
        ) from None


# definitions


@own_method(FUNCTIONS4, "create_function")
def create_function(
    m: Machine,
    self: RubyValue,
    name: RubyValue,
    base: RubyValue = FUNCTION,
    block: Proc | None = None,
) -> RubyValue:
    called = m.text(name)
    try:
        if block is None:
            raise m.error("NoMethodError", "private method `binding' called for nil:NilClass")
        return _created(m, called, to.the_class(m, base), block)
    except Raised as raised:
        message = m.text(m.send(raised.error, "message", []))
        raise m.error(
            "ArgumentError", f"Function Load Error for function '{called}': {message}"
        ) from None


@own_method(FUNCTIONS4, "create_loaded_function")
def create_loaded_function(
    m: Machine,
    self: RubyValue,
    name: RubyValue,
    loader: RubyValue,
    base: RubyValue = FUNCTION,
    block: Proc | None = None,
) -> RubyValue:
    return create_function(m, self, name, base, block)


def _created(m: Machine, name: str, base: Class, block: Proc) -> Class:
    if not base.is_below(FUNCTION):
        raise m.error(
            "ArgumentError",
            f"Functions must be based on Puppet::Pops::Functions::Function. Got {base.name}",
        )
    made = Class(name, base)
    dispatcher = Dispatcher(name)
    made.ivars["dispatcher"] = dispatcher
    made.ivars["local"] = {}
    block.call([], None, made, (made, *_around(block)))
    if not dispatcher.dispatches:
        dispatcher.dispatches.append(_default(m, made, name.rpartition("::")[2]))
    functions_of(m).new[name] = made
    return made


def _around(block: Proc) -> tuple[Class, ...]:
    """The classes around a block, where its constants are looked for."""
    return (OBJECT,)


def _default(m: Machine, made: Class, name: str) -> Dispatch:
    """The only way to call a function without a ``dispatch``: its method takes anything."""
    found = made.methods.get(name)
    if found is None:
        raise m.error(
            "ArgumentError",
            f"Function Creation Error, cannot create a default dispatcher for function '{name}', "
            "no method with this name found",
        )
    if not isinstance(found, Method):
        raise Beyond("a function whose method is Ruby's own")
    parameters = found.parameters
    names = [name for kind, name in parameters.named if kind not in ("keyword", "block")]
    signature = Signature(
        "", _unparsed, types=tuple(model.ANY for _ in names), names=tuple(names),
        least=parameters.least, most=parameters.most, ready=True,
    )  # fmt: skip
    return Dispatch(name, signature)


def _no_block(m: Machine) -> Raised:
    """What Puppet says where a block is evaluated that is not there."""
    return m.error("ArgumentError", "wrong number of arguments (given 0, expected 1..3)")


def _dispatch(
    m: Machine, made: Class, method_: RubyValue, block: Proc | None, complain: bool
) -> None:
    if block is None:
        raise _no_block(m)
    builder = Builder(made.ivars["local"])
    target = RubyObject(_BUILDER)
    target.ivars["builder"] = builder
    target.ivars["internal"] = made.is_below(INTERNAL)
    block.call([], None, target)
    block_type = builder.block
    text = None
    if block_type is not None:
        text = "Callable?" if builder.optional_block else "Callable"
        if builder.optional_block:
            block_type = model.OptionalType(block_type)
    signature = Signature(
        "", _unparsed, text, complain, types=tuple(builder.types), names=tuple(builder.names),
        least=builder.least, most=builder.most, block_type=block_type, ready=True,
    )  # fmt: skip
    signature.settle_block()
    dispatch = Dispatch(to.name_of(m, method_), signature)
    dispatch.returns = builder.returns
    dispatch.weaving = builder.weaving
    made.ivars["dispatcher"].dispatches.append(dispatch)


@own_method(FUNCTION, "dispatch")
def dispatch(m: Machine, self: Class, method_: RubyValue, block: Proc | None = None) -> None:
    _dispatch(m, self, method_, block, False)


@own_method(FUNCTION, "argument_mismatch")
def argument_mismatch(
    m: Machine, self: Class, method_: RubyValue, block: Proc | None = None
) -> None:
    _dispatch(m, self, method_, block, True)


@own_method(FUNCTION, "local_types")
def local_types(m: Machine, self: Class, block: Proc | None = None) -> None:
    if block is None:
        raise _no_block(m)
    target = RubyObject(_LOCAL)
    target.ivars["local"] = self.ivars["local"]
    block.call([], None, target)


@method(_LOCAL, "type")
def local_type(m: Machine, self: RubyObject, text: RubyValue) -> None:
    local = self.ivars["local"]
    name, found, spelled = to.string(m, text).partition("=")
    name = name.strip()
    if not found:
        raise m.error(
            "ArgumentError",
            f"Expected a type alias assignment on the form 'AliasType = T', got '{m.text(text)}'.",
        )
    alias = local[name.lower()] = model.AliasType(name)
    define_alias(alias, _parse(m, local, spelled.strip()))


@own_method(FUNCTION, "dispatcher")
def dispatcher_of(m: Machine, self: Class) -> RubyValue:
    return self.ivars["dispatcher"]


@own_method(FUNCTION, "name")
def name_of(m: Machine, self: Class) -> str:
    return self.name or ""


# the words of a dispatch


def _builder(self: RubyObject) -> Builder:
    found: Builder = self.ivars["builder"]
    return found


def _add(
    m: Machine, self: RubyObject, type_: RubyValue, name: RubyValue, repeated: bool = False
) -> Builder:
    builder = _builder(self)
    if builder.block is not None:
        m.fail("ArgumentError", "Parameters cannot be added after a block parameter")
    if builder.most is None:
        m.fail("ArgumentError", "Parameters cannot be added after a repeated parameter")
    if to.is_string(name):
        m.fail("ArgumentError", "Parameter name argument must be a Symbol. Got String")
    if not to.is_string(type_) and not model.is_type(type_):
        from headwater.langs.puppet.ruby.classes import class_of

        m.fail(
            "ArgumentError",
            "Parameter 'type' must be a String reference to a Puppet Data Type. "
            f"Got {class_of(type_).name}",
        )
    builder.types.append(_parse(m, builder.local, type_))
    builder.names.append(to.name_of(m, name))
    count = len(builder.names)
    builder.weaving.append(-count if repeated else count - 1)
    return builder


@method(_BUILDER, "param", "required_param")
def param(m: Machine, self: RubyObject, type_: RubyValue, name: RubyValue) -> None:
    builder = _add(m, self, type_, name)
    if builder.least != builder.most:
        m.fail("ArgumentError", "A required parameter cannot be added after an optional parameter")
    builder.least += 1
    builder.most = builder.least


@method(_BUILDER, "optional_param")
def optional_param(m: Machine, self: RubyObject, type_: RubyValue, name: RubyValue) -> None:
    builder = _add(m, self, type_, name)
    assert builder.most is not None
    builder.most += 1


@method(_BUILDER, "repeated_param", "optional_repeated_param")
def repeated_param(m: Machine, self: RubyObject, type_: RubyValue, name: RubyValue) -> None:
    _add(m, self, type_, name, True).most = None


@method(_BUILDER, "required_repeated_param")
def required_repeated_param(
    m: Machine, self: RubyObject, type_: RubyValue, name: RubyValue
) -> None:
    builder = _add(m, self, type_, name, True)
    if builder.least != builder.most:
        m.fail(
            "ArgumentError",
            "A required repeated parameter cannot be added after an optional parameter",
        )
    builder.least += 1
    builder.most = None


@method(_BUILDER, "block_param", "required_block_param")
def block_param(m: Machine, self: RubyObject, *given: RubyValue) -> None:
    builder = _builder(self)
    if len(given) > 2:
        m.fail(
            "ArgumentError", f"block_param accepts max 2 arguments (type, name), got {len(given)}."
        )
    type_ = _parse(m, builder.local, given[0]) if len(given) == 2 else model.CALLABLE
    if given and given[-1].__class__ is not Symbol:
        m.fail("ArgumentError", "Expected block_param name to be a Symbol, got String")
    if builder.block is not None:
        m.fail("ArgumentError", "Attempt to redefine block")
    builder.block = type_


@method(_BUILDER, "optional_block_param")
def optional_block_param(m: Machine, self: RubyObject, *given: RubyValue) -> None:
    block_param(m, self, *given)
    _builder(self).optional_block = True


@method(_BUILDER, "return_type")
def return_type(m: Machine, self: RubyObject, type_: RubyValue) -> None:
    builder = _builder(self)
    builder.returns = _parse(m, builder.local, type_)


@method(_BUILDER, "scope_param")
def scope_param(m: Machine, self: RubyObject) -> None:
    if not self.ivars["internal"]:
        m.fail("NameError", "undefined local variable or method `scope_param' for a plain function")
    _builder(self).weaving.append("scope")


@method(_BUILDER, "compiler_param", "script_compiler_param", "pal_compiler_param", "cache_param")
def other_param(m: Machine, self: RubyObject) -> RubyValue:
    raise Beyond("the compiler or its cache as a parameter of a function")


# calls


def call_new(
    m: Machine, made: Class, scope: ScopeObject, args: list[Any], block: Block | None = None,
    leaving: Callable[[RubyValue], Value] = from_ruby,
) -> Value:  # fmt: skip
    """Calls a function; arguments are values of Puppet, and so is what `leaving` makes of it."""
    instance = _instance(m, made)
    own = made.methods.get("call")
    if own is not None:
        passed = None if block is None else proc_of(m, block)
        result = m.invoke(own, instance, [scope, *map(to_ruby, args)], passed)
        functions_of(m).copied = None
    else:
        result = made.ivars["dispatcher"].run(m, instance, scope, args, block)
    return leaving(result)


def _instance(m: Machine, made: Class) -> RubyObject:
    """The one object of a function's class."""
    found = made.ivars.get("instance")
    if found is None:
        found = RubyObject(made)
        m.send(found, "initialize", [top_of(m), RubyObject(_LOADER)])
        made.ivars["instance"] = found
    assert isinstance(found, RubyObject)
    return found


@method(FUNCTION, "initialize")
def initialize(m: Machine, self: RubyObject, scope: RubyValue, loader: RubyValue) -> None:
    """What ``super`` leads to in the ``initialize`` of a function."""


@method(_DISPATCHER, "dispatch")
def run_dispatcher(
    m: Machine,
    self: Dispatcher,
    instance: RubyObject,
    scope: RubyValue,
    args: RubyValue,
    block: Proc | None = None,
) -> RubyValue:
    given = [from_ruby(arg) for arg in to.array(m, args)]
    return self.run(
        m, instance, scope, given, None if block is None else compiler_of(m).lambda_of(block)
    )


@method(FUNCTION, "call_function")
def call_function(
    m: Machine, self: RubyObject, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return _called(m, self, name, list(args), block, top_of(m))


@method(INTERNAL, "call_function_with_scope")
def call_function_with_scope(
    m: Machine,
    self: RubyObject,
    scope: ScopeObject,
    name: RubyValue,
    *args: RubyValue,
    block: Proc | None = None,
) -> RubyValue:
    return _called(m, self, name, list(args), block, scope)


def _called(
    m: Machine, self: RubyObject, name: RubyValue, args: list[Any], block: Proc | None,
    scope: ScopeObject,
) -> RubyValue:  # fmt: skip
    called = m.text(name)
    if not compiler_of(m).has_function(called.removeprefix("::"), old=False):
        caller = self.cls.name
        raise m.error("ArgumentError", f"Function {caller}(): Unknown function: '{called}'")
    return compiler_of(m).call(called, args, block, scope)


@method(FUNCTION, "closure_scope")
def closure_scope(m: Machine, self: RubyObject) -> RubyValue:
    return top_of(m)


@method(FUNCTION, "loader")
def loader(m: Machine, self: RubyObject, *args: RubyValue) -> RubyValue:
    raise Beyond("the loader of a function")


@method(FUNCTION, "call")
def call(
    m: Machine, self: RubyObject, scope: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    dispatcher = self.cls.ivars["dispatcher"]
    return run_dispatcher(m, dispatcher, self, scope, list(args), block)


__all__ = ["UNDEFINED", "call_new"]
