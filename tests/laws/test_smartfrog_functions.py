"""D1 of the production dialect where a component is, or becomes, a function; written by hand.

Every edit of each specification is tried; a reference is changed to functions too.
"""

from __future__ import annotations

import pytest

from laws.production import Run, only_what_depends_changes

PACKAGE = "org.smartfrog.sfcore.languages.sf"
NAMES = {"S": "Sum", "V": "Vector", "N": "Next", "R": "Ref", "I": "IfThenElse", "Z": "Set"}
FUNCTIONS = " ".join(
    f'{name} extends {{ "phase.function" "{PACKAGE}.ConstructFunction"; '
    f'sfFunctionClass "{PACKAGE}.functions.{function}"; }}'
    for name, function in NAMES.items()
)
ASSERTIONS = f'A extends {{ "phase.function" "{PACKAGE}.ConstructAssertions"; }}'

TEXTS = [
    # A path ends at what is a function, or waits for what is lazy.
    "sfConfig extends { a extends P, { b 1; } c OPTIONAL(5) a:b; }",
    "sfConfig extends { a extends P, { b 1; } l extends { c a; d c; e OPTIONAL(5) c:b; } }",
    "sfConfig extends { a extends P, { x extends { z 1; w PARENT:b; } b 2; } "
    "e OPTIONAL(5) a:x:z; f OPTIONAL(6) a:x:w; }",
    "Q extends P, { b extends { c 2; } } sfConfig extends { x OPTIONAL(3) Q:b:c; }",
    "sfConfig extends { a extends P, { b 1; } d extends { e extends a } g OPTIONAL(3) d:e:b; }",
    "sfConfig extends { a:b 4; a extends P, { } c OPTIONAL(5) a:b; }",
    "sfConfig extends { c extends { } l c; l:n extends P, { q 3; } o OPTIONAL(9) c:n:q; }",
    # The elements of a list are components until then.
    "sfConfig extends { a extends P, { b 1; } v [a, 3]; w [v, a]; c ([a] <> [3]); d c; }",
    # What makes it a function, and which one.
    "sfConfig extends { a extends S, { l 1; } b extends a, { r 2; } c [a, b]; }",
    "sfConfig extends { a extends S, { l 1; } b extends { c extends V, { d 1; } } e extends b; }",
    "F extends S, { l 1; } G extends F, { m 2; } H extends G, { } "
    "sfConfig extends { x extends H, { n 3; } y extends G; z extends { extends_h extends H } }",
    # What keeps it for run time keeps what it is an argument of.
    "sfConfig extends { a extends S, { sfFunctionLazy true; l 1; } b (a + 1); c b; d [a, b]; }",
    "sfConfig extends { a extends S, { sfFunctionLazy true; l 1; } e extends { f a; g (f + 2); } }",
    "sfConfig extends { a extends S, { sfFunctionData true; l 1; } "
    "b a; c [a, [b]]; d OPTIONAL(1) b; }",
    "sfConfig extends { x 4; a extends S, { l x; } l LAZY a; "
    "b (l + 1); c OPTIONAL(4) l; d [l, b]; }",
    "F extends S, { sfFunctionLazy true; l 1; } G extends F; "
    "sfConfig extends { x extends G, { m 2; } y (x + 1); z OPTIONAL(4) x; }",
    # Numbers are given in the order of evaluation.
    "sfConfig extends { x extends N; y extends { z extends N } l y:z; w extends N, { base 5; } }",
    "sfConfig extends { v extends { a m:n:o; } x extends N; m extends { n extends { "
    "o extends N, { base 3; } } } }",
    # Functions that lead somewhere or choose.
    'sfConfig extends { x 4; r extends R, { reference "x"; } s extends R, { reference "q"; '
    'returnNULLOnException true; } t extends R, P { reference "x"; lazy false; } u (r + 1); }',
    "sfConfig extends { x 4; a extends I, { if (x == 4); then P; else 3; } b OPTIONAL(2) a:q; "
    "c a; d extends I, { if false; then 1; else x; } }",
    'sfConfig extends { z extends Z, { setSize 2; setPrefix "p"; setElem P; } '
    "b OPTIONAL(2) z:p0:q; c z; }",
    # Assertions are kept, or dropped when they have been checked.
    "sfConfig extends { x 4; a extends A, { b (x == 4); } c extends { d extends a; } }",
    'sfConfig extends { x 4; a extends A, { b (x == 4); sfAssertionPhase "static"; } '
    "c extends { d extends a; } }",
    'sfConfig extends { x 4; a extends A, { b (x == 4); sfAssertionPhase "staticLazy"; } }',
]


@pytest.mark.parametrize("text", TEXTS)
def test_d1_holds_where_components_become_functions(text: str) -> None:
    before = Run(f"{FUNCTIONS} {ASSERTIONS} P extends {{ q 1; }} {text}", "production")
    assert before.ok
    only_what_depends_changes(before, before.edits([*before.references(), "S", "V", "N", "P"]))
