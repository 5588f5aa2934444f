from __future__ import annotations
from typing import Any
from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types import model as m
def type_data(value: Any) -> Any:
    if isinstance(value, m.IntegerType):
        return {"__ptype": "Pcore::IntegerType", "from": value.low, "to": value.high}
    raise Problem(codes.NOT_YET, what="type")
