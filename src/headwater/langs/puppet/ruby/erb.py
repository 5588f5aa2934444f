"""ERB: a template's text to a program of Ruby, with trim mode ``-`` as Puppet uses it.

Text becomes `Emit` of itself, ``<%= … %>`` `Emit` of a value, ``<% … %>`` Ruby between them.
The program is read as one text, since code of one tag may begin what another ends; a table
leads every offset of that text back to the template.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, Final

import msgspec

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Unreadable

_OPENING: Final = re.compile(r"^[ \t]*<%-|<%-|<%%|<%=|<%#|<%", re.MULTILINE)
_CLOSING: Final = re.compile(r"%%>|-%>|%>")
_TEXT: Final = "erb_text__"
_VALUE: Final = "erb_value__"
_BUFFER: Final = "_erbout"


class Piece(msgspec.Struct, frozen=True):
    """A part of a template: text, code, or an expression to be inserted."""

    kind: str
    text: str
    at: int
    end: int


def pieces(template: str) -> list[Piece]:
    """The parts of a template, in order."""
    found: list[Piece] = []
    place = 0
    text: list[str] = []
    start = 0

    def flush() -> None:
        if text and (joined := "".join(text)):
            found.append(Piece("text", joined, start, place))
        text.clear()

    while True:
        opening = _OPENING.search(template, place)
        if not text:
            start = place
        if opening is None:
            text.append(template[place:])
            place = len(template)
            flush()
            return found
        text.append(template[place : opening.start()])
        mark = opening[0]
        if mark == "<%%":
            text.append("<%")
            place = opening.end()
            continue
        place = opening.start()
        flush()
        body, place = _body(template, opening.end())
        if mark == "<%=":
            found.append(Piece("value", body, opening.end(), place))
        elif mark != "<%#":
            found.append(Piece("code", body, opening.end(), place))


def _body(template: str, start: int) -> tuple[str, int]:
    """What stands between the marks of a tag, and where the text goes on behind it."""
    out: list[str] = []
    place = start
    while True:
        closing = _CLOSING.search(template, place)
        if closing is None:
            # ERB reads code to the end where a tag is not closed.
            return "".join([*out, template[place:]]), len(template)
        out.append(template[place : closing.start()])
        if closing[0] == "%%>":
            out.append("%>")
            place = closing.end()
            continue
        end = closing.end()
        if closing[0] == "-%>":
            line_end = next((e for e in ("\n", "\r\n") if template.startswith(e, end)), "")
            end += len(line_end)
        return "".join(out), end


def read_template(template: str) -> s.Program:
    """The program of a template; its places are places of the template."""
    source: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    size = 0

    def add(text: str, origin: int) -> None:
        nonlocal size
        starts.append(size)
        origins.append(origin)
        source.append(text)
        size += len(text)

    parts = pieces(template)
    if any(_BUFFER in piece.text for piece in parts if piece.kind != "text"):
        add(f"{_BUFFER} = {_BUFFER}; ", 0)  # a variable from here on; who renders gives it a value
    for number, piece in enumerate(parts):
        if piece.kind == "text":
            add(f"{_TEXT}({number}); ", piece.at)
        elif piece.kind == "value":
            add(f"{_VALUE}((", piece.at)
            add(piece.text, piece.at)
            add(")); ", piece.at + len(piece.text))
        else:
            add(piece.text, piece.at)
            add("\n", piece.at + len(piece.text))
    fixed = {n for n, piece in enumerate(parts) if piece.kind != "code"}

    def place(offset: int) -> int:
        index = max(0, bisect_right(starts, offset) - 1)
        if not starts:
            return 0
        moved = offset - starts[index]
        length = len(source[index])
        made = _is_made(source[index])
        return origins[index] + (0 if made else min(moved, length))

    try:
        tree = read("".join(source), place)
    except Unreadable as error:
        raise Unreadable(error.message, min(error.at, len(template))) from None
    return _emitting(tree, parts) if fixed else tree


def _is_made(text: str) -> bool:
    return text.startswith((_TEXT, _VALUE, f"{_BUFFER} = {_BUFFER}")) or text == ")); "


def _emitting(tree: s.Program, parts: list[Piece]) -> s.Program:
    """The program with the marks of text and values made `Emit`."""

    def change(node: object) -> object:
        if isinstance(node, s.Call) and node.receiver is None:
            if node.name == _TEXT:
                number = node.arguments[0]
                assert isinstance(number, s.Integer)
                piece = parts[int(number.text)]
                return s.Emit(text=piece.text, value=None, at=piece.at, end=piece.end)
            if node.name == _VALUE:
                value = (
                    change(node.arguments[0]) if node.arguments else s.Nil(at=node.at, end=node.at)
                )
                assert isinstance(value, s.Node)
                return s.Emit(text=None, value=value, at=value.at, end=value.end)  # type: ignore[arg-type]
        if isinstance(node, s.Node):
            fields: dict[str, Any] = {
                name: change(getattr(node, name)) for name in node.__struct_fields__
            }
            return node.__class__(**fields)
        if isinstance(node, list):
            return [change(item) for item in node]
        return node

    try:
        made = change(tree)
    except RecursionError:
        raise Unreadable("nested too deep", 0) from None
    assert isinstance(made, s.Program)
    return made
