"""All that Ruby's classes and Puppet's have: importing this module gives them their methods."""

from headwater.langs.puppet.ruby import (
    library,
    loaders,
    lookup_context,
    methods,
    puppet_types,
    resources,
    scope,
    serial,
    settings,
)

EQUIPMENT = (
    library,
    loaders,
    lookup_context,
    methods,
    puppet_types,
    resources,
    scope,
    serial,
    settings,
)
"""Every module that gives methods to a class, itself or through those it names."""
