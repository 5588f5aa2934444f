"""Headwater, warm: the same protocol as peer.rb.

usage: python ours.py ENVIRONMENTS NAME NODE FACTS [unrecorded]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    """One compilation for every line of standard input."""
    folder, name, certname, facts, *how = sys.argv[1:]
    if how == ["unrecorded"]:
        from puppet_compiler import unrecorded

        unrecorded.install()
    import msgspec

    from headwater.ask import Request, compile_request
    from headwater.text import Source

    env = Path(folder) / name
    manifest = env / "manifests" / "site.pp"
    inputs: dict[str, Any] = {
        "puppet": 7,
        "node": certname,
        "facts": json.loads(Path(facts).read_text()),
        "env": str(env),
        "settings": {"servername": "oracle.example.com", "serverip": "192.0.2.1"},
    }
    source = Source.of_text(str(manifest), manifest.read_text())
    request = Request(sources=(source,), lang="puppet", inputs=inputs)
    for line in sys.stdin:
        before = time.process_time()
        outcome = compile_request(request).outcome
        compiled = time.process_time()
        if outcome.result is None:
            print(json.dumps({"error": str(outcome.errors[0])}), flush=True)
            continue
        document: Any = outcome.result.plain()
        text = msgspec.json.encode(document)
        written = time.process_time()
        resources = len(document["resources"])
        # What the compilation leaves behind for the collector is part of its price.
        del outcome, document
        dropped = time.process_time()
        if line.strip() != "-":
            Path(line.strip()).write_bytes(text)
        answer = {
            "compile": compiled - before + dropped - written,
            "write": written - compiled,
            "resources": resources,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
