"""Finding the repository that a command is run in: upward from a folder, as git does."""

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
    while True:
        path = os.path.join(here, NAME)
        try:
            if is_file(path):
                return path
        except Unread as why:
            if why.kind != "locked":
                return None  # where reading is confined, nothing outside is looked for
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above
