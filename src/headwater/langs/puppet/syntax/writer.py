"""Where printed text goes: lines, indentation, and the heredocs whose text must follow."""

from __future__ import annotations

from headwater.text.patterns import LatePattern

_CONTROL = LatePattern(r"[\n\r\t]")
_DOUBLE = {"\\": "\\\\", '"': '\\"', "$": "\\$", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Writer:
    """Text in the making.  The text of a heredoc is held back until the line ends."""

    __slots__ = ("indent", "out", "pending")

    def __init__(self) -> None:
        self.out: list[str] = []
        self.indent = 0
        self.pending: list[str] = []

    def write(self, *texts: str) -> None:
        """Adds text to the line."""
        self.out.extend(texts)

    def line(self) -> None:
        """Ends the line, writes the heredocs it has announced, and indents the next."""
        self.out.append("\n")
        self.out.extend(self.pending)
        self.pending.clear()
        self.out.append("  " * self.indent)

    def settle(self) -> None:
        """Ends the line if a heredoc is announced: what follows is not code."""
        if self.pending:
            self.line()

    def text(self) -> str:
        """All that was written, blanks at the ends of lines outside strings removed."""
        return "".join(self.out)


def quote(value: str) -> str:
    """A string literal: in single quotes unless it holds line ends or tabs."""
    if _CONTROL.search(value):
        return f'"{double(value)}"'
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def double(value: str) -> str:
    """Text as it is written within double quotes."""
    return "".join(_DOUBLE.get(char, char) for char in value)


def heredoc_body(text: str) -> tuple[str, str]:
    """A tag that no line of a text ends with, and the text with its closing line."""
    tag = "END"
    lines = text.split("\n")
    while any(line.rstrip().endswith(tag) for line in lines):
        tag += "_"
    if not text:
        return tag, f"{tag}\n"
    if text.endswith("\n"):
        return tag, f"{text}{tag}\n"
    return tag, f"{text}\n- {tag}\n"
