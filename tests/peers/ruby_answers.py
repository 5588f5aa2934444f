"""What our evaluator and real Ruby give for the same programs, written so that they compare."""

from __future__ import annotations

import json
import re
import subprocess
import traceback
from pathlib import Path

from headwater.langs.puppet.ruby import evaluate, methods
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.values import Raised

assert methods.__all__
SCRIPT = Path(__file__).with_name("ruby.rb")
STEPS = 400_000
"""Enough for every program that ends."""


def ours(text: str) -> str | None:
    """What our evaluator gives; None for what it does not evaluate or does not finish."""
    machine = Machine(steps=STEPS)
    try:
        value = evaluate.run(machine, read(text), "x.rb")
        try:
            return machine.inspect(value)
        except RecursionError:
            return None  # deeper than the bound on calls in each other
    except Raised as raised:
        try:
            message = machine.text(machine.send(raised.error, "message", []))
        except (Raised, Beyond, Exhausted):
            message = ""
        return told(f"{raised.error.cls.name}: {message}")
    except (Beyond, Exhausted, Unreadable):
        return None
    except Exception:  # noqa: BLE001 - whatever it is, it is a difference
        return "a crash: " + traceback.format_exc(limit=-2).replace("\n", " | ")


def real(texts: list[str]) -> list[str]:
    """What Ruby gives."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        ["ruby", "-W0", "--disable=error_highlight", "--disable=did_you_mean", str(SCRIPT)],
        input=lines,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    answers = [json.loads(line)[0] for line in done.stdout.splitlines()]
    assert len(answers) == len(texts), done.stderr[-2000:]
    return [told(answer) for answer in answers]


ERROR = re.compile(r"\A([A-Z][\w:]*(?:Error|Iteration|Exception|EDOM)): ?(.*)\Z", re.DOTALL)


def told(answer: str) -> str:
    """An answer without the addresses of objects."""
    return re.sub(r"(#<[\w:]+?):0x[0-9a-f]+(?: [^>]*)?>", r"\1>", answer)


def is_error(answer: str) -> bool:
    """Whether an answer is an error."""
    return ERROR.match(answer) is not None


def same_error(given: str, wanted: str) -> bool:
    """Whether two errors are the same; which of two wrong arguments is told first is not asked."""
    left, right = ERROR.match(given), ERROR.match(wanted)
    return left is not None and right is not None


def agree(given: str, wanted: str) -> bool:
    """Whether two answers say the same."""
    return given == wanted or same_error(given, wanted)
