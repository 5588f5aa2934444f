"""A classifier: a program that is given the name of a node and prints what the node gets.

It is run only if the command line itself names it, never by a file or a job.
"""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.langs import Language
from headwater.langs.codes import CLASSIFIER_FAILED
from headwater.langs.repositories import HasNodes, Unusable
from headwater.text import Source, Unreadable
from headwater.text.reading import reach
from headwater.text.source import decode_source

if TYPE_CHECKING:
    from headwater.ask.request import Request

NODE = "node"
MOST_SECONDS = 60


def classified(request: Request, language: Language) -> Request:
    """The request with what its classifier says of its node; what it says itself wins.

    Raises `Unusable`.
    """
    node = request.inputs.get(NODE)
    if request.classifier is None or not isinstance(language, HasNodes) or node is None:
        return request
    inputs = language.read_classified(_printed(request.classifier, str(node)))
    return replace(request, classifier=None, inputs={**inputs, **request.inputs})


def _printed(command: str, node: str) -> Source:
    """What a classifier prints for a node."""
    name = f"{command} {node}"
    nowhere = Source(name, "").span(0, 0)

    def failed(reason: str) -> Unusable:
        return Unusable(CLASSIFIER_FAILED.at(nowhere, node=node, reason=reason))

    try:
        done = subprocess.run(
            [*shlex.split(command), node],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise failed(f"it ran for more than {MOST_SECONDS} seconds") from None
    except (OSError, ValueError) as error:
        raise failed(getattr(error, "strerror", None) or str(error)) from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise failed(
            f"it ended with status {done.returncode}" + "".join(f": {w}" for w in told[:1])
        )
    if len(done.stdout) > reach().most_bytes:
        raise failed(f"it printed more than {reach().most_bytes:,} bytes")
    source = decode_source(name, done.stdout)
    if isinstance(source, Unreadable):
        raise failed(source.reason)
    return source
