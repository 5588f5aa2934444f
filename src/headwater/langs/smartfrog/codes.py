"""The diagnostics of SmartFrog.  `paper` is the paper's own name of the error."""

from headwater.langs.smartfrog.production.codes import (
    ASSERTION_FAILED,
    ASSERTION_LAZY,
    BAD_BYTES,
    BAD_GIVEN,
    CONTAINS_ITSELF,
    EXTERNAL_INPUT,
    FINAL_OVERRIDDEN,
    FUNCTION_FAILED,
    LINK_CYCLE,
    LINK_UNRESOLVED,
    NESTED_TOO_DEEP,
    NO_FUNCTION_CLASS,
    NOT_A_SCHEMA_ELEMENT,
    NOT_GIVEN,
    NOT_UTF8,
    OVERRIDES_NOTHING,
    PLACE_UNRESOLVED,
    RUNTIME_REFERENCE,
    SCHEMA_VIOLATED,
    STILL_TBD,
    TYPE_CYCLE,
    TYPE_NOT_COMPONENT,
    TYPE_UNRESOLVED,
    UNKNOWN_PHASE,
    UNSUPPORTED_CONSTANT,
    UNSUPPORTED_FUNCTION,
    UNSUPPORTED_VARIABLE,
)
from headwater.report import Code

SYNTAX = Code(
    name="sf-syntax",
    message="expected {expected}, found {found}",
    what="The text is not SmartFrog at this place.",
    why="A word, value or sign stands where the grammar (Appendix A of the paper) has none.",
    example="sfConfig extends { a 1, b 2; }",
    fix="The message says what may stand there.",
)

MISSING_SEMICOLON = Code(
    name="sf-missing-semicolon",
    message="expected ; after the value of {name}",
    what="A value is not followed by a semicolon.",
    why="Every basic value and every link ends with ; (a component does not need one).",
    example="sfConfig extends { port 80 host 1; }",
    help="write ; here",
    fix="Write the semicolon: port 80;",
)

UNCLOSED_BLOCK = Code(
    name="sf-unclosed-block",
    message="the file ends inside this block",
    what="An opening brace has no closing one.",
    why="Each { of a component needs its }.",
    example="sfConfig extends { a 1;",
    fix="Close the block; the label shows where it begins.",
)

UNCLOSED_VECTOR = Code(
    name="sf-unclosed-vector",
    message="this vector is not closed",
    what="An opening bracket has no closing one.",
    why="Each [ of a vector needs its ].",
    example="sfConfig extends { v [1, 2; }",
    fix="Write ] after the last element.",
)

UNTERMINATED_STRING = Code(
    name="sf-unterminated-string",
    message="this string is not closed on its line",
    what="A string has no closing quote on the line it begins.",
    why="A string may not hold a line break; \\n stands for one.",
    example='sfConfig extends { a "text; }',
    fix='Close it with ".',
)

UNTERMINATED_COMMENT = Code(
    name="sf-unterminated-comment",
    message="this comment is not closed",
    what="A comment that begins with /* never ends.",
    why="Everything to the end of the file would be comment.",
    example="sfConfig extends { } /* to do",
    fix="Close it with */ (comments do not nest).",
)

UNKNOWN_CHARACTER = Code(
    name="sf-unknown-character",
    message="{character} means nothing in SmartFrog",
    what="A character that no part of the language uses.",
    why="It may come from another language or from a word processor.",
    example="sfConfig extends { a = 1; }",
    fix="Remove it; names and values are only parted by blanks.",
)

BAD_NUMBER = Code(
    name="sf-bad-number",
    message="{text} is not a number: {reason}",
    what="Something begins like a number and is none.",
    why="Numbers are digits, 0x digits, or digits with a fraction and an exponent; no suffix.",
    example="sfConfig extends { a 10L; }",
    fix="Remove the suffix, complete the fraction, or quote it as a string.",
)

BAD_ESCAPE = Code(
    name="sf-bad-escape",
    message="{escape} is no escape of SmartFrog strings",
    what="A backslash in a string is followed by something unknown.",
    why='The escapes are \\n \\t \\r \\b \\f \\" \\\\ and \\u with four hexadecimal digits.',
    example='sfConfig extends { a "C:\\data"; }',
    fix="Double the backslash to get one.",
)

