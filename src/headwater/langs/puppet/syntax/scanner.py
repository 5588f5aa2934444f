"""What all parts of the lexer share: the text, the tokens found in it, and the mistakes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.syntax.tokens import END
from headwater.report import Code, Diagnostic, Note
from headwater.text import Source, Span

MAX_FAULTS = 100
"""How many lexical mistakes are recorded before the rest of a file is given up."""


class Scanner(ABC):
    """The state of a lexer; code itself is read by `lexer.Lexer`."""

    __slots__ = (
        "at", "bodies", "depth", "epp", "faults", "jump", "kinds", "lines", "source", "spans",
        "spent", "stopped", "text", "values",
    )  # fmt: skip

    def __init__(
        self,
        source: Source,
        text: str | None = None,
        lines: tuple[Sequence[int], Sequence[int]] | None = None,
        depth: int = 0,
    ) -> None:
        self.source = source
        self.text = source.text if text is None else text
        self.lines = lines
        """Starts of lines in `text`, and the same in the source; None when they are equal."""
        self.kinds: list[str] = []
        self.values: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.faults: list[Diagnostic] = []
        self.bodies: list[tuple[int, int]] = []
        """Where the texts of heredocs lie."""
        self.jump = -1
        """Where the code goes on after the texts of heredocs; -1 when there are none pending."""
        self.at = 0
        self.epp = ""
        self.depth = depth
        self.stopped = False
        self.spent = 0

    @abstractmethod
    def code(self, at: int, *, nested: bool) -> int:
        """Lexes code from `at`; where it ends.  `nested`: up to the brace that closes ``${``."""

    @abstractmethod
    def interpolation(self, at: int) -> int:
        """Lexes the code of an interpolation; where it ends."""

    def finish(self) -> None:
        """Adds the END token, thrice: the parser looks two tokens ahead without asking."""
        for _ in range(3):
            self.add(END, "", len(self.text), len(self.text))

    def add(self, kind: str, value: str, start: int, end: int) -> int:
        """Adds a token; where it ends."""
        self.kinds.append(kind)
        self.values.append(value)
        self.spans.append((start, end))
        return end

    def stop(self) -> int:
        """Gives up: nothing after this place can be told apart."""
        self.stopped = True
        return len(self.text)

    def fault(
        self, code: Code, start: int, end: int, note: tuple[str, int, int] | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:  # fmt: skip
        """Records a mistake."""
        if len(self.faults) >= MAX_FAULTS:
            self.stop()
            return
        labels = [Note(note[0], self.span(note[1], note[2]))] if note else []
        self.faults.append(code.at(self.span(start, end), labels=labels, **fields))

    def span(self, start: int, end: int) -> Span:
        """A stretch of the source, given in offsets of this lexer's text."""
        return Span(self.source, self.origin(start), self.origin(end))

    def origin(self, at: int) -> int:
        """The offset in the source of an offset in this lexer's text."""
        if self.lines is None:
            return at
        line = bisect_right(self.lines[0], at) - 1
        return self.lines[1][line] + at - self.lines[0][line]
