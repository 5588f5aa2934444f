"""L3: configurations written by many hands and composed in any order.  Begin with NOTES.md."""
