"""Links from one folder to others: a folder of modules may be one of links."""

from __future__ import annotations

import os

from headwater.text.reading import is_link, leads_to_folder, names_in, real_path


def linked_from(folder: str) -> list[str]:
    """The links of a folder to folders that neither are in it nor have it or one another in them:
    what they lead to is found once, and has an end."""
    taken = [real_path(folder)]
    found: list[str] = []
    for name in names_in(folder):
        path = os.path.join(folder, name)
        if not is_link(path) or not leads_to_folder(path):
            continue
        target = real_path(path)
        if not any(_overlap(target, one) for one in taken):
            taken.append(target)
            found.append(path)
    return found


def _overlap(a: str, b: str) -> bool:
    return os.path.commonpath([a, b]) in (a, b)
