"""The value that an address names as a user wrote it, or what is wrong with the address."""

from __future__ import annotations

from headwater.ask.compile import Compiled
from headwater.langs import Address, Language
from headwater.langs.abilities import ReadsAddresses
from headwater.langs.codes import UNKNOWN_ADDRESS
from headwater.report import Diagnostic, nearest
from headwater.text import Source
from headwater.tree import BadAddress, NotThere, Result, Value

_MOST_OFFERS = 12
"""So many names are offered to somebody who wrote none of them."""


def find_value(compiled: Compiled, text: str) -> tuple[Address, Value] | Diagnostic:
    """The address that a text means in a result, with the value there."""
    language, result = compiled.language, compiled.outcome.result
    assert result is not None
    try:
        readings = readings_of(language, text)
    except BadAddress as error:
        return _unknown(compiled, text, str(error))
    missing: NotThere | None = None
    for address in readings:
        try:
            return address, result.get(address)
        except NotThere as error:
            missing = missing or error
    assert missing is not None
    return _unknown(compiled, text, _offer(language, result, readings[0], missing))


def readings_of(language: Language, text: str) -> list[Address]:
    """The addresses that a text may mean, the likeliest first; raises `BadAddress`."""
    if isinstance(language, ReadsAddresses):
        return language.readings(text)
    return [language.parse_address(text)]


def _unknown(compiled: Compiled, text: str, help: str) -> Diagnostic:
    # The whole program has no such value: no line of it is to blame.
    program = Source(compiled.outcome.sources[0].name, "")
    return UNKNOWN_ADDRESS.at(program.span(0, 0), address=text, help=help)


def _offer(language: Language, result: Result, address: Address, missing: NotThere) -> str:
    """What the address may have meant."""
    meant = _nearest_address(result, address, missing)
    if meant is not None:
        return f"did you mean {language.show_address(meant)}?"
    reached = language.show_address(missing.reached)
    part = address[len(missing.reached)]
    if missing.offers:
        more = len(missing.offers) - _MOST_OFFERS
        listed = ", ".join(missing.offers[:_MOST_OFFERS])
        return f"{reached} has {listed}" + (f" and {more:,} more" if more > 0 else "")
    try:
        whole = result.get(missing.reached)
    except NotThere:
        whole = None
    if isinstance(whole, list) and isinstance(part, int):
        count = len(whole)
        return f"{reached} has {count:,} element{'s' * (count != 1)}, counted from 0"
    return f"{reached} has no parts"


def _nearest_address(result: Result, address: Address, missing: NotThere) -> Address | None:
    """An address that is there, each wrong part replaced by the name next to it.

    Where no name is near, it ends before that part; if that is the first wrong one, there is none.
    """
    mended = False
    while True:
        depth = len(missing.reached)
        close = nearest(str(address[depth]), missing.offers)
        if close is None:
            return address[:depth] if mended else None
        mended = True
        address = (*missing.reached, close, *address[depth + 1 :])
        try:
            result.get(address)
        except NotThere as error:
            if len(error.reached) <= depth:
                return (*missing.reached, close)
            missing = error
        else:
            return address
