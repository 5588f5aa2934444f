"""``headwater export --prov``: a document that other programs of PROV read."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from prov.model import (
    ProvActivity,
    ProvAgent,
    ProvAttribution,
    ProvDerivation,
    ProvDocument,
    ProvEntity,
    ProvInfluence,
    ProvUsage,
)

from headwater.cli.main import cli

EXAMPLES = Path(__file__).parents[1] / "examples"


def exported(*words: str) -> ProvDocument:
    done = CliRunner().invoke(cli, ["export", "--prov", *words])
    assert done.exit_code == 0, done.output
    document = ProvDocument.deserialize(content=done.stdout, format="json")
    assert json.loads(str(document.serialize(format="json")))
    return document


def labelled(document: ProvDocument, label: str) -> ProvEntity:
    (found,) = [e for e in document.get_records(ProvEntity) if str(e.label) == label]
    assert isinstance(found, ProvEntity)
    return found


@pytest.mark.parametrize(
    "words",
    [
        ["firewall.sf"],
        ["counter.opal"],
        ["l3-firefighter/crew.l3"],
        ["web.pp"],
        ["control", "--node", "web1.example.com", "--facts",
         str(EXAMPLES / "control/facts/web1.example.com.json")],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_the_package_prov_loads_the_document(words: list[str]) -> None:
    document = exported(str(EXAMPLES / words[0]), *words[1:])

    entities = {e.identifier for e in document.get_records(ProvEntity)}
    assert len(entities) > 5
    assert len(list(document.get_records(ProvActivity))) == 1
    relations = [*document.get_records(ProvDerivation), *document.get_records(ProvInfluence),
                 *document.get_records(ProvUsage)]  # fmt: skip
    assert relations
    for relation in relations:
        ends = [value for _, value in relation.formal_attributes if value is not None]
        assert all(end in entities or str(end) == "hw:compilation" for end in ends)


def test_what_is_copied_has_a_primary_source_and_what_is_overridden_a_revision() -> None:
    document = exported(str(EXAMPLES / "firewall.sf"), "testServer.public")
    value = labelled(document, "testServer.public")
    kinds: dict[str, list[str]] = {}
    for one in document.get_records(ProvDerivation):
        (_, generated), (_, used) = one.formal_attributes[:2]
        assert generated == value.identifier
        (source,) = [e for e in document.get_records(ProvEntity) if e.identifier == used]
        (kind,) = one.get_asserted_types() or [None]
        (place,) = source.get_attribute("prov:location")
        kinds.setdefault(str(kind), []).append(str(place).rpartition("examples/")[2])
    assert kinds == {"prov:PrimarySource": ["firewall.sf:19:13"],
                     "prov:Revision": ["firewall.sf:7:11"]}  # fmt: skip


def test_authors_are_agents(tmp_path: Path) -> None:
    site = tmp_path / "a.sf"
    site.write_text("sfConfig extends { a 1; }\n")
    for words in (
        ["init", "-q"],
        ["add", "a.sf"],
        ["-c", "user.name=Ada Lovelace", "-c", "user.email=a@example.com", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, timeout=60)
    document = exported(str(site))
    (agent,) = document.get_records(ProvAgent)
    assert str(agent.label) == "Ada Lovelace"
    assert list(document.get_records(ProvAttribution))


def test_secrets_are_not_exported_and_a_wrong_address_is_told(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_text("user { 'u': password => Sensitive('hunter2') }\n")
    done = CliRunner().invoke(cli, ["export", "--prov", str(site)])
    assert "hunter2" not in done.output
    done = CliRunner().invoke(cli, ["export", "--prov", str(site), "User[v]"])
    assert done.exit_code == 1
    assert "unknown-address" in done.output
