"""What Puppet refuses although it follows the grammar."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

# -- validation -----------------------------------------------------------------------------

RESOURCE_WITHOUT_TITLE = code(
    "resource-without-title",
    "this {name} has attributes but no title",
    "A resource expression lacks its title and colon.",
    "Every resource has a title, which names it in the catalog.",
    "file { ensure => file }",
    "Write a title and a colon after the brace: file { '/etc/motd': ensure => file }.",
    "RESOURCE_WITHOUT_TITLE",
)
NO_EFFECT = code(
    "no-effect",
    "this {what} has no effect: its value is not used",
    "An expression stands as a statement, changes nothing, and is not the last one.",
    "Only the last expression of a block gives the block its value.",
    "$a = 1\n$a + 1\nnotice($a)",
    "Remove it, assign it, or pass it to a function.",
    "IDEM_EXPRESSION_NOT_LAST",
)
NO_EFFECT_LAST = code(
    "no-effect-last",
    "this {what} has no effect: a {container} gives no value",
    "The last expression of a class, define or node changes nothing.",
    "Classes, defines and nodes have no value, so the expression is lost.",
    "class a { 'x' }",
    "Remove it, assign it, or pass it to a function.",
    "IDEM_NOT_ALLOWED_LAST",
)
NOT_A_VALUE = code(
    "not-a-value",
    "{what} gives no value",
    "A definition or a collector stands where a value is needed.",
    "Collectors and definitions act; they do not give a value.",
    "$a = File <| |>",
    "Write it as a statement of its own.",
    "NOT_RVALUE",
)
NOT_TOP_LEVEL = code(
    "not-top-level",
    "{what} may only stand at top level or in a class",
    "A class, define or node is defined inside a condition, a lambda or another body.",
    "Definitions are known before anything runs, so they cannot depend on a condition.",
    "if $x { class a { } }",
    "Move the definition out.",
    "NOT_TOP_LEVEL",
)
NOT_ABSOLUTE_TOP_LEVEL = code(
    "not-absolute-top-level",
    "{what} may only stand at top level",
    "A function or type is defined inside something else.",
    "Functions and types belong to a file, not to a class.",
    "class a { function b() { } }",
    "Move the definition out of the block.",
    "NOT_ABSOLUTE_TOP_LEVEL",
)
BAD_ASSIGNMENT = code(
    "bad-assignment",
    "{what} cannot be assigned to",
    "The left side of = is not a variable or a list of variables.",
    "Only variables receive values.",
    "'a' = 1",
    "Write $name = value, or == to compare.",
    "ILLEGAL_ASSIGNMENT",
)
INDEXED_ASSIGNMENT = code(
    "indexed-assignment",
    "an element cannot be assigned to: values do not change",
    "The left side of = is an access with brackets.",
    "Arrays and hashes are values; a new one is made with + or merge.",
    "$h['a'] = 1",
    "Assign the whole: $h2 = $h + { 'a' => 1 }.",
    "ILLEGAL_INDEXED_ASSIGNMENT",
)
NUMERIC_ASSIGNMENT = code(
    "numeric-assignment",
    "${name} cannot be assigned: numbered variables hold the groups of the last match",
    "A numbered variable stands on the left side of =.",
    "$0, $1 … are set by =~ and by case options with regular expressions.",
    "$1 = 'a'",
    "Choose a name that starts with a letter.",
    "ILLEGAL_NUMERIC_ASSIGNMENT",
)
CROSS_SCOPE_ASSIGNMENT = code(
    "cross-scope-assignment",
    "${name} belongs to another scope and cannot be assigned here",
    "A qualified variable stands on the left side of =.",
    "A variable is assigned once, in its own scope.",
    "$apache::port = 80",
    "Assign $port inside the class, or pass a parameter.",
    "CROSS_SCOPE_ASSIGNMENT",
)
RETIRED_OPERATOR = code(
    "retired-operator",
    "{operator} is no longer part of Puppet",
    "A variable is to be appended to or deleted from in place.",
    "Variables are assigned once; += and -= were removed in Puppet 4.",
    "$a += [1]",
    "Assign a new variable: $b = $a + [1].",
    "APPENDS_DELETES_NO_LONGER_SUPPORTED",
)
ASSIGNMENT_CONTEXT = code(
    "assignment-context",
    "a default value may not assign a variable",
    "An assignment stands inside the default of a parameter.",
    "Defaults are evaluated only when they are needed.",
    "define a($x = [$y = 1]) { }",
    "Assign in the body.",
    "ILLEGAL_ASSIGNMENT_CONTEXT",
)
BAD_APPEND = code(
    "bad-append",
    "+> adds to the value that an override or a collector finds; here there is none",
    "+> is used in a resource or in defaults.",
    "Only an override (File['x'] { … }) or a collector has an earlier value to add to.",
    "file { 'x': require +> File['y'] }",
    "Write => instead.",
    "ILLEGAL_ATTRIBUTE_APPEND",
)
TWO_SPLATS = code(
    "two-splats",
    "a resource body may unfold only one hash with * =>",
    "* => stands twice in one resource body.",
    "The order of two hashes would decide which value wins.",
    "file { 'x': * => $a, * => $b }",
    "Merge the hashes: * => $a + $b.",
    "MULTIPLE_ATTRIBUTES_UNFOLD",
)
BAD_CALL = code(
    "bad-call",
    "{what} cannot be called: a function is called by its name",
    "Parentheses with arguments follow something that is not a name or a type.",
    "name(…) and Type(…) are calls; $x.name(…) calls with $x as the first argument.",
    "'notice'(1)",
    "Write the name without quotes; if no call is meant, put the parenthesis on its own line.",
    "ILLEGAL_EXPRESSION",
)
EPP_PARAMETERS = code(
    "epp-parameters",
    "the parameters of a template are written between bars: <%- | $x | -%>",
    "A parenthesis follows the text at the start of a template.",
    "In parentheses they would be arguments of a call.",
    "text<%($x)%>",
    "Write <%- | $x, $y | -%> as the first thing in the file.",
    "ILLEGAL_EPP_PARAMETERS",
)
BAD_COLLECTOR = code(
    "bad-collector",
    "{what} cannot be collected: a collector starts with a type",
    "Something other than a type stands before <| |>.",
    "A collector names the type of the resources it searches.",
    "$x <| |>",
    "Write the capitalised type: File <| |>.",
    "ILLEGAL_EXPRESSION",
)
BAD_QUERY = code(
    "bad-query",
    "{what} cannot stand in a query",
    "A collector's query holds more than ==, !=, and, or.",
    "Queries are searched for, not evaluated.",
    "File <| title > 'a' |>",
    "Use attribute == value, attribute != value, and, or.",
    "ILLEGAL_QUERY_EXPRESSION",
)
TWO_DEFAULTS = code(
    "two-defaults",
    "a second default is never reached",
    "A case or selector has two default options.",
    "default is tried last, and only one can be.",
    "case $x { default: { } default: { } }",
    "Remove one.",
    "DUPLICATE_DEFAULT",
)
BAD_DEFINITION_NAME = code(
    "bad-definition-name",
    "{name} cannot be the name of a {kind}",
    "The name of a definition has the wrong form.",
    "Each part starts with a letter (lower case; capital for a type) and holds letters, digits, _.",
    "class my-class { }",
    "Use _ instead of -.",
    "ILLEGAL_DEFINITION_NAME",
)
RESERVED_TYPE_NAME = code(
    "reserved-type-name",
    "{name} is the name of a data type and cannot be defined",
    "A definition has the name of a built-in data type.",
    "Its capitalised form already means the data type.",
    "class string { }",
    "Choose another name, or put it in your module's namespace.",
    "RESERVED_TYPE_NAME",
)
FUTURE_WORD = code(
    "future-word",
    "{word} is a word reserved for later",
    "A definition uses a word that a later version of Puppet reserves.",
    "It will stop working there.",
    "class plan { }",
    "Choose another name.",
    "FUTURE_RESERVED_WORD",
    "warning",
)
RESERVED_WORD = code(
    "reserved-word",
    "{word} is a reserved word",
    "A reserved word is used as a name or text.",
    "attr and private are kept for later.",
    "$a = private",
    "Quote the word, or choose another.",
    "RESERVED_WORD",
)
UNSUPPORTED = code(
    "unsupported",
    "{what} is not supported in this version of Puppet",
    "A form that the grammar knows and Puppet refuses.",
    "Type definitions with a body and mappings of other types than Runtime are not in use.",
    "type A { }",
    "Write type A = … instead.",
    "UNSUPPORTED_EXPRESSION",
)
BAD_MAPPING = code(
    "bad-mapping",
    "the two sides of this type mapping do not fit",
    "A mapping from Runtime[…] gives something other than its left side asks for.",
    "A name maps to a type, a pattern to a pattern with replacement.",
    "type Runtime[ruby, 'X'] = [/a/, 'b']",
    "Map a name to a type.",
    "ILLEGAL_SINGLE_TYPE_MAPPING",
)
BAD_TYPE = code(
    "bad-type",
    "{what} is not a type",
    "A return type or the right side of a type alias is not a type.",
    "A type is a capitalised name, with parameters in brackets.",
    "type A = [1]",
    "Write a type such as Integer[0].",
    "ILLEGAL_EXPRESSION",
)
REST_NOT_LAST = code(
    "rest-not-last",
    "*${name} takes all remaining arguments and must be the last parameter",
    "A parameter follows one with a star.",
    "Nothing would ever be left for it.",
    "|*$a, $b| { }",
    "Move it to the end.",
    "CAPTURES_REST_NOT_LAST",
)
REST_NOT_HERE = code(
    "rest-not-here",
    "*${name}: a {container} takes its parameters by name and has no remaining ones",
    "A class, define or template has a parameter with a star.",
    "Only functions and lambdas take arguments by position.",
    "class a(*$x) { }",
    "Remove the star and pass an array.",
    "CAPTURES_REST_NOT_SUPPORTED",
)
DUPLICATE_PARAMETER = code(
    "duplicate-parameter",
    "${name} is a parameter already",
    "Two parameters have the same name.",
    "Each is a variable, and a variable has one value.",
    "define a($x, $x) { }",
    "Rename one.",
    "DUPLICATE_PARAMETER",
)
RESERVED_PARAMETER = code(
    "reserved-parameter",
    "${name} is set for every {container} and cannot be a parameter",
    "A parameter is called $title or $name.",
    "Both are set from the resource itself.",
    "define a($title) { }",
    "Rename it.",
    "RESERVED_PARAMETER",
)
BAD_PARAMETER = code(
    "bad-parameter",
    "${name} cannot be the name of a parameter",
    "The name of a parameter is qualified, a number or starts with a capital.",
    "A parameter is a local variable: a lower-case letter or _, then letters, digits, _.",
    "define a($b::c) { }",
    "Use an unqualified name.",
    "ILLEGAL_PARAM_NAME",
)
BAD_VARIABLE = code(
    "bad-variable",
    "${name} cannot be the name of a variable",
    "The name of a variable has the wrong form.",
    "Each part starts with a lower-case letter (the last may start with _); or it is a number.",
    "$Port",
    "Start it with a lower-case letter; write \\$ for a dollar in a string.",
    "ILLEGAL_VAR_NAME",
)
BAD_HOST = code(
    "bad-host",
    "{what} cannot name a node",
    "A node is named by something that is no host name, regular expression or default.",
    "Host names hold letters, digits, dots, hyphens and underscores, and are not computed.",
    'node "${x}" { }',
    "Write the name as a plain string, or use a regular expression.",
    "ILLEGAL_HOSTNAME_CHARS",
)
NODE_INHERITANCE = code(
    "node-inheritance",
    "nodes can no longer inherit from one another",
    "A node definition has inherits.",
    "Node inheritance was removed in Puppet 4.",
    "node 'a' inherits 'b' { }",
    "Put what they share into a class and include it in both.",
    "ILLEGAL_NODE_INHERITANCE",
)
CLASS_NOT_VIRTUAL = code(
    "class-not-virtual",
    "a class cannot be virtual or exported",
    "@ or @@ stands before class { … }.",
    "A class is declared once and is never collected.",
    "@class { 'a': }",
    "Remove the sign.",
    "CLASS_NOT_VIRTUALIZABLE",
)
NOT_VIRTUAL = code(
    "not-virtual",
    "{what} cannot be virtual or exported",
    "@ or @@ stands before defaults or an override.",
    "Only the declaration of a resource can be virtual.",
    "@File { mode => '0644' }",
    "Remove the sign.",
    "NOT_VIRTUALIZEABLE",
)
INTEGER_RANGE = code(
    "integer-range",
    "{value} does not fit in 64 bits",
    "An integer is below -2^63 or above 2^63 - 1.",
    "Puppet's integers have 64 bits.",
    "$a = 9223372036854775808",
    "Use a smaller number, or a string.",
    "NUMERIC_OVERFLOW",
)
DUPLICATE_KEY = code(
    "duplicate-key",
    "the key {key} is in this hash already; only the last one counts",
    "A literal hash has the same key twice.",
    "Only one value can be kept.  Where strict is error, as it is at level 8, it is an error as "
    "soon as the file is read; and of a key x[k] that level sees only [k], so that $a['n'] and "
    "$b['n'] are the same to it.",
    "$h = { 'a' => 1, 'a' => 2 }",
    "Remove one; write $a.get('n') instead of $a['n'].",
    "DUPLICATE_KEY",
    "warning",
)
COMPUTED_TYPE = code(
    "computed-type",
    "the type of the parameter {name} is not literal, which is deprecated from level 8 on",
    "The type of a parameter of a class holds something that must be computed.",
    "Puppet 8 wants to read types of parameters of classes without evaluating them: no operators, "
    "variables, parentheses, calls, and no array as the only thing in brackets.",
    "class c(Integer[0, 60 * 24] $minutes = 1) { }",
    "Write the value itself, or name the type: type Minutes = Integer[0, 1440].",
    "ILLEGAL_NONLITERAL_PARAMETER_TYPE",
    "warning",
)
BAD_REGEX = code(
    "bad-regex",
    "this regular expression cannot be read: {reason}",
    "A regular expression has a mistake in its syntax.",
    "Puppet's regular expressions are Ruby's.",
    "$a =~ /(/",
    "Balance brackets; write \\( for the character itself.",
)
BAD_EMBEDDED = code(
    "bad-embedded",
    "the text of this heredoc is not valid {syntax}: {reason}",
    "A heredoc names a syntax that its text does not follow.",
    "Text without interpolation is checked when the tag names json, pp, epp or base64.",
    "@(END:json)\n{\nEND",
    "Correct the text, or leave the syntax out of the tag.",
    "INVALID_JSON",
)
BAD_PLACE = code(
    "bad-place",
    "{what} {name} is in a file whose name does not fit",
    "A definition stands in a file of a module where Puppet will not look for it.",
    "a::b::c is looked for in a/manifests/b/c.pp.",
    "class other { }   in apache/manifests/init.pp",
    "Rename the definition or move it.",
    "ILLEGAL_DEFINITION_LOCATION",
)
BAD_TOP_CONSTRUCT = code(
    "bad-top-construct",
    "{what} may not stand at the top of a file in a module",
    "A module's file holds something other than definitions at its top level.",
    "Such a file is loaded for its definitions; other code in it would run at surprising times.",
    "notice('x')   in apache/manifests/init.pp",
    "Move it into a class.",
    "ILLEGAL_TOP_CONSTRUCT_LOCATION",
)
