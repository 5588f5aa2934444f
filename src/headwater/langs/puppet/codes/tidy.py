"""What is likely not meant in an environment as a whole (``check`` of a folder)."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

UNUSED_KEY = code(
    "unused-key",
    "{nobody} reads the key {key}{hint}",
    "A key of data is the parameter of no class, and no look-up names it; or, where a whole "
    "repository is checked, no node looks it up.",
    "A class or a parameter was renamed or is misspelt, or no node includes the class: the value "
    "has no effect.",
    "ntp::severs: [a]   (the class ntp has the parameter servers)",
    "Correct the key, or remove it; a node that uses it may be missing in the inventory.",
    None,
    "warning",
)
UNUSED_PARAMETER = code(
    "unused-parameter",
    "{kind} {name} does not read its parameter {parameter}",
    "No text of the module reads a parameter of a class or define.",
    "What is given for it has no effect.",
    "class a($port) { }",
    "Use it, or remove it here and where it is given.",
    None,
    "warning",
)
UNUSED_CLASS = code(
    "unused-class",
    "nothing includes the class {name}",
    "No manifest of the environment declares a class, by name or by one that is computed.",
    "It was replaced and stayed behind, or the name is misspelt where it is meant. Classes of "
    "modules that a Puppetfile lists are left out; a classifier may still name it.",
    "class profile::old { }",
    "Include it, or remove it.",
    None,
    "warning",
)
UNUSED_TEMPLATE = code(
    "unused-template",
    "nothing renders the template {name}",
    "No manifest or template of the environment names a template.",
    "It was replaced and stayed behind, or the name is misspelt where it is meant.",
    "templates/old.erb, which no template() names",
    "Render it, or remove it.",
    None,
    "warning",
)
READ_BEFORE = code(
    "read-before-assigned",
    "${name} is read before it is assigned",
    "A variable is read above the line that assigns it, in the same body.",
    "Puppet evaluates a body from top to bottom: the variable has no value yet, or that of a "
    "scope around.",
    'notify { "${x}": }\n$x = 1',
    "Assign it first.",
    None,
    "warning",
)
LEAKING_DEFAULT = code(
    "leaking-default",
    "these defaults for {type} hold in {other} too",
    "A class sets defaults of resources, and declares classes or defines of another module.",
    "Resource defaults hold for everything that is declared from there on inside, in whichever "
    "module; another module seldom expects that.",
    "class profile { File { mode => '0600' } include apache }",
    "Write the attributes with each resource, or with * => $defaults.",
    None,
    "warning",
)
