"""What a user can ask, one module per question.  Front ends call these and print the answers.

Nothing here knows a language: a `Request` names files and settings, `prepare` finds the
language and reads the files, and the questions work on the `Compiled` that follows.
"""

from headwater.ask.blame import BlameLine, blame
from headwater.ask.check import check
from headwater.ask.compare import Compiler, Row, compare
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.diff import Difference, diff
from headwater.ask.document import why_document
from headwater.ask.explain import Explanation, explain
from headwater.ask.generate import generate
from headwater.ask.impact import impact
from headwater.ask.jobs import run_jobs
from headwater.ask.lookup import lookup
from headwater.ask.request import Request, UnknownLanguage, prepare
from headwater.ask.steps import steps

__all__ = [
    "BlameLine",
    "Compiled",
    "Compiler",
    "Difference",
    "Explanation",
    "Request",
    "Row",
    "UnknownLanguage",
    "blame",
    "check",
    "compare",
    "compile_request",
    "diff",
    "explain",
    "generate",
    "impact",
    "lookup",
    "prepare",
    "run_jobs",
    "steps",
    "why_document",
]
