"""Keys of principals: making them, and which of them a store trusts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from headwater.langs.durable import KeyFiles
from headwater.langs.opal.durable.running import opened, problems

if TYPE_CHECKING:
    from headwater.langs.opal.runtime.keys import PublicKey
    from headwater.store import Entry, Key


def make_key(name: str, file: Path) -> KeyFiles:
    """A new pair of keys in two files."""
    from headwater.langs.opal.runtime.keys import new_key, public_file

    with problems():
        new_key(name, file)
    return KeyFiles(file, public_file(file))


def public_line(file: str) -> str:
    """The public key of a file as it is written."""
    return public_key(file).line()


def public_key(file: str) -> PublicKey:
    """The public key of a file, which may be that of the private one."""
    from headwater.langs.opal.runtime.keys import PublicKey, read_private, read_public

    with problems():
        if file.endswith(".pub"):
            return read_public(file)
        private = read_private(file)
        return PublicKey(private.name, private.public)


def change(
    store: str,
    principal: str | None,
    *,
    add: str | None = None,
    revoke: str | None = None,
    key: str | None = None,
) -> Entry:
    """Trusts a key, revokes one, or exchanges one for another; all are files."""
    from headwater.langs.opal.runtime.keys import read_private
    from headwater.langs.opal.runtime.trust import change_keys

    added = public_key(add) if add is not None else None
    gone = public_key(revoke) if revoke is not None else None
    with problems():
        signer = read_private(key) if key is not None else None
    known = added or gone
    assert known is not None
    with opened(store, create=True) as db:
        return change_keys(
            db,
            principal if principal is not None else known.name,
            add=added,
            revoke=gone.key if gone is not None else None,
            signer=signer,
        )


def trusted(store: str) -> list[Key]:
    """Every key that a store knows."""
    with opened(store, reading=True) as db:
        return db.all_keys()
