"""Rules of the house: what must hold for every file of the project."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cases import all_cases
from headwater.ask.languages import tables
from headwater.fleet.config import key_table
from headwater.langs import Job, language_named
from headwater.langs.smartfrog.fields import Fields
from headwater.langs.table import LANGUAGES, all_codes
from headwater.report import registry
from headwater.text import Source
from seen import NOT_PROVOKED, SEEN, rules_to_fire, saw_output, unseen

PROJECT = Path(__file__).parents[2]
SOURCES = sorted((PROJECT / "src").rglob("*.py"))
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))

LONG_FILES: dict[str, str] = {
    "src/headwater/langs/l3/parser.py": "the grammar of L3 with its recoveries",
    "src/headwater/langs/opal/engine/machine.py": "the commands of Opal, each a few lines",
    "src/headwater/langs/opal/parser.py": "the grammar of Opal with its recoveries",
    "src/headwater/langs/puppet/functions/iteration.py": "the functions that iterate",
    "src/headwater/langs/puppet/hiera/search.py": "one look-up from its key to its value",
    "src/headwater/langs/puppet/paper/reader.py": "a case for each construct of Puppet",
    "src/headwater/langs/puppet/paper/terms.py": "the terms of the calculus, each a few lines",
    "src/headwater/langs/puppet/ruby/functions4.py": "one function, declared and called",
    "src/headwater/langs/puppet/ruby/machine.py": "messages, bounds and errors",
    "src/headwater/langs/puppet/ruby/methods/enumerable.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/methods/hashes.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/methods/numbers.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/methods/regexps.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/methods/strings.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/reader.py": "a case for each node of the grammar",
    "src/headwater/langs/puppet/ruby/reading.py": "what all cases of the reader need",
    "src/headwater/langs/puppet/ruby/stdlib/addresses.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/stdlib/sets.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/stdlib/times.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/stdlib/uris.py": "methods, each a few lines",
    "src/headwater/langs/puppet/ruby/syntax.py": "the tree of Ruby, each node a few lines",
    "src/headwater/langs/puppet/ruby/values.py": "the values of Ruby, each a few lines",
    "src/headwater/langs/puppet/syntax/definitions.py": "the grammar of definitions",
    "src/headwater/langs/puppet/syntax/expressions.py": "the grammar of expressions",
    "src/headwater/langs/puppet/syntax/validation.py": "Puppet's own checks, one after the other",
    "src/headwater/langs/puppet/types/assignability.py": "a case for each data type",
    "tests/": "tests of one matter, each a few lines",
    "src/headwater/text/reading.py": "the one door for files: every look and every read",
}
"""Files over 400 lines, or folders of them, each with the reason why they are not split."""


TEXTS = (".py", ".md", ".toml", ".txt", ".case", ".rb")


def tracked() -> list[Path]:
    """The files of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [PROJECT / name for name in listed.stdout.splitlines() if (PROJECT / name).is_file()]


def test_long_files_say_why() -> None:
    long = {
        str(path.relative_to(PROJECT))
        for path in tracked()
        if path.suffix in (".py", ".ts", ".rb") and len(path.read_text().splitlines()) > 400
    }
    reasons = {path: [key for key in LONG_FILES if path.startswith(key)] for path in long}

    assert [path for path, found in reasons.items() if not found] == [], "say why in LONG_FILES"
    used = {key for found in reasons.values() for key in found}
    assert set(LONG_FILES) - used == set(), "not long any more"


def test_the_index_of_the_docs_lists_every_page_of_a_command_or_language() -> None:
    index = (PROJECT / "docs" / "README.md").read_text()
    pages = [
        p for folder in ("commands", "languages") for p in (PROJECT / "docs" / folder).iterdir()
    ]
    missing = [p.name for p in pages if f"({p.parent.name}/{p.name})" not in index]

    assert missing == []


def test_every_module_says_what_it_is() -> None:
    silent = [str(p) for p in SOURCES if not ast.get_docstring(ast.parse(p.read_text()))]

    assert silent == []


def test_no_code_is_unfinished_and_no_machine_is_named() -> None:
    words = re.compile("NotImplemented" + r"Error|\bTO" + r"DO\b|\bFIX" + r"ME\b")
    places = re.compile("/(wo" + "rk|fa" + "rm|ro" + "ot)/[a-z]")
    for path in tracked():
        if (
            path.suffix in (".py", ".md", ".toml", ".txt", ".case", ".rb")
            or path.name == "Makefile"
        ):
            text = path.read_text(encoding="utf-8")
            assert not places.search(text), path
            if path in SOURCES:
                assert not words.search(text), path


