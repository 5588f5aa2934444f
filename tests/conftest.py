"""Settings of the whole test run."""

from __future__ import annotations

import os

os.environ.setdefault("HEADWATER_CACHE", "off")
"""Commands that tests run leave nothing in the user's cache folder."""
