"""The fast engine of SmartFrog: the paper's answers at a cost linear in the output.

Reading order: `cells` (what is recorded), `evaluate` (the evaluation), `search` (name
lookup), `replay` (how causes are built from the record when somebody asks).
"""
