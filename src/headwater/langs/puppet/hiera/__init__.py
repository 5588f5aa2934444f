"""Hiera 5: hierarchies of data files, and look-ups in them."""
