"""Copies of components, which prototypes and sets are made of."""

from __future__ import annotations

from headwater.langs.smartfrog.production.attributes import DONE
from headwater.langs.smartfrog.production.components import PLAIN, Application, Comp


def copied(comp: Comp, parent: Comp | None, *, noted: bool) -> tuple[Comp, int]:
    """A deep copy under another parent, and how many attributes it has.

    Whoever asks for a copy may go on to note why its attributes are there (`noted`); but what is
    further inside stays as it is, so that copies may have plain attributes in common, but for
    those that are still to be placed.
    """
    top = shell(comp, parent)
    todo = [(comp, top)]
    count = 0
    while todo:
        old, new = todo.pop()
        attrs = old.attrs
        new.described = old.described
        count += len(attrs)
        settled = new.settled
        final = old.own == DONE and not (noted and new is top)
        for key, attr in attrs.items():
            value = attr.value
            if final and value.__class__ in PLAIN and key.__class__ is not tuple:
                settled[key] = attr
                continue
            made = settled[key] = attr.clone()
            if isinstance(value, Comp):
                made.value = below = shell(value, new)
                todo.append((value, below))
            elif isinstance(value, Application):
                below = shell(value.comp, new)
                made.value = Application(value.word, below, value.at, value.lazy, value.data)
                todo.append((value.comp, below))
    return top, count


def shell(comp: Comp, parent: Comp | None) -> Comp:
    """A copy without attributes."""
    made = Comp(parent, comp.label, comp.home, comp.path)
    made.eager = comp.eager
    made.inherits = comp.inherits
    made._shape = comp._shape
    made._lineage = comp._lineage
    made.places = comp.places
    made.contained = comp.contained
    made.own = made.deep = comp.deep
    return made
