"""One compilation, from texts and inputs to a catalog and its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.natives import Natives
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.table import Catalog, located, outside
from headwater.langs.puppet.engine import classes
from headwater.langs.puppet.engine.compilation import Compilation, Function, Services
from headwater.langs.puppet.engine.declarations import ensure_class
from headwater.langs.puppet.engine.finish import finish
from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.engine.messages import Messages
from headwater.langs.puppet.engine.start import prepare
from headwater.langs.puppet.engine.type_names import Types
from headwater.langs.puppet.engine.work import Work
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.modules import Modules
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import Declaration, declared, under_unknown
from headwater.langs.puppet.record.frames import scope_of
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.types.value import Value

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.lookup import Hiera

MOST_ROUNDS = 1000
"""How often collectors and defines are evaluated before it is called endless."""


def new_compilation(units: list[Unit], inputs: Inputs) -> Compilation:
    """A compilation of some texts in which nothing has happened yet."""
    messages = Messages(inputs.reading.strict, inputs.reading.strict_variables)
    modules = Modules(inputs.modulepath, inputs.env, inputs.reading)
    messages.add(modules.doubts)
    natives = Natives(inputs.env, modules.folders.values(), inputs.reading.level)
    record = Record()

    def check(unit: Unit, definition: Definition) -> None:
        classes.check_definition(compilation, unit, definition)

    program = Program(units, modules, check, messages.add)
    services = Services(
        Types(program, natives),
        lambda: open_data(compilation),
        lambda name, path: in_ruby(compilation, name, path),
    )
    compilation = Compilation(
        inputs,
        program,
        Catalog(natives.find),
        record,
        services,
        messages,
        Work(inputs.max_steps),
    )
    record.top = scope_of(compilation, record, None, program.main, None)
    return compilation


def open_data(compilation: Compilation) -> Hiera:
    """The data of a compilation, opened with the first look-up."""
    from headwater.langs.puppet.engine.data import DataHost
    from headwater.langs.puppet.hiera.lookup import Hiera

    return Hiera(DataHost(compilation))


def in_ruby(compilation: Compilation, name: str, path: str) -> Function:
    """A function that a module has in Ruby, which is loaded with the first one."""
    from headwater.langs.puppet.engine.ruby_functions import ruby_function

    return ruby_function(compilation, name, path)


def compile_catalog(compilation: Compilation) -> None:
    """Does all of it; raises `Fault` or `Problem`."""
    given = prepare(compilation)
    _evaluate_main(compilation)
    _evaluate_node(compilation)
    _add_given_classes(compilation, given)
    _evaluate_the_rest(compilation)
    finish(compilation)
    compilation.record.freeze()


def _evaluate_main(compilation: Compilation) -> None:
    program, record, catalog = compilation.program, compilation.record, compilation.catalog
    main, top = program.main, record.top
    declared = Declaration(top, main)
    resource = Resource("Class", "main", declared, definition=main)
    resource.tag_as_declared()
    top.resource = resource
    catalog.add(resource)
    catalog.list_by_type(resource)
    compilation.work.unevaluated.append(resource)
    compilation.work.evaluated.add(resource)
    top.vars.update(title="main", name="main")
    record.scopes[""] = top
    classes.add_to_stage(catalog, resource)
    top.vars["module_name"] = ""
    classes.run(main, top)
    for unit in program.units[1:]:
        more = Definition("class", "", unit, None)
        more.body = unit.program.body
        classes.run(more, top)


def _evaluate_node(compilation: Compilation) -> None:
    nodes, record = compilation.program.nodes, compilation.record
    if not nodes:
        return
    name = compilation.inputs.node
    definition = nodes.find(name)
    if definition is None:
        raise Problem(codes.NO_NODE, name=name)
    resource = ensure_class(compilation, definition, record.top)
    classes.evaluate(compilation, resource)
    record.node_scope = record.scopes[definition.name]


def _add_given_classes(compilation: Compilation, given: Value) -> None:
    """The classes an external classifier gave: those with parameters first."""
    if not given:
        return
    scope = compilation.record.base()
    assert isinstance(given, list | Hash)
    named = given if isinstance(given, Hash) else Hash(dict.fromkeys(given))
    for with_parameters in (True, False):
        for name, values in named.pairs():
            if bool(values) is not with_parameters:
                continue
            key = str(name).lower().removeprefix("::")
            definition = compilation.program.find_class(key)
            if definition is None:
                raise compilation.program.unknown_class(str(name))
            if values:
                pairs = [(str(k), Param(v, definition, "given")) for k, v in values.pairs()]
                ensure_class(compilation, definition, scope, dict(pairs))
            elif definition.name not in compilation.record.scopes:
                ensure_class(compilation, definition, scope)


def _collect(compilation: Compilation) -> bool:
    """Lets every collector find what is there; whether any found something new."""
    from headwater.langs.puppet.engine.collectors import evaluate, is_done

    work, changed = compilation.work, False
    for one in list(work.collectors):
        changed = evaluate(compilation, one) or changed
    work.collectors = [one for one in work.collectors if not is_done(one)]
    return changed


def _evaluate_the_rest(compilation: Compilation) -> None:
    """Collectors, then defines and classes, again and again until nothing changes."""
    work = compilation.work
    for _ in range(MOST_ROUNDS + 1):
        changed = _collect(compilation) if work.collectors else False
        waiting = work.unevaluated
        ready = [r for r in waiting if not r.virtual and r not in work.evaluated]
        work.unevaluated = [r for r in waiting if r.virtual]
        for resource in ready:
            changed = True
            work.depth = 0
            try:
                classes.evaluate(compilation, resource)
            except Problem as problem:
                raise located(resource, problem) from None
            except Fault as fault:
                where = declared(resource)
                why = under_unknown(where.guard, where.scope) if work.opaque else None
                if why is None or not compilation.messages.doubt(fault, why):
                    raise outside(resource, fault) from None
        if not changed:
            return
    raise Problem(codes.ENDLESS, bound=MOST_ROUNDS)
