"""What ``diff ONE OTHER`` prints: two files, compositions of files, or saved results."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from headwater.ask.diff import Difference, diff
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.cli.settings import Settings
from headwater.tree import Value

if TYPE_CHECKING:
    from headwater.fleet.saved import Saved


def compared(
    one: str, other: str, settings: Settings, form: str, ignore: Sequence[str], *, as_data: bool
) -> bool:
    """Prints how two results differ, and says whether they do."""
    from headwater.fleet.effective import Manner
    from headwater.fleet.saved import differing, saved

    kept = [saved(word) for word in (one, other)]
    for word, result in zip((one, other), kept, strict=True):
        if result is None and word.endswith(".json") and os.path.isfile(word):
            raise click.UsageError(f"{word} holds no catalog: a saved one is JSON with resources")
    if kept[0] is None and kept[1] is None and not ignore and not as_data:
        return _compiled(one, other, settings, form)
    both = [
        kept[index] or _as_saved(word, settings) for index, word in enumerate((one, other))
    ]  # fmt: skip
    found = differing(both[0], both[1], Manner(tuple(ignore), as_data))
    language = both[0].language
    rows = [
        (language.show_address(change.address), change.kind, change.before, change.after)
        for change in found.changes
    ]
    absent = [[*side.absent()] for side in both]
    if form == "json":
        from headwater.tree.json import plain

        sides: list[dict[str, Any]] = [
            {"file": word, "values": side.size, "absent_references": missing}
            for word, side, missing in zip((one, other), both, absent, strict=True)
        ]
        changes = [
            {"address": address, "kind": kind, "before": plain(old), "after": plain(new),
             "before_where": None, "after_where": None}
            for address, kind, old, new in rows
        ]  # fmt: skip
        write_json({"format_version": 1, "sides": sides, "changes": changes,
                    "form_only": found.form, "ignored": found.ignored})  # fmt: skip
        return bool(rows)
    for address, kind, old, new in rows:
        for row in _values(address, kind, old, new, language.show_value):
            say(row)
    _sizes((one, other), [side.size for side in both], len(rows))
    if found.form:
        say(f"left out: {found.form} in form only", err=True)
    if found.ignored:
        say(f"left out: {found.ignored} that --ignore names", err=True)
    for word, missing in zip((one, other), absent, strict=True):
        for text in missing:
            say(f"warning: {word}: {text}", err=True)
    return bool(rows)


def _as_saved(word: str, settings: Settings) -> Saved:
    from headwater.fleet.saved import of_compiled

    return of_compiled(settings.compiled(_files(word)))


def _files(word: str) -> list[str]:
    """The files of a composition."""
    return [word] if os.path.exists(word) or "+" not in word else word.split("+")


def _compiled(one: str, other: str, settings: Settings, form: str) -> bool:
    before = settings.compiled(_files(one))
    after = settings.compiled(_files(other))
    if before.language.name != after.language.name:
        raise click.UsageError(f"{one} and {other} are of two languages")
    found = diff(before, after)
    sizes = [side.size() for side in (before, after)]
    if form == "json":
        sides = [
            {"file": file, "values": size} for file, size in zip((one, other), sizes, strict=True)
        ]
        changes = [each.as_json() for each in found]
        write_json({"format_version": 1, "sides": sides, "changes": changes})
    else:
        for one_change in found:
            for line in _lines(one_change, before.language.show_value):
                say(line)
        _sizes((one, other), sizes, len(found))
    return bool(found)


def _sizes(words: tuple[str, str], sizes: Sequence[int], differences: int) -> None:
    """How much was compared; something empty is never just without differences."""
    parts = [f"{word}: {size} values" for word, size in zip(words, sizes, strict=True)]
    say(f"{'; '.join(parts)}; {differences} differences", err=True)
    for word, size in zip(words, sizes, strict=True):
        if size == 0:
            say(f"warning: {word} compiles to nothing", err=True)


def _lines(difference: Difference, show: Callable[[Value], str]) -> list[str]:
    change = difference.change
    places = [f"  [{label.at}]" if label else "" for label in (difference.before, difference.after)]
    return _values(
        difference.address, change.kind, change.before, change.after, show, (places[0], places[1])
    )


def _values(
    address: str, kind: str, old: Value, new: Value, show: Callable[[Value], str],
    places: tuple[str, str] = ("", ""),
) -> list[str]:  # fmt: skip
    if kind == "moved":
        before = ", ".join(str(name) for name in old)  # type: ignore[union-attr]
        after = ", ".join(str(name) for name in new)  # type: ignore[union-attr]
        return [f"~ {address}: order {before} -> {after}"]
    lines = []
    if kind != "added":
        lines.append(f"- {address} = {show(old)}{places[0]}")
    if kind != "removed":
        lines.append(f"+ {address} = {show(new)}{places[1]}")
    return lines


__all__ = ["compared"]
