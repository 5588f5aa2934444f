"""``lookup()`` and its older forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.engine.calls import Call
from headwater.langs.puppet.engine.functions import own
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.assignability import assignable

_NAME = model.VariantType((model.StringType(), model.ArrayType(model.StringType())))
_NAMED = model.CallableType(model.TupleType((_NAME,)))


@own("lookup", 1, 4)
def lookup(call: Call, args: Sequence[Any], block: Any) -> Any:
    if block is not None and not assignable(_NAMED, block.callable_type):
        call.mistyped("the lambda must take a String or an Array of them, whichever is given")
    return call.compiler.hiera.function(call, args, block)


def _old(merge: Any) -> Any:
    def hiera(call: Call, args: Sequence[Any], block: Any) -> Any:
        return call.compiler.hiera.old_function(call, args, block, merge)

    return hiera


own("hiera", 1, 3)(_old(None))
own("hiera_array", 1, 3)(_old("unique"))
own("hiera_hash", 1, 3)(_old("hash"))


@own("hiera_include", 1, 3)
def hiera_include(call: Call, args: Sequence[Any], block: Any) -> Any:
    found = call.compiler.hiera.old_function(call, args, block, "unique")
    return call.call("include", [found])
