"""``headwater fleet``: questions about all nodes of a repository."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import quote

import click

from headwater.ask.request import BadRequest
from headwater.cli.checking import line
from headwater.cli.commands import Command
from headwater.cli.options import language_options, write_json
from headwater.cli.progress import progress
from headwater.cli.say import say
from headwater.cli.settings import Settings, report

if TYPE_CHECKING:
    from headwater.fleet.check import Problem
    from headwater.fleet.every import Answered, Every
    from headwater.fleet.kept import Kept
    from headwater.fleet.question import Answer, Question
    from headwater.fleet.site import Site
    from headwater.fleet.told import Told

Asking = TypeVar("Asking", bound=Callable[..., Any])
Read = TypeVar("Read")


class Questions(click.Group):
    """A group whose other commands live in modules beside this one."""

    def load(self) -> None:
        """Loads them."""
        for name in ("fleetlist", "fleetasking"):
            importlib.import_module(f"headwater.cli.{name}")

    def list_commands(self, ctx: click.Context) -> list[str]:
        self.load()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        self.load()
        return super().get_command(ctx, cmd_name)


@click.group("fleet", cls=Questions)
def command() -> None:
    """All nodes of the repository: what changed is compiled, the rest is known from before."""


def of_nodes(name: str, example: str) -> Callable[[Asking], Asking]:
    """A command about many nodes."""

    def made(asking: Asking) -> Asking:
        forms = click.Choice(["text", "json"])
        click.option("--format", "form", type=forms, default="text",
                     help="how the answer is written")(asking)  # fmt: skip
        click.option("--processes", type=click.IntRange(1, 256), metavar="N",
                     help="nodes at a time (one for each processor)")(asking)  # fmt: skip
        click.option("--fresh", is_flag=True, help="work out everything, whatever is kept")(asking)
        asked = language_options(asking)
        return cast(Asking, command.command(name, cls=Command, example=example,
                                            families=("program",))(asked))  # fmt: skip

    return made


@contextmanager
def refusals(settings: Settings) -> Iterator[None]:
    """What is wrong with the command line or with headwater.toml ends the program."""
    from headwater.fleet.config import BadRepository

    try:
        yield
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    except BadRepository as bad:
        report(bad.diagnostics, settings.diagnostics)
        sys.exit(1)


def kept_of(site: Site, *, fresh: bool) -> Kept | None:
    """What was worked out before, unless nobody wants to know."""
    from headwater.fleet.kept import kept_for

    return None if fresh else kept_for(site.repository.root)


def tell_of_kept(kept: Kept | None, settings: Settings) -> None:
    """Says what is wrong with the place where answers are kept."""
    if kept is not None and kept.doubts:
        report(kept.doubts, settings.diagnostics)


class Asked:
    """A question on its way to nodes, and what is to be said afterwards beside the answers."""

    def __init__(self, every: Every, names: Sequence[str], found: dict[Told, list[str]]) -> None:
        self.every = every
        self.names = names
        self.found = found
        """What was found wrong, and with which nodes."""
        self.done: list[str] = []
        self.from_before = 0
        self.failed: list[str] = []

    def ask(self, take: Callable[[Answered], None]) -> None:
        """Gives each answer to `take`, and notes what is said of all."""
        with progress(len(self.names), "nodes") as advance:

            def noted(one: Answered) -> None:
                take(one)
                self.done.append(one.node)
                self.from_before += one.kept
                if not one.answer.good:
                    self.failed.append(one.node)
                for each in one.answer.told:
                    self.found.setdefault(each, []).append(one.node)
                if advance is not None:
                    advance(one.node)

            self.every.ask(self.names, noted)

    def good(self, read: Callable[[Answer], Read]) -> dict[str, Read]:
        """What the answers say of the nodes that have one."""
        found: dict[str, Read] = {}

        def take(one: Answered) -> None:
            if one.answer.good:
                found[one.node] = read(one.answer)

        self.ask(take)
        return found

    def join(self, again: Asked) -> None:
        """Takes in what was said when some of its nodes were asked again."""
        for each, nodes in again.found.items():
            known = self.found.setdefault(each, [])
            known += [node for node in nodes if node not in known]
        self.failed += [node for node in again.failed if node not in self.failed]
        self.done = [node for node in self.done if node not in {*again.not_done}]
        self.every.stopped = self.every.stopped or again.every.stopped

    @property
    def not_done(self) -> list[str]:
        """The nodes that have no answer."""
        done = set(self.done)
        return [name for name in self.names if name not in done]

    def problems(self) -> list[Problem]:
        """What was found wrong, by place."""
        from headwater.fleet.check import problems

        for nodes in self.found.values():
            nodes.sort()
        return [*problems(self.found, {})]

    def summary(self) -> str:
        """What was done."""
        known = self.from_before
        parts = [f"{len(self.done) - known:,} worked out", f"{known:,} known from before"]
        if self.failed:
            parts.append(f"{len(self.failed):,} failed")
        return f"{count(len(self.done), 'node')}: {', '.join(parts)}"

    def end(self, settings: Settings, *, quiet: bool = False) -> None:
        """Says what was wrong, and ends the program if that was an error."""
        kept = self.every.kept
        report(kept.doubts if kept is not None else (), settings.diagnostics)
        for problem in () if quiet else self.problems():
            if problem.diagnostic.is_error or settings.warnings != "none":
                say(line(problem, len(self.done)), err=True)
        if self.every.stopped is not None:
            left = self.not_done
            names = ", ".join(left[:20]) + (f" and {len(left) - 20} more" if len(left) > 20 else "")
            say(f"{self.every.stopped}: {count(len(left), 'node')} not done: {names}", err=True)
        if self.failed or self.every.stopped is not None:
            sys.exit(1)

    def as_json(self) -> dict[str, Any]:
        """What every document about many nodes has."""
        kept = self.every.kept
        doubts = [] if kept is None else [{**d.as_json(), "nodes": []} for d in kept.doubts]
        return {
            "format_version": 1,
            "known_from_before": self.from_before,
            "failed": sorted(self.failed),
            "not_done": self.not_done,
            "stopped": self.every.stopped,
            "diagnostics": doubts + [
                {**problem.diagnostic.as_json(), "nodes": list(problem.nodes)}
                for problem in self.problems()
            ],
        }  # fmt: skip


def asked(
    question: Question, words: Sequence[str], settings: Settings, *, fresh: bool,
    processes: int | None,
) -> Asked:  # fmt: skip
    """A question about the nodes that words mean, or about all."""
    from headwater.fleet.every import Every
    from headwater.fleet.told import told

    with refusals(settings):
        site = settings.site()
        request = settings.request(())
        refuse_nobody(site)
        chosen = site.select(words, request)
        found: dict[Told, list[str]] = {told(one): [] for one in chosen.skipped}
        every = Every(site, request, question, kept_of(site, fresh=fresh), processes)
        return Asked(every, chosen.names, found)


def refuse_nobody(site: Site) -> None:
    """A question about all nodes has no answer where there are none.  Raises `BadRepository`."""
    from headwater.fleet.config import BadRepository

    nobody = site.without_nodes()
    if nobody is not None:
        raise BadRepository([nobody])


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


@of_nodes("compile", "headwater fleet compile --into catalogs")
@click.argument("nodes", nargs=-1)
@click.option("--into", metavar="DIR", help="write the result of each node to DIR/NODE.json")
def compile_nodes(
    nodes: tuple[str, ...], form: str, fresh: bool, processes: int | None, into: str | None,
    settings: Settings,
) -> None:  # fmt: skip
    """Compile all nodes, or NODES; only what changed since the last time is compiled.

    NODES are names, globs, or expressions over facts.
    """
    from headwater.fleet.catalogs import COMPILE, catalog_in

    asking = asked(COMPILE, nodes, settings, fresh=fresh, processes=processes)
    write = None if into is None else _writer(into, asking.every)
    rows = []

    def take(one: Answered) -> None:
        catalog = catalog_in(one.answer) if one.answer.good else None
        if write is not None and catalog is not None:
            write(one.node, catalog.document)
        if form == "json":
            rows.append({
                "node": one.node,
                "ok": one.answer.good,
                "known_from_before": one.kept,
                "values": None if catalog is None else catalog.values.hex(),
                "size": None if catalog is None else catalog.size,
            })  # fmt: skip

    asking.ask(take)
    if form == "json":
        rows.sort(key=lambda row: str(row["node"]))
        write_json({**asking.as_json(), "nodes": rows})
    else:
        say(asking.summary())
    asking.end(settings, quiet=form == "json")


def _writer(folder: str, every: Every) -> Callable[[str, bytes | None], None]:
    """What writes the result of a node to a file of a folder."""
    from pathlib import Path

    import msgspec

    from headwater.fleet.catalogs import document_of

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)  # makedirs recurses where a name is long
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be made: {error.strerror}") from None

    def write(node: str, document: bytes | None) -> None:
        text = document_of(every.site, every.request, node) if document is None else document
        path = os.path.join(folder, quote(node, safe=" @+,=~").lstrip(".") + ".json")
        try:
            handle = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(text, indent=2) + b"\n")
            os.replace(f"{path}.new", path)
        except OSError as error:
            raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None

    return write


__all__ = ["Asked", "asked", "command", "count", "kept_of", "of_nodes", "refusals", "tell_of_kept"]
