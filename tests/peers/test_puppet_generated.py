"""Generated programs: the same catalog as real Puppet, or a refusal at the same line."""

from __future__ import annotations

import functools

import pytest
from hypothesis import HealthCheck, given, settings

from laws.profile import examples, is_long
from laws.strategies.puppet_programs import programs
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed


@functools.cache
def oracle() -> Oracle:
    """One Ruby process for the run."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


@pytest.mark.peer
@settings(
    max_examples=examples(150, 100_000),
    deadline=None,
    derandomize=not is_long(),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_agree_with_puppet(program: str) -> None:
    real = oracle().ask(code=program, filename="code.pp")

    assert difference(real, ours(program, "code.pp")) is None
