"""Where the parameters of a module's classes are looked for, where that is the same for all.

Most parameters are in no data at all.  To know the options of look-ups every file that counts is
gone through; after that a parameter is missed without going through the hierarchy again, and what
was tried is written down only when somebody asks.  One that is in the data is found in the first of
these files that has it.  Modules without a hierarchy of their own share the files.
"""

from __future__ import annotations

from collections.abc import Collection

from headwater.langs.puppet.hiera.config import Level
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.options import Options
from headwater.langs.puppet.types.value import Value
from headwater.text.named import NamedTuple
from headwater.text.reads import READS, note_key, note_keys


class LevelFile(NamedTuple):
    """A file of a level, there or not, and how much was read to come to the level."""

    level: Level
    path: str
    file: DataFile | None
    read: int
    globs: int

    def tried(self, key: str, *, found: bool = False) -> Tried:
        """What is told of a key that it was asked for."""
        level = self.level
        return Tried(key, level.config.layer, level.name, self.path, self.file, found)

    @property
    def plain(self) -> bool:
        """Whether what it has under a key is the value, whatever the level says."""
        level = self.level
        return level.config.version != 3 and not level.options and not (self.file and self.file.odd)


class Come:
    """A value that one of the files has under a key, and not those before it.

    What was tried is written down when somebody asks for the `record`.
    """

    __slots__ = ("_at", "_everywhere", "_key", "_record", "value")

    def __init__(self, everywhere: Everywhere, key: str, at: int, value: Value) -> None:
        self._everywhere = everywhere
        self._key = key
        self._at = at
        self._record: LookupRecord | None = None
        self.value = value

    @property
    def record(self) -> LookupRecord:
        """The record of the look-up."""
        if self._record is None:
            record = self._everywhere.come(self._key, self._at)
            record.tried.append(self._everywhere.at(self._at).tried(self._key, found=True))
            record.value = self.value
            self._record = record
        return self._record


def record_of(detail: object) -> LookupRecord | None:
    """The record of a look-up, if something is one."""
    if isinstance(detail, Come):
        return detail.record
    return detail if isinstance(detail, LookupRecord) else None


class Everywhere:
    """The files of all levels, in order, and the variables whose values chose them."""

    __slots__ = ("_data", "_files", "_globs", "_options", "_paths", "_plain", "_read")

    def __init__(
        self, files: list[LevelFile], read: list[str], globs: list[str], options: Options
    ) -> None:
        self._files = files
        self._globs = globs
        self._options = options
        self._read = read
        self._paths = [one.path for one in files]
        self._plain = all(one.plain for one in files)
        self._data = [one.file.data.entries for one in files if one.file is not None]

    def missing(self, keys: Collection[str]) -> Collection[str]:
        """The keys that no file has and no option is about; every file was asked for them."""
        if self._options.every:
            return [key for key in keys if self.miss(key)]
        for data in self._data:
            if not data.keys().isdisjoint(keys):
                keys = [key for key in keys if key not in data]
        note_keys(self._paths, keys)
        return keys

    def miss(self, key: str) -> bool:
        """Whether no file has a key, and no option is about it; that was asked of every file."""
        for data in self._data:
            if key in data:
                return False
        if self._options.every and self._options.of(key):
            return False
        note_key(self._paths, key)
        return True

    def simple(self, keys: Collection[str]) -> bool:
        """Whether what the first file has that has a key is found for it: `sift` may be asked."""
        if not self._plain:
            return False
        options = self._options
        return not options.every or not any(options.of(key) for key in keys)

    def sift(self, keys: Collection[str]) -> tuple[dict[str, int], Collection[str]]:
        """In which file each key is found, and the keys that are in none; as files were asked."""
        found: dict[str, int] = {}
        reads = READS.get()
        noted = None if reads is None else reads.keys
        for at, one in enumerate(self._files):
            if noted is not None:
                if one.path in noted:
                    noted[one.path].update(keys)
                else:
                    noted[one.path] = set(keys)
            data = None if one.file is None else one.file.data.entries
            if data and not data.keys().isdisjoint(keys):
                for key in keys:
                    if key in data:
                        found[key] = at
                keys = [key for key in keys if key not in data]
                if not keys:
                    break
        return found, keys

    def at(self, number: int) -> LevelFile:
        """The file of that number."""
        return self._files[number]

    def come(self, key: str, at: int) -> LookupRecord:
        """The record of having come to a file."""
        one = self._files[at]
        return LookupRecord(
            key, [other.tried(key) for other in self._files[:at]],
            read=self._read[: one.read], globs=self._globs[: one.globs],
            options=[self._options.record],
        )  # fmt: skip

    def first(self, key: str) -> tuple[LevelFile, LookupRecord] | None:
        """The first file that has a key, and the record of having come to it; None where the
        search itself is needed."""
        if not self._plain or (self._options.every and self._options.of(key)):
            return None
        for at, one in enumerate(self._files):
            if one.file is not None and key in one.file.data.entries:
                note_key(self._paths[:at], key)
                return one, self.come(key, at)
        return None

    def missed(self, key: str) -> LookupRecord:
        """The record of looking for a key that no file has."""
        return LookupRecord(
            key, [one.tried(key) for one in self._files], read=[*self._read],
            globs=[*self._globs], options=[self._options.record],
        )  # fmt: skip


def everywhere(layers: Layers, module: str) -> Everywhere | None:
    """The files for a module whose options are known; None where a key may say more.

    Default hierarchies, backends that cannot be run here and levels whose
    files hang on variables that may change all need the search itself.
    """
    own = layers.module_config(module)
    options = layers.options.get((module if own is not None else None, False))
    if options is None or (own and own.default_levels):
        return None
    files: list[LevelFile] = []
    read: list[str] = []
    globs: list[str] = []
    for config in (layers.global_config, layers.env_config, own):
        for level in config.levels if config is not None else ():
            kept = layers.locations.get(level)
            if kept is None or level.unknown is not None:
                return None
            read += kept.read
            globs += kept.globs
            files += [
                LevelFile(level, path, layers.files.get(path), len(read), len(globs))
                for path in kept.paths
            ]
    return Everywhere(files, read, globs, options)
