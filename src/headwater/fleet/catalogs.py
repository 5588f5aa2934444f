"""The results of all nodes: compiled, or as they were compiled before."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias, cast

import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request
from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.effective import effective
from headwater.fleet.question import Answer, Question, packed, unpacked
from headwater.fleet.site import Site
from headwater.fleet.told import told
from headwater.langs.forgetting import forget
from headwater.langs.protocol import Result
from headwater.text.digest import sha256
from headwater.tree.json import encoded
from headwater.tree.result import KeepsSecrets, writable

Digest: TypeAlias = bytes


class Catalog(msgspec.Struct, frozen=True, array_like=True):
    """The result of a node."""

    values: Digest
    """Equal where all values are equal, as they may be shown and as they take effect."""
    size: int
    """How many values it has at the top: of a catalog, the resources."""
    text: bytes
    """The result in its language's own format, packed; empty if it holds secrets."""

    @property
    def document(self) -> bytes | None:
        """The result in its language's own format, if it is kept."""
        return unpacked(self.text) if self.text else None


_CATALOG = Bodies(Catalog)


def compiled_answer(request: Request) -> Answer:
    """The result of a node, or why there is none."""
    compiled = compile_request(request)
    answer = answer_of(compiled)
    forget(compiled.outcome)
    return answer


def answer_of(compiled: Compiled) -> Answer:
    """What is kept of a compilation."""
    outcome = compiled.outcome
    diagnostics = tuple(told(one) for one in outcome.diagnostics)
    if outcome.result is None:
        return Answer(diagnostics, False)
    return Answer(diagnostics, True, body_of(catalog_of(compiled)))


def catalog_of(compiled: Compiled) -> Catalog:
    """What is kept of a result: never a secret."""
    result = compiled.outcome.result
    assert result is not None
    shown, _ = effective(compiled)
    values = sha256(encoded(shown)).digest()
    size = len(shown) if isinstance(shown, dict | list) else 1
    return Catalog(values, size, b"" if has_secrets(result) else packed(document(result)))


def document(result: Result) -> bytes:
    """A result in its language's own format."""
    return encoded(writable(result))


def has_secrets(result: Result) -> bool:
    """Whether a result holds what may not be shown."""
    return _keeps_secrets(type(result)) and cast(KeepsSecrets, result).has_secrets()


@cache
def _keeps_secrets(kind: type) -> bool:
    return issubclass(kind, KeepsSecrets)


def catalog_in(answer: Answer) -> Catalog:
    """The result in an answer."""
    return _CATALOG.decode(answer.body)


COMPILE = Question("compile", compiled_answer)


def document_of(site: Site, request: Request, node: str) -> bytes:
    """The result of a node, compiled now: what holds secrets is never kept."""
    result = compile_request(site.request(request, node)).outcome.result
    assert result is not None
    return document(result)
