"""Data files, read once and kept until they change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from headwater.langs.cache import user_cache, version_of
from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.files import Stamp, look, refused, stamp
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.langs.puppet.hiera.pieces import can_be_looked_up, plain
from headwater.langs.puppet.ruby_json import without_comments
from headwater.langs.puppet.types.value import Value
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.reading import reach
from headwater.text.reads import READS
from headwater.tree.json import BadJson, read_json

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.yaml import Document

FORMAT = "headwater puppet data 5"
JUDGES = ("langs/puppet/hiera/yaml.py", "langs/puppet/hashes.py", "tree/yamltext.py")
"""What makes data of a YAML text."""
MOST_NESTED = 100
"""Hashes and lists in each other that Ruby's JSON reads."""


class DataFile:
    """The data of a file, and where its keys and values stand."""

    __slots__ = ("_inside", "_plain", "data", "document", "odd", "path", "source")

    def __init__(self, path: str, source: Source, function: str) -> None:
        self.path = path
        self.source = source
        self.document: Document | None = None
        value: Any
        if function == "json_data":
            value = _read_json(source)
        else:
            value = self._read_yaml()
        self.data: Hash = value if isinstance(value, Hash) else Hash()
        nothing = value is None or value is False
        self.odd = "" if isinstance(value, Hash) else "none" if nothing else "value"
        """Set if it holds no hash: `none` for a file without data, `value` for another value."""
        self._inside: set[int] | None = None
        """The numbers of the arrays and hashes in the data, once somebody has asked."""
        self._plain: dict[str, bool] = {}

    def is_plain(self, key: str) -> bool:
        """Whether what it has under a key is the value, as it stands there."""
        found = self._plain.get(key)
        if found is None:
            value = self.data.entries[key]
            found = self._plain[key] = can_be_looked_up(value) and plain(value)
        return found

    def _read_yaml(self) -> object:
        """The data of a YAML text; only the first time is it parsed, and YAML loaded."""
        source = self.source
        cache = user_cache()
        key = f"{FORMAT}\0{version_of(*JUDGES)}\0{source.digest()}"
        body = None if cache is None else cache.load(key)
        if body is not None:
            try:
                return from_data(msgspec.msgpack.decode(body))
            except msgspec.DecodeError:
                pass
        from headwater.langs.puppet.hiera.yaml import Document
        from headwater.tree.yamltext import BadYaml, YamlTooLarge

        try:
            self.document = Document(source.text)
        except YamlTooLarge as error:
            at = source.span(error.start, error.start)
            raise Fault(YAML_TOO_LARGE.at(at, file=source.name, bound=error.bound)) from None
        except BadYaml as error:
            raise _broken(source, str(error), error.start) from None
        value = self.document.data
        if cache is not None and self.document.plain:
            try:
                body = msgspec.msgpack.encode(_plain(value))
            except (ValueError, OverflowError, TypeError, RecursionError):
                return value
            cache.store(key, body)
        return value

    def keep_apart(self, value: Value) -> None:
        """Holds a copy of an array or hash from now on, if it holds it."""
        if self._inside is None:
            self._inside = {id(item) for _, _, item in self._containers()}
        if id(value) not in self._inside:
            return
        for held, key, item in list(self._containers()):
            if item is value:
                held[key] = value.copy()
        self._inside = None

    def _containers(self) -> Iterator[tuple[Any, Any, Any]]:
        """Each array and hash in the data: where it lies, under which key, and it itself."""
        todo: list[Any] = [self.data]
        while todo:
            at = todo.pop()
            held = at.entries if isinstance(at, Hash) else at
            for key, item in held.items() if isinstance(at, Hash) else enumerate(at):
                if item.__class__ is list or item.__class__ is Hash:
                    yield held, key, item
                    todo.append(item)

    def document_place(self, path: tuple[str | int, ...]) -> Span | None:
        """Where a key stands, if it does."""
        self.span(path)
        found = self.document.place(path, key=True) if self.document is not None else None
        return None if found is None else self.source.span(*found)

    def span(self, path: tuple[str | int, ...], *, key: bool = False) -> Span:
        """Where a value stands; the whole file if that cannot be told."""
        from headwater.langs.puppet.hiera.yaml import Document
        from headwater.tree.yamltext import BadYaml

        document = self.document
        if document is None:
            try:
                document = self.document = Document(self.source.text)
            except BadYaml:
                return self.source.span(0, 0)
        found = document.place(path, key=key)
        return self.source.span(*(found or (0, 0)))


def _plain(value: object) -> object:
    """Data without odd keys, as msgpack writes them."""
    if isinstance(value, Hash):
        return {key: _plain(item) for key, item in value.entries.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _read_json(source: Source) -> Value:
    """The data of a JSON text, which may hold comments, and must hold a hash."""

    def no_number(name: str) -> Value:
        raise _broken(source, f"{name} is not JSON", max(source.text.find(name), 0))

    try:
        value = read_json(without_comments(source.text), no_number)
    except BadJson as error:
        raise _broken(source, error.message, error.at) from None
    if not isinstance(value, dict):
        raise _broken(source, "not a hash", 0)
    inside: list[Any] = [value]
    for _ in range(MOST_NESTED):
        inside = [
            item
            for held in inside
            for item in (held.values() if isinstance(held, dict) else held)
            if isinstance(item, dict | list)
        ]
    if inside:
        raise _broken(source, f"nested deeper than {MOST_NESTED}", 0)
    return from_data(value)


def _broken(source: Source, message: str, at: int) -> Fault:
    span = source.span(at, at)
    return Fault(codes.HIERA_CONFIG.at(span, message=f"{source.name}: {message}"))


_FILES: dict[str, tuple[Stamp, DataFile]] = {}


def keep_apart(value: Value) -> None:
    """Before an array or hash changes: a data file that holds it holds a copy of it from now on."""
    for _, file in _FILES.values():
        file.keep_apart(value)


def data_by_key(path: str, function: str) -> DataFile:
    """The data of a file that exists, for one who notes which keys it is asked for (`note_key`)."""
    token = READS.set(None)
    try:
        file = read_data(path, function)
    except BaseException:
        READS.reset(token)
        look(path)
        raise
    READS.reset(token)
    if file.odd or (function == "json_data") != is_json(path):
        look(path)
    return file


def is_json(path: str) -> bool:
    """Whether the name of a file says that it is JSON.

    Keys of a file are told apart one by one (`identity`) where it is read as its name says.
    """
    return path.endswith(".json")


def read_data(path: str, function: str) -> DataFile:
    """The data of a file that exists."""
    about = look(path)
    now = stamp(about)
    key = f"{function}\0{path}"
    kept = _FILES.get(key)
    if kept is not None and kept[0] == now and now[0] <= reach().most_bytes:
        return kept[1]
    source = read_source(path)
    if isinstance(source, Unreadable):
        if source.kind != "missing":
            raise refused(source, path)
        raise Fault(codes.HIERA_CONFIG.at(source.at, message=f"{path}: {source.reason}"))
    file = DataFile(path, source, function)
    _FILES[key] = (now, file)
    return file
