"""YAML: ``dump`` as Psych writes it, ``load`` and ``safe_load`` of what is plain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from headwater.langs.puppet.bytestrings import as_text, lenient_base64
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, KERNEL, OBJECT, define, module
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse_own
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    RubyValue,
    Text,
    bytes_text,
    symbol,
)
from headwater.langs.puppet.types.psych import MOST_DIGITS, Dated, Sym, TooManyDigits, plain

if TYPE_CHECKING:
    from yaml import Node

    from headwater.tree.yamltext import BadYaml

YAML: Final = module("Psych")
OBJECT.constants["YAML"] = YAML
define("Psych::Exception", BUILTIN["RuntimeError"])
define("Psych::BadAlias", BUILTIN["Psych::Exception"])
define("Psych::DisallowedClass", BUILTIN["Psych::Exception"])
define("Psych::SyntaxError", BUILTIN["Psych::Exception"])
LEVELS: Final = 1000
"""How deep what is loaded may be nested."""


def _options(m: Machine, options: Given) -> Hash:
    return Hash({}) if options is UNDEFINED or options is None else to.hash_(m, options)


@own_method(YAML, "dump")
def dump(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return Text(_dumped(m, value, _options(m, options)))


@method(KERNEL, "to_yaml")
def to_yaml(m: Machine, self: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return Text(_dumped(m, self, _options(m, options)))


def _dumped(m: Machine, value: RubyValue, options: Hash) -> str:
    from headwater.langs.puppet.ruby.stdlib.yaml_text import dumped

    width, indent = options.get(symbol("line_width")), options.get(symbol("indentation"))
    return dumped(
        m,
        value,
        width if width.__class__ is int else 0,
        indent if indent.__class__ is int else 2,
        m.truth(options.get(symbol("header"))),
    )


class _Loading:
    """Makes values of nodes; `allowed` are the classes beyond plain data."""

    def __init__(self, m: Machine, allowed: frozenset[str], options: Hash) -> None:
        self.m = m
        self.allowed = allowed
        self.symbolize = m.truth(options.get(symbol("symbolize_names")))
        self.known: dict[int, Any] = {}

    def disallowed(self, name: str) -> Exception:
        return self.m.error("Psych::DisallowedClass", f"Tried to load unspecified class: {name}")

    def value(self, node: Node) -> RubyValue:
        """The value of a node."""
        from headwater.tree.yamltext import is_mapping, is_scalar

        self.m.spend(1)
        if is_scalar(node):
            return self.scalar(node)
        tag = _tag(node)
        if tag.startswith("ruby/") or tag in ("set", "omap"):
            self.refused(tag)
        if id(node) in self.known:
            return self.known[id(node)]
        if not is_mapping(node):
            made: list[Any] = []
            self.known[id(node)] = made
            made.extend(self.value(item) for item in node.value)
            return made
        hash_ = Hash({})
        self.known[id(node)] = hash_
        for name_node, value_node in node.value:
            self.entry(hash_, name_node, value_node)
        return hash_

    def refused(self, tag: str) -> None:
        if tag == "set":
            raise self.disallowed("Psych::Set")
        if tag == "omap":
            raise self.disallowed("Psych::Omap")
        if ":" in tag:
            raise self.disallowed(tag.partition(":")[2])
        raise Beyond(f"YAML of a !{tag}")

    def entry(self, made: Hash, name_node: Node, value_node: Node) -> None:
        name, value = self.value(name_node), self.value(value_node)
        if to.is_string(name) and self.m.text(name) == "<<" and _tag(name_node) != "str":
            many = value if value.__class__ is list else [value]
            if all(isinstance(one, Hash) for one in many):
                for one in reversed(many):
                    for inner, item in one.pairs():
                        made.put(inner, item)
                return
        if self.symbolize and to.is_string(name):
            name = symbol(self.m.text(name))
        made.put(key(self.m, name), value)

    def scalar(self, node: Node) -> RubyValue:
        from headwater.tree.yamltext import QUOTED

        text: str = node.value
        tag = _tag(node)
        if tag in ("str", "ruby/string") or node.tag == QUOTED:
            return Text(text)
        if tag == "binary":
            return bytes_text(lenient_base64(text.encode()))
        if tag.startswith("ruby/"):
            self.refused(tag)
        try:
            found = plain(text)
        except TooManyDigits:
            raise Exhausted("digits of a number", MOST_DIGITS) from None
        if isinstance(found, Sym):
            if "Symbol" not in self.allowed:
                raise self.disallowed("Symbol")
            return symbol(found.name)
        if isinstance(found, Dated):
            kind = "Date" if len(text) <= 10 else "Time"
            if kind not in self.allowed:
                raise self.disallowed(kind)
            raise Beyond(f"YAML of a {kind}")
        if tag == "float":
            return self.m.send(Text(text), "to_f", [])
        return Text(found) if isinstance(found, str) else found


def _tag(node: Node) -> str:
    from headwater.tree.yamltext import PLAIN, QUOTED, STANDARD

    tag = node.tag
    if tag in (PLAIN, QUOTED):
        return ""
    return tag.removeprefix(STANDARD) if tag.startswith(STANDARD) else tag.removeprefix("!")


def _loaded(
    m: Machine, value: RubyValue, options: Given, allowed: frozenset[str], aliases: bool
) -> RubyValue:
    from headwater.langs.puppet.ruby.stdlib.yaml_text import has_alias
    from headwater.tree.yamltext import BadYaml, YamlTooLarge, compose

    text, given = _decoded(m, to.string(m, value)), _options(m, options)
    permitted = given.get(symbol("permitted_classes"))
    if permitted.__class__ is list:
        allowed |= {str(one.name) for one in permitted if one.__class__ is Class}
    try:
        root = compose(text, levels=LEVELS).root
    except YamlTooLarge as error:
        raise Beyond(f"YAML with {error}") from None
    except BadYaml as error:
        raise _refused(m, text, error) from None
    m.spend(len(text))
    if not (aliases or m.truth(given.get(symbol("aliases")))):
        name = has_alias(text)
        if name is not None:
            raise m.error("Psych::BadAlias", f"Unknown alias: {name}")
    if root is None:
        return given.get(symbol("fallback"))
    return _Loading(m, allowed, given).value(root)


def _decoded(m: Machine, text: str) -> str:
    """A text as Psych reads it: bytes count as UTF-8, and must be that."""
    from headwater.langs.puppet.ruby.stdlib.yaml_octets import wrong_octets

    text = as_text(text)
    wrong = wrong_octets(text)
    if wrong is not None:
        raise m.error("Psych::SyntaxError", f"(<unknown>): {wrong} at line 1 column 1")
    return text


def _refused(m: Machine, text: str, error: BadYaml) -> Exception:
    """What Psych says of a text that is no YAML."""
    before = text[: error.start]
    if str(error) == "found undefined alias":
        name = re.match(r"\*?([\w-]*)", text[error.start :])
        return m.error("Psych::BadAlias", f"Unknown alias: {name[1] if name else ''}")
    said, line = str(error), before.count("\n") + 1
    column = len(before.rpartition("\n")[2]) + 1
    if error.within is not None:
        context, line, column = error.within
        said = f"{said} {context}"
    return m.error("Psych::SyntaxError", f"(<unknown>): {said} at line {line} column {column}")


@own_method(YAML, "load")
def load(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _loaded(m, value, options, frozenset(["Symbol"]), False)


@own_method(YAML, "safe_load")
def safe_load(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _loaded(m, value, options, frozenset(), False)


@own_method(YAML, "unsafe_load")
def unsafe_load(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _loaded(m, value, options, frozenset(["Symbol", "Date", "Time"]), True)


refuse_own(YAML, "it looks at the disk", "parse_file")
refuse_own(
    YAML,
    "nobody needed it yet",
    "add_builtin_type add_domain_type add_tag domain_types domain_types= dump_stream dump_tags "
    "dump_tags= libyaml_version load_stream load_tags load_tags= parse parse_stream parser "
    "remove_type safe_dump to_json",
)
