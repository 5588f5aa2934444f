"""merge(ρ, v_H) (A.3.4.7): the assignments that bind the parameters of a class or defined type.

In like-puppet an argument must be for a parameter or for an attribute that everything in
Puppet has: ``name`` and the metaparameters, which become variables of the body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.natives import METAPARAMETERS, RELATIONSHIPS
from headwater.langs.puppet.paper.provenance import NONE, Beta
from headwater.langs.puppet.paper.state import State, Stuck
from headwater.langs.puppet.paper.values import flat, show
from headwater.report import Note, nearest
from headwater.text import Span

TAG = re.compile(r"\w[\w:.-]*\Z")
HARMLESS = frozenset(["noop", "loglevel", "schedule", "audit", "tag", "stage"])
"""Metaparameters of a class that its resources do not get."""


def merge(
    parameters: tuple[t.Parameter, ...],
    values: Mapping[str, t.Value],
    *,
    of: str,
    at: Span,
    beta: Beta,
    like_puppet: bool,
) -> list[t.Stmt] | Stuck:
    """merge(ρ, v_H): one assignment per parameter.  β decides which declaration gave them."""
    made: list[t.Stmt] = []
    if like_puppet:
        known = {parameter.name for parameter in parameters}
        for name, value in values.items():
            if name in known or name == "name":
                continue
            if name not in METAPARAMETERS:
                close = nearest(name, known)
                help = f"did you mean {close}?" if close else None
                return Stuck(codes.BAD_PARAMETER, at, {"of": of, "name": name}, help=help)
            undefined = isinstance(value, t.Atom) and value.value is None
            if name not in RELATIONSHIPS and not undefined:
                binding = t.Assign(name, value, at)
                made.append(t.Under(binding, beta, NONE) if beta else binding)
    for index, parameter in enumerate(parameters):
        given = values.get(parameter.name)
        because = beta
        undefined = like_puppet and isinstance(given, t.Atom) and given.value is None
        if undefined and given is not None and parameter.default is not None:
            because, given = beta | given.why.depends, None
        if given is not None:
            statement = t.Assign(parameter.name, given, parameter.at, parameter.default)
        elif parameter.default is not None:
            later = {other.name for other in parameters[index:]}
            if like_puppet and (early := mentioned(parameter.default) & later):
                fields = {"name": f"${min(early)}"}
                labels = (Note("a parameter may use those before it", parameter.at),)
                return Stuck(codes.UNKNOWN_VARIABLE, at, fields, labels)
            statement = t.Assign(parameter.name, parameter.default, parameter.at)
        else:
            fields = {"of": of, "name": parameter.name}
            labels = (Note("declared here", parameter.at),)
            return Stuck(codes.MISSING_PARAMETER, at, fields, labels)
        made.append(t.Under(statement, because, NONE) if because else statement)
    return made


def refuse_metaparameters(
    state: State,
    values: Mapping[str, t.Value],
    *,
    of: str,
    at: Span,
    of_class: bool,
) -> Stuck | None:
    """What Puppet refuses of them, or hands on to resources, which the calculus cannot say."""
    for name, value in values.items():
        if name not in METAPARAMETERS or name in RELATIONSHIPS:
            continue
        if not (of_class and name in HARMLESS):
            return Stuck(BEYOND_PAPER, at, {"what": f"the metaparameter {name} of {of}"})
        if name == "tag" and (bad := bad_tag(value)):
            return bad_value(of, name, bad, at)
        if name == "stage":
            stage = value.value if isinstance(value, t.Atom) else None
            if not isinstance(stage, str):
                return bad_value(of, name, value, at)
            if stage != "main" and ("stage", stage) not in state.catalog:
                fields = {"resource": f"Stage[{stage}]", "name": name}
                return Stuck(codes.NO_TARGET, at, fields)
    return None


def bad_tag(value: t.Value) -> t.Value | None:
    """A text that is no tag, if there is one among these."""
    for part in flat(value):
        if isinstance(part, t.Atom) and isinstance(part.value, str) and not TAG.match(part.value):
            return part
    return None


def bad_value(of: str, name: str, value: t.Value, at: Span) -> Stuck:
    """A value that a metaparameter cannot have."""
    return Stuck(codes.BAD_VALUE, at, {"of": of, "name": name, "value": show(value)})


def name_given(values: Mapping[str, t.Value]) -> bool:
    """Whether the attribute ``name`` gives $name."""
    given = values.get("name")
    if given is None:
        return False
    return not (isinstance(given, t.Atom) and given.value is None)


def mentioned(e: t.Expr) -> set[str]:
    """The unqualified variables in an expression."""
    found: set[str] = set()
    todo: list[object] = [e]
    while todo:
        at = todo.pop()
        if isinstance(at, t.Variable):
            found.add(at.name)
        elif isinstance(at, tuple) and not isinstance(at, Span):
            todo += at
        elif is_dataclass(at):
            todo += [getattr(at, field.name) for field in fields_of(at) if field.name != "why"]
    return found
