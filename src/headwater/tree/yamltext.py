"""YAML texts as nodes that know their places, within bounds.

PyYAML finds the structure; what a scalar means is for each user to say, because they differ.
A node's `tag` is what is written before it, and else `PLAIN` or `QUOTED`.  Aliases are the same
node again, so that a few lines can stand for any number of values: these are counted here, and
a text that stands for too many is refused before anybody goes through them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import yaml

from headwater.text.named import NamedTuple

MOST_VALUES = 1_000_000
"""Values that a text may stand for, those of aliases counted as often as they are used."""

STANDARD = "tag:yaml.org,2002:"
PLAIN, QUOTED = "?", "!"
"""The tags of a node without one: a plain scalar or a collection, and a scalar in quotes."""


class BadYaml(ValueError):
    """The text is not YAML that can be used; `start` is the offset of the place."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.start = start
        self.within: tuple[str, int, int] | None = None
        """What was being read (``while parsing a flow node``), and the line and column of it."""


class YamlTooLarge(BadYaml):
    """The text goes beyond a bound on its values or on the levels they lie in."""

    def __init__(self, most: int, what: Literal["values", "levels"], start: int) -> None:
        self.bound = f"{most:,} {what}"
        self.what = what
        super().__init__(f"more than {self.bound}", start)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Composes nodes, and leaves open what those without a tag are."""

    def resolve(self, kind: type, value: object, implicit: tuple[bool, bool]) -> str:
        """The tag of a node that has none."""
        quoted = kind is yaml.ScalarNode and implicit[1]
        return QUOTED if quoted else PLAIN


class Composed(NamedTuple):
    """The root of the first document of a text, and where the second begins, if there is one."""

    root: Any
    second: int | None


def compose(text: str, *, levels: int) -> Composed:
    """The nodes of a text.  Raises `BadYaml`; what follows the first document may be anything.

    `levels` says how deep collections may lie in each other, at most some 1,500: nodes are
    made, and mostly read, by going down into them.
    """
    _check_depth(text, levels)
    try:
        loader = _Loader(text)
        try:
            root = loader.get_node() if loader.check_node() else None
            _check_size(text, root)
            return Composed(root, _second(text, loader))
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _broken(text, error) from None
    except UnicodeEncodeError as error:
        raise BadYaml("half a surrogate pair", error.start) from None
    except RecursionError:
        raise YamlTooLarge(levels, "levels", 0) from None


def _second(text: str, loader: _Loader) -> int | None:
    """Where the second document begins."""
    try:
        if not loader.check_node():
            return None
        starts: Iterator[Any] = (
            event.start_mark
            for event in yaml.parse(text, Loader=_Loader)
            if isinstance(event, yaml.DocumentStartEvent)
        )
        next(starts)
        return int(next(starts).index)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return None if mark is None else int(mark.index)


def _broken(text: str, error: yaml.YAMLError) -> BadYaml:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        bad = BadYaml(error.problem or "malformed", min(mark.index if mark else 0, len(text)))
        if error.context and error.context_mark:
            bad.within = error.context, error.context_mark.line + 1, error.context_mark.column + 1
        return bad
    # A character that YAML forbids; libyaml tells its place in bytes.
    before = text.encode("utf-8", "surrogatepass")[: getattr(error, "position", None) or 0]
    at = min(len(before.decode("utf-8", "ignore")), max(len(text) - 1, 0))
    return BadYaml(str(error).splitlines()[0], at)


def _check_depth(text: str, levels: int) -> None:
    """Refuses what is nested too deep before anything goes down into it.

    Nesting takes a bracket or a column each, so that nearly no text has to be looked at.
    """
    brackets = text.count("[") + text.count("{")
    if brackets + max(map(len, text.split("\n"))) < levels:
        return
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > levels:
                    at = event.start_mark.index if event.start_mark else 0
                    raise YamlTooLarge(levels, "levels", at)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.DocumentEndEvent):
                return
    except (yaml.YAMLError, UnicodeEncodeError):
        return  # composing says what is wrong


def _check_size(text: str, root: yaml.Node | None) -> None:
    """Refuses what stands for too many values, or for part of itself.

    Without aliases a text has fewer values than characters.
    """
    if root is None or ("*" not in text and len(text) <= MOST_VALUES):
        return
    sizes: dict[int, int] = {}
    opened: set[int] = set()
    todo = [root]
    while todo:
        node = todo[-1]
        if id(node) in sizes:
            todo.pop()
            continue
        parts = children(node)
        if id(node) not in opened:
            opened.add(id(node))
            missing = [part for part in parts if id(part) not in sizes]
            inside = next((part for part in missing if id(part) in opened), None)
            if inside is not None:
                raise BadYaml("an alias of what it is part of", inside.start_mark.index)
            todo.extend(missing)
            if missing:
                continue
        todo.pop()
        sizes[id(node)] = size = 1 + sum([sizes[id(part)] for part in parts])
        if size > MOST_VALUES:
            raise YamlTooLarge(MOST_VALUES, "values", node.start_mark.index)


def children(node: object) -> list[Any]:
    """The nodes right inside a node: elements, or keys and values."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def is_mapping(node: object) -> bool:
    """Whether a node is a mapping."""
    return isinstance(node, yaml.MappingNode)


def is_sequence(node: object) -> bool:
    """Whether a node is a sequence."""
    return isinstance(node, yaml.SequenceNode)


def is_scalar(node: object) -> bool:
    """Whether a node is a scalar."""
    return isinstance(node, yaml.ScalarNode)
