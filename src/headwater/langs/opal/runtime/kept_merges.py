"""Merges as effects: the merge that a variable has after a commit decides later ones.

Whoever may write a value may not therefore say what becomes of everybody's later changes, so
owners are shown merges, sign them, and name those that they grant: a preset by its name, any
other merge by the hash of its canonical form.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from headwater.langs.opal.printer import print_program
from headwater.langs.opal.runtime.canonical import NotSyntax, Table, decode, encode
from headwater.langs.opal.syntax import (
    SUGAR_NAMES,
    Empty,
    Handle,
    Place,
    Preset,
    Skip,
)
from headwater.store.records import canonical, sha256


@dataclass(frozen=True, slots=True)
class Merge:
    """What a variable is merged by, as people read it and as it is hashed."""

    text: str
    """A preset's name, or ``o h c to s``."""
    hash: str
    rows: Table

    @classmethod
    def of(cls, handle: Handle) -> Merge:
        """The merge of a handle; its operation and handler are no part of it."""
        named = isinstance(handle.merge, Preset)
        names = SUGAR_NAMES if named else (handle.orig, handle.hyp, handle.curr)
        rows = encode(Handle(handle.place, "merge", Empty(), *names, handle.merge, Skip()))
        expression = print_program(handle.merge)
        text = expression if named else f"{' '.join(names)} to {expression}"
        return cls(text, sha256(canonical(rows)), rows)

    @property
    def preset(self) -> str | None:
        """The name of a merge that has one."""
        return self.text if " " not in self.text else None

    def as_json(self) -> dict[str, Any]:
        """As a request shows it."""
        return {"text": self.text, "hash": self.hash, "syntax": self.rows}


def kept(text: str | None) -> Merge | None:
    """The merge that the store keeps in this text; raises `NotSyntax`."""
    return None if text is None else from_rows(json.loads(text)["rows"])


def from_rows(rows: object, place: Place | None = None) -> Merge:
    """The merge of a table, of this variable if one is given; raises `NotSyntax`."""
    handle = decode(rows)
    if not isinstance(handle, Handle) or place not in (None, handle.place):
        raise NotSyntax("not the merge of a variable")
    return Merge.of(handle)


def changed(before: str | None, after: str | None) -> Merge | None:
    """The merge that a commit gives a variable, if it is another than it had."""
    new = kept(after)
    old = kept(before)
    return None if new is None or (old is not None and old.hash == new.hash) else new
