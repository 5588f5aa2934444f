"""The protocol every result satisfies, and `Tree`, the result most languages give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

from headwater.tree.address import Address
from headwater.tree.value import Value


class NotThere(LookupError):
    """No value has this address; carries the longest address that exists and what it offers."""

    def __init__(self, reached: Address, offers: list[str]) -> None:
        super().__init__(reached, offers)
        self.reached = reached
        self.offers = offers


@runtime_checkable
class KeepsSecrets(Protocol):
    """A result that holds values which may not be shown outside of it."""

    def hidden(self, value: object) -> Any:  # noqa: ANN401
        """Data as they may be shown."""
        ...

    def has_secrets(self) -> bool:
        """Whether there is anything in it that may not be shown."""
        ...

    def hides(self, value: object) -> bool:
        """Whether in data, as they are shown, anything is hidden."""
        ...


class Result(Protocol):
    """What a compilation gives: values at addresses, and ways to write them out."""

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Every value that has provenance of its own, in output order."""
        ...

    def get(self, address: Address) -> Value:
        """The value at an address; raises `NotThere`."""
        ...

    def export(self, format: str) -> Iterator[str]:
        """The whole result in one of the language's formats, in pieces."""
        ...

    def plain(self) -> object:
        """The whole result as data for the machine interface."""
        ...


@runtime_checkable
class Writable(Protocol):
    """A result that JSON is made of without making data of it first."""

    @property
    def wire(self) -> object:
        """What an encoder writes as it would write the plain form."""
        ...


def writable(result: Result) -> object:
    """What an encoder writes of a result."""
    # To ask whether it is `Writable` takes longer than to write a small result.
    return result.wire if hasattr(result, "wire") else result.plain()


def is_leaf(value: Value) -> bool:
    """Whether a value ends a branch of the tree: a scalar, a list or an empty mapping."""
    return not (isinstance(value, dict) and value)


class Tree:
    """A result that is an ordered tree of mappings, lists and scalars."""

    __slots__ = ("root",)

    def __init__(self, root: Value) -> None:
        self.root = root

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Leaves in order: scalars, empty mappings, lists and then the elements of lists."""
        todo: list[Iterator[tuple[Address, Value]]] = [iter([((), self.root)])]
        while todo:
            for address, value in todo[-1]:
                if is_leaf(value):
                    yield address, value
                if isinstance(value, dict) and value:
                    todo.append(_under(address, iter(value.items())))
                    break
                if isinstance(value, list) and value:
                    todo.append(_under(address, enumerate(value)))
                    break
            else:
                todo.pop()

    def get(self, address: Address) -> Value:
        """The value at an address; raises `NotThere`."""
        value = self.root
        for depth, part in enumerate(address):
            if isinstance(value, dict) and str(part) in value:
                value = value[str(part)]
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                offers = [*value] if isinstance(value, dict) else []
                raise NotThere(address[:depth], offers)
        return value

    def export(self, format: str) -> Iterator[str]:
        """As ``json``, ``compact`` or ``yaml``."""
        from headwater.tree.json import write_json
        from headwater.tree.yaml import write_yaml

        match format:
            case "json":
                yield from write_json(self.root, indent=2)
                yield "\n"
            case "compact":
                yield from write_json(self.root)
                yield "\n"
            case "yaml":
                yield from write_yaml(self.root)
            case _:
                raise AssertionError(f"no such format: {format}")

    def plain(self) -> object:
        """The tree itself, data references spelled as in the compact format."""
        from headwater.tree.json import plain

        return plain(self.root)


def _under(
    address: Address, parts: Iterator[tuple[str | int, Value]]
) -> Iterator[tuple[Address, Value]]:
    for part, value in parts:
        yield (*address, part), value
