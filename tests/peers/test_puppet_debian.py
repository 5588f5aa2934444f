"""The classes of Debian's modules: what does not hang on Ruby equals real Puppet's."""

from __future__ import annotations

import pytest

from laws.profile import is_long
from peers.catalogs import Oracle
from peers.debian import MODULES, classes, run, unexplained
from peers.puppet import ABSENT, installed

LEAST = 0.98
"""The share of what is compared that must be equal."""


@pytest.mark.peer
@pytest.mark.skipif(not is_long(), reason="test_puppet_corpus has a sample of them")
def test_the_classes_of_debians_modules_compile_as_puppet_compiles_them() -> None:
    """All of them, with unknown values for what Ruby does beyond the evaluator."""
    if not installed() or not MODULES.is_dir():
        pytest.skip(ABSENT)
    known = classes()
    if len(known) < 30:
        pytest.skip(f"only {len(known)} modules are installed (tests/peers/install.sh)")
    names = [name for found in known.values() for name in found]
    oracle = Oracle("--modulepath", str(MODULES))

    tally = run(names, (oracle.ask(code=f"include {n}\n", filename="code.pp") for n in names))

    oracle.process.kill()
    assert unexplained(tally) == []
    assert tally.share_equal >= LEAST
    assert tally.share_compared > 0.8
