"""Random programs: of the whole language (`programs`) and of the calculus (`calculus`)."""
