"""The data of one compilation, and who asks for them: parameters of classes and ``lookup()``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.frames import Scope
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.config import Config, Level, default_config, read_config
from headwater.langs.puppet.hiera.data import DataFile, read_data
from headwater.langs.puppet.hiera.merge import NOT_FOUND
from headwater.langs.puppet.hiera.places import Places, places_of
from headwater.langs.puppet.hiera.record import Record
from headwater.langs.puppet.hiera.search import Search
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.values import opaque_in

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.calls import Call
    from headwater.langs.puppet.engine.compiler import Compiler
    from headwater.langs.puppet.hiera.written import Written

_METADATA = ("source", "author", "version", "license", "dependencies")
"""Without these a metadata.json is not read."""


class Hiera:
    """The data of one compilation."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.global_config: Config | None = None
        self.env_config: Config | None = None
        self.modules: dict[str, Config | None] = {}
        self.options: dict[str | None, tuple[Hash, list[tuple[Any, Any]]]] = {}
        self.ready = False
        self.files: dict[str, DataFile | None] = {}
        self.places: dict[Level, tuple[list[str], list[str]]] = {}
        self.option_records: dict[str | None, Record] = {}
        self.missed: dict[str, Record | Places] = {}
        """Parameters of classes that were looked for in vain, with all that was tried."""
        self.all_places: dict[str, Places | None] = {}
        self.written: dict[Level, Written | None] = {}
        self.running: list[Level] = []
        """Levels whose functions are being called."""
        self.quiet = not compiler.inputs.hiera and not compiler.inputs.env

    def _open(self) -> None:
        if self.ready:
            return
        self.ready = True
        inputs = self.compiler.inputs
        if inputs.hiera:
            self.global_config = read_config(inputs.hiera, "global")
        if inputs.env:
            path = os.path.join(inputs.env, "hiera.yaml")
            if os.path.isfile(path):
                self.env_config = self._usable(read_config(path, "environment"))

    def module_config(self, module: str | None) -> Config | None:
        """The hiera.yaml of a module."""
        if module is None:
            return None
        if module not in self.modules:
            folder = self.compiler.loader.module_directory(module)
            self.modules[module] = None if folder is None else self._of_module(folder)
        return self.modules[module]

    def _of_module(self, folder: str) -> Config | None:
        path = os.path.join(folder, "hiera.yaml")
        config = read_config(path, "module") if os.path.isfile(path) else None
        if config is not None:
            config = self._usable(config)
            if config is not None and config.version == 5:
                return config
        path = os.path.join(folder, "metadata.json")
        if not os.path.isfile(path):
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
        if self.compiler.strict == "error":
            raise config.bad(f"{config.path}: only a global hiera.yaml has version 3", "version")
        return None

    def function_of(self, level: Level) -> Written | None:
        """The function of a level, if it is written in Puppet."""
        if level not in self.written:
            from headwater.langs.puppet.hiera.written import written_for

            self.written[level] = written_for(self, level)
        return self.written[level]

    # -- entry points ----------------------------------------------------------------------------

    def parameter(self, key: str, scope: Scope) -> tuple[Any, Record] | None:
        """The value for a parameter of a class, with its record; None if there is none."""
        module = key.partition("::")[0]
        if self.quiet and self.module_config(module) is None:
            return None
        places = self.all_places.get(module)
        if places is not None and not places.have(key):
            self.missed[key] = places
            return None
        search = Search(self, scope)
        value = search.lookup(key, None)
        if value is NOT_FOUND:
            self.missed[key] = search.record
            if module not in self.all_places:
                self.all_places[module] = places_of(search, module)
            return None
        return value, search.record

    def miss(self, key: str) -> Record | None:
        """The record of a parameter of a class that was looked for in vain."""
        found = self.missed.get(key)
        return found.missed(key) if isinstance(found, Places) else found

    def function(self, call: Call, args: Sequence[Any], block: Any) -> Any:
        """``lookup(…)`` in all its forms."""
        options = Hash()
        rest = list(args)
        if isinstance(rest[0], Hash):
            options = rest.pop(0)
            names = options.get("name")
        else:
            names = rest.pop(0)
            if len(rest) == 1 and isinstance(rest[0], Hash):
                options = rest.pop(0)
        for index, name in enumerate(("value_type", "merge", "default_value")):
            if index < len(rest):
                options = options.merged(Hash({name: rest[index]}))
        return self._search(call, names, options, block)

    def old_function(self, call: Call, args: Sequence[Any], block: Any, merge: Any) -> Any:
        """``hiera()``, ``hiera_array()`` and ``hiera_hash()``."""
        if not isinstance(args[0], str) and opaque_in(args[0]) is None:
            call.mistyped("takes the name of a key")
        options = Hash()
        if merge is not None:
            options.put("merge", merge)
        if len(args) > 1:
            options.put("default_value", args[1])
        return self._search(call, args[0], options, block)

    def _search(self, call: Call, names: Any, options: Hash, block: Any) -> Any:
        every = names if isinstance(names, list) else [names]
        if not all(isinstance(name, str) for name in every):
            call.mistyped("the name of a key is a string")
        wanted = options.get("value_type")
        overrides = options.get("override") or Hash()
        defaults = options.get("default_values_hash") or Hash()
        search = Search(self, call.frame.scope, call.frame, overrides, defaults)
        for name in every:
            value = overrides.get(name, NOT_FOUND)
            if value is NOT_FOUND:
                value = search.lookup(name, options.get("merge"))
            if value is not NOT_FOUND:
                call.compiler.reads.append(
                    ("hiera", name, None, call.frame, call.unit, (call.node, search.record))
                )
                return _typed("the value found", wanted, value)
        call.compiler.reads.append(
            (
                "hiera",
                str(next(iter(every), "")),
                None,
                call.frame,
                call.unit,
                (call.node, search.record),
            )
        )
        for name in every:
            if name in defaults:
                return _typed("the value in default_values_hash", wanted, defaults[name])
        if block is not None:
            return _typed("the value of the block", wanted, block(names))
        if "default_value" in options:
            return _typed("the default value", wanted, options["default_value"])
        shown = ", ".join(f"'{name}'" for name in every)
        raise Problem(codes.LOOKUP_FAILED, message=f"lookup() found no value for {shown}")


def _typed(what: str, wanted: Any, value: Any) -> Any:
    if wanted is not None and not is_instance(wanted, value) and not opaque_in(value):
        from headwater.langs.puppet.types import infer_set, show_type

        message = f"{what} should be {show_type(wanted)} and is {show_type(infer_set(value))}"
        raise Problem(codes.LOOKUP_FAILED, message=message)
    return value
