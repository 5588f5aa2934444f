"""The rows of ``bench/growth.py``: families of programs, and how one of them is measured."""
