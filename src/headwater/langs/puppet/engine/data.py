"""The engine as Hiera sees it: see `hiera.host`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, function_named
from headwater.langs.puppet.engine.steps import spend_unplaced
from headwater.langs.puppet.engine.variables import seen
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.record.acts import Decrypted
from headwater.langs.puppet.record.frames import UNBOUND, Frame, Scope
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque
from headwater.report import Code
from headwater.text import Span

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.host import DataCallee


class DataHost:
    """One compilation, to be asked by look-ups."""

    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation

    @property
    def strict(self) -> str:
        return self._compilation.messages.strict

    @property
    def level(self) -> LanguageLevel:
        return self._compilation.level

    def warn(self, code: Code, span: Span, **fields: Any) -> None:  # noqa: ANN401
        self._compilation.messages.warn(code, span, **fields)

    @property
    def hiera_yaml(self) -> str | None:
        return self._compilation.inputs.hiera

    @property
    def env(self) -> str | None:
        return self._compilation.inputs.env

    @property
    def environment(self) -> str:
        return self._compilation.inputs.environment

    @property
    def base(self) -> Scope:
        return self._compilation.record.base()

    def spend(self, steps: int) -> None:
        spend_unplaced(self._compilation.work, steps)

    def module_directory(self, name: str) -> str | None:
        return self._compilation.program.modules.module_directory(name)

    def variable(self, frame: Frame, name: str) -> tuple[Any] | None:
        value = seen(frame, name)
        return None if value is UNBOUND else (value,)

    def calling_class(self, frame: Frame) -> str | None:
        scope: Scope | None = frame.scope
        while scope is not None:
            if scope.source is not None and scope.source.kind == "class":
                return scope.source.name
            scope = scope.parent
        return None

    def converted(self, frame: Frame, type_: object, value: object, more: list[Any]) -> Value:
        compilation = self._compilation
        if isinstance(type_, str):
            type_ = compilation.services.types.parsed(type_)
        unit = compilation.program.units[0]
        new = function_named(compilation, "new", unit, unit.program)
        return new(Call(frame, unit, None, "new"), [type_, value, *more], None)

    def data_function(self, name: str) -> DataCallee | None:
        from headwater.langs.puppet.engine.data_functions import data_function

        return data_function(self._compilation, name)

    @property
    def opaque(self) -> bool:
        return self._compilation.inputs.on_unknown == "opaque"

    def keep_secret(self, texts: list[str]) -> None:
        self._compilation.record.secrets += map(Decrypted, texts)

    def unknown(self, what: str, at: Span) -> Opaque:
        compilation = self._compilation
        if not self.opaque:
            message = f"{what} cannot be read here (--on-unknown opaque goes on without it)"
            raise Fault(codes.HIERA_CONFIG.at(at, message=message))
        compilation.work.opaque = True
        compilation.messages.warn(codes.OPAQUE_VALUE, at, what=what)
        return Opaque(what)