INCLUDE_MISSING = Code(
    name="sf-include-missing",
    message="cannot include {path}: {reason}",
    what="An included file cannot be read.",
    why="It is looked for beside the including file, then in the folders given with -I.",
    example='#include "nowhere.sf"',
    fix="Correct the path or add a folder with -I.",
)

INCLUDE_CYCLE = Code(
    name="sf-include-cycle",
    message="{path} includes itself",
    what="A file is included while it is being read.",
    why="Its statements would have no end.",
    example='#include "self.sf"  (in self.sf)',
    fix="Move what both files need into a third one.",
)

TOO_MANY_INCLUDES = Code(
    name="sf-too-many-includes",
    message="the includes exceed the bound of {bound}",
    what="The includes of a specification exceed a bound.",
    why="Files that include each other twice over double at every level.",
    example="a.sf includes b.sf twice, b.sf includes c.sf twice, …",
    fix="Include a file once.",
)

TOO_DEEP = Code(
    name="sf-too-deep",
    message="nested deeper than the {bound} levels of the reference semantics",
    what="The reference semantics was given a deeply nested specification.",
    why="It is recursive, as the paper's definitions are; the fast engine has no such bound.",
    example="headwater compile --engine paper deep.sf",
    fix="Use the default engine; the extended dialect keeps to the bound, so name inner parts.",
)

TOO_MUCH_COPYING = Code(
    name="sf-too-much-copying",
    message="more than {bound:,} attributes are copied from prototypes",
    what="Prototypes copy more attributes than the bound allows.",
    why="Components that extend ever longer components copy all of them again.",
    example="a2 extends a1, { x2 0; }  a3 extends a2, { x3 0; }  … ten thousand times",
    fix="Break long chains of prototypes.",
)

PARENT_NOT_STORE = Code(
    name="sf-parent-not-component",
    message="cannot set {target}: {parent} is not a component",
    what="A placement goes through a value that has no attributes.",
    why="Only a component can hold attributes.",
    example="sfConfig extends { a 1; a:b 2; }",
    fix="Make the parent a component with extends, or write to another place.",
    paper="err1",
)

NO_PARENT = Code(
    name="sf-no-parent",
    message="cannot set {target}: there is no {parent} here",
    what="A placement goes into a component that does not exist (yet) in this block.",
    why="The left side is not searched for in outer blocks, and it must come before.",
    example="sfConfig extends { a:b 2;  a extends { } }",
    fix="Write the component first, or correct its name.",
    paper="err2",
)

REPLACES_ROOT = Code(
    name="sf-replaces-root",
    message="the whole specification cannot be replaced",
    what="An empty reference was to be set.",
    why="No text can say this: the check guards the semantics.",
    example="(none)",
    fix="Please report how you got here.",
    paper="err3",
)

UNRESOLVED_PROTOTYPE = Code(
    name="sf-unresolved-prototype",
    message="cannot extend {name}: there is no {name} here or in an outer block",
    what="A prototype's name leads nowhere.",
    why="Prototypes must be written before they are used.",
    example="sfConfig extends { a extends p }  p extends { }",
    fix="Write the prototype first, or correct its name.",
    paper="err4",
)

NOT_A_PROTOTYPE = Code(
    name="sf-not-a-prototype",
    message="cannot extend {name}: it is not a component",
    what="The value that is extended has no attributes.",
    why="Only components can be prototypes.",
    example='sfConfig extends { p "x"; q extends p }',
    fix="Write q p; to copy a plain value.",
    paper="err4",
)

UNRESOLVED_LINK = Code(
    name="sf-unresolved-link",
    message="there is no {name} here or in an outer block",
    what="A reference leads nowhere.",
    why="References see what was written before them, in this block or in one around it.",
    example="sfConfig extends { a b;  b 1; }",
    fix="Write the attribute first, or correct its name; quote it if it was meant as text.",
    paper="err5",
)

NO_SFCONFIG = Code(
    name="sf-no-sfconfig",
    message="there is no component named sfConfig: {reason}",
    what="The specification does not say what to put out.",
    why="The result of a specification is its top-level component sfConfig.",
    example="server extends { port 80; }",
    fix="Put what should be deployed into sfConfig extends { … }.",
    paper="err7",
)

