"""``lookup_options``: how the values of keys are merged and converted."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import LookupRecord


class Options:
    """The options of all keys, by name or by pattern, and the look-up that found them."""

    __slots__ = ("_exact", "_patterns", "every", "record")

    def __init__(self, every: Hash, record: LookupRecord) -> None:
        self.every = every
        self.record = record
        self._exact = every.where(lambda key, _: not key.startswith("^"))
        self._patterns = [(key, item) for key, item in every.pairs() if key.startswith("^")]

    def of(self, key: str) -> Hash:
        """Those of one key: its own, else those of the first pattern that fits."""
        if not self._exact and not self._patterns:
            return Hash()
        found = self._exact.get(key)
        if found is None and self._patterns:
            from headwater.langs.puppet.types.equality import regex_search

            fitting = (item for name, item in self._patterns if regex_search(name, key))
            found = next(fitting, None)
        if found is not None and not isinstance(found, Hash | str):
            raise Problem(codes.LOOKUP_FAILED, message=f"lookup_options for {key} is not a hash")
        return found if isinstance(found, Hash) else Hash()
