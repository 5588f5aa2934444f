"""``headwater lookup``: a value of Hiera with every place that was, or could have been, asked."""

from __future__ import annotations

import os

from headwater.langs.protocol import Asked, LookedUp
from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.wire import to_data
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.config import Config, Level
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.hiera.functions import DataFunction, function_of
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.merge import NOT_FOUND
from headwater.langs.puppet.hiera.search import Search
from headwater.langs.puppet.types.equality import regex_search
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import HIDDEN, Sensitive
from headwater.report import Diagnostic
from headwater.report.codes import nearest
from headwater.text import NOWHERE, Source, Span
from headwater.tree import Value as TreeValue


def explain(layers: Layers, key: str, merge: object = None) -> LookedUp:
    """The value of a key and all that its hierarchies ask; raises `Fault` or `Problem`."""
    return _Explainer(layers).explain(key, merge, ())


def _secret(value: object) -> bool:
    """Whether a value is, or holds, what may not be shown."""
    if isinstance(value, Hash):
        return any(map(_secret, value.values()))
    return any(map(_secret, value)) if isinstance(value, list) else isinstance(value, Sensitive)


class _Explainer:
    """Asks the hierarchies again, place by place, after the look-up itself."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.segments: tuple[str | int, ...] = ()

    def explain(self, key: str, merge: object, around: tuple[str, ...]) -> LookedUp:
        search = Search(self.layers, self.layers.host.base)
        value = search.lookup(key, merge)
        record = search.record
        root = str(split_key(key)[0])
        module = root.partition("::")[0] if "::" in root else None
        self.segments = tuple(split_key(key))
        asked = tuple(self._asked(root, module, record.strategy))
        options = None if merge is not None else self._options_at(root, module)
        found = value is not NOT_FOUND
        inner = tuple(
            self.explain(one.key, None, (*around, key))
            for one in record.inner
            if one.key not in (*around, key)
        )
        warnings = [w for place in asked for w in _empty_paths(place)]
        warnings += _empty_values(record, asked)
        if not found:
            warnings.append(self._missing(key, asked))
        looked = LookedUp(
            key, found, None if value is NOT_FOUND else _shown(value), record.strategy, options,
            asked, inner, tuple(dict.fromkeys(warnings)),
        )  # fmt: skip
        hidden = record.secret() or (found and _secret(value))
        return looked.without_values(HIDDEN) if hidden else looked

    # -- places ------------------------------------------------------------------------------------

    def _asked(self, root: str, module: str | None, strategy: str) -> list[Asked]:
        found: list[Asked] = []
        layers = [
            self.layers.global_config, self.layers.env_config, self.layers.module_config(module),
        ]  # fmt: skip
        own = layers[2]
        for config in layers:
            for level in config.levels if config is not None else ():
                found += self._level(level, root, config.layer if config else "")
        if own is not None:
            for level in own.default_levels:
                found += self._level(level, root, "default")
        if strategy == "first":
            winner = next((i for i, place in enumerate(found) if place.status == "found"), None)
            for index, place in enumerate(found):
                if winner is not None and index > winner and place.status == "found":
                    found[index] = place.now("overridden")
        return found

    def _level(self, level: Level, root: str, layer: str) -> list[Asked]:
        function = None if level.unknown is None else function_of(self.layers, level)
        if function is not None:
            return self._function(function, root, layer)
        if level.unknown is not None:
            return [Asked(layer, level.name, level.at, level.unknown, None, "unknown")]
        found: list[Asked] = []
        search = Search(self.layers, self.layers.host.base)
        search.record = LookupRecord(root)
        search.in_3 = level.config.version == 3
        for pattern, paths in level.expanded(search):
            empty = tuple(dict.fromkeys(search.record.empty))
            search.record.empty.clear()
            found += [self._place(level, root, pattern, p, empty, layer) for p in paths]
            if not paths:
                found.append(
                    Asked(layer, level.name, level.at, pattern, None, "no files", empty=empty)
                )
        return found

    def _function(self, function: DataFunction, root: str, layer: str) -> list[Asked]:
        """What a function written in Puppet gives, place by place."""
        found: list[Asked] = []
        level = function.level
        search = Search(self.layers, self.layers.host.base)
        search.record = LookupRecord(root)
        search.segments = [*self.segments]
        for where in function.asked_for(search):
            function.at(search, where, root)
            tried = search.record.tried[-1]
            file = tried.file
            at = None if file is None else file.span((root,))
            status = "found" if tried.found else "no key"
            value = _shown(file.data[root]) if file is not None and tried.found else None
            path = None if file is None else file.path
            found.append(Asked(layer, level.name, level.at, tried.path, path, status, at, value))
        return found

    def _place(
        self, level: Level, root: str, pattern: str, path: str, empty: tuple[str, ...], layer: str
    ) -> Asked:
        search = Search(self.layers, self.layers.host.base)
        file = search._file(level, path)
        if file is None:
            return Asked(layer, level.name, level.at, pattern, path, "no file", empty=empty)
        if root not in file.data:
            end = len(file.source.text)
            at = file.source.span(end, end)
            return Asked(layer, level.name, level.at, pattern, path, "no key", at, empty=empty)
        spans = (file.document_place(self.segments[:n]) for n in range(len(self.segments), 0, -1))
        at = next((span for span in spans if span is not None), file.span((root,)))
        value = _shown(file.data[root])
        return Asked(layer, level.name, level.at, pattern, path, "found", at, value, empty)

    # -- options, suggestions ----------------------------------------------------------------------

    def _options_at(self, root: str, module: str | None) -> Span | None:
        """Where the lookup_options of a key stand."""
        for file in self._files(module):
            options = file.data.get("lookup_options")
            if not isinstance(options, Hash):
                continue
            names = [name for name in options if name == root]
            names += [n for n in options if str(n).startswith("^") and regex_search(str(n), root)]
            if names:
                return file.span(("lookup_options", names[0]), key=True)
        return None

    def _files(self, module: str | None) -> list[DataFile]:
        found: list[DataFile] = []
        configs: list[Config | None] = [
            self.layers.global_config, self.layers.env_config, self.layers.module_config(module),
        ]  # fmt: skip
        for config in configs:
            for level in [*config.levels, *config.default_levels] if config is not None else ():
                if level.unknown is None:
                    search = Search(self.layers, self.layers.host.base)
                    files = (search._file(level, path) for path in level.locations(search))
                    found += [file for file in files if file is not None]
        return found

    def _no_hierarchy(self) -> Span:
        """Where a hierarchy could be written."""
        env = self.layers.host.env
        if not env:
            return NOWHERE
        return Source(os.path.normpath(os.path.join(env, "hiera.yaml")), "").span(0, 0)

    def _missing(self, key: str, asked: tuple[Asked, ...]) -> Diagnostic:
        """The error for a key that nothing has: where it could be written, and what is near."""
        root = str(split_key(key)[0])
        module = root.partition("::")[0] if "::" in root else None
        known = {str(name) for file in self._files(module) for name in file.data}
        close = nearest(root, known - {"lookup_options"})
        at = next((place.at for place in reversed(asked) if place.at is not None), None)
        if at is None:
            at = asked[-1].level_at if asked else self._no_hierarchy()
        message = f"no value for {key}"
        fix = f"Did you mean {close}?" if close else None
        if not asked:
            message += ": there is no hierarchy to look in"
            fix = "a hiera.yaml in the environment, or --hiera, says where data are"
        return codes.LOOKUP_FAILED.at(at, message=message, help=fix)


def _empty_paths(place: Asked) -> list[Diagnostic]:
    """Interpolations in a path that came out empty, so that a strange file is read."""
    return [
        codes.EMPTY_INTERPOLATION.at(_location(place), name=name, where=f"a path of {place.level}")
        for name in place.empty
    ]


def _location(place: Asked) -> Span:
    """Where a location stands in its hiera.yaml."""
    level = place.level_at
    at = level.source.text.find(place.location, level.start, level.end)
    return level if at < 0 else level.source.span(at, at + len(place.location))


def _empty_values(record: LookupRecord, asked: tuple[Asked, ...]) -> list[Diagnostic]:
    """Interpolations in the value that came out empty."""
    found: list[Diagnostic] = []
    for name in dict.fromkeys(record.empty):
        for place in asked:
            if place.status == "found" and place.at is not None and name in str(place.value):
                where = f"the value at {place.level}"
                found.append(codes.EMPTY_INTERPOLATION.at(place.at, name=name, where=where))
    return found


def _shown(value: Value) -> TreeValue:
    return "Sensitive [value redacted]" if isinstance(value, Sensitive) else to_data(value)
