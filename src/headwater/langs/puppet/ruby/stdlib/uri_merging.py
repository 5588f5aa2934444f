"""An address that is told from another one: ``URI.join``, ``URI::Generic#merge``."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Parts: TypeAlias = dict[str, Any]
"""An address by its parts, as `Uri` has them."""

_AUTHORITY: Final = ("userinfo", "host", "port")


def merged_parts(whole: Parts, rel: Parts) -> Parts:
    """The parts of an address, of which another one without a scheme tells what is else."""
    base = dict(whole)
    is_near = all(rel[name] is None for name in _AUTHORITY)
    if is_near and not rel["path"] and rel["query"] is None:
        return {**base, "fragment": rel["fragment"] or base["fragment"]}
    if base["path"] is not None and rel["path"] is not None:
        base["path"] = _path_from(base["path"], rel["path"]) if is_near else rel["path"]
    base |= {name: rel[name] for name in _AUTHORITY if rel[name] is not None}
    return {**base, "query": rel["query"], "fragment": rel["fragment"]}


def _path_from(base: str, path: str) -> str:
    """A path beside another, as Ruby finds it: dots stay in the one that is there."""
    at = base.split("/") if base else []
    if at and at[-1] == "..":
        at.append("")
    while ".." in at:
        place = at.index("..")
        at = at[: place - 1] + at[place + 1 :] if place else at[1:]
    steps = path.split("/") if path else []
    if steps and not steps[0]:
        at, steps = [], steps[1:]
    if steps and steps[-1] in (".", ".."):
        steps.append("")
    kept = list[str]()
    for step in steps:
        if step == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif step != ".":
            kept.append(step)
    ups = next((i for i, step in enumerate(kept) if step != ".."), len(kept))
    at = at[:-1] if at and kept else at or [""]
    at = at[: max(1, len(at) - ups)]
    return "/".join([*at, *(kept[ups:] or ([""] if kept else []))])
