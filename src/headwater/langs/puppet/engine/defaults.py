"""Resource defaults: ``File { … }``."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.attributes import make_attributes, timed
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.fault import fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ResourceRef


@maker(ast.Defaults)
def _defaults(unit: Unit, node: ast.Defaults) -> Code:
    type_ = make(unit, node.type)
    operations = make_attributes(unit, node.operations, node, "default")

    def define(f: Frame) -> Value:
        ref = type_(f)
        if not isinstance(ref, ResourceRef) or ref.type is None or ref.title is not None:
            fail(codes.BAD_RESOURCE_TYPE, unit.span(node.type), value=_shown(ref))
        table = f.scope.defaults.setdefault(ref.type, {})
        f.scope.compilation.work.defaulted.add(ref.type)
        for name, param in timed(operations(f), f).items():
            if name in table:
                fail(codes.DEFAULT_SET, unit.span(param.node), name=name, type=ref.type)
            table[name] = param
        return ref

    return define
