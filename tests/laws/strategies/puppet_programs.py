"""Random Puppet programs that mostly compile: classes, defines, resources, collectors, arrows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

WORDS = ["a", "b", "c", "web", "db"]
VARS = ["x", "y", "z"]
Draw = Any


@st.composite
def scalars(draw: Draw) -> str:
    """A literal."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return str(draw(st.integers(0, 9)))
    if kind == 1:
        return draw(st.sampled_from(["true", "false", "undef", "1.5", "'10'"]))  # type: ignore[no-any-return]
    return f"'{draw(st.sampled_from(WORDS))}'"


@st.composite
def expressions(draw: Draw, depth: int = 2) -> str:
    """An expression; some are refused, which must agree as well."""
    if depth == 0:
        if draw(st.booleans()):
            return draw(scalars())  # type: ignore[no-any-return]
        return f"${draw(st.sampled_from(VARS))}"
    inner = expressions(depth - 1)
    a, b = draw(inner), draw(inner)
    forms = [
        a, a, f"[{a}, {b}]", f"{{ 'k' => {a}, 'l' => {b} }}",
        '"<${x}-' + draw(st.sampled_from(WORDS)) + '>"',
        f"({a} == {b})", f"({a} in [{b}, 'a'])", f"(!{a})", f"({a} and {b})", f"({a} or {b})",
        f"[{a}, {b}][1]", f"{{ 'k' => {a} }}['k']", f"{a} ? {{ {b} => 'm', default => {a} }}",
        f"if {a} {{ {b} }} else {{ 'e' }}", f"([{a}] + [{b}])", f"(1 + {draw(st.integers(0, 5))})",
        f"[{a}, {b}].map |$i| {{ $i }}",
        f"[3, 1, 2].filter |$i| {{ $i > {draw(st.integers(0, 3))} }}",
        f"({a} =~ String)", f"({a} =~ Variant[Integer, Array])", f"String({a})", f"[{a}].flatten",
        f"case {a} {{ {b}: {{ 'hit' }} String: {{ 'text' }} default: {{ 'no' }} }}",
        f"defined(Notify['{draw(st.sampled_from(WORDS))}'])", f"size([{a}, {b}])",
        f"with({a}) |$p, $q = 5| {{ [$p, $q] }}",
    ]  # fmt: skip
    return draw(st.sampled_from(forms))  # type: ignore[no-any-return]


@st.composite
def attributes(draw: Draw) -> str:
    """The attributes of a notify."""
    found = []
    if draw(st.booleans()):
        found.append(f"message => {draw(expressions(1))}")
    if draw(st.integers(0, 3)) == 0:
        found.append(f"tag => '{draw(st.sampled_from(WORDS))}'")
    if draw(st.integers(0, 5)) == 0:
        found.append("noop => true")
    if draw(st.integers(0, 14)) == 0:
        found.append(f"require => Notify['{draw(st.sampled_from(WORDS))}']")
    if draw(st.integers(0, 9)) == 0:
        found.append("withpath => undef")
    return ", ".join(found)


@st.composite
def statements(draw: Draw, depth: int, place: str) -> str:
    """A statement; `place` makes titles different in different bodies."""
    word = draw(st.sampled_from(WORDS))
    mark = draw(st.integers(0, 999))
    title = draw(
        st.sampled_from(
            [
                f"'{place}-{word}{mark}'",
                f"'{place}-{word}{mark}'",
                f'"{place}-${{title}}-{word}{mark}"',
                f"'{word}'",
            ]
        )
    )
    kind = draw(st.integers(0, 17))
    if kind <= 4:
        form = draw(st.sampled_from(["", "", "", "@"]))
        return f"{form}notify {{ {title}: {draw(attributes())} }}"
    if kind == 5:
        return f"${draw(st.sampled_from(VARS))} = {draw(expressions(2))}"
    if kind == 6 and depth:
        return f"if {draw(expressions(1))} {{ {draw(bodies(depth - 1, place))} }}"
    if kind == 7 and depth:
        return f"['p', 'q'].each |$i| {{ notify {{ \"{place}-${{i}}-{word}{mark}\": }} }}"
    if kind == 8:
        return f"include c_{word}"
    if kind == 9:
        return f"{draw(st.sampled_from(['contain', 'require']))} c_{word}"
    if kind == 10:
        value = draw(expressions(1))
        return f"d_{word} {{ {title}: p => {value} }}"
    if kind == 11:
        query = draw(
            st.sampled_from(["", f"tag == '{word}'", f"title == '{word}'", "message != 'a'"])
        )
        body = draw(st.sampled_from(["", "", " { message => 'over' }", " { tag => 'late' }"]))
        return f"Notify <| {query} |>{body}"
    if kind == 12:
        other = draw(st.sampled_from(WORDS))
        arrow = draw(st.sampled_from(["->", "~>", "<-"]))
        ends = [f"notify {{ {title}: }}", f"Class['c_{other}']", f"Notify <| tag == '{other}' |>"]
        left = draw(st.sampled_from([*ends, f"Notify['{word}']"]))
        return f"include c_{other}\n{left} {arrow} {draw(st.sampled_from(ends[1:]))}"
    if kind == 13:
        return f"Notify {{ {draw(attributes())} }}"
    if kind == 14 and draw(st.booleans()):
        return f"Notify['{word}'] {{ message {draw(st.sampled_from(['=>', '+>']))} 'new' }}"
    if kind == 15 and draw(st.booleans()):
        return f"class {{ 'c_{word}': p => {draw(expressions(1))} }}"
    if kind == 16 and draw(st.booleans()):
        return f"realize Notify['{word}']"
    return f"tag('{word}')"


@st.composite
def bodies(draw: Draw, depth: int, place: str) -> str:
    """Statements one after the other."""
    count = draw(st.integers(1, 4))
    return "\n".join(draw(statements(depth, place)) for _ in range(count))


@st.composite
def programs(draw: Draw) -> str:
    """A whole program: five classes, five defines, and code at the top."""
    parts = []
    for index, word in enumerate(WORDS):
        parent = ""
        if index and draw(st.integers(0, 3)) == 0:
            parent = f" inherits c_{WORDS[draw(st.integers(0, index - 1))]}"
        type_ = draw(st.sampled_from(["", "", "", "", "String ", "Optional[Integer] "]))
        default = draw(st.sampled_from([" = 'dflt'", " = 'w'", " = undef", " = $title", ""]))
        body = draw(bodies(1, f"c{index}"))
        parts.append(f"class c_{word}({type_}$p{default}){parent} {{\n{body}\n}}")
        inner = draw(bodies(1, f"d{index}"))
        parts.append(f"define d_{word}({type_}$p = 1) {{\n{inner}\n}}")
    parts.append(draw(bodies(2, "top")))
    if draw(st.integers(0, 3)) == 0:
        parts.append(f"node default {{\n{draw(bodies(1, 'node'))}\n}}")
    return "\n".join(parts) + "\n"
