"""Opal over a durable store: programs that commit once, worlds that outlive them, permission.

`run` takes a program to a commit, `worlds` a world that was left open; `endorsing` asks for
the permissions that either needs; `wire` is what ``at`` sends; `history` answers questions.
"""
