"""Puppet's settings, stack and surroundings, as far as they are the same everywhere."""

from __future__ import annotations

from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.functions import compiler_of
from headwater.langs.puppet.ruby.library import PUPPET, SCOPE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.resources import CompilerObject
from headwater.langs.puppet.ruby.values import UNDEFINED, Text, symbol

_SETTINGS: Final = define("Puppet::Settings", OBJECT)
_STACK: Final = module("Puppet::Pops::PuppetStack")
_MODULE: Final = define("Puppet::Module", OBJECT)
module("Puppet::Node")
_ENVIRONMENT: Final = define("Puppet::Node::Environment", OBJECT)
_FILES: Final = module("Puppet::Parser::Files")
_ENV: Final = define("ENV", OBJECT)


class Settings:
    """``Puppet.settings``"""


class ModuleObject:
    """A module, by its name and folder."""

    __slots__ = ("name", "path")

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path


class EnvironmentObject:
    """The environment that is compiled."""


OF_TYPE.update({Settings: _SETTINGS, ModuleObject: _MODULE, EnvironmentObject: _ENVIRONMENT})


@own_method(PUPPET, "settings")
def settings(m: Machine, self: Any) -> Any:
    return Settings()


@own_method(PUPPET, "[]")
@method(_SETTINGS, "[]", "value")
def setting(m: Machine, self: Any, name: Any, environment: Any = UNDEFINED) -> Any:
    wanted = to.name_of(m, name)
    found = compiler_of(m).setting(wanted)
    if found is None:
        raise Beyond(f"Puppet[:{wanted}]")
    if wanted == "strict":
        return symbol(found)
    return Text(found) if isinstance(found, str) else found


@own_method(PUPPET, "deprecation_warning")
def deprecation_warning(m: Machine, self: Any, message: Any, key: Any = UNDEFINED) -> Any:
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
    m: Machine, self: Any, kind: Any, key: Any, message: Any, file: Any = None, line: Any = None,
    level: Any = UNDEFINED,
) -> Any:  # fmt: skip
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
def stacktrace(m: Machine, self: Any) -> Any:
    return [[Text(file), line] for file, line in compiler_of(m).stack()]


@own_method(_STACK, "top_of_stack")
def top_of_stack(m: Machine, self: Any) -> Any:
    stack = compiler_of(m).stack()
    return [Text(stack[0][0]), stack[0][1]] if stack else []


@own_method(_ENV, "[]", "fetch", "key?", "has_key?", "include?")
def environment_variable(m: Machine, self: Any, name: Any, *rest: Any) -> Any:
    text = to.string(m, name)
    if text.startswith("STDLIB_"):
        return None
    raise Beyond(f"ENV['{text}']")


# modules and files


@own_method(_MODULE, "find")
def find_module(m: Machine, self: Any, name: Any, environment: Any = None) -> Any:
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
def environment(m: Machine, self: Any) -> Any:
    return EnvironmentObject()


@method(OF_TYPE[CompilerObject], "environment")
def compiler_environment(m: Machine, self: Any) -> Any:
    return EnvironmentObject()


@method(_ENVIRONMENT, "to_s", "name")
def environment_name(m: Machine, self: Any) -> str:
    return compiler_of(m).environment


@method(_ENVIRONMENT, "module")
def module_of(m: Machine, self: Any, name: Any) -> Any:
    return find_module(m, self, name)


@own_method(_FILES, "find_template", "find_file")
def find_template(m: Machine, self: Any, name: Any, environment: Any = None) -> Any:
    found = compiler_of(m).caller.find_file("templates", m.text(name))
    return None if found is None else Text(found)


__all__ = ["Hash"]
