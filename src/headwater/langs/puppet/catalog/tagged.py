"""Resources by their tags: collectors find theirs without looking at every resource.

Tags come and never go.  A resource that is listed here tells of new ones (`Resource.watch`); they
are taken up when somebody asks the next time.
"""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource


class Tagged:
    """The resources of one type by tag."""

    def __init__(self) -> None:
        self._listed = 0
        self._changed: list[Resource] = []
        self._places: dict[Resource, int] = {}
        self._by_tag: dict[str, dict[Resource, None]] = {}
        self._holders: set[Resource] = set()
        self._held: set[str] = set()
        """The tags of what the resources stand in, which are theirs for a collector."""

    def find(self, every: list[Resource], tag: str) -> list[Resource] | None:
        """Those of all resources of the type that have a tag; None if what they stand in has it,
        and each must be asked."""
        for place in range(self._listed, len(every)):
            self._list(every[place], place)
        self._listed = len(every)
        changed, self._changed[:] = [*self._changed], []
        for resource in changed:
            self._take(resource)
        if tag in self._held:
            return None
        return sorted(self._by_tag.get(tag, ()), key=self._places.__getitem__)

    def _list(self, resource: Resource, place: int) -> None:
        self._places[resource] = place
        self._watch(resource)
        scope = resource.declared.scope
        holder = None if scope is None else scope.resource
        while holder is not None and holder not in self._holders:
            self._holders.add(holder)
            self._watch(holder)
            around = holder.declared.around
            holder = None if around is holder else around

    def _watch(self, resource: Resource) -> None:
        resource.watch = (*resource.watch, self._changed)
        self._take(resource)

    def _take(self, resource: Resource) -> None:
        if resource in self._holders:
            self._held.update(resource.tags)
        if resource in self._places:
            for tag in resource.tags:
                self._by_tag.setdefault(tag, {})[resource] = None
