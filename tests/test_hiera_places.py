"""Parameters of classes that are found without a search leave what a search leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

import thousands
from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from headwater.fleet.site import find_site
from headwater.langs.puppet.adapter import LateCauses
from headwater.langs.puppet.hiera.config import Level
from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.hiera.merge import Found
from headwater.langs.puppet.hiera.misses import Come, record_of
from headwater.langs.puppet.hiera.search import Search

MORE = """\
lookup_options:
  service0::servers: {merge: unique}
service2::package: "two of %{facts.os.family}"
service3::package: "%{lookup('service2::package')}, three"
service4::servers: [a, "%{trusted.certname}"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve roles, of which one has a module with data of its own."""
    thousands.write(tmp_path, 24)
    with (tmp_path / "data/common.yaml").open("a") as file:
        file.write(MORE)
    own = tmp_path / "modules/service1"
    (own / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: own, path: common.yaml}]\n")
    thousands.put(own / "data/common.yaml", "service1::port: 81\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_found_at_once_is_what_a_search_finds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found_at_once: set[str] = set()
    found = Search.found

    def noted(self: Search, level: Level, path: str, record: LookupRecord) -> Found:
        found_at_once.add(record.key)
        return found(self, level, path, record)

    monkeypatch.setattr(Search, "found", noted)
    site = find_site()
    assert site is not None
    compared = 0
    for node in site.inventory.names:
        outcome = compile_request(site.request(Request(), node)).outcome
        assert outcome.result is not None, outcome.diagnostics
        assert isinstance(outcome.causes, LateCauses)
        compilation = outcome.causes.compilation
        for resource in compilation.catalog.resources:
            for name, param in resource.params.items():
                if param.how == "hiera":
                    record = record_of(param.detail)
                    assert record is not None
                    if isinstance(param.detail, Come):
                        found_at_once.add(record.key)
                    search = Search(compilation.services.hiera.layers, param.frame)
                    assert search.lookup(record.key, None) == record.value, (node, name)
                    assert search.record == record, (node, record.key)
                    compared += 1
        for key in compilation.services.hiera.missed:
            search = Search(compilation.services.hiera.layers, compilation.record.top)
            search.lookup(key, None)
            missed = compilation.services.hiera.miss(key)
            assert missed is not None
            assert search.record.tried == missed.tried
    assert compared > 400
    assert {"service2::package", "service3::package", "service1::port"} <= found_at_once
    assert "service0::servers" not in found_at_once, "it has options"
