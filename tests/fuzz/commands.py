"""Command lines: every verb, with arguments that are right, odd or wrong."""

from __future__ import annotations

import gc
import io
import os
import sys
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import click

from fuzz.corpus import pools
from fuzz.data import mutated, written
from fuzz.texts import STRINGS
from headwater.ask.inputs import choices
from headwater.cli.commands import INPUT, FieldType
from headwater.cli.main import VERBS, cli
from headwater.cli.streams import Output

if TYPE_CHECKING:
    from fuzz.workshop import Workshop

DURABLE = frozenset(["endorse", "init", "key", "run", "store", "world"])
"""Verbs that may change files; they work in a copy of the room."""

CHANGING = frozenset(["--accept", "--into", "--out", "--output", "--write", "-o"])
"""Options with which other verbs change files."""

ADDRESSES = [
    "a", "b", "c.x", "b.c", "x", "n.x", "Notify[a]", "Notify[a].message", "Class[c]",
    "File[/tmp/x].content", "Notify['a']", 'Notify["a"].message', "/resources/0/title", "/a", "/",
    "a[0]", "d[1]", "a:b", "[", "]", "a.", ".a", '"', "a..b", "Notify[", "Notify[a", "@tags",
    "Notify[a].@tags", "Notify[a].@edges[0]", "a[99]", "a[-1]", "a[9999999999999999999999999]",
    "/resources/99999999999999999999", "/resources",
    "/resources/3/parameters/message", "/edges/0", "/tags/0",
    *STRINGS,
]  # fmt: skip

PATHS = [
    "a.sf", "b.sf", "bad.sf", "a.l3", "b.yaml", "a.pp", "b.pp", "bad.pp", "a.epp", "a.opal",
    "bad.opal", "facts.json", "facts.yaml", "hiera.yaml", "data/common.yaml", "jobs", "empty.pp",
    "site", ".", "none.sf", "none.pp", "none", "state.db", "n.key", "n.pub", "policy.toml",
    "asked", "asked/signed.json", "a" * 300, "a" * 300 + ".pp", "caf\udce9.sf", "/dev/null", "",
    " ", "-", "a.sf/x", "site/manifests", "..",
]  # fmt: skip

WRITTEN = ["out", "out.key", "asked", "none/x", "/dev/full", "a" * 300, "", "a.sf", "state.db"]
"""Where commands are told to write: inside the room, or where nothing can be written."""

NUMBERS = ["0", "1", "2", "-1", "3", "99", "9" * 25, "9" * 5000, "1.5", "x", "", "١", " 1", "1_0"]

NAMES = ["n", "ann", "first", "second", "home", "web1", "x y", "a/b", *STRINGS]


def call(args: list[str], stdin: bytes = b"") -> int:
    """The exit status of a command."""
    return run(args, stdin)[0]


def run(args: list[str], stdin: bytes = b"") -> tuple[int, str]:
    """Runs a command in this process as `main` would: its exit status and its output.

    Exceptions that are no exits come through.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8", errors="replace")
    written = io.BytesIO()
    sys.stdout = Output(io.TextIOWrapper(written, encoding="utf-8"))
    sys.stderr = Output(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    status: object = 0
    try:
        cli.main(args, prog_name="headwater")
    except SystemExit as end:
        status = end.code or 0
    finally:
        sys.stdout.flush()
        output = written.getvalue().decode("utf-8")
        sys.stdin, sys.stdout, sys.stderr = before
        gc.enable()
    return status if isinstance(status, int) else 1, output


def try_command(rng: Random, workshop: Workshop) -> str:
    """A command line of one verb."""
    verb = rng.choice(sorted(VERBS))
    args = [verb, *arguments(rng, cli, verb)]
    changing = verb in DURABLE or not CHANGING.isdisjoint(args)
    if changing:
        args = [word if _stays(word) else "." for word in args]
    os.chdir(workshop.copy() if changing else workshop.room)
    try:
        status = call(args, stdin=rng.choice([b"", b"y\n", b"n\n", b"\xff", b"{}\n"]))
        assert status in (0, 1, 2, 3, 4), (status, args)
        return f"exit {status}"
    finally:
        os.chdir(workshop.room)


def _stays(word: str) -> bool:
    """Whether nothing outside the room can be changed by a word, taken as a path."""
    return ".." not in word and (not word.startswith("/") or word.startswith("/dev/"))


def arguments(rng: Random, group: click.Group, name: str) -> list[str]:
    """Words after a verb: its arguments and some of its options, mostly of the right kind."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    if isinstance(command, click.Group):
        inner = rng.choice(sorted(command.list_commands(click.Context(command))))
        return [inner, *arguments(rng, command, inner)]
    words: list[str] = []
    for parameter in command.get_params(click.Context(command)):
        if parameter.name in ("shrink", "parallel"):
            continue  # they take their time, and processes of their own
        wanted = parameter.required or rng.random() < (0.9 if _is_argument(parameter) else 0.12)
        if not wanted or rng.random() < 0.03:
            continue
        flag = isinstance(parameter, click.Option) and parameter.is_flag
        for _ in range(rng.choice([1, 1, 2]) if parameter.multiple or parameter.nargs == -1 else 1):
            if isinstance(parameter, click.Option):
                words.append(rng.choice(parameter.opts))
            if not flag:
                words.append(value_for(rng, name, parameter))
    if rng.random() < 0.02:
        words.insert(
            rng.randint(0, len(words)), rng.choice(["--bogus", "--", "-", "--lang", *STRINGS])
        )
    return [word.replace("\0", "") for word in words]


