"""Random programs of Puppet's whole language, with data for Hiera."""

from __future__ import annotations

from hypothesis import strategies as st

from headwater.langs.puppet.generate.programs import Program, program_of


def programs() -> st.SearchStrategy[Program]:
    """Programs with their data."""
    return st.binary(min_size=40, max_size=260).map(program_of)
