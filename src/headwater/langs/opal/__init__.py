"""Opal: programs that try a change in a hypothetical world and commit it with their own merge."""
