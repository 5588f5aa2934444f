"""What has been worked out once, kept on disk by the hash of what it was made from.

A file of the cache is read only when it is ours: in a folder of ours, owned by us, not
writable by others, and with the right checksum.  What goes wrong with the cache is never
an error: the work is done again.

The folder is ``headwater/puppet`` in the user's cache folder; the environment variable
``HEADWATER_CACHE`` names another one, or turns the cache off with ``off``.
"""

from __future__ import annotations

import hashlib
import os
import stat
from os import PathLike


class DiskCache:
    """The cache in one folder."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    def place(self, key: str) -> str:
        """The file for a key."""
        name = hashlib.sha256(key.encode()).hexdigest()
        return os.path.join(self.folder, name[:2], name[2:])

    def load(self, key: str) -> bytes | None:
        """What is kept under a key, if it is ours and whole."""
        try:
            with open(self.place(key), "rb") as file:
                about = os.fstat(file.fileno())
                if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o022:
                    return None
                if about.st_uid != os.getuid():
                    return None
                data = file.read()
        except (OSError, ValueError):
            return None
        body = data[32:]
        return body if hashlib.sha256(body).digest() == data[:32] else None

    def store(self, key: str, body: bytes) -> bool:
        """Keeps something under a key; whether that worked."""
        import tempfile

        try:
            path = self.place(key)
            folder = os.path.dirname(path)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=folder)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
        except (OSError, ValueError):
            return False
        return True


def user_folder() -> str | None:
    """The folder of this user's cache, or None when it is turned off or has no place."""
    setting = os.environ.get("HEADWATER_CACHE", "")
    if setting == "off" or not hasattr(os, "getuid"):
        return None
    if setting:
        return os.path.join(setting, "puppet")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "headwater", "puppet") if os.path.isabs(base) else None
