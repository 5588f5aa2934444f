"""Everything that can be wrong with an Opal program; `paper` is the name on the design page."""

from headwater.report import Code

SYNTAX = Code(
    name="opal-syntax",
    paper="E001",
    message="{found} cannot stand here; expected {expected}",
    what="The text does not follow the grammar of Opal.",
    why=(
        "A word, bracket or dot is missing or too much. A path such as n.x is written without "
        "blanks; the dot of a pair has a blank or a bracket on both sides."
    ),
    example="with n do { handle n.x := inc with (n.x.n.y) merging o h c to n.h in { inc } }",
    fix="Write (n.x . n.y) for a pair; every block is { … } and commands are parted by ;.",
)

EXTENSION_OFF = Code(
    name="opal-extension-off",
    paper="E001",
    message="{what} is an extension of Opal and extensions are off",
    what="The program uses a form that the paper's grammar does not have.",
    why="Without --ext, Headwater accepts exactly the paper's language.",
    example='with n do { n.x := "on" }',
    fix='Compile with --ext (in a job: "ext": true), or write it in the paper\'s language.',
    help="turn extensions on with --ext",
)

UNKNOWN_OPERATION = Code(
    name="opal-unknown-operation",
    paper="E010",
    message="operation {op} has no handler in scope",
    what="An operation is called outside every handle that defines it.",
    why="The name is misspelt, or the handle's block has ended.",
    example="with n do { zap }",
    fix="Put the call inside handle n.v := op … in { … }.",
)

NO_PERMISSION = Code(
    name="opal-no-permission",
    paper="E011",
    message="{node} has given no permission here",
    what="A variable of a node is read or handled without the permission of the node.",
    why="Every access to n.v must stand inside with n do { … }.",
    example="handle n.x := inc with () merging o h c to n.h in { inc }",
    fix="Wrap it in with n do { … }.",
)

UNDEFINED_VARIABLE = Code(
    name="opal-undefined-variable",
    paper="E012",
    message="{place} is not defined here: no handler for it is open",
    what="A variable is read outside every handle that defines it.",
    why="A variable can be read only inside the block of its handle.",
    example="with n do { if n.z = () then { skip } else { skip } }",
    fix="Move the read into the block of the handle, or handle the variable here.",
)

WORLD_UNAVAILABLE = Code(
    name="opal-world-unavailable",
    paper="E013",
    message="world {world} is not available here: {reason}",
    what="A world is used where it does not exist, or not any more.",
    why=(
        "A world is used at most once: committing or moving it takes it away, and it cannot "
        "cross the border of a handle or of a hyp."
    ),
    example="u := hyp { skip }; commit u; commit u",
    fix="Declare the world in the same block, and commit it once.",
)

MERGE_NAMES = Code(
    name="opal-merge-names",
    paper="E015",
    message="the merge names must differ, and {name} stands twice",
    what="Two of the three names after merging are equal.",
    why="They are the original, the hypothetical and the current value: three variables.",
    example="with n do { handle n.x := f with () merging h h c to n.h in { f } }",
    fix="Give three different names, such as o h c.",
)

WORLD_IN_HANDLER = Code(
    name="opal-world-in-handler",
    paper="E016",
    message="handler and merge expressions may not read a world",
    what="The expression after with or to of a handle reads a world.",
    why="It runs later, when that world may be gone or be another one.",
    example="… handle n.x := f with u.n.x merging o h c to n.h in { f }",
    fix="Read the world in the test of an if instead.",
)

WORLD_DROPPED = Code(
    name="opal-world-dropped",
    paper="W002",
    severity="warning",
    message="world {world} (line {line}) is dropped here without a commit",
    what="A world variable is assigned while it still holds a world.",
    why="What was tried in the first world is lost.",
    example="u := hyp { skip }; u := hyp { skip }; commit u",
    fix="Commit the first world, or use another name.",
)

NO_MERGE_OUTSIDE = Code(
    name="opal-no-merge-outside",
    paper="W004",
    severity="warning",
    message="{place} is first handled inside a hyp, so a commit has no merge for it",
    what="A variable is handled inside a hypothetical world and not around it.",
    why=(
        "The commit stands outside the handle: it adopts the hypothetical value if nobody else "
        "changed the variable, and otherwise fails with a conflict."
    ),
    example="with n do { u := hyp { handle n.x := f with () merging o h c to n.h in { f } } }",
    fix="Handle the variable around the hyp and the commit.",
)

ENDORSEMENT_DENIED = Code(
    name="opal-endorsement-denied",
    paper="R001",
    message="{node} did not endorse this block at {location}",
    what="The principal of a with said no.",
    why="A program that lacks an endorsement has no effect at all.",
    example="with n do { skip }   with an endorser who refuses",
    fix="Ask the owner, or leave the block out.",
)

MERGE_CONFLICT = Code(
    name="opal-merge-conflict",
    paper="R002",
    message="{place} was changed both in the world and outside it, and has no merge here",
    what="A commit meets a changed variable that no open handle covers.",
    why="The variable was first handled inside the hyp, so its merge ended there.",
    example="u := hyp { … handles n.x … }; … handles n.x …; commit u",
    fix="Handle the variable around the hyp and the commit.",
    help="handle it around the hyp and the commit, so that its merge decides",
)

UNBOUND_VARIABLE = Code(
    name="opal-unbound-variable",
    paper="R003",
    message="{place} has no value",
    what="A variable was read that no store binds.",
    why="Typing excludes it; it shows only when a program is run without its types checked.",
    example="with n do { if n.z = () then { skip } else { skip } }",
    fix="Handle the variable first.",
)

