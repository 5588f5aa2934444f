"""The secret values that the record and the catalog of a compilation hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.values import SINGLE, Sensitive
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.secrets import Secrets
else:
    when_called(globals(), "headwater.langs.puppet.catalog.secrets", "Secrets")


def secret_values(record: Record, catalog: Catalog) -> Secrets:
    """The secret values of a compilation: made by calls, or given to resources."""
    found = Secrets()
    for secret in record.secrets:
        found.add(secret.value)
    for resource in catalog.resources:
        params = resource.params
        for name in resource.sensitive:
            if name in params:
                found.add(params[name].value)
        for param in params.values():
            if param.value.__class__ not in SINGLE:
                _add_inner(found, param.value)
    return found


def _add_inner(found: Secrets, value: object) -> None:
    if isinstance(value, Sensitive):
        found.add(value)
    elif isinstance(value, Hash):
        for item in value.values():
            _add_inner(found, item)
    elif isinstance(value, list):
        for item in value:
            _add_inner(found, item)
