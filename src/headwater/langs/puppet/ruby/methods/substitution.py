"""``sub``, ``gsub``, ``tr`` and their like: strings with parts replaced."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes, encoding_of, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded, pattern_of, remember, searching
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Matched,
    Pattern,
    Proc,
    RubyString,
    RubyValue,
    Text,
)
from headwater.langs.puppet.types.regexps import after

_REFERENCE = re.compile(r"\\(\d|k<(\w+)>|[&`'\\0])")


def s(value: RubyString) -> str:
    """The text of a receiver."""
    return value if isinstance(value, str) else value.s


def change(m: Machine, self: RubyString, made: str) -> Text:
    """Changes a string in place."""
    if isinstance(self, str):
        raise Beyond("a change of a string that Puppet holds")
    if self.frozen:
        raise m.error("FrozenError", f"can't modify frozen String: {m.inspect(self)}")
    m.check_size(len(made))
    self.s = made
    return self


def bang(m: Machine, self: RubyString, made: str) -> RubyValue:
    """Changes a string in place; nil where nothing changes."""
    if made == s(self) and made.__class__ is s(self).__class__:
        if self.__class__ is Text and self.frozen:
            change(m, self, made)
        return None
    change(m, self, made)
    return self


def _expanded(template: str, found: Matched) -> str:
    """A replacement with its references (``\\1``, ``\\k<name>``) filled in."""
    if "\\" not in template:
        return template

    def fill(reference: re.Match[str]) -> str:
        sign = reference[1]
        if sign == "\\":
            return "\\"
        if sign == "&":
            return s(found.group(0) or "")
        if sign == "`":
            return found.before()
        if sign == "'":
            return found.after()
        if sign[0] == "k":
            number = found.found.names.get(reference[2])
            return "" if number is None else s(found.group(number) or "")
        number = int(sign)
        if number >= len(found.found.starts):
            return ""
        return s(found.group(number) or "")

    made = _REFERENCE.sub(fill, template)
    return in_encoding(made, encoding_of(found.text)) if found.text.__class__ is Bytes else made


def substituted(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    replacement: Given,
    block: Proc | None,
    once: bool,
) -> str | None:
    """The text with matches replaced by a string, the values of a hash or what a block gives.

    None where nothing matches.
    """
    wanted = pattern_of(m, pattern)
    if replacement is not UNDEFINED and not isinstance(replacement, Hash):
        to.string(m, replacement)
    literal = pattern.__class__ is not Pattern
    if literal:
        to.beside(m, s(self), pattern)
    text = s(self) if literal else to.sound(m, self)
    data = encoded(text)
    out: list[str] = []
    place = kept = 0
    last: Matched | None = None
    size = 0
    find_from = searching(m, wanted, data)
    while place <= len(data):
        match = find_from(place)
        if match is None:
            break
        m.check_count(len(out) >> 1)
        m.check_size(size)
        last = Matched(match, text, wanted)
        out.append(data[kept : match.start].decode("utf-8", "surrogateescape"))
        if replacement is UNDEFINED:
            assert block is not None
            remember(m, last)
            out.append(m.text(block.one(last.group(0))))
        elif isinstance(replacement, Hash):
            out.append(m.text(m.send(replacement, "[]", [last.group(0)])))
        else:
            template = to.string(m, replacement)
            out.append(_expanded(template, last) if not literal or "\\" in template else template)
        size += len(out[-1])
        kept = match.end
        if once:
            break
        if match.end > match.start:
            place = match.end
        else:
            place = after(data, match.end)
            out.append(data[kept:place].decode("utf-8", "surrogateescape"))
            kept = place
    remember(m, last)
    if last is None:
        return None
    out.append(data[kept:].decode("utf-8", "surrogateescape"))
    made = to.glued_all(m, [text[:0], *out])
    m.check_size(len(made))
    return made


@method(STRING, "sub")
def sub(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    by: Given = UNDEFINED,
    block: Proc | None = None,
) -> str:
    _needs(m, by, block)
    made = substituted(m, self, pattern, by, block, True)
    return s(self) if made is None else made


@method(STRING, "gsub")
def gsub(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    by: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    if by is UNDEFINED and block is None:
        return Enumerator(self, "gsub", [pattern])
    made = substituted(m, self, pattern, by, block, False)
    return Text(s(self) if made is None else made)


def _needs(m: Machine, by: Given, block: Proc | None) -> None:
    if by is UNDEFINED and block is None:
        raise m.wrong_count(1, 2, 2)


@method(STRING, "sub!")
def sub_bang(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    by: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    _needs(m, by, block)
    return _replaced(m, self, substituted(m, self, pattern, by, block, True))


def _replaced(m: Machine, self: RubyString, made: str | None) -> RubyValue:
    if made is None:
        return None
    change(m, self, made)
    return self


@method(STRING, "gsub!")
def gsub_bang(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    by: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    if by is UNDEFINED and block is None:
        return Enumerator(self, "gsub!", [pattern])
    return _replaced(m, self, substituted(m, self, pattern, by, block, False))


def _members(m: Machine, letters: str) -> tuple[list[str], bool]:
    """The characters a set names (``a-z``, ``^0-9``), and whether it is turned round."""
    negated = len(letters) > 1 and letters[0] == "^"
    body = letters[1:] if negated else letters
    made: list[str] = []
    place = 0
    while place < len(body):
        char = body[place]
        if char == "\\" and place + 1 < len(body):
            made.append(body[place + 1])
            place += 2
        elif place + 2 < len(body) and body[place + 1] == "-":
            last = body[place + 2]
            if ord(char) > ord(last):
                raise m.error(
                    "ArgumentError", f'invalid range "{char}-{last}" in string transliteration'
                )
            made.extend(map(chr, range(ord(char), ord(last) + 1)))
            place += 3
        else:
            made.append(char)
            place += 1
    return made, negated


def _translated(m: Machine, text: str, letters: str, by: str, squeeze: bool) -> str:
    members, negated = _members(m, letters)
    goals, _ = _members(m, by) if not by.startswith("^") or len(by) < 2 else (list(by), False)
    table = {}
    for index, char in enumerate(members):
        table[char] = goals[min(index, len(goals) - 1)] if goals else ""
    out: list[str] = []
    before: str | None = None
    for char in text:
        if negated:
            made = char if char in table else (goals[-1] if goals else "")
            hit = char not in table
        else:
            made = table.get(char, char)
            hit = char in table
        if squeeze and hit and before == made:
            continue
        before = made if hit else None
        out.append(made)
    return "".join(out)


def _translate(
    m: Machine, self: RubyString, letters: RubyValue, by: RubyValue, squeeze: bool
) -> str:
    text = to.sound(m, self)
    if not text:
        to.string(m, letters)
        to.string(m, by)
        return text
    wanted, goals = to.sound(m, letters), to.sound(m, by)
    made = _translated(m, text, wanted, goals, squeeze)
    if text.__class__ is str and wanted.__class__ is str and goals.__class__ is str:
        return made
    first, second = to.of_both(m, text, wanted), to.of_both(m, text, goals)
    kind = first if first == second else to.of_both(m, wanted, goals)
    hit = squeeze or made != str(text) or any(char in wanted for char in str(text))
    return in_encoding(made, kind if hit else encoding_of(text))


@method(STRING, "tr")
def tr(m: Machine, self: RubyString, letters: RubyValue, by: RubyValue) -> str:
    return _translate(m, self, letters, by, False)


@method(STRING, "tr_s")
def tr_s(m: Machine, self: RubyString, letters: RubyValue, by: RubyValue) -> str:
    return _translate(m, self, letters, by, True)


@method(STRING, "tr!")
def tr_bang(m: Machine, self: RubyString, letters: RubyValue, by: RubyValue) -> RubyValue:
    return bang(m, self, tr(m, self, letters, by))


def _in_all(m: Machine, self: RubyString, sets: tuple[Any, ...]) -> Callable[[str], bool]:
    """Whether a character is in every one of several sets."""
    if not sets:
        raise m.wrong_count(0, 1, None)
    made = []
    for one in sets:
        to.beside(m, s(self), one)
        members, negated = _members(m, to.sound(m, one))
        made.append((frozenset(members), negated))
    return lambda char: all((char in members) is not negated for members, negated in made)


@method(STRING, "delete")
def delete(m: Machine, self: RubyString, *sets: RubyValue) -> str:
    wanted = _in_all(m, self, sets)
    text = to.sound(m, self)
    return in_encoding("".join(char for char in text if not wanted(char)), encoding_of(text))


@method(STRING, "delete!")
def delete_bang(m: Machine, self: RubyString, *sets: RubyValue) -> RubyValue:
    return bang(m, self, delete(m, self, *sets))


@method(STRING, "count")
def count(m: Machine, self: RubyString, *sets: RubyValue) -> int:
    m.spend(len(s(self)) >> 3)
    wanted = _in_all(m, self, sets)
    return sum(1 for char in to.sound(m, self) if wanted(char))


@method(STRING, "squeeze")
def squeeze(m: Machine, self: RubyString, *sets: RubyValue) -> str:
    m.spend(len(s(self)) >> 3)
    wanted = _in_all(m, self, sets) if sets else lambda char: True
    out: list[str] = []
    for char in to.sound(m, self):
        if not (out and out[-1] == char and wanted(char)):
            out.append(char)
    return in_encoding("".join(out), encoding_of(s(self)))


@method(STRING, "squeeze!")
def squeeze_bang(m: Machine, self: RubyString, *sets: RubyValue) -> RubyValue:
    return bang(m, self, squeeze(m, self, *sets))


@method(STRING, "tr_s!")
def tr_s_bang(m: Machine, self: RubyString, letters: RubyValue, by: RubyValue) -> RubyValue:
    return bang(m, self, tr_s(m, self, letters, by))
