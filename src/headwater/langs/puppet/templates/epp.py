"""``epp()`` and ``inline_epp()``, and the makers of what only templates have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.calls import Call
from headwater.langs.puppet.engine.classes import check_parameters
from headwater.langs.puppet.engine.control import make_block
from headwater.langs.puppet.engine.definitions import Parameter, Unit
from headwater.langs.puppet.engine.expressions import Code, constant, make, maker
from headwater.langs.puppet.engine.frames import Frame, Write, inside
from headwater.langs.puppet.engine.functions import global_scope, own
from headwater.langs.puppet.engine.lambdas import make_params
from headwater.langs.puppet.engine.loader import SyntaxFault, parsed_unit
from headwater.langs.puppet.engine.show import text_of
from headwater.langs.puppet.fault import Fault, Problem, Return
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque, Sensitive
from headwater.report import Note
from headwater.text import Source

_OUT = "@epp"
"""The variable that holds what a template has written so far; no program can spell it."""

_MADE: dict[Unit, Template] = {}


class Template:
    """A template whose text is compiled."""

    __slots__ = ("body", "named", "params", "unit")

    def __init__(self, unit: Unit) -> None:
        node = unit.program.body[0] if unit.program.body else ast.Epp(None, [])
        assert isinstance(node, ast.Epp)
        self.unit = unit
        self.named = node.params is not None
        self.params: list[Parameter] = make_params(unit, node.params or [])
        self.body = make_block(unit, node.body)

    def render(self, call: Call, up: Frame, given: Hash, name: str) -> Any:
        """The text, with arguments by name."""
        frame = inside(up)
        frame.guard = call.frame.guard
        frame.origin = (None, call, call.compiler.clock)
        record = (call.node, (self.unit, up))
        call.compiler.reads.append(("epp", name, None, call.frame, call.unit, record))
        self._bind(call, frame, given, name)
        pieces: list[Any] = []
        frame.vars[_OUT] = pieces
        try:
            self.body(frame)
        except Return as jump:
            return "" if jump.value is None else jump.value
        try:
            return "".join(pieces)
        except TypeError:  # some pieces are no texts
            return _joined(pieces)

    def _bind(self, call: Call, frame: Frame, given: Hash, name: str) -> None:
        bound = frame.vars
        for key, value in given.pairs():
            bound[key] = value
            frame.writes[key] = Write(
                "argument", call.unit, call.node, call.frame, call.frame.guard, key
            )
        if not self.named:
            return
        for param in self.params:
            if bound.get(param.name) is None and param.default is not None:
                bound.pop(param.name, None)
                bound[param.name] = param.default(frame)
                frame.writes[param.name] = Write(
                    "default", self.unit, param.node.default, frame, None
                )
        given_now = dict(bound)
        check_parameters(call.compiler, f"epp template {name}", self.params, given_now)


def _joined(pieces: list[Any]) -> Any:
    """The text of pieces, some of which are sensitive or unknown, and so is the whole."""
    unknown = next((piece for piece in pieces if isinstance(piece, Opaque)), None)
    if unknown is not None:
        return unknown
    return Sensitive(
        "".join(text_of(piece.value) if isinstance(piece, Sensitive) else piece for piece in pieces)
    )


def _out(frame: Frame) -> list[Any]:
    """What the template around has written so far."""
    at: Frame | None = frame
    while at is not None:
        if _OUT in at.vars:
            found: list[Any] = at.vars[_OUT]
            return found
        at = at.up
    raise AssertionError("text outside of a template")


def template_of(unit: Unit) -> Template:
    """The compiled template of a text, made once."""
    found = _MADE.get(unit)
    if found is None:
        found = _MADE[unit] = Template(unit)
    return found


@contextmanager
def _at_the_call(call: Call) -> Iterator[None]:
    """What is wrong with the text of a template is told where it is used, as Puppet does."""
    try:
        yield
    except SyntaxFault as fault:
        inner = fault.diagnostic
        note = Note("here, in the template", inner.at)
        span = call.unit.span(call.node)
        raise Fault(replace(inner, at=span, labels=(note, *inner.labels))) from None


def _arguments(call: Call, args: Sequence[Any]) -> Hash:
    given = args[1] if len(args) > 1 else Hash()
    if not isinstance(given, Hash) or not all(isinstance(key, str) for key in given):
        call.mistyped("the second argument is a hash of variables by name")
    return given


@own("epp", 1, 2)
def epp(call: Call, args: Sequence[Any], block: Any) -> Any:
    """The text of a template in a file; it sees its arguments and what is global."""
    name = args[0]
    if not isinstance(name, str):
        call.mistyped("the name of a template is a string")
    given = _arguments(call, args)
    find = call.compiler.loader.file_of
    path = find("templates", name) or find("templates", f"{name}.epp")
    if path is None:
        call.fail(f"there is no template {name}")
    call.external("file", name, path)
    with _at_the_call(call):
        unit = call.compiler.loader.unit(path, None, template=True)
    return template_of(unit).render(call, global_scope(call.frame.scope), given, name)


_INLINE: dict[str, Unit] = {}


@own("inline_epp", 1, 2)
def inline_epp(call: Call, args: Sequence[Any], block: Any) -> Any:
    """The text of a template given as text; it sees what its caller sees."""
    text = args[0]
    if not isinstance(text, str):
        call.mistyped("the text of a template is a string")
    unit = _INLINE.get(text)
    if unit is None:
        source = Source.of_text("inlined-epp-text", text)
        with _at_the_call(call):
            unit = _INLINE[text] = parsed_unit(source, None, [], template=True)
    return template_of(unit).render(call, call.frame, _arguments(call, args), "inline")


@own("template", 1)
def template(call: Call, args: Sequence[Any], block: Any) -> Any:
    """ERB from a file: unknown here."""
    return _ruby(call, ", ".join(map(text_of, args)))


@own("inline_template", 1)
def inline_template(call: Call, args: Sequence[Any], block: Any) -> Any:
    """ERB given as text: unknown here."""
    return _ruby(call, "given inline")


def _ruby(call: Call, name: str) -> Opaque:
    if call.compiler.inputs.on_unknown != "opaque":
        raise Problem(codes.RUBY_TEMPLATE, name=name)
    call.compiler.warn(codes.OPAQUE_VALUE, call.unit.span(call.node), what=f"the template {name}")
    call.external("unknown", name)
    call.compiler.opaque = True
    return Opaque(f"template({name})")


@maker(ast.RenderText)
def _render_text(unit: Unit, node: ast.RenderText) -> Code:
    value = node.value

    def render(f: Frame) -> None:
        _out(f).append(value)

    return render


@maker(ast.Render)
def _render(unit: Unit, node: ast.Render) -> Code:
    inner = make(unit, node.value)

    def render(f: Frame) -> None:
        value = inner(f)
        if value.__class__ is not str and not isinstance(value, Sensitive | Opaque):
            value = text_of(value)
        _out(f).append(value)

    return render


@maker(ast.Epp)
def _epp(unit: Unit, node: ast.Epp) -> Code:
    return constant(None)
