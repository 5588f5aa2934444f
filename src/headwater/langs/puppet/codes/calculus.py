"""Why an evaluation of µPuppet is stuck: each code is a configuration no rule applies to."""

from __future__ import annotations

from headwater.report import Code


def stuck(name: str, message: str, *, what: str, why: str, example: str, fix: str,
          rule: str | None = None) -> Code:  # fmt: skip
    """A code of the calculus; `rule` is the rule whose premise does not hold."""
    return Code(name=f"mupuppet-{name}", message=message, what=what, why=why, example=example,
                fix=fix, paper=rule)  # fmt: skip


UNKNOWN_VARIABLE = stuck(
    "unknown-variable", "{name} has no value here",
    what="A variable is read that no scope in reach has assigned yet.",
    why="The calculus is always strict: reading an unassigned variable is an error.",
    example="file { 'motd': content => $greeting }",
    fix="Assign it first; statements run in the order they stand in.", rule="LVar",
)  # fmt: skip
REASSIGNED = stuck(
    "reassigned", "${name} already has a value in this scope",
    what="A variable is assigned twice in one scope.",
    why="A variable of Puppet stands for one value.",
    example="$port = 80 $port = 8080", fix="Use another name, or choose the value with a selector.",
    rule="Assign",
)  # fmt: skip
BAD_OPERAND = stuck(
    "bad-operand", "{op} needs {wants}, not {value}",
    what="An operator has an operand of the wrong kind.",
    why="No rule gives the operation a meaning for it.",
    example="$x = true + 1", fix="Convert or compare the value first.", rule="ArithValue",
)  # fmt: skip
NOT_BOOLEAN = stuck(
    "not-boolean", "the condition is {value}, not true or false",
    what="A condition is not a boolean.",
    why="IfT and IfF are for true and false only; Puppet takes every value but false and undef "
        "for true (dialect like-puppet).",
    example="if 'yes' { include web }", fix="Compare it: if $answer == 'yes'.", rule="IfT",
)  # fmt: skip
DIVISION_BY_ZERO = stuck(
    "division-by-zero", "division by zero",
    what="The right side of / or % is zero.", why="It has no value.",
    example="$x = 1 / 0", fix="Test the divisor first.", rule="ArithValue",
)  # fmt: skip
OUT_OF_RANGE = stuck(
    "out-of-range", "{number} does not fit 64 bits",
    what="An integer is larger than Puppet allows.",
    why="Puppet's integers have 64 bits (dialect like-puppet).",
    example="$x = 9223372036854775807 + 1", fix="Use smaller numbers.",
)  # fmt: skip
NO_MATCH = stuck(
    "no-match", "no case of the selector matches {value}",
    what="A selector has no matching case and no default.", why="It then has no value.",
    example="$x = 3 ? { 1 => 'one' }", fix="Add a default.", rule="SDefault",
)  # fmt: skip
NOT_INDEXABLE = stuck(
    "not-indexable", "{value} has no elements of that kind",
    what="Something without elements is indexed, or with the wrong kind of index.",
    why="DeRefArray wants an integer, DeRefHash a key, DeRefRes the name of an attribute.",
    example="$x = 5 $y = $x[0]", fix="Index an array, a hash or a reference.", rule="DeRefArray",
)  # fmt: skip
NO_ELEMENT = stuck(
    "no-element", "{value} has no element {index}",
    what="An index is outside the array, or a key not in the hash.",
    why="The calculus has no undef to answer with; Puppet has (dialect like-puppet).",
    example="$x = [1, 2] $y = $x[2]", fix="Indexes count from 0.", rule="DeRefArray",
)  # fmt: skip
NO_RESOURCE = stuck(
    "no-resource", "{resource} is not in the catalog yet",
    what="An attribute is read of a resource that is not declared.",
    why="References read the catalog as it is at that step.",
    example="$o = File['/etc/motd']['owner']", fix="Declare the resource before.", rule="DeRefRes",
)  # fmt: skip
NO_ATTRIBUTE = stuck(
    "no-attribute", "{resource} has no attribute {name}",
    what="An attribute is read that the resource was not given.",
    why="The catalog holds only what was written.",
    example="file { '/a': } $o = File['/a']['owner']", fix="Give the resource the attribute.",
    rule="DeRefRes",
)  # fmt: skip
BAD_TITLE = stuck(
    "bad-title", "a title is a string, not {value}",
    what="The title of a resource is not a string, or is empty.",
    why="Titles name resources in the catalog.",
    example="file { 5: }", fix="Use a string.", rule="ResDecl",
)  # fmt: skip
DUPLICATE_RESOURCE = stuck(
    "duplicate-resource", "{resource} is already declared",
    what="Two resources have the same type and title, or would manage the same thing.",
    why="A well-formed catalog has at most one resource of a type and title.",
    example="file { '/a': } file { '/a': }", fix="Declare it once; a class may be included twice.",
    rule="ResDecl",
)  # fmt: skip
DUPLICATE_ATTRIBUTE = stuck(
    "duplicate-attribute", "the attribute {name} is given twice",
    what="A resource gives an attribute twice.", why="Only one value can be in the catalog.",
    example="file { '/a': mode => '1', mode => '2' }", fix="Remove one.",
)  # fmt: skip
UNKNOWN_TYPE = stuck(
    "unknown-type", "there is no resource type {name}",
    what="A resource has a type that is neither built in nor defined.",
    why="Neither ResDecl nor Def applies; in the dialect paper a define must stand before its use.",
    example="flie { '/a': }", fix="Check the spelling, or move the definition up.", rule="Def",
)  # fmt: skip
BAD_PARAMETER = stuck(
    "unknown-parameter", "{of} has no parameter {name}",
    what="An attribute is given that the type or class does not have.",
    why="Puppet refuses it (dialect like-puppet); merge of the calculus passes it over.",
    example="file { '/a': colour => 'red' }", fix="Check the spelling.", rule="merge",
)  # fmt: skip
BAD_VALUE = stuck(
    "bad-value", "{value} cannot be the {name} of {of}",
    what="A metaparameter has a value that it cannot have.",
    why="Puppet refuses it (dialect like-puppet); to the calculus it is an attribute like others.",
    example="notify { 'a': tag => 'two words' }",
    fix="A tag is a word; the stage of a class is the title of a stage.",
)  # fmt: skip
MISSING_PARAMETER = stuck(
    "missing-parameter", "{of} needs a value for ${name}",
    what="A parameter without default is not given.",
    why="merge(($x, ρ), v_H) is undefined unless x is a key of v_H.",
    example="class a ($x) { } include a", fix="Declare it with class { a: x => … }.", rule="merge",
)  # fmt: skip
UNKNOWN_CLASS = stuck(
    "unknown-class", "class {name} is not defined here",
    what="A class is declared that κ does not know.",
    why="In the dialect paper a class must be defined before it is declared.",
    example="include web class web { }", fix="Move the definition up, or use like-puppet.",
    rule="IncU",
)  # fmt: skip
CLASS_AGAIN = stuck(
    "class-again", "class {name} is already declared",
    what="A resource-like declaration names a class that is declared already.",
    why="Its parameters are bound; a second declaration could contradict them.",
    example="include a class { a: }", fix="Use include, which may come twice, or declare it first.",
    rule="CDecU",
)  # fmt: skip
REDEFINED = stuck(
    "redefined", "{name} is already defined",
    what="A class or defined type is defined twice.", why="The rules demand a ∉ dom(κ).",
    example="class a { } class a { }", fix="Merge the two definitions.", rule="CDef",
)  # fmt: skip
CYCLE = stuck(
    "cycle", "this never ends: {way}",
    what="Evaluation would go on for ever.",
    why="A class inherits from itself, or a defined type declares itself, so rules always apply.",
    example="class a inherits b { } class b inherits a { } include a",
    fix="Break the cycle that the message names.", rule="IncPU",
)  # fmt: skip
TOO_MANY_STEPS = stuck(
    "too-many-steps", "more than {bound} steps",
    what="The evaluation was given up.",
    why="The reference semantics is slow; a bound ends what may not end. The rules that a step "
    "rests on count too, and so do the entries of the configuration, 500 for one.",
    example="a manifest with a hundred thousand statements",
    fix="Use the default engine for large manifests, or allow more with --max-steps.",
)  # fmt: skip
TOO_LARGE = stuck(
    "too-large", "a value is larger than the bound of {bound}",
    what="A text, a number, an array or a hash has grown too large.",
    why="A few lines can double a value again and again; a bound ends that with a message.",
    example='$b = "${a}${a}"  $c = "${b}${b}"  … forty times',
    fix="Look for a value that is put together from its own copies.",
)  # fmt: skip
FAILED = stuck(
    "failed", "the manifest fails here: {message}",
    what="A call of fail was reached.", why="fail has no value; it refuses the manifest.",
    example="fail('not supported')", fix="See what the manifest checks before it.",
)  # fmt: skip
NO_NODE = stuck(
    "no-node", "no node definition is for {name}",
    what="There are node definitions and none matches.",
    why="Puppet then refuses to compile (dialect like-puppet); the calculus takes none of them.",
    example="node 'a' { }   compiled for b", fix="Add node default { }.", rule="NodeNoMatch",
)  # fmt: skip
NO_TARGET = stuck(
    "no-target", "{resource}, which {name} refers to, is not in the catalog",
    what="before, require, notify or subscribe names a resource that is not declared.",
    why="Puppet refuses it (dialect like-puppet).",
    example="file { '/a': require => File['/b'] }", fix="Declare it, or remove the reference.",
)  # fmt: skip
