"""Many nodes: what their compilations read, two sides of a change, what it does to whom."""
