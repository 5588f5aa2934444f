"""Programs and worlds over a durable store, by whichever language has such programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.ask.request import BadRequest
from headwater.langs import LANGUAGES, families_of, language_named
from headwater.langs.durable import (
    Asked,
    Caller,
    Done,
    Durable,
    Event,
    Problem,
    RunsDurably,
    Section,
    ShownWorld,
)
from headwater.langs.fields import NoFields

if TYPE_CHECKING:
    from headwater.store import Entry


def durable() -> Durable:
    """How programs run over a store.  Raises `BadRequest` if no language has such programs."""
    for name in LANGUAGES:
        if families_of(name).run is not NoFields:
            language = language_named(name)
            if isinstance(language, RunsDurably):
                return language.durable
    raise BadRequest("no language has programs that run over a store")


__all__ = ["Asked", "Caller", "Done", "Durable", "Entry", "Event", "Problem", "Section",
           "ShownWorld", "durable"]  # fmt: skip
