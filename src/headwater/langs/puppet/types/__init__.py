"""Puppet's data types.

parse_type(text) · resolve(expr) · named(name)      types from their spelling
parameterise(type, keys)                            ``T[keys]``
is_instance(type, value) · assignable(type, type)   matching
infer(value) · infer_set(value) · common_type(a, b) the type of a value
convert(type, args)                                 ``T(value, …)``
show_type(type) · mismatch_text(subject, type, got) Puppet's words
named_arguments_error(…) · arguments_error(…)       typed parameters of classes and functions
"""

from typing import TYPE_CHECKING

from headwater.text.late import late

if TYPE_CHECKING:
    from headwater.langs.puppet.types.aliases import define
    from headwater.langs.puppet.types.arguments import (
        Parameter,
        arguments_error,
        callable_of,
        default_error,
        named_arguments_error,
        return_error,
    )
    from headwater.langs.puppet.types.assignability import assignable
    from headwater.langs.puppet.types.build import BadType
    from headwater.langs.puppet.types.conversion import convert
    from headwater.langs.puppet.types.description import describe, mismatch_text
    from headwater.langs.puppet.types.generality import generalize, normalize
    from headwater.langs.puppet.types.inference import common_type, infer, infer_set
    from headwater.langs.puppet.types.iteration import TooMany, elements
    from headwater.langs.puppet.types.iterator import PuppetIterator
    from headwater.langs.puppet.types.matching import is_instance
    from headwater.langs.puppet.types.model import AliasType, Type, is_type
    from headwater.langs.puppet.types.parameters import parameterise
    from headwater.langs.puppet.types.refusals import BadRegexp
    from headwater.langs.puppet.types.regexps import Match, TooHard, search
    from headwater.langs.puppet.types.resolution import named, parse_type, resolve
    from headwater.langs.puppet.types.rubytext import to_s
    from headwater.langs.puppet.types.show import show_type
    from headwater.langs.puppet.types.signatures import (
        Failed,
        Mistyped,
        Signature,
        describe_signatures,
    )
    from headwater.langs.puppet.types.string_convert import to_string
else:
    __getattr__ = late(
        __name__,
        {
            "aliases": "define",
            "arguments": "Parameter arguments_error callable_of default_error "
            "named_arguments_error return_error",
            "assignability": "assignable",
            "build": "BadType",
            "signatures": "Failed Mistyped Signature describe_signatures",
            "conversion": "convert",
            "description": "describe mismatch_text",
            "generality": "generalize normalize",
            "inference": "common_type infer infer_set",
            "iteration": "TooMany elements",
            "iterator": "PuppetIterator",
            "matching": "is_instance",
            "model": "AliasType Type is_type",
            "parameters": "parameterise",
            "refusals": "BadRegexp",
            "regexps": "Match TooHard search",
            "resolution": "named parse_type resolve",
            "rubytext": "to_s",
            "show": "show_type",
            "string_convert": "to_string",
        },
    )

__all__ = [
    "AliasType",
    "BadRegexp",
    "BadType",
    "Failed",
    "Match",
    "Mistyped",
    "Parameter",
    "PuppetIterator",
    "Signature",
    "TooHard",
    "TooMany",
    "Type",
    "arguments_error",
    "assignable",
    "callable_of",
    "common_type",
    "convert",
    "default_error",
    "define",
    "describe",
    "describe_signatures",
    "elements",
    "generalize",
    "infer",
    "infer_set",
    "is_instance",
    "is_type",
    "mismatch_text",
    "named",
    "named_arguments_error",
    "normalize",
    "parameterise",
    "parse_type",
    "resolve",
    "return_error",
    "search",
    "show_type",
    "to_s",
    "to_string",
]
