"""Where the secrets of a compilation are written: they are followed back, by a first replay."""

from __future__ import annotations

from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.record.acts import Decrypted
from headwater.langs.puppet.why.attributes import history_node
from headwater.langs.puppet.why.calls import reads
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Node, Trace, expression, leaves

_MAKING = frozenset(["new", "convert_to", "lookup", "hiera", "hiera_array", "hiera_hash"])


def find_spots(found: Secrets, replay: Replay) -> None:
    """Adds where secret values were written, by following them back."""
    record, catalog = replay.left.record, replay.left.catalog
    for secret in record.secrets:
        if isinstance(secret, Decrypted):
            continue
        node, frame = secret.node, secret.frame
        if name_called(node) in _MAKING:
            here = Here(secret.unit, frame, frame.guard, record.clock)
            for one in reads(replay, here, node) or [replay.of(here, node)]:
                _add_leaves(found, replay.trace, one)
    for resource in catalog.resources:
        for name in resource.sensitive:
            if name in resource.params:
                node = history_node(replay, resource, resource.params[name])
                _add_leaves(found, replay.trace, node)


def _add_leaves(found: Secrets, trace: Trace, node: Node) -> None:
    for label in leaves(expression(trace, node)):
        if label.text != "Sensitive" and label.kind in ("literal", "hiera", "fact"):
            found.spots.setdefault(label.at.source, set()).add((label.at.start, label.at.end))
            found.add(label.text.strip("'\""))
