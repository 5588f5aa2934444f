"""``epp()`` and ``inline_epp()``: finding and parsing a template.  The engine renders it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, Protocol

from msgspec.structs import replace

from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.parsing import Reading, SyntaxFault, parsed_unit
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.types.value import Value
from headwater.report import Note
from headwater.text import Source, Span

_INLINE: dict[tuple[int, str], Unit] = {}


class Page(Protocol):
    """The call that asks for a template, and the engine behind it."""

    @property
    def span(self) -> Span:
        """Where the call stands."""
        ...

    @property
    def mistyped(self) -> Refusal:
        """Refuses the arguments of the call."""
        ...

    @property
    def fail(self) -> Refusal:
        """Ends the compilation at the call."""
        ...

    @property
    def reading(self) -> Reading:
        """How texts are judged."""
        ...

    def file(self, name: str) -> str | None:
        """The path of the template ``module/name``."""
        ...

    def parsed(self, name: str, path: str) -> Unit:
        """The template in a file; notes that it was read."""
        ...

    def render(self, unit: Unit, given: Hash, name: str) -> Value:
        """The text of a template that sees its arguments and what is global."""
        ...

    def render_inline(self, unit: Unit, given: Hash) -> Value:
        """The text of a template that sees what its caller sees."""
        ...


class Refusal(Protocol):
    """Refuses with a message."""

    def __call__(self, message: str) -> NoReturn: ...


def epp(page: Page, args: Sequence[Any]) -> Value:
    """The text of a template in a file."""
    name = args[0]
    if not isinstance(name, str):
        page.mistyped("the name of a template is a string")
    given = _arguments(page, args)
    path = page.file(name) or page.file(f"{name}.epp")
    if path is None:
        page.fail(f"there is no template {name}")
    with _at_the_call(page):
        unit = page.parsed(name, path)
    return page.render(unit, given, name)


def inline_epp(page: Page, args: Sequence[Any]) -> Value:
    """The text of a template given as text."""
    text = args[0]
    if not isinstance(text, str):
        page.mistyped("the text of a template is a string")
    reading = page.reading
    key = (reading.level.number, text)
    with _at_the_call(page):
        unit = _INLINE.get(key)
        if unit is None:
            source = Source.of_text("inlined-epp-text", text)
            unit = _INLINE[key] = parsed_unit(source, None, [], reading, template=True)
        reading.accepted(unit)
    return page.render_inline(unit, _arguments(page, args))


def _arguments(page: Page, args: Sequence[Any]) -> Hash:
    given = args[1] if len(args) > 1 else Hash()
    if not isinstance(given, Hash) or not all(isinstance(key, str) for key in given):
        page.mistyped("the second argument is a hash of variables by name")
    return given


@contextmanager
def _at_the_call(page: Page) -> Iterator[None]:
    """What is wrong with the text of a template is told where it is used, as Puppet does."""
    try:
        yield
    except SyntaxFault as fault:
        inner = fault.diagnostic
        note = Note("here, in the template", inner.at)
        raise Fault(replace(inner, at=page.span, labels=(note, *inner.labels))) from None
