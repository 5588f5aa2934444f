"""Text of strangers on a terminal: whatever they write, nothing in it acts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import VERBS, cli
from headwater.report import Diagnostic, Note
from headwater.report.terminal import Paint, render, shown
from headwater.text import Source

EVIL = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x08\x7f\x9b31m\u202e\u2066\u200b\u2028end"
"""Titles, colours, erasing, backspaces, one-byte escapes, turned directions, hidden blanks."""

NAME = "e\x1b[31mvil\x9b\u202e"
"""The name of a file, with an ending to come."""


def acting(text: str) -> set[str]:
    """The characters of an output that are not plain to see."""
    return {c for c in text if not c.isprintable() and c != "\n"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for name, text in {
        f"{NAME}.sf": f'// {EVIL}\nsfConfig extends {{ a "{EVIL}"; b a; }}',
        f"{NAME}2.sf": f'sfConfig extends {{ a "{EVIL}x"; b a; c "{EVIL}"; }}',
        f"{NAME}-bad.sf": f'sfConfig extends {{ a "{EVIL}" {EVIL}; b c; }}',
        f"{NAME}.l3": f'a: "{EVIL}" #tag\na: "x{EVIL}"\n',
        f"{NAME}.yaml": f'a: "{json.dumps(EVIL)[1:-1]}"\n',
        f"{NAME}.pp": f"notify {{ 'a': message => '{EVIL}' }}\nnotify {{ '{EVIL}': }}\n",
        f"{NAME}-fail.pp": f"fail('{EVIL}\nerror[forged]: a second line')\n",
        f"{NAME}-bad.pp": f"notify {{ '{EVIL}' => '{EVIL}' }}\n$x = '{EVIL}' + 1\n",
        f"{NAME}-warn.pp": f"warning('{EVIL}')\nnotify {{ $nosuch: }}\n",
        f"{NAME}.opal": f'n.x := cons ("{EVIL}", ())\n',
        f"{NAME}-mu.pp": f"node default {{ file {{ 'a': content => '{EVIL}' }} }}\n",
        "hiera.yaml": f"version: 5\nhierarchy: [{{ name: {json.dumps(EVIL)}, path: c.yaml }}]\n",
        "data/c.yaml": f"k: {json.dumps(EVIL)}\n",
        "facts.json": json.dumps({"x": EVIL}),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def headwater(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


def every(*endings: str) -> list[str]:
    return [f"{NAME}{ending}" for ending in endings]


PROGRAMS = every(".sf", "-bad.sf", ".l3", ".pp", "-fail.pp", "-bad.pp", "-warn.pp", ".opal")

COMMANDS: dict[str, list[list[str]]] = {
    "compile": [
        *(["compile", file] for file in PROGRAMS),
        ["compile", "--format", "sf", f"{NAME}.sf", "--dialect", "production"],
        ["compile", "--format", "yaml", f"{NAME}.sf"],
        ["compile", "--format", "compact", f"{NAME}.sf"],
        ["compile", f"{NAME}.nothing"],
        ["compile", f"{NAME}.pp", "--node", EVIL],
        ["compile", f"{NAME}.pp", "--facts", f"{NAME}.json"],
        ["compile", f"{NAME}.pp", "--hiera", f"{NAME}.yaml"],
        ["compile", f"{NAME}.pp", "--lang", EVIL],
        ["compile", f"{NAME}.pp", "--dialect", EVIL],
        ["compile", f"{NAME}.pp", f"--{EVIL}"],
        ["compile", f"{NAME}.pp", "--format", EVIL],
        ["compile", f"{NAME}.pp", "--engine", EVIL],
        ["compile", "--jobs", EVIL],
        ["compile", "--max-file-size", EVIL, f"{NAME}.pp"],
    ],
    "check": [
        ["check", *PROGRAMS], ["check", "."],
        ["check", "--format", "json", f"{NAME}-bad.pp"],
        ["check", "--format", "sarif", f"{NAME}-bad.pp"],
    ],
    "explain": [
        ["explain", f"{NAME}.sf", "a"], ["explain", f"{NAME}.sf", "b"],
        ["explain", f"{NAME}.l3", "a"], ["explain", f"{NAME}.l3", "a", "--to-win", EVIL],
        ["explain", f"{NAME}.pp", "Notify[a].message"], ["explain", f"{NAME}.pp", EVIL],
        ["explain", f"{NAME}.pp", f"Notify[{EVIL}].message"],
        ["explain", f"{NAME}.pp", "Notify[a].message", "--confirm"],
        ["explain", f"{NAME}.pp", "Notify[a].message", "--why-not", EVIL],
        ["explain", f"{NAME}.pp", f"Notify[{EVIL}]", "--absent"],
        ["explain", f"{NAME}.l3", "a", "--tag", EVIL],
        ["explain", f"{NAME}.pp", "Notify[a]", "-o", f"{EVIL}/no"],
        ["explain", f"{NAME}.opal", "n.x"], ["explain", "--store", EVIL, EVIL],
        ["explain", "--engine", "paper", "--slice", f"{NAME}-mu.pp", "File[a].content"],
    ],
    "blame": [["blame", f"{NAME}.sf"], ["blame", f"{NAME}.pp"], ["blame", f"{NAME}.sf", EVIL]],
    "impact": [["impact", f"{NAME}.sf:2"], ["impact", f"{NAME}.pp:1"], ["impact", EVIL]],
    "diff": [["diff", f"{NAME}.sf", f"{NAME}2.sf"], ["diff", f"{NAME}.pp", f"{NAME}-warn.pp"]],
    "steps": [["steps", f"{NAME}.sf"], ["steps", f"{NAME}.opal"],
              ["steps", "--engine", "paper", f"{NAME}-mu.pp"]],
    "compare": [
        ["compare", f"{NAME}.sf", f"{NAME}-bad.sf"],
        ["compare", "--with", f"x=printf '{EVIL}' {{file}}", f"{NAME}.sf"],
        ["compare", "--with", f"{EVIL}=false {{file}}", f"{NAME}.sf"],
        ["compare", "--with", EVIL, f"{NAME}.sf"],
    ],
    "export": [["export", "--prov", f"{NAME}.sf"], ["export", "--prov", f"{NAME}.pp", EVIL]],
    "generate": [["generate", "smartfrog"], ["generate", EVIL]],
    "lookup": [
        ["lookup", "k", "--hiera", "hiera.yaml"], ["lookup", EVIL, "--hiera", "hiera.yaml"],
        ["lookup", "k", "--hiera", "hiera.yaml", "--format", "value"],
        ["lookup", "nosuch", "--hiera", "hiera.yaml", "--default", EVIL],
    ],
    "whatif": [["whatif", f"{NAME}.sf:1={EVIL}"], ["whatif", EVIL], ["whatif", f"{EVIL}:1=x"]],
    "nodes": [["nodes"], ["nodes", EVIL]],
    "fleet": [
        ["fleet", "compile"], ["fleet", "compile", EVIL], ["fleet", "list"],
        ["fleet", "lookup", "k"], ["fleet", "lookup", EVIL], ["fleet", "check"],
        ["fleet", "impact", "manifests/site.pp:1"], ["fleet", "impact", EVIL],
        ["fleet", "explain", "Notify[a].message"], ["fleet", "explain", EVIL],
        ["fleet", "diff", EVIL], ["fleet", EVIL],
    ],
    "init": [["init", EVIL], ["init"]],
    "rule": [["rule", "err5"], ["rule", EVIL]],
    "help": [["help", "puppet"], ["help", EVIL]],
    "cache": [["cache", "info"], ["cache", EVIL]],
    "run": [
        ["run", f"{NAME}.opal", "--store", "s.db", "--as", EVIL],
        ["run", f"{NAME}.opal", "--store", "s.db", "--as", "n"],
        ["run", f"{NAME}.opal", "--store", "s.db", "--as", "n", "--policy", EVIL],
        ["run", f"{NAME}.opal", "--store", "s.db", "--as", "n", "--id", EVIL],
        ["run", f"{NAME}.opal", "--store", EVIL, "--as", "ann", "--request", "asked"],
    ],
    "store": [
        ["store", "log", "s.db"], ["store", "show", "s.db"], ["store", "verify", "s.db"],
        ["store", "backup", "s.db", EVIL], ["store", "log", EVIL + "x"],
    ],
    "world": [["world", "list", "--store", "s.db", "--all"],
              ["world", "show", EVIL, "--store", "s.db"]],
    "endorse": [["endorse", EVIL, "--key", EVIL], ["endorse", "request.json", "--key", "ann.key"]],
    "key": [["key", "new", "ann"], ["key", "new", NAME], ["key", "show", EVIL],
            ["key", "list", "--store", "s.db"], ["key", "trust", EVIL, "--store", "s.db"]],
}  # fmt: skip


def test_every_command_is_tried() -> None:
    assert set(COMMANDS) == set(VERBS)


def prepared(verb: str, place: Path) -> None:
    if verb in ("store", "world", "key"):
        headwater("run", f"{NAME}.opal", "--store", "s.db", "--as", "n")
    if verb == "fleet":
        for name, text in {
            "headwater.toml": '[puppet]\nenvironment = "."\n[nodes]\nfacts = "facts"\n',
            "manifests/site.pp": (place / f"{NAME}.pp").read_text(),
            f"facts/{NAME}.json": json.dumps({"x": EVIL}),
            "facts/broken.json": EVIL,
        }.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(text)
    if verb == "endorse":
        from headwater.langs.opal.runtime.needs import effect_hash

        headwater("key", "new", "ann")
        effect = {f"n.{EVIL}": EVIL}
        block = {"node": EVIL, "location": EVIL, "command": EVIL, "text": EVIL}
        (place / "request.json").write_text(json.dumps({
            "format_version": 1, "kind": "endorsement-request", "store": EVIL, "world": EVIL,
            "caller": EVIL, "node": EVIL, "blocks": [block], "reads": [EVIL], "effect": effect,
            "effect_hash": effect_hash(effect),
        }))  # fmt: skip


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_no_output_of_a_command_has_characters_that_act(
    verb: str, colour: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(verb, place)
    if colour:
        monkeypatch.setenv("FORCE_COLOR", "1")
    for command in COMMANDS[verb]:
        done = headwater(*command)
        assert done.exception is None or isinstance(done.exception, SystemExit), command
        output = done.output
        if colour:
            for code in ("0", "1", "1;31", "1;33", "1;36", "1;34", "1;32"):
                output = output.replace(f"\x1b[{code}m", "")
        data = (
            "json" in command or "sarif" in command or (verb == "compile" and done.exit_code == 0)
        )
        bad = {c for c in acting(output) if c < " "} if data else acting(output)
        assert not bad, (command, done.output)


def test_a_message_cannot_forge_a_second_one(place: Path) -> None:
    lines = headwater("compile", f"{NAME}-fail.pp").output.splitlines()

    assert sum(line.startswith("error[") for line in lines) == 1
    assert not any(line.startswith("error[forged]") for line in lines)


def test_bugs_are_told_visibly(capsys: pytest.CaptureFixture[str]) -> None:
    from headwater.cli import door

    try:
        raise RuntimeError(EVIL)
    except RuntimeError as error:
        bug = error
    with pytest.raises(SystemExit) as end:
        door._bug(bug)

    assert end.value.code == 70
    assert not acting(capsys.readouterr().err)


# --- the one place ---------------------------------------------------------------------------


def _diagnostic(text: str) -> Diagnostic:
    source = Source(text, f"x{text}y\n")
    at = source.span(0, len(text) + 1)
    return Diagnostic(code="made-up", severity="error", message=text, at=at,
                      labels=(Note(text, at),), help=text, paper=text)  # fmt: skip


ACTING = [*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), *"\u202e\u2028\ufeff\udc80\U000e0041"]


@pytest.mark.parametrize("character", ACTING)
def test_no_character_that_acts_gets_through(character: str) -> None:
    text = render([_diagnostic(f"a{character}b")])

    assert not acting(text)
    assert f"a{character}b" not in text or character.isprintable()


def test_colours_of_ours_stay_and_those_of_others_do_not() -> None:
    paint = Paint(colour=True)
    line = f"{paint('error', 'ours')} \x1b[1;31mtheirs\x1b[0m {paint('1', chr(27) + '[2J')}"

    assert shown(line) == (
        "\x1b[1;31mours\x1b[0m \\u001b[1;31mtheirs\\u001b[0m \x1b[1m\\u001b[2J\x1b[0m"
    )


def test_the_mark_stands_under_what_is_shown() -> None:
    source = Source("s", 'a "\x1b\x1b" bad')
    start = source.text.index("bad")
    shown_lines = render([
        Diagnostic(code="c", severity="error", message="m", at=source.span(start, start + 3))
    ]).splitlines()  # fmt: skip

    assert shown_lines[-1].index("^") == shown_lines[-2].index("bad")
    assert "\\u001b\\u001b" in shown_lines[-2]


def _writers(tree: object) -> list[int]:
    import ast

    found = []
    for node in ast.walk(tree):  # type: ignore[arg-type]
        match node:
            case ast.Call(func=ast.Attribute(attr="echo" | "secho", value=ast.Name(id="click"))):
                found.append(node.lineno)
            case ast.Call(func=ast.Name(id="print")):
                found.append(node.lineno)
            case ast.Call(
                func=ast.Attribute(attr="write", value=ast.Attribute(attr="stdout" | "stderr"))
            ):
                found.append(node.lineno)
    return found


WRITERS: dict[str, str] = {
    "cli/say.py": "the one place",
    "cli/showing.py": "folds and pages what is visible",
    "cli/options.py": "writes JSON",
    "cli/compile.py": "writes answers to jobs",
    "cli/compiling.py": "writes results in their own formats",
    "cli/start.py": "writes its own version",
    "cli/door.py": "tells with a fixed text that nothing can be written",
}


def test_text_is_written_in_one_place() -> None:
    import ast

    root = Path(__file__).parents[1] / "src/headwater"
    others = {
        str(path.relative_to(root)): lines
        for path in sorted(root.rglob("*.py"))
        if (lines := _writers(ast.parse(path.read_text())))
        and str(path.relative_to(root)) not in WRITERS
    }

    assert others == {}
