"""Random Opal programs: well-typed ones, and texts with a few words exchanged."""

from __future__ import annotations

from hypothesis import strategies as st

from headwater.langs.choices import Choices
from headwater.langs.opal.generating import Generator, Scope, mutated, program

BYTES = st.binary(min_size=60, max_size=260)

__all__ = ["BYTES", "Choices", "Generator", "Scope", "mutated", "program"]
