"""The semantics of L3 as the paper and `l3.md` §4.3 define it, rule by rule.

Reading order: `domains` (values (K, M, C)), `compose` (Composition), `annotate` (Tag,
Constraint, Specialisation), `references` (Reference), `denote` (what an expression
means), `resolve` (Final, Default, Precedence, Arbitrary choice), `outcome`.
"""
