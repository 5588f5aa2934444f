"""Reads what a type written in Ruby offers without running Ruby.

Finds ``newparam``, ``newproperty`` and ``ensurable``, which of them is the key, and the
few other things the compiler asks.  A type that makes its parameters by Ruby methods of
its own, or whose title patterns cannot be read, is *open*: any parameter is accepted.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.files import is_folder, read_bytes
from headwater.langs.puppet.late import LatePattern

_COMMENT = LatePattern(r"^\s*#.*$", re.MULTILINE)
_MEMBER = LatePattern(
    r"""\b(newparam|newproperty)\s*\(?\s*(?::(\w+)|['"](\w+)['"])(.*)$""", re.MULTILINE
)
_TYPE = LatePattern(r"""(?:newtype|Type\.type)\s*\(?\s*:(\w+)|newtype\s*\(?\s*['"](\w+)""")
_PATTERNS = LatePattern(r"def\s+self\.title_patterns\b(.*?)^\s{2}end", re.MULTILINE | re.DOTALL)
_PAIR = LatePattern(r"\[\s*/((?:[^/\\]|\\.)*)/([mix]*)\s*,\s*\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_SYMBOL = LatePattern(r":(\w+)")
_PROVIDED = ("provider",)


@lru_cache(maxsize=4096)
def scan(path: str, name: str, stamp: int = 0) -> TypeInfo | None:
    """The type a file defines; None if the file does not define it."""
    code = _COMMENT.sub("", read_bytes(path).decode("utf-8", "replace"))
    if "Puppet::ResourceApi.register_type" in code:
        return _resource_api(code, name)
    found = _TYPE.search(code)
    if found is None or name not in (found[1], found[2]):
        return None
    names: set[str] = {"name"}
    keys: list[str] = []
    for member in _MEMBER.finditer(code):
        label = member[2] or member[3]
        names.add(label)
        rest = code[member.end() : member.end() + 400]
        body = rest.split("newparam")[0].split("newproperty")[0]
        if (
            ":namevar => true" in member[4]
            or "namevar: true" in member[4]
            or re.search(r"^\s*isnamevar\b", body, re.MULTILINE)
        ):
            keys.append(label)
    if re.search(r"^\s*ensurable\b", code, re.MULTILINE):
        names.add("ensure")
    if re.search(
        r"\bprovide\b|Puppet::Type\.type\(:\w+\)\.provide|apply_to|feature\b", code
    ) or is_folder(os.path.join(os.path.dirname(os.path.dirname(path)), "provider", name)):
        names.update(_PROVIDED)
    opens = bool(re.search(r"\b(instance_eval|class_eval|add_parameters|\.each\s+do.*new(param|"
                           r"property)|create_parameters|newproperty\(\w+[,)]|newparam\(\w+[,)]"
                           r"|eval\()", code))  # fmt: skip
    patterns, unread = _title_patterns(code)
    if not keys:
        keys = ["name"]
    isomorphic = not re.search(r"def\s+self\.isomorphic\?|@isomorphic\s*=\s*false", code)
    return TypeInfo(name, frozenset(names), tuple(keys), isomorphic, patterns, opens or unread)


def _title_patterns(
    code: str,
) -> tuple[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...], bool]:
    """The patterns of titles, and whether some could not be read."""
    body = _PATTERNS.search(code)
    if body is None:
        return (), False
    found: list[tuple[re.Pattern[str], tuple[str, ...]]] = []
    for pair in _PAIR.finditer(body[1]):
        if "#{" in pair[1]:
            return (), True
        try:
            pattern = re.compile(pair[1].replace("\\/", "/").replace("\\z", "\\Z"), re.MULTILINE)
        except re.error:
            return (), True
        found.append((pattern, tuple(_SYMBOL.findall(pair[3]))))
    return tuple(found), not found


def _resource_api(code: str, name: str) -> TypeInfo | None:
    """A type registered with the resource API: its attributes are the keys of a hash."""
    if not re.search(rf"name:\s*['\"]{name}['\"]", code):
        return None
    names = set(re.findall(r"^\s{2,6}(\w+):\s*\{", code, re.MULTILINE)) - {"attributes"}
    keys = re.findall(r"(\w+):\s*\{[^{}]*behaviou?r:\s*:namevar", code)
    return TypeInfo(name, frozenset({*names, "name"}), tuple(keys) or ("name",), True, (), not keys)