def rule_files() -> list[Path]:
    return sorted((PROJECT / "src/headwater/langs").glob("*/rules.toml"))


@pytest.mark.parametrize("path", rule_files(), ids=lambda p: p.parent.name)
def test_every_rule_of_the_paper_is_where_it_says(path: Path) -> None:
    rules = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, entry in rules.items():
        status = entry["status"]
        assert status in ("done", "beyond", "left-out"), name
        if status != "done":
            assert entry.get("reason"), f"{name} is {status} without a reason"
            continue
        shown = name.split("/")[-1]
        text = (PROJECT / entry["file"]).read_text(encoding="utf-8")
        assert re.search(rf"(?<![\w-]){re.escape(shown)}(?![\w-])", text), (
            f"{name}: {entry['file']}"
        )
        assert entry["fired"] in ("case", "law", "domain"), name


def test_rules_that_cases_claim_are_in_the_table() -> None:
    for case in all_cases():
        path = PROJECT / "src/headwater/langs" / case.name.split("/")[0] / "rules.toml"
        if case.rules:
            known = tomllib.loads(path.read_text(encoding="utf-8"))
            assert set(case.rules) <= set(known), case.name


def test_every_code_belongs_to_a_language_or_to_all() -> None:
    for path in SOURCES:
        if "codes" in path.parts or path.name == "codes.py":
            module = path.relative_to(PROJECT / "src").with_suffix("").as_posix().replace("/", ".")
            importlib.import_module(module.removesuffix(".__init__"))

    assert all_codes() == registry()


def test_every_code_is_documented_on_the_page_of_codes() -> None:
    lines = ["# Diagnostic codes", "", "Generated from the codes themselves by `make update`.", ""]
    for name, code in all_codes().items():
        paper = f", {code.paper}" if code.paper else ""
        lines += [f"## {name}", "", f"*{code.severity}{paper}* — {code.what}", ""]
        lines += [f"**Why.** {code.why}", "", "**Example.**", "", f"    {code.example}", ""]
        lines += [f"**Fix.** {code.fix}", ""]
    text = "\n".join(lines).rstrip() + "\n"
    page = PROJECT / "docs/codes.md"
    if UPDATE:
        page.write_text(text, encoding="utf-8")

    assert page.read_text(encoding="utf-8") == text


def test_every_input_is_documented_on_the_page_of_inputs() -> None:
    lines = """# What the languages take

Generated from what each language declares, by `make update`.

A field of a job is in the first column, the option of the command line in the second; a field
without an option is for jobs alone. A value that a field cannot have is refused, and so is a
field that no language has.
""".splitlines()
    lines.append("")
    for title, fields in tables():
        lines += [f"## {title}", "", "| field | option | what it is | value | example |"]
        lines += ["|---|---|---|---|---|"]
        for field in fields:
            option = f"`{field.option}`" if field.option else ""
            words = (f"`{field.name}`", option, field.help, field.expected, f"`{field.example}`")
            lines.append(f"| {' | '.join(word.replace('|', chr(92) + '|') for word in words)} |")
        lines.append("")
    lines += ["## headwater.toml", "", "| section | key | what it is | value | example |"]
    lines += ["|---|---|---|---|---|"]
    for section, field in key_table():
        shown = [f"`[{section}]`", f"`{field.name}`", field.help, field.expected]
        shown.append(f"`{field.example}`")
        lines.append(f"| {' | '.join(word.replace('|', chr(92) + '|') for word in shown)} |")
    text = "\n".join(lines).rstrip() + "\n"
    page = PROJECT / "docs/inputs.md"
    if UPDATE:
        page.write_text(text, encoding="utf-8")

    assert page.read_text(encoding="utf-8") == text


def test_what_no_test_provokes_or_fires_is_found() -> None:
    codes, rules = ["a-code", "b-code", "sf-replaces-root"], [("l3", "Rule"), ("opal", "Rule")]

    assert unseen({"code a-code", "rule l3 Rule"}, codes, rules) == [
        "no test fires Rule of opal",
        "no test provokes b-code",
    ]
    assert set(NOT_PROVOKED) <= set(all_codes())
    assert len(list(rules_to_fire())) > 400


