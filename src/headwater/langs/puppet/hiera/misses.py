"""Where the parameters of a module's classes are looked for, where that is the same for all.

Most parameters are in no data at all.  Once one of a module has been looked for in vain, every
file that counts is known, and another is missed without going through the hierarchy again; what
was tried is written down only when somebody asks.
"""

from __future__ import annotations

from headwater.langs.puppet.hiera.config import Level
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.options import Options
from headwater.text.reads import note_key


class Everywhere:
    """The files of all levels, in order, and the variables whose values chose them."""

    __slots__ = ("_data", "_files", "_globs", "_options", "_paths", "_read")

    def __init__(
        self, files: list[tuple[Level, str, DataFile | None]], read: list[str], globs: list[str],
        options: Options,
    ) -> None:  # fmt: skip
        self._files = files
        self._globs = globs
        self._options = options
        self._read = read
        self._paths = [path for _, path, _ in files]
        self._data = [file.data.entries for _, _, file in files if file is not None]

    def miss(self, key: str) -> bool:
        """Whether no file has a key, and no option is about it; that was asked of every file."""
        for data in self._data:
            if key in data:
                return False
        if self._options.every and self._options.of(key):
            return False
        note_key(self._paths, key)
        return True

    def missed(self, key: str) -> LookupRecord:
        """The record of looking for a key that no file has."""
        record = LookupRecord(
            key, read=[*self._read], globs=[*self._globs], options=[self._options.record]
        )
        for level, path, file in self._files:
            record.tried.append(Tried(key, level.config.layer, level.name, path, file, False))
        return record


def everywhere(layers: Layers, module: str) -> Everywhere | None:
    """The files for a module after a search in vain; None where a key may say more.

    Default hierarchies, backends that cannot be run here and levels whose
    files hang on variables that may change all need the search itself.
    """
    own = layers.module_config(module)
    options = layers.options.get((module if own is not None else None, False))
    if options is None or (own and own.default_levels):
        return None
    files: list[tuple[Level, str, DataFile | None]] = []
    read: list[str] = []
    globs: list[str] = []
    for config in (layers.global_config, layers.env_config, own):
        for level in config.levels if config is not None else ():
            kept = layers.locations.get(level)
            if kept is None or level.unknown is not None:
                return None
            files += [(level, path, layers.files.get(path)) for path in kept.paths]
            read += kept.read
            globs += kept.globs
    return Everywhere(files, read, globs, options)
