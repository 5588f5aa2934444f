"""No struct has a type after which msgspec frees memory that is not its own.

That shows when Python's memory comes from the C library, which looks at what it is given back.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

READ = """
import importlib, pkgutil
import headwater, msgspec

for module in pkgutil.walk_packages(headwater.__path__, "headwater."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

def structs(of):
    for one in of.__subclasses__():
        yield one
        yield from structs(one)

known = 0
for one in structs(msgspec.Struct):
    try:
        msgspec.json.Decoder(one)
        known += 1
    except (TypeError, NameError):
        pass  # it is never read
assert known > 50, known
"""
JOB = """
from headwater.ask.jobs import answer_line
assert b'"ok":true' in answer_line(b'{"code": "", "lang": "puppet", "modulepath": "/none"}')
"""


@pytest.mark.parametrize("code", [READ, JOB], ids=["all structs", "a job"])
def test_what_is_freed_was_allocated(code: str) -> None:
    env = {**os.environ, "PYTHONMALLOC": "malloc", "MALLOC_CHECK_": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120
    )

    assert done.returncode == 0, done.stderr[-2000:]
