"""Commands as click has them, with our help: one sentence, an example, options by language.

The options of the languages are made when a command is called, from what each declares; nothing
is put in words for a help that nobody asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from headwater.ask.inputs import Family, Field

INPUT = "input_"
"""Begins the names of parameters that are inputs of a language."""

LAST = frozenset(
    ["output", "color", "warnings", "quiet", "max_file_size", "confined", "root", "roots"]
)
"""Options that nearly every command has, and that few look for: they stand last in a help."""

NARROW = 31
"""The column of the explanations in a help."""


class FieldType(click.ParamType[object]):
    """The values of a language's field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.name = field.about.metavar or field.name

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        from headwater.ask.inputs import choices

        known = choices(self.field)
        return None if known is None else f"[{'|'.join(map(str, known))}]"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The value that a text spells."""
        from headwater.ask.inputs import expected, spelt

        try:
            return spelt(self.field, str(value))
        except ValueError:
            self.fail(f"{value!r} is not {expected(self.field.type)}", param, ctx)


def option_of(field: Field, name: str) -> click.Option:
    """The option for a field, whose value goes by that name."""
    from headwater.ask.inputs import choices, takes

    about = field.about
    assert about.option is not None
    words = [about.option, name]
    if takes(field, bool):
        return click.Option(words, is_flag=True, help=about.help)
    if about.many:
        return click.Option(words, multiple=True, metavar=about.metavar, help=about.help)
    if choices(field) is None and takes(field, str):
        return click.Option(words, metavar=about.metavar, help=about.help)
    return click.Option(words, type=FieldType(field), metavar=about.metavar, help=about.help)


def language_options(families: Sequence[Family]) -> list[click.Option]:
    """The options of every language for families of commands; languages may share one."""
    from headwater.ask.inputs import titled_fields

    found: dict[str, click.Option] = {}
    for _, fields in titled_fields(families):
        for field in fields:
            if field.name not in found:
                found[field.name] = option_of(field, INPUT + field.name)
    return list(found.values())


def question(
    name: str, example: str, *, families: Sequence[Family] = ("program",)
) -> Callable[[Callable[..., object]], Command]:
    """A command that is about a program, and takes what its language takes."""
    return click.command(name, cls=Command, example=example, families=families)


def command(name: str, example: str) -> Callable[[Callable[..., object]], Command]:
    """A command that takes no inputs of languages."""
    return click.command(name, cls=Command, example=example)


class Command(click.Command):
    """A command: `example` is a line of its help, `families` are the inputs it takes."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401
        example: str,
        families: Sequence[Family] = (),
        **settings: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*args, **settings)
        self.example = example
        self.families = families
        self._complete = not families

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self._complete:
            self._complete = True
            self.params += language_options(self.families)
        return super().get_params(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").partition("\n\n")[0])
        formatter.write_paragraph()
        formatter.write(f"  Example: {self.example}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        common: list[tuple[str, str]] = []
        last: list[tuple[str, str]] = []
        own: dict[str, tuple[str, str]] = {}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx)
            if isinstance(param, click.Option) and row is not None and param.name is not None:
                if param.name.startswith(INPUT):
                    own[param.name.removeprefix(INPUT)] = row
                else:
                    (last if self.families and param.name in LAST else common).append(row)
        with formatter.section("Options"):
            formatter.write_dl(common, col_max=NARROW)
        if own:
            from headwater.ask.inputs import titled_fields

            for title, fields in titled_fields(self.families):
                with formatter.section(title):
                    formatter.write_dl([own[field.name] for field in fields], col_max=NARROW)
        if last:
            with formatter.section("Files and output"):
                formatter.write_dl(last, col_max=NARROW)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rest = (self.help or "").partition("\n\n")[2]
        if rest:
            formatter.write_paragraph()
            formatter.write_text(inspect.cleandoc(rest))
        super().format_epilog(ctx, formatter)
