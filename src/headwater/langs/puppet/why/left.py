"""What a compilation left: its record, and the catalog, program and data it speaks of."""

from __future__ import annotations

from headwater.langs.puppet.engine.apart import Apart
from headwater.langs.puppet.engine.compilation import Compilation


class Left:
    """What a compilation left.  More of its program and data may be read, apart from it."""

    def __init__(self, compilation: Compilation, apart: Apart) -> None:
        self.record = compilation.record
        self.catalog = compilation.catalog
        self.inputs = compilation.inputs
        self.hiera = compilation.services.hiera
        self.types = compilation.services.types
        self.bodies = compilation.services.bodies
        self.program = apart.compilation.program
        self.layers = apart.compilation.services.hiera.layers
