"""IPAddr: addresses of networks and machines."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

from headwater.langs.puppet.ruby.classes import BUILTIN, COMPARABLE, OBJECT, OF_TYPE, define
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse_own
from headwater.langs.puppet.ruby.values import Class, Native, Raised, Range, RubyValue, bytes_text

IPADDR: Final = define("IPAddr", OBJECT)
IPADDR.included.append(COMPARABLE)
define("IPAddr::Error", BUILTIN["ArgumentError"])
define("IPAddr::InvalidAddressError", BUILTIN["IPAddr::Error"])
define("IPAddr::AddressFamilyError", BUILTIN["IPAddr::Error"])
define("IPAddr::InvalidPrefixError", BUILTIN["IPAddr::InvalidAddressError"])
SOCKET: Final = define("Socket", OBJECT)
V4, V6, ANY = 2, 10, 0
SOCKET.constants.update(AF_INET=V4, AF_INET6=V6, AF_UNSPEC=ANY, PF_INET=V4, PF_INET6=V6)
IPADDR.constants.update(IN4MASK=2**32 - 1, IN6MASK=2**128 - 1)
refuse_own(
    SOCKET,
    "it reaches out of the program: processes, files, the terminal, the clock",
    "gethostname getaddrinfo gethostbyname getifaddrs ip_address_list new tcp udp_server_loop",
)
BITS: Final = {V4: 32, V6: 128}


class Address(Native):
    """An address with its mask."""

    __slots__ = ("family", "mask", "number", "zone")

    def __init__(self, number: int, family: int, mask: int | None = None, zone: str = "") -> None:
        self.family = family
        self.mask = (1 << BITS[family]) - 1 if mask is None else mask
        self.number = number & self.mask
        self.zone = zone

    def __eq__(self, other: object) -> bool:
        return (
            other.__class__ is Address
            and self.family == other.family
            and self.number == other.number
        )

    def __hash__(self) -> int:
        return hash((self.number, self.family))

    @property
    def whole(self) -> int:
        """All bits."""
        return (1 << BITS[self.family]) - 1


OF_TYPE[Address] = IPADDR


def _wrong(
    m: Machine, text: str, number: int | None = None, kind: str = "InvalidAddress"
) -> Raised:
    shown = "" if number is None else str(number)
    return m.error(f"IPAddr::{kind}Error", f"{text}: {shown}")


def _read4(m: Machine, text: str) -> int | None:
    found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)\.(\d+)", text)
    if found is None:
        return None
    number = 0
    for part in found.groups():
        if len(part) > 3 or int(part) > 255:
            raise _wrong(m, "invalid address")
        if len(part) > 1 and part[0] == "0":
            raise _wrong(m, "zero-filled number in IPv4 address is ambiguous")
        number = number << 8 | int(part)
    return number


def _read6(m: Machine, text: str) -> int:
    head, tail = text, ""
    old = re.fullmatch(r"(.*:)(\d+\.\d+\.\d+\.\d+)", text)
    if old is not None:
        last = _read4(m, old[2])
        assert last is not None
        head = f"{old[1]}{last >> 16:x}:{last & 65535:x}"
    double = head.count("::")
    if double > 1 or ":::" in head:
        raise _wrong(m, "invalid address")
    before, _, tail = head.partition("::")
    left = before.split(":") if before else []
    right = tail.split(":") if tail else []
    count = len(left) + len(right)
    if (double and count > 7) or (not double and count != 8):
        raise _wrong(m, "invalid address")
    parts = [*left, *["0"] * (8 - count), *right]
    number = 0
    for part in parts:
        if not re.fullmatch(r"[0-9a-fA-F]{1,4}", part):
            raise _wrong(m, "invalid address")
        number = number << 16 | int(part, 16)
    return number


def read(m: Machine, text: str, family: int = ANY) -> Address:
    """The address that a text spells, perhaps with a mask."""
    body, slash, prefix = text.partition("/")
    inside = re.fullmatch(r"\[(.*)\]", body, re.DOTALL)
    if inside is not None:
        body, family = inside[1], V6
    zone = re.fullmatch(r"(.*)(%\w+)", body, re.DOTALL)
    if zone is not None:
        body, family = zone[1], V6
    number = _read4(m, body) if family in (ANY, V4) else None
    if number is not None:
        found = Address(number, V4)
    elif family in (ANY, V6) and ":" in body:
        found = Address(_read6(m, body), V6, zone="" if zone is None else zone[2])
    else:
        raise _wrong(m, "invalid address")
    return _masked(m, found, prefix) if slash else found


def _masked(m: Machine, self: Address, prefix: str) -> Address:
    """An address under a mask, which is a number of bits or an address itself."""
    bits = BITS[self.family]
    if re.fullmatch(r"\d+", prefix):
        length = int(prefix[:9])
        if length > bits:
            raise _wrong(m, "invalid length", self.number, "InvalidPrefix")
        mask = ((1 << length) - 1) << (bits - length)
        return Address(self.number, self.family, mask, self.zone)
    other = read(m, prefix)
    if other.family != self.family:
        raise _wrong(m, "address family is not same", self.number, "InvalidPrefix")
    low = (other.number & -other.number) or 1 << bits
    if other.number + low != 1 << bits and other.number:
        raise _wrong(m, f"invalid mask {prefix}", self.number, "InvalidPrefix")
    return Address(self.number, self.family, other.number, self.zone)


@own_method(IPADDR, "new")
def new(m: Machine, self: Class, address: RubyValue = "::", family: RubyValue = ANY) -> RubyValue:
    kind = to.integer(m, family)
    if to.is_string(address):
        return read(m, to.string(m, address), kind)
    if kind not in BITS:
        raise m.error(
            "IPAddr::AddressFamilyError",
            "address family must be specified"
            if kind == ANY
            else f"unsupported address family: {kind}",
        )
    return _at(m, to.integer(m, address), kind)


def _at(m: Machine, number: int, family: int, before: int | None = None) -> Address:
    if not 0 <= number < 1 << BITS[family]:
        raise _wrong(m, "invalid address", before)
    return Address(number, family)


@own_method(IPADDR, "new_ntoh")
def new_ntoh(m: Machine, self: Class, value: RubyValue) -> Address:
    data = encoded(to.string(m, value))
    if len(data) not in (4, 16):
        raise m.error("IPAddr::AddressFamilyError", "unsupported address family")
    return Address(int.from_bytes(data, "big"), V4 if len(data) == 4 else V6)


@own_method(IPADDR, "ntop")
def ntop(m: Machine, self: Class, value: RubyValue) -> str:
    found = new_ntoh(m, self, value)
    return full(found) if found.family == V6 else text_of(found)


def full(self: Address, number: int | None = None) -> str:
    """An address with all its digits."""
    value = self.number if number is None else number
    if self.family == V4:
        return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))
    return ":".join(f"{value >> shift & 65535:04x}" for shift in range(112, -1, -16))


def text_of(self: Address) -> str:
    """An address as it is written: the longest row of zeros is left out."""
    if self.family == V4:
        return full(self)
    parts = [f"{self.number >> shift & 65535:x}" for shift in range(112, -1, -16)]
    made = ":".join(parts)
    for row in range(8, 1, -1):
        zeros = ":".join("0" * row)
        found = re.search(rf"(?:\A|(?<=:)){zeros}(?=:|\Z)", made)
        if found is not None:
            made = made[: found.start()].rstrip(":") + "::" + made[found.end() :].lstrip(":")
            break
    old = re.fullmatch(r"::(ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})", made)
    if old is not None:
        high, low = int(old[2], 16), int(old[3], 16)
        made = f"::{old[1] or ''}{high >> 8}.{high & 255}.{low >> 8}.{low & 255}"
    return made


@method(IPADDR, "to_s")
def to_s(m: Machine, self: Address) -> str:
    return text_of(self) + self.zone


@method(IPADDR, "to_string")
def to_string(m: Machine, self: Address) -> str:
    return full(self) + self.zone


@method(IPADDR, "netmask")
def netmask(m: Machine, self: Address) -> str:
    return full(self, self.mask)


@method(IPADDR, "inspect")
def inspect(m: Machine, self: Address) -> str:
    version = "IPv4" if self.family == V4 else "IPv6"
    return f"#<IPAddr: {version}:{full(self)}{self.zone}/{full(self, self.mask)}>"


@method(IPADDR, "to_i")
def to_i(m: Machine, self: Address) -> int:
    return self.number


@method(IPADDR, "family")
def family(m: Machine, self: Address) -> int:
    return self.family


@method(IPADDR, "ipv4?")
def is_v4(m: Machine, self: Address) -> bool:
    return self.family == V4


@method(IPADDR, "ipv6?")
def is_v6(m: Machine, self: Address) -> bool:
    return self.family == V6


@method(IPADDR, "hton")
def hton(m: Machine, self: Address) -> RubyValue:
    return bytes_text(self.number.to_bytes(BITS[self.family] // 8, "big"))


def other_of(m: Machine, self: Address, value: RubyValue) -> Address:
    """What an address is compared or combined with."""
    if value.__class__ is Address:
        return value
    if to.is_string(value):
        return read(m, m.text(value))
    return _at(m, to.integer(m, value), self.family)


@method(IPADDR, "==")
def equal(m: Machine, self: Address, value: RubyValue) -> bool:
    try:
        other = other_of(m, self, value)
    except Raised:
        return False
    return self == other


@method(IPADDR, "eql?")
def same(m: Machine, self: Address, value: RubyValue) -> bool:
    return bool(self == value)


@method(IPADDR, "<=>")
def order(m: Machine, self: Address, value: RubyValue) -> int | None:
    try:
        other = other_of(m, self, value)
    except Raised:
        return None
    if other.family != self.family:
        return None
    return (self.number > other.number) - (self.number < other.number)


@method(IPADDR, "include?", "===")
def includes(m: Machine, self: Address, value: RubyValue) -> bool:
    other = other_of(m, self, 0 if value is None else value)
    if other.family != self.family:
        return False
    last = self.number | (self.whole & ~self.mask)
    return self.number <= other.number and (other.number | (other.whole & ~other.mask) <= last)


@method(IPADDR, "to_range")
def to_range(m: Machine, self: Address) -> RubyValue:
    last = self.number | (self.whole & ~self.mask)
    return Range(Address(self.number, self.family), Address(last, self.family), False)


@method(IPADDR, "succ")
def succ(m: Machine, self: Address) -> RubyValue:
    return _with(self, _at(m, self.number + 1, self.family, self.number).number)


def _with(self: Address, number: int) -> Address:
    made = Address(0, self.family, self.mask, self.zone)
    made.number = number & self.whole
    return made


@method(IPADDR, "&")
def both(m: Machine, self: Address, value: RubyValue) -> RubyValue:
    return _with(self, self.number & (0 if value is None else other_of(m, self, value).number))


@method(IPADDR, "|")
def either(m: Machine, self: Address, value: RubyValue) -> RubyValue:
    return _with(self, self.number | (0 if value is None else other_of(m, self, value).number))


@method(IPADDR, "~")
def turned(m: Machine, self: Address) -> RubyValue:
    return _with(self, ~self.number)


@method(IPADDR, "<<")
def left(m: Machine, self: Address, by: RubyValue) -> RubyValue:
    return _with(self, self.number << min(max(to.integer(m, by), 0), 128))


@method(IPADDR, ">>")
def right(m: Machine, self: Address, by: RubyValue) -> RubyValue:
    return _with(self, self.number >> min(max(to.integer(m, by), 0), 128))


@method(IPADDR, "mask")
def mask(m: Machine, self: Address, prefix: RubyValue) -> Address:
    if prefix.__class__ is int:
        if prefix < 0:
            raise _wrong(m, "invalid length", self.number, "InvalidPrefix")
        return _masked(m, self, str(prefix))
    if prefix.__class__ is float or prefix.__class__ is Fraction:
        return mask(m, self, math.ceil(prefix) if prefix >= 0 else -1)
    return _masked(m, self, to.string(m, prefix))


@method(IPADDR, "prefix")
def prefix(m: Machine, self: Address) -> int:
    return self.mask.bit_count()


@method(IPADDR, "prefix=")
def set_prefix(m: Machine, self: Address, value: RubyValue) -> RubyValue:
    if value.__class__ is not int:
        raise _wrong(m, "prefix must be an integer", self.number, "InvalidPrefix")
    made = mask(m, self, value)
    self.number, self.mask = made.number, made.mask
    return self


@method(IPADDR, "zone_id")
def zone_id(m: Machine, self: Address) -> RubyValue:
    if self.family == V4:
        raise m.error("IPAddr::InvalidAddressError", "not an IPv6 address")
    return bytes_text(self.zone.encode()) if self.zone else None


@method(IPADDR, "zone_id=")
def set_zone_id(m: Machine, self: Address, value: RubyValue) -> RubyValue:
    if self.family == V4:
        raise m.error("IPAddr::InvalidAddressError", "not an IPv6 address")
    given = to.string(m, value) if to.is_string(value) else None
    if value is not None and (given is None or not re.match(r"%\w+\Z", given)):
        raise m.error("IPAddr::InvalidAddressError", "invalid zone identifier for address")
    self.zone = given or ""
    return value


def _within(self: Address, *networks: tuple[int, int, int]) -> bool:
    return any(
        self.family == family and self.number >> (BITS[family] - size) == number
        for family, number, size in networks
    )


@method(IPADDR, "private?")
def is_private(m: Machine, self: Address) -> bool:
    return _within(self, (V4, 10, 8), (V4, 0xAC1, 12), (V4, 0xC0A8, 16), (V6, 0xFC >> 1, 7))


@method(IPADDR, "loopback?")
def is_loopback(m: Machine, self: Address) -> bool:
    return _within(self, (V4, 127, 8), (V6, 1, 128))


@method(IPADDR, "link_local?")
def is_link_local(m: Machine, self: Address) -> bool:
    return _within(self, (V4, 0xA9FE, 16), (V6, 0x3FA, 10))


@method(IPADDR, "ipv4_mapped?")
def is_mapped(m: Machine, self: Address) -> bool:
    return self.family == V6 and self.number >> 32 == 0xFFFF


@method(IPADDR, "ipv4_compat?")
def is_compat(m: Machine, self: Address) -> bool:
    return self.family == V6 and self.number >> 32 == 0 and self.number & 0xFFFFFFFF > 1


def _v4(m: Machine, self: Address) -> None:
    if self.family != V4:
        raise _wrong(m, "not an IPv4 address", self.number)


@method(IPADDR, "ipv4_mapped")
def ipv4_mapped(m: Machine, self: Address) -> RubyValue:
    _v4(m, self)
    high = (1 << 128) - (1 << 32)
    return Address(self.number | 0xFFFF << 32, V6, self.mask | high)


@method(IPADDR, "ipv4_compat")
def ipv4_compat(m: Machine, self: Address) -> RubyValue:
    _v4(m, self)
    made = Address(0, V6, self.mask)
    made.number = self.number
    return made


@method(IPADDR, "native")
def native(m: Machine, self: Address) -> RubyValue:
    if not is_mapped(m, self) and not is_compat(m, self):
        return self
    return Address(self.number & 0xFFFFFFFF, V4, self.mask & 0xFFFFFFFF)


@method(IPADDR, "reverse")
def reverse(m: Machine, self: Address) -> str:
    if self.family == V4:
        return ".".join(reversed(full(self).split("."))) + ".in-addr.arpa"
    return ip6_arpa(m, self)


def _nibbles(self: Address) -> str:
    return ".".join(reversed(full(self).replace(":", "")))


@method(IPADDR, "ip6_arpa")
def ip6_arpa(m: Machine, self: Address) -> str:
    if self.family != V6:
        raise _wrong(m, "not an IPv6 address", self.number)
    return _nibbles(self) + ".ip6.arpa"


@method(IPADDR, "ip6_int")
def ip6_int(m: Machine, self: Address) -> str:
    if self.family != V6:
        raise _wrong(m, "not an IPv6 address", self.number)
    return _nibbles(self) + ".ip6.int"
