"""Explanation: what each value was copied from, depends on and overrode."""
