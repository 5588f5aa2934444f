"""What can be found fault with, file by file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath

import msgspec
from msgspec.structs import replace

from headwater.ask.collector import paused_collector
from headwater.ask.request import Request, prepare
from headwater.langs import LANGUAGES, Job, is_part
from headwater.langs.protocol import Gathers
from headwater.langs.repositories import HasNodes
from headwater.report import Diagnostic
from headwater.text import reading
from headwater.text.links import linked_from
from headwater.text.reading import Unread


def check(
    request: Request,
    files: Iterable[str],
    *,
    syntax_only: bool = False,
    folders: Iterable[str] = (),
    done: Callable[[str], None] | None = None,
) -> Iterator[Diagnostic]:
    """The findings of each file; a language that composes files gets them all at once.

    `folders` are those that files were found in: one that is a program is what its files see.
    `done` is called with each file that has been looked at.
    """
    names = list(files)
    if not names:
        return
    whole = prepare(replace(request, files=tuple(names[:1])))
    together = not isinstance(whole, list) and whole[0].composes and not syntax_only
    groups = [tuple(names)] if together else [(name,) for name in names]
    for group in groups:
        prepared = prepare(replace(request, files=group))
        if isinstance(prepared, list):
            yield from prepared
        else:
            language, job = prepared
            if isinstance(language, Gathers) and isinstance(language, HasNodes):
                around = _around(group[0], folders, language)
                job = job if around is None else _inside(job, around, language)
            with paused_collector():
                found = list(language.check(job, syntax_only=syntax_only))
            yield from found
        if done is not None:
            done(group[0])


def _around(file: str, folders: Iterable[str], language: Gathers) -> str | None:
    """The folder among those given that a file is in, if it is a program."""
    found = [one for one in folders if os.path.abspath(file).startswith(os.path.abspath(one) + "/")]
    return next((folder for folder in found if language.owns(folder)), None)


def _inside(job: Job[msgspec.Struct], folder: str, language: HasNodes) -> Job[msgspec.Struct]:
    return replace(job, inputs=language.inside(folder, job.inputs))


def files_in(
    names: Iterable[str], lang: str | None = None, refused: list[Unread] | None = None
) -> list[str]:
    """Files as they are named, and for each folder the files of known languages under it.

    With `refused`, folders that may not be read are noted there, and all others are looked at.
    """
    known = [entry for name, entry in LANGUAGES.items() if lang is None or name == lang]
    endings = {ending for entry in known for ending in entry.endings}
    suffixes = endings | {PurePath(part).suffix for entry in known for part in entry.parts}
    found: list[str] = []
    for name in names:
        if reading.is_folder(name):
            every = [
                file
                for start in (name, *linked_from(name, refused))
                for file in reading.files_under(
                    start, lambda n: PurePath(n).suffix in suffixes, hidden=True, refused=refused
                )
            ]
            found += [
                one
                for one in every
                if PurePath(one).suffix in endings or any(is_part(entry, one) for entry in known)
            ]
        else:
            found.append(name)
    return found
