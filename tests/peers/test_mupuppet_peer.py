"""The calculus against real Puppet: every case, and generated manifests."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import Case, all_cases
from headwater.langs.puppet.generate.calculus import manifest
from laws.profile import examples
from peers.mupuppet_peer import compared, compiled, oracle, verdict

FAMILIES = ("classes", "declarations", "manifests", "operators", "provenance", "statements",
            "structures", "variables")  # fmt: skip
SLOW = "define_cycle"
"""Puppet, too, gives up on defines that declare themselves, after some ten seconds."""
CASES = [
    case
    for case in all_cases()
    if case.name.startswith("puppet/")
    and case.name.split("/")[1] in FAMILIES
    and SLOW not in case.name
]


def options_of(case: Case) -> tuple[str, bool]:
    """The node and whether variables are strict."""
    words = dict(w.lstrip("-").split("=", 1) for w in case.headers.get("options", "").split())
    return words.get("node", "default"), words.get("strict_variables") != "false"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_agrees_with_puppet(case: Case) -> None:
    node, strict = options_of(case)
    code = case.sections["in.pp"]
    oracle()

    assert verdict(code, node, "like-puppet", strict=strict) in ("agree", "beyond")
    in_the_paper = verdict(code, node, "paper")
    if "differs" in case.headers:
        assert in_the_paper not in ("agree", "beyond"), "it agrees after all"
    elif case.headers.get("dialect") != "like-puppet":
        assert in_the_paper in ("agree", "beyond")


MANIFESTS = (Path(__file__).with_name("mupuppet_manifests.txt").read_text(encoding="utf-8")).split(
    "\n---\n"
)


def test_small_manifests_about_the_corners_agree_with_puppet() -> None:
    oracle()
    beyond = 0
    for code in MANIFESTS:
        for strict in (True, False):
            found = verdict(code, "default", "like-puppet", strict=strict)
            assert found in ("agree", "beyond"), (code, strict)
            beyond += found == "beyond"
    assert beyond < len(MANIFESTS) * 2 // 6


FEATURES = (Path(__file__).with_name("mupuppet_features.txt").read_text(encoding="utf-8")).split(
    "\n---\n"
)


def test_manifests_about_every_feature_agree_with_puppet_in_both_engines() -> None:
    oracle()
    beyond = 0
    for code in FEATURES:
        found = verdict(code, "default", "like-puppet")
        assert found in ("agree", "beyond"), code
        beyond += found == "beyond"
        assert compared(compiled(code, "default"), code, "default") == "agree", code
    assert beyond < len(FEATURES) / 3


def test_generated_manifests_agree_with_puppet() -> None:
    oracle()
    for seed in range(examples(60, 3_000)):
        code = manifest(seed)

        assert verdict(code, "default", "like-puppet") == "agree", code
        assert verdict(code, "default", "like-puppet", strict=False) == "agree", code
