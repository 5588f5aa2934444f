"""strftime."""

from __future__ import annotations

from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.types.timespans import format_timespan
from headwater.langs.puppet.types.timestamps import format_timestamp, now
from headwater.langs.puppet.values import Timespan, Timestamp


@dispatch("strftime", "Timespan time_object, String format")
def _timespan(call: Call, value: Timespan, spec: str) -> str:
    return format_timespan(value, spec)


@dispatch("strftime", "Timestamp time_object, String format, String timezone?")
def _timestamp(call: Call, value: Timestamp, spec: str, zone: str | None = None) -> str:
    return format_timestamp(value, spec, zone)


@dispatch("strftime", "String format, String timezone?")
def _now(call: Call, spec: str, zone: str | None = None) -> str:
    call.context.log(
        "warning",
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. "
        "See #strftime documentation and Timespan type for more info",
    )
    call.context.external("clock", "strftime()")
    return format_timestamp(now(), spec, zone)
