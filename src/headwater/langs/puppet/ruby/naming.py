"""Variables, as they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.defining import (
    make_constant,
)
from headwater.langs.puppet.ruby.flow import children
from headwater.langs.puppet.ruby.frames import (
    Frame,
)
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    Raised,
    RubyValue,
    Text,
    symbol,
)

MOST_DIGITS = 10
"""Characters of a variable such as ``$1``: no pattern has as many groups as longer ones name."""


def _local(cx: Context, node: s.Local) -> Run:
    depth, slot = cx.place(node.name)
    if depth == 0:
        return lambda fr: fr.vars[slot]
    if depth == 1:
        return lambda fr: fr.outer.vars[slot]  # type: ignore[union-attr]

    def far(fr: Frame) -> RubyValue:
        for _ in range(depth):
            fr = fr.outer  # type: ignore[assignment]
        found: RubyValue = fr.vars[slot]
        return found

    return far


def _instance(cx: Context, node: s.Instance) -> Run:
    name = node.name

    def instance(fr: Frame) -> RubyValue:
        ivars = getattr(fr.self_, "ivars", None)
        return None if ivars is None else ivars.get(name)

    return instance


def _class_variable(cx: Context, node: s.ClassVariable) -> Run:
    name = node.name
    machine = cx.machine

    def variable(fr: Frame) -> RubyValue:
        scope = fr.lexical[0]
        for one in scope.ancestors():
            if name in one.variables:
                return one.variables[name]
        raise machine.error("NameError", f"uninitialized class variable @@{name} in {scope.name}")

    return variable


def _global(cx: Context, node: s.Global) -> Run:
    name = node.name
    machine = cx.machine
    if name[1:].isdigit() and name != "$0":
        if len(name) > MOST_DIGITS:
            return lambda fr: None  # "too big for a number variable, always nil"
        number = int(name[1:])

        def group(fr: Frame) -> RubyValue:
            match = fr.activation.match
            return None if match is None else match.group(number)

        return group
    match name:
        case "$~":
            return lambda fr: fr.activation.match
        case "$&":
            return lambda fr: None if fr.activation.match is None else fr.activation.match.group(0)
        case "$`":
            return lambda fr: (
                None if fr.activation.match is None else Text(fr.activation.match.before())
            )
        case "$'":
            return lambda fr: (
                None if fr.activation.match is None else Text(fr.activation.match.after())
            )
        case "$!":
            return lambda fr: machine.globals.get("$!")
        case "__FILE__":
            return lambda fr: Text(cx.file)
        case "__dir__":
            return lambda fr: Text(cx.file.rpartition("/")[0] or ".")
        case "__method__":
            return lambda fr: (
                None if fr.activation.method is None else symbol(fr.activation.method.name)
            )
        case "$," | "$/" | "$;":
            return lambda fr: Text("\n") if name == "$/" else None
    if name in ("$:", "$LOAD_PATH"):  # files of modules are found without it
        return lambda fr: machine.globals.setdefault("$LOAD_PATH", [])
    if name in (
        "__LINE__",
        "$0",
        "$PROGRAM_NAME",
        "$$",
        "$?",
        "$stdout",
        "$stderr",
    ):
        raise Beyond(name, node.at)
    return lambda fr: machine.globals.get(name)


_ELSEWHERE = (
    "ARGF ARGV Addrinfo BasicSocket Benchmark CROSS_COMPILING ClosedQueueError Concurrent "
    "ConditionVariable DOT DeepMerge Delegator DidYouMean ErrorHighlight Etc Fiber FileTest "
    "FileUtils Find Forwardable GetoptLong Hiera IPSocket Logger Monitor MonitorMixin Mutex Net "
    "OpenStruct OptParse OptionParser ParseError Pathname Queue RDoc RUBYGEMS_ACTIVATION_MONITOR "
    "RUBY_COPYRIGHT RUBY_DESCRIPTION RUBY_PLATFORM RUBY_REVISION Racc Ractor RbConfig Refinement "
    "Resolv Ripper RubyVM STDERR STDIN STDOUT ScanError SimpleDelegator SingleForwardable "
    "Singleton SizedQueue SocketError SortedSet StringIO StringScanner Syslog TCPServer TCPSocket "
    "TOPLEVEL_BINDING ThreadGroup Timeout UDPSocket UNIXServer UNIXSocket UnicodeNormalize Warning"
)
ELSEWHERE: Final = frozenset(_ELSEWHERE.split())
"""Constants at the top that Ruby has while Puppet runs, and that are not evaluated here."""


def _assigns(node: s.Node, name: str) -> bool:
    """Whether a program gives a value to a constant of its own: nobody else has it then."""
    todo = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, s.Assign | s.OperatorAssign):
            target = at.target
            if isinstance(target, s.Constant) and target.scope is None and target.name == name:
                return True
        todo += children(at)
    return False


def _defined(cx: Context, node: s.Defined) -> Run:
    machine = cx.machine
    value = node.value
    while isinstance(value, s.Sequence) and len(value.items) == 1:
        value = value.items[0]
    match value:
        case s.Instance(name=name):
            return lambda fr: (
                Text("instance-variable") if name in getattr(fr.self_, "ivars", {}) else None
            )
        case s.Local():
            return lambda fr: Text("local-variable")
        case s.Assign() | s.OperatorAssign():
            return lambda fr: Text("assignment")
        case s.ClassVariable(name=name):
            return lambda fr: (
                Text("class variable")
                if any(name in one.variables for one in fr.lexical[0].ancestors())
                else None
            )
        case s.Global(name=name):
            return lambda fr: Text("global-variable") if name in machine.globals else None
        case s.Yield():
            return lambda fr: Text("yield") if fr.activation.block is not None else None
        case s.Self():
            return lambda fr: Text("self")
        case s.Nil():
            return lambda fr: Text("expression")
        case s.Constant():
            found = make_constant(cx, value)
            name, file = value.name, cx.file
            own = value.scope is None and name not in ELSEWHERE

            def constant(fr: Frame) -> RubyValue:
                try:
                    found(fr)
                except Raised:
                    return None
                except Beyond:
                    if own and any(_assigns(tree, name) for tree in machine.trees_of(file)):
                        return None
                    raise
                return Text("constant")

            return constant
        case s.Call(receiver=receiver, name=name):
            made = None if receiver is None else cx.make(receiver)

            def call(fr: Frame) -> RubyValue:
                try:
                    target = fr.self_ if made is None else made(fr)
                except Raised:
                    return None
                return None if machine.find(target, name) is None else Text("method")

            return call
    return lambda fr: Text("expression")


VARIABLES: Final[Mapping[type, Callable[[Context, Any], Run]]] = {
    s.ClassVariable: _class_variable,
    s.Defined: _defined,
    s.Global: _global,
    s.Instance: _instance,
    s.Local: _local,
}
