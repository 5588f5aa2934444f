"""URI: addresses taken apart and put together."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, KERNEL, OBJECT, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse, refuse_own
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib.texts import percent_encoded
from headwater.langs.puppet.ruby.stdlib.uri_merging import merged_parts
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Classed,
    Given,
    RubyValue,
    Symbol,
    Text,
)
from headwater.langs.puppet.types.refusals import BadUri
from headwater.langs.puppet.types.uris import check

URI: Final = module("URI")
define("URI::Error", BUILTIN["StandardError"])
define("URI::InvalidURIError", BUILTIN["URI::Error"])
define("URI::InvalidComponentError", BUILTIN["URI::Error"])
define("URI::BadURIError", BUILTIN["URI::Error"])
GENERIC: Final = define("URI::Generic", OBJECT)
KINDS: Final = {
    "http": ("HTTP", 80), "https": ("HTTPS", 443), "ftp": ("FTP", 21), "ldap": ("LDAP", 389),
    "ldaps": ("LDAPS", 636), "mailto": ("MailTo", None), "file": ("File", None),
    "ws": ("WS", 80),
}  # fmt: skip
_ABOVE: Final = {"https": "URI::HTTP", "ldaps": "URI::LDAP"}
CLASSES: Final = {
    scheme: define(f"URI::{name}", BUILTIN[_ABOVE.get(scheme, "URI::Generic")])
    for scheme, (name, _) in KINDS.items()
}
_PORTS: Final = {CLASSES[scheme]: port for scheme, (_, port) in KINDS.items()}
"""The usual ports: an address keeps its class when its scheme is set."""

PARTS: Final = ("scheme", "userinfo", "host", "port", "registry", "path", "opaque", "query",
                "fragment")  # fmt: skip
_WHOLE: Final = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?"
    r"(?://(?:([^/?#@]*)@)?(\[[^/?#\]]*\]|[^/?#:\[\]]*)(?::(\d*))?(?=[/?#]|\Z))?"
    r"([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z",
    re.DOTALL,
)


class Uri(Classed):
    """An address, by its parts."""

    __slots__ = "parts"

    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts
        self.cls = CLASSES.get(parts["scheme"] or "", GENERIC)


def read(m: Machine, value: RubyValue) -> Uri:
    """The address that a text spells."""
    if value.__class__ is Uri:
        return value
    if not to.is_string(value) and (value is None or m.find(value, "to_str") is None):
        raise m.error("URI::InvalidURIError", f"bad URI(is not URI?): {m.inspect(value)}")
    text = to.string(m, value)
    try:
        check(text)
    except BadUri as error:
        raise m.error("URI::InvalidURIError", str(error)) from None
    found = _WHOLE.match(text)
    if found is None or re.search(r"[\[\]]", found[5]):
        raise m.error("URI::InvalidURIError", f"bad URI(is not URI?): {m.inspect(value)}")
    scheme, userinfo, host, port, path, query, fragment = found.groups()
    parts: dict[str, Any] = dict.fromkeys(PARTS)
    parts.update(scheme=None if scheme is None else scheme.lower(), userinfo=userinfo)
    parts.update(query=query, fragment=fragment, host=host or None)
    if scheme is not None and host is None and not path.startswith("/"):
        parts["opaque"] = path + ("" if query is None else f"?{query}")
        parts["query"] = None
    else:
        parts["path"] = path
        parts["port"] = int(port) if port else usual_port(parts["scheme"])
    return Uri(parts)


def usual_port(scheme: str | None) -> int | None:
    """The port of a scheme."""
    return KINDS[scheme][1] if scheme in KINDS else None


def shown(uri: Uri) -> str:
    """An address as text."""
    part = uri.parts
    made = "" if part["scheme"] is None else f"{part['scheme']}:"
    if part["opaque"] is not None:
        made += part["opaque"]
    else:
        if part["host"] is not None or part["scheme"] in ("file", "puppet"):
            made += "//"
        if part["userinfo"] is not None:
            made += f"{part['userinfo']}@"
        made += part["host"] or ""
        if part["port"] is not None and part["port"] != _PORTS.get(uri.cls):
            made += f":{part['port']}"
        path = part["path"] or ""
        if part["host"] is not None and path and not path.startswith("/"):
            made += "/"
        made += path
        if part["query"] is not None:
            made += f"?{part['query']}"
    return made + ("" if part["fragment"] is None else f"#{part['fragment']}")


@own_method(URI, "parse")
@method(KERNEL, "URI")
def parse(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    return read(m, value)


@own_method(URI, "split")
def split(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    uri = read(m, value)
    made: list[Any] = []
    for name in PARTS:
        one = uri.parts[name]
        if name == "port":
            explicit = re.search(r":(\d+)(?:[/?#]|\Z)", to.string(m, value).partition("//")[2])
            one = None if explicit is None else explicit[1]
        made.append(None if one is None else Text(str(one)))
    return made


@own_method(URI, "join")
def join(m: Machine, self: Class, first: RubyValue, *more: RubyValue) -> RubyValue:
    made = read(m, first)
    for one in more:
        made = merged(m, made, one)
    return made


@method(GENERIC, "+", "merge")
def merged(m: Machine, self: Uri, other: RubyValue) -> Uri:
    given = read(m, other)
    rel = given.parts
    if rel["scheme"] is not None:
        return given
    if self.parts["scheme"] is None:
        raise m.error("URI::BadURIError", "both URI are relative")
    return Uri(merged_parts(self.parts, rel))


def _reader(name: str) -> None:
    def call(m: Machine, self: Uri) -> RubyValue:
        value = self.parts[name]
        return Text(value) if value.__class__ is str else value

    method(GENERIC, name)(call)


_SIGNS: Final = r"(?:%[0-9A-Fa-f]{2}|[!$&-.0-;=A-Z_a-z~])"
_PROPER: Final = {
    "scheme": ("scheme", re.compile(r"[A-Za-z][A-Za-z0-9+\-.]*\Z")),
    "path": ("absolute path", re.compile(r"/|\Z")),
    "host": ("host", re.compile(rf"(?:\[[0-9A-Fa-f:.]+\]|{_SIGNS}*)\Z")),
    "user": ("userinfo component or user", re.compile(rf"{_SIGNS}*\Z")),
}
"""What a part must be that is set, by what Ruby calls it."""


def _proper(m: Machine, name: str, given: str) -> None:
    kind, wanted = _PROPER[name]
    if not wanted.match(given):
        said = f"bad component(expected {kind} component): {given}"
        raise m.error("URI::InvalidComponentError", said)


def _port(m: Machine, value: RubyValue) -> int | None:
    if value is None or value.__class__ is int:
        return value
    text = m.text(value) if value.__class__ is Symbol else to.string(m, value)
    if not re.fullmatch(r"[0-9]*", text):
        said = f"bad component(expected port component): {m.inspect(value)}"
        raise m.error("URI::InvalidComponentError", said)
    return int(text) if text else None


def _spelt(m: Machine, name: str, value: RubyValue) -> str | None:
    """The text that a part is set to; a symbol would fail later, where it is put together."""
    if value is None:
        return None
    if value.__class__ is Symbol and name in ("scheme", "path", "user", "host"):
        raise Beyond(f"URI::Generic#{name}= of a symbol")
    if name in ("query", "fragment") and not to.is_string(value):
        raise m.unanswered(value, "to_str", [])
    return to.string(m, value)


def _writer(name: str) -> None:
    def call(m: Machine, self: Uri, value: RubyValue) -> RubyValue:
        if name in ("host", "port") and self.parts["opaque"] is not None:
            said = f"can not set {name} with registry or opaque"
            raise m.error("URI::InvalidURIError", said)
        given = _port(m, value) if name == "port" else _spelt(m, name, value)
        if name in _PROPER and given is not None:
            _proper(m, name, str(given))
        self.parts[name] = str(given).lower() if name == "scheme" and given is not None else given
        return value

    method(GENERIC, f"{name}=")(call)


for _name in PARTS:
    _reader(_name)
    _writer(_name)


@method(GENERIC, "user")
def user(m: Machine, self: Uri) -> RubyValue:
    info = self.parts["userinfo"]
    return None if info is None else Text(info.partition(":")[0])


@method(GENERIC, "password")
def password(m: Machine, self: Uri) -> RubyValue:
    info = self.parts["userinfo"]
    return None if info is None or ":" not in info else Text(info.partition(":")[2])


@method(GENERIC, "user=")
def set_user(m: Machine, self: Uri, value: RubyValue) -> RubyValue:
    given = _spelt(m, "user", value)
    if given is not None:
        _proper(m, "user", given)
        _, mark, secret = (self.parts["userinfo"] or "").partition(":")
        given += mark + secret
    self.parts["userinfo"] = given
    return value


@method(GENERIC, "password=")
def set_password(m: Machine, self: Uri, value: RubyValue) -> RubyValue:
    before = (self.parts["userinfo"] or "").partition(":")[0]
    if value is None:
        self.parts["userinfo"] = before or None
        return value
    if not before:
        said = "password component depends user component"
        raise m.error("URI::InvalidURIError", said)
    if not _PROPER["user"][1].match(to.string(m, value)):
        raise m.error("URI::InvalidComponentError", "bad password component")
    self.parts["userinfo"] = f"{before}:{to.string(m, value)}"
    return value


@method(GENERIC, "hostname")
def hostname(m: Machine, self: Uri) -> RubyValue:
    host = self.parts["host"]
    return None if host is None else Text(host.removeprefix("[").removesuffix("]"))


@method(GENERIC, "hostname=")
def set_hostname(m: Machine, self: Uri, value: RubyValue) -> RubyValue:
    text = to.string(m, value)
    self.parts["host"] = f"[{text}]" if ":" in text and not text.startswith("[") else text
    return value


@method(GENERIC, "default_port")
def default_port(m: Machine, self: Uri) -> RubyValue:
    return _PORTS.get(self.cls)


@method(GENERIC, "absolute?", "absolute")
def is_absolute(m: Machine, self: Uri) -> bool:
    return self.parts["scheme"] is not None


@method(GENERIC, "relative?")
def is_relative(m: Machine, self: Uri) -> bool:
    return self.parts["scheme"] is None


@method(GENERIC, "hierarchical?")
def is_hierarchical(m: Machine, self: Uri) -> bool:
    return self.parts["path"] is not None


@method(GENERIC, "normalize")
def normalize(m: Machine, self: Uri) -> Uri:
    made = Uri(dict(self.parts))
    made.cls = self.cls
    if made.parts["host"] is not None:
        made.parts["host"] = made.parts["host"].lower()
        made.parts["path"] = made.parts["path"] or "/"
    return made


@method(GENERIC, "to_s")
def to_s(m: Machine, self: Uri) -> str:
    return shown(self)


@method(GENERIC, "inspect")
def inspect(m: Machine, self: Uri) -> str:
    return f"#<{self.cls.name} {shown(self)}>"


@method(GENERIC, "==")
def equal(m: Machine, self: Uri, other: RubyValue) -> bool:
    if other.__class__ is not Uri or other.cls is not self.cls:
        return False
    return shown(normalize(m, self)) == shown(normalize(m, other))


@method(GENERIC, "eql?")
def same(m: Machine, self: Uri, other: RubyValue) -> bool:
    return other.__class__ is Uri and self.parts == other.parts


def _request_uri(m: Machine, self: Uri) -> str:
    path = self.parts["path"] or "/"
    return path + ("" if self.parts["query"] is None else f"?{self.parts['query']}")


for _name in ("http", "https", "ws"):
    method(CLASSES[_name], "request_uri")(_request_uri)


@own_method(GENERIC, "build")
def build(m: Machine, self: Class, options: RubyValue) -> RubyValue:
    parts: dict[str, Any] = dict.fromkeys(PARTS)
    scheme = next((name for name, cls in CLASSES.items() if cls is self), None)
    parts.update(scheme=scheme, port=usual_port(scheme), path="")
    for name, value in to.hash_(m, options).pairs():
        part = to.name_of(m, name)
        parts[part] = value if part == "port" or value is None else to.string(m, value)
    return read(m, Text(shown(Uri(parts))))


# forms


@own_method(URI, "encode_www_form_component")
def encode_component(m: Machine, self: Class, value: RubyValue, encoding: Given = UNDEFINED) -> str:
    return percent_encoded(encoded(m.text(value)), b"*-._", "+")


@own_method(URI, "decode_www_form_component")
def decode_component(m: Machine, self: Class, value: RubyValue, encoding: Given = UNDEFINED) -> str:
    text = to.string(m, value)
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise m.error("ArgumentError", f"invalid %-encoding ({text})")
    return unquote_to_bytes(encoded(text).replace(b"+", b" ")).decode("utf-8", "surrogateescape")


@own_method(URI, "encode_www_form")
def encode_form(m: Machine, self: Class, pairs: RubyValue, encoding: Given = UNDEFINED) -> str:
    made: list[str] = []
    rows: list[RubyValue] = (
        [list(row) for row in pairs.pairs()] if isinstance(pairs, Hash) else to.array(m, pairs)
    )
    for row in rows:
        parts: list[RubyValue] = row if isinstance(row, list) else [row]
        name, value, *_ = [*parts, None, None]
        shown = encode_component(m, self, name)
        if value is None:
            made.append(shown)
            continue
        several = value if value.__class__ is list else [value]
        made.append(
            "&".join(
                "" if one is None else f"{shown}={encode_component(m, self, one)}"
                for one in several
            )
        )
    return "&".join(made)


@own_method(URI, "decode_www_form")
def decode_form(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    text = to.string(m, value)
    made: list[Any] = []
    for row in text.split("&") if text else []:
        name, _, item = row.partition("=")
        made.append([Text(decode_component(m, self, Text(part))) for part in (name, item)])
    return made


_UNUSED: Final = "nobody needed it yet"
refuse_own(URI, _UNUSED, "extract for get_encoding open regexp register_scheme scheme_list")
refuse_own(GENERIC, _UNUSED, "build2 component default_port new use_registry")
refuse(
    GENERIC,
    _UNUSED,
    "- coerce component find_proxy merge! normalize! parser route_from route_to select userinfo= "
    "registry= opaque=",
)
refuse(BUILTIN["URI::MailTo"], _UNUSED, "headers headers= to to= to_mailtext to_rfc822text")
refuse(BUILTIN["URI::FTP"], _UNUSED, "typecode typecode= merge path")
refuse(BUILTIN["URI::LDAP"], _UNUSED, "attributes attributes= dn dn= extensions extensions= filter "
       "filter= hierarchical? scope scope=")  # fmt: skip
