"""Codes about a repository: its file headwater.toml, its nodes, and the rules it keeps."""

from __future__ import annotations

from headwater.report import Code

REPOSITORY_FILE = Code(
    name="repository-file",
    message="{file} cannot be used: {reason}",
    what="The file headwater.toml is not TOML.",
    why="It says where everything else in the repository is, so nothing is guessed without it.",
    example="[puppet\n    level = 8",
    fix="Mend the line that is named; `headwater init --force` writes the file anew.",
)

REPOSITORY_KEY = Code(
    name="repository-key",
    message="{file} has no {what} {name}",
    what="A section or key of headwater.toml, or of a file of rules, is not known.",
    why="A misspelt key would be passed over in silence, and the answers would be wrong.",
    example="[puppet]\n    modulpath = ['modules']",
    fix="Use one of the keys of docs/repository.md; the help line names the nearest.",
)

REPOSITORY_VALUE = Code(
    name="repository-value",
    message="{name} must be {expected}, not {value}",
    what="A key of headwater.toml, or of a file of rules, has a value that it cannot have.",
    why="Each key has one type; docs/repository.md lists them.",
    example="[puppet]\n    level = 'eight'",
    fix="Write a value of the type that is named.",
)

REPOSITORY_PATH = Code(
    name="repository-path",
    message="{name}: there is no {kind} {path}",
    what="headwater.toml names a file or folder that is not there.",
    why="Paths are relative to the folder of headwater.toml, and to the environment for modules.",
    example="[nodes]\n    facts = 'fact'",
    fix="Correct the path, make the folder, or take the key out.",
)

REPOSITORY_PROGRAM = Code(
    name="repository-program",
    message="{root} holds no program that nodes could be compiled with",
    what="headwater.toml names no environment, and its folder does not look like one.",
    why="A program is an environment of Puppet: manifests, modules, an environment.conf.",
    example="[nodes]\n    facts = 'facts'      # and nothing else, above environments/production",
    fix='Say environment = "FOLDER" or environments = "FOLDER" in the section of the language.',
)

NO_NODES = Code(
    name="no-nodes",
    message="the repository has no nodes: {reason}",
    what="No facts, trusted data or classes of any node were found.",
    why="A program is compiled for a node: where there are none, nothing of it is checked.",
    example='[nodes]\n    facts = "facts"     and the folder facts is empty',
    fix="Put facts in the folder: a file for each node (facter --json), or an export of PuppetDB.",
    severity="warning",
)

NODE_SKIPPED = Code(
    name="node-skipped",
    message="{node} is left out: {reason}",
    what="The file with the facts, the trusted data or the classes of a node cannot be used.",
    why="The other nodes do not need it, so it is reported and passed over.",
    example="facts/web1.example.com.json is cut off in the middle",
    fix="Fetch the facts of the node again, or remove the file.",
    severity="warning",
)

NODE_TWICE = Code(
    name="node-twice",
    message="the facts of {node} are in {one} and in {other}",
    what="Two files have facts of the same node.",
    why="Facts of one node that are not of one time are not put together, nor is one file guessed.",
    example="facts/web1.example.com.json beside an export of all nodes, facts/all.json",
    fix="Remove one of them.",
)

NODE_ENVIRONMENT = Code(
    name="node-environment",
    message="{node} is in the environment {environment}, and there is none of that name",
    what="The facts of a node name an environment that the repository does not have.",
    why="Which program a node gets is never guessed.",
    example='"environment": "prodution" in the facts of a node',
    fix="Add the environment, mend the facts, or say --env on the command line.",
)

NODE_UNDECIDED = Code(
    name="node-undecided",
    message="{reason}",
    what="Of a node it is not known which environment it is in.",
    why="There are several environments, none of them is production, and the facts of the node name"
    " none (agent_specified_environment). Which program a node gets is never guessed.",
    example="environments/staging and environments/testing",
    fix="Say --env on the command line, or have the facts name the environment.",
)

RULE_BROKEN = Code(
    name="rule-broken",
    message="{address} {what}{reason}",
    what="A value breaks a rule about where it may come from.",
    why="A file of rules says where some values may be written, depend on or be overridden from.",
    example='values = ["File[/etc/sudoers*].*"]\n    only_from = ["site/security/**"]',
    fix="Write the value where the rule allows it, change the rule, or accept it in the baseline.",
)

BASELINE = Code(
    name="bad-baseline",
    message="{file} is no baseline: {reason}",
    what="The file of --baseline cannot be used.",
    why="It is written by check --accept, and holds the findings that are accepted.",
    example="headwater check --baseline notes.txt",
    fix="Write it anew: headwater check --baseline FILE --accept.",
)

NEW_KEY = Code(
    name="new-key",
    message="{file} has no key {key}: the edit adds it",
    what="An edit that is only supposed adds a key to a data file.",
    why="A slip of the pen would give the answer that nothing changes.",
    example="headwater whatif data/common.yaml:ntp::server='[a.example.com]'  # ntp::servers",
    fix="Nothing if the key is meant to be new; the help line names the nearest that is there.",
    severity="warning",
)

KEPT_DAMAGED = Code(
    name="kept-damaged",
    message="what is kept in {file} cannot be used ({reason}), and is worked out again",
    what="The file in which results are kept is damaged, or was made elsewhere.",
    why="Every entry has a digest, so that an entry that changed is never taken for an answer; "
    "a file that came with a repository may say anything.",
    example="cp -r control copy    # with the .headwater in it",
    fix="Nothing need be done: it is built anew. If it happens again, look at the disk.",
    severity="warning",
)

KEPT_UNAVAILABLE = Code(
    name="kept-unavailable",
    message="nothing is kept in {file}: {reason}",
    what="The place where results are kept cannot be reached, or cannot be written.",
    why="All work is done as if nothing had been kept, so that answers are the same; the next run "
    "will have to do it again.",
    example="HEADWATER_STORE=postgresql://nobody@127.0.0.1:1/none headwater fleet list",
    fix="Look at the server that HEADWATER_STORE names, or at who may write to .headwater; "
    "without HEADWATER_STORE a file is used, in the user's cache where .headwater cannot be (which "
    "HEADWATER_CACHE=off forbids).",
    severity="warning",
)
