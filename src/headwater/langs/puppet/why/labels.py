"""Labels of inputs; what is secret is hidden while they are made."""

from __future__ import annotations

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

    def input(self, kind: Kind, at: Span, text: str) -> Node:
        """A piece of input."""
        return self._trace.label(self._shown(Label(kind, at, text)))

    def miss(self, at: Span, text: str) -> Node:
        """An input that was looked for and is not there."""
        return self._trace.miss(self._shown(Label("miss", at, text)))

    def of(self, unit: Unit, node: object, kind: Kind = "literal") -> Node:
        """A piece of a program."""
        span = unit.span(node)
        return self.input(kind, span, span.text)

    def structure(self, unit: Unit, node: object) -> Node:
        """An array or a hash as it is written."""
        span = unit.span(node)
        return self.input("structure", span, brief(span.text))

    def put_together(self, unit: Unit, node: object) -> Node:
        """A text with insertions, or a reference, as it is written."""
        span = unit.span(node)
        return self.input("operation", span, brief(span.text))

    def shown(self, value: object) -> Any:  # noqa: ANN401
        """A value as it may be shown."""
        try:
            data = to_data(value)
        except Problem:
            return None
        return self._secrets.hidden(data) if self._hiding else data

    def _shown(self, label: Label) -> Label:
        return self._secrets.label(label) if self._hiding else label
