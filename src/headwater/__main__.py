"""``python -m headwater``: the same program as ``headwater``."""

from headwater.cli.main import main

main()
