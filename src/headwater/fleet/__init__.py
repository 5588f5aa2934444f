"""Many nodes: a repository with its file headwater.toml, its inventory, and checking all of it.

`finding` finds the file, `config` reads it, `inventory` lists the nodes, `selection` chooses among
them, and `asking` turns what a user typed into requests for `ask`.  Nothing here knows a language
by name: what belongs to one goes through its facet `HasNodes` (`langs/repositories.py`).
"""
