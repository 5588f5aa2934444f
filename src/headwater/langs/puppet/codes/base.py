"""How the codes of Puppet are made."""

from __future__ import annotations

from headwater.report import Code, Severity


def code(
    name: str, message: str, what: str, why: str, example: str, fix: str, issue: str | None = None,
    severity: Severity = "error", counted: bool = False,
) -> Code:  # fmt: skip
    """A code whose name starts with ``puppet-``; `issue` is Puppet's own name for it."""
    return Code(
        name=f"puppet-{name}", message=message, what=what, why=why, example=example, fix=fix,
        paper=issue, severity=severity, counted=counted,
    )  # fmt: skip
