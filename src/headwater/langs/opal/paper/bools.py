"""⟨b, Σ, π⟩ ⇓ true or false.

TRUE, FALSE; ANDTRUE, ANDFALSEL, ANDFALSER, ORFALSE, ORTRUEL, ORTRUER from left to right;
EQTRUE, EQFALSEL, EQFALSER, EQPROP; MEMFALSE, MEMPROP.
"""

from __future__ import annotations

from typing import assert_never

from headwater.langs.opal.paper.sexps import sexp
from headwater.langs.opal.paper.state import Config, Decided, Run, Stuck
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.syntax import And, Bool, Eq, Mem, Or, Truth
from headwater.langs.opal.values import NIL, SexpValue, show
from headwater.langs.opal.writes import literal
from headwater.text import Span


def bool_(run: Run, b: Bool, k: Config) -> Decided | Stuck:
    """The value of a Boolean."""
    opened = run.begin(b.at)
    match b:
        case Truth(value):
            rule = "eval/TRUE" if value else "eval/FALSE"
            made: Decided | Stuck = Decided(value, run.trace.label(literal(b)))
        case And(b1, b2):
            left = bool_(run, b1, k)
            if isinstance(left, Stuck):
                return left
            if not left.value:
                rule, made = "eval/ANDFALSEL", left
            else:
                right = bool_(run, b2, k)
                if isinstance(right, Stuck):
                    return right
                rule = "eval/ANDTRUE" if right.value else "eval/ANDFALSER"
                made = Decided(right.value, run.trace.union(left.causes, right.causes))
        case Or(b1, b2):
            left = bool_(run, b1, k)
            if isinstance(left, Stuck):
                return left
            if left.value:
                rule, made = "eval/ORTRUEL", left
            else:
                right = bool_(run, b2, k)
                if isinstance(right, Stuck):
                    return right
                rule = "eval/ORTRUER" if right.value else "eval/ORFALSE"
                made = Decided(right.value, run.trace.union(left.causes, right.causes))
        case Eq(s1, s2) | Mem(s1, s2):
            one = sexp(run, s1, k)
            if isinstance(one, Stuck):
                return one
            two = sexp(run, s2, k)
            if isinstance(two, Stuck):
                return two
            if isinstance(b, Eq):
                rule, holds = equal(run, one.value, two.value, b.at)
            else:
                found = member(run, one.value, two.value, b.at)
                if isinstance(found, Stuck):
                    return found
                rule, holds = found
            made = Decided(holds, run.trace.union(one.node, two.node))
        case _:
            assert_never(b)
    if isinstance(made, Decided):
        text = f"{print_program(b, most=60)} ⇓ {_word(made.value)}" if run.derive else ""
        run.end(opened, rule, text)
    return made


def _word(value: bool) -> str:
    return "true" if value else "false"


def equal(run: Run, one: SexpValue, two: SexpValue, at: Span) -> tuple[str, bool]:
    """The rule that decides s1 = s2 for two values, and its answer.

    EQPROP compares the left parts and then the right ones.  Values are hash-consed, so the
    derivation for equal parts is known to exist and is not written out; what is left is one
    path down to the first difference, followed here without recursion.
    """
    path = [(one, two)]
    while one.left is not None and two.left is not None and one is not two:
        same = one.left is two.left
        run.rules.add("eval/ANDFALSER" if same else "eval/ANDFALSEL")
        left, right = (one.right, two.right) if same else (one.left, two.left)
        assert left is not None
        assert right is not None
        one, two = left, right
        path.append((one, two))
    holds = one is two
    if holds:
        last = "eval/EQTRUE" if one is NIL else "eval/EQPROP"
    else:
        last = "eval/EQFALSEL" if two is NIL else "eval/EQFALSER"
    inner = [(run.begin(at), left, right) for left, right in path[1:]]
    rule = last
    for start, left, right in reversed(inner):
        run.end(start, rule, f"{show(left, 30)} = {show(right, 30)} ⇓ {_word(holds)}")
        rule = "eval/EQPROP"
    return rule, holds


def member(run: Run, wanted: SexpValue, value: SexpValue, at: Span) -> tuple[str, bool] | Stuck:
    """The rule that decides s1 ∈ s2 for two values, and its answer.

    MEMPROP is s1 = head ∨ s1 ∈ tail, so the spine is walked from its head.
    """
    first = "eval/MEMPROP" if value.left is not None else "eval/MEMFALSE"
    passed = False
    while value.left is not None and value.right is not None:
        if stuck := run.tick(at):
            return stuck
        if value.left is wanted:
            run.rules |= {"eval/MEMPROP", "eval/ORTRUEL"}
            if passed:
                run.rules.add("eval/ORTRUER")
            return first, True
        passed = True
        value = value.right
    run.rules.add("eval/MEMFALSE")
    if passed:
        run.rules |= {"eval/MEMPROP", "eval/ORFALSE"}
    return first, False
