"""Codes that belong to no single language: files, bounds, the limits of the papers."""

from headwater.report import Code

FILE_UNREADABLE = Code(
    name="file-unreadable",
    message="cannot read {file}: {reason}",
    what="A file that was named could not be read as text.",
    why="It is missing, is a folder, may not be read, or is not UTF-8.",
    example="headwater compile nowhere.sf",
    fix="Check the name and the permissions; convert other encodings with iconv -t UTF-8.",
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

BAD_JOB = Code(
    name="bad-job",
    message="the job cannot be read: {reason}",
    what="A line of --jobs is not a job.",
    why="It is not JSON, not an object, or a field has the wrong type.",
    example='{"id": 1, "code": 5}',
    fix="Send one JSON object a line; docs/commands/compile.md lists the fields.",
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
