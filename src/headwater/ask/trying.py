"""What a change would do, by making it: nothing on disk is touched.

A file is read as if it held the changed text, the program is compiled again, and the value is
looked at.  Whatever `explain` says of changes has been tried so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from msgspec.structs import replace

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import BadRequest
from headwater.langs import Address
from headwater.langs.abilities import VariesInputs
from headwater.langs.protocol import TextEdit
from headwater.text import Source, Span, apply_edits
from headwater.text.reading import Unread, instead_of, is_file
from headwater.text.source import BOM
from headwater.tree import NotThere, Value
from headwater.tree.json import compact, plain
from headwater.tree.result import KeepsSecrets
from headwater.why import Label

Effect: TypeAlias = Literal["changes", "same", "fails", "untried"]

GONE, FAILED, UNTRIED = object(), object(), object()
"""Stand for a value that is no longer there, that nothing gives, and that is not known."""


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of the sources, in words."""

    message: str
    edits: tuple[TextEdit, ...]


def compiled_with(compiled: Compiled, edits: Iterable[TextEdit]) -> Compiled | None:
    """What the program would be after edits; None if they are of something that is no file."""
    request = compiled.request
    assert request is not None
    own: dict[Source, list[tuple[int, int, str]]] = {}
    for edit in edits:
        own.setdefault(edit.at.source, []).append((edit.at.start, edit.at.end, edit.text))
    files: dict[str, bytes] = {}
    sources = list(request.sources)
    for source, changes in own.items():
        text = apply_edits(source.text, changes)
        typed = [i for i, one in enumerate(sources) if one.name == source.name]
        if typed:
            sources[typed[0]] = Source(source.name, text, bom=source.bom)
            continue
        try:
            if source.latin1 is not None or not is_file(source.name):
                return None
        except Unread:
            return None
        path = _absolute(source.name)
        files[path] = (BOM if source.bom else b"") + text.encode("utf-8", "surrogatepass")
    try:
        with instead_of(files):
            return compile_request(replace(request, sources=tuple(sources)))
    except (BadRequest, Unread):
        return None


def _absolute(name: str) -> str:
    import os

    return os.path.abspath(name)


def value_with(compiled: Compiled, address: Address, edits: Iterable[TextEdit]) -> object:
    """The value at an address after edits, in a tuple of one.

    `GONE` if there is none there, `FAILED` if nothing compiles, `UNTRIED` if nobody can tell.
    """
    made = compiled_with(compiled, edits)
    if made is None:
        return UNTRIED
    if made.outcome.result is None:
        return FAILED
    try:
        return (plain(made.outcome.result.get(address)),)
    except NotThere:
        return GONE


def confirm(
    compiled: Compiled, address: Address, value: Value, labels: Sequence[Label]
) -> dict[Label, Effect]:
    """Which inputs really change a value: each is written otherwise, in a way or two.

    Of a value that may not be shown nothing is told: a change in it cannot be seen.
    """
    if _is_hidden(compiled, value):
        return dict.fromkeys(labels, "untried")
    now = (plain(value),)
    found: dict[Label, Effect] = {}
    for label in labels:
        seen: list[Effect] = []
        for edits in variants(compiled, label, value):
            after = value_with(compiled, address, edits)
            if after is not UNTRIED:
                seen.append("fails" if after is FAILED else "same" if after == now else "changes")
            if seen[-1:] == ["changes"]:
                break
        order: tuple[Effect, ...] = ("changes", "fails", "same")
        found[label] = next((effect for effect in order if effect in seen), "untried")
    return found


def _is_hidden(compiled: Compiled, value: Value) -> bool:
    result = compiled.outcome.result
    return isinstance(result, KeepsSecrets) and result.hides(value)


def variants(compiled: Compiled, label: Label, value: Value) -> Iterator[tuple[TextEdit, ...]]:
    """Other ways to write an input."""
    language = compiled.language
    if label.kind == "miss":
        if isinstance(language, VariesInputs):
            edit = language.filling(label, compact(_other(value)))
            if edit is not None:
                yield (edit,)
        return
    if label.kind == "definition":
        yield (TextEdit(label.at, ""),)
        return
    texts = other_texts(label.at)
    if not texts and label.at.text and isinstance(language, VariesInputs):
        spelt = language.spelt(label, _other(value))
        texts = [] if spelt is None else [spelt]
    for text in texts:
        yield (rewritten(label, text),)


def rewritten(label: Label, text: str) -> TextEdit:
    """Another text in the place of an input; blanks and line ends after it stay."""
    at = label.at
    return TextEdit(at.source.span(at.start, at.start + len(at.text.rstrip())), text)


def other_texts(at: Span) -> list[str]:
    """Other texts that may stand where a literal stands."""
    text = at.text.rstrip()
    if hit := re.fullmatch(r"(['\"])(.*)\1", text, re.DOTALL):
        return [f"{hit[1]}{hit[2]}x{hit[1]}", f"{hit[1]}{hit[1]}"]
    if re.fullmatch(r"-?\d{1,15}", text):
        return [str(int(text) + 1), "0" if text != "0" else "2"]
    if text in ("true", "false"):
        return ["false" if text == "true" else "true"]
    if re.fullmatch(r"[\w.:/@+-]{1,200}", text):
        return [f"{text}x", "x"]
    last = text.rpartition("\n")[2].strip()
    return [f"{text}x"] if last.startswith("- ") and last[-1].isalnum() else []


def _other(value: Value) -> Value:
    """A value like another one, and not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case list():
            return [*value, "x"]
        case dict():
            return {**value, "x": "x"}
        case _:
            return f"{value}x"
