"""Real Puppet beside the calculus: the same manifest, and whether the two agree.

Compared are type, title and parameters of native resources, as a set, or that both refuse.
Settings as the papers have them: strict_variables on, no facts.
"""

from __future__ import annotations

import atexit
import functools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headwater.ask import Request, compile_request
from headwater.text import Source
from peers.puppet import ABSENT, installed

ORACLE = Path(__file__).with_name("puppet") / "oracle.rb"
Catalog = frozenset[tuple[str, str, str]]


class Oracle:
    """A running Puppet that compiles."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            ["ruby", str(ORACLE), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        atexit.register(self.process.terminate)

    def compile(self, code: str, node: str, *, strict: bool = True) -> Catalog | None:
        """The native resources of a manifest, or None if Puppet refuses it."""
        job = {
            "code": code,
            "node": node,
            "facts": {},
            "settings": {"strict_variables": strict},
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the Ruby process ended"
        answer: dict[str, Any] = json.loads(line)
        if not answer["ok"]:
            return None
        return native_resources(answer["catalog"])


def native_resources(catalog: dict[str, Any]) -> Catalog:
    """Type, title and parameters of what a catalog has of built-in types."""
    return frozenset(
        (r["type"], r["title"], canonical(r.get("parameters", {})))
        for r in catalog["resources"]
        if r.get("kind") == "compilable_type" and (r["type"], r["title"]) != ("Stage", "main")
    )


def canonical(value: object) -> str:
    """Parameters in a form that compares; 1 and true stay apart."""
    return json.dumps(value, sort_keys=True)


@functools.cache
def oracle() -> Oracle:
    """The peer, or the reason why a test is skipped."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


@functools.lru_cache(maxsize=8)
def real(code: str, node: str, *, strict: bool) -> Catalog | None:
    """What Puppet makes of a manifest."""
    return oracle().compile(code, node, strict=strict)


def ours(code: str, node: str, dialect: str, *, strict: bool = True) -> Catalog | str:
    """The resources as the calculus has them, or the code of the refusal."""
    outcome = compile_request(
        Request(
            sources=(Source("peer.pp", code),),
            dialect=dialect,
            engine="paper",
            inputs={"node": node, "settings": {"strict_variables": strict}},
        )
    ).outcome
    if outcome.result is None:
        return outcome.errors[0].code
    resources: Any = outcome.result.plain()
    return frozenset(
        (r["type"], r["title"], canonical(r["parameters"])) for r in resources["resources"]
    )


def compiled(code: str, node: str, *, strict: bool = True) -> Catalog | str:
    """The native resources as the fast compiler has them, or the code of the refusal."""
    outcome = compile_request(
        Request(
            sources=(Source("peer.pp", code),),
            engine="engine",
            inputs={
                "node": node,
                "facts": {},
                "settings": {"strict_variables": strict},
                "puppet": 7,
            },
        )
    ).outcome
    if outcome.result is None:
        return outcome.errors[0].code
    catalog: Any = outcome.result.plain()
    return native_resources(catalog)


def verdict(code: str, node: str, dialect: str, *, strict: bool = True) -> str:
    """``agree``, ``beyond`` or what is different."""
    mine = ours(code, node, dialect, strict=strict)
    return "beyond" if mine == "beyond-paper" else compared(mine, code, node, strict=strict)


def compared(mine: Catalog | str, code: str, node: str, *, strict: bool = True) -> str:
    """``agree`` or what is different from real Puppet."""
    theirs = real(code, node, strict=strict)
    if isinstance(mine, str):
        return "agree" if theirs is None else f"we refuse it: {mine}"
    if theirs is None:
        return "Puppet refuses it"
    return "agree" if mine == theirs else f"ours {sorted(mine)}, theirs {sorted(theirs)}"
