"""Running git so that no program, file or address that a repository names has a part in it."""

from __future__ import annotations

import os
import subprocess
from typing import TypeAlias

SAFELY = (
    "--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}",
    "-c", "mailmap.file=", "-c", "mailmap.blob=",
)  # fmt: skip
"""What is committed is asked for, not what lies there: filters have no part in that.  No program
that the repository names is run, and no file that it names elsewhere is read."""

_QUIETLY = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_LONGEST = 60


Process: TypeAlias = subprocess.Popen[bytes]
"""Git at work."""


class GitFailed(Exception):
    """Git is not there, takes too long, or says no; in its words."""


def arguments(folder: str, *words: str) -> list[str]:
    """A command line that asks git in a folder."""
    return ["git", *SAFELY, "-C", folder, *words]


def surroundings() -> dict[str, str]:
    """The environment that git gets: of ours only what it cannot do without."""
    return {key: os.environ[key] for key in ("HOME", "PATH") if key in os.environ} | _QUIETLY


def start(folder: str, *words: str) -> Process:
    """A process of git that is asked one thing after the other; raises `GitFailed`."""
    try:
        return subprocess.Popen(
            arguments(folder, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=surroundings(),
        )  # fmt: skip
    except OSError as error:
        raise GitFailed(str(error)) from None


def git(folder: str, *words: str) -> bytes:
    """What git prints; raises `GitFailed`."""
    try:
        done = subprocess.run(
            arguments(folder, *words), capture_output=True, stdin=subprocess.DEVNULL,
            timeout=_LONGEST, check=False, env=surroundings(),
        )  # fmt: skip
    except FileNotFoundError:
        raise GitFailed("there is no program git") from None
    except (OSError, ValueError) as error:
        raise GitFailed(str(error)) from None
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git takes longer than {_LONGEST} seconds") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise GitFailed(said.removeprefix("fatal: ") or f"git exits with {done.returncode}")
    return done.stdout
