"""What ``headwater compile`` does with files, however the command line was read."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from headwater.cli.settings import Settings, misused


def write_compiled(files: Sequence[str], form: str | None, settings: Settings) -> None:
    """Compiles files, or the program of a node, and writes the configuration."""
    gc.disable()  # when the catalog is written the process ends, and takes the garbage with it
    compiled = settings.compiled(files)
    formats = compiled.language.formats
    if form is not None and form not in formats:
        known = ", ".join(formats)
        raise misused(f"{compiled.language.name} is written as {known}, not {form}")
    assert compiled.outcome.result is not None
    for piece in compiled.outcome.result.export(form or formats[0]):
        sys.stdout.write(piece)
