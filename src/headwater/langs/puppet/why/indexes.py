"""The record, by what is asked for: reads by their call, calls by their frame."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.record.acts import Act, Changed, Read
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.syntax import ast


class Indexes:
    """Tables over one record, made when they are first needed."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._reads: dict[int, list[Read]] | None = None
        self._calls: dict[tuple[int, int], int] | None = None
        self.changed: dict[int, list[Act]] = {}
        """What Ruby did to arrays and hashes, by their identity."""
        for act in record.acts:
            if isinstance(act.subject, Changed):
                self.changed.setdefault(id(act.subject.value), []).append(act)
        self._elements: dict[tuple[int, int], dict[int, int]] = {}
        self._kept: list[Any] = []

    def reads_of(self, node: Any) -> list[Read]:
        """What a call read beside its arguments."""
        if self._reads is None:
            self._reads = {}
            for read in self._record.reads:
                self._reads.setdefault(id(read.node), []).append(read)
        return self._reads.get(id(node), [])

    def called(self, call: Any, frame: Frame) -> int:
        """When a call of a lambda that does things was made in a frame."""
        if self._calls is None:
            self._calls = {
                (id(guard.node), id(guard.frame)): guard.when - 1
                for guard in self._record.decisions
                if isinstance(guard.node, ast.Call | ast.Method)
            }
        return self._calls.get((id(call), id(frame)), self._record.clock)

    def index_of(self, frame: Frame, node: Any, whole: list[Any], item: Any) -> int | None:
        """The only place of an element in an array that an expression gave."""
        key = (id(node), id(frame))
        known = self._elements.get(key)
        if known is None:
            known = self._elements[key] = {}
            for index, one in enumerate(whole):
                known[id(one)] = -1 if id(one) in known else index
            self._kept.append(whole)
        found = known.get(id(item), -1)
        return found if found >= 0 else None
