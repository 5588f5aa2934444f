"""``PROPERTY``, ``ENVPROPERTY`` and ``CONSTANT``: only what was given on purpose can be read."""

from __future__ import annotations

import os
from typing import Any

from headwater.langs.smartfrog.production.components import Value
from headwater.langs.smartfrog.production.functions.call import Failed
from headwater.langs.smartfrog.production.references import Found, Missing
from headwater.langs.smartfrog.production.syntax import Float, Long, Part
from headwater.text import Source, Span
from headwater.why import NOTHING, Label, Trace

CONSTANTS: dict[str, Value] = {
    "java.lang.Boolean.FALSE": False,
    "java.lang.Boolean.TRUE": True,
    "java.lang.Byte.MAX_VALUE": 127,
    "java.lang.Byte.MIN_VALUE": -128,
    "java.lang.Double.MAX_VALUE": 1.7976931348623157e308,
    "java.lang.Double.MIN_VALUE": 5e-324,
    "java.lang.Float.MAX_VALUE": Float(3.4028234663852886e38),
    "java.lang.Integer.MAX_VALUE": 2**31 - 1,
    "java.lang.Integer.MIN_VALUE": -(2**31),
    "java.lang.Long.MAX_VALUE": Long(2**63 - 1),
    "java.lang.Long.MIN_VALUE": Long(-(2**63)),
    "java.lang.Math.E": 2.718281828459045,
    "java.lang.Math.PI": 3.141592653589793,
    "java.lang.Short.MAX_VALUE": 2**15 - 1,
    "java.lang.Short.MIN_VALUE": -(2**15),
}


def given_value(trace: Trace, part: Part, at: Span, inputs: dict[str, Any]) -> Found | Missing:
    """The value of such a part.  Raises `Failed` if it is there and no integer where it must be."""
    name = part.name
    if part.kind == "CONSTANT":
        if name not in CONSTANTS:
            return Missing("outside", str(part), NOTHING)
        node = trace.label(Label("reference", at, at.text))
        return Found(CONSTANTS[name], node, NOTHING, NOTHING)
    if "ENV" in part.kind:
        option = f"--env-allow {name}"
        text = os.environ.get(name) if name in inputs.get("env_allow", ()) else None
    else:
        option = f"--property {name}"
        text = inputs.get("property", {}).get(name)
    source = Source(option, text or "")
    if text is None:
        return Missing("outside", str(part), trace.miss(Label("miss", source.span(0, 0), name)))
    node = trace.label(Label("argument", source.span(0, len(text)), text))
    value: Value = text
    if part.kind in ("IPROPERTY", "IENVPROPERTY"):
        try:
            value = int(text.strip())
        except ValueError:
            raise Failed(f"{text!r} is not an integer") from None
    return Found(value, node, NOTHING, NOTHING)
