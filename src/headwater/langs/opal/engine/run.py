"""A whole program on the machine."""

from __future__ import annotations

from headwater.langs.opal.engine.code import compile_program
from headwater.langs.opal.engine.machine import Machine
from headwater.langs.opal.engine.sexps import Stop
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.syntax import Com
from headwater.langs.opal.writes import Finished


def evaluate(program: Com, inputs: Inputs, *, tracing: bool) -> Finished:
    """Runs a program; the types have been checked or deliberately not."""
    machine = Machine(compile_program(program, effects=tracing), inputs, tracing=tracing)
    try:
        layer = machine.run()
    except Stop as stop:
        return Finished(None, {}, stop.diagnostic, machine.trace)
    return Finished(layer.bound(), layer.absent, None, machine.trace)
