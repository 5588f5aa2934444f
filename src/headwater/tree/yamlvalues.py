"""YAML texts as plain values, for results that other programs print."""

from __future__ import annotations

import yaml

from headwater.tree.value import Value
from headwater.tree.yamltext import compose

MOST_LEVELS = 500


def read_yaml(text: str) -> Value:
    """The value of the first document of a text; what is neither text nor number is a text.

    Raises `ValueError`.
    """
    compose(text, levels=MOST_LEVELS)  # which refuses what is too large
    try:
        read = next(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), None)
    except yaml.YAMLError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    return _plain(read)


def _plain(value: object) -> Value:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | set):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
