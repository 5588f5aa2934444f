"""Ruby's tree to closures: `program` gives a function of a frame.

Every closure takes a frame and gives a value.  What can be known while the closures are made
(the slot of a variable, whether a block says ``break``) is not asked again while they run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.assigning import (
    make_assign,
    make_assign_value,
    make_operator_assign,
)
from headwater.langs.puppet.ruby.branching import CONTROL
from headwater.langs.puppet.ruby.calling import (
    make_arguments,
    make_block_argument,
    make_definition,
    make_lambda,
    make_super,
    make_yield,
)
from headwater.langs.puppet.ruby.constructing import LITERALS
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.defining import (
    make_alias,
    make_class,
    make_constant,
    make_module,
    make_singleton,
)
from headwater.langs.puppet.ruby.frames import (
    Activation,
    Break,
    Frame,
    Retry,
    Return,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.matching import make_case_in, make_matches
from headwater.langs.puppet.ruby.naming import VARIABLES
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable, too_large
from headwater.langs.puppet.ruby.sending import make_call
from headwater.langs.puppet.ruby.values import (
    Class,
    Pattern,
    RubyValue,
)


def program(machine: Machine, tree: s.Program, file: str) -> Run:
    """The closure of a whole file or template, made once; call it with `fresh_frame`."""
    known = machine.known_program(tree, file)
    if known is not None:
        return known
    try:
        made = Context(machine, file, tree.names, None, MAKERS).make(tree.body)
    except Beyond as beyond:
        beyond.file = beyond.file or file
        raise
    except RecursionError:
        raise Unreadable("nested too deep", 0) from None
    machine.keep_program(tree, file, made)
    return made


def fresh_frame(
    machine: Machine, tree: s.Program, self_: RubyValue, lexical: tuple[Class, ...]
) -> Frame:
    """A frame for a file or template that begins."""
    return Frame(self_, len(tree.names), None, Activation(None, self_, [], None), lexical)


def run(machine: Machine, tree: s.Program, file: str, self_: RubyValue = None) -> RubyValue:
    """Runs a whole file with the main object, or another, as `self`."""
    from headwater.langs.puppet.ruby.classes import OBJECT

    receiver = machine.main if self_ is None else self_
    frame = fresh_frame(machine, tree, receiver, (OBJECT,))
    try:
        return program(machine, tree, file)(frame)
    except Return as jump:
        return jump.value
    except (ValueError, OverflowError) as error:
        raise too_large(error) or error from None
    except Retry:
        raise Unreadable("Invalid retry", 0) from None
    except Break:
        raise machine.error("LocalJumpError", "break from proc-closure") from None
    except RecursionError:
        raise machine.error("SystemStackError", "stack level too deep") from None


def _match_assign(cx: Context, node: s.MatchAssign) -> Run:
    from headwater.langs.puppet.ruby.methods.regexps import matched

    machine = cx.machine
    pattern, value = cx.make(node.pattern), cx.make(node.value)
    targets = [
        (name, make_assign(cx, s.Local(name=name, at=node.at, end=node.end))) for name in node.names
    ]

    def match_(fr: Frame) -> RubyValue:
        regex = pattern(fr)
        assert isinstance(regex, Pattern)
        found = matched(machine, regex, value(fr))
        fr.activation.match = found
        for name, assign in targets:
            number = None if found is None else found.found.names.get(name)
            assign(fr, None if found is None or number is None else found.group(number))
        return None if found is None else len(found.before())

    return match_


def _splat(cx: Context, node: s.Splat) -> Run:
    if node.value is None:
        raise Unreadable("no anonymous rest parameter", node.at)
    return make_arguments(cx, [node])


def _refused(cx: Context, node: s.Refused) -> Run:
    file = cx.file

    def refuse(fr: Frame) -> RubyValue:
        raise Beyond(node.construct, node.at, file)

    return refuse


def _emit(cx: Context, node: s.Emit) -> Run:
    """A piece of a template, handed to whoever collects it."""
    text, machine = node.text, cx.machine
    at, end = node.at, node.end
    if text is not None:
        fixed = (text, at, end, False, None)

        def own(fr: Frame) -> RubyValue:
            machine.output.add(fixed)
            return None

        return own
    assert node.value is not None
    value = cx.make(node.value)

    def inserted(fr: Frame) -> RubyValue:
        made = value(fr)
        machine.output.add((machine.text(made), at, end, True, made))
        return None

    return inserted


MAKERS: Final[Mapping[type, Callable[[Context, Any], Run]]] = {
    **LITERALS,
    **VARIABLES,
    **CONTROL,
    s.Alias: make_alias,
    s.Assign: make_assign_value,
    s.BlockPass: make_block_argument,
    s.Call: make_call,
    s.CaseIn: make_case_in,
    s.ClassBody: make_class,
    s.Constant: make_constant,
    s.Definition: make_definition,
    s.Emit: _emit,
    s.Refused: _refused,
    s.Lambda: make_lambda,
    s.MatchAssign: _match_assign,
    s.Matches: make_matches,
    s.ModuleBody: make_module,
    s.OperatorAssign: make_operator_assign,
    s.SingletonBody: make_singleton,
    s.Splat: _splat,
    s.Super: make_super,
    s.Yield: make_yield,
}
