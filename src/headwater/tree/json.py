"""Trees as JSON text, without recursion: a configuration may be nested thousands deep."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from headwater.text.late import when_called
from headwater.text.patterns import LatePattern
from headwater.tree.value import DataReference, Value

if TYPE_CHECKING:
    from json import JSONDecodeError

    from headwater.tree.quoted import quoted
else:
    when_called(globals(), "headwater.tree.quoted", "quoted")


def scalar(value: Value) -> str:
    """A value without parts as JSON; a data reference is the string ``"$.a:b"``."""
    match value:
        case None:
            return "null"
        case True:
            return "true"
        case False:
            return "false"
        case str():
            return quoted(value)
        case int():
            return str(value)
        case float():
            return repr(value)
        case DataReference():
            return quoted(f"$.{value}")
        case list():
            return "[]"
        case _:
            return "{}"


def write_json(root: Value, indent: int = 0) -> Iterator[str]:
    """The pieces of a JSON text; with an indent, one value a line."""
    pending: list[tuple[str, Iterator[tuple[str | None, Value]], bool]] = []
    colon = ": " if indent else ":"
    todo: Iterator[tuple[str | None, Value]] = iter([(None, root)])
    close, first, depth = "", True, -1
    while True:
        for key, value in todo:
            if depth >= 0:
                lead = "" if first else ","
                if indent:
                    lead += "\n" + " " * (indent * (depth + 1))
                first = False
                yield lead if key is None else lead + quoted(key) + colon
            if value and isinstance(value, dict | list):
                pending.append((close, todo, first))
                opened = "{" if isinstance(value, dict) else "["
                yield opened
                todo, first, depth = _entries(value), True, depth + 1
                close = "}" if opened == "{" else "]"
                break
            yield scalar(value)
        else:
            if not pending:
                return
            yield ("\n" + " " * (indent * depth) if indent else "") + close
            depth -= 1
            close, todo, first = pending.pop()


def _entries(value: dict[str, Value] | list[Value]) -> Iterator[tuple[str | None, Value]]:
    if isinstance(value, dict):
        return iter(value.items())
    return ((None, element) for element in value)


def encoded(document: object, indent: int = 0) -> bytes:
    """A document of the machine interface.  Half a surrogate pair becomes U+FFFD."""
    try:
        data = msgspec.json.encode(document)
    except UnicodeEncodeError:
        import json

        text = json.dumps(msgspec.to_builtins(document), ensure_ascii=False)
        data = re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
    return msgspec.json.format(data, indent=indent) if indent else data


class BadJson(ValueError):
    """A text is not JSON: what is wrong, and the offset where."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


def read_json(text: str, constant: Callable[[str], Any] | None = None) -> Any:  # noqa: ANN401
    """The data of a JSON text; `constant` is for ``NaN`` and the like.  Raises `BadJson`.

    What is said of a text that is no JSON, and where, does not depend on the version of Python.
    msgspec reads what is plain, and the same in it; all else is left to Python's reader.
    """
    if not _may_be_deep(text):
        try:
            return msgspec.json.decode(text)
        except (ValueError, RecursionError):
            pass
    return _read_json(text, constant)


MOST_OPENED = 5_000
"""Brackets in a text that msgspec reads.

It recurses as deep as Python's limit allows, and a compilation raises that: the stack of a thread
ends first, and the process with it.  Python's reader needs less of it.
"""


def _may_be_deep(text: str) -> bool:
    return text.count("[") + text.count("{") > MOST_OPENED


def _read_json(text: str, constant: Callable[[str], Any] | None) -> object:
    import json

    def real(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            message = f"the number {digits[:20]} is too large"
            raise BadJson(message, max(text.find(digits), 0))
        return value

    vast = _VAST.search(text) is not None
    try:
        value: object = json.loads(
            text, parse_constant=constant, parse_float=real if vast else None
        )
    except json.JSONDecodeError as error:
        raise BadJson(*_malformed(text, error)) from None
    except RecursionError:
        raise BadJson("it is nested too deep", 0) from None
    except ValueError as error:
        if isinstance(error, BadJson) or "digits" not in str(error):
            raise
        raise BadJson("a number has too many digits", 0) from None
    half = re.search(r"\\u[dD][89a-fA-F]", text)
    if half is not None and _has_half_pair(value):
        raise BadJson("a text holds half of a surrogate pair", half.start())
    return value


_VAST = LatePattern(r"[eE]\+?\d{3}|(?<!\d)\d{300}")
"""What a number may have that is greater than any float."""


def _malformed(text: str, error: JSONDecodeError) -> tuple[str, int]:
    data = text.encode("utf-8", "replace")
    if _may_be_deep(text) and _is_deep(text):
        return "it is nested too deep", 0
    try:
        msgspec.json.decode(data)
    except msgspec.DecodeError as other:
        found = re.fullmatch(r"JSON is malformed: (.+) \(byte (\d+)\)", str(other))
        if found is not None:
            return found[1], len(data[: int(found[2])].decode("utf-8", "ignore"))
        return "it ends too early", len(text)
    except RecursionError:
        return "it is nested too deep", 0
    return error.msg, error.pos


def _is_deep(text: str) -> bool:
    """Whether brackets of a text lie so deep in each other; those in its texts count too."""
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", text):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MOST_OPENED:
            return True
    return False


def _has_half_pair(root: object) -> bool:
    todo = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo += [*value, *value.values()]
        elif isinstance(value, list):
            todo += value
        elif isinstance(value, str) and re.search("[\ud800-\udfff]", value):
            return True
    return False


def compact(value: Value) -> str:
    """JSON without blanks."""
    if isinstance(value, str):
        return quoted(value)
    return "".join(write_json(value))


def plain(root: Value) -> Any:  # noqa: ANN401
    """The same tree for a JSON encoder: data references become strings."""
    done: list[Any] = [None]
    todo: list[tuple[Any, Any, Value]] = [(done, 0, root)]
    while todo:
        holder, key, value = todo.pop()
        made: Any = value
        if isinstance(value, dict):
            made = dict.fromkeys(value)
            todo.extend((made, k, v) for k, v in value.items())
        elif isinstance(value, list):
            made = [None] * len(value)
            todo.extend((made, i, v) for i, v in enumerate(value))
        elif isinstance(value, DataReference):
            made = f"$.{value}"
        holder[key] = made
    return done[0]


def measure(root: Value, *, most_nodes: int, most_depth: int) -> str | None:
    """Which of the two bounds a tree breaks, as words, or none."""
    todo: list[Iterable[Value]] = [[root]]
    nodes = depth = 0
    while todo:
        depth += 1
        if depth > most_depth:
            return f"{most_depth} levels"
        below: list[Iterable[Value]] = []
        for values in todo:
            for value in values:
                nodes += 1
                if isinstance(value, dict) and value:
                    below.append(value.values())
                elif isinstance(value, list) and value:
                    below.append(value)
            if nodes > most_nodes:
                return f"{most_nodes:,} values"
        todo = below
    return None
