"""Tuples with named fields, made without compiling Python.

`typing.NamedTuple` compiles a function, and every annotation, of each class: 90 µs, of which a
small command makes eighteen.  Here the function is a copy of one that has as many parameters,
under the names of the fields: 20 µs.  What comes out is used, and as fast, as what Python makes.

To a type checker it is `typing.NamedTuple`.  Annotations must be texts, so the modules that use it
begin with ``from __future__ import annotations``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter as getter
    from types import FunctionType

    new = tuple.__new__

    # One for each number of fields.
    MAKERS = [
        function.__code__
        for function in (
            lambda _cls: new(_cls, ()),
            lambda _cls, a: new(_cls, (a,)),
            lambda _cls, a, b: new(_cls, (a, b)),
            lambda _cls, a, b, c: new(_cls, (a, b, c)),
            lambda _cls, a, b, c, d: new(_cls, (a, b, c, d)),
            lambda _cls, a, b, c, d, e: new(_cls, (a, b, c, d, e)),
            lambda _cls, a, b, c, d, e, f: new(_cls, (a, b, c, d, e, f)),
            lambda _cls, a, b, c, d, e, f, g: new(_cls, (a, b, c, d, e, f, g)),
            lambda _cls, a, b, c, d, e, f, g, h: new(_cls, (a, b, c, d, e, f, g, h)),
        )
    ]

    class Named(tuple):
        """What all such tuples can do."""

        __slots__ = ()
        _fields: tuple[str, ...] = ()

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, **changed):
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise TypeError(f"no such fields: {list(changed)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self):
            return tuple(self)

    class Maker(type):
        """Makes a class of such tuples of what a class statement says."""

        def __new__(meta, name: str, bases: tuple[type, ...], said: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(meta, name, bases, said)
            fields = tuple(said.get("__annotations__", ()))
            defaults = {field: said[field] for field in fields if field in said}
            code = MAKERS[len(fields)].replace(co_varnames=("_cls", *fields), co_name="__new__")
            said["__new__"] = FunctionType(code, globals(), "__new__", tuple(defaults.values()))
            said.update({field: getter(at, "") for at, field in enumerate(fields)})
            said["_fields"] = said["__match_args__"] = fields
            said["_field_defaults"] = defaults
            said["__slots__"] = ()
            return type(name, (Named,), said)

    class NamedTuple(metaclass=Maker):
        """The base to name in a class statement."""
