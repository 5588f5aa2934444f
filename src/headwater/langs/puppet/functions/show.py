"""Values as text in an interpolated string and in the log."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.regexps import shown as regexp_shown
from headwater.langs.puppet.types.rubytext import to_s
from headwater.langs.puppet.types.show import show_type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp


def shown(value: Value) -> str:
    """What ``"${value}"`` gives."""
    match value:
        case str():
            return value
        case list():
            return "[" + ", ".join(shown(item) for item in value) + "]"
        case Hash():
            return "{" + ", ".join(f"{shown(k)} => {shown(i)}" for k, i in value.pairs()) + "}"
        case Regexp():
            return regexp_shown(value.pattern)
        case PuppetIterator():
            return "Iterator-Value" if value.element is None else (
                f"Iterator[{show_type(value.element)}]-Value"
            )  # fmt: skip
    return to_s(value)
