"""Keys: Ed25519 pairs in files.  The private one is mode 0600 and is never printed.

``cryptography`` is imported when a key is used, so that other commands do not pay for it.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.langs.codes import unread
from headwater.langs.opal.runtime.codes import KEY_EXISTS, KEY_UNREADABLE
from headwater.langs.opal.runtime.problems import Refused
from headwater.text import Source
from headwater.text.reading import Unread, read_bytes, read_opened

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PUBLIC = re.compile(r"headwater-ed25519 (?P<key>[A-Za-z0-9+/=]+) (?P<name>\S+)\s*\Z")


def unreadable(file: str | Path, reason: str) -> Refused:
    """The refusal of a file that is no key."""
    at = Source(str(file), "").span(0, 0)
    return Refused(KEY_UNREADABLE.at(at, file=str(file), reason=reason))


def _unread(why: Unread, file: str | Path) -> Refused:
    if why.kind == "missing":
        return unreadable(file, why.reason)
    return Refused(unread(why, str(file), Source(str(file), "").span(0, 0)))


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key and the name it was made for."""

    name: str
    key: str
    """Base64 of its 32 bytes."""

    def line(self) -> str:
        """As a file holds it."""
        return f"headwater-ed25519 {self.key} {self.name}\n"


class Signer:
    """A private key."""

    __slots__ = ("_private", "name", "public")

    def __init__(self, private: Ed25519PrivateKey, name: str) -> None:
        self._private = private
        self.name = name
        raw = private.public_key().public_bytes_raw()
        self.public = base64.b64encode(raw).decode()

    def __repr__(self) -> str:
        return f"Signer({self.name!r})"

    def sign(self, text: str) -> str:
        """The signature of a text, in base64."""
        return base64.b64encode(self._private.sign(_bytes(text))).decode()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def verifies(public: str, signature: str, text: str) -> bool:
    """Whether a signature fits a text and a public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), _bytes(text))
    except (InvalidSignature, ValueError):
        return False
    return True


def new_key(name: str, file: Path) -> PublicKey:
    """Makes a pair: the private key in `file`, the public one beside it in ``.pub``."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = PublicKey(name, Signer(private, name).public)
    _write(file, pem + f"# headwater key of {name}\n".encode(), 0o600)
    try:
        _write(public_file(file), public.line().encode(), 0o644)
    except BaseException:
        # Half a pair helps nobody, and stands in the way of the next attempt.
        file.unlink()
        raise
    return public


def public_file(file: Path) -> Path:
    """Where the public half of a key file is."""
    return file.with_suffix(".pub") if file.suffix == ".key" else Path(f"{file}.pub")


def _write(file: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    except FileExistsError:
        at = Source(str(file), "").span(0, 0)
        raise Refused(KEY_EXISTS.at(at, file=str(file))) from None
    except OSError as error:
        raise unreadable(file, (error.strerror or str(error)).lower()) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        file.unlink()
        raise unreadable(file, (error.strerror or str(error)).lower()) from None


def read_private(file: str | Path) -> Signer:
    """The private key of a file that nobody else may read; raises `Refused`."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    path = Path(file)
    try:
        data, about = read_opened(path)
    except Unread as why:
        raise _unread(why, path) from None
    if about.st_mode & 0o077:
        shown = f"{stat.S_IMODE(about.st_mode):04o}"
        raise unreadable(path, f"others may read it (mode {shown}); chmod 600 {path}")
    name = re.search(rb"^# headwater key of (\S+)$", data, re.MULTILINE)
    try:
        private = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise unreadable(path, "it is not a private key without password") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise unreadable(path, "it is not an Ed25519 key")
    return Signer(private, name[1].decode("utf-8", "replace") if name else path.stem)


def read_public(file: str | Path) -> PublicKey:
    """The public key of a ``.pub`` file; raises `Refused`."""
    try:
        text = read_bytes(file).decode("utf-8")
    except Unread as why:
        raise _unread(why, file) from None
    except UnicodeDecodeError:
        raise unreadable(file, "it is not text") from None
    found = _PUBLIC.match(text)
    try:
        if found is None or len(base64.b64decode(found["key"], validate=True)) != 32:
            raise ValueError
    except ValueError:
        raise unreadable(file, "it is not a public key of headwater key new") from None
    return PublicKey(found["name"], found["key"])
