"""Digest: MD5, SHA1 and SHA2 of strings."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Final

from headwater.langs.puppet.ruby.classes import OBJECT, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Classed,
    Given,
    RubyValue,
    bytes_text,
)

if TYPE_CHECKING:
    from hashlib import _Hash as Digest

DIGEST: Final = module("Digest")
INSTANCE: Final = module("Digest::Instance")
CLASS: Final = define("Digest::Class", OBJECT)
CLASS.included.append(INSTANCE)
BASE: Final = define("Digest::Base", CLASS)
KINDS: Final = {
    define(f"Digest::{name}", BASE): name.lower()
    for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")
}
SHA2: Final = define("Digest::SHA2", CLASS)
BLOCKS: Final = {
    "md5": 64, "sha1": 64, "sha224": 64, "sha256": 64, "sha384": 128, "sha512": 128,
}  # fmt: skip


class Sum(Classed):
    """A digest that is being made."""

    __slots__ = ("hasher", "kind")

    def __init__(self, cls: Class, kind: str) -> None:
        self.cls = cls
        self.kind = kind
        self.hasher: Digest = hashlib.new(kind, usedforsecurity=False)


def _kind(m: Machine, cls: Class) -> str:
    for one in cls.ancestors():
        if one in KINDS:
            return KINDS[one]
    raise m.error("NotImplemented" + "Error", f"{cls.name} is an abstract class")


def _sum(m: Machine, cls: Class, value: RubyValue) -> Digest:
    text = to.string(m, value)
    return hashlib.new(_kind(m, cls), encoded(text), usedforsecurity=False)


@own_method(CLASS, "hexdigest")
def hexdigest_of(m: Machine, self: Class, value: RubyValue) -> str:
    return _sum(m, self, value).hexdigest()


@own_method(CLASS, "digest")
def digest_of(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    return bytes_text(_sum(m, self, value).digest())


@own_method(CLASS, "base64digest")
def base64digest_of(m: Machine, self: Class, value: RubyValue) -> str:
    return base64.b64encode(_sum(m, self, value).digest()).decode()


@own_method(CLASS, "new")
def new(m: Machine, self: Class) -> RubyValue:
    return Sum(self, _kind(m, self))


@own_method(SHA2, "new")
def new_sha2(m: Machine, self: Class, bits: RubyValue = 256) -> RubyValue:
    size = to.integer(m, bits)
    if size not in (256, 384, 512):
        shown = m.inspect(bits)
        raise m.error("ArgumentError", f"unsupported bit length: {shown}")
    return Sum(self, f"sha{size}")


@method(INSTANCE, "update", "<<")
def update(m: Machine, self: Sum, value: RubyValue) -> RubyValue:
    self.hasher.update(encoded(to.string(m, value)))
    return self


@method(INSTANCE, "reset")
def reset(m: Machine, self: Sum) -> RubyValue:
    self.hasher = hashlib.new(self.kind, usedforsecurity=False)
    return self


def _finished(m: Machine, self: Sum, value: Given) -> Digest:
    """The digest so far, or of another string alone."""
    if value is UNDEFINED:
        return self.hasher
    reset(m, self)
    return hashlib.new(self.kind, encoded(to.string(m, value)), usedforsecurity=False)


@method(INSTANCE, "hexdigest")
def hexdigest(m: Machine, self: Sum, value: Given = UNDEFINED) -> str:
    return _finished(m, self, value).hexdigest()


@method(INSTANCE, "to_s")
def to_s(m: Machine, self: Sum) -> str:
    return str(self.hasher.hexdigest())


@method(INSTANCE, "digest")
def digest(m: Machine, self: Sum, value: Given = UNDEFINED) -> RubyValue:
    return bytes_text(_finished(m, self, value).digest())


@method(INSTANCE, "base64digest")
def base64digest(m: Machine, self: Sum, value: Given = UNDEFINED) -> str:
    return base64.b64encode(_finished(m, self, value).digest()).decode()


def _ended(name: str) -> None:
    """``hexdigest!`` and its like begin anew afterwards."""

    def call(m: Machine, self: Sum) -> RubyValue:
        made = m.send(self, name, [])
        reset(m, self)
        return made

    method(INSTANCE, name + "!")(call)


for _name in ("hexdigest", "digest", "base64digest"):
    _ended(_name)


@method(INSTANCE, "digest_length", "length", "size")
def digest_length(m: Machine, self: Sum) -> int:
    return int(self.hasher.digest_size)


@method(INSTANCE, "block_length")
def block_length(m: Machine, self: Sum) -> int:
    return BLOCKS[self.kind]


@method(INSTANCE, "new")
def again(m: Machine, self: Sum) -> RubyValue:
    return Sum(self.cls, self.kind)


@method(INSTANCE, "inspect")
def inspect(m: Machine, self: Sum) -> str:
    made = self.hasher.hexdigest()
    if self.cls is SHA2:
        return f"#<{self.cls.name}:{self.hasher.digest_size * 8} {made}>"
    return f"#<{self.cls.name}: {made}>"


@method(INSTANCE, "==")
def equal(m: Machine, self: Sum, other: RubyValue) -> bool:
    if other.__class__ is Sum:
        return bool(self.hasher.digest() == other.hasher.digest())
    return to.is_string(other) and m.text(other) == self.hasher.hexdigest()


@own_method(DIGEST, "hexencode")
def hexencode(m: Machine, self: Class, value: RubyValue) -> str:
    return encoded(to.string(m, value)).hex()
