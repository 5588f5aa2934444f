"""``String(value, formats)``: Puppet's formats for values of every type."""

from __future__ import annotations

import re
from functools import cmp_to_key

import msgspec
from msgspec.structs import replace

from headwater.langs.puppet import values as v
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.refusals import BadStringFormat
from headwater.langs.puppet.types.rubytext import to_s
from headwater.langs.puppet.types.show import show_type
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern

_FORMAT = LatePattern(r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$", re.MULTILINE)
FORMAT_PATTERN = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$"
_DELIMITERS = {"[": "[]", "{": "{}", "(": "()", "<": "<>", "|": "||"}
FORMAT_KEYS = ("separator", "separator2", "format", "string_formats")


class Format(msgspec.Struct, frozen=True):
    """A format for values of one type; containers also say how to join and show elements."""

    text: str
    letter: str
    left: bool = False
    alt: bool = False
    space: bool = False
    width: int | None = None
    precision: int | None = None
    delimiters: str | None = None
    separator: str | None = None
    separator2: str | None = None
    inner: FormatMap | None = None

    def pair(self, usual: str) -> str:
        if self.delimiters is not None:
            return _DELIMITERS[self.delimiters]
        return "" if self.space else usual


FormatMap = list[tuple[m.Type, Format]]


def read_format(text: Value) -> Format:
    """The format a text spells."""
    found = _FORMAT.search(text) if isinstance(text, str) else None
    if not isinstance(text, str) or found is None:
        raise BadStringFormat(
            f"The format '{to_s(text)}' is not a valid format on the form "
            "'%<flags><width>.<prec><format>'"
        )
    flags = found[1]
    if len(set(flags)) != len(flags):
        raise BadStringFormat(f"The same flag can only be used once, got '{text}'")
    chosen = [flag for flag in _DELIMITERS if flag in flags]
    if len(chosen) > 1:
        raise BadStringFormat(
            f"Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
        )
    return Format(
        text, found[4], "-" in flags, "#" in flags, " " in flags,
        int(found[2]) if found[2] else None, int(found[3]) if found[3] else None,
        chosen[0] if chosen else None,
    )  # fmt: skip


_INNER: FormatMap = [(m.ANY, read_format("%p"))]
DEFAULT_ARRAY = replace(read_format("%a"), separator=", ", separator2=", ", inner=_INNER)
DEFAULT_HASH = replace(read_format("%h"), separator=", ", separator2=" => ", inner=_INNER)
DEFAULTS: FormatMap = [
    (m.ObjectType(), read_format("%p")),
    (m.FLOAT, read_format("%f")),
    (m.NUMERIC, read_format("%d")),
    (m.ARRAY, DEFAULT_ARRAY),
    (m.HASH, DEFAULT_HASH),
    (m.BINARY, read_format("%B")),
    (m.ANY, read_format("%s")),
]


def read_formats(given: Hash | None) -> FormatMap | None:
    """Formats by type, as a program writes them."""
    if given is None:
        return None
    result: FormatMap = []
    for key, value in given.pairs():
        if not m.is_type(key):
            raise BadStringFormat(
                "top level keys in the format hash must be data types, got instance of "
                f"'{ruby_class(key)}'"
            )
        result.append((key, _container(value) if isinstance(value, Hash) else read_format(value)))
    return result


def _container(given: Hash) -> Format:
    if any(key not in FORMAT_KEYS for key in given):
        known = ", ".join(f"'{key}'" for key in FORMAT_KEYS)
        raise BadStringFormat(f"only {known} are allowed in a container format, got {to_s(given)}")
    return replace(
        read_format(given.get("format")),
        separator=given.get("separator"),
        separator2=given.get("separator2"),
        inner=read_formats(given.get("string_formats")),
    )


def merged(lower: FormatMap | None, higher: FormatMap | None) -> FormatMap | None:
    """Two maps of formats, the more specific types first."""
    if not lower or not higher:
        return lower or higher
    kept = [
        (key, item)
        for key, item in lower
        if not any(other != key and assignable(other, key) for other, _ in higher)
    ]
    low, high = dict(kept), dict(higher)
    keys = list(dict.fromkeys([key for key, _ in kept] + [key for key, _ in higher]))
    result = [(key, _merge(low.get(key), high.get(key))) for key in keys]
    return sorted(result, key=cmp_to_key(_entry_order))


def _entry_order(a: tuple[m.Type, Format], b: tuple[m.Type, Format]) -> int:
    return _order(a[0], b[0])


def _merge(lower: Format | None, higher: Format | None) -> Format:
    if lower is None or higher is None:
        one = lower or higher
        assert one is not None
        return one
    return replace(
        higher,
        separator=higher.separator or lower.separator,
        separator2=higher.separator2 or lower.separator2,
        inner=merged(lower.inner, higher.inner),
    )


_RANKS: dict[type, int] = {
    m.StructType: 1, m.HashType: 2, m.TupleType: 3, m.ArrayType: 4, m.PatternType: 10,
    m.EnumType: 11, m.StringType: 12,
}  # fmt: skip


def _order(a: m.Type, b: m.Type) -> int:
    if a == b:
        return 0
    narrow, wide = assignable(b, a), assignable(a, b)
    if narrow and not wide:
        return -1
    if wide and not narrow:
        return 1
    rank_a, rank_b = _RANKS.get(a.__class__, 0), _RANKS.get(b.__class__, 0)
    if rank_a == 0 or rank_b == 0:
        text_a, text_b = show_type(a), show_type(b)
        return (text_a > text_b) - (text_a < text_b)
    return (rank_a > rank_b) - (rank_a < rank_b)


def base64_lines(data: bytes) -> str:
    """Base 64 in lines of sixty characters, each ended."""
    import base64

    text = base64.b64encode(data).decode()
    return "".join(text[place : place + 60] + "\n" for place in range(0, len(text), 60))


def binary_text(value: v.Binary, letter: str) -> str:
    """Bytes in the form a letter stands for."""
    import base64

    match letter:
        case "b":
            return base64_lines(value.data)
        case "u":
            return base64.urlsafe_b64encode(value.data).decode()
    return base64.b64encode(value.data).decode()
