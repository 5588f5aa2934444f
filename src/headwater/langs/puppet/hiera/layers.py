"""The layers of data of one compilation: global, of the environment, and of each module."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import exists, look
from headwater.langs.puppet.hiera.config import Config, Level, default_config, read_config
from headwater.langs.puppet.hiera.data import DataFile, read_data
from headwater.langs.puppet.hiera.options import Options
from headwater.text import Source, read_source
from headwater.text.named import NamedTuple

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.eyaml import Keys
    from headwater.langs.puppet.hiera.host import Host

_METADATA = ("source", "author", "version", "license", "dependencies")
"""Without these a metadata.json is not read."""
_SHORT = 64
"""Bytes of a file that may hold an empty list."""


def _refuse_list(path: str) -> None:
    """Refuses a metadata.json with an empty list: Puppet uses the module and then fails."""
    about = look(path)
    if about is None or about.st_size > _SHORT:
        return
    source = read_source(path)
    if isinstance(source, Source) and source.text.strip() == "[]":
        message = f"{path} is a list, in which nothing can be looked up"
        raise Fault(codes.HIERA_CONFIG.at(source.span(0, 0), message=message))


class Locations(NamedTuple):
    """The files of a level, the variables that were read to find them, and its patterns."""

    paths: list[str]
    read: list[str]
    globs: list[str]


class Layers:
    """The configurations of all layers, and what look-ups keep for each other."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.global_config: Config | None = None
        self.env_config: Config | None = None
        self._modules: dict[str, Config | None] = {}
        self._ready = False
        self.options: dict[tuple[str | None, bool], Options] = {}
        """The lookup_options of each module that has data, and those of all others; whether only
        the global layer was asked."""
        self.spared: set[str] = set()
        """Unknown variables in locations, which have been told of."""
        self.files: dict[str, DataFile | None] = {}
        self.locations: dict[Level, Locations] = {}
        """The files of levels that hang on nothing that could change."""
        self.functions: dict[Level, Any] = {}
        """The functions of levels that have one; see `functions.function_of`."""
        self.keys: dict[Level, Keys] = {}
        """The keys of levels with encrypted values."""
        self.asked: set[str] = set()
        """The keys that were looked up alone, whether anybody has them or not."""
        self.asked_together: list[Collection[str]] = []
        """Those that were looked up together, as the parameters of a class are."""
        self.calling: list[Level] = []
        """Levels whose functions are being called."""
        self.made: dict[str, Any] = {}
        """What functions of data in Puppet have made of files."""

    def all_asked(self) -> frozenset[str]:
        """The keys that were looked up."""
        return frozenset(self.asked).union(*self.asked_together)

    def begin(self) -> None:
        if self._ready:
            return
        self._ready = True
        host = self.host
        if host.hiera_yaml:
            self.global_config = self._judged(read_config(host.hiera_yaml, "global"))
        if host.env:
            path = os.path.join(host.env, "hiera.yaml")
            if exists(path):
                self.env_config = self._usable(read_config(path, "environment"))

    def _judged(self, config: Config) -> Config:
        """The global configuration; says what is doubtful about it."""
        host, file = self.host, config.file
        if file.odd:
            host.warn(codes.NO_HASH, file.source.span(0, 0), file=config.path)
        if config.version == 3 and host.strict != "off":
            at = file.span(("version",))
            host.warn(codes.HIERA_3, at, file=config.path, what="deprecated")
        return config

    @property
    def only_global(self) -> bool:
        """Whether the older functions, and data of version 3, see the global layer alone."""
        return self.env_config is None or self.env_config.version < 5

    def module_config(self, module: str | None) -> Config | None:
        """The hiera.yaml of a module."""
        if module is None:
            return None
        if module not in self._modules:
            folder = self.host.module_directory(module)
            self._modules[module] = None if folder is None else self._of_module(folder)
        return self._modules[module]

    def _of_module(self, folder: str) -> Config | None:
        told = f"{folder}/metadata.json"
        _refuse_list(told)
        path = f"{folder}/hiera.yaml"
        config = read_config(path, "module") if exists(path) else None
        if config is not None:
            config = self._usable(config)
            if config is not None and config.version == 5:
                return config
        path = told
        if not exists(path):
            return config
        try:
            metadata = read_data(path, "json_data").data
        except Fault:
            return config
        provider = metadata.get("data_provider")
        if provider is None or any(metadata.get(name) is None for name in _METADATA):
            return config
        match provider:
            case "none":
                return None
            case "hiera":
                return config or default_config(path)
            case "function":
                return default_config(path, f"{os.path.basename(folder)}::data")
            case _:
                message = f"{path} has the data_provider {provider}, which there is not"
                raise Problem(codes.HIERA_CONFIG, message=message)

    def _usable(self, config: Config) -> Config | None:
        """A configuration, unless it has a version that is ignored where it stands."""
        if config.version != 3:
            return config
        if self.host.strict == "error":
            raise config.bad(f"{config.path}: only a global hiera.yaml has version 3", "version")
        if self.host.strict == "warning":
            at, what = config.file.span(("version",)), "ignored here, so it gives no data"
            self.host.warn(codes.HIERA_3, at, file=config.path, what=what)
        return None
