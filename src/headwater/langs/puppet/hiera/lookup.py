"""The data of one compilation, and who asks for them: parameters of classes and ``lookup()``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.merge import NOT_FOUND
from headwater.langs.puppet.hiera.misses import Come, Everywhere, everywhere, record_of
from headwater.langs.puppet.hiera.pieces import copied
from headwater.langs.puppet.hiera.search import OldCall, Search
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.model import Type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import opaque_in

if TYPE_CHECKING:
    from headwater.langs.puppet.functions_protocol import Block
    from headwater.langs.puppet.hiera.host import Asking, Frame, Host


class Hiera:
    """The data of one compilation, as parameters of classes and ``lookup()`` ask for them."""

    def __init__(self, host: Host) -> None:
        self.layers = Layers(host)
        self._missed: dict[str, LookupRecord | Everywhere | Come] = {}
        self._missed_together: list[tuple[Collection[str], Everywhere]] = []
        """Those of classes, until somebody asks about one."""
        self._everywhere: dict[str | None, Everywhere | None] = {}
        """By module; for all modules without a hierarchy of their own, one."""
        self._quiet = not host.hiera_yaml and not host.env

    @property
    def missed(self) -> dict[str, LookupRecord | Everywhere | Come]:
        """Parameters of classes that were looked for in vain, with all that was tried."""
        if self._missed_together:
            for keys, known in self._missed_together:
                self._missed.update(dict.fromkeys(keys, known))
            self._missed_together = []
        return self._missed

    def parameters(
        self, name: str, keys: Collection[str], scope: Frame
    ) -> Iterator[tuple[str, Any, LookupRecord | Come, bool]]:
        """Those parameters of a class that are in the data, by their keys: values and records.

        The last is whether nobody else has the arrays and hashes of the value.
        """
        module = name.partition("::")[0]
        layers = self.layers
        layers.begin()
        own = layers.module_config(module)
        alike = None if own is None else module
        if self._quiet and alike is None:
            return
        if alike not in self._everywhere:
            Search(layers, scope).prepare(alike, own)
            self._everywhere[alike] = everywhere(layers, module)
        known = self._everywhere[alike]
        if known is None or not known.simple(keys):
            for key in self.present(name, keys):
                found = self.parameter(key, scope)
                if found is not None:
                    yield key, *found, False
            return
        layers.asked_together.append(keys)
        where, missed = known.sift(keys)
        if missed:
            self._missed_together.append((missed, known))
        for key in keys if where else ():
            if key not in where:
                continue
            level, path, file, *_ = known.at(where[key])
            assert file is not None
            if level.function != "eyaml_lookup_key" and file.is_plain(key):
                value = file.data.entries[key]
                yield key, copied(value), Come(known, key, where[key], value), True
            else:
                record = known.come(key, where[key])
                yield key, Search(layers, scope).found(level, path, record), record, False

    def present(self, name: str, keys: Collection[str]) -> Collection[str]:
        """The keys of a class's parameters without those that are known to be in no data."""
        module = name.partition("::")[0]
        self.layers.begin()
        alike = None if self.layers.module_config(module) is None else module
        known = self._everywhere.get(alike)
        if known is None:
            return keys
        missed = known.missing(keys)
        self.layers.asked.update(missed)
        self.missed.update(dict.fromkeys(missed, known))
        return [key for key in keys if key not in missed] if len(missed) < len(keys) else ()

    def parameter(self, key: str, scope: Frame) -> tuple[Any, LookupRecord] | None:
        """The value for a parameter of a class, with its record; None if there is none."""
        module = key.partition("::")[0]
        layers = self.layers
        layers.begin()
        own = layers.module_config(module)
        alike = None if own is None else module
        if self._quiet and alike is None:
            return None
        layers.asked.add(key)
        if alike not in self._everywhere:
            Search(layers, scope).prepare(alike, own)
            self._everywhere[alike] = everywhere(layers, module)
        known = self._everywhere[alike]
        if known is not None:
            if known.miss(key):
                self.missed[key] = known
                return None
            first = known.first(key)
            if first is not None:
                one, record = first
                return Search(layers, scope).found(one.level, one.path, record), record
        search = Search(layers, scope)
        value = search.lookup(key, None)
        if value is NOT_FOUND:
            self.missed[key] = search.record
            return None
        return value, search.record

    def miss(self, key: str) -> LookupRecord | None:
        """The record of a parameter of a class that was looked for in vain."""
        found = self.missed.get(key)
        return found.missed(key) if isinstance(found, Everywhere) else record_of(found)

    def function(self, call: Asking, args: Sequence[Any], block: Block | None) -> Value:
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

    def old_function(
        self, call: Asking, args: Sequence[Any], block: Block | None, merge: Value
    ) -> Value:
        """``hiera()``, ``hiera_array()`` and ``hiera_hash()``."""
        if not isinstance(args[0], str) and opaque_in(args[0]) is None:
            call.mistyped("takes the name of a key")
        options = Hash()
        if merge is not None:
            options.put("merge", merge)
        override: Any = None
        if block is not None:
            override = args[1] if len(args) > 1 else None
        elif len(args) > 1:
            options.put("default_value", args[1])
            override = args[2] if len(args) > 2 else None
        paths = override if isinstance(override, list) else [override]
        old = OldCall(tuple(path for path in paths if isinstance(path, str)))
        return self._search(call, args[0], options, block, old)

    def _search(
        self, call: Asking, names: Value, options: Hash, block: Block | None,
        old: OldCall | None = None,
    ) -> Value:  # fmt: skip
        every: list[Any] = names if isinstance(names, list) else [names]
        unknown = opaque_in(every)
        if unknown is not None:
            return unknown
        if not all(isinstance(name, str) for name in every):
            call.mistyped("the name of a key is a string")
        keys: list[str] = every
        wanted = options.get("value_type")
        overrides = options.get("override") or Hash()
        defaults = options.get("default_values_hash") or Hash()
        search = Search(self.layers, call.frame, overrides, defaults, old=old)
        before: list[LookupRecord] = []
        for name in keys:
            value = overrides.get(name, NOT_FOUND)
            if value is NOT_FOUND:
                value = search.lookup(name, options.get("merge"))
                search.record.before, before = before, [*before, search.record]
            if value is not NOT_FOUND:
                call.looked_up(name, search.record)
                return _typed("the value found", wanted, value)
        call.looked_up(next(iter(keys), ""), search.record)
        for name in keys:
            if name in defaults:
                return _typed("the value in default_values_hash", wanted, defaults[name])
        if block is not None:
            return _typed("the value of the block", wanted, block(names))
        if "default_value" in options:
            return _typed("the default value", wanted, options["default_value"])
        shown = ", ".join(f"'{name}'" for name in keys)
        raise Problem(codes.LOOKUP_FAILED, message=f"lookup() found no value for {shown}")


def _typed(what: str, wanted: Type | None, value: Value) -> Value:
    if wanted is not None and not is_instance(wanted, value) and not opaque_in(value):
        from headwater.langs.puppet.types import infer_set, show_type

        message = f"{what} should be {show_type(wanted)} and is {show_type(infer_set(value))}"
        raise Problem(codes.LOOKUP_FAILED, message=message)
    return value
