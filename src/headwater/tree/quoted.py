"""Texts as JSON writes them."""

from __future__ import annotations

try:  # where Python's own encoder has it from; loading `json` takes a millisecond
    from _json import encode_basestring as quoted
except ImportError:
    from json.encoder import encode_basestring as quoted

__all__ = ["quoted"]
