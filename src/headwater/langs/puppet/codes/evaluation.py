"""What can go wrong while expressions are evaluated."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

UNKNOWN_VARIABLE = code(
    "unknown-variable",
    "no variable ${name} can be seen from here{reason}",
    "A variable is read that has no value where it is read.",
    "Puppet looks in the local scope, in inherited classes, in the node and at the top; never "
    "in the code that declared a class or define.",
    "notify { 'x': message => $nosuch }",
    "Assign it first, qualify it ($class::name), or read it with getvar().",
    "UNKNOWN_VARIABLE",
)
REASSIGNED = code(
    "reassigned",
    "${name} has a value already and cannot get another",
    "A variable is assigned twice in one scope.",
    "Variables of Puppet are assigned once; blocks of if and case are not scopes of their own.",
    "$x = 1\n$x = 2",
    "Use another name.",
    "ILLEGAL_REASSIGNMENT",
)
RESERVED_VARIABLE = code(
    "reserved-variable",
    "${name} belongs to Puppet and cannot be assigned",
    "One of $facts, $trusted and $server_facts is assigned.",
    "They hold what is known of the node.",
    "$facts = {}",
    "Use another name.",
    "ILLEGAL_RESERVED_ASSIGNMENT",
)
BAD_MULTI_ASSIGNMENT = code(
    "bad-multi-assignment",
    "{message}",
    "The values do not fit the list of variables they are assigned to.",
    "An array must have as many elements, a hash the names as keys, a class the variables.",
    "[$a, $b] = [1]",
    "Give one value for each variable.",
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
)
NOT_NUMERIC = code(
    "not-numeric",
    "{value} is not a number",
    "Arithmetic with something that is no number and no text that spells one.",
    "Only numbers, and texts that look like numbers, can be calculated with.",
    "$x = 'a' + 1",
    "Convert it, or use the operation meant for such values.",
    "NOT_NUMERIC",
)
NUMERIC_COERCION = code(
    "numeric-coercion",
    "the text '{before}' was taken for the number {after}",
    "A text that spells a number is calculated with.",
    "Puppet converts it, and complains when strict is warning or error.",
    "$x = '10' + 1",
    "Write Integer($x), or a number.",
    "NUMERIC_COERCION",
    severity="warning",
)
DIVISION_BY_ZERO = code(
    "division-by-zero",
    "division by zero",
    "An integer is divided by zero.",
    "There is no such number.",
    "$x = 1 / 0",
    "Test the divisor first.",
    "DIV_BY_ZERO",
)
NUMBER_TOO_LARGE = code(
    "number-too-large",
    "{operator} gives a number outside the range Puppet has",
    "The result of an operation is not a 64-bit integer, or is infinite.",
    "Integers of Puppet have 64 bits.",
    "$x = 9223372036854775807 + 1",
    "Use floating point, or smaller numbers.",
    "NUMERIC_OVERFLOW",
)
NOT_APPLICABLE = code(
    "not-applicable",
    "the operator {operator} cannot be applied to {value}",
    "An operator is used with a value it has no meaning for.",
    "Each operator works on certain kinds of values only.",
    "$x = { a => 1 } << 2",
    "Look at the value; the label shows the operand.",
    "OPERATOR_NOT_APPLICABLE",
)
NOT_COMPARABLE = code(
    "not-comparable",
    "{left} and {right} cannot be compared with {operator}",
    "Values are put in order that have no order.",
    "Only strings, numbers, times and versions can be compared, each with its own kind.",
    "$x = 'a' < 1",
    "Convert one of them.",
    "COMPARISON_NOT_POSSIBLE",
)
BAD_MATCH = code(
    "bad-match",
    "{message}",
    "=~ or !~ is used with something that cannot be matched.",
    "The left side must be a string, the right side a regular expression or a type.",
    "$x = 1 =~ /a/",
    "Convert the left side to a string.",
    "MATCH_NOT_STRING",
)
REGEX_BOUND = code(
    "regex-bound",
    "matching /{pattern}/ was given up: {reason}",
    "A regular expression needs too many steps for this text.",
    "Some expressions try exponentially many ways; a bound ends that.",
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a+)+$/",
    "Rewrite the expression without nested repetition.",
)
NO_OPTION = code(
    "no-option",
    "no option of this selector matches {value}",
    "A selector has no option for its value, and no default.",
    "A selector must give a value.",
    "$x = 'a' ? { 'b' => 1 }",
    "Add the value, or default.",
    "UNMATCHED_SELECTOR",
)
BAD_ACCESS = code(
    "bad-access",
    "{message}",
    "A value is indexed with a key that does not fit it.",
    "Arrays and strings take integers, resources the names of their parameters.",
    "$x = [1]['a']",
    "Use a key that fits.",
    "BAD_COLLECTION_ACCESS_KEY_TYPE",
)
BAD_TYPE_EXPRESSION = code(
    "bad-type-expression",
    "{message}",
    "A data type is given parameters it cannot have, or does not exist.",
    "Every type has its own kinds and number of parameters.",
    "$x = Integer['a']",
    "See the page of the type for its parameters.",
    "BAD_TYPE_SLICE_TYPE",
)
UNKNOWN_FUNCTION = code(
    "unknown-function",
    "there is no function {name}",
    "A function is called that neither Puppet nor a module defines.",
    "Functions are built in, or stand in functions/ or lib/puppet/ of a module.",
    "nosuch(1)",
    "Check the name, and the modulepath.",
    "UNKNOWN_FUNCTION",
)
RUBY_TITLE = code(
    "ruby-title",
    "what the title '{title}' gives is told by Ruby: the title patterns of {type} ({why})",
    "A type written in Ruby takes parameters from titles, in a way that only Ruby can tell.",
    "Headwater compiles without Ruby.  It evaluates the pure part of it; the patterns of this type "
    "need more.",
    "keystone_user_role { 'admin@openstack': roles => ['admin'] }",
    "Use --on-unknown opaque to go on without the parameters that the title gives.",
)
OPAQUE_VALUE = code(
    "opaque-value",
    "the value of {what} is not known here",
    "A value that Headwater cannot compute stands in the catalog as unknown.",
    "It comes from Ruby that is not evaluated here, and --on-unknown opaque was given.",
    "notify { 'x': message => inline_template('<%= `uptime` %>') }",
    "Nothing, if that is what you want.",
    severity="warning",
    counted=True,
)
UNDECIDED = code(
    "undecided",
    "what happens here depends on {why}, which is not known",
    "Whether something is declared or done hangs on a value that Headwater cannot compute.",
    "It comes from Ruby, and --on-unknown opaque was given: a condition is taken to hold, a case "
    "takes its default, and what a function might have declared is not in the catalog.",
    "if $x =~ has_key($h, 'k') { include web }",
    "Nothing need be done: whatever hangs on it is opaque or marked in the catalog. A "
    "relationship with something that is missing is then a warning too.",
    severity="warning",
    counted=True,
)
REFUSED_GUESS = code(
    "refused-guess",
    "this would be refused ({message}), if {why} led here, which is not known",
    "Something is wrong in a branch that was taken only because a condition is unknown.",
    "The condition comes from Ruby, and --on-unknown opaque was given. The branch is left at "
    "this place; what it did before hangs on the guess and is marked in the catalog.",
    "if has_key($h, 'k') { fail('no k wanted') }",
    "If Puppet takes this branch too, it refuses the program here.",
    severity="warning",
)
FUNCTION_FAILED = code(
    "function-failed",
    "{name}(): {message}",
    "A built-in function refused its arguments or could not do its work.",
    "The message says why.",
    "$x = Integer('a')",
    "Look at the arguments.",
    "RUNTIME_ERROR",
)
FAILED = code(
    "fail",
    "{message}",
    "The manifest called fail().",
    "Its author wants such a catalog to be refused.",
    "fail('unsupported platform')",
    "Do what the message says.",
    "RUNTIME_ERROR",
)
BAD_JUMP = code(
    "bad-jump",
    "{word}() has nothing to leave here",
    "break, next or return is called where there is nothing it could end.",
    "break and next end lambdas, return ends functions, classes and defines.",
    "break()",
    "Use if to leave code out.",
    "RUNTIME_ERROR",
)
MISTYPED = code(
    "mistyped",
    "{message}",
    "An argument, a parameter or a returned value is not of the type that is declared for it.",
    "Parameters may name the type their values must have.",
    "define d(Integer $n) { }\nd { 'x': n => 'a' }",
    "Give a value of that type.",
    "TYPE_MISMATCH",
)
VALUE_TOO_LARGE = code(
    "value-too-large",
    "a value here is larger than the bound of {bound}",
    "An array, hash or text has become very large, counted as it would be written out.",
    "Values that are put together from themselves grow without end in a few lines.",
    "$a = [1, 2]\n$b = [$a, $a]\n# … and so on, forty times",
    "Look for the step that doubles the value.",
)
TOO_MANY_STEPS = code(
    "too-many-steps",
    "the program takes more than {bound} evaluations; it was here when they were used up",
    "The program goes on for very long, or without end.",
    "A bound on its work ends every compilation with a message.",
    "Integer[1, 1000000].each |$x| { Integer[1, 1000000].each |$y| { } }",
    "Loop over less, or allow more with --max-steps.",
)
TOO_MANY_CALLS = code(
    "too-many-calls",
    "more than {bound} calls are nested in one another",
    "Functions, classes or lambdas call one another without end, or very deep.",
    "A bound ends that with a message.",
    "function f() { f() }\nf()",
    "End the recursion.",
)
NOT_YET = code(
    "not-yet",
    "{what} is not supported by Headwater yet",
    "The program uses something Headwater does not compile.",
    "It would be worse to compile it wrongly.",
    "type X = Object[{}]",
    "See docs/languages/puppet.md for what is supported.",
)
MESSAGE = code(
    "log",
    "{level}: {message}",
    "The manifest wrote to the log with notice(), warning() or a like function.",
    "Puppet writes such messages while it compiles.",
    "warning('deprecated')",
    "Nothing.",
    severity="warning",
)
