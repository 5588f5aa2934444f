"""What is there before any program runs: the main stage, facts, variables, settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.catalog.metadata import builtin
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.classes import add_to_stage
from headwater.langs.puppet.engine.definitions import Definition
from headwater.langs.puppet.engine.frames import Write, scope_of
from headwater.langs.puppet.engine.inputs import PUPPET_VERSION
from headwater.langs.puppet.hashes import Hash

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler


def prepare(compiler: Compiler) -> Any:
    """What is there before any program runs; gives the classes of a classifier."""
    stage = Resource("Stage", "main", compiler.top, None, kind="compilable_type",
                     info=builtin("stage"), is_main=True)  # fmt: skip
    stage.tag_as_declared()
    compiler.catalog.add(stage)
    given = compiler.inputs.classes
    for name in given or ():
        compiler.catalog.add_class(str(name))
    _set_variables(compiler)
    _settings(compiler)
    return given


def _set_variables(compiler: Compiler) -> None:
    variables, writes = compiler.top.vars, compiler.top.writes
    inputs = compiler.inputs
    for name, value in inputs.facts.pairs():
        if name != "environment":
            variables[name] = value
            writes[name] = Write("fact", None, None, None, None, (name,))
    variables.update(inputs.variables)
    for name in inputs.variables:
        writes[name] = Write("fact", None, None, None, None, ("set", name))
    server = {
        "serverversion": PUPPET_VERSION,
        "servername": inputs.settings.get("servername", inputs.node),
        "serverip": inputs.settings.get("serverip", "127.0.0.1"),
    }
    variables.update(server)
    variables["environment"] = inputs.environment
    variables["trusted"] = inputs.trusted
    variables["server_facts"] = Hash({**server, "environment": inputs.environment})
    variables["facts"] = inputs.facts
    writes["facts"] = Write("fact", None, None, None, None, ())
    writes["trusted"] = Write("fact", None, None, None, None, ("trusted",))


def _settings(compiler: Compiler) -> None:
    definition = Definition("class", "settings", None, None)
    compiler.definitions["settings"] = definition
    resource = Resource("Class", "Settings", compiler.top, None, definition=definition)
    resource.tag_as_declared()
    compiler.catalog.add(resource)
    resource.evaluated = True
    scope = scope_of(compiler, compiler.top, definition, resource)
    compiler.catalog.add_class("settings")
    scope.vars.update(title="settings", name="settings")
    compiler.class_scopes["settings"] = scope
    add_to_stage(compiler, resource)
    values = {
        "environment": compiler.inputs.environment,
        "strict": compiler.strict,
        "strict_variables": compiler.strict_variables,
        "modulepath": ":".join(compiler.inputs.modulepath),
        "certname": compiler.inputs.settings.get("servername", compiler.inputs.node),
        **compiler.inputs.settings,
    }
    scope.vars.update(values)
