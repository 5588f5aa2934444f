"""Classes that are here only in part: a method that is missing may be theirs.

Puppet's own are, and those that a program makes under one of Ruby's whose values are Python's.
"""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.ruby.classes import BUILTIN, ENUMERABLE, OF_TYPE, STRING, class_of
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Class, RubyValue

_WHOLE: Final = frozenset(
    ["Puppet::Pops::Types::PSensitiveType::Sensitive", "Puppet::Parser::TemplateWrapper"]
)
"""Classes of Puppet that have all their methods here."""

_SECRETS: Final = "unwrap"
"""What a Sensitive alone can; functions try it on anything."""

_TYPE: Final = "Puppet::Pops::Types::PAnyType"
_MANY: Final = frozenset(
    f"Puppet::Pops::Types::P{name}Type" for name in ("Variant", "Tuple", "Struct")
)
"""The types that Ruby can go through."""

_ALSO: Final = frozenset(["[]", "[]=", "<<", "delete", "empty?", "include?", "length", "size"])
"""The methods of strings that references or types have too."""


def refuse_if_partial(receiver: RubyValue, name: str) -> None:
    """Refuses a missing method of an object that is here only in part."""
    own = receiver.__class__ is Class
    cls = receiver if receiver.__class__ is Class else class_of(receiver)
    path = cls.name or ""
    if not own and (name == _SECRETS or _only_texts_have(cls, path, name)):
        return
    if path.partition("::")[0] == "Puppet" and path not in _WHOLE and BUILTIN.get(path) is cls:
        raise Beyond(f"{path}{'.' if own else '#'}{name}")


def _only_texts_have(cls: Class, path: str, name: str) -> bool:
    """Whether a method is one of strings that neither a reference nor a type has.

    Functions that were given the wrong thing ask for it.
    """
    if name not in STRING.methods or name in _ALSO:
        return False
    if path == "Puppet::Resource":
        return True
    any_type = BUILTIN.get(_TYPE)  # not there before something of Puppet's library is used
    if any_type is None or not cls.is_below(any_type):
        return False
    return not (path in _MANY and name in ENUMERABLE.methods)


def refuse_values(made: Class, name: str) -> None:
    """Refuses the values of a new class under Array, Hash, String or their like: they would be
    plain ones, without its methods."""
    from headwater.langs.puppet.ruby.machine import Refused

    above = made.superclass
    while above is not None and BUILTIN.get(above.name or "") is not above:
        above = above.superclass
    if above is None or above not in OF_TYPE.values():
        return
    for method in above.own:
        made.own[method] = Refused(f"{name}.{method}, of a class under {above.name}", "")
