"""Digests, fqdn_rand, shellquote and sprintf: functions of the 3.x kind."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes, in_encoding, joined
from headwater.langs.puppet.functions.registry import old
from headwater.langs.puppet.functions_protocol import Context
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.parameter_checks import flatten
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.rubytext import inspect, to_i, to_s
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.sprintf import sprintf
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern


def _text(value: Value) -> bytes:
    if not isinstance(value, str):
        names = {None: "nil", True: "true", False: "false"}
        shown = names[value] if value is None or isinstance(value, bool) else ruby_class(value)
        raise Failed(f"no implicit conversion of {shown} into String")
    return value.encode()


@old("md5", 1, 1)
def _md5(context: Context, args: list[Any]) -> str:
    return hashlib.md5(_text(args[0]), usedforsecurity=False).hexdigest()


@old("sha1", 1, 1)
def _sha1(context: Context, args: list[Any]) -> str:
    return hashlib.sha1(_text(args[0]), usedforsecurity=False).hexdigest()


@old("sha256", 1, 1)
def _sha256(context: Context, args: list[Any]) -> str:
    return hashlib.sha256(_text(args[0])).hexdigest()


@old("digest", 1, 1)
def _digest(context: Context, args: list[Any]) -> str:
    return hashlib.sha256(_text(args[0])).hexdigest()


@old("fqdn_rand", 1, None)
def _fqdn_rand(context: Context, args: list[Any]) -> int:
    plain = isinstance(args[0], str | int | float) and not isinstance(args[0], bool)
    most = to_i(args[0]) if plain else _no_integer(args[0])
    facts = context.variable("facts")
    networking = facts.get("networking") if isinstance(facts, Hash) else None
    fqdn = networking.get("fqdn") if isinstance(networking, Hash) else None
    if len(args) > 2 and args[2] is not None and args[2] is not False and isinstance(fqdn, str):
        fqdn = fqdn.lower()
    seed_text = ":".join(_joined(part) for part in (fqdn, most, args[1] if len(args) > 1 else None))
    data = seed_text.encode("utf-8", "surrogateescape")
    digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
    return ruby_random(int(digest, 16), most)


def _joined(value: Value) -> str:
    return ":".join(_joined(item) for item in value) if isinstance(value, list) else to_s(value)


def _no_integer(value: Value) -> int:
    if isinstance(value, Hash):
        shown = f"{inspect(value)}:Hash"
    else:
        shown = f"{inspect(value)}:{ruby_class(value)}"
    raise Failed(f"undefined method `to_i' for {shown}")


def ruby_random(seed: int, most: int) -> int:
    """What Ruby's ``Random.new(seed).rand(most)`` gives: the same twister, read in the same way."""
    if most <= 0:
        raise Failed(f"invalid argument - {most}")
    twister = random.Random(seed)
    limit = most - 1
    if limit == 0:
        return 0
    mask = (1 << limit.bit_length()) - 1
    while True:
        value = 0
        for word in (1, 0):
            if mask >> (word * 32) & 0xFFFFFFFF:
                value = (value | twister.getrandbits(32) << (word * 32)) & mask
                if limit < value:
                    break
        else:
            return value


_SAFE = LatePattern(r"[a-zA-Z0-9@%_+=:,./-]+\Z")


@old("shellquote", 0, None)
def _shellquote(context: Context, args: list[Any]) -> str:
    return joined([_quoted(word) for word in flatten(args)], " ")


def _quoted(word: Value) -> str:
    if not isinstance(word, str):
        raise Failed(f"undefined method `length' for {inspect(word)}:{ruby_class(word)}")
    if _SAFE.match(word):
        return word
    if word.__class__ is Bytes:
        made = _quoted(str(word))
        return made if word.isascii() else in_encoding(made, word.encoding)
    if not any(char in '!"`$\\' for char in word):
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return '"' + "".join("\\" + c if c in '!"`$\\' else c for c in word) + '"'


@old("sprintf", 1, None)
def _sprintf(context: Context, args: list[Any]) -> str:
    _text(args[0])
    return sprintf(args[0], args[1:])
