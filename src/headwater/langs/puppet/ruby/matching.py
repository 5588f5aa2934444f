"""``case … in``, ``a => pattern``, ``a in pattern``: values taken apart by patterns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.assigning import Put, make_assign
from headwater.langs.puppet.ruby.context import Context, Run, truthy
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.values import Pattern, Raised, RubyValue, Symbol, symbol

Why = Callable[[], str]
Miss = tuple[Why, RubyValue, Symbol | None]
"""Why a pattern does not match: the words, and the hash that lacks a key."""
Match = Callable[[Frame, RubyValue], "Miss | None"]


def asked(fr: Frame, machine: Machine, pattern: RubyValue, value: RubyValue) -> bool:
    """``pattern === value``; a regular expression leaves its match behind."""
    if pattern.__class__ is Pattern:
        from headwater.langs.puppet.ruby.methods.regexps import match_value

        fr.activation.match = match_value(machine, pattern, value)
        return fr.activation.match is not None
    return truthy(machine.send(pattern, "===", [value]))


def make_case_in(cx: Context, node: s.CaseIn) -> Run:
    """The first pattern that matches has its body run."""
    machine = cx.machine
    subject = cx.make(node.subject)
    clauses = [
        (
            make_match(cx, one.pattern),
            None if one.guard is None else cx.make(one.guard),
            cx.make(one.body),
        )
        for one in node.clauses
    ]
    otherwise = None if node.otherwise is None else cx.make(node.otherwise)
    file, at = cx.file, node.at

    def case(fr: Frame) -> RubyValue:
        value = subject(fr)
        miss: Miss | None = None
        for match, guard, body in clauses:
            machine.at = (file, at)
            miss = match(fr, value)
            if miss is None:
                if guard is None or truthy(guard(fr)):
                    return body(fr)
                miss = (lambda: "guard clause does not return true", None, None)
        if otherwise is not None:
            return otherwise(fr)
        raise _unmatched(machine, value, miss if len(clauses) == 1 else None)

    return case


def make_matches(cx: Context, node: s.Matches) -> Run:
    """``a => pattern`` raises where ``a in pattern`` is false."""
    machine = cx.machine
    subject = cx.make(node.subject)
    match = make_match(cx, node.pattern)
    file, at = cx.file, node.at

    def asks(fr: Frame) -> RubyValue:
        value = subject(fr)
        machine.at = (file, at)
        return match(fr, value) is None

    def demands(fr: Frame) -> RubyValue:
        value = subject(fr)
        machine.at = (file, at)
        miss = match(fr, value)
        if miss is not None:
            raise _unmatched(machine, value, miss)
        return None

    return asks if node.asks else demands


def _unmatched(machine: Machine, value: RubyValue, miss: Miss | None) -> Raised:
    shown = machine.inspect(value)
    if miss is None:
        return machine.error("NoMatchingPatternError", shown)
    why, matchee, key = miss
    message = f"{shown}: {why()}"
    if key is None:
        return machine.error("NoMatchingPatternError", message)
    return machine.error("NoMatchingPatternKeyError", message, key=key, matchee=matchee)


def make_match(cx: Context, pattern: s.Pattern) -> Match:
    """What tries a pattern on a value, and names what it names."""
    match pattern:
        case s.ValuePattern():
            return _value(cx, pattern)
        case s.NamePattern(name=name):
            put = _put(cx, name, pattern)

            def anything(fr: Frame, value: RubyValue) -> Miss | None:
                put(fr, value)
                return None

            return anything
        case s.AsPattern(pattern=inner, name=name):
            tried, put = make_match(cx, inner), _put(cx, name, pattern)

            def also(fr: Frame, value: RubyValue) -> Miss | None:
                miss = tried(fr, value)
                if miss is None:
                    put(fr, value)
                return miss

            return also
        case s.AlternativePattern(patterns=patterns):
            each = [make_match(cx, one) for one in patterns]

            def either(fr: Frame, value: RubyValue) -> Miss | None:
                miss = None
                for one in each:
                    miss = one(fr, value)
                    if miss is None:
                        return None
                return miss

            return either
        case s.ArrayPattern():
            return _array(cx, pattern)
        case s.FindPattern():
            return _find(cx, pattern)
        case s.HashPattern():
            return _hash(cx, pattern)


def _put(cx: Context, name: str, at: s.Node) -> Put:
    if not name:
        return lambda fr, value: None
    return make_assign(cx, s.Local(name=name, at=at.at, end=at.end))


def _value(cx: Context, pattern: s.ValuePattern) -> Match:
    machine = cx.machine
    wanted = cx.make(pattern.value)

    def tried(fr: Frame, value: RubyValue) -> Miss | None:
        one = wanted(fr)
        if asked(fr, machine, one, value):
            return None
        return (
            lambda: f"{machine.inspect(one)} === {machine.inspect(value)} does not return true",
            None,
            None,
        )

    return tried


def _of_class(cx: Context, constant: s.Expr | None) -> Match:
    if constant is None:
        return lambda fr, value: None
    return _value(cx, s.ValuePattern(value=constant, at=constant.at, end=constant.end))


def _elements(machine: Machine, value: RubyValue) -> list[Any] | Miss:
    """The elements of what can be taken apart as an array."""
    if value.__class__ is list:
        return value
    if machine.find(value, "deconstruct") is None:
        return (lambda: f"{machine.inspect(value)} does not respond to #deconstruct", None, None)
    items = machine.send(value, "deconstruct", [])
    if items.__class__ is not list:
        raise machine.error("TypeError", "deconstruct must return Array")
    return items


def _array(cx: Context, pattern: s.ArrayPattern) -> Match:
    machine = cx.machine
    fits = _of_class(cx, pattern.constant)
    before = [make_match(cx, one) for one in pattern.before]
    after = [make_match(cx, one) for one in pattern.after]
    put = None if pattern.rest is None else _put(cx, pattern.rest, pattern)
    least = len(before) + len(after)

    def tried(fr: Frame, value: RubyValue) -> Miss | None:
        miss = fits(fr, value)
        if miss is not None:
            return miss
        items = _elements(machine, value)
        if isinstance(items, tuple):
            return items
        count = len(items)
        if count < least or (put is None and count > least):
            more = "" if put is None else "+"
            words = f"length mismatch (given {count}, expected {least}{more})"
            return (lambda: f"{machine.inspect(items)} {words}", None, None)
        machine.spend(least)
        end = count - len(after)
        for index, one in enumerate(before):
            miss = one(fr, items[index])
            if miss is not None:
                return miss
        if put is not None:
            put(fr, items[len(before) : end])
        for index, one in enumerate(after):
            miss = one(fr, items[end + index])
            if miss is not None:
                return miss
        return None

    return tried


def _find(cx: Context, pattern: s.FindPattern) -> Match:
    machine = cx.machine
    fits = _of_class(cx, pattern.constant)
    each = [make_match(cx, one) for one in pattern.patterns]
    before, after = _put(cx, pattern.before, pattern), _put(cx, pattern.after, pattern)

    def tried(fr: Frame, value: RubyValue) -> Miss | None:
        miss = fits(fr, value)
        if miss is not None:
            return miss
        items = _elements(machine, value)
        if isinstance(items, tuple):
            return items
        if len(items) < len(each):
            words = f"length mismatch (given {len(items)}, expected {len(each)}+)"
            return (lambda: f"{machine.inspect(items)} {words}", None, None)
        for start in range(len(items) - len(each) + 1):
            machine.spend(len(each))
            if all(one(fr, items[start + n]) is None for n, one in enumerate(each)):
                before(fr, items[:start])
                after(fr, items[start + len(each) :])
                return None
        return (lambda: f"{machine.inspect(items)} does not match to find pattern", None, None)

    return tried


def _hash(cx: Context, pattern: s.HashPattern) -> Match:
    machine = cx.machine
    fits = _of_class(cx, pattern.constant)
    pairs = [(symbol(pair.key), make_match(cx, pair.pattern)) for pair in pattern.pairs]
    rest = None if pattern.rest is None else _put(cx, pattern.rest, pattern)
    names = frozenset(key for key, _ in pairs)
    empty = not pairs and pattern.rest is None and not pattern.closed

    def tried(fr: Frame, value: RubyValue) -> Miss | None:
        miss = fits(fr, value)
        if miss is not None:
            return miss
        if machine.find(value, "deconstruct_keys") is None:
            words = "does not respond to #deconstruct_keys"
            return (lambda: f"{machine.inspect(value)} {words}", None, None)
        wanted = None if rest is not None else [key for key, _ in pairs]
        found = machine.send(value, "deconstruct_keys", [wanted])
        if not isinstance(found, Hash):
            raise machine.error("TypeError", "deconstruct_keys must return Hash")
        if empty and len(found):
            return (lambda: f"{machine.inspect(found)} is not empty", None, None)
        machine.spend(len(pairs))
        for key, one in pairs:
            if key not in found:
                return (partial(_lacks, machine, key), found, key)
            miss = one(fr, found[key])
            if miss is not None:
                return miss
        if not pattern.closed and rest is None:
            return None
        left = Hash.of(
            (k, v) for k, v in found.pairs() if k.__class__ is not Symbol or k not in names
        )
        if rest is not None:
            rest(fr, left)
        elif len(left):
            return (lambda: f"rest of {machine.inspect(left)} is not empty", None, None)
        return None

    return tried


def _lacks(machine: Machine, key: Symbol) -> str:
    return f"key not found: {machine.inspect(key)}"
