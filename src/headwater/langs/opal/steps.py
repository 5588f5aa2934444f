"""The bound on steps, counted alike by both engines.

A step is a command other than a sequence, an S-expression node evaluated, or an
element looked at by ``∈``.
"""

MOST_STEPS = 5_000_000