def _is_argument(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument)


def value_for(rng: Random, verb: str, parameter: click.Parameter) -> str:
    """A value for a parameter, by its name and type."""
    name = (parameter.name or "").removeprefix(INPUT)
    if isinstance(parameter.type, FieldType):
        known = choices(parameter.type.field)
        return rng.choice([*map(str, known), "bogus"]) if known else rng.choice(NUMBERS)
    if isinstance(parameter.type, click.Choice):
        return rng.choice([*map(str, parameter.type.choices), "bogus"])
    if name == "count":  # whoever asks for so many programs gets them
        return rng.choice(["0", "1", "3", "-1", "x", "1.5", ""])
    if isinstance(parameter.type, click.types.IntParamType):
        return rng.choice(NUMBERS)
    match name:
        case "timeout" | "seconds":
            return rng.choice(["1", "0.05", "60", *NUMBERS])
        case "output" | "out" | "request" if verb != "endorse" or name != "request":
            return rng.choice(WRITTEN)
        case "target":
            return rng.choice(WRITTEN)
        case "commands":
            return rng.choice(["x=/bin/cat {file}", "x=", "={file}", "x=none {file}", "x=' {file}"])
        case "where":
            return f"{rng.choice(PATHS)}:{rng.choice(NUMBERS)}" + rng.choice(
                ["", ":1", ":99", ":x"]
            )
        case "value" | "key" | "to_win" if verb != "endorse":
            return rng.choice(ADDRESSES)
        case "lang":
            return rng.choice(["smartfrog", "l3", "puppet", "opal", "cobol", ""])
        case "dialect":
            return rng.choice(["core", "extended", "production", "paper", "like-puppet", "l3", "x"])
        case "form":
            return rng.choice(["json", "yaml", "compact", "catalog", "sf", "x"])
        case "phase":
            return rng.choice(["raw", "type", "place", "function", "sfConfig", "link", "x"])
        case "principal" | "id" | "signer" | "node" | "location" | "name":
            return rng.choice(NAMES)
        case "expires":
            return rng.choice(["2027-01-01T00:00:00Z", "2027-01-01", "0001-01-01", *STRINGS])
        case "code" | "rule":
            return rng.choice(["bad-job", "err5", "sf-order-changed", "Definition 27", *STRINGS])
        case "property" | "set":
            return rng.choice(["a=1", "a", "=", "strict=error", *STRINGS])
    return rng.choice(PATHS) if rng.random() < 0.95 else rng.choice(STRINGS)


@cache
def _bounds_steps() -> bool:
    """Whether the evaluations of a program can be bounded from the command line."""
    command = cli.get_command(click.Context(cli), "compile")
    assert command is not None
    return any(
        "--max-steps" in parameter.opts for parameter in command.get_params(click.Context(command))
    )


