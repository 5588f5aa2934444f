"""What can go wrong with the Ruby that modules bring: templates in ERB and functions."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

RUBY_BEYOND = code(
    "ruby-beyond",
    "{construct} ({where}) is Ruby that Headwater does not evaluate",
    "A template or a function of a module uses something of Ruby that is not evaluated here.",
    "Headwater evaluates the pure part of Ruby, without a Ruby: nothing that runs programs, opens "
    "connections, reads other files or reaches into Puppet's compiler.",
    "notify { 'x': message => inline_template('<%= `uptime` %>') }",
    "Use --on-unknown opaque to go on with an unknown value in its place.",
)
RUBY_ERROR = code(
    "ruby-error",
    "{message}",
    "The Ruby of a template or of a function of a module raised an error.",
    "The message is Ruby's own, or that of the program that raised it.",
    "notify { 'x': message => inline_template('<%= nil.upcase %>') }",
    "Look at the place in the template or function, and at what it was given.",
    "RUNTIME_ERROR",
)
RUBY_SYNTAX = code(
    "ruby-syntax",
    "{name} is not Ruby: {message}",
    "The text of a template or of a function of a module cannot be read as Ruby.",
    "Puppet refuses it too: Ruby finds a syntax error.",
    "notify { 'x': message => inline_template('<% if true %>') }",
    "Close what is open, or mend what is wrong at the place.",
)
RUBY_BOUND = code(
    "ruby-bound",
    "{name}: {bound} is more than the bound of {limit}",
    "The Ruby of a template or function made something too large.",
    "Untrusted programs must not use up the machine; what Ruby may make is bounded.",
    "notify { 'x': message => inline_template('<%= \"a\" * 10**12 %>') }",
    "Make less of it.",
)
