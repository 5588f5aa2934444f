"""YAML as Ruby's Psych reads it, with the places of keys and values.

PyYAML finds the structure; what a plain scalar means is decided here, because the two
differ (``1:30``, ``1,000``, ``yes``, ``:sym`` …).
"""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from headwater.langs.puppet.late import LatePattern

_WORDY = LatePattern(r"[^\d.:-]?[A-Za-z_\s!@#$%^&*(){}<>|/\\~;=\u0080-\U0010ffff]+")
_TIME = LatePattern(
    r"-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?"
    r"(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\Z"
)
_DATE = LatePattern(r"\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)\Z")
_SIXTY = LatePattern(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\Z")
_SIXTY_FLOAT = LatePattern(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*\Z")
_FLOAT = LatePattern(r"[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?\Z")
_INTEGER = LatePattern(
    r"(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)"
    r"|[-+]?0x[0-9a-fA-F_,]+)\Z"
)


class BadYaml(ValueError):
    """The text is not YAML that can be used; `start` is the offset of the place."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.start = start


def scalar(text: str) -> Any:
    """What a plain scalar means; a date is refused, as Puppet refuses it."""
    if not text:
        return None
    if _WORDY.match(text) or "\n" in text:
        if len(text) > 5:
            return text
        low = text.lower()
        if text == "~" or low == "null":
            return None
        if low in ("yes", "true", "on"):
            return True
        return False if low in ("no", "false", "off") else text
    if _TIME.match(text) or _DATE.match(text):
        raise BadYaml(f"{text} is a date, which data cannot hold; put quotes around it", 0)
    low = text.lower()
    if low in (".inf", "+.inf", "-.inf", ".nan"):
        return math.nan if low == ".nan" else -math.inf if low[0] == "-" else math.inf
    if len(text) > 1 and text[0] == ":":
        quoted = re.match(r""":(["'])(.*)\1""", text)
        return quoted[2].removeprefix(":") if quoted else text[1:]
    return _number(text)


def _number(text: str) -> Any:
    if _SIXTY.match(text):
        return int(sum(_leading(n, int) * 60 ** abs(e - 2) for e, n in enumerate(text.split(":"))))
    if _SIXTY_FLOAT.match(text):
        return sum(_leading(n, float) * 60 ** abs(e - 2) for e, n in enumerate(text.split(":")))
    if _FLOAT.match(text):
        return text if text in (".", "+.", "-.") else float(re.sub(r"[,_]", "", text))
    if _INTEGER.match(text):
        digits = re.sub(r"[,_]", "", text)
        sign, body = (digits[0], digits[1:]) if digits[0] in "+-" else ("", digits)
        base = (
            16
            if body[:2] == "0x"
            else 2
            if body[:2] == "0b"
            else 8
            if (len(body) > 1 and body[0] == "0")
            else 10
        )
        return int(sign + body, base)
    return text


def _leading(text: str, kind: type[int] | type[float]) -> float:
    """The number a text begins with, as Ruby's to_i and to_f read it."""
    found = re.match(r"[-+]?[0-9][0-9_]*(?:\.[0-9_]+)?", text)
    if found is None:
        return 0
    clean = found[0].replace("_", "")
    return int(clean.partition(".")[0]) if kind is int else float(clean)


class Document:
    """A parsed YAML text: its data, and the node tree that knows the places."""

    __slots__ = ("data", "root")

    def __init__(self, text: str) -> None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.root = yaml.compose(text, Loader=loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise BadYaml(error.problem or "not YAML", mark.index if mark else 0) from None
        except yaml.YAMLError as error:
            raise BadYaml(str(error), 0) from None
        except RecursionError:
            raise BadYaml("nested too deep", 0) from None
        self.data = _value(self.root, {}) if self.root is not None else None

    def place(self, path: tuple[str | int, ...], *, key: bool = False) -> tuple[int, int] | None:
        """Offsets of the value at a path, or of its key."""
        node, name = self.root, None
        for part in path:
            if isinstance(node, yaml.MappingNode):
                for key_node, value_node in node.value:
                    if str(_value(key_node, {})) == str(part):
                        node, name = value_node, key_node
                        break
                else:
                    return None
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                if part >= len(node.value):
                    return None
                node = node.value[part]
            else:
                return None
        found = name if key and name is not None else node
        return None if found is None else (found.start_mark.index, found.end_mark.index)


def _value(node: Any, known: dict[int, Any]) -> Any:
    if isinstance(node, yaml.ScalarNode):
        plain = node.style is None or node.style == ""
        if node.tag == "tag:yaml.org,2002:str" and plain and node.value == "":
            return ""
        if not plain or node.tag in ("!", "tag:yaml.org,2002:binary"):
            return node.value
        try:
            return scalar(node.value)
        except BadYaml as error:
            raise BadYaml(str(error), node.start_mark.index) from None
    if id(node) in known:
        return known[id(node)]
    if isinstance(node, yaml.SequenceNode):
        items: list[Any] = []
        known[id(node)] = items
        items.extend(_value(item, known) for item in node.value)
        return items
    result: dict[Any, Any] = {}
    known[id(node)] = result
    for key_node, value_node in node.value:
        if isinstance(key_node, yaml.ScalarNode) and key_node.tag == "tag:yaml.org,2002:merge":
            merged = _value(value_node, known)
            for one in merged if isinstance(merged, list) else [merged]:
                if isinstance(one, dict):
                    for name, item in one.items():
                        result.setdefault(name, item)
            continue
        key = _value(key_node, known)
        if isinstance(key, list | dict):
            raise BadYaml("a key that is a list or a hash", key_node.start_mark.index)
        result[key] = _value(value_node, known)
    return result


def load_yaml(text: str, path: str) -> Any:
    """The data of a YAML text."""
    return Document(text).data
