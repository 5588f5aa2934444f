"""Ruby as modules bring it: a bounded, pure evaluator of templates and functions.

`reader` makes a closed tree (`syntax`) of a text, by tree-sitter; what the tree has no
node for is refused there, by name and place.  `evaluate` turns the tree into closures.
`values` are Ruby's values, `methods/` the methods of its classes, one table per class.
`erb` reads templates.  Nothing here can touch the machine: no files but those handed in,
no processes, no network, no `eval`; steps, depth and sizes are bounded (`machine`).

`library`, `scope` and `exchange` are what the engine sees: Puppet's own modules, errors and
values, and `scope` in templates.  `trees` keeps what was read, `rendering` runs a template and
notes what it wrote, `flow` tells from its text which variables a piece can come from.
"""
