"""``Puppet::LookupContext``, which functions of data get: Hiera, as Ruby asks it."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.frames import Throw
from headwater.langs.puppet.ruby.functions import compiler_of
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.kernel import TAGS
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    Enumerator,
    Proc,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.values import LookupContext

module("Puppet::Pops::Lookup")
_CONTEXT: Final = define("Puppet::Pops::Lookup::Context", OBJECT)
OF_TYPE[LookupContext] = _CONTEXT
NO_SUCH_KEY: Final[Symbol] = symbol("no_such_key")
"""What is thrown by a function that has no value for a key."""

_FILES: Final = " files"
"""Where a machine has what was made of files: no variable of Ruby is named so."""


def catching(m: Machine) -> list[Any]:
    """The tags that may be thrown to, among which Hiera's must be while it calls a function."""
    found: list[Any] = m.globals.setdefault(TAGS, [])
    return found


@method(_CONTEXT, "not_found")
def not_found(m: Machine, self: LookupContext) -> NoReturn:
    raise Throw(NO_SUCH_KEY, None)


@method(_CONTEXT, "explain")
def explain(m: Machine, self: LookupContext, block: Proc | None = None) -> None:
    """What it would say is asked for only where Puppet explains a look-up."""


@method(_CONTEXT, "interpolate")
def interpolate(m: Machine, self: LookupContext, value: RubyValue) -> RubyValue:
    if isinstance(value, Symbol):  # is in no data, and no text either
        return value
    return compiler_of(m).interpolated(self, value)


@method(_CONTEXT, "module_name")
def module_name(m: Machine, self: LookupContext) -> RubyValue:
    return None if self.module_name is None else Text(self.module_name)


@method(_CONTEXT, "environment_name")
def environment_name(m: Machine, self: LookupContext) -> Symbol:
    return symbol(self.environment_name)


@method(_CONTEXT, "cache")
def cache(m: Machine, self: LookupContext, name: RubyValue, value: RubyValue) -> RubyValue:
    self.cache.put(key(m, name), value)
    return value


@method(_CONTEXT, "cache_all")
def cache_all(m: Machine, self: LookupContext, every: RubyValue) -> None:
    given = to.hash_(m, every)
    for name, value in given.pairs():
        self.cache.put(key(m, name), value)


@method(_CONTEXT, "cache_has_key")
def cache_has_key(m: Machine, self: LookupContext, name: RubyValue) -> bool:
    return key(m, name) in self.cache


@method(_CONTEXT, "cached_value")
def cached_value(m: Machine, self: LookupContext, name: RubyValue) -> RubyValue:
    return self.cache.get(key(m, name))


@method(_CONTEXT, "cached_entries")
def cached_entries(m: Machine, self: LookupContext, block: Proc | None = None) -> RubyValue:
    entries: Hash = self.cache.copy()
    if block is None:
        return Enumerator(entries, "each_pair", [])
    m.send(entries, "each_pair", [], block)
    return None


@method(_CONTEXT, "cached_file_data")
def cached_file_data(
    m: Machine, self: LookupContext, path: RubyValue, block: Proc | None = None
) -> RubyValue:
    """A file is read once; what the first who asked made of it is what all get."""
    name = to.string(m, path)
    text = compiler_of(m).data_file(name)
    if text is None:
        message = f"No such file or directory @ rb_file_s_stat - {name}"
        raise m.error("Errno::ENOENT", message)
    files: dict[str, RubyValue] = m.globals.setdefault(_FILES, {})
    if name not in files:
        files[name] = Text(text) if block is None else block.one(Text(text))
    return files[name]


@method(_CONTEXT, "invocation")
def invocation(m: Machine, self: LookupContext) -> NoReturn:
    raise Beyond("the invocation of a look-up")


__all__ = ["NO_SUCH_KEY", "catching"]
