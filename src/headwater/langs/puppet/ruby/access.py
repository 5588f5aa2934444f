"""Who may call a method: ``public``, ``private``, ``protected``.

What a class hides stands in its `Access`, by name; what Ruby's own classes hide, in `KEPT`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from headwater.langs.puppet.ruby.classes import (
    BASIC_OBJECT,
    CLASS,
    KERNEL,
    MODULE,
    PRIVATE,
    class_of,
)
from headwater.langs.puppet.ruby.values import Class, RubyMethod, RubyObject, RubyValue
from headwater.text.named import NamedTuple


class Visibility(NamedTuple):
    """Who may call a method, and the class or module that says so."""

    word: str
    owner: Class | None


PUBLIC: Final = Visibility("public", None)
ALONE: Final = Visibility("private", None)
NOBODY: Final = RubyObject(BASIC_OBJECT)
"""A caller that is no object of any class: it calls what is public."""

_OF_OBJECTS: Final = frozenset(
    ["initialize", "initialize_clone", "initialize_copy", "initialize_dup", "respond_to_missing?"]
)
"""What is private in every class that defines it."""

_OF_MODULES: Final = frozenset(
    ["append_features", "const_added", "extend_object", "extended", "included", "method_added",
     "method_removed", "method_undefined", "module_function", "prepend_features", "prepended",
     "private", "protected", "public", "refine", "remove_const", "ruby2_keywords", "using"]
)  # fmt: skip

_BUILT_IN: Final = {
    KERNEL: PRIVATE,
    MODULE: _OF_MODULES,
    CLASS: frozenset(["inherited"]),
    BASIC_OBJECT: frozenset(["method_missing"]),
}
"""What Ruby's own classes give their objects for themselves alone."""

KEPT: Final = _OF_OBJECTS.union(*_BUILT_IN.values())
"""Names that some object has for itself alone, whatever the program says."""


def visibility(receiver: RubyValue, name: str) -> Visibility:
    """Who may call the method that an object has under a name."""
    if receiver is KERNEL:
        return PUBLIC
    if receiver.__class__ is Class:
        cls = MODULE if receiver.is_module else CLASS
        return _of_itself(receiver, name) or of_instances(cls, name) or PUBLIC
    if receiver.__class__ is RubyObject:
        if receiver.own is not None and name in receiver.own:
            word = None if receiver.hidden is None else receiver.hidden.get(name)
            return PUBLIC if word is None else Visibility(word, receiver.cls)
    elif name not in KEPT and class_of(receiver).name in PLAIN:
        return PUBLIC
    return of_instances(class_of(receiver), name) or PUBLIC


PLAIN: Final = frozenset(
    ["String", "Array", "Hash", "Integer", "NilClass", "TrueClass", "FalseClass", "Symbol",
     "Float", "Range", "Regexp", "MatchData", "Proc", "Method"]
)  # fmt: skip
"""Classes that no program gives methods to."""


def of_instances(cls: Class, name: str) -> Visibility | None:
    """Who may call a method of the objects of a class, if they have it."""
    for one in cls.ancestors():
        word = one.access.hidden.get(name)
        if word is not None:
            return Visibility(word, one)
        if name in one.methods:
            hidden = _BUILT_IN.get(one)
            return ALONE if name in (_OF_OBJECTS if hidden is None else hidden) else PUBLIC
    return None


def of_method(cls: Class, name: str) -> Visibility:
    """Who may call a method of the objects of a class; for ``class << a``, one of `a` itself."""
    if cls.attached is not None:
        return visibility(cls.attached, name)
    return of_instances(cls, name) or PUBLIC


def _of_itself(cls: Class, name: str) -> Visibility | None:
    """The same of a method of the class itself, and of those above it."""
    current: Class | None = cls
    while current is not None:
        word = current.access.own.get(name)
        if word is not None:
            return Visibility(word, None)
        if name in current.own:
            return PUBLIC
        for module in reversed(current.extended):
            found = of_instances(module, name)
            if found is not None:
                return found
        current = current.superclass
    return None


def give(cls: Class, name: str, method: RubyMethod | None, word: str) -> None:
    """Gives the objects of a class a method."""
    cls.methods[name] = method
    if word != "public":
        cls.access.hidden[name] = word
    else:
        cls.access.hidden.pop(name, None)


def current(cls: Class, method: RubyMethod | None) -> str:
    """What a method is that a class is given now: what its body said last, if that is running."""
    return cls.access.visibility if cls.access.inside is method else "public"


@contextmanager
def body(cls: Class, method: RubyMethod | None) -> Iterator[None]:
    """The body of a class or module: what it says of methods ends with it."""
    access = cls.access
    before = access.visibility, access.module_functions, access.inside
    access.visibility, access.module_functions, access.inside = "public", False, method
    try:
        yield
    finally:
        access.visibility, access.module_functions, access.inside = before
