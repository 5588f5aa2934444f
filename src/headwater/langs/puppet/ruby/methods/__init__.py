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

__all__ = [
    "arrays",
    "enumerable",
    "hashes",
    "kernel",
    "modules",
    "numbers",
    "ranges",
    "regexps",
    "splitting",
    "strings",
    "substitution",
]
