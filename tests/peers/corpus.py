"""The corpus: what Debian's modules can be asked for, compiled by us and by real Puppet.

A job is a class that needs no parameter, a class with values for those it needs, or a manifest
of a module's ``examples`` folder, for one of three machines.  An answer is told by its digest:
all of the catalog in the form in which two catalogs are compared, or where a refusal stands.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source
from peers import catalogs, puppet8
from peers.catalogs import FACTS, Oracle

MODULES = Path("/usr/share/puppet/modules")
PAGES = Path(__file__).resolve().parents[2] / "docs" / "laws"
Answer = dict[str, Any]

_RELEASES = {
    "debian12": None,
    "ubuntu2204": ("Ubuntu", "Debian", "22.04", "22.04", None, "jammy"),
    "rhel8": ("RedHat", "RedHat", "8.9", "8", "9", "Ootpa"),
}
"""Name, family, release, its major and minor part, code name; Debian's are in facts.json."""


@cache
def facts_of(machine: str) -> dict[str, Any]:
    """The facts of one of the machines."""
    facts: dict[str, Any] = copy.deepcopy(FACTS)
    release = _RELEASES[machine]
    if release is None:
        return facts
    name, family, full, major, minor, code = release
    parts = {"full": full, "major": major, **({} if minor is None else {"minor": minor})}
    facts["os"].update(name=name, family=family, release=parts)
    facts["os"]["distro"].update(
        codename=code, id=name, release=parts, description=f"{name} {full}"
    )
    facts.update(
        operatingsystem=name, osfamily=family, operatingsystemrelease=full,
        operatingsystemmajrelease=major, lsbdistid=name, lsbdistcodename=code,
        lsbdistrelease=full, lsbdistdescription=f"{name} {full}",
    )  # fmt: skip
    if family == "RedHat":
        facts["os"]["selinux"] = {
            "enabled": True, "enforced": True, "config_mode": "enforcing",
            "current_mode": "enforcing", "policy_version": "33", "config_policy": "targeted",
        }  # fmt: skip
        facts["selinux"] = True
    return facts


@cache
def versions() -> dict[str, str]:
    """The version of each module that is installed."""
    found = {}
    for path in sorted(MODULES.glob("*/metadata.json")):
        document: dict[str, Any] = json.loads(path.read_text())
        found[path.parent.name] = str(document.get("version"))
    return found


@dataclass(frozen=True, slots=True)
class Peer:
    """A Puppet that all of it is compared with."""

    level: int
    """Ours that follows it."""
    version: str
    library: Path | None
    """Where its Ruby files are, unless it is the one that is installed."""

    @property
    def page(self) -> Path:
        """What is told of the comparison."""
        return PAGES / ("puppet-modules.md" if self.library is None else "puppet-8-modules.md")

    @property
    def recorded(self) -> Path:
        """The digests of its answers."""
        name = "recorded.json" if self.library is None else "recorded_8.json"
        return catalogs.HERE / name

    def oracle(self) -> Oracle:
        """A process of it."""
        return Oracle("--modulepath", str(MODULES), library=self.library)


SEVEN = Peer(7, "7.23", None)
EIGHT = Peer(puppet8.NUMBER, "8.10", puppet8.library())


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """One compilation."""

    module: str
    name: str
    """The class, or the manifest's path in the module."""
    code: str
    machine: str

    @property
    def id(self) -> str:
        """What tells it from all others, whatever its values are."""
        return f"{self.module} {self.name} {self.machine}"


def jobs() -> list[CorpusJob]:
    """All of them, in a fixed order."""
    return [
        CorpusJob(module, name, code, machine)
        for module, name, code in _programs()
        for machine in _RELEASES
    ]


@cache
def _programs() -> tuple[tuple[str, str, str], ...]:
    found: list[tuple[str, str, str]] = []
    for folder in sorted(MODULES.iterdir()):
        for path in sorted(folder.glob("manifests/**/*.pp")):
            found += _classes(folder.name, path)
        for path in sorted(folder.glob("examples/**/*.pp")):
            name = str(path.relative_to(folder))
            found.append((folder.name, name, path.read_text("utf-8", "replace")))
    return tuple(found)


def _classes(module: str, path: Path) -> Iterator[tuple[str, str, str]]:
    source = Source.of_text(str(path), path.read_text("utf-8", "replace"))
    for node in parse(source).program.body:
        if isinstance(node, ast.ClassDef):
            needed = [p for p in node.params if p.default is None]
            if not needed:
                yield module, node.name, f"include {node.name}\n"
                continue
            given = "".join(f"  {p.name} => {_value(p, source)},\n" for p in needed)
            yield module, node.name, f"class {{ '{node.name}':\n{given}}}\n"


_VALUES = {
    "Integer": "80", "Numeric": "1", "Float": "1.5", "Boolean": "true", "Hash": "{}", "Array": "[]",
    "Optional": "undef", "Sensitive": "Sensitive('secret')", "Stdlib::Port": "8080",
    "Stdlib::Absolutepath": "'/srv/x'", "Stdlib::Unixpath": "'/srv/x'",
    "Stdlib::Fqdn": "'a.example.com'", "Stdlib::Host": "'a.example.com'", "Stdlib::HTTPUrl": "'http://a.example.com'",
    "Stdlib::Httpurl": "'http://a.example.com'", "Stdlib::Ensure::Service": "'running'",
}  # fmt: skip


def _value(param: ast.Param, source: Source) -> str:
    """A value for a parameter: one of its type where that is plain to see, else a word."""
    type_ = "" if param.type is None else source.text[param.type.start : param.type.end]
    head, _, rest = type_.partition("[")
    if head == "Enum":
        return rest.split(",")[0].rstrip("] ").strip()
    if head == "Array" and rest:
        return "['one']" if "String" in rest else "[]"
    if head == "Variant" and rest:
        return _VALUES.get(rest.split(",")[0].split("[")[0].strip(), "'word'")
    return _VALUES.get(head, "'word'")


# -- answers -----------------------------------------------------------------------------------


def asked(job: CorpusJob) -> dict[str, Any]:
    """The job as the oracle is asked."""
    return {"code": job.code, "filename": "code.pp", "facts": facts_of(job.machine)}


def ours(job: CorpusJob, level: int) -> Answer:
    """Our answer in the form of the oracle."""
    return catalogs.ours(
        job.code, facts=facts_of(job.machine), modulepath=str(MODULES), puppet=level
    )


def digest(answer: Answer) -> str:
    """What is compared of an answer, in few letters; a refusal is one whatever it says."""
    if not answer["ok"]:
        return "refused"
    catalog = answer["catalog"]
    kept = {key: catalog[key] for key in ("tags", "name", "environment", "classes", "edges")}
    order = [list(resource.get("parameters", ())) for resource in catalog["resources"]]
    text = json.dumps([kept, catalog["resources"], order], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
