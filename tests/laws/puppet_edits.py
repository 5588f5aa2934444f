"""Changed literals in programs of Puppet, and what the outputs of the compiler say about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.adapter import compile_job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source
from headwater.tree import Address
from headwater.why import Label, depends

WORDS = ("'u'", "'v'", "'a'", "'b'", "1", "2", "3", "true", "false", "undef")
VALUES = (ast.Integer, ast.Boolean, ast.String, ast.Name, ast.Undef)
Place = tuple[str, int, int]


def literals(text: str) -> list[tuple[int, int, bool]]:
    """The places of the literals that are values, and whether they stand within a string.

    Names of types, functions and classes are not values: to change one of them is to change
    the program's structure.
    """
    parsed = parse(Source("law.pp", text))
    assert parsed.ok, text
    found: list[tuple[int, int, bool]] = []
    todo: list[tuple[Any, bool]] = [(node, False) for node in parsed.program.body]
    while todo:
        node, inside = todo.pop()
        match node:
            case ast.Interpolated(segments=segments):
                todo += [(segment, isinstance(segment, ast.String)) for segment in segments]
                continue
            case ast.Resource(type=ast.Name(value="class"), bodies=bodies):
                todo += [(op, False) for body in bodies for op in body.operations]
                continue
            case ast.Resource(bodies=bodies):
                todo += [(body, False) for body in bodies]
                continue
            case ast.Call(function=ast.Name(value="include" | "contain" | "require")):
                continue
            case ast.Call(args=args, block=block):
                todo += [(one, False) for one in (*args, block) if one is not None]
                continue
            case ast.Method(receiver=receiver, args=args, block=block):
                todo += [(one, False) for one in (receiver, *args, block) if one is not None]
                continue
            case ast.Access(left=ast.TypeName(value="Class")):
                continue
            case ast.Collect(query=query, operations=operations):
                todo += [(one, False) for one in (*operations, *_compared(query))]
                continue
            case _ if isinstance(node, VALUES):
                found.append((node.start, node.end, inside))
        if isinstance(node, ast.Record):
            todo += [(part, False) for part in ast.children(node)]
    return sorted(found)


def _compared(query: object) -> Iterator[Any]:
    """The values in a query."""
    if isinstance(query, ast.Binary) and query.op in ("and", "or"):
        yield from _compared(query.left)
        yield from _compared(query.right)
    elif isinstance(query, ast.Binary):
        yield query.right
    elif isinstance(query, ast.Paren):
        yield from _compared(query.value)


def other_text(random: Random, old: str, inside: bool) -> str:
    """Another literal than the one written."""
    if inside:
        return random.choice([word for word in ("s", "t", "q") if word != old])
    return random.choice([word for word in WORDS if word != old])


def edited(text: str, edits: Mapping[tuple[int, int], str]) -> str:
    """The text with stretches replaced."""
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def compiled(text: str, **inputs: Any) -> Outcome:  # noqa: ANN401
    """The outcome of a text, at the level where a variable may be missing."""
    return compile_job(Job((Source("law.pp", text),), Fields(**{"puppet": 7, **inputs})))


def outputs(outcome: Outcome) -> dict[Address, Any]:
    """Every output: resources, their parameters, tags and the edges to what contains them."""
    result: Any = outcome.result
    found: dict[Address, Any] = {}
    for data in result.data["resources"]:
        ref = f"{data['type']}[{data['title']}]"
        found[ref,] = True
        for name, value in data.get("parameters", {}).items():
            found[ref, name] = value
        for tag in data["tags"]:
            found[ref, "@tags", tag] = tag
    for edge in result.data["edges"]:
        found[edge["target"], "@edges", edge["source"]] = edge["source"]
    return found


@dataclass
class First:
    """The first run of a program, and what each of its outputs depends on."""

    outputs: dict[Address, Any]
    depends: dict[Address, frozenset[Place]]
    output: frozenset[Place]


def places(labels: list[Label]) -> frozenset[Place]:
    """Labels by file and place; what was missed also by its name."""
    return frozenset(
        (f"{x.at.source.name}{f'#{x.text}' if x.kind == 'miss' else ''}", x.at.start, x.at.end)
        for x in labels
    )


def first_run(text: str, **inputs: object) -> First | None:
    """The first run, or None if the program is refused."""
    outcome = compiled(text, **inputs)
    if outcome.result is None:
        return None
    causes = outcome.causes
    assert causes is not None
    found = outputs(outcome)
    known = {a: places(depends(causes.trace, causes.of(a))) for a in found}
    return First(found, known, places(depends(causes.trace, causes.output())))


def missed(first: First, after: Outcome, changed: set[Place]) -> Iterator[tuple[str, Address]]:
    """Outputs that changed although they depend on none of the changed places."""
    if after.result is None:
        return
    now = outputs(after)
    for address, value in first.outputs.items():
        if first.depends[address] & changed:
            continue
        if address not in now:
            yield "gone", address
        elif repr(now[address]) != repr(value):
            yield "changed", address
    if set(now) != set(first.outputs) and not first.output & changed:
        yield "set", ()
