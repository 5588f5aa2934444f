"""SmartFrog as its users write it: the language of the production compiler, phase by phase.

Reading order: `syntax`, `parser` (with `reader`, `blocks` and `values`), `load`; `components` and
their `attributes` (with `origins`); then one module a phase: `raw` (with `unnamed`), `types` (with
`later`, `inheriting`, `ladders`, `contained` and `copying`), `places` (with `turns`), `construct`
(the phase called function), `link` (with `glance` and `light`); `references` is what they look
names up with, `functions` what expressions are made of; `text` writes results in SmartFrog,
`causes` answers for every value.
"""