ORDER_CHANGED = Code(
    name="sf-order-changed",
    severity="warning",
    message="{name} lists {first} before {second}, but they come out the other way round",
    what="Attributes come out in another order than a prototype writes them.",
    why=(
        "An attribute keeps the place where it was first set, even when it is overridden; "
        "readers of an ordered list (firewall rules, say) may get a surprise (§10.4)."
    ),
    example="default extends { b 1; a 2; }  sfConfig extends { x extends default, { a 3; b 4; } }",
    fix="Write the attributes in the order of the first prototype.",
)

FORWARD_CYCLE = Code(
    name="sf-forward-cycle",
    message="forward links need each other: {cycle}",
    what="Links lead round in a circle, or one means a component that contains it.",
    why="None of the values on the circle is ever written down.",
    example="sfConfig extends { a b; b a; }  (--dialect extended)",
    fix="Give one of them a value.",
    paper="§9.2.2",
)

TOO_MANY_FORWARD = Code(
    name="sf-too-many-forward-links",
    message="more than {bound} links wait for the end of the specification",
    what="Components with forward links are copied so often that too many links wait.",
    why="Each copy has its own links, settled where it stands; copies of copies double them.",
    example="p extends { x later; } q extends { a p; b p; } and so on  (--dialect extended)",
    fix="Write what the links name before them, so that they do not wait.",
    paper="§9.2.2",
)

ORDER_CONTRADICTION = Code(
    name="sf-order-contradiction",
    message="these constraints cannot all hold: {cycle}",
    what="Ordering constraints lead round in a circle.",
    why=(
        "Constraints are inherited; a later one for the same two attributes replaces an earlier "
        "one, but three can still contradict each other, as can two in one block."
    ),
    example="sfConfig extends { order a < b; order b < a; a 1; b 2; }  (--dialect extended)",
    fix="Remove one of the constraints that the labels show.",
    paper="§10.4",
)

__all__ = [
    "ASSERTION_FAILED",
    "ASSERTION_LAZY",
    "BAD_BYTES",
    "BAD_ESCAPE",
    "BAD_GIVEN",
    "BAD_NUMBER",
    "CONTAINS_ITSELF",
    "EXTERNAL_INPUT",
    "FINAL_OVERRIDDEN",
    "FORWARD_CYCLE",
    "FUNCTION_FAILED",
    "INCLUDE_CYCLE",
    "INCLUDE_MISSING",
    "LINK_CYCLE",
    "LINK_UNRESOLVED",
    "MISSING_SEMICOLON",
    "NESTED_TOO_DEEP",
    "NOT_A_PROTOTYPE",
    "NOT_A_SCHEMA_ELEMENT",
    "NOT_GIVEN",
    "NOT_UTF8",
    "NO_FUNCTION_CLASS",
    "NO_PARENT",
    "NO_SFCONFIG",
    "ORDER_CHANGED",
    "ORDER_CONTRADICTION",
    "OVERRIDES_NOTHING",
    "PARENT_NOT_STORE",
    "PLACE_UNRESOLVED",
    "REPLACES_ROOT",
    "RUNTIME_REFERENCE",
    "SCHEMA_VIOLATED",
    "STILL_TBD",
    "SYNTAX",
    "TOO_DEEP",
    "TOO_MANY_FORWARD",
    "TOO_MANY_INCLUDES",
    "TOO_MUCH_COPYING",
    "TYPE_CYCLE",
    "TYPE_NOT_COMPONENT",
    "TYPE_UNRESOLVED",
    "UNCLOSED_BLOCK",
    "UNCLOSED_VECTOR",
    "UNKNOWN_CHARACTER",
    "UNKNOWN_PHASE",
    "UNRESOLVED_LINK",
    "UNRESOLVED_PROTOTYPE",
    "UNSUPPORTED_CONSTANT",
    "UNSUPPORTED_FUNCTION",
    "UNSUPPORTED_VARIABLE",
    "UNTERMINATED_COMMENT",
    "UNTERMINATED_STRING",
]
