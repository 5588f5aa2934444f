"""Titles of types whose patterns Ruby computes: what they give is what Puppet says they give."""

from __future__ import annotations

import functools

import pytest

from peers.catalogs import Oracle, difference, ours
from peers.corpus import MODULES
from peers.puppet import ABSENT, installed

TYPES = (
    "keystone_user", "keystone_user_role", "keystone_endpoint", "keystone_service",
    "keystone_tenant", "rabbitmq_binding", "alternative_entry",
)  # fmt: skip
TITLES = ("a", "a::b", "a::b::c", "a@b", "a@b@c", "a::b@c::d", "a::b@c", "a@c::d", "a@::c",
          "a::b@::c", "r/n", "r/n::t", "a:b", "a:c:/x", "a b", "@", "::", "/", "a:",
          "A::B")  # fmt: skip


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    if not installed() or not (MODULES / "keystone").is_dir():
        pytest.skip(ABSENT)
    return Oracle("--modulepath", str(MODULES))


@pytest.mark.peer
@pytest.mark.parametrize("type_", TYPES)
def test_titles_give_what_they_give_in_puppet(type_: str) -> None:
    for title in TITLES:
        for given in ("", "name => 'set', "):
            code = f"{type_} {{ '{title}': {given}}}\n"
            real = oracle().ask(code=code, filename="code.pp")

            assert difference(real, ours(code, modulepath=str(MODULES))) is None, code
