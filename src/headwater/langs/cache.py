"""What has been worked out once, kept on disk by the hash of what it was made from.

An entry is read only when it is ours: in a folder of ours that nobody else may write to, owned
by us, and with the checksum of its key and its content.  The key says what it was made from, in
which format, and which version of our own modules made it (see `version_of`).  What goes wrong
with the cache is never an error: the work is done again.

An entry is written without a name and gets its name when it is whole, so that a process that is
killed leaves nothing behind.  The folder is split in sixteen, and each part has a sixteenth of the
room; where there is no more, the entries that were not used for longest go.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from os import PathLike

from headwater.text.digest import sha256
from headwater.text.sizes import parse_size

MOST_BYTES = 256 * 1024 * 1024
"""The room of a cache, unless HEADWATER_CACHE_SIZE says something else."""

_PARTS = 16
_MAGIC = b"headwater kept 1\n"
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = _READ | getattr(os, "O_DIRECTORY", 0)
_UNNAMED = getattr(os, "O_TMPFILE", 0)
_UNFINISHED = "unfinished-"
_DAY, _HOUR = 86_400, 3_600


class Cache:
    """The cache in one folder."""

    def __init__(self, folder: str | PathLike[str], most_bytes: int = MOST_BYTES) -> None:
        self.folder = os.fspath(folder)
        self.most_bytes = most_bytes
        self._room: dict[str, int] = {}
        """How much may be written to each part before it is looked through again."""

    def place(self, key: str) -> str:
        """The file for a key."""
        return os.path.join(self.folder, *_name(key))

    def load(self, key: str) -> bytes | None:
        """What is kept under a key, if it is ours and whole."""
        part, name = _name(key)
        try:
            with self._opened(part) as folder:
                handle = os.open(name, _READ, dir_fd=folder)
                with os.fdopen(handle, "rb") as file:
                    about = os.fstat(handle)
                    if not stat.S_ISREG(about.st_mode) or not _ours(about):
                        return None
                    data = file.read()
                if time.time() - about.st_mtime > _DAY:
                    os.utime(name, dir_fd=folder, follow_symlinks=False)
        except (OSError, ValueError):
            return None
        start = len(_MAGIC) + 32
        body = data[start:]
        return body if data[:start] == _head(key, body) else None

    def store(self, key: str, body: bytes) -> bool:
        """Keeps something under a key; whether that worked."""
        part, name = _name(key)
        data = _head(key, body) + body
        try:
            if len(data) > self.most_bytes // _PARTS:
                return False
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            os.makedirs(os.path.join(self.folder, part), mode=0o700, exist_ok=True)
            with self._opened(part) as folder:
                self._make_room(part, folder, len(data))
                _write(folder, name, data)
        except (OSError, ValueError):
            return False
        return True

    @contextmanager
    def _opened(self, part: str) -> Iterator[int]:
        """One of the sixteen folders, if it is ours and so is the whole."""
        if not usable(self.folder):
            raise PermissionError
        handle = os.open(os.path.join(self.folder, part), _FOLDER)
        try:
            if not _ours(os.fstat(handle)):
                raise PermissionError
            yield handle
        finally:
            os.close(handle)

    def _make_room(self, part: str, folder: int, size: int) -> None:
        """Lets go of what was not used for longest, if there is not enough room."""
        room = self._room.get(part, 0) - size
        if room < 0:
            most = self.most_bytes // _PARTS
            entries = sorted(_entries(folder))
            held = sum(size for _, size, _ in entries)
            for _, gone, name in entries:
                if held + size <= most * 3 // 4:
                    break
                _forget(folder, name)
                held -= gone
            # Others may write at the same time: after an eighth it is looked through again.
            room = min(most - held - size, most // 8)
        self._room[part] = room

    def info(self) -> tuple[int, int]:
        """How many entries there are, and how many bytes they take."""
        found = [size for part in _NAMES for _, size, _ in self._listed(part)]
        return len(found), sum(found)

    def clear(self) -> int:
        """Forgets everything; how many entries that were."""
        gone = 0
        for part in _NAMES:
            for _, _, name in self._listed(part):
                gone += 1
                try:
                    os.unlink(os.path.join(self.folder, part, name))
                except OSError:
                    gone -= 1
            with suppress(OSError):
                os.rmdir(os.path.join(self.folder, part))
        self._room.clear()
        return gone

    def _listed(self, part: str) -> list[tuple[float, int, str]]:
        try:
            with self._opened(part) as folder:
                return list(_entries(folder))
        except (OSError, ValueError):
            return []


_NAMES = [f"{number:x}" for number in range(_PARTS)]


def _name(key: str) -> tuple[str, str]:
    name = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return name[0], name[1:]


def _head(key: str, body: bytes) -> bytes:
    """What stands before the content of an entry: it fits no other key and no other content."""
    digest = sha256(key.encode("utf-8", "surrogatepass"))
    digest.update(b"\0" + sha256(body).digest())
    return _MAGIC + digest.digest()


def _ours(about: os.stat_result) -> bool:
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def _entries(folder: int) -> Iterator[tuple[float, int, str]]:
    """When an entry was last used, its size and its name."""
    with os.scandir(folder) as found:
        for entry in found:
            try:
                about = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if entry.name.startswith(_UNFINISHED) and time.time() - about.st_mtime > _HOUR:
                _forget(folder, entry.name)
            elif stat.S_ISREG(about.st_mode):
                yield about.st_mtime, about.st_size, entry.name


def _forget(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):  # another process was faster
        os.unlink(name, dir_fd=folder)


def _write(folder: int, name: str, data: bytes) -> None:
    """Makes an entry, which has its name when it is whole."""
    if _UNNAMED and os.path.exists("/proc/self/fd"):
        try:
            handle = os.open(".", os.O_WRONLY | _UNNAMED, 0o600, dir_fd=folder)
        except OSError:
            pass  # not every file system has files without names
        else:
            with os.fdopen(handle, "wb", buffering=0) as file:
                _write_all(handle, data)
                _link(f"/proc/self/fd/{file.fileno()}", name, folder)
            return
    unfinished = f"{_UNFINISHED}{os.getpid()}-{os.urandom(4).hex()}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb", buffering=0):
            _write_all(handle, data)
        os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        _forget(folder, unfinished)
        raise


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _link(source: str, name: str, folder: int) -> None:
    """Gives a file its name; one that has the name already, and may be damaged, loses it."""
    for _ in range(3):
        try:
            os.link(source, name, dst_dir_fd=folder, follow_symlinks=True)
            return
        except FileExistsError:
            _forget(folder, name)


# --- where it is ----------------------------------------------------------------------------


def user_folder() -> str | None:
    """The folder of this user's cache, or None when it is turned off or has no place.

    It is ``headwater`` in the user's cache folder; the environment variable HEADWATER_CACHE names
    another one, or turns the cache off with ``off``.
    """
    setting = os.environ.get("HEADWATER_CACHE", "")
    if setting == "off" or not hasattr(os, "getuid"):
        return None
    if setting:
        return os.path.abspath(setting)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "headwater") if os.path.isabs(base) else None


def most_bytes() -> int:
    """The room of this user's cache."""
    size = parse_size(os.environ.get("HEADWATER_CACHE_SIZE", ""))
    return MOST_BYTES if size is None else size


def usable(folder: str) -> bool:
    """Whether a folder is ours, and only we may write to it."""
    try:
        about = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and _ours(about)


def user_cache() -> Cache | None:
    """The cache of this user, or None when there is none."""
    folder = user_folder()
    return None if folder is None else _cache(folder, most_bytes())


@cache
def _cache(folder: str, most: int) -> Cache:
    return Cache(folder, most)


@cache
def version_of(*places: str) -> str:
    """The version of modules of ours, by their files: what they judged is judged again if they
    change.  A place is a module or a package, as its path inside Headwater."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = sha256(sys.version.encode())
    for place in places:
        for path in sorted(_files_of(os.path.join(root, place))):
            about = os.stat(path)
            digest.update(f"{path}\0{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _files_of(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    with os.scandir(path) as found:
        for entry in found:
            if entry.is_dir() and not entry.name.startswith(("_", ".")):
                yield from _files_of(entry.path)
            elif entry.name.endswith((".py", ".json")):
                yield entry.path
