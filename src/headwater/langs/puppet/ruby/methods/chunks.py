"""Enumerable: what cuts a row into pieces."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.classes import ENUMERABLE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.enumerable import ALONE, SEPARATOR, cut, looped, test
from headwater.langs.puppet.ruby.methods.iteration import (
    called,
    generated,
    visit,
)
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Proc,
    Range,
    RubyValue,
)


@method(ENUMERABLE, "each_slice")
def each_slice(
    m: Machine, self: RubyValue, size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if count <= 0:
        raise m.error("ArgumentError", "invalid slice size")
    if block is None:
        return Enumerator(self, "each_slice", [size])
    row: list[Any] = []

    def take(one: RubyValue) -> None:
        nonlocal row
        row.append(one)
        if len(row) == count:
            full, row = row, []
            block.one(full)

    visit(m, self, take)
    if row:
        block.one(row)
    return self


@method(ENUMERABLE, "each_cons")
def each_cons(m: Machine, self: RubyValue, size: RubyValue, block: Proc | None = None) -> RubyValue:
    count = to.integer(m, size)
    if count <= 0:
        raise m.error("ArgumentError", "invalid size")
    if block is None:
        return Enumerator(self, "each_cons", [size])
    if self.__class__ is Range and self.low.__class__ is float:
        known = m.send(self, "size", [])
        if known.__class__ is int and known < count:
            return self  # Ruby asks for the size before it finds that there are no turns
    row: list[Any] = []

    def take(one: RubyValue) -> None:
        row.append(one)
        del row[:-count]
        if len(row) == count:
            m.spend(count)
            block.one(list(row))

    visit(m, self, take)
    return self


@cut("chunk_while")
def chunk_while(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return _chunks(m, self, block, True)


def _cutting(name: str, after: bool) -> None:
    """``slice_before``, ``slice_after``: by a pattern or a block."""

    def call(
        m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
    ) -> RubyValue:
        if pattern is not UNDEFINED and block is not None:
            raise m.error("ArgumentError", "both pattern and block are given")
        if pattern is UNDEFINED and block is None:
            raise m.wrong_count(0, 1, 1)
        asked = test(m, pattern, block)

        def run(each: Proc) -> None:
            row: list[Any] = []
            ended = False

            def take(one: RubyValue) -> None:
                nonlocal row, ended
                if pattern is None and not after:  # Ruby takes it for a block that is not there
                    raise m.error("NoMethodError", "undefined method `call' for nil:NilClass")
                hit = asked(one)
                if row and (ended or (hit and not after)):
                    full, row = row, []
                    each.one(full)
                row.append(one)
                ended = after and hit

            visit(m, self, take)
            if row:
                each.one(row)

        return generated(run)

    method(ENUMERABLE, name)(call)


@cut("slice_when")
def slice_when(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return _chunks(m, self, block, False)


def _chunks(m: Machine, self: RubyValue, block: Proc, together: bool) -> RubyValue:
    def run(each: Proc) -> None:
        row: list[Any] = []

        def take(one: RubyValue) -> None:
            nonlocal row
            if row and m.truth(called(block, row[-1], one)) is not together:
                full, row = row, []
                each.one(full)
            row.append(one)

        visit(m, self, take)
        if row:
            each.one(row)

    return generated(run)


@looped("chunk")
def chunk(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    def run(each: Proc) -> None:
        made: list[Any] = []

        def take(one: RubyValue) -> None:
            name = block.one(one)
            if made and (name is None or name is ALONE or not m.equal(made[0], name)):
                full = list(made)
                made.clear()
                each.one(full)
            if name is None or name is SEPARATOR:
                return
            if made:
                made[1].append(one)
            else:
                made.extend([name, [one]])

        visit(m, self, take)
        if made:
            each.one(made)

    return generated(run)


_cutting("slice_before", False)
_cutting("slice_after", True)
