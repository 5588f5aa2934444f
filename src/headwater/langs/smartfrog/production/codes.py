"""The diagnostics of production SmartFrog.  `paper` names the phase that rejects."""

from headwater.report import Code

BAD_BYTES = Code(
    name="sf-bad-bytes",
    message="this byte array cannot be read: {reason}",
    what="A byte array has digits that do not make bytes.",
    why="#HEX# has two digits a byte, #DEC# and #OCT# three, #BIN# eight; #B64# is base 64.",
    example="sfConfig extends { a #HEX#ABC#; }",
    fix="Complete the digits of the last byte.",
    paper="phase raw",
)

NOT_UTF8 = Code(
    name="sf-not-utf8",
    severity="warning",
    message="{file} is not UTF-8 from here on; it is read as Latin-1",
    what="A file of the production dialect has a byte that UTF-8 does not allow there.",
    why=(
        "The production compiler reads bytes in the character set of the machine, so files from "
        "before UTF-8 are common. In Latin-1 every byte is a character; another set would give "
        "other characters."
    ),
    example='sfConfig extends { who "Jos\\xe9"; }, saved as Latin-1',
    fix="Convert the file: iconv -f LATIN1 -t UTF-8.",
    paper="phase raw",
)

NESTED_TOO_DEEP = Code(
    name="sf-nested-too-deep",
    message="nested deeper than {bound} levels",
    what="Blocks, parentheses or vectors are nested deeper than the bound.",
    why="The parser of the production dialect follows nesting level by level.",
    example="a ((((((((… 1 …))))))));",
    fix="Name some of the inner values.",
    paper="phase raw",
)

TYPE_UNRESOLVED = Code(
    name="sf-type-unresolved",
    message="cannot find the prototype {name}: {part} is not there",
    what="A component extends something that is not there.",
    why="The name is looked for from the component itself outwards, in the whole specification.",
    example="sfConfig extends { a extends Nope; }",
    fix="Correct the name, define it, or include the file that defines it.",
    help="every part of the name but the last must be a component",
    paper="phase type",
)

TYPE_NOT_COMPONENT = Code(
    name="sf-type-not-component",
    message="{name} cannot be a prototype: it is {value}, not a component",
    what="A component extends a plain value.",
    why=(
        "Only components have attributes to inherit. The name is looked for in the component "
        "itself first: an attribute of a later block can be in the way."
    ),
    example="sfConfig extends { p 1; a extends p; }",
    fix="Rename the attribute that is in the way, or name another prototype.",
    paper="phase type",
)

TYPE_CYCLE = Code(
    name="sf-type-cycle",
    message="{name} extends itself",
    what="A component would inherit from itself, or from a component it lies in.",
    why="Its attributes would have no end.",
    example="sfConfig extends { a extends sfConfig; }",
    fix="Move what is to be inherited into a component of its own.",
    paper="phase type",
)

FINAL_OVERRIDDEN = Code(
    name="sf-final-overridden",
    message="{name} is tagged sfFinal and may not be overridden",
    what="An attribute is set although its prototype has it for good.",
    why="The tag sfFinal says that no component may set the attribute anew.",
    example="P extends { [sfFinal] port 80; } sfConfig extends P, { port 81; }",
    fix="Remove the attribute, or the tag.",
    paper="phase type or place",
)

OVERRIDES_NOTHING = Code(
    name="sf-overrides-nothing",
    message="{name} is tagged sfOverride, and no prototype has it",
    what="An attribute that must override one overrides none.",
    why="The tag sfOverride guards against misspelt names.",
    example="P extends { x 1; } sfConfig extends P, { [sfOverride] y 2; }",
    fix="Correct the name, or remove the tag.",
    paper="phase type",
)

PLACE_UNRESOLVED = Code(
    name="sf-place-unresolved",
    message="cannot place {target}: {part} {reason}",
    what="An attribute is to go into a component that is not there.",
    why=(
        "The first part of the left side is looked for in the component it is written in, "
        "nowhere further out; every part but the last must be a component."
    ),
    example="a extends { } sfConfig extends { a:n 1; }",
    fix="Write the path from the component the line stands in.",
    paper="phase place",
)

NO_FUNCTION_CLASS = Code(
    name="sf-no-function-class",
    message="{key} is a function without an sfFunctionClass",
    what="A function does not say which.",
    why="The attribute sfFunctionClass names the function.",
    example="sfConfig extends { a APPLY { -- 1; }; }",
    fix="Set sfFunctionClass, or extend a function that does.",
    paper="phase function",
)

NOT_A_SCHEMA_ELEMENT = Code(
    name="sf-not-a-schema-element",
    message="{name} of the schema {key} does not describe an attribute",
    what="A schema holds something that is no schema element.",
    why="Every attribute of a schema extends one of Integer, String, OptionalVector and so on.",
    example="sfConfig extends { s extends Schema, { port 80; } }",
    fix="Write port extends Integer, or move the value out of the schema.",
    paper="phase function",
)

LINK_UNRESOLVED = Code(
    name="sf-link-unresolved",
    message="cannot resolve {name}: {reason}",
    what="A link leads nowhere.",
    why=(
        "The nearest enclosing component with the first name decides: the rest of the path must "
        "be there, even if a component further out has it."
    ),
    example="sfConfig extends { a nowhere; }",
    fix="Correct the path, or make the link OPTIONAL or LAZY.",
    paper="phase link",
)

LINK_CYCLE = Code(
    name="sf-link-cycle",
    message="the value needs itself: {cycle}",
    what="Links lead round in a circle.",
    why="None of the values on the circle is ever written down.",
    example="sfConfig extends { a b; b a; }",
    fix="Give one of them a value; PARENT:a looks past an attribute of the same name.",
    paper="phase link",
)

