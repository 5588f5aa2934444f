"""nil, true and false."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    FALSE,
    NIL,
    TRUE,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    RubyValue,
    Text,
)


@method(NIL, "to_s")
def nil_text(m: Machine, self: None) -> Text:
    return Text("", True)


@method(NIL, "inspect")
def nil_inspect(m: Machine, self: None) -> str:
    return "nil"


@method(NIL, "to_a")
def nil_array(m: Machine, self: None) -> RubyValue:
    return []


@method(NIL, "to_h")
def nil_hash(m: Machine, self: None) -> RubyValue:
    return Hash({})


@method(NIL, "to_i")
def nil_integer(m: Machine, self: None) -> int:
    return 0


@method(NIL, "to_f")
def nil_float(m: Machine, self: None) -> float:
    return 0.0


@method(NIL, "=~")
def nil_match(m: Machine, self: None, other: RubyValue) -> None:
    return None


@method(NIL, "===")
def nil_case(m: Machine, self: None, other: RubyValue) -> bool:
    return other is None


@method(NIL, "&")
def nil_and(m: Machine, self: None, other: RubyValue) -> bool:
    return False


@method(NIL, "|", "^")
def nil_or(m: Machine, self: None, other: RubyValue) -> bool:
    return m.truth(other)


@method(TRUE, "to_s", "inspect")
def true_text(m: Machine, self: bool) -> str:
    return "true"


@method(FALSE, "to_s", "inspect")
def false_text(m: Machine, self: bool) -> str:
    return "false"


@method(TRUE, "&")
def true_and(m: Machine, self: bool, other: RubyValue) -> bool:
    return m.truth(other)


@method(TRUE, "|")
def true_or(m: Machine, self: bool, other: RubyValue) -> bool:
    return True


@method(TRUE, "^")
def true_xor(m: Machine, self: bool, other: RubyValue) -> bool:
    return not m.truth(other)


@method(FALSE, "&")
def false_and(m: Machine, self: bool, other: RubyValue) -> bool:
    return False


@method(FALSE, "|", "^")
def false_or(m: Machine, self: bool, other: RubyValue) -> bool:
    return m.truth(other)
