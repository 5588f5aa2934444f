"""Puppet as Ruby sees it: its modules, errors and log, and the values Ruby has no class for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, get_args

from headwater.langs.puppet import values as v
from headwater.langs.puppet.levels import DEFAULT
from headwater.langs.puppet.ruby.classes import BUILTIN, ENUMERABLE, OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.defining import scoped_constant
from headwater.langs.puppet.ruby.exchange import Reference
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Proc,
    RubyValue,
    Symbol,
    Text,
)
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.rubytext import to_s as puppet_text
from headwater.langs.puppet.types.show import show_type

if TYPE_CHECKING:
    from headwater.langs.puppet.types.value import Value

PUPPET: Final = module("Puppet")
_RUNTIME: Final = BUILTIN["RuntimeError"]
PUPPET_ERROR: Final = define("Puppet::Error", _RUNTIME)
DEV_ERROR: Final = define("Puppet::DevError", PUPPET_ERROR)
PARSE_ERROR: Final = define("Puppet::ParseError", PUPPET_ERROR)
define("Puppet::PreformattedError", define("Puppet::ParseErrorWithIssue", PARSE_ERROR))
define("Puppet::ResourceError", PUPPET_ERROR)
define("Puppet::ExecutionFailure", PUPPET_ERROR)
define("Puppet::MissingCommand", PUPPET_ERROR)

PARSER: Final = module("Puppet::Parser")
FUNCTIONS3: Final = module("Puppet::Parser::Functions")
define("Puppet::Parser::Functions::Error", PUPPET_ERROR)
SCOPE: Final = define("Puppet::Parser::Scope", OBJECT)
TEMPLATE: Final = define("Puppet::Parser::TemplateWrapper", OBJECT)
FUNCTIONS4: Final = module("Puppet::Functions")
FUNCTION: Final = define("Puppet::Functions::Function", OBJECT)
INTERNAL: Final = define("Puppet::Functions::InternalFunction", FUNCTION)
DATA_FUNCTION: Final = define("Puppet::Functions::DataFunction", FUNCTION)
UTIL: Final = module("Puppet::Util")
PACKAGE: Final = module("Puppet::Util::Package")
ERRORS: Final = module("Puppet::Util::Errors")
LOGGING: Final = module("Puppet::Util::Logging")
POPS: Final = module("Puppet::Pops")
TYPES: Final = module("Puppet::Pops::Types")
SENSITIVE_TYPE: Final = define("Puppet::Pops::Types::PSensitiveType", OBJECT)
SENSITIVE: Final = define("Puppet::Pops::Types::PSensitiveType::Sensitive", OBJECT)
ANY_TYPE: Final = define("Puppet::Pops::Types::PAnyType", OBJECT)
TIME: Final = module("Puppet::Pops::Time")
TIMESTAMP: Final = define("Puppet::Pops::Time::Timestamp", OBJECT)
TIMESPAN: Final = define("Puppet::Pops::Time::Timespan", OBJECT)
RESOURCE: Final = define("Puppet::Resource", OBJECT)
RESOURCE.included.append(ENUMERABLE)
RESOURCE_TYPE: Final = define("Puppet::Pops::Types::PResourceType", ANY_TYPE)
CLASS_TYPE: Final = define("Puppet::Pops::Types::PClassType", ANY_TYPE)
BINARY: Final = define("Puppet::Pops::Types::PBinaryType", OBJECT)
SEM_VER: Final = define("SemanticPuppet", None, True)
VERSION: Final = define("SemanticPuppet::Version", OBJECT)
VERSION_RANGE: Final = define("SemanticPuppet::VersionRange", OBJECT)

OF_TYPE.update(
    {
        v.Sensitive: SENSITIVE,
        v.Timestamp: TIMESTAMP,
        v.Timespan: TIMESPAN,
        Reference: RESOURCE,
        v.ResourceRef: RESOURCE_TYPE,
        v.ClassRef: CLASS_TYPE,
        v.Binary: BINARY,
        v.SemVer: VERSION,
        v.SemVerRange: VERSION_RANGE,
    }
)
for _kind in get_args(model.Type):
    OF_TYPE.setdefault(_kind, ANY_TYPE)

URI_VALUE: Final = define("Puppet::Pops::Types::PURIType", OBJECT)
DEFERRED: Final = define("Puppet::Pops::Types::Deferred", OBJECT)
ITERATOR: Final = define("Puppet::Pops::Types::PIteratorType", OBJECT)
OF_TYPE.update({v.Uri: URI_VALUE, v.Deferred: DEFERRED, PuppetIterator: ITERATOR})
"""Values of Puppet's of which Ruby can only be shown the text."""