CONTAINS_ITSELF = Code(
    name="sf-contains-itself",
    message="{name} leads back to a component it lies in: {way} would go on for ever",
    what="A link means a component that contains the link.",
    why="A link stands for the component itself, so the result would have no end.",
    example="sfConfig extends { a extends { b a; } }",
    fix="Write DATA or LAZY before the link, or extend a prototype instead.",
    paper="phase link",
)

STILL_TBD = Code(
    name="sf-still-tbd",
    message="the attribute is still to be defined (TBD)",
    what="A value that every user of a component must set has not been set.",
    why="TBD says that somebody else will write the value.",
    example="P extends { x TBD; } sfConfig extends { a extends P; }",
    fix="Set the attribute in the component that extends this one.",
    paper="phase link",
)

RUNTIME_REFERENCE = Code(
    name="sf-runtime-reference",
    message="{name} is known only where the system runs",
    what="A reference to a host or process must be resolved while compiling.",
    why="HOST and PROCESS mean parts of a running system.",
    example="sfConfig extends { a HOST localhost:x; }",
    fix="Write LAZY before it.",
    help="write LAZY before it",
    paper="phase link",
)

NOT_GIVEN = Code(
    name="sf-not-given",
    message="{name} has not been given",
    what="A property or environment variable is asked for that Headwater was not told.",
    why="A configuration should not change with whoever compiles it, so nothing is read unasked.",
    example="sfConfig extends { a PROPERTY user.home; }",
    fix="Give it with --property NAME=VALUE, or allow it with --env-allow NAME.",
    paper="phase link",
)

BAD_GIVEN = Code(
    name="sf-bad-given",
    message="{part} cannot be used: {reason}",
    what="IPROPERTY or IENVPROPERTY was given something that is no integer.",
    why="The I says that the value is read as an integer.",
    example="headwater compile --property n=x main.sf, with a IPROPERTY n;",
    fix="Give an integer, or use PROPERTY.",
    paper="phase link",
)

UNSUPPORTED_CONSTANT = Code(
    name="sf-unsupported-constant",
    message="the constant {name} is not known here",
    what="CONSTANT names a static field of a class of Java.",
    why="Headwater knows those of java.lang's numbers only; it does not run Java.",
    example='sfConfig extends { a CONSTANT "my.Own.FIELD"; }',
    fix="Write the value, or take it from a PROPERTY.",
    help="write the value, or take it from a PROPERTY",
    paper="phase link",
)

UNSUPPORTED_VARIABLE = Code(
    name="sf-unsupported-variable",
    message="VAR needs a constraint solver, which Headwater does not have",
    what="A value is left to a constraint solver.",
    why="Production hands such values to an external solver; Headwater solves nothing.",
    example="sfConfig extends { a VAR; }",
    fix="Write the value, or override the attribute where the component is used.",
    help="write the value here, or override it where the component is used",
    paper="phase link",
)

UNSUPPORTED_FUNCTION = Code(
    name="sf-unsupported-function",
    message="the function {name} is not known here",
    what="A function is applied that Headwater does not have.",
    why="Functions are classes of Java; the usual ones are built in, others cannot be run.",
    example='sfConfig extends { a APPLY { sfFunctionClass "my.Own"; }; }',
    fix="Write the value, or make the function LAZY so that it is kept for run time.",
    help="make it LAZY to keep it for run time",
    paper="phase link",
)

EXTERNAL_INPUT = Code(
    name="sf-external-input",
    message="{name} asks the outside world, which needs --external",
    what="The result would depend on chance, the time or what somebody types.",
    why="A configuration should come out the same every time unless that is wanted.",
    example="sfConfig extends { a extends random; }",
    fix="Compile with --external; what was heard is listed among the inputs of the value.",
    help="compile with --external to allow it",
    paper="phase link",
)

FUNCTION_FAILED = Code(
    name="sf-function-failed",
    message="{name} has no value: {reason}",
    what="A function was given arguments it cannot work with.",
    why="Functions check the kinds of their arguments; nothing is converted silently.",
    example='sfConfig extends { a (1 + "x"); }',
    fix="The message says which kind was expected.",
    paper="phase link",
)

ASSERTION_FAILED = Code(
    name="sf-assertion-failed",
    message="the assertion {name} does not hold: {reason}",
    what="A component breaks an assertion that its prototype makes.",
    why="Assertions are checked once all links are resolved.",
    example="sfConfig extends { a extends Assertions, { p (1 > 2); } }",
    fix="Correct the value that the assertion is about.",
    paper="phase link",
)

ASSERTION_LAZY = Code(
    name="sf-assertion-lazy",
    message="the static assertion {name} depends on a lazy value",
    what="An assertion that must be checked now cannot be.",
    why="sfAssertionPhase is static, and a value it needs is known at run time only.",
    example='a extends Assertions, { sfAssertionPhase "static"; p LAZY x; }',
    fix='Use "staticLazy" or "dynamic".',
    paper="phase link",
)

SCHEMA_VIOLATED = Code(
    name="sf-schema-violated",
    message="error in schema: {reason}",
    what="A component does not fit the schema it holds.",
    why="A schema says which attributes there must be, bound how, and of which class.",
    example="sfConfig extends { s extends Schema, { port extends Integer; } }",
    fix="Set the attribute as the schema wants it.",
    paper="phase link",
)

UNKNOWN_PHASE = Code(
    name="sf-unknown-phase",
    message="the phase {name} is not known here; there are {known}",
    what="A phase is asked for that Headwater does not have.",
    why="phaseList and --phase name phases; other phases run classes of Java.",
    example='phaseList [|"type", "myPhase"|];',
    fix="Leave the phase out.",
    paper="phaseList",
)
