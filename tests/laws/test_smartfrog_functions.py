"""D1 of the production dialect where a component is, or becomes, a function; written by hand.

Every edit of each specification is tried; a reference is changed to functions too.
"""

from __future__ import annotations

import pytest

from laws.production import Run, only_what_depends_changes

PACKAGE = "org.smartfrog.sfcore.languages.sf"
SUM, VECTOR = (
    f'{name} extends {{ "phase.function" "{PACKAGE}.ConstructFunction"; '
    f'sfFunctionClass "{PACKAGE}.functions.{function}"; }}'
    for name, function in (("S", "Sum"), ("V", "Vector"))
)

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
    f"sfConfig extends {{ a extends S, {{ l 1; }} b extends a, {{ r 2; }} c [a, b]; }} {VECTOR}",
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
]


@pytest.mark.parametrize("text", TEXTS)
def test_d1_holds_where_components_become_functions(text: str) -> None:
    before = Run(f"{SUM} {VECTOR} P extends {{ q 1; }} {text}", "production")
    assert before.ok
    functions = ["S", "V", "P"]
    only_what_depends_changes(before, before.edits([*before.references(), *functions]))
