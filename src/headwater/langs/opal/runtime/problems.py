"""The one exception of the runtime: something was refused, and nothing happened."""

from __future__ import annotations

from headwater.report import Diagnostic


class Refused(Exception):
    """What was asked is not done; says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic
