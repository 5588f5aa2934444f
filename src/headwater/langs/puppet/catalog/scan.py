"""Reads what a type written in Ruby offers without running Ruby.

Finds ``newparam``, ``newproperty`` and ``ensurable``, which of them is the key, and the
few other things the compiler asks.  A type that makes its parameters by Ruby methods of
its own is *open*: any parameter is accepted.  One that is not laid out as most are is *unsure*:
Ruby is asked first, and the scan is for when that cannot be told (see engine/ruby_titles).
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from headwater.langs.puppet.catalog.layout import is_usual
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.titles import NEVER, described_patterns, title_patterns
from headwater.langs.puppet.files import NO_FILE, Stamp, is_folder, read_bytes
from headwater.text.patterns import LatePattern

_COMMENT = LatePattern(r"^[^\S\n]*+#.*$", re.MULTILINE)
_MEMBER = LatePattern(
    r"""\b(newparam|newproperty)\s*+\(?\s*+(?::(\w+)|['"](\w+)['"])(.*)$""", re.MULTILINE
)
_TYPE = LatePattern(r"""(?:newtype|Type\.type)\s*+\(?\s*+:(\w+)|newtype\s*+\(?\s*+['"](\w+)""")


@lru_cache(maxsize=4096)
def scan(path: str, name: str, stamp: Stamp = NO_FILE) -> TypeInfo | None:
    """The type a file defines; None if the file does not define it."""
    code = _COMMENT.sub("", read_bytes(path).decode("utf-8", "replace"))
    if "Puppet::ResourceApi.register_type" in code:
        return _resource_api(code, name)
    found = _TYPE.search(code)
    if found is None or name not in (found[1], found[2]):
        return None
    names: set[str] = {"name"}
    keys: list[str] = []
    twice = False
    for member in _MEMBER.finditer(code):
        label = member[2] or member[3]
        twice = twice or (label in names and member[1] == "newproperty")
        names.add(label)
        rest = code[member.end() : member.end() + 400]
        body = rest.split("newparam")[0].split("newproperty")[0]
        if member[1] == "newparam" and (
            label == "name"
            or ":namevar => true" in member[4]
            or "namevar: true" in member[4]
            or re.search(r"^[^\S\n]*+isnamevar\b", body, re.MULTILINE)
        ):
            keys.append(label)
    if re.search(r"^[^\S\n]*+ensurable\b", code, re.MULTILINE):
        names.add("ensure")
    if re.search(r"\bprovide\b", code) or is_folder(
        os.path.join(os.path.dirname(os.path.dirname(path)), "provider", name)
    ):
        names.add("provider")
    opens = _loops(code) or bool(
        re.search(r"\b(instance_eval|class_eval|newmetaparam|add_parameters|create_parameters"
                  r"|newproperty\(\w+[,)]|newparam\(\w+[,)]|eval\()", code)
    )  # fmt: skip
    patterns, unread = title_patterns(code)
    if not keys and opens:
        keys = ["name"]
    if len(keys) > 1 and not patterns and not unread:
        patterns = (NEVER,)
    isomorphic = not re.search(r"def\s+self\.isomorphic\?|@isomorphic\s*=\s*false", code)
    return TypeInfo(
        name, frozenset(names), tuple(keys), isomorphic, patterns, opens, unread=unread,
        unsure=twice or not is_usual(code),
    )  # fmt: skip


def _loops(code: str) -> bool:
    """Whether parameters are made in a loop on one line."""
    for line in code.splitlines():
        _, each, body = line.partition(".each do")
        if each and ("newparam" in body or "newproperty" in body):
            return True
    return False


def _resource_api(code: str, name: str) -> TypeInfo | None:
    """A type registered with the resource API: its attributes are the keys of a hash."""
    if not re.search(rf"name:\s*+['\"]{name}['\"]", code):
        return None
    names = set(re.findall(r"^\s{2,6}(\w+):\s*\{", code, re.MULTILINE)) - {"attributes"}
    keys = re.findall(r"\b(\w+):\s*+\{[^{}]*behaviou?r:\s*+:namevar", code)
    patterns, unread = described_patterns(code)
    return TypeInfo(name, frozenset({*names, "name"}), tuple(keys) or ("name",), True, patterns,
                    not keys, unread=unread or (len(keys) > 1 and not patterns),
                    unsure=True)  # fmt: skip