def test_codes_and_rules_are_noted_when_they_happen() -> None:
    before = set(SEEN)
    SEEN.clear()
    try:
        code = "sfConfig extends { a b; }"
        job = Job((Source("a.sf", code),), Fields(), "core", "paper")
        language_named("smartfrog").compile(job)
        assert {"code sf-unresolved-link", "rule smartfrog Definition 24"} <= SEEN
        saw_output('error[l3-tie]: x\n{"code":"opal-type"}')
        assert {"code l3-tie", "code opal-type"} <= SEEN
    finally:
        SEEN.update(before)


def test_every_language_and_command_has_its_pages() -> None:
    from headwater.cli.main import VERBS

    for name in LANGUAGES:
        assert (PROJECT / f"docs/languages/{name}.md").is_file()
        assert (PROJECT / f"src/headwater/langs/{name}/NOTES.md").is_file()
    for verb in VERBS:
        assert (PROJECT / f"docs/commands/{verb}.md").is_file()


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['headwater', '--version']\n"
        "from headwater.cli.main import cli\n"
        "try: cli(prog_name='headwater')\n"
        "except SystemExit: pass\n"
        "heavy = {'rich', 'msgspec', 'headwater.langs', 'headwater.ask', 'hypothesis', 'yaml'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_cannot_be_written_is_told() -> None:
    command = [sys.executable, "-m", "headwater", "compile", "examples/firewall.sf"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=PROJECT
        )

    assert done.returncode == 1
    assert done.stderr == "headwater: the output cannot be written: No space left on device\n"


DOORS = {
    "src/headwater/text/reading.py": "the door itself",
    "src/headwater/text/standin.py": "what stands in for files, which the door asks",
    "src/headwater/langs/cache.py": "the cache, whose files are ours and are checked",
    "src/headwater/langs/opal/runtime/keys.py": "writes new keys",
    "src/headwater/store/connection.py": "makes the file of a new store",
    "src/headwater/langs/opal/runtime/documents.py": "writes documents, and locks a policy",
    "src/headwater/store/database.py": "makes the file of a backup",
    "src/headwater/fleet/keptfile.py": "makes the file of results",
    "src/headwater/cli/checking.py": "writes a baseline",
    "src/headwater/cli/modules.py": "loads the compiled modules of the program itself",
    "src/headwater/cli/fleet.py": "writes the files of --into",
    "src/headwater/cli/init.py": "writes a new headwater.toml",
    "src/headwater/cli/output.py": "writes the file that -o names",
    "src/headwater/cli/streams.py": "stands in for standard streams that are closed",
    "src/headwater/langs/puppet/types/regexps.py": "finds the installed library of Oniguruma",
}
"""Files that may open files to read them, or list folders, by themselves."""

_READING = {"open", "read_text", "read_bytes", "listdir", "scandir", "walk", "glob", "iglob",
            "rglob", "iterdir", "fdopen"}  # fmt: skip


def _reads(tree: ast.Module) -> list[int]:
    """The lines on which a module reads a file or a folder by itself."""
    found = []
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith((".reading", ".files"))
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id=name) if name in _READING and name not in ours:
                found.append(node.lineno)
            case ast.Attribute(value=ast.Name(id="reading" | "self" | "Store")):
                pass
            case ast.Attribute(
                attr="walk", value=ast.Attribute(attr="result") | ast.Name(id="result")
            ):
                pass
            case ast.Attribute(attr=name) if name in _READING and (node.args or name != "open"):
                found.append(node.lineno)
    return found


def test_files_are_read_through_one_door() -> None:
    others = {
        str(path.relative_to(PROJECT)): lines
        for path in SOURCES
        if (lines := _reads(ast.parse(path.read_text())))
        and str(path.relative_to(PROJECT)) not in DOORS
    }

    assert others == {}


MOST_ANY = 148
"""Places that say `Any`, each excused on its line: a value of the user's program is meant."""


def test_any_is_rare() -> None:
    mark = "noqa: ANN" + "401"
    every = [PROJECT / "src", PROJECT / "tests", PROJECT / "bench"]
    found = sum(path.read_text().count(mark) for folder in every for path in folder.rglob("*.py"))

    assert found <= MOST_ANY


def test_docstrings_begin_with_what_a_thing_is() -> None:
    """A docstring that begins with "That" leaves out who says so: an error, a cause, a check."""
    found = [
        f"{path.relative_to(PROJECT)}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text().splitlines()
        if line.lstrip().startswith('"""That ')
    ]

    assert found == []
