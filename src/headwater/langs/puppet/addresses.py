"""Addresses in a catalog: ``File[/etc/motd].content[0]["key"]``, ``File["/etc/motd"].content``.

As parts: the reference ``File[/etc/motd]``, the parameter, then indexes and keys.  A JSON
pointer names a place in the plain form: ``/resources/0/parameters/content``.
"""

from __future__ import annotations

import json
import re

from headwater.langs.puppet.late import LatePattern
from headwater.tree import Address, BadAddress, parse_address

_REFERENCE = LatePattern(
    r"""
    (?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)
    \[ (?: (?P<json>"(?:[^"\\]|\\.)*") | (?P<plain>[^\]]*) ) \]
    """,
    re.VERBOSE,
)


def reference(kind: str, title: str) -> str:
    """The first part of an address: ``Type[title]``, whatever the title holds."""
    return f"{kind}[{title}]"


def parse_catalog_address(text: str) -> Address:
    """The address a text spells; raises `BadAddress`."""
    if text in ("", ".") or text.startswith("/"):
        return parse_address(text)
    hit = _REFERENCE.match(text)
    if hit is None:
        raise BadAddress(f"{text!r} does not begin with a reference such as File[/etc/motd]")
    try:
        title = json.loads(hit["json"]) if hit["json"] else hit["plain"]
    except ValueError:
        raise BadAddress(f"{hit['json']} is not a well-formed string") from None
    rest = text[hit.end() :].removeprefix(".")
    return (reference(hit["type"], title), *(parse_address(rest) if rest else ()))


def show_catalog_address(address: Address) -> str:
    """The usual spelling; a title that could be misread is written as a JSON string."""
    if not address:
        return "."
    if "[" not in str(address[0]):
        return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in address)
    kind, _, rest = str(address[0]).partition("[")
    title = rest[:-1]
    if any(c in title for c in ']"\n'):
        title = json.dumps(title, ensure_ascii=False)
    parts = [f"{kind}[{title}]"]
    for depth, part in enumerate(address[1:]):
        if depth == 0:
            parts.append(f".{part}")
        elif isinstance(part, int):
            parts.append(f"[{part}]")
        else:
            parts.append(f"[{json.dumps(part, ensure_ascii=False)}]")
    return "".join(parts)
