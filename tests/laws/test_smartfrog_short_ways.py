"""The short ways of the production dialect lead where the long ones do, causes and errors too.

An attribute that is read at once means what its tokens mean; a value that is found by a glance has
the causes that it has when every step is noted; and what an heir has is the same whether linking
looks through to its prototypes or copies them.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headwater.langs.smartfrog.production import glance
from headwater.langs.smartfrog.production.components import Comp, Value
from headwater.langs.smartfrog.production.glance import UNKNOWN, Glancing, Unknown
from headwater.langs.smartfrog.production.reader import Reader
from laws.production import Run
from laws.profile import law
from laws.strategies.smartfrog_chains import chains
from laws.strategies.smartfrog_serving import serving
from laws.test_smartfrog_production import SEEDS, generate, told

TEXTS = [
    'sfConfig extends { a 1; b "x"; c a; d LAZY a; e true; f NULL; g -7; h 1234567890; i 12L; }',
    "sfConfig extends { a:b 1; a extends { } LAZY a; b LAZY; c LAZY LAZY; d true:a; x| 1; }",
    'sfConfig extends { extends 1; NULL 2; a extends; b 1 c 2; d "open; e 1; /* f 1;',
    "// first\nsfConfig extends { // a 1;\n a 1; // b\n // c\n b a ; c a:b; a.b-c 3; \u00e9 4;\1 }",
    "sfConfig extends { v [1, a, [b]]; a 2; b v; w v; s (a + 1); t (s ++ b); u (t == v); }",
    "sfConfig extends { a IF c THEN v ELSE w FI; c true; v [1]; w [| 2 |]; d a; e [a, d]; }",
    "sfConfig extends { a (b + 1); b (c + 1); c (a + 1); }",
    'P extends { x 1; } sfConfig extends { a extends P, { y (x + 1 + x); z ("q) ++" ++ x ++ -3); } '
    "b extends P { z 1; } { w 2; } c extends P, { } { } d extends P, { }, { v ( x && x ); } }",
    "sfConfig extends { $9 1; a ($9 + 1.5); b ($9 + 2L); c ($9 +1); d (a + b ++ c); e (1 + 2) }",
    "P extends { } sfConfig extends { a:b extends P, { } a extends { } c extends NULL, { } "
    "d extends DATA { } e extends LAZY P, { } f extends THIS:a, { } extends extends { } }",
    "sfConfig extends { a b; b c; c (1 + TBD); }",
    "sfConfig extends { [sfLocal] l 1; p extends { q l; r PARENT:l; } s p:q; t sfConfig:l; }",
    "sfConfig extends { a 1; b OPTIONAL(3) z; c (b + a); d LAZY a; e (d + a); f d; g [d, 1]; }",
    # What is looked through: placed into, linked into, computed with, its vectors in vectors.
    "B extends { n TBD; u (n ++ 1); l extends { v 1; f (n ++ v); } w [1, [n, (u ++ 2)]]; } "
    "K extends B, { k (u ++ l:f); } sfConfig extends { s extends K, { n 1; l:v k2; k2 t:l:f; } "
    't extends K, { n "t"; l:x u; } q s:w; r t:l; s:l:y 3; }',
    "B extends { [sfTemp] a 1; c extends { x a; } } sfConfig extends { p extends B, { a 2; } "
    "q extends B, { c extends B; } r extends B, { c:x 4; c:y c:x; } s q:c:c:x; }",
    "port LAZY y; y 35; c extends sfConfig:d, { x y; } sfConfig extends { x extends { port _z; } "
    "_z 54; d extends sfConfig, { d _z; } }",
    "B extends { a b; b (c ++ 1); c d:e; d extends { e f; } } sfConfig extends { s extends B, "
    "{ d:f a; } }",
    '#include "org/smartfrog/functions.sf"\nsfConfig extends { a extends next, { base 3; } b a; '
    "c (a + b); d extends sum, { x a; y b; } e extends vector, { p d; q c; } f e; }",
]
PIECES = ["LAZY ", "DATA ", "\"", "//", "/*", ";", ":", "}", "{", "NULL", "-", "1", "x|", "\u0001",
          "##", "extends ", "[t] ", "(", " a", "b:c ", "\\", " + ", ")", "extends P, {", "(a ++ 1)",
          ",", "&&"]  # fmt: skip


def slow(text: str, patch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    """What is told if attributes are read by tokens, no value is glanced at, all is copied."""

    def unknown(self: Glancing, value: Value, owner: Comp) -> Value | Unknown:
        self.needed = None
        return UNKNOWN

    with patch.context() as first:
        for short in ("including", "beginning", "operation"):
            first.setattr(Reader, short, lambda *_: None)
        first.setattr(Reader, "plain", lambda self, into, *_: into)
        by_tokens = told(Run(text, "production"))
    with patch.context() as second:
        second.setattr(Glancing, "glance", unknown)
        by_steps = told(Run(text, "production"))
    with patch.context() as third:
        third.setattr(glance, "looked_through", lambda comp: comp.attrs)
        return by_tokens, by_steps, told(Run(text, "production"))


def agree(text: str) -> None:
    """Fails unless all ways tell the same."""
    usual = told(Run(text, "production"))
    with pytest.MonkeyPatch.context() as patch:
        assert slow(text, patch) == (usual, usual, usual), text


@pytest.mark.parametrize("text", TEXTS)
def test_the_short_ways_tell_what_the_long_ones_do(text: str) -> None:
    agree(text)


@law(100, 4_000)
@given(SEEDS)
def test_so_they_do_of_generated_specifications(seed: int) -> None:
    agree(generate(seed, "production"))
    agree(chains(seed))
    agree(serving(seed))


@law(200, 8_000)
@given(SEEDS, st.integers(1, 3))
@example(0, 1)
def test_so_they_do_of_mutilated_ones(seed: int, times: int) -> None:
    dice = random.Random(seed)
    text = dice.choice([dice.choice(TEXTS), generate(seed, "production")])
    for _ in range(times):
        at = dice.randint(0, len(text))
        text = text[:at] + dice.choice(PIECES) + text[at + dice.choice([0, 0, 1, 3]) :]
    agree(text)
