"""``python -m headwater``: the same program as ``headwater``."""

from headwater.cli.start import main

main()
