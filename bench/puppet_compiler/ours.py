"""Headwater, warm: the same protocol as peer.rb.

usage: python ours.py ENVIRONMENTS NAME NODE FACTS [unrecorded]
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def main() -> None:
    """One compilation for every line of standard input."""
    folder, name, certname, facts, *how = sys.argv[1:]
    if how == ["unrecorded"]:
        sys.path.insert(0, str(HERE.parent))
        from puppet_compiler import unrecorded

        unrecorded.install()
    import msgspec

    from headwater.langs import language_named
    from headwater.langs.protocol import Job
    from headwater.text import Source

    env = Path(folder) / name
    manifest = env / "manifests" / "site.pp"
    source = Source.of_text(str(manifest), manifest.read_text())
    inputs: dict[str, Any] = {
        "node": certname,
        "facts": json.loads(Path(facts).read_text()),
        "env": str(env),
        "settings": {"servername": "oracle.example.com", "serverip": "192.0.2.1"},
    }
    language = language_named("puppet")
    for line in sys.stdin:
        # What the compilation before has left behind is part of the price.
        before = time.process_time()
        outcome = language.compile(Job((source,), inputs))
        compiled = time.process_time()
        if outcome.result is None:
            print(json.dumps({"error": str(outcome.errors[0])}), flush=True)
            continue
        text = msgspec.json.encode(outcome.result.plain())
        written = time.process_time()
        resources = len(outcome.result.plain()["resources"])  # type: ignore[index]
        del outcome
        gc.collect()
        collected = time.process_time()
        if line.strip() != "-":
            Path(line.strip()).write_bytes(text)
        answer = {
            "compile": compiled - before,
            "write": written - compiled,
            "collect": collected - written,
            "resources": resources,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
