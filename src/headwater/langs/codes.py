"""Codes that belong to no single language: files, bounds, the limits of the papers."""

from __future__ import annotations

from headwater.report import Code, Diagnostic
from headwater.text import Span, Unreadable
from headwater.text.reading import Unread

FILE_UNREADABLE = Code(
    name="file-unreadable",
    message="cannot read {file}: {reason}",
    what="A file that was named could not be read as text.",
    why="It is missing, may not be read, or is not UTF-8.",
    example="headwater compile nowhere.sf",
    fix="Check the name and the permissions; convert other encodings with iconv -t UTF-8.",
)

FOLDER_LOCKED = Code(
    name="folder-locked",
    message="cannot read {file}: {reason}",
    what="You may not list this folder, or not search it.",
    why=(
        "Nobody can tell what is in it. If it were taken for empty, the answer would silently "
        "leave out a part of what you asked about."
    ),
    example="chmod 000 manifests; headwater compile .",
    fix="Allow reading and searching it (chmod u+rx), or run as the user who may.",
)

NOT_A_REGULAR_FILE = Code(
    name="not-a-regular-file",
    message="{file} is not read: {reason}, and only regular files are read",
    what="A folder, a named pipe, a socket or a device was named where a file is wanted.",
    why=(
        "Reading a pipe may wait for ever and a device may never end; a link in a repository "
        "can lead to either."
    ),
    example="mkfifo facts.json; headwater compile --facts facts.json site.pp",
    fix="Name a regular file, or - for standard input where the command takes it.",
)

FILE_TOO_LARGE = Code(
    name="file-too-large",
    message="{file} is not read: {reason}",
    what="A file, or standard input, is larger than the bound (64 MiB unless it is raised).",
    why="A file of any size could exhaust the memory.",
    example="truncate -s 1T data/common.yaml",
    fix="Raise the bound with --max-file-size (a job has max_file_size), or split the file.",
)

FILE_OUTSIDE = Code(
    name="file-outside",
    message="{file} is not read: {reason}",
    what="A path leads to where nothing may be read.",
    why=(
        "Nothing under /dev, /proc and /sys is ever read; with --confined nothing outside of "
        "what was given on the command line, however it was reached: by an absolute path, "
        "by .. or by a link."
    ),
    example='headwater compile --confined site.sf, where site.sf has #include "/etc/passwd"',
    fix="Keep what belongs together in one folder and name it, or do without --confined.",
)

YAML_TOO_LARGE = Code(
    name="yaml-too-large",
    message="{file} is larger than the bound of {bound}",
    what="A YAML text stands for more values than the bound, or nests them deeper.",
    why=(
        "Aliases let a few lines stand for any number of values; a bound ends that with a "
        "message instead of an exhausted machine."
    ),
    example="a: &a [x, x]\n    b: &b [*a, *a]\n    c: &c [*b, *b]  … thirty times",
    fix="Write the data without aliases of aliases, or split the file.",
)

BEYOND_PAPER = Code(
    name="beyond-paper",
    message="{what} is outside the language of the paper",
    what="The reference semantics was asked for something its paper does not define.",
    why="--engine paper follows the paper rule by rule and stops where the paper stops.",
    example="headwater compile --engine paper --dialect production site.sf",
    fix="Use the default engine, which goes beyond the paper.",
)

OUTPUT_TOO_LARGE = Code(
    name="output-too-large",
    message="the result is larger than the bound of {bound}",
    what="The result has more values, or is nested deeper, than Headwater writes out.",
    why=(
        "A few lines can double a value again and again; a bound ends that with a message "
        "instead of an exhausted machine."
    ),
    example="a1 extends { l a0; r a0; }  a2 extends { l a1; r a1; }  … forty times",
    fix="Look for an attribute that is copied into its own copies.",
)

SEVERAL_FILES = Code(
    name="several-files",
    message="{language} compiles one file at a time; {count} were given",
    what="Several files were given to a language that does not compose files.",
    why="Only a composition language has a meaning for several files together.",
    example="headwater compile one.sf two.sf",
    fix="Compile them one by one, or include one from the other.",
)

UNKNOWN_ADDRESS = Code(
    name="unknown-address",
    message="there is no value at {address}",
    what="The address names nothing in the result.",
    why="The value has another name, was never set, or the address is misspelt.",
    example="headwater explain site.sf s1.web.prot",
    fix="headwater compile prints every name; the help line names the nearest.",
)

NO_SUCH_LINE = Code(
    name="no-such-line",
    message="{what}",
    what="A place was named that lies past the end of a file, or of a line of it.",
    why="The number is misspelt, or the file has changed since.",
    example="headwater impact site.sf:9999",
    fix="Name a line of the file; the message says how many it has.",
)

BAD_JOB = Code(
    name="bad-job",
    message="the job cannot be read: {reason}",
    what="A line of --jobs is not a job.",
    why="It is not JSON, not an object, or a field has the wrong type.",
    example='{"id": 1, "code": 5}',
    fix="Send one JSON object a line; docs/commands/compile.md lists the fields.",
)

CLASSIFIER_FAILED = Code(
    name="classifier-failed",
    message="the classifier says nothing of {node}: {reason}",
    what="The program of --classifier did not run, failed, or printed something else.",
    why="It is run with the name of the node, and prints YAML: classes, parameters, environment.",
    example="headwater compile web1 --classifier /usr/local/bin/enc",
    fix="Run it by hand with the name of the node.",
)

TIMEOUT = Code(
    name="timeout",
    message="no answer within {seconds} s",
    what="The time that a command or a job may take was up before there was an answer.",
    why="--timeout, or the field timeout of a job (300 by default), says how long it may take.",
    example="headwater compile --timeout 0.1 site.pp",
    fix="Look for a loop that grows with its input, or allow more seconds.",
)

INTERNAL_ERROR = Code(
    name="internal-error",
    message="a bug in Headwater: {what}",
    what="Headwater failed at a job; the other jobs of the stream are answered.",
    why="It is a mistake of ours, not of the program.",
    example="",
    fix="Please report it with the job.",
)


_KINDS = {
    "missing": FILE_UNREADABLE,
    "special": NOT_A_REGULAR_FILE,
    "too-large": FILE_TOO_LARGE,
    "outside": FILE_OUTSIDE,
    "locked": FOLDER_LOCKED,
}


def unread_code(unread: Unread | Unreadable) -> Code:
    """The code that says why a file is not read; its fields are file and reason."""
    return _KINDS[unread.kind]


def unread(why: Unread | Unreadable, file: str, at: Span) -> Diagnostic:
    """The diagnostic of a file that is not read."""
    return unread_code(why).at(at, file=file, reason=why.reason)
