"""EPP: rendering a template, and the functions that ask for one (see `templates.epp`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes, Incompatible, joined
from headwater.langs.puppet.engine.blocks import make_body
from headwater.langs.puppet.engine.classes import check_parameters
from headwater.langs.puppet.engine.expressions import Code, constant, maker
from headwater.langs.puppet.engine.functions import Call, global_scope, own
from headwater.langs.puppet.engine.lambdas import make_params
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.engine.writing import OUT, Out, Rendered, make_writing
from headwater.langs.puppet.fault import Return, fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import Parameter
from headwater.langs.puppet.program.parsing import Reading
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import (
    COMPUTED,
    Binding,
    Entered,
    Frame,
    Guard,
    inside,
)
from headwater.langs.puppet.record.renderings import Rendering
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.templates import epp as pages
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, Sensitive
from headwater.text import Span

_MADE: dict[Unit, Template] = {}


class Template:
    """A template whose text is compiled."""

    __slots__ = ("_body", "_named", "_params", "_steps", "_unit")

    def __init__(self, unit: Unit) -> None:
        node = unit.program.body[0] if unit.program.body else ast.Epp(None, [])
        assert isinstance(node, ast.Epp)
        self._unit = unit
        self._named = node.params is not None
        self._params: list[Parameter] = make_params(unit, node.params or [])
        self._body, self._steps = make_body(unit, node.body)

    def render(self, call: Call, up: Frame, given: Hash, name: str) -> Value:
        """The text, with arguments by name."""
        frame = inside(up)
        frame.guard = _guard(call)
        frame.origin = Entered(
            None, call.unit, call.node, call.frame, call.frame.scope.record.clock
        )
        call.read("epp", name, None, (self._unit, up))
        self._bind(call, frame, given, name)
        out = frame.vars[OUT] = Out()
        spend(call.compilation.work, self._steps, call.unit, call.node)
        try:
            self._body(frame)
        except Return as jump:
            return "" if jump.value is None else jump.value
        finally:
            del frame.vars[OUT]
        try:
            text = _together(out.texts)
        except Incompatible as error:
            fail(codes.MIXED_ENCODINGS, call.unit.blamed(call.node), what=str(error))
        except TypeError:  # some pieces are no texts
            return _joined(out.texts)
        call.read(
            "rendering", name, None, Rendering(text, partial(out.pieces, self._unit), self._unit)
        )
        return text

    def _bind(self, call: Call, frame: Frame, given: Hash, name: str) -> None:
        bound = frame.vars
        for key, value in given.pairs():
            bound[key] = value
            frame.bindings[key] = Binding(
                "argument", call.unit, call.node, call.frame, call.frame.guard, key,
                call.compilation.record.clock,
            )  # fmt: skip
        if not self._named:
            return
        for param in self._params:
            if bound.get(param.name) is None and param.default is not None:
                bound.pop(param.name, None)
                bound[param.name] = param.default(frame)
                frame.bindings[param.name] = Binding(
                    "default", self._unit, param.node.default, frame, None, None,
                    call.compilation.record.clock,
                )  # fmt: skip
        given_now = dict(bound)
        check_parameters(call.compilation, f"epp template {name}", self._params, given_now)


def _guard(call: Call) -> Guard | None:
    """What decides about the statements of a template: its name or text, which may be computed."""
    match call.node:
        case ast.Call(function=ast.Name(value="epp" | "inline_epp"), args=[first, *_]):
            pass
        case ast.Method(function=ast.Name(value="epp" | "inline_epp"), receiver=first):
            pass
        case _:
            return call.frame.guard
    when = call.compilation.record.clock + 1
    return Guard(call.unit, first, call.frame, COMPUTED, call.frame.guard, when)


def _together(pieces: list[Any]) -> str:
    """The text of pieces that are texts; an empty one was never written.

    Raises `Incompatible`, and `TypeError` if some are no texts.
    """
    whole = "".join(pieces)
    if whole.isascii() and next(filter(None, pieces), "").__class__ is not Bytes:
        return whole  # as `joined` sees it
    return joined([piece for piece in pieces if piece])


def _joined(pieces: list[Any]) -> Value:
    """The text of pieces, some of which are sensitive or unknown, and so is the whole."""
    unknown = next((piece for piece in pieces if isinstance(piece, Opaque)), None)
    if unknown is not None:
        return unknown
    return Sensitive(
        "".join(text_of(piece.value) if isinstance(piece, Sensitive) else piece for piece in pieces)
    )


def template_of(unit: Unit) -> Template:
    """The compiled template of a text, made once."""
    found = _MADE.get(unit)
    if found is None:
        found = _MADE[unit] = Template(unit)
    return found


class Page:
    """A call of ``epp()`` or ``inline_epp()``, as `templates.epp` sees it."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.mistyped = call.mistyped
        self.fail = call.fail

    @property
    def span(self) -> Span:
        return self._call.span

    @property
    def reading(self) -> Reading:
        return self._call.compilation.program.modules.reading

    def file(self, name: str) -> str | None:
        return self._call.find_file("templates", name)

    def parsed(self, name: str, path: str) -> Unit:
        self._call.external("file", name, path)
        return self._call.compilation.program.modules.unit(path, None, template=True)

    def render(self, unit: Unit, given: Hash, name: str) -> Value:
        self._call.compilation.program.doubt(unit)
        up = global_scope(self._call.frame.scope)
        return template_of(unit).render(self._call, up, given, name)

    def render_inline(self, unit: Unit, given: Hash) -> Value:
        self._call.compilation.program.doubt(unit)
        return template_of(unit).render(self._call, self._call.frame, given, "inline")


@own("epp", 1, 2)
def epp(call: Call, args: Sequence[Any], block: object) -> Value:
    """The text of a template in a file; it sees its arguments and what is global."""
    return pages.epp(Page(call), args)


@own("inline_epp", 1, 2)
def inline_epp(call: Call, args: Sequence[Any], block: object) -> Value:
    """The text of a template given as text; it sees what its caller sees."""
    return pages.inline_epp(Page(call), args)


@maker(ast.RenderText, ast.Render)
def _render(unit: Unit, node: Rendered) -> Code:
    return make_writing(unit, [node])


@maker(ast.Epp)
def _epp(unit: Unit, node: ast.Epp) -> Code:
    return constant(None)
