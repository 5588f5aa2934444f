"""A catalog as a result that can be asked for values by address."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from headwater.langs.puppet.bytestrings import as_text
from headwater.langs.puppet.catalog.document import document
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.catalog.wire import parameters
from headwater.langs.puppet.values import HIDDEN
from headwater.tree import Address, NotThere, Tree, Value
from headwater.tree.json import encoded

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.secrets import Secrets

TAGS, EDGES = "@tags", "@edges"
"""Parts of addresses that stand for the tags of a resource and for what contains it."""

_FINDING = allocate_lock()
"""A catalog has one object of secrets: where they stand is noted in it later."""


class CatalogResult:
    """A finished catalog.  An address is ``(Type[title], parameter, element …)``."""

    __slots__ = ("_data", "_find_secrets", "_found", "_keep_virtual", "_secrets", "_shown_as",
                 "catalog", "wire")  # fmt: skip

    def __init__(
        self, catalog: Catalog, name: str, environment: str, keep_virtual: bool,
        secrets: Callable[[], Secrets],
    ) -> None:  # fmt: skip
        self.catalog = catalog
        self._find_secrets = secrets
        self._secrets: Secrets | None = None
        self.wire = document(catalog, name, environment, keep_virtual)
        """The document as it is written."""
        self._data: dict[str, Any] | None = None
        self._keep_virtual = keep_virtual
        self._found: dict[str, Resource] | None = None
        self._shown_as: dict[str, str] = {}
        """What is shown of the references in which a secret stands."""

    @property
    def data(self) -> dict[str, Any]:
        """The document as data, made for who looks into it."""
        if self._data is None:
            self._data = msgspec.to_builtins(self.wire)
        return self._data

    @property
    def _by_ref(self) -> dict[str, Resource]:
        """The resources by the first part of their addresses, in order; no secret stands in it."""
        if self._found is None:
            found: dict[str, Resource] = {}
            openly = reference if not self.secrets else partial(self._named_openly, found)
            for resource in self.catalog.resources:
                if self._keep_virtual or not resource.virtual:
                    found[openly(resource)] = resource
            self._found = found  # whole: others may ask meanwhile
        return self._found

    def _named_openly(self, before: Mapping[str, Resource], resource: Resource) -> str:
        """A reference without secrets; of several that would be one, the later ones are counted."""
        ref = reference(resource)
        title = str(self.secrets.hide(resource.title))
        if title == resource.title:
            return ref
        from headwater.langs.puppet import addresses

        shown, count = addresses.reference(resource.type, title), 1
        while shown in before:
            count += 1
            shown = addresses.reference(resource.type, f"{title} {count}")
        self._shown_as[ref] = shown
        return shown

    def _open(self, ref: str) -> str:
        """A reference as it is shown; the real one is understood too."""
        return ref if ref in self._by_ref else self._shown_as.get(ref, ref)

    @property
    def secrets(self) -> Secrets:
        """What may not be shown; looked for when something is to be shown."""
        if self._secrets is None:
            with _FINDING:
                if self._secrets is None:
                    self._secrets = self._find_secrets()
        return self._secrets

    def named(self, address: Address) -> Address:
        """An address as reference, parameter and the rest; a pointer is one into `plain`.

        Tags and edges are lists; an index in them becomes the tag, or what contains.
        """
        if len(address) == 2 and address[0] in self._by_ref:
            return address
        if address and address[0] in self._shown_as:
            return self.named((self._open(str(address[0])), *address[1:]))
        match address:
            case ("resources", int(index), *rest) if index < len(self._by_ref):
                ref = list(self._by_ref)[index]
                if rest[:1] == ["parameters"]:
                    return self.named((ref, *rest[1:]))
                if rest[:1] == ["tags"]:
                    return self.named((ref, TAGS, *rest[1:]))
                return (ref,)
            case ("edges", int(index), *_) if index < len(self.data["edges"]):
                edge = self.data["edges"][index]
                return (self._open(edge["target"]), EDGES, self._open(edge["source"]))
            case (ref, "@tags" | "@edges" as name, int(index)):
                listed = self._listed(str(ref), name)
                return (ref, name, listed[index]) if index < len(listed) else address
            case _:
                return address

    def _listed(self, ref: str, name: str) -> list[str]:
        resource = self._by_ref.get(self._open(ref))
        if resource is None:
            return []
        if name == TAGS:
            return [self.secrets.hide(tag) for tag in resource.tags]
        return [self._open(container.ref) for container in resource.containers]

    def resource(self, ref: str) -> Resource | None:
        """The resource a reference names."""
        return self._by_ref.get(self._open(ref))

    def hidden(self, value: object) -> Any:  # noqa: ANN401
        """Data as they may be shown."""
        return self.secrets.hidden(value)

    def has_secrets(self) -> bool:
        """Whether there is anything in it that may not be shown."""
        return bool(self.secrets) or any(one.sensitive for one in self.catalog.resources)

    def hides(self, value: object) -> bool:
        """Whether in data, as they are shown, anything is hidden."""
        return HIDDEN in str(value)

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Every parameter of every resource, in order."""
        for ref, data in zip(self._by_ref, self.data["resources"], strict=True):
            hidden = self._by_ref[ref].sensitive
            for name, value in data.get("parameters", {}).items():
                yield (ref, name), HIDDEN if name in hidden else self.secrets.hidden(value)

    def get(self, address: Address) -> Value:
        """The value at an address; raises `NotThere`."""
        if not address:
            return self._all_shown()
        if str(address[0]) in self.data:
            return self._pointed(address)
        address = self.named(address)
        if len(address) > 1 and address[1] in (TAGS, EDGES):
            listed = self._listed(str(address[0]), str(address[1]))
            if len(address) == 2:
                return [*listed]
            if len(address) == 3 and address[2] in listed:
                return str(address[2])
            raise NotThere(address[:2], listed)
        resource = self._by_ref.get(str(address[0]))
        if resource is None:
            raise NotThere((), list(self._by_ref))
        value: Any = self._shown(resource)
        for depth, part in enumerate(address[1:], 1):
            if isinstance(value, dict) and str(part) in value:
                value = value[str(part)]
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                raise NotThere(address[:depth], [*value] if isinstance(value, dict) else [])
        found: Value = value
        return found

    def _all_shown(self) -> dict[str, Value]:
        """The parameters of all resources as people may see them."""
        if not self.has_secrets():
            return {f"{one.type}[{one.title}]": one.parameters or {} for one in self.wire.resources}
        return {ref: self._shown(resource) for ref, resource in self._by_ref.items()}

    def _shown(self, resource: Resource) -> dict[str, Any]:
        """The parameters of a resource as people may see them."""
        return {
            name: HIDDEN if name in resource.sensitive else self.secrets.hidden(value)
            for name, value in parameters(resource).items()
        }

    def _pointed(self, address: Address) -> Value:
        """What a pointer into the document leads to, without secrets."""
        Tree(self.data).get(address)
        match address:
            case ("resources", int(), "parameters", _, *_):
                return self.get(self.named(address))
            case _:
                shown = {**self.data, "resources": []}
                for ref, data in zip(self._by_ref, self.data["resources"], strict=True):
                    more = {"parameters": self._shown(self._by_ref[ref])}
                    shown["resources"].append({**data, **(more if "parameters" in data else {})})
                return Tree(self.secrets.hidden(shown) if self.secrets else shown).get(address)

    def export(self, format: str) -> Iterator[str]:
        """As ``catalog`` or ``json`` (the same) or ``yaml``."""
        if format == "yaml":
            from headwater.tree.yaml import write_yaml

            yield from write_yaml(self.data)
            return
        yield encoded(self.wire, indent=2).decode()
        yield "\n"

    def plain(self) -> object:
        """The document of the wire format."""
        return self.data

    def native_resources(self) -> object:
        """The parameters of the resources whose types no program defines."""
        return {
            ref: data.get("parameters", {})
            for ref, data in zip(self._by_ref, self.data["resources"], strict=True)
            if self._by_ref[ref].definition is None and data["type"] != "Node"
            if (data["type"], data["title"]) != ("Stage", "main")
        }


def reference(resource: Resource) -> str:
    """The first part of the addresses of a resource (`addresses.reference`)."""
    return f"{resource.type}[{as_text(resource.title)}]"
