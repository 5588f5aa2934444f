r"""How many steps a backtracking matcher takes: Python's regular expressions, counted.

`Counting` follows the tree of `re`'s own parser as its engine does: greedy or lazy, with
possessive repetitions and atomic groups.  `pumped` derives from a pattern the texts on which it
would take long: what leads to a repetition, its body many times, and an end that fits nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], int | None]

ODD = ("", "\0", "-")
"""Ends that hardly any pattern allows."""


ONE_CHARACTER = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)


class TooMany(Exception):
    """More steps than allowed."""


class Counting:
    """A pattern that counts the steps of its matches; at most `most`."""

    def __init__(self, pattern: str | bytes, flags: int = 0, most: int = 200_000) -> None:
        compiled = re.compile(pattern, flags)
        self.regex = compiled
        self.flags = compiled.flags
        text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        self.tree = parser.parse(text, flags)
        self.most = most
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}
        self.text = ""
        self._takes: dict[tuple[Any, int], Callable[[str], bool]] = {}

    def matches(self, text: str, at: int, *, full: bool = False) -> int | None:
        """Where a match at a place ends; adds to `steps`."""
        self.text, self.groups = text, {}
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(1_000_000)
        try:
            return self._items(
                self.tree.data, 0, at, lambda end: None if full and end < len(text) else end
            )
        finally:
            sys.setrecursionlimit(limit)

    def searches(self, text: str) -> None:
        """Looks for every match, one after the other, as ``finditer`` and ``sub`` do."""
        at = 0
        while at <= len(text):
            end = self.matches(text, at)
            at = end if end is not None and end > at else at + 1

    def _items(self, items: list[Any], index: int, at: int, then: Then) -> int | None:
        self.steps += 1
        if self.steps > self.most:
            raise TooMany
        if index == len(items):
            return then(at)
        op, arg = items[index]

        def rest(end: int) -> int | None:
            return self._items(items, index + 1, end, then)

        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return rest(at + 1) if at < len(self.text) and self._fits(op, arg, at) else None
        if op is sre.AT:
            return rest(at) if self._stands(arg, at) else None
        if op is sre.BRANCH:
            for choice in arg[1]:
                end = self._items(choice.data, 0, at, rest)
                if end is not None:
                    return end
            return None
        if op is sre.SUBPATTERN:
            return self._group(arg[0], arg[3].data, at, rest)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self._repeat(arg, 0, at, rest, greedy=op is sre.MAX_REPEAT)
        if op is sre.POSSESSIVE_REPEAT:
            return self._possessive(arg, at, rest)
        if op is sre.ATOMIC_GROUP:
            end = self._items(arg.data, 0, at, lambda end: end)
            return None if end is None else rest(end)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            return rest(at) if self._ahead(arg, at) is (op is sre.ASSERT) else None
        if op is sre.GROUPREF:
            start, stop = self.groups.get(arg, (0, 0))
            word = self.text[start:stop]
            return rest(at + len(word)) if self.text.startswith(word, at) else None
        raise NotImplementedError(str(op))

    def _group(self, number: int | None, body: list[Any], at: int, rest: Then) -> int | None:
        def closed(end: int) -> int | None:
            if number is not None:
                self.groups[number] = (at, end)
            return rest(end)

        return self._items(body, 0, at, closed)

    def _repeat(self, arg: Any, done: int, at: int, rest: Then, *, greedy: bool) -> int | None:  # noqa: ANN401
        least, most, body = arg

        def more() -> int | None:
            def again(end: int) -> int | None:
                if end == at and done >= least:
                    return None
                return self._repeat(arg, done + 1, end, rest, greedy=greedy)

            return self._items(body.data, 0, at, again) if done < most else None

        if done < least:
            return more()
        if not greedy:
            end = rest(at)
            return more() if end is None else end
        end = more()
        return rest(at) if end is None else end

    def _possessive(self, arg: Any, at: int, rest: Then) -> int | None:  # noqa: ANN401
        least, most, body = arg
        done = 0
        while done < most:
            end = self._items(body.data, 0, at, lambda end: end)
            if end is None or (end == at and done >= least):
                break
            at, done = end, done + 1
        return rest(at) if done >= least else None

    def _ahead(self, arg: Any, at: int) -> bool:  # noqa: ANN401
        direction, body = arg
        if direction < 0:
            low, _ = body.getwidth()
            return at >= low and self._items(body.data, 0, at - low, lambda end: end) == at
        return self._items(body.data, 0, at, lambda end: end) is not None

    def _fits(self, op: object, arg: object, at: int) -> bool:
        key = (op, arg if isinstance(arg, int) else id(arg))
        takes = self._takes.get(key)
        if takes is None:
            takes = self._takes[key] = one_of(op, arg, self.flags)
        return takes(self.text[at])

    def _stands(self, arg: object, at: int) -> bool:
        text, many = self.text, bool(self.flags & re.MULTILINE)
        if arg in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            begins = at == 0
            return begins or (many and arg is sre.AT_BEGINNING and text[at - 1] == "\n")
        if arg is sre.AT_END_STRING:
            return at == len(text)
        if arg is sre.AT_END:
            return at == len(text) or (text[at] == "\n" and (many or at == len(text) - 1))
        before = at > 0 and re.match(r"\w", text[at - 1]) is not None
        after = at < len(text) and re.match(r"\w", text[at]) is not None
        return (before != after) is (arg is sre.AT_BOUNDARY)


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def one_of(op: Any, arg: Any, flags: int) -> Callable[[str], bool]:  # noqa: ANN401
    """Whether a character is one that an element of a pattern takes."""
    if op is sre.ANY:
        return lambda char: char != "\n" or bool(flags & re.DOTALL)
    if op is not sre.IN:
        fold = (lambda c: c.lower()) if flags & re.IGNORECASE else (lambda c: c)
        wanted = fold(chr(arg))  # type: ignore[no-untyped-call]
        return lambda char: (fold(char) == wanted) is (op is sre.LITERAL)  # type: ignore[no-untyped-call]
    negated = arg[0][0] is sre.NEGATE
    body = ""
    for kind, value in arg[1:] if negated else arg:
        if kind is sre.LITERAL:
            body += re.escape(chr(value))
        elif kind is sre.RANGE:
            body += re.escape(chr(value[0])) + "-" + re.escape(chr(value[1]))
        else:
            body += _CATEGORIES[value]
    kept = flags & (re.IGNORECASE | re.ASCII)
    found = re.compile(f"[{'^' if negated else ''}{body}]", kept | re.DOTALL).match
    return lambda char: found(char) is not None


# -- texts to try ----------------------------------------------------------------------------

SAMPLES = "aA0_ \n\t-.:/\\\"'$%{}[]()<>,;#+*=~^&|@!?xeETZ5b\u00e9"


def words(items: list[Any], flags: int) -> list[str]:
    """A few short texts that a piece of a pattern takes; every choice is in one of them."""
    found = [""]
    for op, arg in items:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            fits = one_of(op, arg, flags)
            chars = [chr(arg)] if op is sre.LITERAL else [c for c in SAMPLES if fits(c)]
            if op is sre.IN and not chars:
                chars = [chr(v if k is sre.LITERAL else v[0]) for k, v in arg
                         if k in (sre.LITERAL, sre.RANGE)]  # fmt: skip
            choices = chars[:6] or [""]
        elif op is sre.BRANCH:
            choices = [word for choice in arg[1] for word in words(list(choice), flags)[:4]]
        elif op is sre.SUBPATTERN:
            choices = words(list(arg[3]), flags)
        elif op is sre.ATOMIC_GROUP:
            choices = words(list(arg), flags)
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            once = words(list(arg[2]), flags)[:4]
            choices = [w * max(arg[0], 1) for w in once] if arg[0] else ["", *once]
        else:
            choices = [""]
        found = [old + new for i, new in enumerate(choices) for old in found[: 1 if i else 6]]
        found = list(dict.fromkeys(found))[:12]
    return found


def repeats(items: list[Any], before: list[str], flags: int) -> Iterator[tuple[str, list[str]]]:
    """What leads to each unbounded repetition of a pattern, and words of its body."""
    for index, (op, arg) in enumerate(items):
        lead = [old + new for new in words(items[:index], flags)[:3] for old in before[:2]]
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            body = list(arg[2])
            if arg[1] is sre.MAXREPEAT or arg[1] > 50:
                for one in lead[:3]:
                    yield one, words(body, flags)[:8]
            yield from repeats(body, lead, flags)
        elif op is sre.BRANCH:
            for choice in arg[1]:
                yield from repeats(list(choice), lead, flags)
        elif op is sre.SUBPATTERN:
            yield from repeats(list(arg[3]), lead, flags)
        elif op is sre.ATOMIC_GROUP:
            yield from repeats(list(arg), lead, flags)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from repeats(list(arg[1]), lead, flags)


def refused(items: list[Any], flags: int) -> list[str]:
    """Ends that the pattern does not allow after itself."""
    found: list[str] = []
    for op, arg in items:
        if op is sre.ASSERT_NOT:
            found += [word + "c" for word in words(list(arg[1]), flags)[:3]]
        elif op is sre.SUBPATTERN:
            found += refused(list(arg[3]), flags)
        elif op is sre.BRANCH:
            found += [end for choice in arg[1] for end in refused(list(choice), flags)]
    return found[:6]


def pumped(pattern: Counting) -> list[tuple[str, str, str]]:
    """Beginnings, pieces to be repeated, and ends."""
    found: dict[tuple[str, str, str], None] = {}
    flags = pattern.flags
    ends = [*ODD, *refused(list(pattern.tree), flags)]
    for lead, body in repeats(list(pattern.tree), [""], flags):
        for piece in dict.fromkeys([*body, *(a + b for a in body[:3] for b in body[:3])]):
            for end in ends:
                if piece:
                    found[lead, piece, end] = None
                    found["", piece, end] = None
                    found["", lead + piece, end] = None
    return list(found)


def growth(pattern: Counting, text: tuple[str, str, str], how: str, size: int) -> tuple[int, int]:
    """The steps on a text of `size` pieces, and on one of twice as many."""
    taken = []
    lead, piece, end = text
    for count in (size, 2 * size):
        pattern.steps = 0
        whole = lead + piece * count + end
        if how == "search":
            pattern.searches(whole)
        else:
            pattern.matches(whole, 0, full=how == "fullmatch")
        taken.append(pattern.steps)
    return taken[0], taken[1]


def possessive_groups(pattern: str, flags: int = 0) -> bool:
    """Whether a pattern repeats more than one character possessively, such as ``(?:ab|c)*+``."""
    return _has_possessive_groups(parser.parse(pattern, flags))


def _has_possessive_groups(parts: Any) -> bool:  # noqa: ANN401
    match parts:
        case (op, (_, _, body)) if op is sre.POSSESSIVE_REPEAT:
            if len(body) > 1 or body[0][0] not in ONE_CHARACTER:
                return True
            return _has_possessive_groups(body)
        case parser.SubPattern() | list() | tuple():
            return any(_has_possessive_groups(part) for part in parts)
    return False
