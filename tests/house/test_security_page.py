"""docs/security.md says what is so: its bounds, variables, programs and codes."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from headwater.langs.table import all_codes

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/security.md").read_text(encoding="utf-8")
SOURCES = sorted((PROJECT / "src/headwater").rglob("*.py"))

BOUNDS = {
    ("file-too-large", "text.reading", "MOST_BYTES"),
    ("yaml-too-large", "tree.yamltext", "MOST_VALUES"),
    ("yaml-too-large", "langs.puppet.hiera.yaml", "MOST_NESTED"),
    ("repository-file", "tree.tomltext", "MOST_PARTS"),
    ("timeout", "ask.jobs", "DEFAULT_TIMEOUT"),
    ("output-too-large", "ask.jobs", "MOST_VALUES"),
    ("output-too-large", "ask.jobs", "MOST_DEPTH"),
    ("sf-too-many-includes", "langs.smartfrog.load", "MOST_INCLUDES"),
    ("sf-too-many-includes", "langs.smartfrog.load", "MOST_NESTED"),
    ("sf-too-much-copying", "langs.smartfrog.engine.evaluate", "MOST_COPIES"),
    ("sf-too-deep", "langs.smartfrog.language", "MOST_LEVELS"),
    ("sf-nested-too-deep", "langs.smartfrog.production.blocks", "MOST_LEVELS"),
    ("sf-too-many-forward-links", "langs.smartfrog.paper.settling", "MOST_PENDING"),
    ("l3-too-deep", "langs.l3.values", "MOST_LEVELS"),
    ("puppet-too-deep", "langs.puppet.syntax.depth", "MAX_NESTING"),
    ("puppet-too-large", "langs.puppet.syntax.lexer", "MAX_TOKENS"),
    ("puppet-too-many-steps", "langs.puppet.engine.work", "MOST_STEPS"),
    ("puppet-too-many-calls", "langs.puppet.engine.lambdas", "MOST_CALLS"),
    ("puppet-value-too-large", "langs.puppet.engine.weights", "MOST_VALUES"),
    ("puppet-regex-bound", "langs.puppet.types.plain_regexps", "MOST_STEPS"),
    ("puppet-ruby-bound", "langs.puppet.ruby.machine", "LONGEST"),
    ("puppet-ruby-bound", "langs.puppet.ruby.machine", "MOST"),
    ("puppet-ruby-bound", "langs.puppet.ruby.largeness", "LARGEST_BITS"),
    ("puppet-ruby-syntax", "langs.puppet.ruby.grammar", "PATIENCE"),
    ("puppet-glob-bound", "langs.puppet.hiera.globs", "MOST_LOOKED"),
    ("puppet-number-too-large", "langs.puppet.syntax.strings", "_MOST_DIGITS"),
    ("mupuppet-too-large", "langs.puppet.paper.values", "MOST_SIZE"),
    ("mupuppet-too-many-steps", "langs.puppet.paper.machine", "MOST_STEPS"),
    ("opal-nesting-too-deep", "langs.opal.nesting", "MOST_NESTING"),
    ("opal-too-many-steps", "langs.opal.steps", "MOST_STEPS"),
    ("opal-too-many-values", "langs.opal.values", "MOST_VALUES"),
    ("opal-too-much-told", "langs.opal.runtime.canonical", "MOST_TOLD"),
    ("opal-value-too-deep", "langs.opal.values", "MOST_DEPTH"),
    ("opal-value-too-large", "langs.opal.values", "MOST_SIZE"),
}


def rows() -> list[tuple[str, str]]:
    """The codes of the table of bounds with their defaults."""
    return re.findall(r"^\| `([a-z0-9-]+)` \|.*\| ([^|]+) \|$", PAGE, re.MULTILINE)


def test_every_bound_has_its_default_on_the_page() -> None:
    told = rows()
    for code, module, name in BOUNDS:
        value = getattr(importlib.import_module(f"headwater.{module}"), name)
        number = f"{int(value):,}"
        assert any(c == code and d.split(" ")[0] == number for c, d in told), (code, name, number)
    assert sorted(code for code, _ in told) == sorted(code for code, _, _ in BOUNDS)


def test_every_code_of_a_bound_is_on_the_page() -> None:
    named = re.compile(r"(^|-)(too-(large|deep|many|much)|bound|timeout)(-|$)")
    missing = [name for name in all_codes() if named.search(name) and f"`{name}`" not in PAGE]

    assert missing == []


def calls(wanted: re.Pattern[str]) -> dict[str, set[str]]:
    """The files that use something, with what they use."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        hits = {match[0] for match in wanted.finditer(path.read_text())}
        if hits:
            found[str(path.relative_to(PROJECT / "src/headwater"))] = hits
    return found


def test_programs_are_run_in_three_places_only() -> None:
    """Copies of this process, which compile nodes, are no programs."""
    wanted = re.compile(
        r"\b(subprocess|os\.(?:system|popen|exec\w+|spawn\w+|fork\w*)|pty|multiprocessing)\b"
    )

    found = calls(wanted)

    assert found.pop("fleet/workers.py") == {"multiprocessing"}
    assert set(found) == {"git/command.py", "ask/classifier.py", "ask/peers.py"}


def test_there_is_no_network_and_no_foreign_code() -> None:
    wanted = re.compile(
        r"^\s*(?:import|from) (socket|ssl|urllib\.request|http|ftplib|smtplib|asyncio|xmlrpc"
        r"|pickle|marshal|shelve|dill|requests)\b|\b(?:exec|eval|compile)\((?=[a-z\"'])",
        re.MULTILINE,
    )
    found = {
        path: hits
        for path, hits in calls(wanted).items()
        if any(
            "import" in hit or "from" in hit or hit.startswith(("exec(", "eval(")) for hit in hits
        )
    }

    # Python's own files of compiled modules, of this program alone.
    assert found.pop("cli/modules.py") == {"from marshal"}
    assert found == {}


def variables(tree: ast.Module) -> set[str]:
    """The names of environment variables that a module reads; ``…`` for one that is computed."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="get", value=ast.Attribute(attr="environ")), args=[a, *_]
            ):
                found.add(a.value if isinstance(a, ast.Constant) else "…")
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=a):
                found.add(a.value if isinstance(a, ast.Constant) else "…")
            case ast.Attribute(attr="getenv"):
                found.add("…")
    return found  # type: ignore[return-value]


COMPUTED = {
    "fleet/identity.py": "whether keys are what they were, where a level names them",
    "git/command.py": "HOME and PATH, for git",
    "langs/puppet/hiera/eyaml.py": "keys, where a level names them",
    "langs/smartfrog/production/functions/given.py": "those of --env-allow",
}


def test_the_page_names_every_variable_that_is_read() -> None:
    for path in SOURCES:
        name = str(path.relative_to(PROJECT / "src/headwater"))
        for variable in variables(ast.parse(path.read_text())):
            if variable == "…":
                assert name in COMPUTED, name
            else:
                assert f"`{variable}`" in PAGE, (name, variable)


@pytest.mark.parametrize("name", ["README.md", "docs/README.md"])
def test_the_page_is_linked(name: str) -> None:
    assert "security.md)" in (PROJECT / name).read_text()


def test_the_tests_it_names_are_there() -> None:
    for name in re.findall(r"`(?:tests/)?((?:\w+/)?test_\w+\.py)`", PAGE):
        assert (PROJECT / "tests" / name).is_file(), name
