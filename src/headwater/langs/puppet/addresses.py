"""Addresses in a catalog: ``File[/etc/motd].content[0]["key"]``, ``File["/etc/motd"].content``.

As parts: the reference ``File[/etc/motd]``, the parameter, then indexes and keys.  A JSON
pointer names a place in the plain form: ``/resources/0/parameters/content``.

People write addresses as they write Puppet: ``File['/etc/motd']['content']``,
``file[/etc/motd].content``, ``Class[ntp].servers``, ``ntp::servers``.  A title may hold anything,
a ``]`` too, so that a text can be read in several ways; `readings` has them all, the likeliest
first, and whoever knows the catalog takes the first that is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.text.patterns import LatePattern
from headwater.tree import Address, BadAddress, parse_address

_TYPE = LatePattern(r"(?:::)?(\w+(?:::\w+)*)\s*\[")
_QUOTED = LatePattern(r"""\s*("(?>(?:[^"\\]++|\\.)*)"|'(?>(?:[^'\\]++|\\.)*)')\s*\]""", re.DOTALL)
_VARIABLE = LatePattern(r"\$?(?:::)?([a-z_]\w*(?:::[a-z_]\w*)*)::([a-z_]\w*)")
_KEY = LatePattern(
    r"""
    \[ (?: (?P<json> "(?>(?:[^"\\]++|\\.)*)" )
         | (?P<single> '(?>(?:[^'\\]++|\\.)*)' )
         | (?P<word> [A-Za-z_]\w* ) ) \]
    """,
    re.VERBOSE,
)

_MOST_READINGS = 100
"""Titles with more brackets than that are not read in every way."""


def reference(kind: str, title: str) -> str:
    """The first part of an address: ``Type[title]``, whatever the title holds."""
    return f"{kind}[{title}]"


def parse_catalog_address(text: str) -> Address:
    """The address that a text most likely spells; raises `BadAddress`."""
    return readings(text)[0]


def readings(text: str) -> list[Address]:
    """The addresses that a text may spell, the likeliest first; raises `BadAddress`."""
    if text in ("", ".") or text.startswith("/"):
        return [parse_address(text)]
    hit = _TYPE.match(text)
    if hit is None:
        return [_variable(text)]
    kind = "::".join(part.capitalize() for part in hit[1].split("::"))
    found: dict[Address, None] = {}
    refused: BadAddress | None = None
    for title, rest in _titles(text, hit.end()):
        try:
            parts = _parts(rest)
        except BadAddress as error:
            refused = refused or error
            continue
        for spelling in _class_titles(title) if kind == "Class" else [title]:
            found[(reference(kind, spelling), *parts)] = None
    if found:
        return list(found)
    raise refused or BadAddress(f"{text!r} has no ] after its title")


def _titles(text: str, start: int) -> Iterator[tuple[str, str]]:
    """Titles that may begin at a place, with the text after the bracket that ends each."""
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        yield _unquoted(quoted[1]), text[quoted.end() :]
    end = start
    for _ in range(_MOST_READINGS):
        end = text.find("]", end)
        if end < 0:
            return
        rest = text[end + 1 :]
        if not rest or rest[0] in ".[":
            yield text[start:end], rest
        end += 1


def _unquoted(text: str) -> str:
    """The title in quotation marks: a JSON string, or as Puppet has it in single ones."""
    import json

    if text.startswith("'"):
        return re.sub(r"\\(['\\])", r"\1", text[1:-1])
    try:
        found: str = json.loads(text, strict=False)
    except ValueError:
        raise BadAddress(f"{text} is not a well-formed string") from None
    return found


def _parts(rest: str) -> Address:
    """The parameter and what lies in it; ``['content']`` is as good as ``.content``."""
    rest = _KEY.sub(_as_json, rest).removeprefix(".")
    return parse_address(rest) if rest else ()


def _as_json(key: re.Match[str]) -> str:
    """A key in brackets as all languages have it."""
    import json

    return key[0] if key["json"] else f"[{json.dumps(key['word'] or _unquoted(key['single']))}]"


def _class_titles(title: str) -> list[str]:
    """The title of a class as catalogs have it; that of the main class is not capitalised."""
    name = title.removeprefix("::").lower()
    proper = "::".join(part.capitalize() for part in name.split("::"))
    return [name] if name == "main" else [proper]


def _variable(text: str) -> Address:
    """``ntp::servers``, as data and programs name the parameter of a class."""
    hit = _VARIABLE.fullmatch(text)
    if hit is None:
        raise BadAddress(f"{text!r} does not begin with a reference such as File[/etc/motd]")
    return (reference("Class", _class_titles(hit[1])[0]), hit[2])


def show_catalog_address(address: Address) -> str:
    """The usual spelling; a title that could be misread is written as a JSON string."""
    import json

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
