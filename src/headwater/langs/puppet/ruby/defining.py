"""Constants, classes and modules."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby import access
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.classes import OBJECT
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import Activation, Frame
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.partial import refuse_values
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Class, RubyObject, RubyValue, symbol


def make_constant(cx: Context, node: s.Constant) -> Run:
    """``A``, ``a::B``"""
    machine, name, where = cx.machine, node.name, (cx.file, node.at)
    if node.top:

        def top(fr: Frame) -> RubyValue:
            machine.at = where
            return scoped_constant(machine, OBJECT, name)

        return top
    if node.scope is None:

        def lexical(fr: Frame) -> RubyValue:
            machine.at = where
            return constant_value(machine, fr.lexical, name)

        return lexical
    scope = cx.make(node.scope)

    def scoped(fr: Frame) -> RubyValue:
        owner = scope(fr)
        machine.at = where
        if owner.__class__ is not Class:
            raise machine.error("TypeError", f"{machine.inspect(owner)} is not a class/module")
        if name in owner.access.constants:
            shown = f"private constant {owner.name}::{name} referenced"
            raise machine.error("NameError", shown, name=symbol(name), receiver=owner)
        return scoped_constant(machine, owner, name)

    return scoped


def constant_value(machine: Machine, lexical: tuple[Class, ...], name: str) -> RubyValue:
    """A constant as it is seen from a place: around it, then above the class, then at the top."""
    set_ = machine.constants
    for scope in lexical:
        own = set_.get(scope)
        if own is not None and name in own:
            return own[name]
        if name in scope.constants:
            return scope.constants[name]
    for scope in (*lexical[0].ancestors(), OBJECT):
        try:
            return machine.lookup_constant(scope, name)
        except KeyError:
            continue
    return machine.missing_constant(None, name)


def scoped_constant(machine: Machine, owner: Class, name: str) -> RubyValue:
    """``A::B``"""
    for scope in owner.ancestors():
        if scope is OBJECT and owner is not OBJECT:
            break
        try:
            return machine.lookup_constant(scope, name)
        except KeyError:
            continue
    return machine.missing_constant(owner, name)


def make_class(cx: Context, node: s.ClassBody) -> Run:
    """``class A < B``: makes the class or goes on with it."""
    superclass = None if node.superclass is None else cx.make(node.superclass)
    scope = None if node.path.scope is None else cx.make(node.path.scope)
    name, top = node.path.name, node.path.top
    machine, inner = cx.machine, cx.closed(node.names)
    body, size = inner.make(node.body), len(node.names)

    def define(fr: Frame) -> RubyValue:
        owner = OBJECT if top else fr.lexical[0] if scope is None else _owner(machine, scope(fr))
        above = None if superclass is None else superclass(fr)
        found = _existing(machine, fr, owner, name, scope is None)
        if found is None:
            if above is not None and above.__class__ is not Class:
                raise machine.error("TypeError", "superclass must be a Class")
            found = Class(None, above or OBJECT)
            machine.set_constant(owner, name, found)
            if above is not None:
                refuse_values(found, found.name or name)
                machine.tell(above, "inherited", found)
        return _inside(machine, fr, found, body, size)

    return define


def make_module(cx: Context, node: s.ModuleBody) -> Run:
    """``module A``"""
    scope = None if node.path.scope is None else cx.make(node.path.scope)
    name, top = node.path.name, node.path.top
    machine, inner = cx.machine, cx.closed(node.names)
    body, size = inner.make(node.body), len(node.names)

    def define(fr: Frame) -> RubyValue:
        owner = OBJECT if top else fr.lexical[0] if scope is None else _owner(machine, scope(fr))
        found = _existing(machine, fr, owner, name, scope is None)
        if found is None:
            found = Class(None, None, True)
            machine.set_constant(owner, name, found)
        return _inside(machine, fr, found, body, size)

    return define


def _owner(machine: Machine, value: RubyValue) -> Class:
    """What a class or module is defined in."""
    if value.__class__ is Class:
        return value
    raise machine.error("TypeError", f"{machine.inspect(value)} is not a class/module")


def _existing(machine: Machine, fr: Frame, owner: Class, name: str, lexical: bool) -> Class | None:
    """The class or module that is gone on with, if there is one."""
    try:
        found = machine.lookup_constant(owner, name)
    except KeyError:
        if machine.host is None or (lexical and owner not in (OBJECT,) and owner.name is None):
            return None
        found = machine.host.known(machine, name if owner is OBJECT else f"{owner.name}::{name}")
    return found if found.__class__ is Class else None


def _inside(machine: Machine, fr: Frame, cls: Class, body: Run, size: int) -> RubyValue:
    """Runs the body of a class or module."""
    activation = Activation(None, cls, [], None)
    with access.body(cls, machine.method):
        return body(Frame(cls, size, None, activation, (cls, *fr.lexical)))


def make_singleton(cx: Context, node: s.SingletonBody) -> Run:
    """``class << self``: what is defined inside belongs to the object alone."""
    machine, value, inner = cx.machine, cx.make(node.value), cx.closed(node.names)
    body, size = inner.make(node.body), len(node.names)

    def define(fr: Frame) -> RubyValue:
        target = value(fr)
        meta = Class(f"#<Class:{getattr(target, 'name', '')}>")
        meta.attached = target
        if target.__class__ is Class:
            own: dict[str, Any] = target.own
            meta.methods = own
            meta.access.hidden = target.access.own
        elif target.__class__ is RubyObject:
            target.own = {} if target.own is None else target.own
            target.hidden = {} if target.hidden is None else target.hidden
            meta.methods, meta.access.hidden = target.own, target.hidden
        else:
            raise Beyond("class << of a plain value", node.at)
        return _inside(machine, fr, meta, body, size)

    return define


def make_alias(cx: Context, node: s.Alias) -> Run:
    """``alias a b``"""
    machine, name, of = cx.machine, node.name, node.of

    def alias(fr: Frame) -> RubyValue:
        add_alias(machine, fr.lexical[0], name, of)
        return None

    return alias


def add_alias(machine: Machine, cls: Class, name: str, of: str) -> None:
    """Gives the objects of a class a method under another name too; who may call it stays."""
    machine.check_open(cls)
    found = machine.found_in(cls, of)
    if found is None:
        raise machine.error("NameError", f"undefined method `{of}' for class `{cls.name}'")
    access.give(cls, name, found, access.of_method(cls, of).word)
