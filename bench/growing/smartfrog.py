"""SmartFrog's families, in its three dialects."""

from __future__ import annotations

from collections.abc import Callable

from growing.row import Row, lines, program


def chain(n: int) -> str:
    """A chain of prototypes that set the same attribute."""
    links = lines("p{k} extends p{i}, { x {i}; }\n", n)
    return "p0 extends { a 1; x 1; }\n" + links + f"sfConfig extends p{n}, {{ z 1; }}\n"


def growing_chain(n: int) -> str:
    """A chain of prototypes, each with an attribute more."""
    links = lines("p{k} extends p{i}, { x{i} {i}; }\n", n)
    return "p0 extends { a 1; }\n" + links + f"sfConfig extends p{n}, {{ z 1; }}\n"


def growing_components(n: int) -> str:
    """A chain of prototypes, each with a component more, which has a prototype itself."""
    links = lines("p{k} extends p{i}, { x{i} extends Q, { b {i}; } }\n", n)
    return f"Q extends {{ a 1; }}\np0 extends {{ }}\n{links}sfConfig extends p{n}\n"


def tagged_chain(n: int) -> str:
    """A chain of prototypes, each with an attribute more that has a tag."""
    links = lines("p{k} extends p{i}, { [sfFinal] x{i} {i}; [sfOverride] a {i}; }\n", n)
    return "p0 extends { a 1; }\n" + links + f"sfConfig extends p{n}, {{ z 1; }}\n"


def chain_and_placement(n: int) -> str:
    """A chain of prototypes, each with an attribute more, where something is placed at the end."""
    links = lines("p{k} extends p{i}, { x{i} {i}; }\n", n)
    return f"p0 extends {{ m extends {{ }} }}\n{links}sfConfig extends p{n}, {{ m:z 1; }}\n"


def placing_chain(n: int) -> str:
    """A chain of prototypes, each with a component more that something is placed into."""
    links = lines("p{k} extends p{i}, { x{i} extends { } x{i}:a {i}; }\n", n)
    return f"p0 extends {{ }}\n{links}sfConfig extends p{n}\n"


def placing_links(placed: str, first: str = "", before: str = "") -> Callable[[int], str]:
    """A chain of prototypes whose links each have and place what is said."""

    def make(n: int) -> str:
        links = lines(f"p{{k}} extends p{{i}}, {{ {placed} }}\n", n)
        return f"{before}p0 extends {{ {first} }}\n{links}sfConfig extends p{n}\n"

    return make


def placing_chain_placed_into(n: int) -> str:
    """A chain of prototypes that each place something, and that something is placed into."""
    links = lines("p{k} extends p{i}, { x{i} extends { } x{i}:a {i}; }\np{k}:y {i};\n", n)
    return f"p0 extends {{ }}\n{links}sfConfig extends p{n}\n"


def placed_chain(n: int) -> str:
    """A chain of prototypes, each with an attribute more, and one placed into each."""
    links = lines("p{k} extends p{i}, { x{i} {i}; }\np{k}:y {i};\n", n)
    return f"p0 extends {{ }}\n{links}sfConfig extends p{n}\n"


def function_chain(n: int) -> str:
    """A chain of functions, each with an operand more."""
    links = lines("p{k} extends p{i}, { x{i} {i}; }\n", n)
    head = '#include "org/smartfrog/functions.sf"\np0 extends sum, { a 1; }\n'
    return f"{head}{links}sfConfig extends {{ s extends p{n} }}\n"


def chain_of_later_links(n: int) -> str:
    """A chain of links in which each leads to the next."""
    return "sfConfig extends {\n" + lines("a{i} a{k};\n", n) + f"a{n} 1;\n}}\n"


def nested(n: int) -> str:
    """Components in components, ninety deep: every dialect allows a hundred levels."""
    deep = lines("c{i} extends { ", LEVELS) + "x 1; " + "}" * LEVELS
    return "sfConfig extends {\n" + lines("t{i} extends { " + deep + " }\n", n) + "}\n"


def component(line: str, before: str = "", inside: str = "") -> Callable[[int], str]:
    """A component with a line for each number."""
    return program(f"{before}sfConfig extends {{ {inside}\n", line, "}\n")


def of_many(n: int) -> str:
    """A component with many prototypes."""
    names = ", ".join(f"P{i}" for i in range(n))
    return lines("P{i} extends { x{i} {i}; }\n", n) + f"sfConfig extends {names}\n"


