"""Trees as YAML: strings quoted, data references bare, mappings in their own order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.tree.json import compact, scalar
from headwater.tree.value import DataReference, Value

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NOT_A_KEY = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_BREAKS = str.maketrans({c: f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029\ufeff"})


def write_yaml(root: Value) -> Iterator[str]:
    """The lines of a block-style YAML text."""
    if not isinstance(root, dict) or not root:
        yield _flow(root) + "\n"
        return
    todo = [iter(root.items())]
    while todo:
        for key, value in todo[-1]:
            lead = "  " * (len(todo) - 1) + _key(key) + ":"
            if isinstance(value, dict) and value:
                yield lead + "\n"
                todo.append(iter(value.items()))
                break
            yield f"{lead} {_flow(value)}\n"
        else:
            todo.pop()


def _key(key: str) -> str:
    if _PLAIN_KEY.match(key) and key.lower() not in _NOT_A_KEY:
        return key
    return scalar(key).translate(_BREAKS)


def _flow(value: Value) -> str:
    """A value on one line.  JSON is YAML, except that YAML has bare words for references."""
    if isinstance(value, DataReference):
        return str(value)
    if isinstance(value, list):
        return compact(value).translate(_BREAKS)
    return scalar(value).translate(_BREAKS)
