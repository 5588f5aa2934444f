"""S-expression values, hash-consed: in one `Heap`, equal values are one object.

Equality is then identity, and a value that doubles at every step takes memory for
its steps, not for its size.  `size` and `depth` are those of the tree the value
stands for; both are kept so that bounds cost nothing to check.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from headwater.langs.opal.codes import TOO_DEEP, TOO_LARGE, TOO_MANY_VALUES
from headwater.report import Code

MOST_DEPTH = 1_000_000
MOST_SIZE = 10**18
MOST_VALUES = 3_000_000

WIDEST_DEPTH = 500
"""A value deeper than this is written as a table of nodes."""
WIDEST_SIZE = 100_000
"""A value larger than this is written as a table of nodes."""


class SexpValue:
    """∅, a pair, or (an extension) an atom."""

    __slots__ = ("atom", "atomic", "depth", "left", "right", "size")

    def __init__(
        self, left: SexpValue | None, right: SexpValue | None, atom: str | int | bool | None
    ) -> None:
        self.left = left
        self.right = right
        self.atom = atom
        self.atomic = atom is not None
        """Whether there is an atom in it: such values are written with lists."""
        if left is None or right is None:
            self.size, self.depth = 1, 0
        else:
            self.atomic = left.atomic or right.atomic
            self.size = 1 + left.size + right.size
            self.depth = 1 + (left.depth if left.depth > right.depth else right.depth)

    def __repr__(self) -> str:
        return f"<{show(self)}>"


NIL = SexpValue(None, None, None)


class Heap:
    """The values of one run."""

    __slots__ = ("_atoms", "_pairs")

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], SexpValue] = {}
        self._atoms: dict[tuple[type, str | int | bool], SexpValue] = {}

    def cons(self, left: SexpValue, right: SexpValue) -> SexpValue:
        """The pair of two values of this heap."""
        key = (id(left), id(right))
        found = self._pairs.get(key)
        if found is None:
            found = self._pairs[key] = SexpValue(left, right, None)
        return found

    def atom(self, value: str | int | bool) -> SexpValue:
        """An atom."""
        key = (type(value), value)
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = SexpValue(None, None, value)
        return found

    def broken(self, value: SexpValue) -> tuple[Code, int] | None:
        """The bound that a new value of this heap breaks, if any."""
        if value.depth > MOST_DEPTH:
            return TOO_DEEP, MOST_DEPTH
        if value.size > MOST_SIZE:
            return TOO_LARGE, MOST_SIZE
        if len(self._pairs) > MOST_VALUES:
            return TOO_MANY_VALUES, MOST_VALUES
        return None

    def list_of(self, elements: list[SexpValue]) -> SexpValue:
        """The proper list of these elements."""
        value = NIL
        for element in reversed(elements):
            value = self.cons(element, value)
        return value


def elements(value: SexpValue) -> list[SexpValue] | None:
    """The elements of a proper list; none if the value is not one."""
    found = []
    while value.left is not None and value.right is not None:
        found.append(value.left)
        value = value.right
    return found if value is NIL else None


def show(value: SexpValue, most: int | None = 200) -> str:
    """A value as Opal writes it, cut after `most` code points."""
    parts: list[str] = []
    length = 0
    todo: list[SexpValue | str] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            text = item
        elif item.left is not None:
            text = _spine(item, todo, most)
        else:
            text = show_atom(item.atom)
        parts.append(text)
        length += len(text)
        if most is not None and length > most:
            return "".join(parts)[: most - 1] + "…"
    return "".join(parts)


def _spine(value: SexpValue, todo: list[SexpValue | str], most: int | None) -> str:
    """Begins a pair or a list, and puts what follows on the work list.

    Of a spine that will be cut, no more is looked at than will be shown.
    """
    spine: list[SexpValue] = []
    end = value
    while end.left is not None and end.right is not None and len(spine) != most:
        spine.append(end.left)
        end = end.right
    rest: list[SexpValue | str] = []
    if value.atomic and (end is NIL or end.left is not None):
        for element in spine:
            rest += [element, ", "]
        rest[-1] = "]"
        todo += reversed(rest)
        return "["
    for element in spine:
        rest += [element, " . ", "("]
    rest[-1] = end
    todo += [")" * len(spine), *reversed(rest)]
    return "("


def show_atom(atom: str | int | bool | None) -> str:
    """∅ or an atom as Opal writes it."""
    if atom is None:
        return "()"
    if isinstance(atom, bool):
        return "true" if atom else "false"
    if isinstance(atom, int):
        return str(atom)
    return json.dumps(atom, ensure_ascii=False)


def plain(value: SexpValue) -> Any:  # noqa: ANN401
    """A value for the machine interface: nested pairs, or a table of nodes if it is large."""
    if value.depth > WIDEST_DEPTH or value.size > WIDEST_SIZE:
        return _table(value)
    done: list[Any] = [None]
    todo: list[tuple[Any, int, SexpValue]] = [(done, 0, value)]
    while todo:
        holder, index, item = todo.pop()
        if item.left is not None and item.right is not None:
            pair: list[Any] = [None, None]
            holder[index] = pair
            todo.append((pair, 0, item.left))
            todo.append((pair, 1, item.right))
        else:
            holder[index] = [] if item.atom is None else item.atom
    return done[0]


def _table(root: SexpValue) -> object:
    """``{"nodes": [[], [l, r], …], "root": i}``: index 0 is ∅, children come first."""
    numbers: dict[int, int] = {id(NIL): 0}
    nodes: list[Any] = [[]]
    for value in children_first(root):
        if value is NIL:
            continue
        numbers[id(value)] = len(nodes)
        if value.left is not None and value.right is not None:
            nodes.append([numbers[id(value.left)], numbers[id(value.right)]])
        else:
            nodes.append({"atom": value.atom})
    return {"nodes": nodes, "root": numbers[id(root)]}


def children_first(root: SexpValue) -> Iterator[SexpValue]:
    """Every distinct part of a value once, parts before wholes."""
    seen: set[int] = set()
    todo = [root]
    while todo:
        value = todo[-1]
        if id(value) in seen:
            todo.pop()
            continue
        left, right = value.left, value.right
        if left is not None and right is not None:
            before = len(todo)
            if id(right) not in seen:
                todo.append(right)
            if id(left) not in seen:
                todo.append(left)
            if len(todo) > before:
                continue
        todo.pop()
        seen.add(id(value))
        yield value


class NotASexp(ValueError):
    """The data does not stand for an S-expression; `args[0]` says why."""


def from_plain(heap: Heap, data: object, *, atoms: bool) -> SexpValue:
    """The value that data of the machine interface stands for; raises `NotASexp`."""
    if isinstance(data, dict):
        return _from_table(heap, data, atoms=atoms)
    if data is None:
        raise NotASexp("null is not an S-expression")
    # Post-order over nested lists: None on the work list means "make a pair of the last two".
    todo: list[Any] = [data]
    done: list[SexpValue] = []
    while todo:
        item = todo.pop()
        if item is None:
            right, left = done.pop(), done.pop()
            done.append(heap.cons(left, right))
        elif isinstance(item, list) and len(item) == 2:
            if None in item:
                raise NotASexp("null is not an S-expression")
            todo += [None, item[1], item[0]]
        else:
            done.append(_leaf(heap, item, atoms=atoms))
    return done[0]


def _leaf(heap: Heap, item: object, *, atoms: bool) -> SexpValue:
    if item == [] and isinstance(item, list):
        return NIL
    if isinstance(item, str | int):
        if not atoms:
            raise NotASexp(f"the atom {item!r} needs the extensions (ext)")
        return heap.atom(item)
    if isinstance(item, list):
        raise NotASexp(f"a list of {len(item)} elements; a pair has two and ∅ none")
    raise NotASexp(f"{type(item).__name__} is not an S-expression")


def _from_table(heap: Heap, data: dict[str, Any], *, atoms: bool) -> SexpValue:
    nodes, root = data.get("nodes"), data.get("root")
    if not isinstance(nodes, list) or type(root) is not int or not 0 <= root < len(nodes):
        raise NotASexp('a table needs "nodes" and the number of one of them as "root"')
    made: list[SexpValue] = []
    for number, node in enumerate(nodes):
        if number == 0:
            made.append(NIL)
        elif isinstance(node, dict) and "atom" in node:
            made.append(_leaf(heap, node["atom"], atoms=atoms))
        elif (
            isinstance(node, list)
            and len(node) == 2
            and all(type(part) is int and 0 <= part < number for part in node)
        ):
            made.append(heap.cons(made[node[0]], made[node[1]]))
        else:
            raise NotASexp(f"node {number} is not a pair of earlier nodes")
    return made[root]
