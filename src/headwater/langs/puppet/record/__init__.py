"""The evidence that a compilation leaves: frames, bindings, guards, acts, decisions, reads."""
