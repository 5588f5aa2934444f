"""Files that people hand each other: JSON, read with care and written whole or not at all.

A file is written beside its place under a name that nobody can guess and then moved there: who
looks sees the old one or the new one, and a link that lies in its place is replaced, not
followed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwater.langs.codes import unread
from headwater.langs.opal.runtime.codes import ENDORSEMENT_UNREADABLE, FILE_UNWRITABLE
from headwater.langs.opal.runtime.problems import Refused
from headwater.text import Source, Unreadable, read_source
from headwater.tree.json import read_json

FORMAT_VERSION = 1


def bad_file(file: str, reason: str) -> Refused:
    """The refusal of a file that is not what was expected."""
    at = Source(file, "").span(0, 0)
    return Refused(ENDORSEMENT_UNREADABLE.at(at, file=file, reason=reason))


def read_document(file: str, kind: str) -> dict[str, Any]:
    """The document of a kind in a file; raises `Refused`."""
    match read_source(file):
        case Unreadable(kind="missing", reason=reason):
            raise bad_file(file, reason)
        case Unreadable(at=at) as unreadable:
            raise Refused(unread(unreadable, file, at))
        case Source(text=text):
            pass
    try:
        data = read_json(text)
    except (ValueError, RecursionError):
        raise bad_file(file, "it is not JSON") from None
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise bad_file(file, f"it is not a file of the kind {kind}")
    version = data.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise bad_file(file, f"it does not have format {FORMAT_VERSION}")
    return data


def text_in(value: object) -> str:
    """A text; raises `TypeError`."""
    if not isinstance(value, str):
        raise TypeError("a text is wanted")
    return value


def texts_in(value: object) -> list[str]:
    """A list of texts; raises `TypeError`."""
    if not isinstance(value, list):
        raise TypeError("a list is wanted")
    return [text_in(item) for item in value]


def write_json(file: Path, data: object) -> None:
    """Writes a document that people may read; raises `Refused`."""
    write_whole(file, json.dumps(data, indent=2, ensure_ascii=True) + "\n")


def write_whole(file: Path, text: str) -> None:
    """Writes a text file so that it is there whole, or as it was before; raises `Refused`."""
    aside = file.with_name(f".{secrets.token_hex(12)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(aside, flags, 0o666), "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(aside, file)
        _sync_folder(file.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        at = Source(str(file), "").span(0, 0)
        reason = (error.strerror or str(error)).lower()
        raise Refused(FILE_UNWRITABLE.at(at, file=str(file), reason=reason)) from None


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone_with(file: str) -> Iterator[None]:
    """Keeps others who ask for the same file waiting; the file itself is not touched."""
    try:
        stream = open(file, "rb")  # noqa: SIM115 - the lock ends with the block below
        fcntl.flock(stream, fcntl.LOCK_EX)
    except OSError as error:
        raise bad_file(file, (error.strerror or str(error)).lower()) from None
    with stream:
        yield
