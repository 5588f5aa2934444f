"""The engine without its record: what would be left if provenance were never asked for.

There is no such engine.  To know what recording costs, this takes the statements that only
record out of the source of the modules while they are imported.
"""

from __future__ import annotations

import ast
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any

ROOMS = tuple(f"headwater.langs.puppet.{room}." for room in ("engine", "templates", "hiera"))
ATTRIBUTES = frozenset(["clock", "guard", "origin", "when"])
LISTS = frozenset(["acts", "all", "collecting", "decisions", "declared", "missed", "read", "reads",
                   "tried"])  # fmt: skip


class Unrecord(ast.NodeTransformer):
    """Takes out what records: writes, guards, times, acts, places tried."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        kept = [target for target in node.targets if not _records(target)]
        if len(kept) == len(node.targets):
            return node
        if not kept:
            return ast.copy_location(ast.Pass(), node)
        zero = ast.copy_location(ast.Constant(0), node)
        return ast.copy_location(ast.Assign(kept, zero), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        return ast.copy_location(ast.Pass(), node) if _records(node.target) else node

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if isinstance(call, ast.Call):
            function = call.func
            decides = isinstance(function, ast.Name) and function.id == "decide"
            appends = isinstance(function, ast.Attribute) and function.attr == "append"
            if decides or (appends and any(_named(part) in LISTS for part in ast.walk(function))):
                return ast.copy_location(ast.Pass(), node)
        return node


def _records(target: ast.expr) -> bool:
    if isinstance(target, ast.Subscript):
        return _named(target.value) in {"writes", "missed"}
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

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if not fullname.startswith(ROOMS):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = Loader(fullname, spec.origin)
        return spec


def install() -> None:
    """From now on the engine is imported without its record."""
    sys.meta_path.insert(0, Finder())
