"""What is wrong, as data: a `Diagnostic` has a stable `Code`, a place, labels and help.

Renderers turn diagnostics into terminal text, JSON or SARIF; only the code may
steer control flow.
"""

from headwater.report.codes import Code, Severity, codes_in, is_counted, nearest, registry
from headwater.report.diagnostic import Diagnostic, Note, in_order

__all__ = ["Code", "Diagnostic", "Note", "Severity", "codes_in", "in_order", "is_counted",
           "nearest", "registry"]  # fmt: skip
