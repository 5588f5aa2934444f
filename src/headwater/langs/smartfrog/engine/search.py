"""Looking references up: Definitions 14 and 16, recording what the answer depends on."""

from __future__ import annotations

from headwater.langs.smartfrog.engine.cells import Cell, Frame, Partial, Search, Step, Store
from headwater.langs.smartfrog.syntax import Reference


def search(frame: Frame, reference: Reference) -> Search | None:
    """The cell a reference means, looked for from a namespace outwards."""
    parts = reference.parts
    if len(parts) == 1:
        return _search_name(frame, reference, parts[0])
    partial: dict[int, Partial] | None = None
    at: Frame | None = frame
    while at is not None:
        if parts[0] in at.store.cells:
            steps: list[Step] = []
            missing = _follow(at.store, parts, at.upto, steps)
            if missing is None:
                return Search(reference, frame, at, steps, partial)
            partial = partial or {}
            partial[id(at)] = missing
        at = at.parent
    return None


def _search_name(frame: Frame, reference: Reference, name: str) -> Search | None:
    at: Frame | None = frame
    while at is not None:
        cell = at.store.cell(name)
        if cell is not None:
            step = Step(cell, at.store.events, at.upto)
            return Search(reference, frame, at, [step], None)
        at = at.parent
    return None


def _follow(store: Store, parts: tuple[str, ...], upto: int, steps: list[Step]) -> Partial | None:
    """Follows a path, adding a step for each cell; where it broke off, or none if it did not."""
    for index, part in enumerate(parts):
        cell = store.cell(part)
        if cell is None:
            return Partial(steps, store.home, store.events, upto, parts[index:])
        steps.append(Step(cell, store.events, upto))
        if index + 1 < len(parts):
            if not isinstance(cell.value, Store):
                return Partial(steps)
            store = cell.value
            upto = len(store.events)
    return None


def found_cell(found: Search) -> Cell:
    """The cell at the end of a successful search."""
    return found.steps[-1].cell


def names_seen(frame: Frame) -> list[str]:
    """The names that can be seen from a namespace, for suggestions."""
    names: list[str] = []
    at: Frame | None = frame
    while at is not None:
        names.extend(at.store.cells)
        at = at.parent
    return names
