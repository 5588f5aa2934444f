"""YAML as Ruby's Psych reads it, with the places of keys and values.

`headwater.tree.yamltext` finds the structure; what a plain scalar means says `types.psych`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from headwater.langs.puppet.bytestrings import Bytes, lenient_base64, of_bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.foreign import Foreign
from headwater.langs.puppet.types.psych import Dated, Sym, TooManyDigits, plain
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT, Default
from headwater.tree.yamltext import (
    PLAIN,
    QUOTED,
    STANDARD,
    BadYaml,
    YamlTooLarge,
    compose,
    is_mapping,
    is_scalar,
    is_sequence,
)

if TYPE_CHECKING:
    from yaml import Node

Data: TypeAlias = "Value | Foreign"
"""What a file of data can hold."""

MOST_NESTED = 1200
"""Hashes and lists in each other; Puppet gives up at about as many."""


def scalar(text: str) -> Data:
    """What a plain scalar means; a date is refused, as Puppet refuses it."""
    value = plain(text)
    if isinstance(value, Dated):
        raise BadYaml(f"{text} is a date, which data cannot hold; put quotes around it", 0)
    return Foreign(value.name) if isinstance(value, Sym) else value


class Document:
    """A parsed YAML text: its data, and the node tree that knows the places.

    Of several documents the first counts.  `plain` when the data hold nothing but what JSON has,
    and no key that Python's dict takes for another.  `objects`: nodes and facts, as a server keeps
    them, are read as hashes, and dates as texts.
    """

    __slots__ = ("_entries", "_text", "data", "plain", "root")

    def __init__(self, text: str, *, objects: bool = False) -> None:
        self._entries: dict[int, dict[str, tuple[Node, Node]]] = {}
        self._text = text
        self.root = compose(text, levels=MOST_NESTED).root
        reader = _Reader(objects=objects)
        try:
            self.data = reader.value(self.root) if self.root is not None else None
        except RecursionError:
            raise YamlTooLarge(MOST_NESTED, "levels", 0) from None
        self.plain = reader.plain

    def place(self, path: tuple[str | int, ...], *, key: bool = False) -> tuple[int, int] | None:
        """Offsets of the value at a path, or of its key."""
        node, name = self.root, None
        for part in path:
            if is_mapping(node):
                entry = self._entries_of(node).get(str(part))
                if entry is None:
                    return None
                name, node = entry
            elif is_sequence(node) and isinstance(part, int):
                if not 0 <= part < len(node.value):
                    return None
                node = node.value[part]
            else:
                return None
        found = name if key and name is not None else node
        return None if found is None else self._range(found)

    def _range(self, node: Node) -> tuple[int, int]:
        """From where to where a value stands.

        PyYAML ends a block where the next key begins; it ends with the last value in it.
        """
        start: int = node.start_mark.index
        last: Any = node
        while not is_scalar(last) and last.value and not last.flow_style:
            inner = last.value[-1]
            last = inner[1] if is_mapping(last) else inner
            if last.start_mark.index < start:  # an alias
                last = node
                break
        end = last.end_mark.index
        return start, start + len(self._text[start:end].rstrip())

    def _entries_of(self, node: Node) -> dict[str, tuple[Node, Node]]:
        """The entries of a mapping by the text of their keys, of equal ones the first."""
        known = self._entries.get(id(node))
        if known is None:
            known = self._entries[id(node)] = {}
            reader = _Reader(objects=True)
            for entry in node.value:
                known.setdefault(str(reader.value(entry[0])), (entry[0], entry[1]))
        return known


_RUBY = frozenset(["sym", "symbol", "string", "hash", "array"])
_OBJECTS = {
    "object:Puppet::Node": frozenset(
        ["name", "classes", "parameters", "environment", "environment_name", "facts", "source",
         "time", "trusted_data", "expiration"]
    ),
    "object:Puppet::Node::Facts": frozenset(["name", "values", "timestamp", "expiration"]),
}  # fmt: skip
"""Objects that a server's cache holds, and what of them is read: whatever else one has, it is a
node, or the facts of one."""


class _Reader:
    """Makes values of nodes."""

    def __init__(self, *, objects: bool = False) -> None:
        self.plain = True
        self._objects = objects
        self.known: dict[int, Any] = {}

    def value(self, node: Node) -> Data:
        """The value of a node."""
        tag = _tag(node)
        if tag.startswith("ruby/") and tag[5:] not in _RUBY and not self._is_object(tag[5:]):
            raise BadYaml(f"data cannot hold a {tag}", node.start_mark.index)
        if is_scalar(node):
            return self._special(self._scalar(node, tag))
        if id(node) not in self.known:
            self.known[id(node)] = self._collection(node, tag)
        return self.known[id(node)]

    def _is_object(self, name: str) -> bool:
        return self._objects and name in _OBJECTS

    def _collection(self, node: Node, tag: str) -> Data:
        if is_sequence(node) and tag != "omap":
            return [self.value(item) for item in node.value]
        result = Hash()
        if is_sequence(node):
            for item in node.value:
                if not is_mapping(item):
                    raise BadYaml("an omap is a list of hashes", item.start_mark.index)
                self._fill(result, item)
            return result
        if tag in ("set", "omap"):
            raise BadYaml(f"data cannot hold a {tag}", node.start_mark.index)
        self._fill(result, node)
        read = _OBJECTS.get(tag[5:])
        return result if read is None else result.where(lambda key, item: key in read)

    def _special(self, value: Data) -> Data:
        """A value that JSON does not have is written down as such."""
        if isinstance(value, Foreign):
            if value.text == "undef":
                return None
            self.plain = False
            return DEFAULT if value.text == "default" else value
        if value.__class__ is Bytes:
            self.plain = False
        return value

    def _scalar(self, node: Node, tag: str) -> Data:
        text: str = node.value
        if tag in ("str", "ruby/string") or node.tag == QUOTED:
            return text
        if tag in ("ruby/sym", "ruby/symbol"):
            return Foreign(text)
        if tag == "binary":
            return of_bytes(lenient_base64(text.encode()))
        try:
            if self._objects and plain(text).__class__ is Dated:
                return text
            value = scalar(text)
            if tag == "float":
                if not isinstance(value, int | float | str):
                    raise TypeError
                return float(value)
        except (BadYaml, TooManyDigits) as error:
            raise BadYaml(str(error), node.start_mark.index) from None
        except (TypeError, ValueError):
            raise BadYaml(f"{text} is not a float", node.start_mark.index) from None
        return value

    def _fill(self, result: Hash, node: Node) -> None:
        """Puts the entries of a mapping into a hash; ``<<`` brings those of others."""
        for key_node, value_node in node.value:
            key = self.value(key_node)
            if isinstance(key, Foreign | Default):
                key = str(key)
            value = self.value(value_node)
            merged = None
            if key == "<<" and _tag(key_node) != "str":
                aliased = value_node.start_mark.index < key_node.start_mark.index
                if isinstance(value, Hash):
                    merged = value.pairs()
                elif isinstance(value, list) and not aliased and all(map(_is_hash, value)):
                    merged = [pair for one in reversed(value) for pair in one.pairs()]
            for name, item in [(key, value)] if merged is None else merged:
                result.put(name, item)
        if result.odd is not None:
            self.plain = False


def _tag(node: Node) -> str:
    """The tag that is written before a node, without what all begin with."""
    tag = node.tag
    if tag in (PLAIN, QUOTED):
        return ""
    return tag.removeprefix(STANDARD) if tag.startswith(STANDARD) else tag.removeprefix("!")


def _is_hash(value: object) -> bool:
    return isinstance(value, Hash)


def load_yaml(text: str) -> Data:
    """The data of a YAML text, symbols as texts."""
    return _texts(Document(text).data)


def load_objects(text: str) -> Data:
    """The data of a YAML text that may be a node or facts of a server, symbols as texts."""
    return _texts(Document(text, objects=True).data)


def _texts(value: Data) -> Value:
    if isinstance(value, Hash):
        return value.map_values(_texts)
    if isinstance(value, list):
        return [_texts(item) for item in value]
    return str(value) if isinstance(value, Foreign | Default) else value
