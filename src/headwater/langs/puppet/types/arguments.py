"""Typed parameters of classes, defines, functions and lambdas: what is wrong with arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.description import describe, mismatch_text
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.mismatches import Mismatch, Step, keyed
from headwater.langs.puppet.types.signatures import Signature, describe_signatures
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Deferred, Opaque
from headwater.text.named import NamedTuple


class Parameter(NamedTuple):
    """A declared parameter; `required` when it has no default."""

    name: str
    type: m.Type
    required: bool
    rest: bool = False


def named_arguments_error(
    subject: str, params: Sequence[Parameter], given: Mapping[str, Any], missing_ok: bool = False
) -> str | None:
    """The message about arguments by name (of ``Class[A]`` or ``My::Def[x]``), or None.

    Deferred and opaque values are not checked: nobody knows yet what they will be.
    """
    known = {param.name for param in params}
    errors = [keyed("no-parameter", (), name) for name in given if name not in known]
    for param in params:
        if param.name not in given:
            if param.required and not missing_ok:
                errors.append(keyed("missing-parameter", (), param.name))
            continue
        errors += _wrong(param, given[param.name])
    return _told(subject, errors)


def default_error(subject: str, param: Parameter, value: Value) -> str | None:
    """The message about the default of a parameter, or None."""
    if is_instance(param.type, value):
        return None
    actual = generalize(infer_set(value))
    return _told(subject, describe(param.type, actual, (Step("parameter", param.name),)))


def _wrong(param: Parameter, value: Value) -> list[Mismatch]:
    if isinstance(value, Deferred | Opaque) or is_instance(param.type, value):
        return []
    return describe(param.type, infer_set(value), (Step("parameter", param.name),))


def _told(subject: str, errors: list[Mismatch]) -> str | None:
    if not errors:
        return None
    if len(errors) == 1:
        return f"{subject}:{errors[0].format()}"
    return f"{subject}:\n " + "\n ".join(error.format() for error in errors)


def arguments_error(name: str, params: Sequence[Parameter], args: Sequence[Any]) -> str | None:
    """The message about arguments by place (`name` is ``lambda`` for a lambda), or None."""
    signature = signature_of(params)
    if signature.accepts(args, None):
        return None
    return describe_signatures(name, [signature], [infer_set(value) for value in args], None)


def signature_of(params: Sequence[Parameter]) -> Signature:
    """The signature of a function or lambda written in Puppet."""
    return Signature(
        "",
        lambda *args: None,
        types=tuple(param.type for param in params),
        names=tuple(param.name for param in params),
        least=sum(param.required and not param.rest for param in params),
        most=None if any(param.rest for param in params) else len(params),
        ready=True,
    )


def callable_of(params: Sequence[Parameter], returns: m.Type | None = None) -> m.CallableType:
    """The type of a function or lambda written in Puppet."""
    return m.CallableType(signature_of(params).params(), None, returns)


def return_error(name: str, returns: m.Type, value: Value) -> str | None:
    """The message about what a function written in Puppet returned, or None."""
    if is_instance(returns, value):
        return None
    subject = f"value returned from {name} has wrong type,"
    return mismatch_text(subject, returns, infer_set(value))
