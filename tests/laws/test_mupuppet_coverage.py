"""The coverage page of µPuppet, generated: tables like the papers', from cases and probes.

``make update`` writes docs/languages/mupuppet-coverage.md.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from cases import Case, all_cases
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.paper.adapter import compile_job
from headwater.text import Source

PAGE = Path(__file__).parents[2] / "docs" / "languages" / "mupuppet-coverage.md"
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))

TABLE_1: list[tuple[str, str, int, bool]] = [
    ("Statements", "Assignment", 2, True),
    ("Statements", "Case", 1, True),
    ("Statements", "If", 4, True),
    ("Statements", "Unless", 4, True),
    ("Resources", "Resources: Basics", 2, True),
    ("Resources", "Resources: Variables", 3, True),
    ("Resources", "User defined resource types", 5, True),
    ("Resources", "Virtual resources", 1, False),
    ("Resources", "Default values", 1, False),
    ("Resources", "Resource extension", 4, False),
    ("Resources", "Ordering Constraints", 2, True),
    ("Classes", "Classes: Basics", 4, True),
    ("Classes", "Inheritance", 3, True),
    ("Classes", "Classes: Scope", 2, True),
    ("Classes", "Variables & classes", 6, True),
    ("Classes", "Class Parameters", 6, True),
    ("Classes", "Overriding", 5, False),
    ("Classes", "Nesting and redefinition", 6, True),
    ("Nodes", "Nodes", 8, True),
    ("Resource Collectors", "Collectors: Basics", 1, False),
    ("Resource Collectors", "Collectors, references & variables", 3, False),
    ("Resource Collectors", "Application order", 5, False),
]
"""The rows of Table 1 of the ECOOP paper, its number of tests, and whether it supports them."""

FEATURES: list[tuple[str, str, str, bool]] = [
    ("Operators", "comparison `== != >= <= > <`", "$x = 1 >= 2", True),
    ("Operators", "boolean `and or !`", "$x = !true and false", True),
    ("Operators", "arithmetic `+ - * / % << >>`", "$x = 1 + 2 * 3 % 2 << 1", True),
    ("Operators", "of arrays and hashes `* << + -`", "$x = [1] + [2]", False),
    ("Operators", "assignment `=`", "$x = 1", True),
    ("Other", "`if` `unless` `case` `?`", "if true { $x = 1 ? { default => 2 } }", True),
    ("Other", "node definitions", "node default { }", True),
    ("Other", "comments", "# nothing", True),
    ("Other", "facts and pre-set variables", "notify { 'n': message => $facts }", False),
    ("Data types", "strings, integers, booleans", "$x = ['s', 1, true]", True),
    ("Data types", "floating-point numbers", "$x = 1.5", False),
    ("Data types", "strings with variables in them", '$x = 1 $y = "a${x}"', False),
    ("Data types", "arrays", "$x = [1]", True),
    ("Data types", "hashes", "$x = { 'a' => 1 }", True),
    ("Data types", "regular expressions", "$x = 'a' =~ /a/", False),
    ("Data types", "Sensitive", "$x = Sensitive('a')", False),
    ("Data types", "undef", "$x = undef", False),
    ("Data types", "resource references", "$x = File['/a']", True),
    ("Data types", "resource data types", "$x = File", False),
    ("Data types", "`default`", "case 1 { default: { } }", True),
    ("Data types", "type annotations", "class a (Integer $x = 1) { } include a", False),
    ("Resources", "built-in types", "file { '/a': }", True),
    ("Resources", "defined types", "define d { } d { 'x': }", True),
    ("Resources", "several bodies, defaults of a body",
     "file { default: mode => 'm'; '/a': ; '/b': }", False),
    ("Resources", "attributes from a hash `* =>`", "file { '/a': * => { } }", False),
    ("Resources", "abstract types `Resource[…]`", "Resource['file'] { '/a': }", False),
    ("Resources", "several titles", "file { ['/a', '/b']: }", False),
    ("Resources", "adding attributes to a resource", "file { '/a': } File['/a'] { mode => 'm' }",
     False),
    ("Classes", "class parameters", "class a ($x = 1) { } include a", True),
    ("Classes", "inheritance", "class a { } class b inherits a { } include b", True),
    ("Classes", "`include`", "class a { } include a", True),
    ("Classes", "`require`, `contain`, `hiera_include`", "class a { } contain a", False),
    ("Classes", "resource-like declarations", "class a { } class { 'a': }", True),
    ("Ordering", "relationship metaparameters",
     "file { '/a': } file { '/b': require => File['/a'] }", False),
    ("Ordering", "chaining arrows", "file { '/a': } -> file { '/b': }", False),
    ("Ordering", "the function `require`", "class a { } require a", False),
    ("Advanced", "functions in Ruby", "$x = md5('a')", False),
    ("Advanced", "functions in Puppet", "function f() { 1 } $x = f()", False),
    ("Advanced", "templates", "$x = template('a')", False),
    ("Advanced", "iteration and lambdas", "[1].each |$x| { }", False),
    ("Advanced", "resource defaults", "File { mode => 'm' }", False),
    ("Advanced", "collectors", "File <| |>", False),
    ("Advanced", "virtual and exported resources", "@file { '/a': }", False),
    ("Advanced", "tags", "class a { tag('x') } include a", False),
    ("Advanced", "run stages", "class a { } class { 'a': stage => 'main' }", False),
]  # fmt: skip
"""Figures A.1 and A.2: group, feature, a manifest that uses it, whether the paper models it."""


def of_feature() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in all_cases():
        if case.name.startswith("puppet/") and "features" in case.headers:
            found.setdefault(case.headers["features"], []).append(case)
    return found


def outcome_of(case: Case) -> str:
    return "beyond" if "beyond-paper" in case.sections.get("out.error", "") else "calculus"


def probe(code: str, dialect: str) -> str:
    """What Headwater says to a manifest."""
    outcome = compile_job(Job((Source("probe.pp", code),), Fields(), dialect, "paper"))
    if outcome.result is not None:
        return "yes"
    (code_name,) = {d.code for d in outcome.errors}
    return "beyond-paper" if code_name == "beyond-paper" else f"refused ({code_name})"


def page() -> str:
    lines = [
        "# What µPuppet covers",
        "",
        "Generated by `make update` from the cases and from small manifests that are tried.",
        "",
        "## Table 1 of the ECOOP paper",
        "",
        "Tests of the paper, and cases here: how many are answered by the calculus and how many",
        "with `beyond-paper`. Every case is also compared with real Puppet (`tests/peers`).",
        "",
        "| group | feature | supported by the paper | its tests | cases here | calculus | beyond |",
        "|---|---|---|---|---|---|---|",
    ]
    cases = of_feature()
    for group, row, tests, supported in TABLE_1:
        found = Counter(outcome_of(case) for case in cases.get(row, []))
        shown = row.split(": ")[-1]
        lines.append(
            f"| {group} | {shown} | {'yes' if supported else 'no'} | {tests} "
            f"| {found.total()} | {found['calculus']} | {found['beyond']} |"
        )
    lines += [
        "",
        "## Features (Figures A.1 and A.2 of the thesis)",
        "",
        "| group | feature | modelled by the paper | dialect `paper` | dialect `like-puppet` |",
        "|---|---|---|---|---|",
    ]
    for group, feature, code, modelled in FEATURES:
        answers = [probe(code, dialect) for dialect in ("paper", "like-puppet")]
        lines.append(
            f"| {group} | {feature} | {'yes' if modelled else 'no'} | {answers[0]} | {answers[1]} |"
        )
    return "\n".join(lines) + "\n"


def test_the_page_is_current() -> None:
    text = page()
    if UPDATE:
        PAGE.write_text(text, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("group", "row", "tests", "supported"), TABLE_1)
def test_every_row_of_table_1_has_its_cases(
    group: str, row: str, tests: int, supported: bool
) -> None:
    cases = of_feature().get(row, [])

    assert len(cases) >= max(5, tests)
    if not supported:
        assert any(outcome_of(case) == "beyond" for case in cases)


@pytest.mark.parametrize(("group", "feature", "code", "modelled"), FEATURES)
def test_what_the_paper_models_is_supported(
    group: str, feature: str, code: str, modelled: bool
) -> None:
    answer = probe(code, "paper")

    assert answer == "yes" if modelled else answer in ("yes", "beyond-paper")
