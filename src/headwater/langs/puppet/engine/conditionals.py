"""Conditions: if, unless, case and selectors.

A condition leaves on the frame, while its branch runs, a `Guard` that says how it was
decided; whatever is written meanwhile keeps a pointer to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.blocks import make_block
from headwater.langs.puppet.engine.doing import active
from headwater.langs.puppet.engine.expressions import (
    Code,
    constant,
    make,
    maker,
    unwound,
    variable_name,
)
from headwater.langs.puppet.engine.steps import FREE
from headwater.langs.puppet.engine.weights import COMPARED, SIZED, charged
from headwater.langs.puppet.fault import Fault, Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, decide
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown, bad_match, folded, matches
from headwater.langs.puppet.types.refusals import BadRegexp
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, opaque_in
from headwater.text.late import when_called
from headwater.text.named import NamedTuple

if TYPE_CHECKING:
    from headwater.langs.puppet.types.regexps import finder
else:
    when_called(globals(), "headwater.langs.puppet.types.regexps", "finder")


@maker(ast.If)
def _if(unit: Unit, node: ast.If) -> Code:
    return _conditional(unit, node, make_block(unit, node.then), make_block(unit, node.otherwise))


@maker(ast.Unless)
def _unless(unit: Unit, node: ast.Unless) -> Code:
    return _conditional(unit, node, make_block(unit, node.otherwise), make_block(unit, node.then))


def _conditional(unit: Unit, node: ast.If | ast.Unless, then: Code, otherwise: Code) -> Code:
    test = make(unit, node.test)
    # An unknown condition is taken to hold, unless that leads out of here.
    leaves = any(map(_leaves, node.then))
    expected = leaves is isinstance(node, ast.Unless)

    def value_of(
        f: Frame, unit: Unit = unit, node: ast.If | ast.Unless = node, test: Code = test,
        then: Code = then, otherwise: Code = otherwise, expected: bool = expected,
    ) -> Value:  # fmt: skip
        match = f.match
        try:
            value = test(f)
            if value.__class__ is Opaque:
                f.scope.compilation.messages.undecide(unit, node, value)
                return _guess(f, then if expected else otherwise, value)
            return then(f) if value is not None and value is not False else otherwise(f)
        finally:
            f.match = match

    # What stands after an elsif has been made before; without its answer long rows take long.
    known = unit.once("active", unit.program, dict)
    decisive = active(node.then, known) or active(node.otherwise, known)
    known[id(node)] = decisive or active([node.test], known)
    if not decisive:
        return value_of

    def conditional(
        f: Frame, unit: Unit = unit, node: ast.If | ast.Unless = node, test: Code = test,
        then: Code = then, otherwise: Code = otherwise, expected: bool = expected,
    ) -> Value:  # fmt: skip
        match, guard = f.match, f.guard
        try:
            value = test(f)
            if value.__class__ is Opaque:
                f.scope.compilation.messages.undecide(unit, node, value)
                decide(f, unit, node, value)
                return _guess(f, then if expected else otherwise, value)
            holds = value is not None and value is not False
            decide(f, unit, node, holds)
            return then(f) if holds else otherwise(f)
        finally:
            f.match = match
            f.guard = guard

    return conditional


def _guess(f: Frame, branch: Code, why: Opaque) -> Value:
    """Runs the branch that an unknown value is taken to lead to; a refusal there is a warning."""
    compilation = f.scope.compilation
    depth = compilation.work.depth
    try:
        return branch(f)
    except Fault as fault:
        if not compilation.messages.doubt(fault, why):
            raise
    compilation.work.depth = depth
    return why


def _leaves(node: object) -> bool:
    """Whether a statement ends the block it stands in, or the compilation."""
    function = node.function if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Name) and function.value in _LEAVING


_LEAVING = frozenset(["fail", "return", "break", "next"])


@maker(ast.Case)
def _case(unit: Unit, node: ast.Case) -> Code:
    test = make(unit, node.test)
    options: Options = []
    default: Code | None = None
    for option in node.options:
        body = make_block(unit, option.body)
        values = []
        for value in map(unwound, option.values):
            if isinstance(value, ast.Default):
                default = body
            else:
                values.append((isinstance(value, ast.Splat), make(unit, value), value))
        options.append((values, body, option))
    return _choice(unit, node, test, options, default or constant(None))


@maker(ast.Selector)
def _selector(unit: Unit, node: ast.Selector) -> Code:
    test = make(unit, node.value)
    options: Options = []
    default: Code | None = None
    for option in node.options:
        result = make(unit, option.value)
        value = unwound(option.match)
        if isinstance(value, ast.Default):
            default = result
        else:
            several = isinstance(value, ast.Splat)
            options.append(([(several, make(unit, value), value)], result, option))
    return _choice(unit, node, test, options, default)


Options = list[tuple[list[tuple[bool, Code, Any]], Code, Any]]
"""What each option asks for (and whether that is several), what it leads to, and the option."""


class Choice(NamedTuple):
    """A case or selector, as it is written; `decisive` if more than a value hangs on it."""

    unit: Unit
    node: ast.Case | ast.Selector
    options: Options
    default: Code | None
    decisive: bool

    @property
    def subject(self) -> object:
        """What is looked at."""
        return self.node.test if isinstance(self.node, ast.Case) else self.node.value


def _choice(
    unit: Unit, node: ast.Case | ast.Selector, test: Code, options: Options, default: Code | None
) -> Code:
    """Case and selector: the first option that matches, else the default."""
    choice = Choice(unit, node, options, default, active(node.options))
    variable = variable_name(choice.subject)
    texts = _texts(options)
    literals = _literals(options) if texts is None else None
    others = _others(options)

    def choose(
        f: Frame, choice: Choice = choice, variable: str | None = variable, test: Code = test,
        texts: dict[str, tuple[Code, Any]] | None = texts,
        literals: list[Literal] | None = literals,
        others: Others | None = others,
    ) -> Value:  # fmt: skip
        match, guard = f.match, f.guard
        try:
            value = f.vars[variable] if variable in f.vars else test(f)
            unit, node, _, default, decisive = choice
            taken: tuple[Code, Any] | None
            if value.__class__ is not str:
                kind = value.__class__
                if others is None or (kind is not int and kind is not bool):
                    return _choose(f, choice, value)
                taken = others.get((kind, value))
            elif texts is not None:
                taken = texts[value] if value in texts else texts.get(folded(value))
                if taken is None and len(value) > FREE:
                    charged(f, unit, node, value)
            elif literals is not None:
                if len(value) > FREE:
                    charged(f, unit, node, value)
                taken = _taken(f, unit, value, literals)
            else:
                return _choose(f, choice, value)
            if taken is not None:
                if decisive:
                    decide(f, unit, node, taken[1])
                return taken[0](f)
            if default is None:
                fail(codes.NO_OPTION, unit.blamed(choice.subject), value=_shown(value))
            if decisive:
                decide(f, unit, node, None)
            return default(f)
        finally:
            f.match = match
            f.guard = guard

    return choose


def _choose(f: Frame, choice: Choice, value: Value) -> Value:
    """The same for any value and any options."""
    unit, node, options, default, decisive = choice
    compilation = f.scope.compilation
    if value.__class__ is Opaque:
        selects = node.__class__ is ast.Selector
        if decisive:
            decide(f, unit, node, value)
        if decisive or not selects:
            compilation.messages.undecide(unit, node, value)
        return value if selects else _guess(f, default or options[0][1], value)
    unknown = opaque_in(value) if compilation.work.opaque else None
    if unknown is not None:
        compilation.messages.undecide(unit, node, unknown)
    if value.__class__ in SIZED:
        charged(f, unit, node, value, 1 if value.__class__ is str else 2 * COMPARED)
    for tested, result, option in options:
        for several, code, where in tested:
            pattern = code(f)
            if compilation.work.opaque and (part := opaque_in(pattern)) is not None:
                unknown = part
                compilation.messages.undecide(unit, node, part)
                continue
            try:
                hit = (
                    any(matches(value, one, f) for one in pattern)
                    if several
                    else matches(value, pattern, f)
                )
            except Problem as problem:
                raise problem.at(unit.span(where)) from None
            if hit:
                if decisive:
                    decide(f, unit, node, option if unknown is None else unknown)
                return result(f)
    if default is None and unknown is not None:
        return unknown
    if default is None:
        fail(codes.NO_OPTION, unit.blamed(choice.subject), value=_shown(value))
    if decisive:
        decide(f, unit, node, unknown)
    return default(f)


Literal = tuple[str | None, str, Any, tuple[Code, Any]]
"""A text without regard to case, or else a regular expression; where it stands, what it chooses."""


def _literals(options: list[Any]) -> list[Literal] | None:
    """What is tried in turn where all options are texts and regular expressions."""
    found: list[Literal] = []
    for tested, result, option in options:
        for several, _, where in tested:
            if several or not isinstance(where, ast.String | ast.Name | ast.Regex):
                return None
            if isinstance(where, ast.Regex):
                found.append((None, where.pattern, where, (result, option)))
            else:
                found.append((folded(where.value), "", where, (result, option)))
    return found


def _taken(f: Frame, unit: Unit, value: str, literals: list[Literal]) -> tuple[Code, Any] | None:
    """What the first of the options chooses that a text fits; notes the groups of a match."""
    same: str | None = None
    for text, pattern, where, chosen in literals:
        if text is not None:
            if same is None:
                same = folded(value)
            if text == same:
                return chosen
            continue
        try:
            found = finder(pattern)(value)
        except BadRegexp as error:
            raise bad_match(error).at(unit.span(where)) from None
        except Problem as problem:
            raise problem.at(unit.span(where)) from None
        if found is not None:
            f.match = found
            return chosen
    return None


Others = dict[tuple[type, int | bool], tuple[Code, Any]]
"""What integers and booleans choose, each by its class too: true is no 1."""


def _others(options: list[Any]) -> Others | None:
    """What integers and booleans choose where all options are such, or are texts."""
    found: Others = {}
    for tested, result, option in options:
        for several, _, where in tested:
            if several or not isinstance(where, _PLAIN):
                return None
            if isinstance(where, _OTHERS):
                found.setdefault((where.value.__class__, where.value), (result, option))
    return found


_OTHERS = (ast.Integer, ast.Boolean)
_PLAIN = (ast.String, ast.Name, *_OTHERS)


def _texts(options: list[Any]) -> dict[str, tuple[Code, Any]] | None:
    """What texts choose where all options are texts, or what no text is: as written, and without
    regard to case."""
    found: dict[str, tuple[Code, Any]] = {}
    exact: dict[str, tuple[Code, Any]] = {}
    for tested, result, option in options:
        for several, _, where in tested:
            if several or not isinstance(where, _PLAIN):
                return None
            if isinstance(where, _OTHERS):
                continue
            exact.setdefault(where.value, found.setdefault(folded(where.value), (result, option)))
    return {**exact, **found}
