"""Ruby's tree to closures: `program` gives a function of a frame.

Every closure takes a frame and gives a value.  What can be known while the closures are made
(the slot of a variable, whether a block says ``break``) is not asked again while they run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import literals
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.assigning import (
    make_assign,
    make_assign_value,
    make_operator_assign,
)
from headwater.langs.puppet.ruby.calling import (
    make_arguments,
    make_block_argument,
    make_call,
    make_definition,
    make_lambda,
    make_super,
    make_yield,
)
from headwater.langs.puppet.ruby.context import Context, Run, truthy
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
    LoopBreak,
    LoopNext,
    Next,
    Retry,
    Return,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.matching import asked, make_case_in, make_matches
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from headwater.langs.puppet.ruby.values import (
    Class,
    Keywords,
    Pattern,
    Raised,
    Range,
    RubyObject,
    RubyValue,
    Text,
    key,
    symbol,
)

MOST_DIGITS = 10
"""Characters of a variable such as ``$1``: no pattern has as many groups as longer ones name."""


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
    except Retry:
        raise Unreadable("Invalid retry", 0) from None
    except RecursionError:
        raise machine.error("SystemStackError", "stack level too deep") from None


# literals


def _nil(cx: Context, node: s.Nil) -> Run:
    return lambda fr: None


def _constant_of(value: RubyValue) -> Run:
    return lambda fr: value


def _bool(cx: Context, node: s.Bool) -> Run:
    return _constant_of(node.value)


def _self(cx: Context, node: s.Self) -> Run:
    return lambda fr: fr.self_


def _integer(cx: Context, node: s.Integer) -> Run:
    text = node.text
    value = -literals.integer(text[1:]) if text[0] == "-" else literals.integer(text)
    return _constant_of(value)


def _float(cx: Context, node: s.Float) -> Run:
    return _constant_of(node.value)


def _rational(cx: Context, node: s.Rational) -> Run:
    if node.text.endswith("i"):
        raise Beyond("Complex", node.at)
    return _constant_of(Fraction(node.text.rstrip("r").replace("_", "")))


def _str(cx: Context, node: s.Str) -> Run:
    value = node.value
    return lambda fr: Text(value)


def _pieces(cx: Context, parts: list[s.Expr]) -> Callable[[Frame], str]:
    """The parts of a text, joined."""
    machine = cx.machine
    text = machine.text
    made: list[tuple[str | None, Run | None]] = [
        (part.value, None) if isinstance(part, s.Str) else (None, cx.make(part)) for part in parts
    ]

    def joined(fr: Frame) -> str:
        out = []
        size = 0
        for fixed, run_ in made:
            piece = fixed if run_ is None else text(run_(fr))
            assert piece is not None
            size += len(piece)
            out.append(piece)
        machine.check_size(size)
        return "".join(out)

    return joined


def _interpolated(cx: Context, node: s.Interpolated) -> Run:
    joined = _pieces(cx, node.parts)
    return lambda fr: Text(joined(fr))


def _symbol(cx: Context, node: s.Symbol) -> Run:
    return _constant_of(symbol(node.name))


def _interpolated_symbol(cx: Context, node: s.InterpolatedSymbol) -> Run:
    joined = _pieces(cx, node.parts)
    return lambda fr: symbol(joined(fr))


def _regex(cx: Context, node: s.Regex) -> Run:
    if all(isinstance(part, s.Str) for part in node.parts):
        source = "".join(part.value for part in node.parts if isinstance(part, s.Str))
        return _constant_of(Pattern(source, node.flags))
    machine = cx.machine
    made: list[tuple[str | None, Run | None]] = [
        (part.value, None) if isinstance(part, s.Str) else (None, cx.make(part))
        for part in node.parts
    ]
    flags = node.flags

    def pattern(fr: Frame) -> RubyValue:
        out = []
        for fixed, run_ in made:
            if run_ is None:
                assert fixed is not None
                out.append(fixed)
                continue
            value = run_(fr)
            out.append(machine.text(value))
        return Pattern("".join(out), flags)

    return pattern


def _array(cx: Context, node: s.Array) -> Run:
    if not any(isinstance(item, s.Splat) for item in node.items):
        made = [cx.make(item) for item in node.items]
        return lambda fr: [one(fr) for one in made]
    return make_arguments(cx, node.items)


def _hash(cx: Context, node: s.Hash) -> Run:
    pairs = [(None if p.key is None else cx.make(p.key), cx.make(p.value)) for p in node.pairs]
    machine = cx.machine
    kind = Keywords if node.keywords else Hash
    from headwater.langs.puppet.ruby.methods import conversions as to

    def hash_(fr: Frame) -> RubyValue:
        result = kind({})
        for name, value in pairs:
            if name is not None:
                result.put(key(name(fr)), value(fr))
                continue
            more = value(fr)
            if more is not None:
                for inner, item in to.hash_(machine, more).pairs():
                    result.put(inner, item)
        return result

    return hash_


def _range(cx: Context, node: s.Range) -> Run:
    low = None if node.low is None else cx.make(node.low)
    high = None if node.high is None else cx.make(node.high)
    exclusive = node.exclusive
    machine = cx.machine

    def range_(fr: Frame) -> RubyValue:
        first = None if low is None else low(fr)
        last = None if high is None else high(fr)
        if first is not None and last is not None:
            plain = (int, float) if first.__class__ in (int, float) else None
            if plain is not None and last.__class__ in plain:
                return Range(first, last, exclusive)
            if machine.send(first, "<=>", [last]) is None:
                raise machine.error("ArgumentError", "bad value for range")
        return Range(first, last, exclusive)

    return range_


# variables


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
        case "__method__":
            return lambda fr: (
                None if fr.activation.method is None else symbol(fr.activation.method.name)
            )
        case "$," | "$/" | "$;":
            return _constant_of(Text("\n") if name == "$/" else None)
    if name in ("$:", "$LOAD_PATH"):  # files of modules are found without it
        return lambda fr: machine.globals.setdefault("$LOAD_PATH", [])
    if name in (
        "__dir__",
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


# control


def _if(cx: Context, node: s.If) -> Run:
    asked = node.condition
    while isinstance(asked, s.Sequence) and len(asked.items) == 1:
        asked = asked.items[0]
    if isinstance(asked, s.Range):
        raise Beyond("a range as a condition (flip-flop)", asked.at)
    condition = cx.make(node.condition)
    then, otherwise = cx.make(node.then), cx.make(node.otherwise)

    def if_(fr: Frame) -> RubyValue:
        value = condition(fr)
        return otherwise(fr) if value is None or value is False else then(fr)

    return if_


def _and(cx: Context, node: s.And) -> Run:
    left, right = cx.make(node.left), cx.make(node.right)

    def and_(fr: Frame) -> RubyValue:
        value = left(fr)
        return value if value is None or value is False else right(fr)

    return and_


def _or(cx: Context, node: s.Or) -> Run:
    left, right = cx.make(node.left), cx.make(node.right)

    def or_(fr: Frame) -> RubyValue:
        value = left(fr)
        return right(fr) if value is None or value is False else value

    return or_


def _not(cx: Context, node: s.Not) -> Run:
    value = cx.make(node.value)
    machine = cx.machine

    def not_(fr: Frame) -> RubyValue:
        result = value(fr)
        if result.__class__ is RubyObject and (method := machine.find(result, "!")) is not None:
            return machine.invoke(method, result, [], None)
        return result is None or result is False

    return not_


def _while(cx: Context, node: s.While) -> Run:
    inner = cx.inside_loop()
    condition, body = inner.make(node.condition), inner.make(node.body)
    negated, body_first, machine = node.negated, node.body_first, cx.machine

    def while_(fr: Frame) -> RubyValue:
        first = body_first
        try:
            while True:
                if not first and truthy(condition(fr)) is negated:
                    return None
                first = False
                machine.spend(1)
                try:
                    body(fr)
                except LoopNext:
                    continue
        except LoopBreak as jump:
            return jump.value

    return while_


def _for(cx: Context, node: s.For) -> Run:
    inner = cx.inside_loop()
    value, machine = cx.make(node.value), cx.machine
    body, assign = inner.make(node.body), make_assign(cx, node.target)

    def for_(fr: Frame) -> RubyValue:
        over = value(fr)
        items = over if over.__class__ is list else machine.as_array(over, "to_a")
        try:
            for item in list(items):
                machine.spend(1)
                assign(fr, item)
                try:
                    body(fr)
                except LoopNext:
                    continue
        except LoopBreak as jump:
            return jump.value
        return over

    return for_


def _case(cx: Context, node: s.Case) -> Run:
    machine = cx.machine
    subject = None if node.subject is None else cx.make(node.subject)
    whens = [
        ([(cx.make(_inner(p)), isinstance(p, s.Splat)) for p in when.patterns], cx.make(when.body))
        for when in node.whens
    ]
    otherwise = cx.make(node.otherwise)
    file, at = cx.file, node.at

    def case(fr: Frame) -> RubyValue:
        value = None if subject is None else subject(fr)
        for patterns, body in whens:
            for pattern, splat in patterns:
                found = pattern(fr)
                machine.at = (file, at)
                for one in found if splat and found.__class__ is list else (found,):
                    if subject is None:
                        if truthy(one):
                            return body(fr)
                    elif asked(fr, machine, one, value):
                        return body(fr)
        return otherwise(fr)

    return case


def _inner(pattern: s.Expr) -> s.Expr:
    if isinstance(pattern, s.Splat):
        assert pattern.value is not None
        return pattern.value
    return pattern


def _begin(cx: Context, node: s.Begin) -> Run:
    machine = cx.machine
    body = cx.make(node.body)
    otherwise = None if node.otherwise is None else cx.make(node.otherwise)
    ensure = None if node.ensure is None else cx.make(node.ensure)
    rescues = [
        (
            make_arguments(cx, one.classes) if one.classes else None,
            None if one.target is None else make_assign(cx, one.target),
            cx.make(one.body),
        )
        for one in node.rescues
    ]

    def attempt(fr: Frame) -> RubyValue:
        depth = machine.depth
        while True:
            try:
                value = body(fr)
            except Raised as raised:
                machine.depth = depth
                error = raised.error
                fitting = next(
                    (
                        (assign, handler)
                        for classes, assign, handler in rescues
                        if _rescues(machine, None if classes is None else classes(fr), error)
                    ),
                    None,
                )
                if fitting is None:
                    raise
                assign, handler = fitting
                before = machine.globals.get("$!")
                machine.globals["$!"] = error
                if assign is not None:
                    assign(fr, error)
                try:
                    return handler(fr)
                except Retry:
                    machine.spend(1)
                    continue
                finally:
                    machine.globals["$!"] = before
            return value if otherwise is None else otherwise(fr)

    if ensure is None:
        return attempt

    def ensured(fr: Frame) -> RubyValue:
        try:
            return attempt(fr)
        finally:
            ensure(fr)

    return ensured


def _rescues(machine: Machine, classes: list[Any] | None, error: RubyObject) -> bool:
    """Whether a ``rescue`` is for an error."""
    from headwater.langs.puppet.ruby.classes import BUILTIN

    if classes is None:
        return error.cls.is_below(BUILTIN["StandardError"])
    return any(
        error.cls.is_below(one)
        if one.__class__ is Class
        else truthy(machine.send(one, "===", [error]))
        for one in classes
    )


def _jump(cx: Context, node: s.Jump) -> Run:
    value: Run = (lambda fr: None) if node.value is None else cx.make(node.value)
    if node.kind == "return":

        def return_(fr: Frame) -> RubyValue:
            raise Return(fr.activation, value(fr))

        return return_
    if node.kind == "retry":

        def retry(fr: Frame) -> RubyValue:
            raise Retry

        return retry
    if node.kind == "redo":
        raise Beyond("redo", node.at)
    if cx.in_loop:

        def leave(fr: Frame) -> RubyValue:
            raise LoopBreak(value(fr)) if node.kind == "break" else LoopNext

        return leave
    if cx.break_tag is None:
        raise Unreadable(f"Invalid {node.kind}", node.at)
    if node.kind == "next":

        def next_(fr: Frame) -> RubyValue:
            raise Next(value(fr))

        return next_
    tag = cx.break_tag

    def break_(fr: Frame) -> RubyValue:
        raise Break(tag, value(fr))

    return break_


def _sequence(cx: Context, node: s.Sequence) -> Run:
    if not node.items:
        return lambda fr: None
    made = [cx.make(item) for item in node.items]
    *first, last = made
    if len(first) == 1:
        one = first[0]

        def two(fr: Frame) -> RubyValue:
            one(fr)
            return last(fr)

        return two

    def many(fr: Frame) -> RubyValue:
        for item in first:
            item(fr)
        return last(fr)

    return many


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

            def constant(fr: Frame) -> RubyValue:
                try:
                    found(fr)
                except Raised:
                    return None
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


def _emit(cx: Context, node: s.Emit) -> Run:
    """A piece of a template, handed to whoever collects it."""
    text, machine = node.text, cx.machine
    at, end = node.at, node.end
    if text is not None:
        fixed = text

        def own(fr: Frame) -> RubyValue:
            machine.output.text(fixed, at, end)
            return None

        return own
    assert node.value is not None
    value = cx.make(node.value)

    def inserted(fr: Frame) -> RubyValue:
        made = value(fr)
        machine.output.value(made, machine.text(made), at, end)
        return None

    return inserted


MAKERS: Final[Mapping[type, Callable[[Context, Any], Run]]] = {
    s.Alias: make_alias,
    s.And: _and,
    s.Array: _array,
    s.Assign: make_assign_value,
    s.Begin: _begin,
    s.BlockPass: make_block_argument,
    s.Bool: _bool,
    s.Call: make_call,
    s.Case: _case,
    s.CaseIn: make_case_in,
    s.ClassBody: make_class,
    s.ClassVariable: _class_variable,
    s.Constant: make_constant,
    s.Defined: _defined,
    s.Definition: make_definition,
    s.Emit: _emit,
    s.Float: _float,
    s.For: _for,
    s.Global: _global,
    s.Hash: _hash,
    s.If: _if,
    s.Instance: _instance,
    s.Integer: _integer,
    s.Interpolated: _interpolated,
    s.InterpolatedSymbol: _interpolated_symbol,
    s.Jump: _jump,
    s.Lambda: make_lambda,
    s.Local: _local,
    s.MatchAssign: _match_assign,
    s.Matches: make_matches,
    s.ModuleBody: make_module,
    s.Nil: _nil,
    s.Not: _not,
    s.OperatorAssign: make_operator_assign,
    s.Or: _or,
    s.Range: _range,
    s.Rational: _rational,
    s.Regex: _regex,
    s.Self: _self,
    s.Sequence: _sequence,
    s.SingletonBody: make_singleton,
    s.Splat: _splat,
    s.Str: _str,
    s.Super: make_super,
    s.Symbol: _symbol,
    s.While: _while,
    s.Yield: make_yield,
}
