"""Documents that lie beside the modules, read when they are first needed."""

from __future__ import annotations

import os
from typing import Any


def shipped(path: str) -> dict[str, Any]:
    """A document in JSON that lies beside these modules, which may all lie in an archive.

    Loading `pkgutil` or `importlib.resources` would take longer than reading it.
    """
    import msgspec

    assert __spec__ is not None
    loader: Any = __spec__.loader
    data = loader.get_data(os.path.join(os.path.dirname(__file__), path))
    return msgspec.json.decode(data, type=dict[str, Any])
