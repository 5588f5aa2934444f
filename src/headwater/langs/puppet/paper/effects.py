"""What a branch that was not taken could have done: the static half of D+.

`Effects` of a statement are the variables it may assign in the scope it runs in, the
classes it may declare (through the bodies of classes and defines, and through
``inherits``) and whether it may add resources.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.reader import Manifest

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Effects:
    """What a statement may do."""

    assigned: frozenset[str]
    classes: frozenset[str]
    adds: bool


def effects(statement: t.Stmt, manifest: Manifest) -> Effects:
    """The effects of a statement, should it run in the present scope."""
    assigned: set[str] = set()
    classes: set[str] = set()
    defines: set[str] = set()
    adds = False
    # Statements with whether they run in the present scope.
    todo: list[tuple[t.Stmt, bool]] = [(statement, True)]

    def enter_class(name: str) -> None:
        while name not in classes:
            classes.add(name)
            found = manifest.classes.get(name)
            if found is None:
                return
            todo.append((found.body, False))
            if found.parent is None:
                return
            name = found.parent

    while todo:
        at, here = todo.pop()
        match at:
            case t.Seq(first=first, second=second):
                todo += [(first, here), (second, here)]
            case t.Assign(name=name) if here:
                assigned.add(name)
            case t.If(then=then, otherwise=otherwise):
                todo += [(then, here), (otherwise, here)]
            case t.Unless(body=body) | t.Under(body=body):
                todo.append((body, here))
            case t.Scoped(body=body):
                todo.append((body, False))
            case t.Case(options=options):
                todo += [(body, here) for _, body in options]
            case t.Resource(type=name) if name in manifest.defines:
                if name not in defines:
                    defines.add(name)
                    todo.append((manifest.defines[name].body, False))
            case t.Resource():
                adds = True
            case t.ClassDeclaration(name=name) | t.Include(name=name):
                enter_class(name)
            case _:
                pass
    return Effects(frozenset(assigned), frozenset(classes), adds)
