"""µPuppet: the calculus of Fu, Perera, Anderson and Cheney, rule by rule, with provenance."""
