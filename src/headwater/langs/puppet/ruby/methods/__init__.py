"""The methods of Ruby's classes, one module per class; importing this room gives them to them."""

from headwater.langs.puppet.ruby.methods import (
    arrays,
    enumerable,
    hashes,
    kernel,
    modules,
    numbers,
    ranges,
    regexps,
    splitting,
    strings,
    substitution,
)
from headwater.langs.puppet.ruby.stdlib import (
    digests,
    json,
    paths,
    randoms,
    sets,
    structs,
    texts,
)

__all__ = [
    "arrays",
    "digests",
    "enumerable",
    "hashes",
    "json",
    "kernel",
    "modules",
    "numbers",
    "paths",
    "randoms",
    "ranges",
    "regexps",
    "sets",
    "splitting",
    "strings",
    "structs",
    "substitution",
    "texts",
]
