"""The functions that files of modules define, in both of Puppet's ways, and how each is run.

A file of ``lib/puppet/functions`` calls ``Puppet::Functions.create_function``: a class whose
methods are chosen by the types of the arguments (`functions4`).  A file of
``lib/puppet/parser/functions`` calls ``newfunction``: a block that runs as a method of the scope
and gets its arguments in one array (`functions3`).  Either call leaves an entry in the `Functions`
of the machine; what a function needs of the compiler it asks of a `Compiler`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.functions_protocol import Block, Context
from headwater.langs.puppet.ruby.machine import Host, Machine
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import Class, Proc, RubyMethod, RubyValue
from headwater.langs.puppet.types.model import Lookup, Type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import LookupContext


class Compiler(Host, Protocol):
    """What functions ask of the compiler beside what all Ruby does."""

    @property
    def caller(self) -> Context:
        """The call that runs."""
        ...

    def parse_type(self, text: str, local: Lookup | None = None) -> Type:
        """The data type a text spells."""
        ...

    def run_lambda(self, block: Block, args: list[Any]) -> RubyValue:
        """Calls a lambda of Puppet."""
        ...

    def lambda_of(self, block: Proc) -> Block:
        """A block of Ruby as a lambda of Puppet."""
        ...

    @property
    def told(self) -> set[tuple[str, str]]:
        """What is said only once, and was."""
        ...

    def ruby_place(self) -> str:
        """Where Ruby is, as Ruby shows it."""
        ...

    @property
    def environment(self) -> str:
        """The name of the environment."""
        ...

    def setting(self, name: str) -> Value:
        """A setting of Puppet's; None for those that are not known here."""
        ...

    def interpolated(self, context: LookupContext, value: RubyValue) -> RubyValue:
        """A value of Ruby with its interpolations of Hiera done."""
        ...

    def data_file(self, path: str) -> str | None:
        """The text of a file that a function of data reads; None if there is no such file."""
        ...

    def stack(self) -> list[tuple[str, int]]:
        """The calls that are inside each other, each by file and line, the innermost first."""
        ...

    def resource_type(self, name: str) -> str | None:
        """The name of a type of resources, or of a class, as references spell it."""
        ...

    def namevar(self, type_: str) -> str | None:
        """The parameter that a title stands for, of a native type."""
        ...

    def class_named(self, name: str) -> str | None:
        """The name of a class, if there is one."""
        ...

    def resources(self) -> list[Resource]:
        """The resources of the catalog so far."""
        ...

    def find_resource(self, type_: str, title: str) -> Resource | None:
        """A resource of the catalog."""
        ...

    def parameter(self, resource: Resource, name: str) -> Value:
        """The value of a parameter of a resource, as it is now."""
        ...

    def resource_of(self, caller: RubyValue) -> Resource | None:
        """The class, define or node that a call stands in."""
        ...

    def source_of(self, caller: RubyValue) -> tuple[str, str]:
        """Of what kind the definition is that a call stands in, and its name."""
        ...

    def parent_module_of(self, caller: RubyValue) -> str | None:
        """The module of what is around the definition; None at the top, empty without a module."""
        ...


class OldFunction:
    """``newfunction(:x, :type => :rvalue, :arity => -2) do |args|``"""

    __slots__ = ("arity", "block", "file", "gives", "name")

    def __init__(self, name: str, block: Proc, arity: int, gives: bool, file: str) -> None:
        self.name = name
        self.block = block
        self.arity = arity
        self.gives = gives
        """Whether it gives a value: the others give undef, whatever they return."""
        self.file = file
        """Where it is defined: in a file of its own name, or beside another function."""


class Functions:
    """What the loaded files of one machine define, by the names of functions."""

    def __init__(self) -> None:
        self.new: dict[str, Class] = {}
        self.old: dict[str, OldFunction] = {}
        self.copied: int | None = None
        """Which of its arguments the last function gave back as it was."""
        self.top: Callable[[], ScopeObject] | None = None
        """Gives the scope at the top, from which functions of the newer API look."""
        self.called: set[OldFunction] = set()
        """Functions of the older API that ran since a template was begun."""
        self.of_templates: dict[str, RubyMethod | None] = {}
        """Methods that templates defined: all later templates have them."""


def functions_of(machine: Machine) -> Functions:
    """The functions that are loaded into a machine."""
    found: Functions | None = machine.functions
    if found is None:
        found = machine.functions = Functions()
    return found


def compiler_of(machine: Machine) -> Compiler:
    """The compiler that a machine works for."""
    host: Any = machine.host
    found: Compiler = host
    return found


def proc_of(machine: Machine, block: Block) -> Proc:
    """A lambda of Puppet as a block of Ruby."""

    def call(
        args: Sequence[Any],
        block_: Proc | None = None,
        receiver: RubyValue = None,
        scope: tuple[Class, ...] | None = None,
    ) -> RubyValue:
        machine.spend(1)
        return compiler_of(machine).run_lambda(block, list(args))

    least, most = block.arity
    arity = least if least == most else -least - 1
    return Proc(call, lambda value: call([value]), arity, True, None)


def top_of(machine: Machine) -> ScopeObject:
    """The scope at the top."""
    top = functions_of(machine).top
    assert top is not None
    return top()


def note_copy(machine: Machine, result: RubyValue, given: Sequence[Any]) -> None:
    """Notes which argument a function gives back as it is, if that can be told."""
    functions = functions_of(machine)
    functions.copied = None
    if result is not None and result.__class__ not in _UNTOLD:
        same = [place for place, value in enumerate(given) if value is result]
        if len(same) == 1:
            functions.copied = same[0]


_UNTOLD = frozenset([int, float, bool])
"""Values that are the same wherever they come from."""
