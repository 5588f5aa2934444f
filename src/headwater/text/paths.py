"""What paths and modes say by themselves."""

from __future__ import annotations

import os
import stat

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


def is_dir(entry: os.DirEntry[str]) -> bool:
    """Whether a name in a folder that is listed leads to a folder."""
    try:
        return entry.is_dir()
    except OSError:
        return False
