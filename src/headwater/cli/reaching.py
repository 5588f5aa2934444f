"""The options that say what may be read, which every command has that reads files."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

import click
from msgspec.structs import replace

from headwater.cli.commands import INPUT
from headwater.text.reading import Reach, reach, within
from headwater.text.sizes import parse_size

Command = TypeVar("Command", bound=Callable[..., Any])

GIVEN = frozenset(
    ["endorsements", "file", "files", "include", "jobs", "key", "keys", "main", "named", "one",
     "other", "policy", "public", "request", "store", "target", "where"]
)  # fmt: skip
"""The parameters of commands that name files or folders; inputs of languages say so themselves."""


class Size(click.ParamType[int]):
    """A number of bytes, or of K, M or G (1,024 of them, 1,024 times as many …)."""

    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """The number of bytes."""
        found = parse_size(str(value))
        if found is None:
            self.fail(f"{value} is not a size such as 1000000, 500K or 64M", param, ctx)
        return found


def reading_options(command: Command) -> Command:
    """``--max-file-size``, ``--confined`` and ``--root``, which hold for the command."""

    @functools.wraps(command)
    def confining(
        *, max_file_size: int | None, confined: bool, root: tuple[str, ...], **settings: object
    ) -> Any:  # noqa: ANN401
        allowed = reach()
        if max_file_size is not None:
            allowed = replace(allowed, most_bytes=max_file_size)
        if root and not confined:
            raise click.UsageError("--root goes with --confined")
        if confined:
            if settings.get("classifier"):
                raise click.UsageError("--classifier and --confined do not go together")
            refuse_unconfined(settings)
            if settings.get("jobs"):
                click.get_current_context().meta[STREAM] = allowed.fenced(root or [os.curdir])
            allowed = allowed.fenced([*root, *given(settings)])
        with within(allowed):
            return command(**settings)

    for option in (
        click.option(
            "--root",
            multiple=True,
            metavar="DIR",
            help="with --confined: a folder that may be read too",
        ),
        click.option("--confined", is_flag=True, help="read nothing but what is named here"),
        click.option(
            "--max-file-size", type=Size(), metavar="SIZE", help="read no file that is larger (64M)"
        ),
    ):
        confining = option(confining)
    return cast("Command", confining)


STREAM = "headwater.stream"


def stream_reach() -> Reach:
    """What the jobs of a stream may read: where it is confined, what the operator says."""
    found: Reach = click.get_current_context().meta.get(STREAM, reach())
    return found


def refuse_unconfined(settings: dict[str, Any]) -> None:
    """Refuses the inputs that reach outside of files."""
    from headwater.ask.inputs import fields, unconfined

    refused = unconfined(inputs_in(settings))
    for field in fields():
        if field.name == refused:
            raise click.UsageError(f"{field.about.option} and --confined do not go together")


def inputs_in(settings: Mapping[str, object]) -> dict[str, object]:
    """The inputs of languages among the settings of a command, as far as they are given."""
    return {
        name.removeprefix(INPUT): list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
        if name.startswith(INPUT) and value not in (None, (), False)
    }


def given(settings: dict[str, Any]) -> Iterator[str]:
    """The files and folders that a command line names."""
    inputs = inputs_in(settings)
    if inputs:
        from headwater.ask.inputs import paths

        yield from (path for path in paths(inputs) if path != "-")
    for name, value in settings.items():
        if name not in GIVEN or not value:
            continue
        for path in [value] if isinstance(value, str) else value:
            if name == "where":
                yield re.sub(r"(:\d+){1,2}\Z", "", path)
            elif path != "-":
                yield path
                if name == "policy":
                    yield f"{path}.sig"
