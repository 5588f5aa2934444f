from __future__ import annotations
from typing import Any
class CatalogCauses:
    def __init__(self, compiler: Any, result: Any) -> None:
        self.compiler = compiler
