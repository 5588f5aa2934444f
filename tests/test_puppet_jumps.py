"""`return`, `next` and `break` guard what follows them, and nothing before or around."""

from __future__ import annotations

import pytest

from headwater.why import depends
from laws.puppet_edits import compiled

JUMPS = {
    "next": "['x', 'y'].each |$e| { if $e == $facts['stop'] { next() } notify { \"in ${e}\": } }",
    "break": "['x', 'y'].each |$e| { if $e == $facts['stop'] { break() } notify { \"in ${e}\": } }",
    "return": "if $facts['stop'] == 'yes' { return() }",
    "return in a lambda": "['x'].each |$e| { if $e == $facts['stop'] { return() } }",
    "return of a function": "f()",
}
BEFORE = "function f() { if $facts['stop'] == 'yes' { return(1) } include g }\nclass g { }\n"


def listed(jump: str, title: str) -> set[str]:
    """What the message of a resource of a class depends on that has a jump in the middle."""
    body = f"notify {{ 'before': message => 'b' }} {jump} notify {{ 'after': message => 'a' }}"
    outcome = compiled(f"{BEFORE}class c {{ {body} }}\ninclude c\n", facts={"stop": "no"})
    assert outcome.causes is not None
    node = outcome.causes.of((f"Notify[{title}]", "message"))
    return {label.text for label in depends(outcome.causes.trace, node)}


@pytest.mark.parametrize("name", JUMPS)
def test_a_jump_does_not_guard_what_comes_before(name: str) -> None:
    assert "facts['stop']" not in listed(JUMPS[name], "before")


@pytest.mark.parametrize(
    ("name", "guards"),
    [("next", False), ("break", False), ("return", True), ("return in a lambda", True),
     ("return of a function", False)],
)  # fmt: skip
def test_a_jump_guards_what_follows_in_the_body_that_it_leaves(name: str, guards: bool) -> None:
    assert ("facts['stop']" in listed(JUMPS[name], "after")) is guards


@pytest.mark.parametrize(("name", "guards"), [("next", False), ("break", True)])
def test_break_guards_the_turns_that_come_after(name: str, guards: bool) -> None:
    turn = JUMPS[name].replace('notify { "in ${e}": }', "notify { \"in ${e}\": message => 'm' }")

    assert "facts['stop']" in listed(turn, "in x")
    assert ("'y'" in listed(turn, "in y")) is True
    assert ("'x'" in listed(turn, "in y")) is guards
