"""A catalog as a result that can be asked for values by address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.catalog.wire import document, parameters
from headwater.tree import Address, BadAddress, NotThere, Value

_ADDRESS = re.compile(
    r"""(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)\[(?:(?P<json>"(?:[^"\\]|\\.)*")|(?P<title>.*?))\]
        (?:\.(?P<parameter>\w+)(?P<rest>.*))?\Z""",
    re.VERBOSE | re.DOTALL,
)
_STEP = re.compile(r'\[(?:(?P<index>\d+)|(?P<key>"(?:[^"\\]|\\.)*"))\]')


class CatalogResult:
    """A finished catalog.  An address is ``(Type[title], parameter, element …)``."""

    __slots__ = ("_by_ref", "catalog", "data", "hidden")

    def __init__(self, catalog: Catalog, name: str, environment: str, keep_virtual: bool) -> None:
        self.catalog = catalog
        self.data = document(catalog, name, environment, keep_virtual)
        self._by_ref: dict[str, Resource] = {
            resource.ref: resource
            for resource in catalog.resources
            if keep_virtual or not resource.virtual
        }

    def resource(self, ref: str) -> Resource | None:
        """The resource a reference names."""
        return self._by_ref.get(ref)

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Every parameter of every resource, in order."""
        for data in self.data["resources"]:
            ref = f"{data['type']}[{data['title']}]"
            for name, value in data.get("parameters", {}).items():
                yield (ref, name), value

    def get(self, address: Address) -> Value:
        """The value at an address; raises `NotThere`."""
        if not address:
            raise NotThere((), list(self._by_ref))
        resource = self._by_ref.get(str(address[0]))
        if resource is None:
            raise NotThere((), list(self._by_ref))
        value: Any = parameters(resource)
        for depth, part in enumerate(address[1:], 1):
            if isinstance(value, dict) and str(part) in value:
                value = value[str(part)]
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                raise NotThere(address[:depth], [*value] if isinstance(value, dict) else [])
        found: Value = value
        return found

    def export(self, format: str) -> Iterator[str]:
        """As ``catalog`` or ``json`` (the same) or ``yaml``."""
        if format == "yaml":
            from headwater.tree.yaml import write_yaml

            yield from write_yaml(self.data)
            return
        yield msgspec.json.format(msgspec.json.encode(self.data), indent=2).decode()
        yield "\n"

    def plain(self) -> object:
        """The document of the wire format."""
        return self.data


def parse_catalog_address(text: str) -> Address:
    """``Type[title].parameter[0]["key"]``; raises `BadAddress`."""
    found = _ADDRESS.match(text)
    if found is None:
        raise BadAddress(f"{text!r} is not of the form Type[title].parameter")
    title = json.loads(found["json"]) if found["json"] else found["title"]
    parts: list[str | int] = [f"{found['type']}[{title}]"]
    if found["parameter"]:
        parts.append(found["parameter"])
        at, rest = 0, found["rest"]
        while at < len(rest):
            step = _STEP.match(rest, at)
            if step is None:
                raise BadAddress(f"cannot read {rest[at:]!r} after {text[: -len(rest)]!r}")
            parts.append(int(step["index"]) if step["index"] else json.loads(step["key"]))
            at = step.end()
    return tuple(parts)


def show_catalog_address(address: Address) -> str:
    """The usual spelling; a title with a bracket in it is quoted."""
    if not address:
        return "."
    ref = str(address[0])
    type_, _, rest = ref.partition("[")
    title = rest[:-1]
    if "]" in title or '"' in title or "\n" in title:
        ref = f"{type_}[{json.dumps(title, ensure_ascii=False)}]"
    out = [ref]
    for depth, part in enumerate(address[1:]):
        if depth == 0:
            out.append(f".{part}")
        elif isinstance(part, int):
            out.append(f"[{part}]")
        else:
            out.append(f"[{json.dumps(part, ensure_ascii=False)}]")
    return "".join(out)
