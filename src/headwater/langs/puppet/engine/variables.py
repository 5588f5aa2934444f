"""Variables: of frames and scopes around, of classes, and those of a match."""

from __future__ import annotations

from msgspec.structs import replace

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import Code, maker
from headwater.langs.puppet.fault import Fault, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import UNBOUND, Frame, Unbound, captured, find
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value

BUILT_IN = frozenset(["module_name", "caller_module_name"])
"""Variables that are there everywhere, without a value where there is no module."""


@maker(ast.Variable)
def _variable(unit: Unit, node: ast.Variable) -> Code:
    name = node.name
    if name.isdigit():
        index = int(name)

        def group(f: Frame, index: int = index) -> Value:
            match = f.match
            if match is None:
                return captured(f, index)
            searched, regs = match.searched, match.regs
            if searched.__class__ is str and index < len(regs):
                start, end = regs[index]
                return searched[start:end] if start >= 0 else None
            return match.group(index)

        return group
    if "::" in name:
        owner, _, leaf = name.removeprefix("::").rpartition("::")

        def read_qualified(
            f: Frame, owner: str = owner, leaf: str = leaf, unit: Unit = unit,
            node: ast.Variable = node,
        ) -> Value:  # fmt: skip
            compilation = f.scope.compilation
            value = member(compilation, owner, leaf)
            if value is UNBOUND:
                _unknown(compilation, unit, node)
                return None
            return value

        return read_qualified

    def read(f: Frame, name: str = name, unit: Unit = unit, node: ast.Variable = node) -> Value:
        if name in f.vars:
            return f.vars[name]
        up = f.up
        if up is not None and name in up.vars and f.pending is None:
            return up.vars[name]
        value = find(f, name)
        if value is UNBOUND:
            _unknown(f.scope.compilation, unit, node)
            return None
        return value

    return read


def seen(f: Frame, name: str) -> Value | Unbound:
    """The value of a variable by its name, qualified or not, or `UNBOUND`."""
    if "::" in name:
        return qualified(f.scope.compilation, name.removeprefix("::"))
    return find(f, name)


def qualified(compilation: Compilation, name: str) -> Value | Unbound:
    """The value of ``$a::b::x`` (or of ``$::x``), or `UNBOUND`."""
    owner, _, leaf = name.rpartition("::")
    return member(compilation, owner, leaf)


def member(compilation: Compilation, owner: str, leaf: str) -> Value | Unbound:
    """The value of a variable of a class, or of the top if that has no name."""
    record = compilation.record
    if not owner:
        return record.top.vars.get(leaf, UNBOUND)
    scope = record.scopes.get(owner)
    if scope is None:
        if not _can_be_loaded(compilation, owner):
            return UNBOUND
        scope = record.scopes.get(owner.lower())
    if owner == "settings" and scope is not None and "all_local" not in scope.vars:
        from headwater.langs.puppet.settings import all_settings

        every = all_settings(compilation.level, scope.vars)
        scope.vars.update(every)
        scope.vars["all_local"] = every
    while scope is not None:
        if scope.entering is not None:
            value = _awaited(scope.entering, leaf)
            if value is not UNBOUND:
                return value
        if leaf in scope.vars:
            return scope.vars[leaf]
        parent = scope.source.parent
        scope = record.scopes.get(parent) if parent is not None else None
    return UNBOUND


def _awaited(frame: Frame, leaf: str) -> Value | Unbound:
    """The value of a parameter of a class whose other parameters still wait for theirs."""
    if leaf in frame.vars:
        value: Value = frame.vars[leaf]
        return value
    frame.pending(leaf)
    return UNBOUND


def _can_be_loaded(compilation: Compilation, name: str) -> bool:
    """Whether there is a class; what is wrong with its text is no error for who reads variables."""
    try:
        return compilation.program.find_class(name) is not None
    except Fault as fault:
        compilation.messages.add([replace(fault.diagnostic, severity="warning")])
        return False


def _unknown(compilation: Compilation, unit: Unit, node: ast.Variable) -> None:
    """What reading a variable that is not there gives, or does."""
    name = node.name
    if name in BUILT_IN:
        return
    reason = reason_for(compilation, name)
    messages = compilation.messages
    if messages.strict_variables or messages.strict == "error":
        fail(codes.UNKNOWN_VARIABLE, unit.span(node), name=name, reason=reason)
    if messages.strict == "warning":
        messages.warn(codes.UNKNOWN_VARIABLE, unit.span(node), name=name, reason=reason)


def reason_for(compilation: Compilation, name: str) -> str:
    """Why a variable is not there, as far as there is more to say than that."""
    owner, _, _ = name.removeprefix("::").rpartition("::")
    if not owner or owner in compilation.record.scopes:
        return ""
    known = owner in compilation.program.definitions
    return f": the class {owner} is not {'declared' if known else 'defined'}"
