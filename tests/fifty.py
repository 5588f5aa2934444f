"""A control repository with fifty nodes: the one of the examples, with more machines.

Three operating systems and every role, in turn; a machine with a number of its own, so that no two
catalogs are equal.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

CONTROL = Path(__file__).parents[1] / "examples" / "control"

SYSTEMS = (
    ("Debian", "Debian", "12"),
    ("Ubuntu", "Debian", "22.04"),
    ("RedHat", "RedHat", "8"),
)
ROLES = {"webserver": "web", "database": "db", "bastion": "bastion"}


def write(folder: Path, count: int = 50) -> list[str]:
    """Copies the example to a new folder with `count` machines; their names in order."""
    shutil.copytree(CONTROL, folder)
    nodes = folder / "data" / "nodes"
    patterns = {role: nodes / f"{short}1.example.com.yaml" for role, short in ROLES.items()}
    texts = {
        role: path.read_text() if path.exists() else f"role: {role}\n"
        for role, path in patterns.items()
    }
    shutil.rmtree(folder / "facts")
    (folder / "facts").mkdir()
    names = []
    for number in range(count):
        role = list(ROLES)[number % 3]
        short = f"{ROLES[role]}{number // 3 + 1}"
        name = f"{short}.example.com"
        names.append(name)
        facts = facts_of(short, number)
        (folder / "facts" / f"{name}.json").write_text(json.dumps(facts, indent=2))
        (nodes / f"{name}.yaml").write_text(texts[role])
    return sorted(names)


def facts_of(host: str, number: int) -> dict[str, Any]:
    """What a machine says of itself."""
    system, family, major = SYSTEMS[number // 3 % 3]
    return {
        "networking": {
            "hostname": host,
            "domain": "example.com",
            "fqdn": f"{host}.example.com",
            "ip": f"192.0.2.{number + 1}",
        },
        "os": {
            "name": system,
            "family": family,
            "release": {"major": major, "full": major},
        },
        "kernel": "Linux",
        "virtual": "kvm" if number % 2 else "physical",
        "is_virtual": bool(number % 2),
        "memory": {"system": {"total_bytes": (number % 4 + 1) * 2**30}},
        "ssh": {"ed25519": {"key": f"AAAA{host}"}},
    }
