"""What functions and types refuse a value with, apart from the modules that know such values.

A built-in function must know all of them, and none of the modules, to tell a user.
"""

from __future__ import annotations


class BadNumber(Exception):
    """A text that is no number; the message is Ruby's."""


class BadRegexp(Exception):
    """A text that is no regular expression; the message is the engine's."""


class BadFormat(Exception):
    """A format or argument that does not fit; the message is Ruby's."""


class TooWide(Exception):
    """A width or precision beyond `WIDTH_LIMIT`."""


class BadStringFormat(Exception):
    """A format that does not fit; the message is Puppet's."""


class BadTimespan(Exception):
    """A text or format that is no timespan; the message is Puppet's."""


class BadTime(Exception):
    """A text that is no time; the message is Puppet's."""


class TooWideTime(Exception):
    """A width beyond `WIDTH_LIMIT`."""


class BadUri(Exception):
    """A text that is no URI; the message is Ruby's."""


class BadVersion(Exception):
    """A text that is no version or range; the message is Puppet's."""
