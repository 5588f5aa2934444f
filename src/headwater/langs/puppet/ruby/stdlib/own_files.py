"""Files that Ruby may read: a module's own, through the compiler, which notes each of them."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib.json import JSON
from headwater.langs.puppet.ruby.stdlib.paths import FILE, IO, path_text
from headwater.langs.puppet.ruby.stdlib.yaml import YAML
from headwater.langs.puppet.ruby.values import UNDEFINED, Class, Given, RubyValue, Text, symbol


def _text(m: Machine, path: RubyValue, construct: str) -> str | None:
    """The text of a file of a module, None if there is no such file; others are refused."""
    if m.host is None:
        raise Beyond(construct)
    return m.host.own_file(path_text(m, path), construct)


def _needed(m: Machine, path: RubyValue, construct: str) -> str:
    text = _text(m, path, construct)
    if text is None:
        message = f"No such file or directory @ rb_sysopen - {path_text(m, path)}"
        raise m.error("Errno::ENOENT", message)
    return text


@own_method(IO, "read")
def read(m: Machine, self: Class, path: RubyValue, *options: RubyValue) -> str:
    if any(not isinstance(one, Hash) for one in options):
        raise Beyond(f"{self.name}.read of a part of a file")
    return _needed(m, path, f"{self.name}.read")


@own_method(IO, "readlines")
def readlines(m: Machine, self: Class, path: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    chomp = isinstance(options, Hash) and m.truth(options.get(symbol("chomp")))
    if options is not UNDEFINED and not isinstance(options, Hash):
        raise Beyond(f"{self.name}.readlines with a separator")
    lines = _needed(m, path, f"{self.name}.readlines").splitlines(keepends=True)
    return [Text(line.rstrip("\r\n") if chomp else line) for line in lines]


@own_method(FILE, "exist?", "exists?", "file?", "readable?")
def exists(m: Machine, self: Class, path: RubyValue) -> bool:
    return _text(m, path, f"{self.name}.exist?") is not None


@own_method(YAML, "load_file", "unsafe_load_file")
def load_yaml(m: Machine, self: Class, path: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _parsed(m, self, "load", path, "YAML.load_file", options)


@own_method(YAML, "safe_load_file")
def load_safe(m: Machine, self: Class, path: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _parsed(m, self, "safe_load", path, "YAML.safe_load_file", options)


@own_method(JSON, "load_file")
def load_json(m: Machine, self: Class, path: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _parsed(m, self, "parse", path, "JSON.load_file", options)


def _parsed(
    m: Machine, cls: Class, how: str, path: RubyValue, construct: str, options: Given
) -> RubyValue:
    text = Text(_needed(m, path, construct))
    return m.send(cls, how, [text] if options is UNDEFINED else [text, options])
