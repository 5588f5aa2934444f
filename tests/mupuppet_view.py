"""What the calculus µPuppet and the Puppet compiler both say: the form of cases for both.

A catalog of the compiler has more in it (classes, tags, edges, line numbers), and labels that
the calculus does not have (definitions, misses); a case that both must pass shows the rest.
"""

from __future__ import annotations

from typing import Any

from headwater.why import Label

ALONE = ("Class", "Node")


def compiler_inputs(inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs for the compiler: the calculus is strict, and its node is called default.

    The calculus has no levels; the answers that both give are those of Puppet 7.23.
    """
    settings = {"strict_variables": "true"}
    return {"node": "default", "puppet": 7, "settings": settings, **inputs}


def common(document: Any, defines: set[str]) -> object:  # noqa: ANN401
    """The resources with type, title and parameters, without those the calculus has not."""
    return {
        "resources": [
            {"type": r["type"], "title": r["title"], "parameters": r.get("parameters", {})}
            for r in document["resources"]
            if r["type"] not in ALONE and r["type"].lower() not in defines
            if (r["type"], r["title"]) != ("Stage", "main")
        ]
    }


def is_common(label: Label) -> bool:
    """Whether the calculus has labels of this kind."""
    return label.kind not in ("definition", "miss")