LEVELS = 90
PROTOTYPE = "P extends { x 1; y 2; z extends { w 1; } }\n"
PROGRAMS: list[tuple[str, Callable[[int], str], int, bool]] = [
    # name, program, the largest n, whether the output stays the same
    ("chain of prototypes", chain, 1 << 16, True),
    ("growing chain of prototypes", growing_chain, 1600, False),
    ("growing chain of components", growing_components, 1600, False),
    ("attributes", component("a{i} {i};\n"), 1 << 16, False),
    ("texts", component('a{i} "text {i}";\n'), 1 << 16, False),
    ("heirs of a prototype", component("c{i} extends P, { x {i}; }\n", PROTOTYPE), 1 << 16, False),
    ("an attribute set again and again", component("a {i};\n"), 1 << 16, True),
    ("components", component("c{i} extends { a {i}; b 2; }\n"), 1 << 16, False),
    ("links", component("a{i} x;\n", "", "x 1;"), 1 << 16, False),
    ("links outwards", component("c{i} extends { a g; }\n", "g 1;\n"), 1 << 16, False),
    ("a chain of links", component("a{k} a{i};\n", "", "a0 1;"), 1 << 16, False),
    ("paths", component("a{i} m:x;\n", "", "m extends { x 1; }"), 1 << 16, False),
    ("placements", component("m:a{i} {i};\n", "", "m extends { }"), 1 << 16, False),
    ("placements in heirs",
     component("c{i} extends P\nc{i}:z:w {i};\n", PROTOTYPE), 1 << 16, False),
    ("prototypes of one component", of_many, 1 << 12, False),
    ("a long list", program("sfConfig extends { a [\n", "{i},\n", "0]; }\n"), 1 << 16, False),
    ("deep components", nested, 4 * 90, False),
]  # fmt: skip
OF_EXTENDED: list[tuple[str, Callable[[int], str], int, bool]] = [
    ("placements before their parents",
     component("c{i}:d:x {i};\nc{i}:d extends { }\nc{i} extends { }\n"), 1 << 16, False),
    ("merged components",
     component("c{i} extends merge P, { z extends { v {i}; } }\n", PROTOTYPE), 1 << 16, False),
    ("order constraints",
     component("a{i} {i};\nb{i} {i};\norder b{i} < a{i};\n"), 1 << 16, False),
    ("links to something later", component("a{i} b{i};\nb{i} {i};\n"), 10_000, False),
    ("a chain of links to something later", chain_of_later_links, 10_000, False),
]  # fmt: skip
OF_PRODUCTION: list[tuple[str, Callable[[int], str], int, bool]] = [
    ("growing chain with tags", tagged_chain, 1600, False),
    ("growing chain and a placement", chain_and_placement, 1600, False),
    ("growing chain of placements", placing_chain, 6400, False),
    (
        "chain, placements into the first",
        placing_links("m:a{i} {i};", "m extends { }"),
        6400,
        False,
    ),
    (
        "chain, placements into the one before",
        placing_links("x{k} extends { } x{i}:a {i};", "x0 extends { }"),
        6400,
        False,
    ),
    (
        "chain, three placements with tags",
        placing_links("x{i} extends { } [mine] x{i}:a {i}; [sfTemp] x{i}:b 1; x{i}:c a;"),
        6400,
        False,
    ),
    (
        "chain, placements over and deep inside",
        placing_links(
            "x{i} extends Q, { } x{i}:a {i}; x{i}:y:b {i}; x{i}:z extends { } x{i}:z:c {i};",
            "",
            "Q extends { a 1; y extends { b 1; } }\n",
        ),
        6400,
        False,
    ),
    (
        "chain, placements inside its components",
        placing_links("x{i} extends { y extends { } y:a {i}; }"),
        6400,
        False,
    ),
    ("chain, functions placed", placing_links("x{i} extends { } x{i}:a ({i} + 1);"), 6400, False),
    (
        "chain, placements into a function",
        placing_links(
            "m:x{i} {i};", "m extends vector, { }", '#include "org/smartfrog/functions.sf"\n'
        ),
        6400,
        False,
    ),
    ("chain of placements, placed into", placing_chain_placed_into, 6400, False),
    ("growing chain, placed into", placed_chain, 1600, False),
    ("growing chain of functions", function_chain, 800, True),
]


def rows() -> list[Row]:
    """All families in all dialects, compiled, and questions to them."""
    found: list[Row] = []
    for dialect in ("core", "extended", "production"):
        more = {"extended": OF_EXTENDED, "production": OF_PRODUCTION}.get(dialect, [])
        for name, make, most, constant in [*PROGRAMS, *more]:
            row = Row("smartfrog", f"{name}, {dialect}", make, ".sf",
                      words=("--dialect", dialect), most=most, constant=constant)  # fmt: skip
            found += [
                row,
                row.asked("check", constant=True),
                row.asked("blame", constant=constant),
                row.asked("why", constant=constant),
                row.asked("impact", "1", constant=True),
                row.asked("diff", constant=constant),
            ]
    return found
