"""The fast engine: a type checker, a compiler to flat code and a machine, none recursive."""
