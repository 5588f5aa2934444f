"""``Zlib``'s checksums, and what of ``OpenSSL`` needs no keys: digests, HMAC, derived keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
import zlib
from typing import TYPE_CHECKING, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, INTEGER, OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse, refuse_own
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib.digests import BLOCKS, CLASS, Sum
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Native,
    RubyValue,
    Text,
    bytes_text,
    symbol,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ZLIB: Final = module("Zlib")
OPENSSL: Final = module("OpenSSL")
_ERROR: Final = define("OpenSSL::OpenSSLError", BUILTIN["StandardError"])
DIGEST: Final = define("OpenSSL::Digest", CLASS)
define("OpenSSL::Digest::DigestError", _ERROR)
HMAC: Final = define("OpenSSL::HMAC", OBJECT)
PKCS5: Final = module("OpenSSL::PKCS5")
KDF: Final = module("OpenSSL::KDF")
_KINDS: Final = {
    define(f"OpenSSL::Digest::{name}", DIGEST): name.lower()
    for name in ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512")
}
_NEEDS_KEYS: Final = "it needs keys, or the state of OpenSSL"
refuse_own(ZLIB, "compressed text is not read", "crc32_combine crc_table gunzip gzip deflate "
           "inflate zlib_version adler32_combine")  # fmt: skip
refuse_own(OPENSSL, _NEEDS_KEYS, "fips_mode= errors debug debug= secure_compare Digest "
           "fixed_length_secure_compare fips_mode")  # fmt: skip
refuse_own(KDF, _NEEDS_KEYS, "hkdf scrypt")
refuse(INTEGER, _NEEDS_KEYS, "to_bn")
MOST_ROUNDS: Final = 2_000_000
"""How often a derived key may be hashed."""


def _checksum(function: Callable[[bytes, int], int], start: int) -> Callable[..., int]:
    def checksum(
        m: Machine, self: RubyValue, text: RubyValue = None, initial: RubyValue = start
    ) -> int:
        if text is None:
            return start
        return function(encoded(to.string(m, text)), to.integer(m, initial))

    return checksum


own_method(ZLIB, "crc32")(_checksum(zlib.crc32, 0))
own_method(ZLIB, "adler32")(_checksum(zlib.adler32, 1))


# digests


def _named(m: Machine, name: RubyValue) -> str:
    """The digest that is meant: by its name, or as an object."""
    if name.__class__ is Sum:
        return name.kind
    if name.__class__ is Class and name in _KINDS:
        return _KINDS[name]
    spelled = to.string(m, name)
    plain = spelled.lower().replace("-", "")
    if plain in BLOCKS:
        return plain
    if plain in hashlib.algorithms_available:
        raise Beyond(f"OpenSSL::Digest of {spelled}")
    raise m.error("RuntimeError", f"Unsupported digest algorithm ({spelled}).: unknown object name")


@own_method(DIGEST, "new")
def new_digest(
    m: Machine, self: Class, name: Given = UNDEFINED, data: Given = UNDEFINED
) -> RubyValue:
    kind = _KINDS.get(self)
    if kind is None:
        if name is UNDEFINED:
            raise m.error("ArgumentError", "wrong number of arguments (given 0, expected 1..2)")
        kind = _named(m, name)
    else:
        data = name
    made = Sum(self, kind)
    if data is not UNDEFINED:
        made.hasher.update(encoded(to.string(m, data)))
    return made


def _at_once(name: str) -> None:
    def call(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
        given = list(args)
        if self in _KINDS:
            kind: RubyValue = self
        elif len(given) == 2:
            kind = given.pop(0)
        else:
            raise m.error(
                "ArgumentError", f"wrong number of arguments (given {len(given)}, expected 2)"
            )
        if len(given) != 1:
            raise m.error(
                "ArgumentError", f"wrong number of arguments (given {len(given)}, expected 1)"
            )
        return m.send(Sum(self, _named(m, kind)), name, given)

    own_method(DIGEST, name)(call)


for _name in ("digest", "hexdigest", "base64digest"):
    _at_once(_name)


@method(DIGEST, "name")
def digest_name(m: Machine, self: Sum) -> str:
    return self.kind.upper()


# HMAC


class Mac(Native):
    """An HMAC that is being made."""

    __slots__ = ("key", "kind", "mac")

    def __init__(self, key: bytes, kind: str) -> None:
        self.key = key
        self.kind = kind
        self.mac = hmac.new(key, b"", kind)


OF_TYPE[Mac] = HMAC


@own_method(HMAC, "new")
def new_hmac(m: Machine, self: Class, key: RubyValue, digest: RubyValue) -> RubyValue:
    return Mac(encoded(to.string(m, key)), _named(m, digest))


@method(HMAC, "update", "<<")
def update_hmac(m: Machine, self: Mac, data: RubyValue) -> RubyValue:
    self.mac.update(encoded(to.string(m, data)))
    return self


@method(HMAC, "reset")
def reset_hmac(m: Machine, self: Mac) -> RubyValue:
    self.mac = hmac.new(self.key, b"", self.kind)
    return self


@method(HMAC, "digest")
def hmac_bytes(m: Machine, self: Mac) -> RubyValue:
    return bytes_text(self.mac.digest())


@method(HMAC, "hexdigest", "to_s", "inspect")
def hmac_hex(m: Machine, self: Mac) -> Text:
    return bytes_text(self.mac.hexdigest().encode())


@method(HMAC, "base64digest")
def hmac_base64(m: Machine, self: Mac) -> str:
    return base64.b64encode(self.mac.digest()).decode()


@method(HMAC, "==")
def same_hmac(m: Machine, self: Mac, other: RubyValue) -> bool:
    return other.__class__ is Mac and self.mac.digest() == other.mac.digest()


def _mac(m: Machine, digest: RubyValue, key: RubyValue, data: RubyValue) -> bytes:
    kind = _named(m, digest)
    return hmac.new(encoded(to.string(m, key)), encoded(to.string(m, data)), kind).digest()


@own_method(HMAC, "digest")
def hmac_digest(
    m: Machine, self: Class, digest: RubyValue, key: RubyValue, data: RubyValue
) -> RubyValue:
    return bytes_text(_mac(m, digest, key, data))


@own_method(HMAC, "hexdigest")
def hmac_hexdigest(
    m: Machine, self: Class, digest: RubyValue, key: RubyValue, data: RubyValue
) -> Text:
    return bytes_text(_mac(m, digest, key, data).hex().encode())


@own_method(HMAC, "base64digest")
def hmac_base64digest(
    m: Machine, self: Class, digest: RubyValue, key: RubyValue, data: RubyValue
) -> str:
    return base64.b64encode(_mac(m, digest, key, data)).decode()


# derived keys


def _derived(
    m: Machine, password: RubyValue, salt: RubyValue, rounds: RubyValue, length: RubyValue,
    kind: str,
) -> RubyValue:  # fmt: skip
    count, size = to.integer(m, rounds), to.integer(m, length)
    if count < 1 or size < 1:
        raise Beyond("a derived key of no rounds or no length")
    blocks = -(-size // hashlib.new(kind, usedforsecurity=False).digest_size)
    if count * blocks > MOST_ROUNDS:
        raise Beyond(f"a derived key of {count} rounds")
    m.spend(count * blocks)
    data, seed = encoded(to.string(m, password)), encoded(to.string(m, salt))
    return bytes_text(hashlib.pbkdf2_hmac(kind, data, seed, count, size))


@own_method(PKCS5, "pbkdf2_hmac")
def pbkdf2(
    m: Machine, self: RubyValue, password: RubyValue, salt: RubyValue, rounds: RubyValue,
    length: RubyValue, digest: RubyValue,
) -> RubyValue:  # fmt: skip
    return _derived(m, password, salt, rounds, length, _named(m, digest))


@own_method(PKCS5, "pbkdf2_hmac_sha1")
def pbkdf2_sha1(
    m: Machine, self: RubyValue, password: RubyValue, salt: RubyValue, rounds: RubyValue,
    length: RubyValue,
) -> RubyValue:  # fmt: skip
    return _derived(m, password, salt, rounds, length, "sha1")


@own_method(KDF, "pbkdf2_hmac")
def derive(m: Machine, self: RubyValue, password: RubyValue, named: RubyValue) -> RubyValue:
    given = to.hash_(m, named) if named is not None else Hash({})
    wanted = ("salt", "iterations", "length", "hash")
    lost = [name for name in wanted if given.get(symbol(name)) is None]
    if lost:
        word = "keyword" if len(lost) == 1 else "keywords"
        shown = ", ".join(f":{name}" for name in lost)
        raise m.error("ArgumentError", f"missing {word}: {shown}")
    salt, rounds, length, digest = (given.get(symbol(name)) for name in wanted)
    return _derived(m, password, salt, rounds, length, _named(m, digest))
