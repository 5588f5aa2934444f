"""Opal's families.  The stores they end with are small or grow with n."""

from __future__ import annotations

from growing.row import Row, program

HANDLE = "with a do { handle a.x := op with (() . a.x) merging o h c to a.h in {\n"
PLAIN = "with a do { handle a.x := op with () merging o h c to a.h in {\n"
PROGRAMS: dict[str, tuple[str, str, str]] = {
    "operations": (PLAIN, "op;\n", "skip } }\n"),
    "operations that add": (HANDLE, "op;\n", "skip } }\n"),
    "worlds": (PLAIN, "w{i} := hyp { op };\n", "skip } }\n"),
    "worlds that are committed": (HANDLE, "w{i} := hyp { op };\ncommit w{i};\n", "skip } }\n"),
    "tests": (PLAIN, "if () in a.x then { op } else { skip };\n", "skip } }\n"),
    "merges": (HANDLE, "w{i} := hyp { op; op };\nop;\ncommit w{i};\n", "skip } }\n"),
    "variables": ("with a do {\n",
                  "handle a.x{i} := f with () merging o h c to a.h in { f };\n", "skip }\n"),
}  # fmt: skip


def rows() -> list[Row]:
    """All families, compiled, and questions to them."""
    found: list[Row] = []
    for name, parts in PROGRAMS.items():
        constant = parts[0] == PLAIN
        row = Row("opal", name, program(*parts), ".opal", constant=constant)
        found += [
            row,
            row.asked("check", constant=True),
            row.asked("blame", constant=name != "variables"),
            row.asked("why", constant=name != "variables"),
            row.asked("impact", "1", constant=True),
        ]
    return found
