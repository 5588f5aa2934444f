"""Calls without a receiver that need their frame: ``block_given?``, ``lambda``, ``binding`` …"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.refusals import Beyond


def _block_given(cx: Context, node: s.Call) -> Run:
    return lambda fr: fr.activation.block is not None


def _refused(cx: Context, node: s.Call) -> Run:
    """What would leave the machine: refused where it is reached, not where it is read."""
    name, at, file = node.name, node.at, cx.file

    def refuse(fr: Frame) -> Any:
        raise Beyond(name, at, file)

    return refuse


SPECIAL: Final[Mapping[str, Callable[[Context, s.Call], Run]]] = {
    "block_given?": _block_given,
    "iterator?": _block_given,
    **dict.fromkeys(
        ("binding", "eval", "system", "exec", "spawn", "fork", "open", "exit", "exit!", "abort",
         "at_exit", "trap", "sleep", "gets", "readline", "readlines", "select", "syscall", "test",
         "srand", "rand", "callcc", "set_trace_func", "load", "autoload", "instance_eval"),
        _refused,
    ),
}  # fmt: skip
