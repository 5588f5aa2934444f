"""The diagnostics of L3.  `paper` names the section of the paper that speaks of the case."""

from headwater.report import Code

SYNTAX = Code(
    name="l3-syntax",
    message="expected {expected}, found {found}",
    what="The text is not L3 at this place.",
    why="A word, value or sign stands where the grammar has none.",
    example="web: { port 80 }",
    fix="The message says what may stand there; docs/languages/l3.md has the grammar.",
)

MISSING_SEPARATOR = Code(
    name="l3-missing-separator",
    message="expected a comma or a new line before {found}",
    what="Two members or elements stand on one line with nothing between them.",
    why="Members are parted by a comma or a new line; anything else is likely a slip.",
    example="a: 1 b: 2",
    fix="Write a comma, or begin a new line.",
)

UNBALANCED = Code(
    name="l3-unbalanced",
    message="{what}",
    what="A brace, bracket or parenthesis has no partner.",
    why="Each {, [ and ( needs its }, ] and ), in the right order.",
    example="web: { port: 80",
    fix="Close what the label shows, or remove the one that closes nothing.",
)

UNTERMINATED_STRING = Code(
    name="l3-unterminated-string",
    message="this string is not closed on its line",
    what="A string has no closing quote on the line it begins.",
    why="A string may not hold a line break; \\n stands for one.",
    example='name: "web',
    fix='Close it with ".',
)

UNTERMINATED_COMMENT = Code(
    name="l3-unterminated-comment",
    message="this comment is not closed",
    what="A comment that begins with /* never ends.",
    why="Everything to the end of the file would be comment.",
    example="a: 1 /* to do",
    fix="Close it with */ (comments do not nest).",
)

UNKNOWN_CHARACTER = Code(
    name="l3-unknown-character",
    message="{character} means nothing here",
    what="A character that no part of the language uses.",
    why="It may come from another language or from a word processor.",
    example="port = 80",
    fix="Remove it; a label is followed by : and its value.",
)

BAD_NUMBER = Code(
    name="l3-bad-number",
    message="{text} is not a number: {reason}",
    what="Something begins like a number and is none.",
    why="Numbers are written as in JSON: no leading zeros or plus sign, digits after the point.",
    example="port: 080",
    fix="Write it as in JSON, or quote it as a string.",
)

BAD_ESCAPE = Code(
    name="l3-bad-escape",
    message="{escape} is no escape of L3 strings",
    what="A backslash in a string is followed by something unknown.",
    why='Escapes are those of JSON: \\n \\t \\r \\b \\f \\" \\\\ \\/ and \\u with four digits.',
    example='path: "C:\\web"',
    fix="Write \\\\ for a backslash.",
)

DUPLICATE_LABEL = Code(
    name="l3-duplicate-label",
    message="{label} is defined twice in this block",
    what="One block literal defines a label twice.",
    why="Neither of them comes first: order means nothing in L3, so the last does not win.",
    example="web: { port: 80, port: 8080 }",
    fix="Remove one, or compose two values on purpose: port: 80 #default <+> 8080.",
    help="remove one, or compose them: label: first <+> second",
)

TAG_ON_NOTHING = Code(
    name="l3-tag-on-nothing",
    message="the tag {tag} follows no value",
    what="A tag stands where a value should be.",
    why="Tags are written after the value they speak of.",
    example="port: #default 80",
    fix="Write the value first: port: 80 #default.",
)

CONSTRAINT_WITHOUT_TAGS = Code(
    name="l3-constraint-without-tags",
    message="{sign} needs a tag on both sides, as in #x {sign} #y",
    what="A precedence constraint lacks a tag.",
    why="Constraints order tags, never values.",
    example="c: ($a <+> $b) #alice >",
    fix="Write #x > #y: what is tagged #x takes precedence over what is tagged #y.",
)

MIXED_OPERATORS = Code(
    name="l3-mixed-operators",
    message="<+> and +> are mixed without parentheses",
    what="One expression has both <+> and +> side by side.",
    why="a <+> b +> c could mean two things that give different results.",
    example="c: $a <+> $b +> $d",
    fix="Say which goes together: ($a <+> $b) +> $d, or $a <+> ($b +> $d).",
    help="say which goes together: (a <+> b) +> c differs from a <+> (b +> c)",
)

LIST_ELEMENT = Code(
    name="l3-list-element",
    message="{what} cannot stand in a list",
    what="A list holds something that is not plain data.",
    why=(
        "A list is one value and is never merged, so nothing in it can be resolved: "
        "no references, tags, operators or undef."
    ),
    example="hosts: [$web, $db]",
    fix="Write plain values, or use a block with a label for each element.",
)

TOO_DEEP = Code(
    name="l3-too-deep",
    message="nested deeper than {bound} levels",
    what="Blocks, lists or parentheses are nested deeper than Headwater reads.",
    why="A bound ends endless nesting with a message instead of an exhausted machine.",
    example="x: ((((((… two hundred and one times",
    fix="Remove needless levels, or give inner blocks labels of their own and refer to them.",
)

BAD_TAG = Code(
    name="l3-bad-tag",
    message="{what}",
    what="--tag names no file of the program, or has no tag.",
    why="A tag on the command line belongs to one whole file, as if it were written after it.",
    example="--tag nowhere.yaml=#security",
    fix="Write FILE=#TAG with a file of the program; several tags and constraints may follow.",
)

