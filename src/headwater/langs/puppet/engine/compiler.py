"""One compilation: the state, the order of the work, and what all parts ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo, metaparameter_names
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.table import Catalog, located, outside
from headwater.langs.puppet.engine import access, calls, classes, operators
from headwater.langs.puppet.engine.beginnings import prepare
from headwater.langs.puppet.engine.declare import add, ensure_class
from headwater.langs.puppet.engine.definitions import Definition, Parameter, Unit, hoisted
from headwater.langs.puppet.engine.finish import finish
from headwater.langs.puppet.engine.frames import (
    UNBOUND,
    Act,
    Frame,
    Guard,
    Scope,
    scope_of,
)  # fmt: skip
from headwater.langs.puppet.engine.functions import unknown_function
from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.engine.lambdas import Callee, is_plain, type_of
from headwater.langs.puppet.engine.loader import Loader
from headwater.langs.puppet.engine.nodes import Nodes
from headwater.langs.puppet.engine.overrides import Overrides
from headwater.langs.puppet.engine.relations import Relation
from headwater.langs.puppet.engine.settings import all_settings
from headwater.langs.puppet.engine.typing import Types
from headwater.langs.puppet.engine.weights import Weights
from headwater.langs.puppet.fault import Fault, Problem, fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.lookup import Hiera
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.resolution import NAMES
from headwater.langs.puppet.values import Opaque, capitalised
from headwater.report import Code, Diagnostic, Note
from headwater.text import Span

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.collectors import Collector, Realize

MOST_ROUNDS = 1000
"""How often collectors and defines are evaluated before it is called endless."""

MAKERS = (access, calls, operators)
"""The rooms that register how their nodes become closures."""

_BUILT_IN = frozenset(["module_name", "caller_module_name"])


class Compiler:
    """The compilation of one catalog."""

    def __init__(self, units: list[Unit], inputs: Inputs) -> None:
        self.inputs = inputs
        self.units = units
        unit = self.unit = units[0]
        self.strict = str(inputs.settings.get("strict", "warning"))
        self.strict_variables = inputs.settings.get("strict_variables") in (True, "true")
        self.diagnostics: dict[Diagnostic, None] = {}
        self.catalog = Catalog()
        self.by_type: dict[str, list[Resource]] = {}
        self.unevaluated: list[Resource] = []
        self.class_scopes: dict[str, Scope] = {}
        self.collectors: list[Collector | Realize] = []
        self.relations: list[Relation] = []
        self.overrides = Overrides(self)
        self.defaulted: set[str] = set()
        """The types that any scope has resource defaults for."""
        self.definitions: dict[str, Definition] = {}
        self.nodes = Nodes()
        self.function_nodes: dict[str, tuple[Unit, ast.Function]] = {}
        self.functions: dict[str, Callable[..., Any]] = {}
        self.callees: dict[str, Callee] = {}
        self.alias_nodes: dict[str, tuple[Unit, ast.Alias]] = {}
        self.aliases: dict[str, Any] = {}
        self.param_types: dict[Parameter, Any] = {}
        self.resource_types: dict[str, tuple[str, TypeInfo | None, Definition | None]] = {}
        self.reads: list[tuple[str, str, str | None, Frame, Unit, Any]] = []
        self.clock = 0
        """Counts assignments, decisions and scopes: what was read saw what was written before."""
        self.held: dict[int, tuple[Any, Any]] = {}
        """Values as parameters hold them, by the identity of what was given."""
        self.weights: Weights = {}
        self.decisions: list[Guard] = []
        """Conditions on which effects depend, and calls of lambdas with effects, in order."""
        self.declared: dict[str, list[Act]] = {}
        """Every declaration of a class, the one that took effect first."""
        self.acts: list[Act] = []
        self.secrets: list[tuple[Frame, Unit, Any, Any]] = []
        """Calls that gave a sensitive value."""
        self.collecting: list[Collector | Realize] = []
        """All collectors there were, also those that are done."""
        self.node_when = 0
        self.depth = 0
        self.opaque = False
        self.undecided: dict[Span, str] = {}
        self.main = Definition("class", "", unit, None)
        self.main.body = unit.program.body
        self.definitions[""] = self.main
        self.top = scope_of(self, None, self.main, None)
        self.node_scope: Scope | None = None
        self.loader = Loader(self, inputs.modulepath, inputs.env)
        self.types = Types(self)
        self.hiera = Hiera(self)

    # -- the order of the work -------------------------------------------------------------------

    def compile(self) -> Catalog:
        """Does all of it; raises `Fault` or `Problem`."""
        given = prepare(self)
        for unit in self.units:
            self.take(unit)
        self._evaluate_main()
        self._evaluate_node()
        self._add_given_classes(given)
        self._loop()
        finish(self)
        return self.catalog

    def _evaluate_main(self) -> None:
        resource = Resource("Class", "main", self.top, self.main, definition=self.main,
                            is_main=True)  # fmt: skip
        resource.tag_as_declared()
        self.top.resource = resource
        self.catalog.add(resource)
        self.added(resource)
        resource.evaluated = True
        self.top.vars.update(title="main", name="main")
        self.class_scopes[""] = self.top
        classes.add_to_stage(self, resource)
        self.top.vars["module_name"] = ""
        classes.run(self.main, self.top)
        for unit in self.units[1:]:
            more = Definition("class", "", unit, None)
            more.body = unit.program.body
            classes.run(more, self.top)

    def _evaluate_node(self) -> None:
        if not self.nodes:
            return
        definition = self.nodes.find(self.inputs.node)
        if definition is None:
            raise Problem(codes.NO_NODE, name=self.inputs.node)
        resource = ensure_class(self, definition, self.top)
        self.node_when = self.clock
        self.evaluate(resource)
        self.node_scope = self.class_scopes[definition.name]

    def _add_given_classes(self, given: Any) -> None:
        """The classes an external classifier gave: those with parameters first."""
        if not given:
            return
        scope = self.node_scope or self.top
        named = given if isinstance(given, Hash) else Hash(dict.fromkeys(given))
        for with_parameters in (True, False):
            for name, values in named.pairs():
                if bool(values) is not with_parameters:
                    continue
                key = str(name).lower().removeprefix("::")
                definition = self.find_class(key)
                if definition is None:
                    raise Problem(codes.UNKNOWN_CLASS, name=name)
                if values:
                    params = [(str(k), Param(v, definition, "given")) for k, v in values.pairs()]
                    ensure_class(self, definition, scope, dict(params))
                elif definition.name not in self.class_scopes:
                    ensure_class(self, definition, scope)

    def _loop(self) -> None:
        """Collectors, then defines and classes, again and again until nothing changes."""
        for _ in range(MOST_ROUNDS + 1):
            changed = False
            for collector in list(self.collectors):
                changed = collector.evaluate(self) or changed
            self.collectors = [c for c in self.collectors if not getattr(c, "done", False)]
            waiting = self.unevaluated
            ready = [r for r in waiting if not r.virtual and not r.evaluated]
            self.unevaluated = [r for r in waiting if r.virtual]
            for resource in ready:
                changed = True
                self.depth = 0
                try:
                    self.evaluate(resource)
                except Problem as problem:
                    raise located(resource, problem) from None
                except Fault as fault:
                    raise outside(resource, fault) from None
            if not changed:
                return
        raise Problem(codes.ENDLESS, bound=MOST_ROUNDS)

    def evaluate(self, resource: Resource) -> None:
        """Evaluates a class, define or node, once."""
        classes.evaluate(self, resource)

    def added(self, resource: Resource) -> None:
        """Notes a resource for collectors and for the loop."""
        same = self.by_type.get(resource.type)
        if same is None:
            self.by_type[resource.type] = [resource]
        else:
            same.append(resource)
        if resource.info is None:
            self.unevaluated.append(resource)

    # -- definitions -----------------------------------------------------------------------------

    def take(self, unit: Unit) -> None:
        """Takes over the definitions of a text, and what is doubtful in it."""
        self.diagnostics.update(dict.fromkeys(unit.findings))
        for node in unit.once("hoisted", unit.program, lambda: hoisted(unit.program)):
            match node:
                case ast.ClassDef():
                    parent = node.parent.lower().removeprefix("::") if node.parent else None
                    self._define("class", node.name.lower(), unit, node, parent)
                case ast.Define():
                    self._define("define", node.name.lower(), unit, node, None)
                case ast.Node():
                    self.nodes.add(unit, node)
                case ast.Function():
                    self._once(self.function_nodes, node.name, unit, node, "function")
                case ast.Alias():
                    self._once(self.alias_nodes, node.name.lower(), unit, node, "type")
                case _:
                    fail(codes.NOT_YET, unit.span(node), what="a type mapping")

    def _once(self, table: dict[str, Any], name: str, unit: Unit, node: Any, what: str) -> None:
        """Notes a function or alias; refuses a second one of the name."""
        other = table.get(name)
        if other is not None and other != (unit, node):
            labels = [Note("defined here", other[0].span(other[1]))]
            raise Fault(codes.REDEFINED.at(unit.span(node), labels=labels, what=what, name=name))
        if what == "type" and name in NAMES:
            raise Fault(codes.REDEFINED.at(unit.span(node), what="the built-in type", name=name))
        table[name] = (unit, node)

    def _define(self, kind: str, name: str, unit: Unit, node: Any, parent: str | None) -> None:
        other = self.definitions.get(name)
        if other is not None:
            labels = [Note("defined here", other.unit.span(other.node))] if other.unit else []
            what = "class" if kind == "class" else "define"
            raise Fault(codes.REDEFINED.at(unit.span(node), labels=labels, what=what, name=name))
        definition = self.definitions[name] = Definition(kind, name, unit, node, parent)
        for param in classes.parameters_of(definition):
            if param.name in metaparameter_names():
                self._metaparameter(unit, param)
            if param.type is not None and not param.plain:
                self._check_type(unit, param)

    def _metaparameter(self, unit: Unit, param: Parameter) -> None:
        """A parameter that is called as one that all resources have."""
        span = unit.span(param.node)
        if param.default is None:
            fail(codes.METAPARAMETER, span, name=param.name)
        self.warn(codes.METAPARAMETER, span, name=param.name)

    def _check_type(self, unit: Unit, param: Parameter) -> None:
        """Types of parameters are evaluated as soon as the text they stand in is read."""
        try:
            found = type_of(param, self.top)
        except Problem as problem:
            raise problem.at(unit.span(param.node.type)) from None
        param.plain = is_plain(param.node.type)
        if param.plain:
            param.type_value = found

    def knows(self, name: str) -> bool:
        """Whether a class or define is known without looking further."""
        return name in self.definitions

    def _find(self, name: str, kind: str) -> Definition | None:
        name = name.lower().removeprefix("::")
        found = self.definitions.get(name)
        if found is None and name and self.loader.import_for(name):
            found = self.definitions.get(name)
        return found if found is not None and found.kind == kind else None

    def find_class(self, name: str) -> Definition | None:
        """The class of a name, loaded from a module if need be."""
        return self._find(name, "class")

    def find_define(self, name: str) -> Definition | None:
        """The define of a name, loaded from a module if need be."""
        return self._find(name, "define")

    def parent_of(self, definition: Definition) -> Definition:
        """The class a class inherits from."""
        if definition.parent_definition is None:
            assert definition.parent is not None
            found = self.find_class(definition.parent)
            if found is None:
                raise Problem(codes.UNKNOWN_CLASS, name=definition.parent)
            seen: Definition | None = found
            passed = {definition.name}
            while seen is not None:
                if seen.name in passed:
                    raise Problem(codes.INHERITS_ITSELF, name=seen.name)
                passed.add(seen.name)
                parent = seen.parent
                seen = self.find_class(parent) if parent is not None else None
            definition.parent_definition = found
        return definition.parent_definition

    def function(self, name: str, unit: Unit, node: Any) -> Callable[..., Any]:
        """The function of a name; found once."""
        from headwater.langs.puppet.engine.functions import find_function

        found = find_function(self, name)
        if found is None:
            found = unknown_function(self, name, unit.span(node))
        self.functions[name] = found
        return found

    # -- resources -------------------------------------------------------------------------------

    def resource_type(self, name: str) -> tuple[str, TypeInfo | None, Definition | None]:
        """The name as in references, and the native type or the define."""
        found = self.resource_types.get(name)
        if found is None:
            info = self.loader.native(name) if "::" not in name else None
            definition = None if info is not None else self.find_define(name)
            if info is None and definition is None:
                raise Problem(codes.UNKNOWN_TYPE, name=name)
            found = (capitalised(name), info, definition)
            self.resource_types[name] = found
        return found

    def find_resource(self, type_: str, title: str) -> Resource | None:
        """The resource that a reference names."""
        if type_ == "Class":
            title = (
                "main"
                if title in ("", "main", "Main")
                else capitalised(title.removeprefix("::").lower())
            )
        found = self.catalog.table.get((type_, title))
        if found is not None:
            return found
        info = self.loader.native(type_.lower())
        return self.catalog.find(type_, title, info)

    def find_reference(self, text: str) -> Resource | None:
        """The resource that the text of a reference names."""
        type_, bracket, rest = text.partition("[")
        if not bracket or not rest.endswith("]"):
            return None
        name = type_
        if not "A" <= name[:1] <= "Z":  # else Puppet takes it as it is written
            name = "::".join(part.capitalize() for part in type_.split("::"))
        if name == "Class" and (rest.startswith("::") or rest.lower() == "main]"):
            return None
        return self.find_resource(name, rest[:-1])

    def class_resource(self, name: str) -> Resource | None:
        """The resource of a class that is declared."""
        return self.catalog.table.get(("Class", capitalised(name)))

    def is_parameter(self, resource: Resource, name: str) -> bool:
        """Whether a resource can have a parameter."""
        if resource.info is not None:
            return resource.info.accepts(name)
        if name in metaparameter_names() or name == "name":
            return True
        definition = resource.definition
        if definition is None or definition.node is None:
            return False
        return any(param.name == name for param in getattr(definition.node, "params", []))

    def bind_from_data(
        self, definition: Definition, params: list[Parameter], resource: Resource, scope: Scope
    ) -> None:
        """Automatic lookup of the parameters of a class that are not given."""
        for param in params:
            old = resource.params.get(param.name)
            if old is not None and old.value is not None:
                continue
            found = self.hiera.parameter(f"{definition.name}::{param.name}", scope)
            if found is None:
                continue
            value, record = found
            if value is None and param.default is not None:
                self.hiera.missed[f"{definition.name}::{param.name}"] = record
                continue
            written = Param(value, resource.source, "hiera", frame=scope, detail=record)
            written.when = self.clock
            resource.set(param.name, written)

    # -- variables, messages ---------------------------------------------------------------------

    def qualified(self, name: str) -> Any:
        """The value of ``$a::b::x`` (or of ``$::x``), or `UNBOUND`."""
        owner, _, leaf = name.rpartition("::")
        return self.member(owner, leaf)

    def member(self, owner: str, leaf: str) -> Any:
        """The value of a variable of a class, or of the top if that has no name."""
        if not owner:
            return self.top.vars.get(leaf, UNBOUND)
        scope = self.class_scopes.get(owner)
        if scope is None:
            if self.find_class(owner) is None:
                return UNBOUND
            scope = self.class_scopes.get(owner.lower())
        if owner == "settings" and scope is not None and "all_local" not in scope.vars:
            every = all_settings(scope.vars)
            scope.vars.update(every)
            scope.vars["all_local"] = every
        while scope is not None:
            if leaf in scope.vars:
                return scope.vars[leaf]
            parent = scope.source.parent
            scope = self.class_scopes.get(parent) if parent is not None else None
        return UNBOUND

    def is_bound(self, name: str) -> bool:
        """Whether a qualified variable has a value."""
        return self.qualified(name) is not UNBOUND

    def unknown_variable(self, unit: Unit, node: ast.Variable) -> None:
        """What reading a variable that is not there gives, or does."""
        name = node.name
        if name in _BUILT_IN:
            return
        owner, _, _ = name.removeprefix("::").rpartition("::")
        reason = ""
        if owner:
            state = "is not declared" if owner in self.definitions else "is not defined"
            reason = f": the class {owner} {state}" if owner not in self.class_scopes else ""
        if self.strict_variables or self.strict == "error":
            fail(codes.UNKNOWN_VARIABLE, unit.span(node), name=name, reason=reason)
        if self.strict == "warning":
            self.warn(codes.UNKNOWN_VARIABLE, unit.span(node), name=name, reason=reason)

    def coerced_at(self, unit: Unit, node: Any) -> Callable[[str, Any], None]:
        """What to do when a text is taken for a number at a place."""

        def coerced(before: str, after: Any) -> None:
            if self.strict == "error":
                diagnostic = codes.NUMERIC_COERCION.at(
                    unit.span(node), severity="error", before=before, after=after
                )
                raise Fault(diagnostic)
            if self.strict == "warning":
                self.warn(codes.NUMERIC_COERCION, unit.span(node), before=before, after=after)

        return coerced

    def coerced(self, before: str, after: Any) -> None:
        """The same where the place is not known: an index."""
        if self.strict == "error":
            raise Problem(codes.BAD_ACCESS, message=f"'{before}' is a text, not an integer")

    def warn(self, code: Code, span: Span, **fields: Any) -> None:
        """Adds a warning."""
        self.diagnostics[code.at(span, severity="warning", **fields)] = None

    def log(self, level: str, message: str, span: Span) -> None:
        """Writes to the log of the compilation."""
        if level in ("debug", "info"):
            return
        severity: Any = "note" if level == "notice" else "warning"
        found = codes.MESSAGE.at(span, severity=severity, level=level, message=message)
        self.diagnostics[found] = None

    def undecide(self, unit: Unit, node: Any, why: Opaque) -> None:
        """Notes a piece of program whose effects hang on a value nobody here can compute."""
        span = unit.span(node)
        if span not in self.undecided:
            self.undecided[span] = why.why
            self.warn(codes.UNDECIDED, span, why=why.why)

    def external(
        self, kind: str, text: str, path: str | None, frame: Frame, unit: Unit, node: Any
    ) -> None:
        """Records a read of something outside."""
        self.reads.append((kind, text, path, frame, unit, node))


__all__ = ["Compiler", "add"]
