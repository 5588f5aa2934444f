"""The one door through which files are read.

What is read may have been named by a stranger: a source, a link in a repository, a path in a
data file.  So only regular files are read, never more of them than a bound, nothing under
``/dev``, ``/proc`` and ``/sys``, and, where a `Reach` has roots, nothing outside of these.
What counts is what was opened, not what lay under the name a moment before.

A folder that may not be read is neither empty nor absent: whoever lists it, or looks for
something in it, gets `Unread` of the kind ``locked``.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from headwater.text.moment import SEEN
from headwater.text.paths import OWN, below, inside, is_dir, kind_of, near
from headwater.text.reads import READS, note_looks

if TYPE_CHECKING:
    from headwater.text.standin import Entry, StandIn

MOST_BYTES = 64 * 1024 * 1024
"""The largest file that is read, unless something else is said."""

SYSTEM = ("/dev", "/proc", "/sys")
"""Folders whose files are the machine, not data."""

Kind: TypeAlias = Literal["missing", "special", "too-large", "outside", "locked"]

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_TRIES = 3
_ABSENT = (None, errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)
"""What the system says of names that nothing has; None: such a name cannot be."""


class Unread(Exception):
    """Why a file or folder is not read."""

    def __init__(self, path: str, kind: Kind, reason: str, *, absent: bool = False) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.kind = kind
        self.reason = reason
        self.absent = absent
        """Whether there is nothing of that name; else it is there and may not be read."""
        self.named_at: Any = None
        """The span that names it, where that is known."""


class Reach(msgspec.Struct, frozen=True):
    """What may be read: files of at most `most_bytes`, inside every fence."""

    most_bytes: int = MOST_BYTES
    fences: tuple[tuple[str, ...], ...] = ()
    """Each a number of files and folders, by their real paths; with none, all may be read."""

    @property
    def confined(self) -> bool:
        """Whether there are any fences."""
        return bool(self.fences)

    def fenced(self, paths: Iterable[str | PathLike[str]]) -> Reach:
        """The same with one more fence: only files and folders given here, and what is in them."""
        return msgspec.structs.replace(self, fences=(*self.fences, tuple(map(real_path, paths))))

    def admit(self, path: str, real: str) -> None:
        """Refuses a file or folder, named `path`, whose real path is outside; raises `Unread`."""
        if real.startswith(SYSTEM) and inside(real, SYSTEM):
            raise Unread(path, "outside", "nothing under /dev, /proc and /sys is read")
        if self.fences and not all(
            inside(real, fence) or inside(real, OWN) for fence in self.fences
        ):
            raise Unread(path, "outside", "it is outside of what was given")


_REACH = ContextVar("reach", default=Reach())  # noqa: B039 - a Reach does not change


def reach() -> Reach:
    """What may be read at present."""
    return _REACH.get()


@contextmanager
def within(new: Reach) -> Iterator[None]:
    """Says for a while what may be read."""
    token = _REACH.set(new)
    try:
        yield
    finally:
        _REACH.reset(token)


_STAND_IN: ContextVar[StandIn | None] = ContextVar("stand_in", default=None)
"""What is read for a while in place of the disk."""


@contextmanager
def standing_in(files: StandIn) -> Iterator[None]:
    """Says for a while what files are there and what they hold."""
    token = _STAND_IN.set(files)
    before = SEEN.set(None)  # what was seen was seen of other files
    try:
        yield
    finally:
        SEEN.reset(before)
        _STAND_IN.reset(token)


@contextmanager
def instead_of(files: Mapping[str, bytes | None]) -> Iterator[None]:
    """Says for a while that some files hold something else, or that they are not there (None)."""
    from headwater.text.standin import Edits

    with standing_in(Edits(files, _STAND_IN.get())):
        yield


def _entry(name: str) -> Entry | None:
    """What stands in for a file or folder."""
    stand_in = _STAND_IN.get()
    if stand_in is None or "\0" in name:
        return None
    try:
        return stand_in.entry(_absolute(name))
    except PermissionError:
        raise locked(name) from None


def _absolute(name: str) -> str:
    """A path from the root on; what it says of links and of folders above stays in it."""
    return os.path.join(os.getcwd(), name)


def real_path(path: str | PathLike[str]) -> str:
    """Where a path leads, links followed; of what is not there, where it would be."""
    try:
        stand_in = _STAND_IN.get()
        real = None if stand_in is None else stand_in.real(_absolute(fspath(path)))
        return _real(fspath(path)) if real is None else real
    except (OSError, ValueError):
        return os.path.abspath(fspath(path).replace("\0", "\ufffd"))


def _real(name: str) -> str:
    """The same on the disk; at one moment, the way to each folder is gone once."""
    return _real_and_about(name)[0]


def _real_and_about(name: str) -> tuple[str, os.stat_result | None]:
    """The same, and what is known of what lies there, unless a link had to be followed."""
    seen = SEEN.get()
    folder, _, last = name.rpartition("/")
    if seen is None or last in ("", ".", "..") or os.sep != "/":
        return os.path.realpath(name), None
    real = seen.reals.get(folder)
    if real is None:
        around = folder if name != f"/{last}" else "/"
        real = seen.reals[folder] = below(os.path.realpath(around or "."))
    try:
        about = os.lstat(real + last)
    except OSError:
        return real + last, None
    if stat.S_ISLNK(about.st_mode):
        return os.path.realpath(name), None
    return real + last, about


def locked(path: str) -> Unread:
    """Why nothing is known of a path: it is a folder, or is in one, that may not be read."""
    reason = "the folder may not be listed"
    here = os.path.realpath(path) if os.path.islink(path) else path
    while not _reached(here or ".") and here != (above := os.path.dirname(here)):
        here = above
        reason = f"the folder {near(here) or '.'} may not be searched"
    return Unread(near(path), "locked", f"{reason} (permission denied)")


def _reached(path: str) -> bool:
    try:
        os.stat(path)
    except OSError:
        return False
    return True


# --- files --------------------------------------------------------------------------------


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The content of a regular file; raises `Unread`."""
    return read_opened(path)[0]


