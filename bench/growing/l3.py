"""L3's families."""

from __future__ import annotations

from collections.abc import Callable

from growing.row import Row, lines, program


def operands(n: int) -> str:
    """One composition of many components that agree in a label and differ in another."""
    parts = lines("c{i}: { own{i}: {i}, same: 1, rank: {i} #t{i} }\n", n)
    return parts + "m: (" + " <+> ".join(f"$c{i}" for i in range(n)) + ") #t0 > #t1\n"


def ranked(n: int) -> str:
    """Many compositions of two components, with a rank each."""
    return lines("a{i}: { x: 1 #p, y: 2 }\nb{i}: { x: 2 #q }\nm{i}: ($a{i} <+> $b{i}) #p > #q\n", n)


PROGRAMS: list[tuple[str, Callable[[int], str], int]] = [
    ("labels", program("", "a{i}: {i}\n"), 1 << 16),
    ("texts", program("", 'a{i}: "text {i}"\n'), 1 << 16),
    ("components", program("", "a{i}: { x: {i}, y: 2 }\n"), 1 << 16),
    ("references", program("g: 1\n", "a{i}: $g\n"), 1 << 16),
    ("a chain of references", program("a0: 1\n", "a{k}: $a{i}\n"), 1 << 16),
    ("compositions", ranked, 1 << 16),
    ("a growing chain of compositions",
     program("c0: { x: 1 }\n", "c{k}: ($c{i} <+> { y{i}: {i} })\n"), 2000),
]  # fmt: skip


def rows() -> list[Row]:
    """All families, compiled, and questions to them."""
    found: list[Row] = []
    made = [Row("l3", name, make, ".l3", most=most) for name, make, most in PROGRAMS]
    tie = Row("l3", "operands of one composition", operands, ".l3", most=1 << 12)
    for row in [*made[:-1], tie]:
        found += [
            row,
            row.asked("check", constant=True, exit=int(row is tie)),
            row.asked("blame"),
            row.asked("why"),
            row.asked("impact", "1", constant=True),
            row.asked("diff"),
        ]
    return found
