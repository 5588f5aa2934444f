"""What is there before any program runs: the main stage, facts, variables, settings."""

from __future__ import annotations

from headwater.langs.puppet.catalog.metadata import builtin
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.classes import add_to_stage
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.facts.noted import NotedVariables, unnoted
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.record.declarations import Declaration
from headwater.langs.puppet.record.frames import Binding, scope_of
from headwater.langs.puppet.types.value import Value


def prepare(compilation: Compilation) -> Value:
    """What is there before any program runs; gives the classes of a classifier.

    The texts are taken over before there are variables: types of parameters see none there.
    """
    at_the_top = Declaration(compilation.record.top, None)
    stage = Resource("Stage", "main", at_the_top, builtin("stage"))
    stage.tag_as_declared()
    compilation.catalog.add(stage)
    given = compilation.inputs.classified.classes
    for name in given or ():
        compilation.catalog.add_class(str(name))
    _settings(compilation)
    for unit in compilation.program.units:
        compilation.program.take(unit)
    _set_variables(compilation)
    return given


def _set_variables(compilation: Compilation) -> None:
    top = compilation.record.top
    variables, bindings = top.vars, top.bindings
    inputs = compilation.inputs
    given = inputs.facts if inputs.given.asked is None else unnoted(inputs.facts)
    for name, value in given.pairs():
        if name.__class__ is str and name != "environment":  # YAML may have keys that are no texts
            variables[name] = value
            bindings[name] = Binding("fact", None, None, None, None, (name,))
    for name, value in inputs.classified.parameters.pairs():
        variables[name] = value
        bindings[name] = Binding("classified", None, None, None, None, (name,))
    variables.update(inputs.variables)
    for name in inputs.variables:
        bindings[name] = Binding("set", None, None, None, None, (name,))
    server = {
        "serverversion": inputs.reading.level.version,
        "servername": inputs.settings.get("servername", inputs.node),
        "serverip": inputs.settings.get("serverip", "127.0.0.1"),
    }
    variables.update(server)
    variables["environment"] = inputs.environment
    variables["trusted"] = inputs.trusted
    variables["server_facts"] = Hash({**server, "environment": inputs.environment})
    variables["facts"] = inputs.facts
    bindings["facts"] = Binding("fact", None, None, None, None, ())
    bindings["trusted"] = Binding("fact", None, None, None, None, ("trusted",))
    if inputs.given.asked is not None:
        top.vars = NotedVariables(variables, (), inputs.given.asked)


def _settings(compilation: Compilation) -> None:
    definition = Definition("class", "settings", None, None)
    catalog, record = compilation.catalog, compilation.record
    compilation.program.definitions["settings"] = definition
    declared = Declaration(record.top, None)
    resource = Resource("Class", "Settings", declared, definition=definition)
    resource.tag_as_declared()
    catalog.add(resource)
    compilation.work.evaluated.add(resource)
    scope = scope_of(compilation, record, record.top, definition, resource)
    catalog.add_class("settings")
    scope.vars.update(title="settings", name="settings")
    record.scopes["settings"] = scope
    add_to_stage(catalog, resource)
    values = {
        "environment": compilation.inputs.environment,
        "strict": compilation.messages.strict,
        "strict_variables": compilation.messages.strict_variables,
        "modulepath": ":".join(compilation.inputs.modulepath),
        "certname": compilation.inputs.settings.get("servername", compilation.inputs.node),
        **compilation.inputs.settings,
    }
    scope.vars.update(values)
