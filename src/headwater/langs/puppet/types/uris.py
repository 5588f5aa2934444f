"""The parts of a URI, as Ruby's own reader names them."""

from __future__ import annotations

import re
from typing import Any

from headwater.langs.puppet.types.refusals import BadUri
from headwater.text.patterns import LatePattern

_URI = LatePattern(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
    r"(?://(?:(?P<userinfo>[^@/?#]*)@)?(?P<host>\[[^\]]*\]|[^:/?#]*)(?::(?P<port>\d*))?)?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:\#(?P<fragment>.*))?",
    re.DOTALL,
)
_ALLOWED = LatePattern(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*\Z")
PORTS = {"http": 80, "https": 443, "ftp": 21, "ldap": 389, "ldaps": 636, "ws": 80, "wss": 443}
NAMES = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")


def check(text: str) -> None:
    """Refuses what Ruby's reader refuses."""
    if not text.isascii():
        raise BadUri(f"URI must be ascii only {ruby_ascii(text)}")
    percent = re.search(r"%(?![0-9A-Fa-f]{2})", text)
    # What stands before the first colon is a scheme, or there is a slash before the colon.
    head = re.match(r"[^:/?#]*:", text)
    nameless = head is not None and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text)
    if not _ALLOWED.match(text) or percent or text.count("#") > 1 or nameless:
        raise BadUri(f"bad URI(is not URI?): {ruby_inspect(text)}")


def ruby_ascii(text: str) -> str:
    """The text in quotes, everything beyond ASCII escaped."""
    return '"' + "".join(c if c.isascii() else f"\\u{ord(c):04X}" for c in text) + '"'


def ruby_inspect(text: str, in_bytes: bool = False) -> str:
    """The text as Ruby shows a string to a programmer."""
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "\x1b": "\\e",
             "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}  # fmt: skip
    out: list[str] = []
    for index, char in enumerate(text):
        if char in names:
            out.append(names[char])
        elif char == "#" and text[index + 1 : index + 2] in ("{", "$", "@"):
            out.append("\\#")
        elif "\udc80" <= char <= "\udcff":
            out.append(f"\\x{ord(char) - 0xDC00:02X}")
        elif in_bytes and (char < " " or char == "\x7f"):
            out.append(f"\\x{ord(char):02X}")
        elif not char.isprintable() and _is_hidden(char):
            out.append(f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\u{{{ord(char):X}}}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def _is_hidden(char: str) -> bool:
    """Whether Ruby shows a character by its number."""
    from unicodedata import category

    return char != "\x85" and category(char) in ("Cc", "Cn", "Cs", "Zl", "Zp")


def uri_parts(text: str, exact: bool = False) -> dict[str, Any]:
    """The parts that are there; `exact` gives the port as a number, also the usual one."""
    found = _URI.match(text)
    assert found is not None
    scheme = found["scheme"]
    result: dict[str, Any] = {}
    if scheme is not None:
        result["scheme"] = scheme.lower()
    if scheme is not None and found["host"] is None and not found["path"].startswith("/"):
        result["opaque"] = text[len(scheme) + 1 :].partition("#")[0]
        if found["fragment"] is not None:
            result["fragment"] = found["fragment"]
        return result
    if found["userinfo"] is not None:
        result["userinfo"] = found["userinfo"]
    if found["host"]:
        result["host"] = found["host"].lower()
    usual = PORTS.get((scheme or "").lower())
    port = int(found["port"]) if found["port"] else usual
    if exact:
        result["port"] = port
    elif port is not None and not (
        (port == 80 and scheme.lower() == "http") or (port == 443 and scheme.lower() == "https")
    ):
        result["port"] = str(port)
    if found["path"]:
        result["path"] = found["path"]
    for name in ("query", "fragment"):
        if found[name] is not None:
            result[name] = found[name]
    return result
