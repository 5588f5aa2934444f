"""Labels of inputs; what is secret is hidden while they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.catalog.wire import to_data
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax.brief import brief
from headwater.text import Span
from headwater.why import Kind, Label, Node, Trace


class Labels:
    """Makes the labels of one trace.  None shows a secret, nor points into a text with one."""

    def __init__(self, trace: Trace, secrets: Secrets) -> None:
        self._trace = trace
        self._secrets = secrets
        self._hiding = bool(secrets)
        self._known: dict[tuple[int, Kind], tuple[object, Node]] = {}
        """Labels of pieces of programs, which many values have in common, by their node."""

    def input(self, kind: Kind, at: Span, text: str) -> Node:
        """A piece of input."""
        return self._trace.label(self._shown(Label(kind, at, text)))

    def miss(self, at: Span, text: str) -> Node:
        """An input that was looked for and is not there."""
        return self._trace.miss(self._shown(Label("miss", at, text)))

    def of(self, unit: Unit, node: object, kind: Kind = "literal") -> Node:
        """A piece of a program."""
        return self._once(unit, node, kind, str)

    def structure(self, unit: Unit, node: object) -> Node:
        """An array or a hash as it is written."""
        return self._once(unit, node, "structure", brief)

    def put_together(self, unit: Unit, node: object) -> Node:
        """A text with insertions, or a reference, as it is written."""
        return self._once(unit, node, "operation", brief)

    def _once(self, unit: Unit, node: object, kind: Kind, shown: Callable[[str], str]) -> Node:
        key = (id(node), kind)
        known = self._known.get(key)
        if known is None:
            span = unit.span(node)
            known = self._known[key] = (node, self.input(kind, span, shown(span.text)))
        return known[1]

    def shown(self, value: object) -> Any:  # noqa: ANN401
        """A value as it may be shown."""
        try:
            data = to_data(value)
        except Problem:
            return None
        return self._secrets.hidden(data) if self._hiding else data

    def _shown(self, label: Label) -> Label:
        return self._secrets.label(label) if self._hiding else label
