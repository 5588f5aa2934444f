"""The semantics of SmartFrog as the paper defines it, definition by definition.

Reading order: `domains` (Definitions 4-6), `references` (7-11), `stores` (12-18),
`valuation` (19-27).
"""
