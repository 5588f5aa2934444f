"""Addresses in a catalog: ``File[/etc/motd].content[0]``, ``File["/etc/motd"].content``.

As parts: the reference ``File[/etc/motd]``, the parameter, then indexes and keys.  A JSON
pointer names a place in the plain form: ``/resources/0/parameters/content``.
"""

from __future__ import annotations

import json
import re

from headwater.tree import Address, BadAddress, parse_address, show_address

_REFERENCE = re.compile(
    r"""
    (?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)
    \[ (?: (?P<json>"(?:[^"\\]|\\.)*") | (?P<plain>[^\]]*) ) \]
    """,
    re.VERBOSE,
)


def reference(kind: str, title: str) -> str:
    """``Type[title]``, the title as a JSON string where it holds a bracket or a quote."""
    quoted = "]" in title or title.startswith('"') or title != title.strip()
    return f"{kind}[{json.dumps(title, ensure_ascii=False) if quoted else title}]"


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
    """The usual spelling of an address."""
    if not address or not _REFERENCE.fullmatch(str(address[0])):
        return show_address(address)
    rest = show_address(address[1:]) if len(address) > 1 else ""
    return f"{address[0]}{'.' if rest and not rest.startswith('[') else ''}{rest}"
