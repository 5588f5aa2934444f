"""What can be wrong with the grammar, and what is not there yet."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

# -- grammar --------------------------------------------------------------------------------

SYNTAX = code(
    "syntax",
    "expected {expected}, found {found}",
    "The text does not follow the grammar at this place.",
    "Something is missing before it, or it is one thing too many.",
    "file { '/etc/motd' ensure => file }",
    "Look at the place and just before it; the help line says what is most often missing.",
    "SYNTAX_ERROR",
)
UNCLOSED = code(
    "unclosed",
    "this {open} is never closed",
    "A bracket is opened and the file ends before it is closed.",
    "A closing bracket is missing somewhere after it.",
    "class a {\n  notify { 'x': }\n",
    "Close it; the label says where the indentation suggests that it should end.",
    "SYNTAX_ERROR",
)
TOO_LARGE = code(
    "too-large",
    "there are more than {bound} tokens",
    "The program is larger than Headwater reads.",
    "A bound ends the work with a message instead of an exhausted machine.",
    "(a file of 100 MB)",
    "Split it into several files, and put data into Hiera.",
)
TOO_DEEP = code(
    "too-deep",
    "more than {bound} {what} are nested in one another",
    "The program is nested deeper than Headwater reads.",
    "A bound ends the work with a message instead of an exhausted stack.",
    "[[[[… a thousand times",
    "Give the inner parts names.",
)
BAD_VIRTUAL = code(
    "bad-virtual",
    "{sign} makes a resource virtual or exported; what follows is not a resource",
    "@ or @@ stands before something that is not a resource expression.",
    "Only resources can be virtual (@) or exported (@@).",
    "@notice('x')",
    "Remove the sign, or declare a resource: @user { 'eric': }.",
    "SYNTAX_ERROR",
)
BAD_RESOURCE = code(
    "bad-resource",
    "{what} cannot be followed by a resource body",
    "Braces with attributes follow something that is no resource type, type or reference.",
    "file { 't': a => b } declares, File { a => b } sets defaults, File['t'] { a => b } overrides.",
    "5 { a => b }",
    "Write the type before the braces, or a title and a colon in them.",
    "SYNTAX_ERROR",
)
BAD_DEFINITION_WORD = code(
    "bad-definition-word",
    "{found} cannot be the name of a {kind}",
    "A definition is named by a keyword or a quoted string.",
    "Names of definitions are bare words in lower case.",
    "class 'apache' { }",
    "Write the name without quotes, and not a keyword.",
    "SYNTAX_ERROR",
)
ARGUMENT_LIST = code(
    "argument-list",
    "{name} cannot be called without parentheses, so this list of arguments belongs to nothing",
    "A comma stands between statements.",
    "Only a few functions (include, notice, fail …) take arguments without parentheses.",
    "merge $a, $b",
    "Put the arguments in parentheses.",
    "SYNTAX_ERROR",
)
