"""What a user can ask, one module per question.  Front ends call these and print the answers.

Nothing here knows a language: a `Request` names files and settings, `prepare` finds the
language and reads the files, and the questions work on the `Compiled` that follows.
A question is imported from its module, so that a command loads no more than it asks.
"""

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import BadRequest, Request, prepare

__all__ = ["BadRequest", "Compiled", "Request", "compile_request", "prepare"]
