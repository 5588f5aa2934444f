"""Taking apart what a compilation left, once nobody will ask about it any more.

What an engine leaves for questions may be large and full of circles.  Left alone, it would wait
for Python to look for garbage, which can take as long as the compilation did.
"""

from __future__ import annotations

from typing import Protocol

from headwater.langs.protocol import Outcome


class Forgets(Protocol):
    """Causes that can be taken apart."""

    def forget(self) -> None:
        """Gives back the memory at once; only the plain form of the result is left."""
        ...


def forget(outcome: Outcome) -> None:
    """Takes apart what only questions would need; data of the result may still be used."""
    # To ask whether they are `Forgets` takes longer than to compile a small program.
    found: Forgets | None = outcome.causes if hasattr(outcome.causes, "forget") else None
    if found is not None:
        found.forget()
