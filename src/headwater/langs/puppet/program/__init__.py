"""Programs: parsed texts, the definitions in them, and where modules keep more of them."""
