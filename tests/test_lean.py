"""msgspec without some of its parts is msgspec: who asks for a part gets it."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from headwater.cli.lean import load_msgspec

load_msgspec()
import msgspec

parts = ("msgspec.inspect", "msgspec.toml", "msgspec.yaml", "msgspec._json_schema", "platform")
assert not any(part in sys.modules for part in parts), sys.modules.keys()
print(msgspec.json.schema(int), msgspec.json.schema_components([int])[0])
print(msgspec.toml.decode("a = 1"), type(msgspec.inspect.type_info(int)).__name__)
import msgspec.inspect, msgspec.yaml, platform, uuid

print(msgspec.inspect.IntType.__name__, msgspec.yaml.decode.__name__, platform.node.__name__)
print(msgspec.json.encode(uuid.UUID(int=1)).decode())
"""


def test_parts_that_were_left_out_come_when_they_are_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "{'type': 'integer'} ({'type': 'integer'},)",
        "{'a': 1} IntType",
        "IntType decode node",
        '"00000000-0000-0000-0000-000000000001"',
    ]
