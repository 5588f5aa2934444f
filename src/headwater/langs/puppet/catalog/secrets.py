"""What may not be shown: values that are Sensitive, and the texts they were written with.

Provenance shows that a secret matters and where it stands, never what it is: labels of a
secret say ``[redacted]``, and they point into a copy of the text in which it is blotted out.
The catalog itself is Puppet's, and so holds what Puppet puts into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.values import HIDDEN, Sensitive
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span, visible
from headwater.text.patterns import LatePattern

if TYPE_CHECKING:
    from headwater.why import Label

REDACTED = "[redacted]"

_SHORTEST = 4
"""Shorter texts are only hidden where they are the secret itself: they are part of too much."""

_QUOTED = LatePattern(r"Sensitive(?:\.new)?\s*\(\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")


class Secrets:
    """The secrets of one compilation."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.spots: dict[Source, set[tuple[int, int]]] = {}
        self._blotted: dict[Source, Source] = {}
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.texts or self.spots)

    def add(self, value: object) -> None:
        """A value whose text is secret, and all that is in it."""
        todo, seen = [value], set[int]()
        while todo:
            one = todo.pop()
            if isinstance(one, Sensitive | Hash | list):
                if id(one) in seen:  # what is in many values, or many times in one, is added once
                    continue
                seen.add(id(one))
            if isinstance(one, Sensitive):
                todo.append(one.value)
            elif isinstance(one, Hash):
                todo += one.values()
            elif isinstance(one, list):
                todo += one
            elif one is not None and not isinstance(one, bool):
                text = one if isinstance(one, str) else str(one)
                if text:
                    self.texts.add(text)
                    self._pattern = None

    def hide(self, text: str) -> str:
        """A text without secrets."""
        if text in self.texts:
            return REDACTED
        if self._pattern is None:
            forms = {form for t in self.texts if len(t) >= _SHORTEST for form in forms_of(t)}
            long = sorted(forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, long)) or r"(?!)")
        return self._pattern.sub(REDACTED, text)

    def hidden(self, value: object) -> Any:  # noqa: ANN401
        """Data without secrets."""
        if isinstance(value, str):
            return self.hide(value) if self.texts else value
        if isinstance(value, list):
            return [self.hidden(item) for item in value]
        if isinstance(value, dict):
            if value.get("__ptype") == "Sensitive":
                return HIDDEN
            return {self.hidden(key): self.hidden(item) for key, item in value.items()}
        long = not isinstance(value, bool) and len(str(value)) >= _SHORTEST
        return REDACTED if long and str(value) in self.texts else value

    # -- texts -----------------------------------------------------------------------------------

    def source(self, source: Source) -> Source:
        """The text with every secret in it blotted out, character by character."""
        known = self._blotted.get(source)
        if known is None:
            spots = [*self.spots.get(source, ()), *quoted_secrets(source.text)]
            for text in self.texts:
                if len(text) >= _SHORTEST:
                    for form in set(forms_of(text)):
                        spots += [hit.span() for hit in re.finditer(re.escape(form), source.text)]
            known = source
            if spots:
                known = Source(source.name, _blot(source.text, spots), bom=source.bom)
            self._blotted[source] = known
            self._blotted[known] = known
        return known

    def span(self, at: Span) -> Span:
        """The same place in the blotted text."""
        return Span(self.source(at.source), at.start, at.end)

    def label(self, label: Label) -> Label:
        """The label as it may be shown."""
        at = self.span(label.at)
        if not self.texts and at.source is label.at.source:
            return label
        if at.source is label.at.source:
            text = self.hide(label.text)
            return label if text == label.text else label._replace(text=text)
        inside = (at.start, at.end) in self.spots.get(label.at.source, ())
        if inside or (at.start < at.end and set(at.text) <= {"*"}):
            return label._replace(at=at, text=REDACTED)
        same = label.text in (label.at.text, label.at.text.strip())
        return label._replace(at=at, text=at.text.strip() if same else self.hide(label.text))

    def diagnostics(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Findings as they may be shown."""
        return [
            replace(
                one,
                message=self.hide(one.message),
                at=self.span(one.at),
                labels=tuple(Note(self.hide(n.message), self.span(n.at)) for n in one.labels),
                help=None if one.help is None else self.hide(one.help),
            )
            for one in found
        ]


def forms_of(text: str) -> Iterator[str]:
    """A secret as it may be written: itself, in quotes of JSON or Puppet, in base64."""
    import base64
    import json

    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield visible(text)
    yield text.replace("\\", "\\\\").replace("'", "\\'")
    yield text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    data = text.encode("utf-8", "surrogatepass")
    for encoded in (base64.b64encode(data), base64.urlsafe_b64encode(data)):
        yield encoded.decode().rstrip("=")


def _blot(text: str, spots: Iterable[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in spots:
        letters[start:end] = ["\n" if c == "\n" else "*" for c in letters[start:end]]
    return "".join(letters)


def quoted_secrets(text: str) -> Iterator[tuple[int, int]]:
    """The places of strings that are written right in ``Sensitive('…')``."""
    if "Sensitive" in text:
        for hit in _QUOTED.finditer(text):
            yield hit.span(1)
