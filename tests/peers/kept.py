"""Answers of real Puppet that outlive a run, so that a long one can be cut off and taken up.

``HEADWATER_ANSWERS`` names a folder; without it every answer is asked for.  An answer belongs to
the whole question: the version of Puppet, the versions of the modules, and the job itself.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from peers.catalogs import Oracle


class KeptOracle:
    """An oracle whose answers are kept."""

    def __init__(self, oracle: Oracle, version: str, modules: Mapping[str, str]) -> None:
        self._oracle = oracle
        self._asked_of = [version, sorted(modules.items())]
        named = os.environ.get("HEADWATER_ANSWERS")
        self._folder = Path(named) if named else None

    def ask(self, **job: object) -> dict[str, Any]:
        """The answer to one job."""
        if self._folder is None:
            return self._oracle.ask(**job)
        question = json.dumps([*self._asked_of, job], sort_keys=True)
        path = self._folder / f"{hashlib.sha256(question.encode()).hexdigest()}.json.gz"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".part")
            unfinished.write_bytes(gzip.compress(json.dumps(self._oracle.ask(**job)).encode(), 1))
            unfinished.rename(path)
        answer: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        return answer
