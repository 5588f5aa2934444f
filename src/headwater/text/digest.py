"""SHA-256 as Python itself has it.

`hashlib` loads OpenSSL before it offers anything, which takes longer than all the digests that a
command makes.  Both give the same digest.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # built without it, or another Python
        from hashlib import sha256

__all__ = ["sha256"]
