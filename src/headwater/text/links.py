"""Links from one folder to others: a folder of modules may be one of links."""

from __future__ import annotations

import os

from headwater.text.reading import Unread, is_link, leads_to_folder, names_in, real_path


def linked_from(folder: str, refused: list[Unread] | None = None) -> list[str]:
    """The links of a folder to folders that neither are in it nor have it or one another in them:
    what they lead to is found once, and has an end.

    With `refused`, nothing is said of a folder, or of links, that may not be read: whoever lists
    the files is told.
    """
    taken = [real_path(folder)]
    found: list[str] = []
    try:
        names = names_in(folder)
    except Unread as why:
        if refused is None or why.kind != "locked":
            raise
        return []
    for name in names:
        path = os.path.join(folder, name)
        if not is_link(path) or not _leads_to_folder(path, refused):
            continue
        target = real_path(path)
        if not any(_overlap(target, one) for one in taken):
            taken.append(target)
            found.append(path)
    return found


def _leads_to_folder(path: str, refused: list[Unread] | None) -> bool:
    try:
        return leads_to_folder(path)
    except Unread as why:
        if refused is None or why.kind != "locked":
            raise
        return False


def _overlap(a: str, b: str) -> bool:
    return os.path.commonpath([a, b]) in (a, b)
