"""Patterns of ``case … in``, ``a => pattern`` and ``a in pattern``, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.reading import SILENT, Reader
from headwater.langs.puppet.ruby.refusals import Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node as Tree


def case_in(r: Reader, n: Tree) -> s.Expr:
    """``case a in … else … end``"""
    subject = r.field(n, "value")
    clauses: list[s.In] = []
    otherwise: s.Expr | None = None
    for child in n.named_children:
        if child.type == "in_clause":
            clauses.append(_clause(r, child))
        elif child.type == "else":
            otherwise = r.sequence(child)
    return s.CaseIn(subject=subject, clauses=clauses, otherwise=otherwise, **r.span(n))


def _clause(r: Reader, n: Tree) -> s.In:
    pattern = _whole(r, n)
    guard = n.child_by_field_name("guard")
    condition: s.Expr | None = None
    if guard is not None:
        condition = r.field(guard, "condition")
        if guard.type == "unless_guard":
            condition = s.Not(value=condition, **r.span(guard))
    body = r.sequence(n.child_by_field_name("body"))
    return s.In(pattern=pattern, guard=condition, body=body, **r.span(n))


def matches(r: Reader, n: Tree) -> s.Expr:
    """``a => pattern``, ``a in pattern``"""
    subject = r.field(n, "value")
    asks = n.type == "test_pattern"
    return s.Matches(subject=subject, pattern=_whole(r, n), asks=asks, **r.span(n))


def _whole(r: Reader, n: Tree) -> s.Pattern:
    pattern = n.child_by_field_name("pattern")
    assert pattern is not None
    return _Reading(r).pattern(pattern)


class _Reading:
    """One pattern being read: no variable is named twice in it."""

    def __init__(self, r: Reader) -> None:
        self.r = r
        self.names: set[str] = set()
        self.alternatives = 0

    def named(self, name: str, n: Tree) -> str:
        """A variable that gets a value here."""
        if not name.startswith("_"):
            if name in self.names:
                raise Unreadable("duplicated variable name", self.r.offset(n.start_byte))
            if self.alternatives:
                message = f"illegal variable in alternative pattern ({name})"
                raise Unreadable(message, self.r.offset(n.start_byte))
        self.names.add(name)
        self.r.scope.declare(name)
        return name

    def pattern(self, n: Tree) -> s.Pattern:
        r = self.r
        span = r.span(n)
        match n.type:
            case "identifier":
                return s.NamePattern(name=self.named(r.text(n), n), **span)
            case "variable_reference_pattern":
                return s.ValuePattern(value=r.field(n, "name"), **span)
            case "expression_reference_pattern":
                return s.ValuePattern(value=r.field(n, "value"), **span)
            case "parenthesized_pattern":
                return self.pattern(n.named_children[0])
            case "as_pattern":
                inner, name = n.child_by_field_name("value"), n.child_by_field_name("name")
                assert inner is not None
                assert name is not None
                made = self.pattern(inner)
                return s.AsPattern(pattern=made, name=self.named(r.text(name), name), **span)
            case "alternative_pattern":
                self.alternatives += 1
                parts = [self.pattern(one) for one in _parts(n)]
                self.alternatives -= 1
                return s.AlternativePattern(patterns=parts, **span)
            case "array_pattern" | "find_pattern":
                return self._array(n, span)
            case "hash_pattern":
                return self._hash(n, span)
            case _:
                return s.ValuePattern(value=r.expr(n), **span)

    def _array(self, n: Tree, span: dict[str, Any]) -> s.Pattern:
        constant = self.r.optional(n.child_by_field_name("class"))
        before: list[s.Pattern] = []
        after: list[s.Pattern] = []
        rests: list[str] = []
        for child in _parts(n):
            if child.type == "splat_parameter":
                rests.append(self._rest(child))
            else:
                (after if rests else before).append(self.pattern(child))
        if len(rests) == 2:
            return s.FindPattern(
                constant=constant, before=rests[0], patterns=after, after=rests[1], **span
            )
        rest = rests[0] if rests else None
        return s.ArrayPattern(constant=constant, before=before, rest=rest, after=after, **span)

    def _rest(self, n: Tree) -> str:
        name = n.child_by_field_name("name")
        return "" if name is None else self.named(self.r.text(name), name)

    def _hash(self, n: Tree, span: dict[str, Any]) -> s.Pattern:
        constant = self.r.optional(n.child_by_field_name("class"))
        pairs: list[s.KeyPattern] = []
        rest: str | None = None
        closed = False
        for child in _parts(n):
            if child.type == "hash_splat_parameter":
                rest = self._rest(child)
            elif child.type == "hash_splat_nil":
                closed = True
            else:
                pairs.append(self._pair(child))
        keys = [pair.key for pair in pairs]
        if len(set(keys)) < len(keys):
            raise Unreadable("duplicated key name", span["at"])
        return s.HashPattern(constant=constant, pairs=pairs, rest=rest, closed=closed, **span)

    def _pair(self, n: Tree) -> s.KeyPattern:
        named, inner = n.child_by_field_name("key"), n.child_by_field_name("value")
        assert named is not None
        key = self.r.text(named)
        if named.type != "hash_key_symbol":
            text = self.r.string(self.r.pieces(named), self.r.span(named))
            if not isinstance(text, s.Str):
                message = "symbol literal with interpolation is not allowed"
                raise Unreadable(message, self.r.offset(named.start_byte))
            key = text.value
        if inner is not None:
            return s.KeyPattern(key=key, pattern=self.pattern(inner), **self.r.span(n))
        name = s.NamePattern(name=self.named(key, named), **self.r.span(named))
        return s.KeyPattern(key=key, pattern=name, **self.r.span(n))


def _parts(n: Tree) -> list[Tree]:
    """What stands in a pattern, without its class."""
    constant = n.child_by_field_name("class")
    start = None if constant is None else constant.start_byte
    return [one for one in n.named_children if one.type not in SILENT and one.start_byte != start]
