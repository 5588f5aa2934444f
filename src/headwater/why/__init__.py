"""The provenance core: labels, the trace, and the questions over it.  It knows no language.

A `Label` is one piece of input; a `Trace` is a hash-consed graph of what was done
with labels; `views` reads where-, expression- and dependency-provenance and the
masked values off it; `impact` asks the other way round.
"""

from headwater.why.impact import Impact
from headwater.why.labels import Kind, Label
from headwater.why.trace import NOTHING, Loser, Node, Reason, Trace
from headwater.why.views import (
    Applied,
    Expression,
    Given,
    Masked,
    beaten,
    depends,
    expression,
    leaves,
    masked,
    origins,
    where,
)

__all__ = [
    "NOTHING",
    "Applied",
    "Expression",
    "Given",
    "Impact",
    "Kind",
    "Label",
    "Loser",
    "Masked",
    "Node",
    "Reason",
    "Trace",
    "beaten",
    "depends",
    "expression",
    "leaves",
    "masked",
    "origins",
    "where",
]