def read_opened(path: str | PathLike[str]) -> tuple[bytes, os.stat_result]:
    """The content of a regular file, and what is known of the file that was opened."""
    name = fspath(path)
    note_looks((name,))
    seen = SEEN.get()
    if seen is None:
        return _read_opened(name)
    held = seen.files.get(name)
    if held is None:
        held = seen.files[name] = _read_opened(name)
    return held


def first_bytes(path: str, most: int) -> bytes:
    """How the content of a regular file begins; raises `Unread`."""
    note_looks((path,))
    seen = SEEN.get()
    if seen is not None and path in seen.files:
        return seen.files[path][0][:most]
    return _read_opened(path, most)[0][:most]


def _read_opened(name: str, first: int | None = None) -> tuple[bytes, os.stat_result]:
    allowed = reach()
    if allowed.confined:
        allowed.admit(name, real_path(name))  # whether it is there or not is not told
    if (entry := _entry(name)) is not None:
        return _stood_in(name, entry, allowed)
    try:
        for _ in range(_TRIES):
            # A pipe or a device is not even opened: that alone may wait, or do something.
            _regular(name, _stat(name).st_mode)
            handle = os.open(name, _FLAGS)
            try:
                about = os.fstat(handle)
                _regular(name, about.st_mode)
                real, there = _real_and_about(name)
                if not os.path.samestat(about, os.lstat(real) if there is None else there):
                    continue  # another file was put in its place meanwhile
                allowed.admit(name, real)
                if first is not None:
                    return os.read(handle, first), about
                return _content(name, handle, about.st_size, allowed.most_bytes), about
            finally:
                os.close(handle)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        absent = getattr(error, "errno", None) in _ABSENT
        raise Unread(name, "missing", reason.lower(), absent=absent) from None
    raise Unread(name, "missing", "it changes all the time")


