"""What git knows: who wrote a line, and what the files were at a revision.

Git is asked as a program, and safely: nothing that a repository names is run.
"""
