"""The engine without its record: what would be left if provenance were never asked for.

There is no such engine.  To know what recording costs, this takes the statements that only
record out of the source of the modules while they are imported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType

ROOMS = tuple(f"headwater.langs.puppet.{room}." for room in ("engine", "record", "hiera"))
ATTRIBUTES = frozenset(["clock", "guard", "origin", "when"])
LISTS = frozenset(["acts", "decisions", "missed", "read", "reads", "tried"])
OF_THE_RECORD = frozenset(["collectors", "overrides"])
"""Lists that only record where they are those of the record: the work has one of the name."""


class Unrecord(ast.NodeTransformer):
    """Takes out what records: writes, guards, times, acts, places tried."""

    def visit_Assign(self, node: ast.Assign) -> object:
        kept = [target for target in node.targets if not _records(target)]
        if len(kept) == len(node.targets):
            return node
        if not kept:
            return ast.copy_location(ast.Pass(), node)
        zero = ast.copy_location(ast.Constant(0), node)
        return ast.copy_location(ast.Assign(kept, zero), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> object:
        return ast.copy_location(ast.Pass(), node) if _records(node.target) else node

    def visit_Expr(self, node: ast.Expr) -> object:
        call = node.value
        if isinstance(call, ast.Call):
            function = call.func
            decides = isinstance(function, ast.Name) and function.id == "decide"
            declares = isinstance(function, ast.Attribute) and function.attr == "declare"
            appends = isinstance(function, ast.Attribute) and function.attr == "append"
            if decides or declares or (appends and _is_recording(function)):  # type: ignore[arg-type]
                return ast.copy_location(ast.Pass(), node)
        return node


def _is_recording(function: ast.Attribute) -> bool:
    names = {_named(part) for part in ast.walk(function)}
    return bool(names & LISTS) or ("record" in names and bool(names & OF_THE_RECORD))


def _records(target: ast.expr) -> bool:
    if isinstance(target, ast.Subscript):
        return _named(target.value) in {"bindings", "missed"}
    if not isinstance(target, ast.Attribute) or target.attr not in ATTRIBUTES | {"read"}:
        return False
    return _named(target.value) != "self"  # an object must have its fields


def _named(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


class Loader(SourceFileLoader):
    """Loads a module without its record."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = Unrecord().visit(ast.parse(self.get_data(path)))
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec")
        return code


class Finder(MetaPathFinder):
    """Finds the modules that record."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(ROOMS):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = Loader(fullname, spec.origin)
        return spec


def install() -> None:
    """From now on the engine is imported without its record."""
    sys.meta_path.insert(0, Finder())