def _stat(name: str) -> os.stat_result:
    try:
        return os.stat(name)
    except PermissionError:
        raise locked(name) from None


def _stood_in(name: str, entry: Entry, allowed: Reach) -> tuple[bytes, os.stat_result]:
    about = entry.about()
    if about is None:
        raise Unread(name, "missing", os.strerror(errno.ENOENT).lower(), absent=True)
    _regular(name, about.st_mode)
    allowed.admit(name, real_path(name))
    if about.st_size > allowed.most_bytes:
        raise Unread(name, "too-large", f"it is larger than {allowed.most_bytes:,} bytes")
    return entry.content(), about


def _regular(name: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise Unread(name, "special", f"it is {kind_of(mode)}")


def _content(name: str, handle: int, size: int, most: int) -> bytes:
    """What an open file holds; it may have grown since it was asked for its size."""
    if size > most:
        raise Unread(name, "too-large", f"it is larger than {most:,} bytes")
    parts: list[bytes] = []
    held = 0
    # A byte more than it should have tells the end; room for much more would have to be given back.
    while part := os.read(handle, asked := size + 1 - held if held <= size else 65_536):
        parts.append(part)
        held += len(part)
        if held > most:
            raise Unread(name, "too-large", f"it is larger than {most:,} bytes")
        if held == size and len(part) < asked:
            break  # the end, where it was said to be
    return parts[0] if len(parts) == 1 else b"".join(parts)


# --- what is there ------------------------------------------------------------------------


def look(path: str) -> os.stat_result | None:
    """What is known of a file or folder, links followed; None if there is none.

    Raises `Unread` where it would be outside, whether it is there or not, and where a folder on
    the way may not be searched.
    """
    if (reads := READS.get()) is not None:
        reads.contents.add(path)
    seen = SEEN.get()
    return seen.looks[path] if seen is not None and path in seen.looks else _look(path)


def look_all(paths: Sequence[str]) -> list[os.stat_result | None]:
    """What is known of each of many files and folders, as `look` tells it."""
    note_looks(paths)
    seen = SEEN.get()
    if seen is None or reach().confined or _STAND_IN.get() is not None:
        return [_look(path) for path in paths]
    looks, stat_of = seen.looks, os.stat
    for path in paths:
        if path not in looks:
            try:
                looks[path] = stat_of(path)
            except PermissionError:
                raise locked(path) from None
            except (OSError, ValueError):
                looks[path] = None
    return [looks[path] for path in paths]


def _look(path: str) -> os.stat_result | None:
    seen = SEEN.get()
    if seen is None:
        return _look_at(path)
    if path not in seen.looks:
        seen.looks[path] = _look_at(path)
    return seen.looks[path]


def _look_at(path: str) -> os.stat_result | None:
    allowed = reach()
    if allowed.confined:
        allowed.admit(path, real_path(path))
    if (entry := _entry(path)) is not None:
        return entry.about()
    try:
        return os.stat(path)
    except PermissionError:
        raise locked(path) from None
    except (OSError, ValueError):
        return None


def _kind(path: str) -> int:
    """Whether a file or a folder is there, as its mode says it; 0 if there is nothing."""
    if (reads := READS.get()) is not None:
        reads.kinds.add(path)
    about = _look(path)
    return 0 if about is None else stat.S_IFMT(about.st_mode)


def exists(path: str) -> bool:
    """Whether anything is there; raises `Unread`."""
    if (reads := READS.get()) is not None:
        reads.kinds.add(path)
    seen = SEEN.get()
    known = seen.looks if seen is not None else {}
    return (known[path] if path in known else _look(path)) is not None


def is_file(path: str) -> bool:
    """Whether a regular file is there; raises `Unread`."""
    return _kind(path) == stat.S_IFREG


def is_folder(path: str) -> bool:
    """Whether a folder is there; raises `Unread`."""
    return _kind(path) == stat.S_IFDIR


def leads_to_folder(path: str) -> bool:
    """Whether a name in a folder that is listed is that of a folder, wherever links lead."""
    note_looks((), (path,))
    seen = SEEN.get()
    if seen is None:
        return _leads_to_folder(path)
    if path not in seen.folders:
        seen.folders[path] = _leads_to_folder(path)
    return seen.folders[path]


def _leads_to_folder(path: str) -> bool:
    entry = _entry(path)
    if entry is None:
        try:
            return stat.S_ISDIR(os.stat(path).st_mode)
        except PermissionError:
            if reach().confined:
                reach().admit(path, real_path(path))
            raise locked(path) from None
        except (OSError, ValueError):
            return False
    about = entry.about()
    return about is not None and stat.S_ISDIR(about.st_mode)


def is_link(path: str) -> bool:
    """Whether the last name of a path is that of a link."""
    if _STAND_IN.get() is None:
        return os.path.islink(path)
    folder, name = os.path.split(path)
    return real_path(path) != os.path.join(real_path(folder), name)


def names_in(folder: str) -> list[str]:
    """The names in a folder, by their bytes; none if there is no folder.  Raises `Unread`."""
    note_looks((folder,))
    seen = SEEN.get()
    if seen is None:
        return _names_in(folder)
    if folder not in seen.names:
        seen.names[folder] = _names_in(folder)
    return [*seen.names[folder]]


def _names_in(folder: str) -> list[str]:
    if (entry := _entry(folder or ".")) is not None:
        reach().admit(folder, real_path(folder))
        return sorted(entry.names(), key=os.fsencode)
    try:
        handle = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError) as error:
        # Whether it is there or not is not told; what links lead to in circles is nowhere.
        if reach().confined or getattr(error, "errno", None) != errno.ELOOP:
            reach().admit(folder, real_path(folder))
        if isinstance(error, PermissionError):
            raise locked(folder) from None
        return []
    try:
        reach().admit(folder, _opened(handle) or real_path(folder))
        return sorted(os.listdir(handle), key=os.fsencode)
    except OSError:
        return []
    finally:
        os.close(handle)


