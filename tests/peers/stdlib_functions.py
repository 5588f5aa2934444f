"""Functions of stdlib, called here and by real Puppet."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from headwater.langs.protocol import Job
from headwater.langs.puppet.engine.compile import compile_catalog, new_compilation
from headwater.langs.puppet.engine.inputs import read_inputs
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.program.parsing import SyntaxFault, parsed_unit
from headwater.text import Source
from peers.puppet_types.compare import SCRIPT, bare
from peers.puppet_types.evaluate import written
from peers.stdlib_calls import MODULES

FACTS: dict[str, object] = {"networking": {"fqdn": "node.example.com"}}
ALL_FACTS = {
    **FACTS, "hostname": "node", "domain": "example.com", "fqdn": "node.example.com",
    "clientcert": "node.example.com", "clientversion": "7.23.0", "clientnoop": False,
}  # fmt: skip
"""With what a node says of itself."""
_BUILT_IN = frozenset(["Stage[main]", "Class[Settings]", "Class[main]"])


_OUTSIDE = (
    "has_ip_address has_ip_network to_python to_ruby to_toml "
    "glob load_module_metadata loadjson loadyaml parsehocon parseyaml pry pw_hash shuffle "
    "str2saltedpbkdf2 str2saltedsha512 time to_yaml validate_augeas validate_cmd "
    "validate_x509_rsa_key_pair"
)
BEYOND = frozenset(_OUTSIDE.split())
"""Functions that need files, programs, chance, the clock, or libraries that are not here."""


def laid_out(call: str) -> str:
    """A call and its arguments on lines of their own, so that places of errors can be told."""
    return "\n\n" + call.replace("(", "(\n", 1)


def theirs(codes: list[str]) -> list[dict[str, Any]]:
    """Real Puppet's answers, by one process."""
    jobs = [
        {"id": number, "code": laid_out(code), "facts": ALL_FACTS}
        for number, code in enumerate(codes)
    ]
    done = subprocess.run(
        ["ruby", str(SCRIPT), str(MODULES)], input="".join(json.dumps(job) + "\n" for job in jobs),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(code: str) -> dict[str, Any]:
    """Our answer: the value, or why there is none, and what was declared."""
    source = Source("x.pp", f"$r = {laid_out(code)}\n")
    job = Job((source,), Fields(facts=FACTS, modulepath=str(MODULES), puppet=7))
    inputs = read_inputs(job.inputs, job.texts)
    try:
        unit = parsed_unit(source, None, [str(MODULES)], inputs.reading)
    except SyntaxFault as fault:
        first = fault.errors[0]
        return {
            "ok": False, "error": str(fault), "code": first.code, "line": first.at.first.line,
        }  # fmt: skip
    compilation = new_compilation([unit], inputs)
    try:
        compile_catalog(compilation)
    except Fault as fault:
        found = fault.diagnostic
        return {
            "ok": False, "error": found.message, "code": found.code, "line": found.at.first.line,
        }  # fmt: skip
    except Problem as problem:
        return {"ok": False, "error": str(problem.fields), "code": problem.code.name, "line": None}
    declared = [
        [
            one.ref,
            [
                [name, written(param.value)]
                for name, param in one.params.items()
                if param.value is not None
            ],
        ]
        for one in compilation.catalog.resources
        if one.ref not in _BUILT_IN
    ]
    value = compilation.record.top.vars["r"]
    return {"ok": True, "value": written(value), "resources": declared}


def verdict(real: dict[str, Any], mine: dict[str, Any]) -> str:
    """How two answers compare: ``agree``, or in what they differ."""
    if mine.get("code") == "puppet-ruby-beyond":
        return "beyond"
    if real["ok"] != mine["ok"]:
        return "refusal"
    if not real["ok"]:
        if real["line"] and real["line"] != mine["line"]:
            return "line"
        ours_ = mine["code"] not in ("puppet-ruby-error", "puppet-fail")
        shown = "#<" in real["error"] or "Scope(x.pp" in real["error"]  # objects of the peer
        same = ours_ or shown or bare(real["error"]) == bare(mine["error"])
        return "agree" if same else "message"
    if real["value"] != mine["value"]:
        return "value"
    declared = [one for one in real["resources"] if one[0] not in _BUILT_IN]
    return "agree" if declared == mine["resources"] else "resources"
