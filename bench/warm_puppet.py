"""Real Puppet, warm: the nodes of one environment in one process that keeps what it parsed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from headwater.ask.compile import compile_request  # noqa: E402
from headwater.ask.request import Request  # noqa: E402
from headwater.fleet.site import Site  # noqa: E402
from peers.catalogs import SERVER, difference  # noqa: E402

SETTINGS = {**SERVER, "strict": "error", "strict_variables": True}
AS_PUPPET = Request(inputs={"puppet": 7, "settings": SETTINGS})
"""What makes us compile as this Puppet does."""


class Puppet:
    """The process, for the environment `name` in the folder `around`."""

    def __init__(self, around: Path, name: str, scratch: Path) -> None:
        script = str(HERE / "puppet_compiler" / "nodes.rb")
        facts = str(around / name / "facts")
        self.scratch = scratch
        self.process = subprocess.Popen(
            ["ruby", script, str(around), name, facts, str(scratch)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def compile(self, node: str, catalog: Path | None = None) -> dict[str, float]:
        """What one compilation took: seconds of processor, and seconds that passed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{node} {catalog or '-'}\n")
        self.process.stdin.flush()
        answer: dict[str, float] = json.loads(self.process.stdout.readline())
        return answer

    def differ(self, site: Site, names: list[str]) -> int:
        """How many of the catalogs of some nodes are not ours; says in what."""
        return sum(not self._same(site, name) for name in names)

    def _same(self, site: Site, name: str) -> bool:
        path = self.scratch / "catalog.json"
        self.compile(name, path)
        real: dict[str, Any] = json.loads(path.read_text())
        for key in ("version", "catalog_uuid"):
            real.pop(key, None)
        result = compile_request(site.request(AS_PUPPET, name)).outcome.result
        assert result is not None
        ours = {"ok": True, "catalog": result.plain()}
        found = difference({"ok": True, "catalog": real}, ours)
        if found is not None:
            print(f"{name}: the catalogs differ: {found[:300]}")
        return found is None

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
