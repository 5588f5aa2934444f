"""The lexer: a source becomes four parallel lists of kinds, values and places.

Strings with interpolation are flattened into the stream, as `DQPRE`, the tokens of
the expression, `DQMID` …, `DQPOST`.  A mistake is recorded in `faults` and lexing goes
on where that makes sense; it never raises.
"""

from __future__ import annotations

import re
from itertools import islice

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import epp, strings, tokens
from headwater.langs.puppet.syntax.scanner import Scanner
from headwater.langs.puppet.syntax.tokens import (
    BAD,
    BLANKS,
    BOOL,
    DQMID,
    DQPOST,
    DQPRE,
    G_BARE,
    G_DQ,
    G_END,
    G_NUM,
    G_OPEN,
    G_PUNCT,
    G_REF,
    G_SPECIAL,
    G_SQ,
    G_VAR,
    G_WORD,
    KEYWORDS,
    KINDS_OF_WORD,
    LIST,
    NAME,
    NO_REGEX_AFTER,
    NUM,
    REF,
    REGEX,
    STR,
    VAR,
    WORD,
    WSPAREN,
    master,
)  # fmt: skip

MAX_INTERPOLATION = 50
"""How deep strings may stand within interpolations of strings."""

MAX_TOKENS = 3_000_000
"""How many tokens a file may have; what takes longer to lex counts for several."""

_VARIABLE_LIKE = frozenset({NUM, NAME, WORD, BOOL, *KEYWORDS})


