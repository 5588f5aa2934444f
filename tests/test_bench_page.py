"""The page of the figures: what scripts print is put into their places, and each has a place."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
NO_SCRIPTS = {"given", "warm_puppet", "page"}
"""What the scripts share, and what writes the page."""

TEXT = """\
before
<!-- bench/one.py --rounds 2 -->
<!-- end -->
between
<!-- bench/two.py -->
as it was
<!-- end -->
after
"""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    spec = importlib.util.spec_from_file_location("page", ROOT / "bench" / "page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_a_script_prints_is_put_into_its_place_again_and_again(page: ModuleType) -> None:
    once = page.put(TEXT, "one", "first\n", "*told*")

    assert page.places(TEXT) == [("one", ["--rounds", "2"]), ("two", [])]
    assert "$ python bench/one.py --rounds 2\nfirst\n```\n\n*told*\n<!-- end -->\nbetween" in once
    assert "as it was\n<!-- end -->\nafter" in once
    assert page.put(once, "one", "first\n", "*told*") == once
    assert "first" not in page.put(once, "one", "second", "*told*")


def test_every_benchmark_has_a_place_that_is_filled(page: ModuleType) -> None:
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    scripts = {path.stem for path in (ROOT / "bench").glob("*.py")} - NO_SCRIPTS
    places = [found[2] for found in page.PLACE.finditer(text)]
    empty = [found[2] for found in page.PLACE.finditer(text) if "```" not in found[4]]

    assert sorted(places) == sorted(scripts)
    assert empty == []
