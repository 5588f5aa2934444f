"""The resources of one type, for many collectors: each finds its own without looking at all.

What is found may be too much (a value has changed since, a list may have) and never too little; the
query decides.  A resource that is listed here tells when it gets a tag or a value
(`Resource.report_to`); that is taken up when somebody asks the next time.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeAlias

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.types.equality import folded
from headwater.langs.puppet.values import ResourceRef

Found: TypeAlias = dict[Resource, None]
Key: TypeAlias = str | int | float | None
"""A plain value as equality sees it; None stands for every other one."""
_NUMBERS = (int, float)


class Population:
    """The resources of one type by title, tag and value; `every` grows while they are declared."""

    def __init__(self, every: list[Resource]) -> None:
        self._every = every
        self._changed: list[Resource] = []
        self._order: dict[Resource, int] = {}
        self._by_value: dict[str, dict[Key, Found]] = {}
        self._by_tag: dict[str, list[Resource]] = {}
        self._news = 0
        self._seen: dict[Resource, int] = {}
        """How many tags of a resource, or of what one stands in, have been taken up."""
        self._contents: dict[Resource, list[Resource]] = {}
        """What stands in a resource: its tags are theirs for a collector."""

    def valued(self, attribute: str, value: Key) -> list[Resource]:
        """At least those that have a plain value for an attribute, in order."""
        index = self._index(attribute)
        return self._sorted([*index.get(key(value), ()), *index.get(None, ())])

    def number_valued(self, attribute: str, value: Key) -> int:
        """How many `valued` finds."""
        index = self._index(attribute)
        return len(index.get(key(value), ())) + len(index.get(None, ()))

    def tagged(self, tags: Iterable[str]) -> list[Resource]:
        """Those that have one of the tags themselves or by what they stand in, in order."""
        self._catch_up()
        todo = [resource for tag in tags for resource in self._by_tag.get(tag, ())]
        found: Found = {}
        while todo:
            resource = todo.pop()
            if resource not in found:
                found[resource] = None
                todo += self._contents.get(resource, ())
        return self._sorted([resource for resource in found if resource in self._order])

    def news(self) -> int:
        """How often something new, or a new tag, was seen: who asks for tags finds the same until
        this number changes."""
        self._catch_up()
        return self._news

    def number_tagged(self, tags: Iterable[str]) -> int:
        """How many have one of the tags, of these and of what they stand in."""
        self._catch_up()
        return sum(len(self._by_tag.get(tag, ())) for tag in tags)

    def together(self, left: list[Resource], right: list[Resource]) -> list[Resource]:
        """Those of two lists, in order."""
        return self._sorted({*left, *right})

    def _index(self, attribute: str) -> dict[Key, Found]:
        self._catch_up()
        index = self._by_value.get(attribute)
        if index is None:
            index = self._by_value[attribute] = {}
            for resource in self._order:
                _enter(index, resource, attribute)
        return index

    def _sorted(self, found: Iterable[Resource]) -> list[Resource]:
        return sorted(found, key=self._order.__getitem__)

    def _catch_up(self) -> None:
        """Lists new resources, and takes up what changed of the others."""
        if len(self._order) < len(self._every):
            self._news += 1
        for at in range(len(self._order), len(self._every)):
            resource = self._every[at]
            self._order[resource] = at
            self._hold(resource)
            for attribute, index in self._by_value.items():
                _enter(index, resource, attribute)
        changed = dict.fromkeys(self._changed)
        self._changed.clear()
        for resource in changed:
            self._take_tags(resource)
            if resource in self._order:
                for attribute, index in self._by_value.items():
                    _enter(index, resource, attribute)

    def _hold(self, resource: Resource) -> None:
        """Takes up the tags of a resource, and of what it stands in."""
        inner: Resource | None = resource
        while inner is not None and inner not in self._seen:
            self._seen[inner] = 0
            inner.report_to(self._changed)
            self._take_tags(inner)
            around = inner.declared.around
            if around is not None and around is not inner:
                self._contents.setdefault(around, []).append(inner)
            inner = around

    def _take_tags(self, resource: Resource) -> None:
        """Tags come and never go, and the new ones stand at the end."""
        tags, seen, by_tag = resource.tags, self._seen[resource], self._by_tag
        if len(tags) == seen:
            return
        for tag in islice(tags, seen, None):
            if tag in by_tag:
                by_tag[tag].append(resource)
            else:
                by_tag[tag] = [resource]
        self._seen[resource] = len(tags)
        self._news += 1


def key(value: object) -> Key:
    """What equal plain values share; lists may still change, so they are no key."""
    if isinstance(value, str):
        return folded(value)
    if isinstance(value, ResourceRef):
        return folded(str(value))
    return value if isinstance(value, _NUMBERS) else None


def _enter(index: dict[Key, Found], resource: Resource, attribute: str) -> None:
    value = resource.value(attribute)
    if value is not None:
        index.setdefault(key(value), {})[resource] = None
