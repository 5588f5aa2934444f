"""What a data file has under a key, told apart from anything else it could have there."""

from __future__ import annotations

import msgspec

from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import exists
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.data import is_json, read_data
from headwater.text.digest import sha256
from headwater.text.reads import NAMES


def key_identity(path: str, key: str) -> str | None:
    """A digest of the value, or that there is no key or file; None if only the whole file tells."""
    try:
        if not exists(path):
            return "no file"
        file = read_data(path, "json_data" if is_json(path) else "yaml_data")
        if file.odd:
            return None
        if key == NAMES:
            names = sorted(map(str, file.data))
            return sha256(msgspec.msgpack.encode(names)).hexdigest()
        if key not in file.data.entries:
            return "no key"
        return sha256(msgspec.msgpack.encode(_ordered(file.data[key]))).hexdigest()
    except (Fault, Problem, TypeError, ValueError, OverflowError, RecursionError):
        return None


def _ordered(value: object) -> object:
    """A value with its pairs in their order, which they have in a catalog too."""
    if isinstance(value, Hash):
        return {"pairs": [[_ordered(key), _ordered(item)] for key, item in value.pairs()]}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
