"""On µPuppet the compiler and the calculus (dialect like-puppet) agree, provenance included.

For every manifest that the calculus knows both refuse, or both accept; then the resources
and parameters are the same, and of every parameter, and every element of one:

- *where*: the same literal, or none; of what is put together, the compiler also says where;
- *expression*: the same operations over the same labels;
- *depends*: the same literals, keys, structures and inputs;
- *masked*: the same values with the same reasons, places and causes, in the same order.

Only labels of definitions, of misses and of places where a text or reference is put together
are the compiler's alone: the calculus has none.
Of what the whole output depends on the compiler names more, since its catalog has more:
classes, tags and edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from headwater.ask.views import Views
from headwater.langs.protocol import EngineName, Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.generate.calculus import Options, manifest
from headwater.langs.puppet.language import LANGUAGE
from headwater.text import Source
from headwater.why import Expression, Given, Label, depends
from laws.profile import examples

MODES = [
    pytest.param(Options(), True, id="strict"),
    pytest.param(Options(qualified=True), True, id="strict, qualified names"),
    pytest.param(Options(), False, id="undefined variables"),
]


def job(text: str, engine: EngineName, *, strict: bool) -> Job[Fields]:
    inputs = Fields(node="n1", settings={"strict_variables": strict}, puppet=7)
    return Job((Source("law.pp", text),), inputs, "like-puppet", engine)


_OF_THE_COMPILER = frozenset(["definition", "miss", "operation"])


def places(labels: Iterable[Label]) -> set[tuple[str, int, int]]:
    """Labels by kind and place, without those that the calculus does not have."""
    return {(x.kind, x.at.start, x.at.end) for x in labels if x.kind not in _OF_THE_COMPILER}


def formula(expression: Expression | None) -> object:
    match expression:
        case None:
            return None
        case Given(label=label):
            return label.kind, label.at.start, label.at.end
        case _:
            return expression.name, [formula(arg) for arg in expression.args]


def seen(views: Views) -> dict[str, Any]:
    """What both have to say about a value."""
    return {
        "where": places(x for x in views.origins if x.kind != "structure"),
        "expression": formula(views.expression),
        "depends": places(views.depends),
        "masked": [
            (m.value, m.reason, places([m.where] if m.where else []), places(m.by))
            for m in views.masked
        ],
    }


def compare(text: str, calculus: Outcome, compiler: Outcome) -> int:
    """Compares two outcomes; how many values there were."""
    assert calculus.result is not None
    assert compiler.result is not None
    assert calculus.causes is not None
    assert compiler.causes is not None
    there = [address for address, _ in calculus.result.walk()]
    own = {a[0] for a in there}
    natives = {f"{r['type']}[{r['title']}]" for r in compiler.result.plain()["resources"]}  # type: ignore[index]
    assert {ref for ref in natives if ref.startswith("Notify[")} == own, text
    for address in there:
        value = calculus.result.get(address)
        assert repr(compiler.result.get(address)) == repr(value), (address, text)
        if len(address) > 1:
            one, other = (Views(o.causes, address) for o in (calculus, compiler))  # type: ignore[arg-type]
            assert seen(other) == seen(one), (address, text)
    whole, more = (places(depends(o.causes.trace, o.causes.output())) for o in (calculus, compiler))  # type: ignore[union-attr]
    assert whole <= more, (whole - more, text)
    return len(there)


@pytest.mark.parametrize(("options", "strict"), MODES)
def test_compiler_and_calculus_agree_on_values_and_provenance(
    options: Options, strict: bool, record_property: Callable[[str, object], None]
) -> None:
    compared = 0
    for seed in range(examples(180, 20_000)):
        text = manifest(seed, options)
        calculus = LANGUAGE.compile(job(text, "paper", strict=strict))
        if any(d.code == "beyond-paper" for d in calculus.errors):
            continue
        compiler = LANGUAGE.compile(job(text, "engine", strict=strict))
        if calculus.result is None or compiler.result is None:
            assert calculus.result is compiler.result, (text, compiler.errors, calculus.errors)
            continue
        compared += compare(text, calculus, compiler)
    assert compared > 100
    record_property("examples", compared)
