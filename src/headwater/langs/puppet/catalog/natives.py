"""Types of resources that are built in or written in Ruby, found by name."""

from __future__ import annotations

import os
from collections.abc import Iterable

from headwater.langs.puppet.catalog.metadata import OWN, TypeInfo, builtin
from headwater.langs.puppet.files import exists, stamp_of
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.langs.puppet.program.ruby_files import types_in


class Natives:
    """The native types that one compilation can see: those of its environment and modules."""

    def __init__(
        self, env: str | None, folders: Iterable[str], level: LanguageLevel = DEFAULT
    ) -> None:
        self._level = level
        self._env = env
        self._folders = folders
        self._found: dict[str, TypeInfo | None] = {}
        self._files: dict[str, list[str]] | None = None

    def find(self, name: str) -> TypeInfo | None:
        """A type of resources that is built in or written in Ruby."""
        if name in self._found:
            return self._found[name]
        found = None
        if name not in OWN and "::" not in name:
            found = self._scanned(name)
        if found is None:
            found = builtin(name, self._level)
        self._found[name] = found
        return found

    def tell(self, info: TypeInfo) -> None:
        """What is known of a type from now on."""
        self._found[info.name] = info

    def path(self, name: str) -> str | None:
        """The file of Ruby that defines a type."""
        if self._files is None:
            self._files = types_in((*([self._env] if self._env else []), *self._folders))
        return next((path for path in self._files.get(name, ()) if exists(path)), None)

    def _scanned(self, name: str) -> TypeInfo | None:
        """A type of a module: as ``puppet generate types`` described it, or by a scan."""
        if self._env is not None:
            path = os.path.join(self._env, ".resource_types", f"{name}.pp")
            if exists(path):
                from headwater.langs.puppet.catalog.generated import generated

                return generated(path, name, stamp_of(path))
        from headwater.langs.puppet.catalog.scan import scan

        source = self.path(name)
        return None if source is None else scan(source, name, stamp_of(source))