PERMISSION_MISSING = Code(
    name="opal-permission-missing",
    paper="R004",
    message="{node} has not given permission",
    what="A variable was accessed at run time without the permission of its node.",
    why="Typing excludes it; it shows only when a program is run without its types checked.",
    example="handle n.x := f with () merging o h c to n.h in { f }",
    fix="Wrap it in with n do { … }.",
)

WORLD_GONE = Code(
    name="opal-world-gone",
    paper="R005",
    message="there is no world {world}",
    what="A world variable holds no world at run time.",
    why="Typing excludes it; it shows only when a program is run without its types checked.",
    example="commit u",
    fix="Declare the world, and commit it once.",
)

MERGE_REFUSED = Code(
    name="opal-merge-refused",
    paper="R006",
    message="the merge of {place} refuses: {reason}",
    what="A merge ended in conflict, so the commit has no effect and the program no result.",
    why="The handle's merge is conflict, or a preset that found two changes it cannot join.",
    example="… merging refuse in { u := hyp { f }; g; commit u }",
    fix="Open the world later, or choose a merge that decides.",
)

NESTING_TOO_DEEP = Code(
    name="opal-nesting-too-deep",
    paper="R007",
    message="the program is nested deeper than the bound of {bound:,} levels",
    what="Blocks, brackets or chains of and/or are nested too deeply.",
    why="A bound ends this with a message instead of an exhausted machine.",
    example="((((((((((… ten thousand brackets",
    fix="Split the program or the expression.",
)

TOO_DEEP = Code(
    name="opal-value-too-deep",
    paper="R007",
    message="a value is deeper than the bound of {bound:,} levels",
    what="A value is nested too deeply.",
    why="A bound ends this with a message instead of an exhausted machine.",
    example="a counter that is incremented more than a million times",
    fix="Keep values small.",
)

TOO_LARGE = Code(
    name="opal-value-too-large",
    paper="R007",
    message="a value is larger than the bound of {bound:,} nodes",
    what="A value would be an enormous tree if it were written out.",
    why="An operation that pairs a variable with itself doubles it at every call.",
    example="handle n.x := double with (n.x . n.x) … and sixty calls of double",
    fix="Look for a variable that is paired with itself.",
)

TOO_MANY_VALUES = Code(
    name="opal-too-many-values",
    paper="R007",
    message="the program makes more than the bound of {bound:,} different values",
    what="A run made too many different values.",
    why="A bound ends this with a message instead of an exhausted machine.",
    example="a very long program that never makes the same value twice",
    fix="Split the program.",
)

TOO_MANY_STEPS = Code(
    name="opal-too-many-steps",
    paper="R007",
    message="the program takes more than the bound of {bound:,} steps",
    what="A run took too many steps.",
    why="Searching a long list again and again is quadratic work.",
    example="a hundred thousand times: if n.x in n.y then { f } else { g }",
    fix="Split the program, or keep lists short.",
)

BAD_INPUT = Code(
    name="opal-bad-input",
    message="the input {name} cannot be used: {reason}",
    what="One of the inputs initial, endorse, at or ext is not what it should be.",
    why="initial maps n.x to an S-expression, endorse lists principals, at is a name.",
    example='{"initial": {"n.x": [1, 2, 3]}}',
    fix="An S-expression is [] or a list of two S-expressions.",
)

FAST_FORWARD = Code(
    name="opal-merge-fast-forward",
    severity="warning",
    message="this merge does not fast-forward: {example}",
    what="A change made only in the world is not what the commit gives.",
    why="The law is m(x, y, x) = y: nobody else changed the variable, so the world's value wins.",
    example="merging o h c to n.c",
    fix="Return the hypothetical value when the current one is the original.",
)

NO_OP = Code(
    name="opal-merge-no-op",
    severity="warning",
    message="this merge loses changes made outside the world: {example}",
    what="A world that wrote the original value back undoes a change made outside.",
    why="The law is m(x, x, y) = y: the world changed nothing, so the current value stays.",
    example="merging o h c to n.h",
    fix="Use a preset such as hyp, which decides only real conflicts (an extension).",
)

AGREEMENT = Code(
    name="opal-merge-agreement",
    severity="warning",
    message="this merge changes what both sides agree on: {example}",
    what="World and outside made the same change, and the commit gives something else.",
    why="The law is m(x, y, y) = y.",
    example="merging o h c to (n.h . n.c)",
    fix="Return the common value when both sides are equal.",
)

SYMMETRY = Code(
    name="opal-merge-symmetry",
    severity="note",
    message="the result of this merge depends on who commits first: {example}",
    what="Exchanging the hypothetical and the current value changes the merge.",
    why="With m(x, y, z) = m(x, z, y) the order of two commits would not matter.",
    example="merging o h c to n.h",
    fix="Nothing, if the order is meant to matter.",
)

READS_ITSELF = Code(
    name="opal-reads-itself",
    severity="warning",
    message="{place} is () here, not the value it had: {writes} {value}",
    what="An assignment or a handle reads the variable that it gives a new value.",
    why="Every handle begins with (), by the rule HANDLE, and n.x := s is short for a handle.",
    example="n.count := (() . n.count)",
    fix="Copy the value to another variable first, in a handle around this one, and read that.",
    help="copy the value to another variable in a handle around this one, and read that",
)
