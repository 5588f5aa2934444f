"""Durable state: revisions, worlds, endorsements, keys and the log, in one SQLite file.

It knows no language: a key is a text, a value is a text, and what they mean is the business
of whoever writes them.  `Store` opens a file; `Store.writing` is the one transaction that
changes anything; every problem is a `StoreProblem` with a coded diagnostic.
"""

from headwater.store.connection import StoreProblem
from headwater.store.database import Store
from headwater.store.records import Endorsement, Entry, Key, OpenedWorld, Version
from headwater.store.verify import Verified, verify
from headwater.store.writing import Writing

__all__ = [
    "Endorsement",
    "Entry",
    "Key",
    "OpenedWorld",
    "Store",
    "StoreProblem",
    "Verified",
    "Version",
    "Writing",
    "verify",
]
