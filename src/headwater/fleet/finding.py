"""Finding the repository that a command is run in: upward from a folder, as git does.

Folders that git does not look in (GIT_CEILING_DIRECTORIES) are not looked in here either.
"""

from __future__ import annotations

import os

from headwater.text.reading import Unread, is_file

NAME = "headwater.toml"


def find_file(folder: str = os.curdir) -> str | None:
    """The file headwater.toml of a folder or of the nearest folder around it."""
    try:
        here = os.path.abspath(folder)
    except OSError:  # the folder is gone
        return None
    ceilings = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    while True:
        path = os.path.join(here, NAME)
        try:
            if is_file(path):
                return path
        except Unread as why:
            if why.kind != "locked":
                return None  # where reading is confined, nothing outside is looked for
        above = os.path.dirname(here)
        if above == here or above in ceilings:
            return None
        here = above
