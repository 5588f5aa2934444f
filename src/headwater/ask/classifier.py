"""A classifier: a program that is given the name of a node and prints what the node gets.

It is run only if the command line itself names it, never by a file or a job.
"""

from __future__ import annotations

from collections.abc import Mapping

from headwater.langs import Language
from headwater.langs.codes import CLASSIFIER_FAILED
from headwater.langs.repositories import HasNodes, Unusable
from headwater.text import Source, Unreadable
from headwater.text.reading import reach
from headwater.text.source import decode_source

NODE = "node"
MOST_SECONDS = 60


def classified(
    command: str | None, inputs: Mapping[str, object], language: Language
) -> Mapping[str, object]:
    """The inputs with what a classifier says of their node; what they say themselves wins.

    Raises `Unusable`.
    """
    node = inputs.get(NODE)
    if command is None or not isinstance(language, HasNodes) or node is None:
        return inputs
    return {**language.read_classified(_printed(command, str(node))), **inputs}


def _printed(command: str, node: str) -> Source:
    """What a classifier prints for a node."""
    import shlex
    import subprocess

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
