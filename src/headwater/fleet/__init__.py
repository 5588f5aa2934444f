"""Many nodes: a repository with its file headwater.toml, its inventory, and checking all of it.

`finding` finds the file, `config` reads it, `inventory` lists the nodes, `selection` chooses among
them, and `asking` turns what a user typed into requests for `ask`.  `sides` are two states of a
repository, `identity` tells whether what a compilation read is the same on both, `comparing` says
what differs on which nodes, `causes` which edited lines made it so.  Nothing here knows a language
by name: what belongs to one goes through its facet `HasNodes` (`langs/repositories.py`).
"""
