"""What can be wrong with a store, whatever is kept in it."""

from headwater.report import Code

MISSING = Code(
    name="store-missing",
    message="there is no store {path}",
    what="The store that was named does not exist.",
    why="Only headwater run makes a store; the other commands need one.",
    example="headwater store log nowhere.db",
    fix="Check the name, or run a program with --store first.",
)

UNOPENABLE = Code(
    name="store-unopenable",
    message="the store cannot be opened: {reason}",
    what="The file of the store cannot be opened or made.",
    why="Its folder is missing, it is a folder itself, or it may not be read.",
    example="headwater run change.opal --store missing/folder/state.db --as ann",
    fix="Make the folder, or check the permissions.",
)

BAD_NAME = Code(
    name="store-bad-name",
    message="{path} cannot be the name of a store: {reason}",
    what="The name of a store is empty, or SQLite would not take it for a file.",
    why="What is committed to a database that is only in memory is lost with the process.",
    example="headwater run change.opal --store :memory: --as ann",
    fix="Name a file; write ./ before a name with a colon.",
)

OLDER = Code(
    name="store-older",
    message="the store has format {found}, and must be brought to format {known} first",
    what="The store was made by an earlier version, and this user may only read it.",
    why="Bringing a store up to date writes to it.",
    example="headwater store verify state.db   as a user who may not write it",
    fix="Let somebody who may write the store open it: headwater store log state.db.",
)

FOREIGN = Code(
    name="store-foreign",
    message="{path} is a database, but not a store of Headwater",
    what="The file is an SQLite database of another program.",
    why="A store carries a mark (application id) that this file lacks.",
    example="headwater store log places.sqlite",
    fix="Name the right file. Nothing was changed in this one.",
)

CORRUPT = Code(
    name="store-corrupt",
    message="the store is damaged: {reason}",
    what="The file is not a well-formed database, or its parts contradict each other.",
    why="It was cut off, overwritten or changed by hand, or the disk is failing.",
    example="printf garbage > state.db; headwater store log state.db",
    fix="Restore the last backup that headwater store verify accepts; docs/operations.md says how.",
)

NEWER = Code(
    name="store-newer",
    message="the store has format {found}, and this Headwater knows formats up to {known}",
    what="The store was written by a later version of Headwater.",
    why="A later version may keep things that this one would lose.",
    example="an old headwater on a store that a new one has opened",
    fix="Use the later version. Nothing was changed.",
)

LOCKED = Code(
    name="store-locked",
    message="the store is locked by another process; gave up after {seconds} s",
    what="Another process held the store for longer than this one waits.",
    why="A commit takes milliseconds; something else keeps a transaction open.",
    example="sqlite3 state.db 'BEGIN EXCLUSIVE' in a terminal that stays open",
    fix="Find the process that holds it (fuser state.db), then try again with the same --id.",
)

READ_ONLY = Code(
    name="store-read-only",
    message="the store cannot be written: {reason}",
    what="The file, its folder or its file system is read-only.",
    why="A commit writes the file and its -wal file beside it.",
    example="chmod a-w state.db; headwater run change.opal --store state.db --as ann",
    fix="Check the permissions of the file and of its folder. Nothing was changed.",
)

FULL = Code(
    name="store-full",
    message="there is no room to write the store: {reason}",
    what="The disk, or a limit on the size of files, is reached.",
    why="A commit needs room for its log entry and for the write-ahead log.",
    example="a store on a full disk",
    fix="Make room and try again with the same --id. Nothing of this commit was written.",
)

INPUT_OUTPUT = Code(
    name="store-io",
    message="reading or writing the store failed: {reason}",
    what="The operating system reported a failure.",
    why="A disk or a network file system is failing.",
    example="a store on a disk with bad blocks",
    fix="Check the disk, then headwater store verify; retry with the same --id.",
)

CHAIN_BROKEN = Code(
    name="store-chain-broken",
    message="entry {revision} of the log does not follow from the one before",
    what="The log was changed after it was written.",
    why="Each entry's digest covers the entry and the digest before it.",
    example="an entry edited or deleted by hand",
    fix="Restore a backup; compare its log with this one to see what was changed.",
)

DIFFERS_FROM_LOG = Code(
    name="store-differs-from-log",
    message="{key} is not what the log says: {reason}",
    what="Replaying the log gives another state than the store holds.",
    why="A value, a world, a text, a key or a policy was changed without an entry of the log.",
    example="a value edited by hand",
    fix="Restore a backup; the log says what it should be.",
)

ROLLED_BACK = Code(
    name="store-rolled-back",
    message="the log does not have the entry {expected}, which was known to be there",
    what="The store is an older copy, or its log was written anew.",
    why=(
        "A digest stands for the whole log up to its entry. What was done after the copy was "
        "made is forgotten: an endorsement that was used then could be used again."
    ),
    example="headwater store verify state.db --expect 7:DIGEST   after restoring a copy of entry 5",
    fix="Find out who put the file there; commit again what was lost, with new endorsements.",
)

SCHEMA_CHANGED = Code(
    name="store-schema-changed",
    message="the tables of the store were changed: {reason}",
    what="A table, an index or a trigger is missing, or there is one that does not belong there.",
    why="A trigger could change what is written; without ours, the log could be edited.",
    example="sqlite3 state.db 'DROP TRIGGER log_stay'",
    fix="Restore a backup; find out who could write the file.",
)

CLOCK_BACK = Code(
    name="store-clock-back",
    message="the clock went back: commit {revision} is of {at}, and the one before of {before}",
    what="A commit says that it is older than the commit before it.",
    why="With the clock set back, what has expired would hold again.",
    example="date -s yesterday; headwater run change.opal --store state.db --as ann",
    fix="Set the clock. Until it has caught up, times of the log count instead of its own.",
    severity="warning",
)

BAD_ENDORSEMENT = Code(
    name="store-bad-endorsement",
    message="commit {revision} has an endorsement of {principal} that does not hold: {reason}",
    what="A recorded signature does not fit its statement, or the statement another commit.",
    why="The record was changed after the commit.",
    example="a signature edited by hand",
    fix="Restore a backup; the commit itself checked the signature before it was made.",
)

ID_USED = Code(
    name="store-id-used",
    message="the id {id} belongs to {owner}",
    what="A program or world was given an id that something else has.",
    why="An id names one attempt for ever, so that a retry cannot commit twice.",
    example="headwater run other.opal --store state.db --as ann --id monday",
    fix="Use a new id; give an old one only to retry the same program as the same principal.",
)

NOT_TEXT = Code(
    name="store-not-text",
    message="{text} is not UTF-8 text, so no store holds it",
    what="A name that was given to a store has bytes in it that are no text.",
    why="Everything in a store is UTF-8.",
    example="headwater world show $'\\xff' --store state.db",
    fix="Write the name in UTF-8.",
)
