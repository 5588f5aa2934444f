"""The provenance of a result as W3C PROV, in its JSON form (PROV-JSON).

Inputs and values are entities, the compilation is the activity that used the ones and generated
the others, authors of lines are agents.  A value *was derived from* the inputs it is made of
(from a primary source, where it was copied), *was influenced by* all else that it depends on, and
*was a revision of* the values that it overrode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headwater.ask.addresses import find_value
from headwater.ask.authors import Author, Authors
from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.document import Numbering
from headwater.ask.views import Views
from headwater.langs import Address
from headwater.langs.questioned import in_a_row
from headwater.report import Diagnostic
from headwater.tree.json import compact
from headwater.why import Label, Masked, leaves

NAMESPACE = "urn:headwater:"
ACTIVITY = "hw:compilation"


@paused_collector()
def prov_document(compiled: Compiled, under: str | None = None) -> dict[str, Any] | Diagnostic:
    """The document of all values of a result, or of those under an address."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    prefix: Address = ()
    if under is not None:
        found = find_value(compiled, under)
        if isinstance(found, Diagnostic):
            return found
        prefix = found[0]
    values = [(a, v) for a, v in result.walk() if a[: len(prefix)] == prefix]
    with in_a_row(causes):
        views = {address: Views(causes, address) for address, _ in values}
    number = Numbering(label for view in views.values() for label in view.labels())
    document = _Document()
    document.add("activity", ACTIVITY, {"prov:label": f"compiled by {compiled.language.name}"})
    authors = Authors()
    for index, label in enumerate(number.labels):
        _add_input(document, f"hw:input-{index}", label, authors)
    for index, (address, value) in enumerate(values):
        name = f"hw:value-{index}"
        shown = compiled.language.show_address(address)
        document.add("entity", name, {"prov:label": shown, "prov:value": compact(value)})
        document.relate("wasGeneratedBy", entity=name, activity=ACTIVITY)
        _add_causes(document, name, views[address], number)
    return document.as_json()


class _Document:
    """A document that is being made: records by kind and name."""

    def __init__(self) -> None:
        self._records: dict[str, dict[str, dict[str, Any]]] = {}
        self._count = 0

    def add(self, kind: str, name: str, about: dict[str, Any]) -> None:
        """Adds an entity, activity or agent, once."""
        self._records.setdefault(kind, {}).setdefault(name, about)

    def relate(self, kind: str, *, type: str | None = None, **ends: str) -> None:
        """Adds a relation between two things."""
        self._count += 1
        about: dict[str, Any] = {f"prov:{role}": name for role, name in ends.items()}
        if type is not None:
            about["prov:type"] = {"$": type, "type": "prov:QUALIFIED_NAME"}
        self._records.setdefault(kind, {})[f"_:r{self._count}"] = about

    def as_json(self) -> dict[str, Any]:
        """The document in PROV-JSON."""
        return {"prefix": {"hw": NAMESPACE}, **self._records}


def _add_input(document: _Document, name: str, label: Label, authors: Authors) -> None:
    line, column = label.at.first
    document.add(
        "entity",
        name,
        {
            "prov:label": label.text,
            "prov:location": f"{label.at.source.name}:{line}:{column}",
            "prov:type": {"$": f"hw:{label.kind}", "type": "prov:QUALIFIED_NAME"},
        },
    )
    document.relate("used", activity=ACTIVITY, entity=name)
    author = authors.of(label.at.source, line)
    if author is not None:
        document.add("agent", _agent(author), {"prov:label": author.name})
        document.relate("wasAttributedTo", entity=name, agent=_agent(author))


def _agent(author: Author) -> str:
    """A name for an author, of the characters that names may have."""
    return "hw:author-" + "".join(c if c.isascii() and c.isalnum() else "_" for c in author.name)


def _add_causes(document: _Document, name: str, views: Views, number: Numbering) -> None:
    origins = set(views.origins)
    made_of = leaves(views.expression) | origins
    for label in views.depends:
        source = f"hw:input-{number(label)}"
        if label in origins:
            document.relate("wasDerivedFrom", type="prov:PrimarySource",
                            generatedEntity=name, usedEntity=source)  # fmt: skip
        elif label in made_of:
            document.relate("wasDerivedFrom", generatedEntity=name, usedEntity=source)
        else:
            document.relate("wasInfluencedBy", influencee=name, influencer=source)
    for lost in _written(views.masked):
        document.relate("wasDerivedFrom", type="prov:Revision",
                        generatedEntity=name, usedEntity=f"hw:input-{number(lost)}")  # fmt: skip


def _written(masked: Iterable[Masked]) -> Iterator[Label]:
    """Where the values stand that were overridden, each once."""
    yield from dict.fromkeys(lost.where for lost in masked if lost.where is not None)
