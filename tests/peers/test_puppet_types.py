"""Types and built-in functions against real Puppet, expression by expression."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from laws.profile import examples, is_long
from peers.puppet import ABSENT, installed
from peers.puppet_types.compare import (
    EXPLAINED,
    OTHER_REASONS,
    bare,
    explanation,
    ours,
    theirs,
    verdict,
)
from peers.puppet_types.generate import FAMILIES, expressions

REPORT = Path(__file__).parents[2] / "docs" / "laws" / "puppet-types.md"
SHARE = 0.002
"""How many differences without a known reason the long run may find, as a share."""


@pytest.mark.peer
def test_types_and_functions_answer_as_real_puppet_does() -> None:
    if not installed():
        pytest.skip(ABSENT)
    generated = expressions(seed=20, count=examples(1800, 30_000))
    tally: Counter[tuple[str, str]] = Counter()
    reasons: Counter[str] = Counter()
    unexplained: list[str] = []
    answers = theirs([code for _, code in generated])
    for (family, code), real in zip(generated, answers, strict=True):
        mine = ours(code)
        found = verdict(real, mine)
        tally[family, found] += 1
        if found == "agree":
            continue
        reason = explanation(code, real, mine)
        if reason is not None:
            reasons[reason] += 1
            continue
        told = [
            str(a["value"]) if a["ok"] else f"refused: {bare(a['error'])}" for a in (real, mine)
        ]
        unexplained.append(f"{code}\n  Puppet: {told[0]}\n  here:   {told[1]}")
    if is_long():
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(report(len(generated), tally, reasons, unexplained))
    allowed = int(SHARE * len(generated)) if is_long() else 0

    assert len(unexplained) <= allowed, "\n".join(unexplained)


ODD = {
    "NotUndef[Undef] =~ type(NotUndef[Undef])": False,
    "NotUndef[Optional[Integer]] <= NotUndef[Optional[Integer]]": False,
    "NotUndef[Data] <= NotUndef[Data]": False,
    "NotUndef[Any] <= NotUndef[Any]": True,
    "NotUndef[Array[Optional[Integer]]] <= NotUndef[Array[Optional[Integer]]]": True,
    "Hash[Integer, String, 3, 3] <= Struct[{'a' => Data, 'b' => Data, 'c' => Data}]": True,
    "Hash[Integer, String, 3, 3] <= Struct[{'a' => Data, 'b' => Data}]": False,
    "Hash[Integer, String, 2, 2] <= Struct[{'a' => Data, 'b' => String}]": False,
    "{1 => 'x', 2 => 'y'} =~ Struct[{'a' => Data, 'b' => Data}]": False,
    "type(SemVer('2.0.0-rc.1')) <= SemVer['1.x']": True,
    "SemVer('2.0.0-rc.1') =~ SemVer['1.x']": False,
    "Integer[-1, -1] <= Iterable": True,
    "-1 =~ Iterable": False,
    "[CatalogEntry, Undef] =~ type([CatalogEntry, Undef], 'reduced')": False,
    "[1, undef] =~ type([1, undef], 'reduced')": False,
    "[CatalogEntry, Any] =~ type([CatalogEntry, Any], 'reduced')": True,
    "Integer <= Optional": True,
    "1 =~ Optional": False,
}
"""What the laws of types leave out, with Puppet's answers."""


@pytest.mark.peer
def test_what_the_laws_of_types_leave_out_is_puppet_s_own() -> None:
    assert {code: ours(code)["value"] for code in ODD} == ODD
    if not installed():
        pytest.skip(ABSENT)
    assert {code: one["value"] for code, one in zip(ODD, theirs(list(ODD)), strict=True)} == ODD


def report(
    count: int, tally: Counter[tuple[str, str]], reasons: Counter[str], unexplained: list[str]
) -> str:
    """The page about the last long run."""
    agreed = sum(number for (_, found), number in tally.items() if found == "agree")
    lines = [
        "# Puppet's types and functions against real Puppet",
        "",
        "Written by `make laws` (tests/peers/test_puppet_types.py): expressions invented from a",
        "seed, evaluated by one process of real Puppet 7.23 and by Headwater. An answer agrees",
        "when the value is the same with its kinds, or both refuse with the same message.",
        "",
        f"{count} expressions, {agreed} agree ({100 * agreed / count:.2f} %), "
        f"{sum(reasons.values())} differ for a known reason, {len(unexplained)} without one.",
        "",
        "| family | expressions | agree | other words | other verdict | other value |",
        "|---|---|---|---|---|---|",
    ]
    for family in FAMILIES:
        cells = [tally[family, name] for name in ("agree", "message", "refusal", "value")]
        lines.append(f"| {family} | {sum(cells)} | {' | '.join(map(str, cells))} |")
    lines += ["", "## Known reasons", ""]
    texts = {**{name: text for name, text, _ in EXPLAINED}, **OTHER_REASONS}
    lines += [f"- **{name}** ({number}): {texts[name]}" for name, number in reasons.most_common()]
    lines += ["", "## Without a known reason", ""]
    for text in unexplained:
        lines += ["```", text[:600], "```"]
    if not unexplained:
        lines.append("None.")
    return "\n".join(lines) + "\n"
