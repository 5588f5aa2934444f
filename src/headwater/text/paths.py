"""What paths and modes say by themselves."""

from __future__ import annotations

import os
import stat
from functools import cache

OWN = (os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "langs"),)
"""What comes with Headwater (the library of SmartFrog): it may be read wherever one is."""


def inside(path: str, folders: tuple[str, ...]) -> bool:
    """Whether a path is one of some folders, or below one."""
    return any(path == folder or path.startswith(below(folder)) for folder in folders)


def below(folder: str) -> str:
    """What the paths of all that is in a folder begin with."""
    return folder if folder.endswith(os.sep) else folder + os.sep


def kind_of(mode: int) -> str:
    """What sort of thing lies under a name, in words."""
    for test, word in (
        (stat.S_ISREG, "a file"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if test(mode):
            return word
    return "a device"


def is_dir(entry: os.DirEntry[str]) -> bool | None:
    """Whether a name in a folder that is listed leads to a folder; None if that may not be told."""
    try:
        return entry.is_dir()
    except PermissionError:
        return None
    except OSError:
        return False


def near(name: str) -> str:
    """The name of a file as a person in this folder would write it.

    Below the folder, and elsewhere in the repository around it, that is a relative path.
    """
    if not name.startswith("/"):
        return name.removeprefix("./")
    try:
        here = os.getcwd()
    except OSError:  # the folder is gone
        return name
    if name.startswith(f"{here}/"):
        return name[len(here) + 1 :]
    root = _repository(here)
    return os.path.relpath(name, here) if root and name.startswith(f"{root}/") else name


@cache
def _repository(folder: str) -> str | None:
    """The root of the repository that a folder lies in."""
    while not any(os.path.exists(f"{folder}/{mark}") for mark in (".git", "headwater.toml")):
        folder, _, name = folder.rpartition("/")
        if not name or not folder:
            return None
    return folder
