"""What a language takes: its fields, with their types and what is told of them.

A field is declared once, in a struct, as ``name: Annotated[type, About(…)] = default``.  From that
follow the option of the command line, the field of a job, the refusal of a wrong value and the
documentation.  The fields that every language has are here; a language lists its own in its
`fields.py`, which imports nothing of the language, so that a command line can be read without it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

LONGEST_TIME = 100_000_000.0
"""The most seconds that a time limit may have (three years)."""

Name = Annotated[str, msgspec.Meta(pattern=r"\A[^\0]*\Z")]
"""The name of a file or folder, which cannot hold NUL.

Not for a field that admits lists or objects too: msgspec's types of such a union break its garbage
collection (`tests/test_jobs.py` has a test).
"""

NameAlone = Annotated[str, msgspec.Meta(title="a path")]
"""A `Name` in the place of a list of them.

It has no pattern: msgspec frees memory that is not its own after a union of a list and a text
with a pattern (`tests/test_fields_memory.py`).  `read_fields` looks for NUL in it.
"""

Seconds = Annotated[float, msgspec.Meta(gt=0, le=LONGEST_TIME)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class About(msgspec.Struct, frozen=True):
    """What is told of a field beside its type."""

    help: str
    example: object = None
    """A value as a job has it."""
    option: str | None = None
    """The option of the command line; a field without one is only for jobs."""
    metavar: str | None = None
    many: bool = False
    """Whether the option may be given several times."""
    path: Literal["", "file", "folder", "search"] = ""
    """Whether it names files or folders; a text for ``search`` may list several."""
    stands_in: bool = False
    """Whether a folder that it names may stand for the program, so that no file is needed."""
    unconfined: bool = False
    """Whether it reaches outside of files, so that it is refused where reading is confined."""
    key: str | None = None
    """The key of ``headwater.toml`` that gives it, in the section of the language."""


class Field(msgspec.Struct, frozen=True):
    """A field as it was declared."""

    owner: type[msgspec.Struct]
    name: str
    type: Any
    default: object
    about: About


class NoFields(msgspec.Struct, frozen=True):
    """The own fields of a language that has none."""


class CommonFields(msgspec.Struct):
    """What a job of any language may have."""

    id: Annotated[object, About("anything; the answer has it too", 1)] = None
    code: Annotated[str | None, About("the program as text", "a: 1")] = None
    filename: Annotated[str | None, About("the name to show for `code`", "site.l3")] = None
    file: Annotated[str | None, About("or the file it is in", "site.l3", path="file")] = None
    manifest: Annotated[str | None, About("the same as `file`", "site.pp", path="file")] = None
    files: Annotated[
        list[str] | None, About("or files that make one program", ["a.l3", "b.l3"], path="file")
    ] = None
    lang: Annotated[
        str | None, About("the language, if no file's ending tells", "l3", "--lang", "NAME")
    ] = None
    dialect: Annotated[
        str | None, About("a dialect of the language", "core", "--dialect", "NAME")
    ] = None
    engine: Annotated[
        Literal["engine", "paper"] | None,
        About("the fast one (default), or the paper's rules", "paper", "--engine"),
    ] = None
    include: Annotated[
        list[str] | None,
        About("a folder of included files", ["lib"], "-I", "DIR", many=True, path="file"),
    ] = None
    strict: Annotated[bool | None, About("doubtful things are errors", True, "--strict")] = None
    why: Annotated[
        bool | Literal["compact"] | None,
        About("add the provenance document, or the shorter form of it", True),
    ] = None
    rules: Annotated[
        bool | None, About("add the rules of the paper that fired (`engine: paper`)", True)
    ] = None
    timeout: Annotated[Seconds | None, About("seconds; 300 if it does not say", 10)] = None
    max_file_size: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None, About("the bound of files, in bytes", 1000000)
    ] = None
    confined: Annotated[bool | None, About("read nothing but what the job names", True)] = None


class Families(msgspec.Struct, frozen=True):
    """What a language takes, by family of commands."""

    title: str
    """The name of the language as people write it."""
    program: type[msgspec.Struct] = NoFields
    """For compiling, and for every question about a program."""
    lookup: type[msgspec.Struct] = NoFields
    """For looking up data, beside `program`."""
    run: type[msgspec.Struct] = NoFields
    """For running a program over a durable store."""
    section: type[msgspec.Struct] = NoFields
    """What its section of ``headwater.toml`` says beside the fields of `program` with a key."""


@cache
def fields_of(struct: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a struct in the order of their declaration, those of its base first."""
    found = []
    for one in msgspec.structs.fields(struct):
        (about,) = (part for part in get_args(one.type)[1:] if isinstance(part, About))
        found.append(Field(struct, one.name, get_args(one.type)[0], one.default, about))
    return tuple(found)


