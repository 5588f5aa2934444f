"""What a text of Ruby names that is not evaluated here, found without running it.

Constants that nobody here has, methods that are refused, calls that would leave the machine.  A
constant may be one of a file that is required: only names of Ruby's libraries, of Puppet and of
gems that the text requires itself are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.classes import OBJECT
from headwater.langs.puppet.ruby.defining import scoped_constant
from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.machine import Machine, Refused
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Class, Raised, RubyValue
from headwater.text.named import NamedTuple

assert EQUIPMENT  # every class has its methods before they are asked for

_ELSEWHERE: Final = ("PuppetX", "Puppet_X")
"""Modules that modules define, in files of their own."""


class Found(NamedTuple):
    """Something that is not evaluated, and where it stands."""

    construct: str
    at: int
    end: int


def survey(tree: s.Program) -> Iterator[Found]:
    """What a text names that is not evaluated, in order, each construct once."""
    machine = Machine()
    told: set[str] = set()
    own = set(_defined(tree.body))
    for node in _nodes(tree.body):
        construct = _construct(machine, node, own)
        if construct is not None and construct not in told:
            told.add(construct)
            yield Found(construct, node.at, node.end)


def _construct(machine: Machine, node: s.Node, own: set[str]) -> str | None:
    match node:
        case s.Refused(construct=construct):
            return construct
        case s.Call(receiver=None, name=name):
            method = OBJECT.find(name)
            return name if isinstance(method, Refused) and name not in own else None
        case s.Call(receiver=s.Constant() as constant, name=name):
            cls = _value(machine, constant, own)
            method = cls.find_own(name) if isinstance(cls, Class) else None
            return method.name if isinstance(method, Refused) else None
        case s.Constant():
            found = _value(machine, node, own)
            return found if isinstance(found, str) else None
    return None


def _value(machine: Machine, node: s.Constant, own: set[str]) -> RubyValue:
    """What a constant is; its name if nobody here has it, None if another file may."""
    path = _path(node)
    if path is None or path[0] in own or path[0].startswith(_ELSEWHERE):
        return None
    scope: RubyValue = OBJECT
    for part in path:
        if not isinstance(scope, Class):
            return None
        try:
            scope = scoped_constant(machine, scope, part)
        except (Beyond, Raised):
            return "::".join(path)
    return scope


def _path(node: s.Constant) -> list[str] | None:
    if node.scope is None:
        return [node.name]
    above = _path(node.scope) if isinstance(node.scope, s.Constant) else None
    return None if above is None else [*above, node.name]


def _defined(node: s.Expr) -> Iterator[str]:
    """The names that a text defines: constants, classes, modules and methods."""
    for one in _nodes(node):
        match one:
            case (
                s.Assign(target=s.Constant(name=name))
                | s.OperatorAssign(target=s.Constant(name=name))
            ):
                yield name
            case s.Definition(name=name):
                yield name
            case s.ClassBody(path=path) | s.ModuleBody(path=path):
                whole = _path(path)
                if whole is not None and whole[0] != "Puppet":
                    yield whole[-1]
                    yield whole[0]


def _nodes(node: s.Expr) -> Iterator[s.Node]:
    """A node and all in it, in order; of a qualified constant only the whole."""
    todo: list[Any] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, s.Node):
            yield one
            if not isinstance(one, s.Constant):
                todo.extend(getattr(one, name) for name in reversed(one.__struct_fields__))
        elif isinstance(one, list):
            todo.extend(reversed(one))