# the log

LEVELS: Final = ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit")


def _log(level: str) -> Callable[..., RubyValue]:
    def write(m: Machine, self: RubyValue, message: RubyValue = "", *rest: RubyValue) -> RubyValue:
        text = m.text(message)
        m.log(level, text)
        return None if level in ("debug", "info") else Text(text)

    return write


for _level in LEVELS:
    own_method(PUPPET, _level)(_log(_level))
    method(LOGGING, _level)(_log(_level))
    method(SCOPE, _level)(_log(_level))
    method(FUNCTION, _level)(_log(_level))


@method(OBJECT, "_")
def translated(m: Machine, self: RubyValue, message: RubyValue) -> RubyValue:
    """Puppet translates messages; in English they are as they were written."""
    return message


@method(OBJECT, "n_")
def counted(
    m: Machine, self: RubyValue, one: RubyValue, many: RubyValue, number: RubyValue
) -> RubyValue:
    """A message for one thing, or for several."""
    return one if number == 1 else many


@own_method(PUPPET, "version")
def version(m: Machine, self: RubyValue) -> str:
    return str(m.lookup_constant(PUPPET, "PUPPETVERSION"))


PUPPET.constants["PUPPETVERSION"] = DEFAULT.version


@own_method(PUPPET, "features", "lookup", "run_mode")
def surroundings(
    m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    raise Beyond("Puppet's settings")


@own_method(PACKAGE, "versioncmp")
@method(PACKAGE, "versioncmp")
def versioncmp(m: Machine, self: RubyValue, left: RubyValue, right: RubyValue) -> RubyValue:
    return m.call("versioncmp", [to.string(m, left), to.string(m, right)])


@own_method(UTIL, "absolute_path?")
def absolute_path(
    m: Machine, self: RubyValue, path: RubyValue, platform: Given = UNDEFINED
) -> bool:
    if not to.is_string(path):
        return False  # it matches no pattern
    text = m.text(path)
    windows = platform.__class__ is Symbol and platform.name == "windows"
    if not windows:
        return text.startswith("/")
    import re

    name = r"[^\\/:*?\"<>|]+"
    slash = r"[\\/]"
    share = rf"{slash}{slash}{name}{slash}{name}|{slash}{slash}\?{slash}{name}"
    pattern = rf"[A-Z]:{slash}|{share}"
    return re.match(pattern, text, re.IGNORECASE) is not None


@own_method(UTIL, "execute", "which")
def execute(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    raise Beyond("Puppet::Util.execute")


@own_method(UTIL, "deterministic_rand")
def deterministic_rand(m: Machine, self: RubyValue, seed: RubyValue, most: RubyValue) -> str:
    return m.text(deterministic_rand_int(m, self, seed, most))


@own_method(UTIL, "deterministic_rand_int")
def deterministic_rand_int(
    m: Machine, self: RubyValue, seed: RubyValue, most: RubyValue
) -> RubyValue:
    random = m.send(scoped_constant(m, OBJECT, "Random"), "new", [seed])
    return m.send(random, "rand", [most])


@own_method(UTIL, "symbolize")
def symbolize(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    return m.send(value, "to_sym", [])


# values of Puppet


@own_method(SENSITIVE, "new")
def new_sensitive(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    from headwater.langs.puppet.ruby.exchange import from_ruby

    return v.Sensitive(from_ruby(value))


@method(SENSITIVE, "unwrap")
def unwrap(m: Machine, self: v.Sensitive, block: Proc | None = None) -> RubyValue:
    from headwater.langs.puppet.ruby.exchange import to_ruby

    return to_ruby(self.value) if block is None else block.one(to_ruby(self.value))


@method(SENSITIVE, "to_s")
def sensitive_text(m: Machine, self: v.Sensitive) -> str:
    return "Sensitive [value redacted]"


@method(SENSITIVE, "inspect")
def sensitive_inspect(m: Machine, self: v.Sensitive) -> str:
    return "#<Sensitive [value redacted]>"


@method(SENSITIVE, "==")
def sensitive_equal(m: Machine, self: v.Sensitive, other: RubyValue) -> bool:
    return other.__class__ is v.Sensitive and m.equal(self.value, other.value)


@method(RESOURCE, "type")
def resource_type(m: Machine, self: Reference) -> str:
    return "Class" if isinstance(self.ref, v.ClassRef) else str(self.ref.type)


@method(RESOURCE, "title", "name")
def resource_title(m: Machine, self: Reference) -> str:
    if isinstance(self.ref, v.ClassRef):
        return v.capitalised(self.ref.name or "")
    return self.ref.title or ""


@method(RESOURCE, "to_s", "ref", "to_ref")
def resource_text(m: Machine, self: Reference) -> str:
    return str(self.ref)


@method(RESOURCE, "==", "eql?")
def resource_equal(m: Machine, self: Reference, other: RubyValue) -> bool:
    return bool(self == other)


@method(RESOURCE, "class?")
def is_class(m: Machine, self: Reference) -> bool:
    return isinstance(self.ref, v.ClassRef)


@method(RESOURCE, "each")
def each_parameter(m: Machine, self: Reference, block: Proc | None = None) -> RubyValue:
    """A reference has no parameters."""
    return self


@method(RESOURCE, "[]")
def parameter_of(m: Machine, self: Reference, name: RubyValue) -> RubyValue:
    return Text(resource_title(m, self)) if to.name_of(m, name) == "title" else None


@method(RESOURCE_TYPE, "type_name")
def reference_type(m: Machine, self: v.ResourceRef) -> str | None:
    return self.type


@method(RESOURCE_TYPE, "title")
def reference_title(m: Machine, self: v.ResourceRef) -> str | None:
    return self.title


@method(CLASS_TYPE, "class_name")
def class_name(m: Machine, self: v.ClassRef) -> str | None:
    return self.name


@method(ANY_TYPE, "to_s", "inspect")
def type_text(m: Machine, self: model.Type) -> str:
    return show_type(self)


@method(ANY_TYPE, "==")
def type_equal(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return bool(self == other)


@method(ANY_TYPE, "instance?")
def type_instance(m: Machine, self: model.Type, value: RubyValue) -> bool:
    from headwater.langs.puppet.ruby.exchange import from_ruby
    from headwater.langs.puppet.types.matching import is_instance

    return is_instance(self, from_ruby(value))


def _shown(m: Machine, self: Value) -> str:
    return puppet_text(self)


for _cls in (TIMESTAMP, TIMESPAN, BINARY, VERSION, VERSION_RANGE):
    method(_cls, "to_s", "inspect")(_shown)
method(URI_VALUE, "to_s")(_shown)
for _cls, _what in ((URI_VALUE, "URI"), (DEFERRED, "Deferred"), (ITERATOR, "Iterator")):
    refuse(_cls, f"a {_what} of Puppet's", "class is_a? kind_of? instance_of? inspect")


@method(TIMESTAMP, "<=>")
@method(TIMESPAN, "<=>")
def time_order(m: Machine, self: v.Timestamp | v.Timespan, other: RubyValue) -> int | None:
    if not isinstance(other, v.Timestamp | v.Timespan) or other.__class__ is not self.__class__:
        return None
    left, right = self.nanoseconds, other.nanoseconds
    return (left > right) - (left < right)


@method(TIMESTAMP, "==")
@method(TIMESPAN, "==")
@method(BINARY, "==")
@method(VERSION, "==")
@method(VERSION_RANGE, "==")
def plain_equal(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return self.__class__ is other.__class__ and bool(self == other)