NOT_A_BLOCK = Code(
    name="l3-not-a-block",
    message="a file must be a block of labels; this is {what}",
    what="A file that is to be composed is no block.",
    why="Files are joined label by label.",
    example="[1, 2, 3] in a file data.json",
    fix='Put it under a label: { "data": [1, 2, 3] }.',
)

BAD_YAML = Code(
    name="l3-bad-yaml",
    message="this cannot be read as YAML: {reason}",
    what="A YAML file cannot be read, or holds something that is no configuration data.",
    why=(
        "Blocks have text labels and plain values; anchors that contain themselves, merge keys "
        "(whose result depends on order), own types and several documents have no meaning here."
    ),
    example="<<: *base",
    fix="Correct the YAML; instead of a merge key compose in L3 with <+>.",
)

UNKNOWN_NAME = Code(
    name="l3-unknown-name",
    message="{what}",
    what="A reference names a label that no enclosing block defines.",
    why="$name is looked for in the blocks around it, outwards, then in all files together.",
    example="alice: $femal",
    fix="Correct the name, or define the label; the help line names the nearest.",
)

REFERENCE_CYCLE = Code(
    name="l3-reference-cycle",
    message="{name} refers to itself{through}",
    what="A value is defined in terms of itself.",
    why="A reference stands for the whole value of a label, also if it stands inside that value.",
    example="a: $b, b: { x: $a }",
    fix="Move the shared part under a label of its own that both can refer to.",
    help="the nearest block that defines the label is meant, also the one being defined",
)

FINAL_CLASH = Code(
    name="l3-final-clash",
    message="different final values meet at {address}: {values}",
    what="Two values tagged #final meet at one label.",
    why="A final value cannot be overridden by anyone, so two different ones cannot both hold.",
    example="a: 1 #final <+> 2 #final",
    fix="Its authors must agree: take #final off all but one, or make the values the same.",
    help="the authors must agree: a final value cannot be overridden, whatever constraints say",
    paper="§2 #final",
)

TIE = Code(
    name="l3-tie",
    severity="warning",
    message="{address} could be {values}; {taken}{cycle}",
    what="Several different values are left at one label and nothing ranks them.",
    why=(
        "The least value is taken (none < booleans < numbers < strings < lists < blocks), so the "
        "result does not depend on order; but nobody asked for that value."
    ),
    example="a: 1 <+> 2",
    fix="Tag one #default or #final, or tag both and say #x > #y. --strict makes it an error.",
    paper="footnote 7",
)

FINAL_DEFAULT = Code(
    name="l3-final-default",
    severity="warning",
    message="{what} tagged both #default and #final; #final holds",
    what="One value carries both #default and #final.",
    why="Tags of a block are inherited by everything in it, so they meet; final dominates.",
    example="p: { x: 1 #final } #default",
    fix="Remove the one that is not meant.",
    paper="footnote 8",
)

UNUSED_TAG = Code(
    name="l3-unused-tag",
    severity="warning",
    message="no constraint mentions the tag #{tag}",
    what="A tag is neither #default nor #final, and no constraint speaks of it.",
    why="Such a tag can decide nothing; it may be misspelt.",
    example="a: 1 #alise <+> 2 #bob, with #alice > #bob",
    fix="Correct its name, add a constraint, or remove it.",
)

IDLE_CONSTRAINT = Code(
    name="l3-idle-constraint",
    severity="warning",
    message="#{hi} > #{lo} never decides anything{why}",
    what="A constraint makes no difference to any value.",
    why="No two candidates with these tags meet under it, or something else decides first.",
    example="c: { x: 1 #alice } #alice > #bob",
    fix="Correct the names of the tags, move it to the block where they meet, or remove it.",
)

CONSTRAINT_CYCLE = Code(
    name="l3-constraint-cycle",
    severity="warning",
    message="these constraints form a cycle: {cycle}",
    what="Constraints rank a tag above itself.",
    why="Inside a cycle nothing takes precedence: values that meet there are tied.",
    example="c: ($a <+> $b) #x > #y #y > #x",
    fix="The authors of the lines shown must agree on one direction.",
)

ONLY_DEFAULTS = Code(
    name="l3-only-defaults",
    severity="note",
    message="only a default gives {address} its value",
    what="All candidates for a label are tagged #default.",
    why="The author of a default may not have meant it to be used as it stands.",
    example="a: 0 #default",
    fix="Give the value where you know it, or take #default off.",
    paper="§2 #default",
)

NOT_A_CANDIDATE = Code(
    name="l3-not-a-candidate",
    message="{value} is not among the values written for {address}",
    what="--to-win names a value that nobody wrote for this label.",
    why="Only a value that is written somewhere can win.",
    example="headwater explain site.l3 a.port --to-win 8081",
    fix="Name one of the candidates, which the labels show, or write the value first.",
)

CANNOT_WIN = Code(
    name="l3-cannot-win",
    message="no tag or constraint makes {value} win at {address}: {because}",
    what="Headwater tried its changes, and none makes the value win.",
    why="It comes from a file that cannot hold tags, or the same written values compete with a "
    "block around the label too, and a tag that decides the one contest decides the other.",
    example="a value from data.json against a #final one",
    fix="Change the values themselves, or copy the value into an .l3 file and tag it there.",
)
