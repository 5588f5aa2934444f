"""How methods of Ruby's classes are written down: a Python function per method.

``@method(ARRAY, "first")`` gives a function to a class under its names.  It gets the machine,
the receiver and the arguments; optional ones default to `UNDEFINED`; a parameter named
``block`` gets the block.  The number of arguments is checked by the machine, from the
function's own parameters.  A plain str that is given back becomes a new string of Ruby.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from headwater.langs.puppet.ruby.machine import Builtin, Refused
from headwater.langs.puppet.ruby.values import FOUND, Class, Enumerator, RubyValue, Text

Function = TypeVar("Function", bound=Callable[..., Any])


def method(cls: Class, *names: str) -> Callable[[Function], Function]:
    """Gives a function to the objects of a class, under one or more names."""

    def give(function: Function) -> Function:
        for name in names:
            called = function if name == names[0] else _renamed(function, names[0], name)
            cls.methods[name] = Builtin(name, _texts(called))
        FOUND.clear()
        return function

    return give


def _renamed(function: Callable[..., Any], usual: str, name: str) -> Callable[..., Any]:
    """The function under another name: an enumerator that it gives says so."""
    if "block" not in function.__code__.co_varnames:
        return function

    @functools.wraps(function)
    def call(*args: RubyValue, **named: RubyValue) -> RubyValue:
        made = function(*args, **named)
        if made.__class__ is Enumerator and made.name == usual and made.receiver is args[1]:
            made.name = name
        return made

    return call


def own_method(cls: Class, *names: str) -> Callable[[Function], Function]:
    """Gives a function to a class or module itself (``Regexp.escape``)."""

    def give(function: Function) -> Function:
        for name in names:
            cls.own[name] = Builtin(name, _texts(function))
        return function

    return give


def _texts(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, its plain strings made new ones of Ruby, where it may give such."""
    returns = function.__annotations__.get("return")
    if returns not in ("str", "str | None"):
        return function

    @functools.wraps(function)
    def fresh(*args: RubyValue, **named: RubyValue) -> RubyValue:
        result = function(*args, **named)
        return Text(result) if isinstance(result, str) else result

    return fresh


def refuse(cls: Class, reason: str, names: str) -> None:
    """Methods that Ruby's objects of a class have and that are not evaluated here."""
    for name in names.split():
        cls.methods[name] = Refused(f"{cls.name}#{name}", reason)
    FOUND.clear()


def refuse_own(cls: Class, reason: str, names: str) -> None:
    """Methods that a class or module of Ruby itself has and that are not evaluated here."""
    for name in names.split():
        cls.own[name] = Refused(f"{cls.name}.{name}", reason)
