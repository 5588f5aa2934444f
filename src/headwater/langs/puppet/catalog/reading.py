"""Catalogs as other compilers print them, and what of them can be compared."""

from __future__ import annotations

import json
from typing import Any

from headwater.tree import Value


def read_catalog(text: str) -> Any:  # noqa: ANN401
    """The catalog in what was printed; lines before and after it do not count.

    Raises `ValueError`.
    """
    start = text.find("{")
    if start < 0:
        raise ValueError("there is no catalog in it")
    read, _ = json.JSONDecoder().raw_decode(text[start:])
    return read


def comparable(catalog: Any) -> Value:  # noqa: ANN401
    """Resources by name, each with its parameters, and edges; in order of name.

    Tags are left out: a compiler adds those of the files it runs from.
    """
    if not isinstance(catalog, dict) or not isinstance(catalog.get("resources"), list):
        read: Value = catalog
        return read
    resources: dict[str, Any] = {
        f"{each.get('type')}[{each.get('title')}]": {
            "exported": bool(each.get("exported")),
            "parameters": dict(sorted((each.get("parameters") or {}).items())),
        }
        for each in catalog["resources"]
    }
    found = catalog.get("edges") or []
    edges: list[Any] = sorted(f"{edge.get('source')} -> {edge.get('target')}" for edge in found)
    return {"resources": dict(sorted(resources.items())), "edges": edges}
