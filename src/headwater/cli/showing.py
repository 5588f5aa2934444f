"""What is written for people about stores: one line a line, and nothing that acts on a terminal.

Everything here may come from a stranger: names, values, texts of programs, files.  A name is
quoted unless it is a plain word, so that none can pass for something else; every line is
escaped whole, so that none can be two.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from headwater.text import visible

if TYPE_CHECKING:
    from headwater.ask.durable import Asked, Section


MORE = "-- Enter shows more"
"""Asks for the next page; no program of anybody else shows it."""

CONTINUED = "        | "
"""Begins what a terminal is too narrow for, so that no text can be made to begin a line."""


def say(line: str, *, err: bool = False) -> None:
    """Writes one line."""
    stream = sys.stderr if err else sys.stdout
    width = shutil.get_terminal_size().columns if stream.isatty() else None
    for part in folded(visible(line), width):
        click.echo(part, err=err)


def folded(line: str, width: int | None) -> list[str]:
    """A line in parts that fit into a terminal, all but the first of them marked as such."""
    if width is None or (line.isascii() and len(line) <= width):
        return [line]
    from rich.cells import cell_len, chop_cells

    if cell_len(line) <= width:
        return [line]
    first, *rest = chop_cells(line, max(width - len(CONTINUED), 20))
    return [first, *(CONTINUED + part for part in rest)]


_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]*\Z")


def name(text: str) -> str:
    """A name as it stands in a line: quoted unless it is a plain word, an id or a host's name."""
    return text if _PLAIN.match(text) else json.dumps(text, ensure_ascii=False)


def asked_lines(asked: Asked, signed: str = "") -> Iterator[str]:
    """A request as a person reads it: everything that a signature covers, and its hash.

    `signed` says what the signer adds: who they are, and until when it holds.
    """
    yield f"{name(asked.caller)} asks {name(asked.node)} to endorse {name(asked.world)}"
    yield f"  in the store {asked.store}"
    yield f"  after entry {asked.head}"
    for key in sorted(asked.effect):
        yield from labelled(f"  {key} = ", asked.effect[key])
        yield from was(asked.before.get(key), "    ")
        merge = asked.merges.get(key)
        if merge is not None:
            yield f"    from now on merged by: {merge.text}"
            if merge.preset is None:
                yield f"    hash of the merge: {merge.hash}"
    if not asked.effect:
        yield "  writes nothing of it"
    for key in sorted(asked.reads):
        yield f"  depends on {key}"
    for block in asked.blocks:
        yield f"  runs at {name(block['location'])}, hash {block['command']}"
        yield f"    {block['text']}"
    if signed:
        yield f"  would be signed {signed}, for one commit"
    yield f"hash {asked.hash}"


def labelled(label: str, data: object) -> Iterator[str]:
    """A value in full after a label."""
    from headwater.ask.durable import durable

    first, *rest = durable().lines(data)
    yield f"{label}{first}"
    for line in rest:
        yield f"      {line}"


def was(before: object, indent: str) -> Iterator[str]:
    """The value that is replaced."""
    if before is None:
        yield f"{indent}was nothing"
    else:
        yield from labelled(f"{indent}was ", before)


def policy_lines(shown: Section) -> Iterator[str]:
    """A section of a policy as a person reads it: everything that a signature covers."""
    section = shown.says
    yield f"{name(shown.node)} says in the store {shown.store}"
    for part in sorted(section.keys() - {"grant", "when"}):
        yield f"  {part} = {_toml(section[part])}"
    for grant in section.get("grant", []):
        yield f"  grants to {name(grant['to'])}"
        for part in sorted(grant.keys() - {"to"}):
            yield f"    {part} = {_toml(grant[part])}"
        if "write" not in grant:
            yield f"    write = everything of {name(shown.node)}"
    for var in sorted(section.get("when", {})):
        yield f"  when {name(var)} is granted: {section['when'][var]}"
    yield f"hash {shown.hash}"


def _toml(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def page(lines: Iterable[str], *, err: bool = False) -> None:
    """Writes lines; on a terminal that they do not fit on, page by page."""
    shown = list(lines)
    stream = sys.stderr if err else sys.stdout
    width, height = shutil.get_terminal_size()
    if not (stream.isatty() and sys.stdin.isatty()):
        for line in shown:
            say(line, err=err)
        return
    rows = [part for line in shown for part in folded(visible(line), width)]
    step = max(height - 2, 1)
    for start in range(0, len(rows), step):
        if start:
            click.echo(f"{MORE} ({len(rows) - start} lines left)", nl=False, err=err)
            sys.stdin.readline()
        for row in rows[start : start + step]:
            click.echo(row, err=err)
