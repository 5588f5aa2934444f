"""Puppet's settings, stack and surroundings, as far as they are the same everywhere."""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.functions import compiler_of
from headwater.langs.puppet.ruby.library import PUPPET, SCOPE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.resources import CompilerObject
from headwater.langs.puppet.ruby.stdlib import own_files
from headwater.langs.puppet.ruby.values import UNDEFINED, Given, Native, RubyValue, Text, symbol

_SETTINGS: Final = define("Puppet::Settings", OBJECT)
_STACK: Final = module("Puppet::Pops::PuppetStack")
_MODULE: Final = define("Puppet::Module", OBJECT)
module("Puppet::Node")
_ENVIRONMENT: Final = define("Puppet::Node::Environment", OBJECT)
_FILES: Final = module("Puppet::Parser::Files")
_ENV: Final = define("ENV", OBJECT)
_SYSTEM: Final = module("Puppet::FileSystem")
own_method(_SYSTEM, "exist?", "file?")(own_files.exists)
own_method(_SYSTEM, "read")(own_files.read)


class Settings(Native):
    """``Puppet.settings``"""


class ModuleObject(Native):
    """A module, by its name and folder."""

    __slots__ = ("name", "path")

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path


class EnvironmentObject(Native):
    """The environment that is compiled."""


OF_TYPE.update({Settings: _SETTINGS, ModuleObject: _MODULE, EnvironmentObject: _ENVIRONMENT})


@own_method(PUPPET, "settings")
def settings(m: Machine, self: RubyValue) -> RubyValue:
    return Settings()


@own_method(PUPPET, "[]")
@method(_SETTINGS, "[]", "value")
def setting(
    m: Machine, self: RubyValue, name: RubyValue, environment: Given = UNDEFINED
) -> RubyValue:
    wanted = to.name_of(m, name)
    found = compiler_of(m).setting(wanted)
    if found is None:
        raise Beyond(f"Puppet[:{wanted}]")
    if wanted == "strict":
        return symbol(str(found))
    return Text(found) if isinstance(found, str) else found


@own_method(PUPPET, "deprecation_warning")
def deprecation_warning(
    m: Machine, self: RubyValue, message: RubyValue, key: Given = UNDEFINED
) -> RubyValue:
    """Says something once for each key, and where in Ruby."""
    place = compiler_of(m).ruby_place()
    told = compiler_of(m).told
    about = ("deprecation", place if key is UNDEFINED else m.text(key))
    if about in told:
        return None
    told.add(about)
    text = f"{m.text(message)}\n   (location: {place})"
    m.log("warning", text)
    return Text(text)


@own_method(PUPPET, "warn_once")
def warn_once(
    m: Machine, self: RubyValue, kind: RubyValue, key: RubyValue, message: RubyValue,
    file: RubyValue = None, line: RubyValue = None, level: Given = UNDEFINED,
) -> RubyValue:  # fmt: skip
    """Says something once for each key."""
    told = compiler_of(m).told
    about = ("once", m.text(key))
    if about in told:
        return None
    told.add(about)
    if file is symbol("default"):
        where = ""
    elif file is None:
        where = "\n   (file & line not available)"
    else:
        numbered = "" if line is None else f", line: {m.text(line)}"
        where = f"\n   (file: {m.text(file)}{numbered})"
    text = f"{m.text(message)}{where}"
    m.log("warning" if level is UNDEFINED else m.text(level), text)
    return Text(text)


@own_method(_STACK, "stacktrace")
def stacktrace(m: Machine, self: RubyValue) -> RubyValue:
    return [[Text(file), line] for file, line in compiler_of(m).stack()]


@own_method(_STACK, "top_of_stack")
def top_of_stack(m: Machine, self: RubyValue) -> RubyValue:
    stack = compiler_of(m).stack()
    return [Text(stack[0][0]), stack[0][1]] if stack else []


@own_method(_ENV, "[]", "fetch", "key?", "has_key?", "include?")
def environment_variable(
    m: Machine, self: RubyValue, name: RubyValue, *rest: RubyValue
) -> RubyValue:
    text = to.string(m, name)
    if text.startswith("STDLIB_"):
        return None
    raise Beyond(f"ENV['{text}']")


# modules and files


@own_method(_MODULE, "find")
def find_module(
    m: Machine, self: RubyValue, name: RubyValue, environment: RubyValue = None
) -> RubyValue:
    text = m.text(name)
    found = compiler_of(m).caller.module_directory(text)
    return None if found is None else ModuleObject(text, found)


@method(_MODULE, "path")
def module_path(m: Machine, self: ModuleObject) -> str:
    return self.path


@method(_MODULE, "name")
def module_name(m: Machine, self: ModuleObject) -> str:
    return self.name


@method(SCOPE, "environment")
def environment(m: Machine, self: RubyValue) -> RubyValue:
    return EnvironmentObject()


@method(OF_TYPE[CompilerObject], "environment")
def compiler_environment(m: Machine, self: RubyValue) -> RubyValue:
    return EnvironmentObject()


@method(_ENVIRONMENT, "to_s", "name")
def environment_name(m: Machine, self: RubyValue) -> str:
    return compiler_of(m).environment


@method(_ENVIRONMENT, "module")
def module_of(m: Machine, self: RubyValue, name: RubyValue) -> RubyValue:
    return find_module(m, self, name)


@own_method(_FILES, "find_template")
def find_template(
    m: Machine, self: RubyValue, name: RubyValue, environment: RubyValue = None
) -> RubyValue:
    return _found(m, "templates", name)


@own_method(_FILES, "find_file")
def find_file(
    m: Machine, self: RubyValue, name: RubyValue, environment: RubyValue = None
) -> RubyValue:
    return _found(m, "files", name)


def _found(m: Machine, kind: str, name: RubyValue) -> RubyValue:
    found = compiler_of(m).caller.find_file(kind, m.text(name))
    return None if found is None else Text(found)


__all__ = ["Hash"]
