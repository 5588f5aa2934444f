"""One look-up: layers, levels, interpolation and options, with the record of all that was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from headwater.langs.codes import FOLDER_LOCKED
from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import exists
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.config import Config, Level
from headwater.langs.puppet.hiera.data import DataFile, data_by_key, read_data
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.interpolation import Interpolation, UnknownPlace
from headwater.langs.puppet.hiera.keys import dig, split_key
from headwater.langs.puppet.hiera.layers import Layers, Locations
from headwater.langs.puppet.hiera.merge import NOT_FOUND, Found, Strategy, strategy_of
from headwater.langs.puppet.hiera.options import Options
from headwater.langs.puppet.hiera.pieces import can_be_looked_up, copied
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque
from headwater.report import Note
from headwater.text import Span
from headwater.text.reads import NAMES, note_key

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.host import Frame

_OPTIONS = "lookup_options"
_STABLE = frozenset(
    ["facts", "trusted", "server_facts", "environment", "::environment", "::facts", "::trusted",
     "settings::codedir"]
)  # fmt: skip

_HASH = strategy_of("hash")


class OldCall(msgspec.Struct, frozen=True):
    """A call of ``hiera()`` or one like it; `paths` are asked before those of the hierarchy."""

    paths: tuple[str, ...] = ()


class Search(Interpolation):
    """One look-up, with the look-ups inside it."""

    def __init__(
        self, layers: Layers, frame: Frame, overrides: Hash | None = None,
        defaults: Hash | None = None, active: tuple[str, ...] = (), old: OldCall | None = None,
    ) -> None:  # fmt: skip
        layers.begin()
        super().__init__(layers, frame, overrides, defaults)
        self.active = active
        self.old = old
        self.only_global = old is not None and layers.only_global
        """Whether other layers are not asked."""
        self.segments: list[str | int] = [_OPTIONS]
        """The parts of the key that is being looked up."""

    def lookup(self, name: str, merge: object) -> Found:
        """The value of a key, or `NOT_FOUND`."""
        self.record = LookupRecord(name)
        if name in self.active:
            chain = " → ".join([*self.active, name])
            raise Problem(codes.LOOKUP_FAILED, message=f"data refers to itself: {chain}")
        segments = split_key(name)
        if not isinstance(segments[0], str):
            raise Problem(codes.LOOKUP_FAILED, message=f"the key '{name}' begins with a number")
        root = segments[0]
        self.segments = segments
        self.layers.asked.add(root)
        if root == _OPTIONS:
            return NOT_FOUND
        module = root.partition("::")[0] if "::" in root else None
        options = self._options(root, module)
        if merge is None:
            merge = options.get("merge")
        strategy = strategy_of(merge)
        self.record.strategy = strategy.name
        self.active = (*self.active, name)
        if strategy.name == "first":
            value = self._first(root, module, strategy)
        else:
            value = strategy.search(
                self._layers(module), lambda config: self._in_config(config, root, module, strategy)
            )
        if value is NOT_FOUND and not self.only_global:
            value = self._in_defaults(root, module)
        self.active = self.active[:-1]
        if value is not NOT_FOUND and len(segments) > 1:
            value = dig(value, segments[1:], name)
        if value is not NOT_FOUND and options.get("convert_to") is not None:
            value = self._converted(value, options["convert_to"])
        self.record.value = value
        return value

    def inner(self, key: str) -> Found:
        search = Search(self.layers, self.frame, self.overrides, self.defaults, self.active)
        search.only_global = self.only_global or (self.in_3 and self.layers.only_global)
        value = self.overrides.get(key, NOT_FOUND)
        if value is NOT_FOUND:
            value = search.lookup(key, None)
        self.record.inner.append(search.record)
        return value

    def found(self, level: Level, path: str, record: LookupRecord) -> Found:
        """The value of a key without parts in a file that has it, after those before it."""
        self.record = record
        self.layers.asked.add(record.key)
        self.segments = [record.key]
        self.active = (record.key,)
        record.value = self._in_file(level, path, record.key)
        self.active = ()
        return record.value

    def _layers(self, module: str | None) -> list[Config | None]:
        every = self.layers
        if self.only_global:
            return [every.global_config]
        return [every.global_config, every.env_config, every.module_config(module)]

    def _first(self, root: str, module: str | None, strategy: Strategy) -> Found:
        """The value at the first place that has one: what nearly all look-ups want."""
        for config in self._layers(module):
            if config is not None and config.version == 3:
                value = self._in_config(config, root, module, strategy)
                if value is not NOT_FOUND:
                    return value
            elif config is not None and self._covers(config, root, module):
                for level in config.levels:
                    value = self._in_level(level, root, strategy)
                    if value is not NOT_FOUND:
                        return value
        return NOT_FOUND

    @staticmethod
    def _covers(config: Config, root: str, module: str | None) -> bool:
        """Whether a key may be looked up in a layer: modules only have keys of their own."""
        return config.layer != "module" or root.startswith(f"{module}::") or root == _OPTIONS

    def _in_config(
        self, config: Config | None, root: str, module: str | None, strategy: Strategy
    ) -> Found:
        if config is None or not config.levels or not self._covers(config, root, module):
            return NOT_FOUND
        if config.version == 3:
            return self._in_config_3(config, root, strategy)
        return strategy.search(config.levels, lambda level: self._in_level(level, root, strategy))

    def _in_config_3(self, config: Config, root: str, strategy: Strategy) -> Found:
        """The same in a global hiera.yaml of version 3, whose data see a few names more."""
        if strategy.name == "hash" and self.old is not None:
            strategy = config.hash_strategy or strategy
        around, self.in_3 = self.in_3, True
        try:
            value = strategy.search(
                config.levels, lambda level: self._in_level(level, root, strategy)
            )
        finally:
            self.in_3 = around
        if self.old is not None and value is not NOT_FOUND and strategy.name != "first":
            if strategy.name != "unique" and not isinstance(value, Hash | Opaque):
                raise Problem(codes.LOOKUP_FAILED, message=f"hiera_hash: {root} is not a hash")
            if len(self.segments) > 1 and strategy.name in ("unique", "hash"):
                message = f"a dotted key cannot be merged by the strategy {strategy.name}"
                raise Problem(codes.LOOKUP_FAILED, message=message)
        return value

    def _unknown(self, what: str, at: Span) -> Opaque:
        """What only Ruby can look up."""
        self.record.unknown = what
        return self.layers.host.unknown(what, at)

    def _in_level(self, level: Level, root: str, strategy: Strategy) -> Found:
        self.layers.host.spend(1)
        try:
            return self._in_places(level, root, strategy)
        except UnknownPlace as place:
            return place.why

    def _in_places(self, level: Level, root: str, strategy: Strategy) -> Found:
        if level.unknown is not None:
            from headwater.langs.puppet.hiera.functions import function_of

            function = function_of(self.layers, level)
            if function is not None:
                return function.find(self, root, strategy)
            if level.kind == "hiera3_backend":
                if not self.layers.host.level.has_hiera_3 and not self.layers.host.opaque:
                    raise Fault(codes.NO_HIERA_3.at(level.at, backend=level.function))
                if root == _OPTIONS and level.config.version == 3:
                    return NOT_FOUND  # no backend of Hiera 3 knows them
            return self._unknown(level.unknown, level.at)
        paths = self._locations(level)
        if self.old is not None and self.old.paths and level.config.version == 3:
            paths = [*level.resolved(self, self.old.paths), *paths]
        if not level.located:
            raise Fault(codes.HIERA_CONFIG.at(level.at, message=str(level.refused(None))))
        if not paths:
            return NOT_FOUND
        if len(paths) == 1 and strategy.name == "first":
            return self._in_file(level, paths[0], root)
        return strategy.search(paths, lambda path: self._in_file(level, path, root))

    def _locations(self, level: Level) -> list[str]:
        """The files of a level, found once if they depend on nothing that could change."""
        kept = self.layers.locations.get(level)
        record = self.record
        if kept is not None:
            record.read += kept.read
            record.globs += kept.globs
            return kept.paths
        before, seen = len(record.read), len(record.globs)
        paths = level.locations(self)
        read = record.read[before:]
        if all(name.split(".")[0] in _STABLE for name in read):
            self.layers.locations[level] = Locations(paths, read, record.globs[seen:])
        return paths

    def look_through(self, pattern: str) -> None:
        """Notes a pattern for files."""
        self.record.globs.append(pattern)

    def locked(self, level: Level, problem: Problem) -> None:
        """Tells of a folder of data that may not be read, which Puppet takes for empty."""
        if problem.code is not FOLDER_LOCKED:
            raise problem.at(level.at) from None
        self.layers.host.warn(codes.LOCKED_DATA, level.at, **problem.fields)

    def is_there(self, level: Level, path: str) -> bool:
        """Whether a file of a level is there."""
        try:
            return exists(path)
        except Problem as problem:
            self.locked(level, problem)
            return False

    def _file(self, level: Level, path: str) -> DataFile | None:
        """The data of a file, or None if there is no such file; read once per compilation."""
        files = self.layers.files
        if path not in files:
            try:
                there = self.is_there(level, path)
                files[path] = data_by_key(path, level.function) if there else None
            except Problem as problem:
                raise problem.at(level.at) from None
            if level.config.module is not None and files[path] is not None:
                note_key((path,), NAMES)
                self._unqualified(level.config.module, files[path])
        file = files[path]
        if file is not None and file.odd:
            self._no_hash(level, file)
        if file is not None and level.options:
            with level.blamed():
                self.interpolated(level.options, methods=False)
            message = level.refused(path)
            if message is not None:
                raise Fault(codes.HIERA_CONFIG.at(level.at, message=message))
        return file

    def _unqualified(self, module: str, file: DataFile | None) -> None:
        """Tells of keys in the data of a module that nobody can look up there."""
        for key in file.data if file is not None else ():
            if isinstance(key, str) and key != _OPTIONS and not key.startswith(f"{module}::"):
                assert file is not None
                at = file.span((key,), key=True)
                self.layers.host.warn(codes.UNQUALIFIED_KEY, at, key=key, module=module)

    def _no_hash(self, level: Level, file: DataFile) -> None:
        """Tells of a file whose data are no hash; it has none, or is refused."""
        host, at = self.layers.host, file.source.span(0, 0)
        if host.strict == "error" and file.odd == "value":
            raise Fault(codes.NO_HASH.at(at, severity="error", file=file.path))
        if host.strict != "off":
            host.warn(codes.NO_HASH, at, file=file.path)

    def _in_file(self, level: Level, path: str, root: str) -> Found:
        file = self._file(level, path)
        note_key((path,), root)
        found = file is not None and root in file.data.entries
        self.record.tried.append(Tried(root, level.config.layer, level.name, path, file, found))
        if not found:
            return NOT_FOUND
        assert file is not None
        value = file.data.entries[root]
        if level.function != "eyaml_lookup_key" and file.is_plain(root):
            return copied(value)
        if not can_be_looked_up(value):
            message = f"{root} has a key or a value that data cannot hold"
            raise Fault(codes.LOOKUP_FAILED.at(file.span((root,)), message=message))
        if level.function == "eyaml_lookup_key":
            value = self._decrypted(level, value, root, file)
        self.reading = (file, root)
        value = self.interpolated(value)
        self.reading = None
        return value

    def _decrypted(self, level: Level, value: Value, root: str, file: DataFile) -> Value:
        """A value in the clear, of which parts may be written encrypted."""
        from headwater.langs.puppet.hiera.eyaml import Keys, NotDecrypted, encrypted

        if not encrypted(value):
            return value
        keys = self.layers.keys.get(level)
        if keys is None:
            keys = self.layers.keys[level] = Keys(self.interpolated_hash(level.options))
        try:
            clear = keys.decrypted(value)
        except NotDecrypted as why:
            at = file.span((root,))
            if self.layers.host.opaque:
                return self._unknown(f"the encrypted {root}", at)
            note = Note("the level that names its keys", level.at)
            raise Fault(
                codes.NOT_DECRYPTED.at(at, labels=(note,), key=root, level=level.name, why=str(why))
            ) from None
        self.record.encrypted = True
        self.record.keys += keys.named
        self.layers.host.keep_secret(keys.taken())
        return clear

    def _in_defaults(self, root: str, module: str | None) -> Found:
        """The default hierarchy of the module, tried when nothing else has the key."""
        config = self.layers.module_config(module)
        if config is None or not config.default_levels:
            return NOT_FOUND
        hashed = _HASH
        found = hashed.search(
            config.default_levels, lambda level: self._in_level(level, _OPTIONS, hashed)
        )
        valid = (
            Hash() if found is NOT_FOUND or found is None else self._valid_options(found, module)
        )
        options = Options(valid, self.record).of(root)
        strategy = strategy_of(options.get("merge"))
        return strategy.search(
            config.default_levels, lambda level: self._in_level(level, root, strategy)
        )

    def _converted(self, value: Value, convert_to: Value) -> Value:
        parts = convert_to if isinstance(convert_to, list) else [convert_to]
        type_, *more = parts or [None]
        return self.layers.host.converted(self.frame, type_, value, more)

    # -- options ---------------------------------------------------------------------------------

    def _options(self, root: str, module: str | None) -> Hash:
        own = None if self.only_global else self.layers.module_config(module)
        known = self._every_option(module if own is not None else None, own)
        self.record.options.append(known.record)
        return known.of(root)

    def prepare(self, module: str | None, own: Config | None) -> None:
        """Finds the options of a module: afterwards the files of all levels are known."""
        self._every_option(module, own)

    def _every_option(self, module: str | None, own: Config | None) -> Options:
        """The options of all look-ups of a module, found once; those without a hierarchy of their
        own share what the layers around say."""
        kept = self.layers.options
        known = kept.get((module, self.only_global))
        if known is not None:
            return known
        inner = Search(self.layers, self.frame, active=self.active)
        if module is None:
            options, configs = Hash(), self._layers(None)
        else:
            around = self._every_option(None, None)
            inner.record, options = around.record.followed(), around.every
            configs = [own]
        for config in configs:
            found = inner._in_config(config, _OPTIONS, module, _HASH)
            if config is not None and found is not NOT_FOUND and found is not None:
                whose = module if config.layer == "module" else None
                options = inner._valid_options(found, whose).merged(options)
        inner.record.key, inner.record.strategy = _OPTIONS, "hash"
        made = kept[module, self.only_global] = Options(options, inner.record)
        return made

    def _valid_options(self, options: object, module: str | None) -> Hash:
        """Options of look-ups; those of a module are for keys of its own."""
        message = None
        if isinstance(options, Opaque):
            options = Hash()
        elif not isinstance(options, Hash):
            message = "lookup_options is not a hash"
            options = Hash()
        for key in options:
            if not isinstance(key, str):
                message = f"lookup_options: {key} is not a key"
            elif module is not None and not key.removeprefix("^").startswith(f"{module}::"):
                message = f"lookup_options of the module {module} cannot be for {key}"
        if message is not None:
            files = [tried.file for tried in self.record.tried if tried.found]
            file = files[-1] if files else None
            if file is None:
                raise Problem(codes.LOOKUP_FAILED, message=message)
            raise Fault(codes.LOOKUP_FAILED.at(file.span((_OPTIONS,)), message=message))
        valid: Hash = options
        return valid


def every_file(layers: Layers, key: str) -> list[Tried]:
    """Every place a key could come from, as if nothing had been found on the way."""
    from headwater.langs.puppet.hiera.functions import function_of

    search = Search(layers, layers.host.base)
    search.record = LookupRecord(key)
    search.segments = split_key(key)
    root = str(search.segments[0])
    module = root.partition("::")[0] if "::" in root else None
    for config in search._layers(module):
        for level in config.levels if config is not None else ():
            if level.unknown is not None:
                try:
                    function = function_of(layers, level)
                    if function is not None:
                        for where in function.asked_for(search):
                            function.at(search, where, root)
                except (Fault, Problem):
                    pass  # what nobody had to ask for may fail
                continue
            search.in_3 = level.config.version == 3
            for path in level.locations(search):
                try:
                    file = read_data(path, level.function) if exists(path) else None
                except (Fault, Problem):
                    continue  # the same
                found = file is not None and root in file.data
                search.record.tried.append(
                    Tried(root, level.config.layer, level.name, path, file, found)
                )
    return search.record.tried
