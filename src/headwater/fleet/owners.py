"""Who may change what: ``[owners]`` of headwater.toml.

A pattern is one of paths from the root of the repository (``data/teams/db/**``), of keys of data
(``ntp::*``) or of classes (``profile::db``); ``*`` stands for anything but ``/``.  Of several that
fit a place the last decides, so that exceptions come after what they are exceptions of.
"""

from __future__ import annotations

import os

from headwater.fleet.patterns import fits_path
from headwater.fleet.site import Site
from headwater.langs.abilities import NamesPlaces
from headwater.text import Span


class Owners:
    """The principals of a repository, by place."""

    def __init__(self, site: Site) -> None:
        self._root = os.path.abspath(site.repository.root)
        self._patterns = [*site.repository.owners.items()]
        self._language = site.language

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def of(self, at: Span) -> str | None:
        """The principal of a place."""
        if not self._patterns:
            return None
        path = os.path.relpath(os.path.abspath(at.source.name), self._root)
        names = [] if path.startswith(os.pardir) else [path]
        if names and isinstance(self._language, NamesPlaces):
            name = self._language.name_at(at)
            names += [name] if name is not None else []
        for pattern, owner in reversed(self._patterns):
            if any(fits_path([pattern], name) for name in names):
                return owner
        return None