def names_of(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """The names of the fields."""
    return struct.__struct_fields__


class WrongField(ValueError):
    """A field has a value that it cannot have; says which, which value, and what was expected."""


T = TypeVar("T", bound=msgspec.Struct)


def read_fields(given: Mapping[str, object], struct: type[T]) -> T:
    """The fields of a struct among what is given.  Raises `WrongField`."""
    own = {name: given[name] for name in names_of(struct) if name in given}
    try:
        made = msgspec.convert(own, struct)
    except msgspec.ValidationError:
        for field in fields_of(struct):
            if field.name in own:
                _judge(field, own[field.name])
        raise
    for field in _names_alone(struct):
        value = own.get(field.name)
        if isinstance(value, str) and "\0" in value:
            raise _wrong(field, value)
    return made


@cache
def _names_alone(struct: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields that admit a `NameAlone`."""
    return tuple(field for field in fields_of(struct) if NameAlone in get_args(field.type))


def _judge(field: Field, value: object) -> None:
    """Refuses a value that a field cannot have."""
    try:
        msgspec.convert({field.name: value}, field.owner)
    except msgspec.ValidationError:
        raise _wrong(field, value) from None


def _wrong(field: Field, value: object) -> WrongField:
    wanted = f"{field.name} must be {expected(field.type)}"
    return WrongField(f"{wanted}, not {shown_value(value)}")


def shown_value(value: object, most: int = 60) -> str:
    """A value on one line, cut where it is long."""
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= most else text[: most - 1] + "…"


_KINDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    object: "anything",
}
_SEVERAL = {str: "texts", int: "whole numbers", float: "numbers", bool: "truth values"}


def expected(kind: Any) -> str:  # noqa: ANN401
    """What a type admits, in words."""
    if kind in (Name, NameAlone):
        return "a path"
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *extras = get_args(kind)
        bounds = [_bounds(extra) for extra in extras if isinstance(extra, msgspec.Meta)]
        return " ".join([expected(inner), *filter(None, bounds)])
    if origin in (Union, UnionType):
        parts = [expected(part) for part in get_args(kind) if part is not NoneType]
        return " or ".join(dict.fromkeys(parts))
    if origin is Literal:
        return " or ".join(str(choice) for choice in get_args(kind))
    if origin is list:
        (item,) = get_args(kind)
        items = "paths" if item == Name else _SEVERAL.get(item)
        return f"a list of {items}" if items else "a list"
    if origin is dict:
        inner = get_args(kind)[1]
        return "an object" if inner is object else f"an object, each value {expected(inner)}"
    return _KINDS[kind]


def _bounds(meta: msgspec.Meta) -> str:
    said = (("above", meta.gt), ("of at least", meta.ge), ("up to", meta.le), ("below", meta.lt))
    return " and ".join(f"{word} {bound:,.15g}" for word, bound in said if bound is not None)


def choices(field: Field) -> tuple[object, ...] | None:
    """The values of a field that has only a few."""
    for part in (field.type, *get_args(field.type)):
        if get_origin(part) is Literal:
            return get_args(part)
    return None


def takes(field: Field, kind: type) -> bool:
    """Whether a type is one of those that a field admits."""
    parts = get_args(field.type) if get_origin(field.type) in (Union, UnionType) else (field.type,)
    return any(part is kind or get_origin(part) is kind for part in parts)


def paths_in(given: Mapping[str, object], structs: Iterable[type[msgspec.Struct]]) -> Iterator[str]:
    """The files and folders that are named in what is given."""
    fields = {f.name: f.about.path for struct in structs for f in fields_of(struct)}
    for name, value in given.items():
        for path in value if isinstance(value, list | tuple) else [value]:
            if isinstance(path, str) and fields.get(name):
                search = fields[name] == "search"
                yield from filter(None, path.split(os.pathsep)) if search else [path]
