"""A whole program on the machine, or the commit of a world that was left by one."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.langs.opal.engine.code import compile_program
from headwater.langs.opal.engine.layers import above_bottom
from headwater.langs.opal.engine.machine import Machine
from headwater.langs.opal.engine.sexps import Stop
from headwater.langs.opal.inputs import Inputs, Kept
from headwater.langs.opal.syntax import Com
from headwater.langs.opal.writes import Finished, Left
from headwater.why import Trace


def evaluate(program: Com, inputs: Inputs, *, tracing: bool) -> Finished:
    """Runs a program; the types have been checked or deliberately not."""
    machine = Machine(compile_program(program, effects=tracing), inputs, tracing=tracing)
    return finish(machine)


def resume(program: Com, inputs: Inputs, worlds: Mapping[str, Kept], trace: Trace) -> Finished:
    """Runs a program that has worlds which other runs left, going on with their trace."""
    code = compile_program(program, effects=True)
    machine = Machine(code, inputs, tracing=True, trace=trace)
    for name, kept in worlds.items():
        machine.take_up(name, kept)
    return finish(machine)


def finish(machine: Machine) -> Finished:
    """Runs a machine to its end."""
    try:
        layer = machine.run()
    except Stop as stop:
        return Finished(None, {}, stop.diagnostic, machine.trace)
    worlds = {
        name: Left(
            world.at, above_bottom(world.orig), world.hyp.bound(), world.hyp.absent, world.causes
        )
        for name, world in machine.worlds.items()
    }
    committed = frozenset(machine.committed)
    return Finished(
        layer.bound(), layer.absent, None, machine.trace, worlds=worlds, committed=committed
    )
