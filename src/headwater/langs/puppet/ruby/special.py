"""Calls without a receiver that need their frame: ``block_given?``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.context import Context, Run


def _block_given(cx: Context, node: s.Call) -> Run:
    return lambda fr: fr.activation.block is not None


SPECIAL: Final[Mapping[str, Callable[[Context, s.Call], Run]]] = {
    "block_given?": _block_given,
    "iterator?": _block_given,
}
