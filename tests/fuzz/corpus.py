"""The programs and documents that mutations start from: our cases and examples."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from cases import Case, all_cases
from fuzz.texts import Pool

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def pools() -> dict[str, Pool]:
    """The programs of each ending, and of each flavour of them (``sf production``)."""
    found: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    for case in all_cases():
        to = found if "out.json" in case.sections else wrong
        for name, text in case.sections.items():
            if not name.startswith("out."):
                ending = name.rpartition(".")[2]
                to.setdefault(ending, []).append(text)
                to.setdefault(f"{ending} {flavour(case)}", []).append(text)
    for path in sorted(EXAMPLES.rglob("*")):
        if path.is_file():
            found.setdefault(path.suffix[1:], []).append(path.read_text(encoding="utf-8"))
    found["yaml"] += HIERA_TEXTS
    return {ending: Pool(texts, wrong.get(ending, ())) for ending, texts in found.items()}


def flavour(case: Case) -> str:
    """What a case needs besides its text: a dialect, the extensions, or the calculus."""
    if "--ext" in case.headers.get("options", ""):
        return "ext"
    return case.headers.get("dialect", "calculus" if case.of_calculus else "plain")


HIERA_TEXTS = [
    "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n"
    "  - {name: nodes, path: '%{trusted.certname}.yaml'}\n  - {name: all, glob: '*.yaml'}\n"
    "  - {name: mapped, mapped_paths: [roles, role, '%{role}.yaml']}\n"
    "  - name: common\n    paths: [common.yaml, c.json]\n",
    "k: v\nlist: [1, 2, 3]\nhash: {a: 1, b: [x, y]}\nalias: \"%{alias('list')}\"\n"
    "text: \"%{lookup('k')} and %{facts.os.family} %{hiera('list')} %{literal('%')}\"\n"
    "lookup_options:\n  list: {merge: unique}\n"
    "  hash: {merge: {strategy: deep, knockout_prefix: '--'}}\n"
    "  '^x': {convert_to: Integer}\nx1: '5'\n",
    "base: &base {a: 1}\nmore: {<<: *base, b: 2}\nday: 2024-01-01\nbig: 1_000\noctal: 010\n"
    "? complex\n: value\nmulti: |\n  line\n  line\nfolded: >-\n  a\n  b\nnull: ~\n? [a, b]\n: 1\n",
]

FACTS: dict[str, Any] = {
    "os": {"family": "Debian", "release": {"major": "12", "full": "12.1"}},
    "networking": {"fqdn": "web1.example.com", "interfaces": {"eth0": {"ip": "10.0.0.1"}}},
    "processors": {"count": 4, "models": ["a", "b"]}, "is_virtual": False, "role": "web",
    "none": None, "load": 0.5, "values": {"os": {"family": "RedHat"}},
}  # fmt: skip

JOBS: list[dict[str, Any]] = [
    {
        "id": 1,
        "lang": "smartfrog",
        "code": "sfConfig extends { a 1; b a; }",
        "why": True,
        "strict": True,
        "include": ["."],
        "filename": "a.sf",
        "timeout": 60,
    },
    {
        "id": "x",
        "lang": "smartfrog",
        "dialect": "production",
        "external": True,
        "phase": "link",
        "code": "sfConfig extends { a PROPERTY p; e ENVPROPERTY HOME; r extends random; }",
        "property": {"p": "v"},
        "env_allow": ["HOME"],
        "why": True,
    },
    {"lang": "l3", "code": "a: 1\nb: a\n", "engine": "paper", "rules": True, "why": True},
    {
        "lang": "puppet",
        "code": "notify { \"${facts['os']['family']}\": }",
        "node": "web1",
        "facts": FACTS,
        "trusted": {"extensions": {}},
        "classes": {"a": {"b": 1}},
        "modulepath": ["modules"],
        "why": True,
        "settings": {"strict_variables": True, "strict": "error"},
        "pre": "$a = 1",
        "post": "$b = 2",
        "set": ["k=v"],
        "on_unknown": "opaque",
        "keep_virtual": True,
        "env": ".",
        "hiera": "hiera.yaml",
    },
    {
        "lang": "puppet",
        "engine": "paper",
        "dialect": "like-puppet",
        "code": "notify { 'a': message => $x }",
        "facts": {"x": [1, {"a": None}]},
        "provenance": "thesis",
        "why": True,
        "rules": True,
    },
    {
        "lang": "opal",
        "code": "with n do { n.x := (n.y . ()) }",
        "initial": {"n.y": [[], []]},
        "ext": True,
        "endorse": ["n"],
        "at": "home",
        "why": True,
    },
    {
        "lang": "opal",
        "code": "skip",
        "initial": {"stores": {"n.y": {"nodes": [[], [0, 0]], "root": 1}}},
    },
    {"files": ["a.l3", "b.yaml"]},
    {"file": "a.sf"},
    {"manifest": "a.pp", "facts_file": "facts.json"},
]

FIELDS = sorted({name for job in JOBS for name in job})


@cache
def donors() -> list[Any]:
    """Parts of documents, to be put into others."""
    return [FACTS, *JOBS, *FACTS.values(), [json.dumps(FACTS)]]
