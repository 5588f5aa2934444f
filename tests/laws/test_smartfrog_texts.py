"""The laws of causes on the specifications that people wrote: the cases, and the peers' probes.

D1  no output changes unless the edited input, or the miss that is filled, is in its `depends`

These have what no generator writes: names that are made for ``--``, a list of phases, schemas.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cases import all_cases
from laws.production import Run, only_what_depends_changes
from laws.profile import examples
from laws.test_smartfrog_production import only_what_records_a_miss_changes

PROBES = Path(__file__).parents[1] / "peers" / "smartfrog"
REFERENCES = 8
"""How many other references a reference is changed to."""


def texts() -> Iterator[tuple[str, str, str]]:
    """Name, dialect and text of everything that compiles by itself in these dialects."""
    for case in all_cases():
        files = [body for name, body in case.sections.items() if not name.startswith("out.")]
        if case.name.startswith("smartfrog/") and len(files) == 1 and "options" not in case.headers:
            yield case.name, case.headers.get("dialect", "extended"), files[0]
    for path in sorted(PROBES.rglob("*.sf")):
        for dialect in ("production", "extended"):
            yield f"{path.parent.name}/{path.name}", dialect, path.read_text(errors="replace")


TEXTS = list(texts())


@pytest.mark.parametrize("dialect", ["production", "extended"])
def test_d1_what_an_edit_changes_in_texts_that_people_wrote(
    dialect: str, record_property: Callable[[str, object], None]
) -> None:
    tried = 0
    for name, of, text in TEXTS:
        before = Run(text, dialect) if of == dialect else None
        if before is None or not before.ok:
            continue
        edits = before.edits([*before.references()[:REFERENCES], "a", "b", "x"])
        edits += before.tag_edits() if dialect == "production" else []
        dice = random.Random(name)
        chosen = dice.sample(edits, min(examples(5, 1_000), len(edits)))
        only_what_depends_changes(before, chosen)
        only_what_records_a_miss_changes(before, examples(3, 1_000))
        tried += len(chosen)
    record_property("examples", tried)
    assert tried >= 200
