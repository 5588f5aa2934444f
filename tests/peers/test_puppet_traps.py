"""Programs on which an implementer's guess is wrong: Puppet's recorded answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from peers.catalogs import HERE, difference, ours

TRAPS = sorted((HERE / "traps").glob("*.pp"))


def answer(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What Puppet said and what we say."""
    real = json.loads(path.with_suffix(".json").read_text())
    inputs: dict[str, Any] = {}
    job = path.with_suffix(".job.json")
    if job.exists():
        inputs = json.loads(job.read_text())
    if "hiera" in inputs:
        inputs["hiera"] = str(path.parent / inputs["hiera"])
    return real, ours(path.read_text(), path.name, **inputs)


@pytest.mark.parametrize("path", TRAPS, ids=lambda path: path.stem)
def test_the_catalog_or_the_refusal_is_puppets(path: Path) -> None:
    assert difference(*answer(path)) is None


def main() -> None:
    """Prints which traps agree."""
    good = 0
    for path in TRAPS:
        try:
            found = difference(*answer(path))
        except Exception as error:  # noqa: BLE001
            found = f"{type(error).__name__}: {error}"
        if found is None:
            good += 1
        else:
            print(f"{path.stem}: {found[:600]}")
    print(f"{good} of {len(TRAPS)} traps agree")


if __name__ == "__main__":
    main()
