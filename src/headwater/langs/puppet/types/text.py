"""Values as text, the way interpolation writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.bytestrings import joined
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.values import DEFAULT, Binary, Opaque, Regexp, Sensitive
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.quoting import float_text
    from headwater.langs.puppet.types.regexps import delimited
else:
    when_called(globals(), "headwater.langs.puppet.types.quoting", "float_text")
    when_called(globals(), "headwater.langs.puppet.types.regexps", "delimited")


def text_of(value: object) -> str:
    """A value in the place of an interpolation."""
    if value.__class__ is str or value.__class__ is int:
        return str(value)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, list):
        return joined(["[", joined([*map(text_of, value)], ", "), "]"])
    if isinstance(value, Hash):
        pairs = [joined([text_of(k), text_of(v)], " => ") for k, v in value.pairs()]
        return joined(["{", joined(pairs, ", "), "}"])
    return _other(value)


def _iterator(value: PuppetIterator) -> str:
    """An iterator is not shown by its values."""
    from headwater.langs.puppet.types import generalize, show_type

    element = "Unit" if value.element is None else show_type(generalize(value.element))
    return f"Iterator[{element}]-Value"


def _other(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, Sensitive):
        return "Sensitive [value redacted]"
    if isinstance(value, Regexp):
        return delimited(value.pattern)
    if value is DEFAULT:
        return "default"
    if isinstance(value, Binary):
        import base64

        return base64.b64encode(value.data).decode()
    if isinstance(value, Opaque):
        return f"<{value.why}>"
    if isinstance(value, PuppetIterator):
        return _iterator(value)
    from headwater.langs.puppet.types import show_type, to_string

    return show_type(value) if is_type(value) else to_string(value)
