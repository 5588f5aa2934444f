"""The fast engine: top down, without recursion, in time near linear in the candidates.

`links` finds what references mean, `heads` what a definition gives at its own level,
`contest` which tag sets win, `resolve` the result, `causes` the provenance on demand.
"""