class Lexer(Scanner):
    """The tokens of one text; a heredoc with a margin has a lexer of its own for its text."""

    # -- entry points -----------------------------------------------------------------------

    def manifest(self) -> None:
        """Lexes a manifest."""
        self.code(0, nested=False)
        self.finish()

    # -- code -------------------------------------------------------------------------------

    def code(self, at: int, *, nested: bool) -> int:
        """Lexes code from `at`; where it ends.  `nested`: up to the brace that closes ``${``."""
        text, kinds, values, spans = self.text, self.kinds, self.values, self.spans
        kinds_of_word, braces = KINDS_OF_WORD, 0
        match: re.Match[str]
        while not self.stopped:
            pattern = master(epp=bool(self.epp), pending=self.jump >= 0)
            budget = MAX_TOKENS - self.spent - len(kinds)
            for match in islice(pattern.finditer(text, at), max(budget, 0)):
                group = match.lastindex
                if group == G_PUNCT:
                    kind = match[G_PUNCT]
                    if nested:
                        if kind == "{":
                            braces += 1
                        elif kind == "}":
                            if braces == 0:
                                return match.end()
                            braces -= 1
                    kinds.append(kind)
                    values.append(kind)
                    spans.append(match.span(G_PUNCT))
                elif group == G_WORD:
                    word = match[G_WORD]
                    kinds.append(kinds_of_word.get(word, NAME))
                    values.append(word)
                    spans.append(match.span(G_WORD))
                elif group == G_VAR:
                    kinds.append(VAR)
                    values.append(match[G_VAR][1:])
                    spans.append(match.span(G_VAR))
                elif group == G_SQ:
                    kinds.append(STR)
                    values.append(match[G_SQ][1:-1])
                    spans.append(match.span(G_SQ))
                elif group == G_DQ:
                    kinds.append(STR)
                    values.append(match[G_DQ][1:-1])
                    spans.append(match.span(G_DQ))
                elif group == G_REF:
                    kinds.append(REF)
                    values.append(match[G_REF])
                    spans.append(match.span(G_REF))
                elif group == G_OPEN:
                    kind, start = match[G_OPEN], match.start(G_OPEN)
                    if kind == "[":
                        kind = LIST
                    elif self.first_on_line(start):
                        kind = WSPAREN
                    kinds.append(kind)
                    values.append(match[G_OPEN])
                    spans.append((start, start + 1))
                elif group == G_NUM:
                    word = match[G_NUM]
                    if word.isdigit() and len(word) < 18 and (word[0] != "0" or word == "0"):
                        kinds.append(NUM)
                        values.append(word)
                        spans.append(match.span(G_NUM))
                    else:
                        self.number(word, *match.span(G_NUM))
                elif group == G_BARE:
                    word = match[G_BARE]
                    kind = NAME if tokens.STRICT_NAME.match(word) else WORD
                    kinds.append(kind)
                    values.append(word)
                    spans.append(match.span(G_BARE))
                elif group == G_END:
                    return len(text)
                else:
                    at = self.special(match.start(G_SPECIAL))
                    break
            else:
                self.fault(codes.TOO_LARGE, at, at, bound=f"{MAX_TOKENS:,}")
                return self.stop()
        return len(text)

    def first_on_line(self, at: int) -> bool:
        """Whether only blanks stand before a place on its line."""
        text = self.text
        while at > 0 and text[at - 1] in BLANKS:
            at -= 1
        return at == 0 or text[at - 1] == "\n"

    def special(self, at: int) -> int:
        """Lexes what starts with a rarer character; where to go on."""
        text = self.text
        char = text[at]
        self.spent += 4
        if char == '"':
            return strings.double_quoted(self, at)
        if char == "'":
            return strings.single_quoted(self, at)
        if char == "\n":  # only while a heredoc is pending
            at, self.jump = self.jump, -1
            return at
        if char == "@":
            self.spent += 30
            return strings.heredoc(self, at)
        if char == "/":
            return self.slash(at)
        if char == "$":
            return self.add(VAR, "", at, at + 1)
        if self.epp and text.startswith(("%>", "-%>"), at):
            return epp.leave_code(self, at)
        if "0" <= char <= "9":
            return self.bad_number(at)
        if char in "[" or "A" <= char <= "Z" or text.startswith("::", at):
            return self.bad_name(at)
        self.fault(codes.BAD_CHARACTER, at, at + 1, char=_shown(char))
        return self.add(BAD, char, at, at + 1)

    def slash(self, at: int) -> int:
        """A division, a regular expression, or a comment that is never closed."""
        text = self.text
        if text.startswith("/*", at):
            self.fault(codes.UNCLOSED_COMMENT, at, at + 2)
            return self.stop()
        if self.regex_may_start():
            found = tokens.REGEX_LITERAL.match(text, at)
            if found:
                pattern = found[0][1:-1].replace("\\/", "/")
                return self.add(REGEX, pattern, at, found.end())
        return self.add("/", "/", at, at + 1)

    def regex_may_start(self) -> bool:
        """Whether a slash here may start a regular expression.

        In the first ``${`` of a string it is the token before the string that counts.
        """
        i = len(self.kinds) - 1
        while i >= 0 and self.kinds[i] == DQPRE:
            i -= 1
        return i < 0 or self.kinds[i] not in NO_REGEX_AFTER or self.kinds[i] == DQMID

    def number(self, word: str, start: int, end: int) -> None:
        """A number, or the complaint that it is none."""
        if word[0] == "0" and len(word) > 1:
            second = word[1]
            if second in "xX" or second == ".":
                pass
            elif not re.fullmatch("0[0-7]+", word):
                self.fault(codes.BAD_NUMBER, start, end, text=word, kind="octal number")
                word = "0"
        if strings.number_value(word) is None:
            self.fault(codes.BAD_NUMBER, start, end, text=word, kind="floating point number")
            word = "0"
        self.add(NUM, word, start, end)

    def bad_number(self, at: int) -> int:
        """A digit that starts no number, such as in ``12ab``."""
        found = tokens.NUMBER_WORD.match(self.text, at)
        end = found.end() if found else at + 1
        text = self.text[at:end]
        kind = "hexadecimal number" if text[:2] in ("0x", "0X") else "number"
        self.fault(codes.BAD_NUMBER, at, end, text=text, kind=kind)
        return self.add(NUM, "0", at, end)

    def bad_name(self, at: int) -> int:
        """A capitalised or qualified name that is cut short, such as ``Foo::bar``."""
        found = re.compile(r"[\w:]+").match(self.text, at)
        end = found.end() if found else at + 1
        text = self.text[at:end]
        self.fault(codes.BAD_NAME, at, end, name=text)
        return self.add(REF if text[:1].isupper() else NAME, text, at, end)

    # -- interpolation ----------------------------------------------------------------------

    def interpolation(self, at: int) -> int:
        """Lexes the expression of a ``${``; a lone name in it means a variable."""
        base = len(self.kinds)
        self.depth += 1
        if self.depth > MAX_INTERPOLATION:
            self.fault(codes.TOO_DEEP, at - 2, at, bound=MAX_INTERPOLATION, what="interpolations")
            return self.stop()
        end = self.code(at, nested=True)
        self.depth -= 1
        count = len(self.kinds) - base
        if count == 1 or (count > 1 and self.kinds[base + 1] in (".", "[")):
            kind = self.kinds[base]
            if kind == BOOL:
                self.fault(codes.INTERPOLATED_BOOLEAN, *self.spans[base], text=self.values[base])
            if kind in _VARIABLE_LIKE:
                self.kinds[base] = VAR
        return end


def _shown(char: str) -> str:
    return char if char.isprintable() and not "\ud800" <= char <= "\udfff" else f"U+{ord(char):04X}"


__all__ = ["DQMID", "DQPOST", "DQPRE", "Lexer"]
