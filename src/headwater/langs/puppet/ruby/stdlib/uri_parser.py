"""``URI::DEFAULT_PARSER``: the older parser's escapes, which ``URI.escape`` once was."""

from __future__ import annotations

import re
from typing import Final

from headwater.langs.puppet.ruby.classes import OBJECT, define
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, refuse
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib.uris import URI, parse, split
from headwater.langs.puppet.ruby.values import UNDEFINED, Given, RubyObject, RubyValue

_PARSER: Final = define("URI::RFC2396_Parser", OBJECT)
URI.constants["Parser"] = _PARSER
URI.constants["DEFAULT_PARSER"] = RubyObject(_PARSER)
_UNSAFE: Final = re.compile(rb"[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]")
_ESCAPED: Final = re.compile(rb"%([a-fA-F\d]{2})")


@method(_PARSER, "escape")
def escape(m: Machine, self: RubyValue, value: RubyValue, unsafe: Given = UNDEFINED) -> str:
    if unsafe is not UNDEFINED:
        raise Beyond("URI::DEFAULT_PARSER.escape of other letters")
    data = to.string(m, value).encode("utf-8", "surrogateescape")
    return _UNSAFE.sub(lambda found: b"%%%02X" % found[0][0], data).decode("ascii")


@method(_PARSER, "unescape")
def unescape(m: Machine, self: RubyValue, value: RubyValue) -> str:
    data = to.string(m, value).encode("utf-8", "surrogateescape")
    made = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), data)
    return made.decode("utf-8", "surrogateescape")


method(_PARSER, "parse")(parse)
method(_PARSER, "split")(split)
refuse(_PARSER, "nobody needed it yet", "extract join make_regexp pattern regexp")
