"""A resource of a catalog under construction, and one of its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import as_text
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax.ast import Placed
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef
from headwater.text import NOWHERE, Span

_IN_TAGS = str.maketrans("_:.-", "aaaa")
_REFERENCES = (ResourceRef, ClassRef)


class Param(msgspec.Struct, eq=False):
    """A parameter: its value, and who wrote it, where and under which guards.

    `how`: ``given``, ``default`` (a resource default), ``parameter default``, ``hiera``,
    ``override``, ``collector``, ``arrow``, ``require``, ``inherited`` (a metaparameter).
    The `detail` of an arrow is the place of what it added; all arrows of a parameter share its
    value.  `old` is what it replaced; `when` is the time it was evaluated, set only where that is
    not the time of its resource; `applied` is that at which it was written over another one, or
    where none was.  `frame` and `guard` are evidence for the record.
    """

    value: Any
    source: Definition | None
    how: str = "given"
    add: bool = False
    unit: Unit | None = None
    node: Any = None
    frame: Any = None
    guard: Any = None
    detail: Any = None
    old: Param | None = None
    when: int | None = None
    applied: int | None = None

    def again(self, value: object, how: str) -> Param:
        """The same, written with another value."""
        return Param(
            value, self.source, how, self.add, self.unit, self.node, self.frame, self.guard,
            self.detail, self.old, self.when, self.applied,
        )  # fmt: skip

    @property
    def span(self) -> Span | None:
        """Where it is written, if in a text."""
        if self.unit is None or self.node is None:
            return None
        return self.unit.span(self.node)


class Declared(Protocol):
    """Where a resource was declared, as far as a catalog shows it; the record knows more."""

    @property
    def scope(self) -> Any: ...  # noqa: ANN401
    @property
    def around(self) -> Resource | None: ...
    @property
    def span(self) -> Span: ...
    @property
    def unit(self) -> Unit | None: ...
    @property
    def node(self) -> Placed | None: ...


class Unwritten:
    """The declaration of what no text declares."""

    scope = None
    around = None
    span = NOWHERE
    unit = None
    node = None


UNWRITTEN = Unwritten()


class Unknown(msgspec.Struct):
    """What of a resource hangs on values that nobody here can compute; each says on which.

    `existence`: whether it is there; `values`: parameters as they may be told, unknown ones in
    them; `parameters`: whether it has others; `tags`: which it has; `edges`: from what contains
    it; `containers`: whether more does; `declaration`: which declaration of a class came first.
    """

    existence: str | None = None
    values: dict[str, Any] = {}
    parameters: str | None = None
    tags: str | None = None
    edges: dict[Resource, str] = {}
    containers: str | None = None
    declaration: str | None = None


NOBODY: Final = cast("dict[Any, None]", MappingProxyType({}))
"""No resources; nothing can be put in."""


class Resource(msgspec.Struct, eq=False):
    """A resource: declared, perhaps virtual, perhaps not yet evaluated."""

    type: str
    title: str
    declared: Declared = UNWRITTEN
    info: TypeInfo | None = None
    definition: Definition | None = None
    params: dict[str, Param] = {}
    tags: dict[str, None] = {}
    virtual: bool = False
    exported: bool = False
    untold: Any = None
    """The title where it is no text: `title` is what Ruby shows of it."""
    sensitive: Sequence[str] = ()
    containers: Mapping[Resource, None] = NOBODY
    """What it stands in; those that stand in one thing alone may have one table in common."""
    contents: dict[Resource, None] = NOBODY
    _inside: bool = False
    """Whether it has taken over the tags of what it stands in."""
    _watchers: tuple[list[Resource], ...] = ()
    """Where it puts itself down when it gets a tag or a value; see `population`."""
    _named: dict[str, str | None] | None = None
    """The parameters that the title gives, once they are known; see `title_values`."""

    unknown: Unknown | None = None
    """What of it hangs on a guess, where there were any."""
    _around: dict[Resource, None] | None = None
    """It alone, as the containers of what stands in nothing else."""

    def title_values(self) -> dict[str, str | None] | None:
        """The parameters that the title of a native resource gives, or None if it cannot."""
        if self._named is None and self.info is not None:
            self._named = self.info.parse_title(as_text(self.title))
        return self._named

    @property
    def ref(self) -> str:
        """``Type[title]``"""
        return f"{self.type}[{self.title}]"

    def value(self, name: str) -> Any:  # noqa: ANN401
        """The value of a parameter; the title is one too."""
        if name == "title":
            return self.title
        param = self.params.get(name)
        return None if param is None else param.value

    def set(self, name: str, param: Param) -> None:
        """Sets a parameter; the value of ``tag`` tags the resource as well."""
        if name == "tag":
            self.tag(param.value)
        old = self.params.get(name)
        if old is not None and param.old is None and old is not param:
            param.old = old
        self.params[name] = param
        if self._watchers:
            self.tell()

    def tag(self, value: object) -> None:
        """Adds tags; refuses what cannot be one.  A lone reference tags with nothing."""
        if isinstance(value, _REFERENCES) and str(value).endswith("]"):
            return
        if isinstance(value, Hash):
            value = [part for pair in value.pairs() for part in pair]
        for item in flattened(value):
            if item is None or isinstance(item, Opaque):
                continue
            name = str(item if isinstance(item, str) else tag_text(item)).lower()
            if name in self.tags:
                continue
            if not _is_tag(name):
                raise Problem(codes.BAD_TAG, name=name)
            self.tags[name] = None
            if "::" in name:
                self.tags.update(dict.fromkeys(name.split("::")))
            if self._watchers:
                self.tell()

    def report_to(self, changed: list[Resource]) -> None:
        """From now on puts itself down in a list whenever it gets a tag or a value."""
        self._watchers = (*self._watchers, changed)

    def hold(self, resource: Resource) -> None:
        """Takes in a new resource, which stands in nothing else yet."""
        around = self._around
        if around is None:
            around = self._around = {self: None}
        resource.containers = around
        if self.contents is NOBODY:
            self.contents = {resource: None}
        else:
            self.contents[resource] = None

    def hold_too(self, resource: Resource) -> None:
        """Takes in a resource, whatever it stands in already."""
        around = resource.containers
        self.hold(resource)
        if around:
            resource.containers = {**around, self: None}

    def let_go(self) -> None:
        """Takes apart the circles that it is in: those of what holds others, or tells of itself."""
        if self.contents is not NOBODY:
            self.declared = UNWRITTEN
            self.containers = self.contents = NOBODY
            self._around = None
        if self._watchers:
            self._watchers = ()

    def tell(self) -> None:
        """Tells who wants to know that it has changed."""
        for changed in self._watchers:
            changed.append(self)

    def tag_as_declared(self) -> None:
        """The tags every resource has: its type and its title, if that can be a tag."""
        tags, title = self.tags, self.title
        if tags:
            tags.update(tags_of_type(self.type))
        else:
            self.tags = tags = tags_of_type(self.type).copy()
        if title[:1] != "/":  # paths, of which there are many, are no tags
            self.tag_by_title()
        if self._watchers:
            self.tell()

    def tag_by_title(self) -> None:
        """The tag that a title is, if it can be one."""
        title, tags = self.title, self.tags
        if _is_tag(title):
            name = str(title).lower()
            if name not in tags and self.untold is None and not (title == "main" and is_main(self)):
                tags[name] = None
                if "::" in name:
                    tags.update(dict.fromkeys(name.split("::")))

    def has_tag(self, tags: Iterable[str]) -> bool:
        """Whether it, or what it stands in, has one of the tags."""
        resource: Resource | None = self
        while resource is not None:
            have = resource.tags
            for tag in tags:
                if tag in have:
                    return True
            around = resource.declared.around
            resource = around if around is not resource else None
        return False

    def take_scope_tags(self) -> None:
        """Takes over the tags of what it stands in, once."""
        if self._inside:
            return
        self._inside = True
        scope = self.declared.scope
        around = None if scope is None else scope.resource
        if around is not None and around is not self:
            self.tags.update(around.tags)
            if self._watchers:
                self.tell()


def _is_tag(text: str) -> bool:
    r"""Whether a text can be a tag: ``\w[\w:.-]*``, and perhaps the end of a line."""
    word = text.removesuffix("\n").translate(_IN_TAGS)
    return word.isalnum() and text[0] not in ":.-"


def is_main(resource: Resource) -> bool:
    """Whether it is the main class or the main stage, which no text declares."""
    return resource.title == "main" and resource.type in ("Class", "Stage")


@cache
def tags_of_type(type_: str) -> dict[str, None]:
    """The tags that all resources of a type have; who changes them takes a copy."""
    name = type_.lower()
    return dict.fromkeys([name, *(name.split("::") if "::" in name else ())])


def flattened(value: object) -> list[Any]:
    """A list without lists in it."""
    if not isinstance(value, list):
        return [value]
    result: list[Any] = []
    for item in value:
        if isinstance(item, list):
            result.extend(flattened(item))
        else:
            result.append(item)
    return result


def tag_text(value: object) -> str:
    """What is not a text as a tag."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_type(value):
        from headwater.langs.puppet.types.show import show_type

        return show_type(value)
    return str(value)
