"""What templates write: rows of texts and values between two statements, and where they go."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.expressions import Code, make, variable_name
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.record.renderings import Piece
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.values import Opaque, Sensitive

OUT = "@epp"
"""The variable that holds what a template has written so far; no program can spell it."""

_WRITING = (ast.RenderText, ast.Render, ast.Lambda)

Rendered = ast.RenderText | ast.Render
_TEXTS = (str, Sensitive, Opaque)
"""What is written as it is."""


class Out:
    """What a template has written so far: texts, and the nodes and frames that wrote them."""

    __slots__ = ("texts", "writers")

    def __init__(self) -> None:
        self.texts: list[Any] = []
        self.writers: list[tuple[list[Rendered], Frame]] = []

    def pieces(self, unit: Unit) -> list[Piece]:
        """The pieces of what was written."""
        sources = [(node, frame) for nodes, frame in self.writers for node in nodes]
        return [
            Piece(len(text), unit.span(node), isinstance(node, ast.Render), node, frame)
            for text, (node, frame) in zip(self.texts, sources, strict=True)
        ]


def _out(frame: Frame) -> Out:
    """What the template around has written so far."""
    at: Frame | None = frame
    while at is not None:
        if OUT in at.vars:
            found: Out = at.vars[OUT]
            return found
        at = at.up
    raise AssertionError("text outside of a template")


def is_row_part(node: object) -> bool:
    """Whether a statement of a template writes, and does so last of all that it does."""
    if isinstance(node, ast.RenderText):
        return True
    todo = [node.value] if isinstance(node, ast.Render) else []
    if not todo:
        return False
    while todo:
        at = todo.pop()
        if isinstance(at, _WRITING):
            return False
        todo.extend(ast.children(at))
    return True


def make_writing(unit: Unit, nodes: list[Rendered]) -> Code:
    """The closure of texts and values that are written one after the other."""
    row: list[Any] = []
    values: list[tuple[int, str | None, Code]] = []
    for at, node in enumerate(nodes):
        if isinstance(node, ast.RenderText):
            row.append(node.value)
        else:
            row.append("")
            values.append((at, variable_name(node.value), make(unit, node.value)))

    def write(
        f: Frame, row: list[Any] = row, values: list[tuple[int, str | None, Code]] = values,
        nodes: list[Rendered] = nodes,
    ) -> None:  # fmt: skip
        local = f.vars
        texts = row.copy()
        at = 0
        try:
            for at, name, code in values:
                text = local[name] if name in local else code(f)
                if text.__class__ is not str:
                    if text.__class__ is int:
                        text = str(text)
                    elif not isinstance(text, _TEXTS):
                        text = text_of(text)
                texts[at] = text
        except BaseException:  # a jump may end it
            out = _out(f)
            out.texts += texts[:at]
            out.writers.append((nodes[:at], f))
            raise
        around = f
        while OUT not in local:
            if around.up is None:
                raise AssertionError("text outside of a template")
            around = around.up
            local = around.vars
        out = local[OUT]
        out.texts += texts
        out.writers.append((nodes, f))

    return write