ENDINGS = {
    "sf": "a.sf",
    "l3": "a.l3",
    "pp": "a.pp",
    "epp": "a.epp",
    "opal": "a.opal",
    "yaml": "b.yaml",
}
QUESTIONS = ["compile", "check", "blame", "explain", "impact", "diff", "steps", "compare", "lookup"]


def try_question(rng: Random, workshop: Workshop) -> str:
    """A question about a mutated program in a file."""
    ending = rng.choice(sorted(ENDINGS))
    text = pools()[ending].text(rng)
    name = f"../bench/fuzzed.{ending}"
    (workshop.room / name).write_bytes(
        text.encode("utf-8", rng.choice(["surrogatepass", "replace"]))
    )
    verb = rng.choice(QUESTIONS)
    args: list[str] = [verb]
    match verb:
        case "explain":
            args += [name, rng.choice(ADDRESSES)]
        case "impact":
            args += [f"{name}:{rng.randint(1, 5)}"]
        case "diff":
            args += [name, ENDINGS[ending]]
        case "lookup":
            args += [rng.choice(["k", "hash", "x1", "c::x"]), "--of", name, "--hiera", "hiera.yaml"]
        case _:
            args += [name]
    if ending == "yaml":
        args += ["--lang", "l3"]
    if ending == "sf":
        args += rng.choice([[], ["--dialect", "extended"], ["--dialect", "production"]])
    if verb in ("compile", "explain", "blame", "check"):
        args += rng.choice([[], [], ["--engine", "paper"]])
    if verb in ("explain", "blame", "impact", "diff", "check"):
        args += rng.choice([[], ["--format", "json"]])
    args += rng.choice([[], ["--strict"], ["--diagnostics", "json"], ["--node", "web1"]])
    if ending in ("pp", "epp") and verb != "compare":
        args += ["--max-steps", "100000"] if _bounds_steps() else ["--timeout", "10"]
    status = call(args)
    assert status in (0, 1, 2, 3), (status, args)
    return f"exit {status}"


SIGN_POLICY = "endorse --policy policy.toml --key n.key --store state.db"
STATEMENTS: dict[str, list[str]] = {
    "signed.json": ["world commit second --store state.db --as ann --key ann.key --endorsement {}"],
    "policy.toml.sig": [
        "run a.opal --store state.db --as ann --key ann.key --ext --policy policy.toml"
    ],
}


def agreed(command: str) -> str:
    """A command that signs, with the hash of what it shows."""
    _, shown = run(command.split(), b"n\n")
    return f"{command} --yes-to {(shown.split() or ['none'])[-1]}"


def try_statement(rng: Random, workshop: Workshop) -> str:
    """A request, an endorsement, signatures, a policy or a key with something wrong in it."""
    import json

    os.chdir(workshop.copy())
    try:
        name = rng.choice([*workshop.statements, "policy.toml", "n.pub", "n.key"])
        if name in workshop.statements:
            document: Any = json.loads(workshop.statements[name])
            text = written(mutated(document, rng))
        else:
            with open(name, encoding="utf-8") as file:
                text = broken(file.read(), rng)
        path = name if name in ("n.pub", "n.key") else f"asked/{name}"
        path = {"policy.toml": "policy.toml", "policy.toml.sig": "policy.toml.sig"}.get(name, path)
        with open(path, "wb") as out:
            out.write(text.encode("utf-8", "surrogatepass"))
        if name.endswith(".request.json"):
            commands = [agreed(f"endorse {path} --key n.key --out out.json")]
        elif name in ("policy.toml", "policy.toml.sig"):
            commands = [*STATEMENTS["policy.toml.sig"], agreed(SIGN_POLICY)]
        elif name in ("n.pub", "n.key"):
            commands = [f"key show {path}", "key trust n.pub --store state.db --key n.key"]
            commands += ["run a.opal --store state.db --as n --key n.key --ext"]
        else:
            commands = [command.format(path) for command in STATEMENTS["signed.json"]]
        statuses = [call(command.split(), stdin=b"y\n") for command in commands]
        assert set(statuses) <= {0, 1, 2, 4}, statuses
        return f"exit {max(statuses)}"
    finally:
        os.chdir(workshop.room)


def broken(text: str, rng: Random) -> str:
    """A text with a few places wrong, whatever it is."""
    from fuzz.texts import Pool

    return Pool([text]).mutant(rng)
