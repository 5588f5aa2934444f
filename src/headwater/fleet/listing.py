"""The nodes of a repository with what is known of them: role, environment, age of the facts."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from headwater.ask.request import BadRequest, Request
from headwater.fleet.config import BadRepository
from headwater.fleet.inventory import age
from headwater.fleet.site import Site
from headwater.report import Diagnostic


class Row(msgspec.Struct, frozen=True):
    """One node."""

    node: str
    role: str | None
    role_from: str | None
    environment: str | None
    facts: str | None
    age: float | None
    """Seconds since the facts were gathered, or written."""

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        return {
            "node": self.node,
            "role": self.role,
            "role_from": self.role_from,
            "environment": self.environment,
            "facts": self.facts,
            "age_seconds": None if self.age is None else round(self.age),
        }


class Listing(msgspec.Struct, frozen=True):
    """The nodes, and those that are left out."""

    rows: tuple[Row, ...]
    skipped: tuple[Diagnostic, ...]

    def as_json(self) -> dict[str, Any]:
        """The document of the machine interface."""
        return {
            "format_version": 1,
            "nodes": [row.as_json() for row in self.rows],
            "skipped": [one.as_json() for one in self.skipped],
        }


def listing(site: Site, words: Sequence[str], request: Request) -> Listing:
    """The nodes that words mean.  Raises `BadRequest` and `BadRepository`."""
    chosen = site.select(words, request)
    rows: list[Row] = []
    nobody = site.without_nodes()
    skipped = [*chosen.skipped, *([nobody] if nobody else ())]
    now = time.time()
    for name in chosen.names:
        node = site.inventory.nodes[name]
        try:
            one, environment = _placed(site, request, name)
            about = site.about(one)
        except BadRepository as bad:
            skipped.append(site.skipped(name, bad.diagnostics))
            continue
        old = age(node, about.gathered, now)
        rows.append(Row(name, about.role, about.role_from, environment, node.facts, old))
    return Listing(tuple(rows), tuple(skipped))


def _placed(site: Site, request: Request, name: str) -> tuple[Request, str | None]:
    """The request about a node, and the name of its environment, if that is known."""
    try:
        made = site.request(request, name)
    except BadRequest:
        return site.apart(request, name), None
    return made, os.path.basename(os.path.abspath(str(made.inputs[site.env])))