def _opened(handle: int) -> str | None:
    """The real path of an open folder, where the system tells it: one look, however many links."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return None


def _scan(folder: str) -> None:
    """Sees, at one moment, which names a folder has and which of them are folders, in one look."""
    seen = SEEN.get()
    if seen is None or folder in seen.names or _STAND_IN.get() is not None:
        return
    reach().admit(folder, real_path(folder))
    try:
        with os.scandir(folder or ".") as entries:
            kinds = {one.name: is_dir(one) for one in entries}
    except (OSError, ValueError):
        return
    seen.names[folder] = sorted(kinds, key=os.fsencode)
    for name, there in kinds.items():
        if there is not None:
            seen.folders[os.path.join(folder, name)] = there


def files_under(
    folder: str, wanted: Callable[[str], bool], *, hidden: bool = False,
    refused: list[Unread] | None = None,
) -> list[str]:  # fmt: skip
    """The paths of the files below a folder whose names are wanted, in order.

    A link to a folder below it is not followed, so that there is an end to it; names that
    begin with a dot are passed over unless they are asked for.  Raises `Unread`; with `refused`,
    folders that may not be read are noted there, and all others are looked at.
    """
    found: list[str] = []
    todo = [folder]
    while todo:
        inner = todo.pop()
        try:
            _scan(inner)
            for name in names_in(inner):
                path = os.path.join(inner, name)
                if name.startswith(".") and not hidden:
                    continue
                if leads_to_folder(path):
                    if not is_link(path):
                        todo.append(path)
                elif wanted(name):
                    found.append(path)
        except Unread as why:
            if refused is None or why.kind != "locked":
                raise
            refused.append(why)
    return sorted(found, key=os.fsencode)
