"""What can be wrong with classes, resources and the catalog they make."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

UNKNOWN_CLASS = code(
    "unknown-class",
    "no class is called {name}",
    "A class is declared or inherited from that is not defined.",
    "Classes stand in the manifest, or in manifests/ of a module on the modulepath.",
    "include nosuch",
    "Check the name, and the modulepath.",
    "RUNTIME_ERROR",
)
UNKNOWN_TYPE = code(
    "unknown-type",
    "no type of resource is called {name}",
    "A resource is declared, or referred to, whose type nobody defines.",
    "Types are built in, defined with define, or stand in lib/puppet/type of a module.",
    "nosuchtype { 'x': }",
    "Check the name, and the modulepath.",
    "UNKNOWN_RESOURCE_TYPE",
)
REDEFINED = code(
    "redefined",
    "{what} {name} is defined twice",
    "Two classes, defines or nodes have one name.",
    "Puppet 7 does not merge definitions.",
    "class a { }\nclass a { }",
    "Rename or remove one; the label shows the other.",
    "RUNTIME_ERROR",
)
UNKNOWN_PARAMETER = code(
    "unknown-parameter",
    "{resource} has no parameter called {name}",
    "A resource or class is given a parameter it does not have.",
    "The parameters are those of its type or definition, and the metaparameters.",
    "file { '/x': bogus => 1 }",
    "Check the name.",
    "RUNTIME_ERROR",
)
MISSING_PARAMETER = code(
    "missing-parameter",
    "{resource} needs a value for its parameter {name}",
    "A parameter without a default is not given, and Hiera has no value for it.",
    "Parameters without a default must be given.",
    "define d($x) { }\nd { 'a': }",
    "Give it, or give the parameter a default.",
    "RUNTIME_ERROR",
)
METAPARAMETER = code(
    "metaparameter",
    "the parameter ${name} is called like one that all resources have",
    "A class or define has a parameter with the name of a metaparameter.",
    "Whoever gives the metaparameter gives the parameter too; without a default Puppet refuses it.",
    "define d($before) { }",
    "Choose another name.",
    "RUNTIME_ERROR",
)
PARAMETER_ORDER = code(
    "parameter-order",
    "{resource}: the default of ${name} reads ${other}, which has no value yet",
    "The default of a parameter reads a later parameter.",
    "Defaults are evaluated from left to right.",
    "define d($a = $b, $b = 1) { }",
    "Change the order of the parameters.",
    "RUNTIME_ERROR",
)
DUPLICATE_RESOURCE = code(
    "duplicate-resource",
    "{resource} is declared already",
    "Two resources have one type and title.",
    "A resource may be declared once in a catalog.",
    "notify { 'x': }\nnotify { 'x': }",
    "Remove one; the label shows the other.",
    "RUNTIME_ERROR",
)
DUPLICATE_NAME = code(
    "duplicate-name",
    "{resource} cannot also be called {alias}: another resource is",
    "Two resources of one type manage the same thing under different titles.",
    "The name of a resource (path, user name …) must be unique in a catalog.",
    "user { 'a': name => 'joe' }\nuser { 'b': name => 'joe' }",
    "Remove one; the label shows the other.",
    "RUNTIME_ERROR",
)
BAD_TITLE = code(
    "bad-title",
    "{message}",
    "The title of a resource is not a text, is empty, or is there twice.",
    "A title is a text that is not empty.",
    "notify { 1: }",
    "Put quotes around it.",
    "ILLEGAL_TITLE_TYPE_AT",
)
DUPLICATE_ATTRIBUTE = code(
    "duplicate-attribute",
    "the attribute {name} is given twice",
    "An attribute of a resource is given twice in one body.",
    "Only one of the values could be used.",
    "notify { 'x': message => 1, message => 2 }",
    "Remove one.",
    "DUPLICATE_ATTRIBUTE",
)
BAD_RESOURCE_TYPE = code(
    "bad-resource-type",
    "{value} cannot be the type of a resource",
    "Something that is not the name of a type stands before a resource's braces.",
    "The type is a name, or a reference without a title.",
    "Integer { 'x': }",
    "Write the name of the type.",
    "ILLEGAL_RESOURCE_TYPE",
)
NOT_A_SUBCLASS = code(
    "not-a-subclass",
    "only a class that inherits from its class may change {resource}",
    "A resource's parameters are overridden from a class that does not inherit from its own.",
    "References may override what their own class or a parent class declared.",
    "class a { file { '/f': } }\nclass b { File['/f'] { mode => '0600' } }",
    "Inherit from the class, or override with a collector.",
    "RUNTIME_ERROR",
)
ALREADY_SET = code(
    "already-set",
    "{name} is set already on {resource} and cannot be set again",
    "A parameter is overridden in the class that set it.",
    "Only a subclass or a collector may change a value.",
    "file { '/f': mode => '1' }\nFile['/f'] { mode => '2' }",
    "Remove one; the label shows the other.",
    "RUNTIME_ERROR",
)
DEFAULT_SET = code(
    "default-set",
    "the default for {name} of {type} is set already in this scope",
    "A resource default is given twice in one scope.",
    "Only one of the values could be used.",
    "File { mode => '1' }\nFile { mode => '2' }",
    "Remove one.",
    "RUNTIME_ERROR",
)
NO_TARGET = code(
    "no-target",
    "nothing to override: {resources} never declared",
    "A resource is overridden that is not in the catalog.",
    "The resource must be declared somewhere, before or after.",
    "File['/nosuch'] { mode => '0600' }",
    "Declare it.",
    "RUNTIME_ERROR",
)
NOT_REALIZED = code(
    "not-realized",
    "nothing to realize: {resources} never declared",
    "realize() names a resource that is not in the catalog.",
    "The resource must be declared as virtual.",
    "realize(User['nobody'])",
    "Declare it.",
    "RUNTIME_ERROR",
)
MISSING_RESOURCE = code(
    "missing-resource",
    "{resource} is not in the catalog{what}",
    "A reference names a resource that is not declared.",
    "What another resource is ordered by, or a parameter is read from, must be declared.",
    "notify { 'a': require => Notify['nosuch'] }",
    "Declare it, or correct the reference.",
    "UNKNOWN_RESOURCE",
)
BAD_RELATION = code(
    "bad-relation",
    "{value} cannot be ordered by an arrow",
    "Something that is no reference, resource or collector stands beside an arrow.",
    "Arrows order resources.",
    "1 -> Notify['a']",
    "Write a reference such as File['/x'].",
    "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
)
BAD_STAGE = code(
    "bad-stage",
    "{message}",
    "stage is given to something that is no class, or names no stage.",
    "Stages order classes.",
    "notify { 'x': stage => 'pre' }",
    "Give it to a class, and declare the stage.",
    "RUNTIME_ERROR",
)
BAD_TAG = code(
    "bad-tag",
    "'{name}' cannot be a tag",
    "A tag has characters that tags cannot have.",
    "Tags are letters, digits, _ : . and -.",
    "notify { 'x': tag => 'a b' }",
    "Use other characters.",
    "RUNTIME_ERROR",
)
BAD_CLASS_NAME = code(
    "bad-class-name",
    "{value} cannot be the name of a class",
    "include, contain or require is given something that is no class.",
    "They take names and references to classes.",
    "include(undef)",
    "Give a name.",
    "RUNTIME_ERROR",
)
NO_NODE = code(
    "no-node",
    "no node definition matches {name}, and there is no default",
    "The manifest has node definitions, none of which is for this node.",
    "A manifest that has node definitions must have one for every node.",
    "node 'other' { }",
    "Add node default { }.",
    "RUNTIME_ERROR",
)
ENDLESS = code(
    "endless",
    "defines and collectors went on for more than {bound} rounds",
    "Defines declare one another without end.",
    "Puppet gives up after a bound.",
    "define d { d { \"${title}x\": } }\nd { 'a': }",
    "End the recursion.",
    "RUNTIME_ERROR",
)
INHERITS_ITSELF = code(
    "inherits-itself",
    "the class {name} inherits from itself",
    "Classes inherit from one another in a circle.",
    "A class's parent is evaluated first.",
    "class a inherits b { }\nclass b inherits a { }",
    "Break the circle.",
)
LATE_OVERRIDE = code(
    "late-override",
    "{resource} has been evaluated; its new parameters have no effect inside it",
    "A collector changes the parameters of a define that has been expanded already.",
    "Its body has used the old values.",
    "A collector that finds a define in a later round",
    "Declare the collector earlier, or give the parameters where the define is declared.",
    severity="warning",
)
CANNOT_COLLECT = code(
    "cannot-collect",
    "{message}",
    "A collector's type does not exist or cannot be collected.",
    "Collectors find resources; classes cannot be collected.",
    "Class <| |>",
    "Name a type of resources.",
    "RUNTIME_ERROR",
)
EXPORTED_IGNORED = code(
    "exported-ignored",
    "exported resources are not stored: there is no database of them",
    "A resource is exported, or exported resources are collected.",
    "Headwater compiles one node and knows no other.",
    "@@notify { 'x': }",
    "Nothing; the resource is left out of this node's catalog.",
    "RT_NO_STORECONFIGS",
    severity="warning",
)
BAD_INPUT = code(
    "bad-input",
    "{message}",
    "An input beside the manifest (facts, modulepath, hiera.yaml, data, settings) is unusable.",
    "The message says which and why.",
    "--facts facts.json with a list in it",
    "Correct it.",
)
NO_MANIFEST = code(
    "no-manifest",
    "{message}: the program is empty",
    "A folder was given as a program, and there is nothing in it to compile.",
    "environment.conf names a manifest that is not there, or the folder has no .pp files.",
    "manifest = sites.pp in environment.conf, where the file is called site.pp",
    "Correct the name, or give the manifest itself.",
    severity="warning",
)
TEMPLATE = code(
    "template",
    "{file} is a template: it is no program and has no catalog",
    "A template was given where a manifest is needed.",
    "A template makes a text, from parameters that the manifest which calls epp() gives it.",
    "headwater compile motd.epp",
    "Compile the manifest that calls epp(); headwater check finds mistakes in a template itself.",
)
LOOKUP_FAILED = code(
    "lookup-failed",
    "{message}",
    "Hiera has no value for a key, or a value that cannot be used.",
    "lookup() without a default refuses a missing key.",
    "$x = lookup('no::such::key')",
    "Add the key, or give a default.",
    "RUNTIME_ERROR",
)
DEPENDENCY_CYCLE = code(
    "dependency-cycle",
    "resources wait for each other: {path}",
    "Relationships (and what contains what) go round in a circle.",
    "Each of these resources must be applied before the next, so that none can be first. Puppet "
    "says so only when it applies the catalog, and then applies none of them.",
    "notify { 'a': require => Notify['b'] }\n    notify { 'b': require => Notify['a'] }",
    "Take one of the relationships away.",
)
EMPTY_INTERPOLATION = code(
    "empty-interpolation",
    "%{{{name}}} is empty in {where}",
    "An interpolation of Hiera has no value.",
    "A variable that is not there, or empty, becomes nothing; a path then names another file than "
    "was meant, as nodes/.yaml.",
    "path: nodes/%{facts.role}.yaml",
    "Give the fact, or correct its name.",
    severity="warning",
)
GLOB_BOUND = code(
    "glob-bound",
    "the pattern {pattern} makes us look at more than {bound} names",
    "A glob of hiera.yaml goes beyond the bound of names that are looked at.",
    "Choices in braces multiply, and so do links to folders that contain them.",
    "glob: '{a,b}{a,b}{a,b}… twenty times'",
    "Write a narrower pattern, or list the paths.",
)
HIERA_3 = code(
    "hiera-3",
    "{file} has version 3, which is {what}",
    "A hiera.yaml is written for Hiera 3.",
    "Puppet still reads a global one, with the backends yaml, json and eyaml; backends of Hiera 3 "
    "itself are gone at level 8. That of an environment or a module is ignored, or refused if it "
    "is strict.",
    ":backends: [yaml]",
    "Write it in version 5.",
    None,
    "warning",
)
NO_HIERA_3 = code(
    "no-hiera-3",
    "the backend {backend} is one of Hiera 3, which there is not at this level",
    "hiera.yaml names a backend of Hiera 3.",
    "Hiera 3 is no part of Puppet 8, so every look-up is refused.",
    ":backends: [yaml, http]",
    "Take the backend out, or write a function for it: data_hash, lookup_key or data_dig.",
)
UNQUALIFIED_KEY = code(
    "unqualified-key",
    "the key {key} in the data of the module {module} does not begin with {module}::",
    "A file of data of a module has a key that does not belong to the module.",
    "Only keys of the module itself are looked up in its data; this one is never found.",
    "port: 80 in modules/ntp/data/common.yaml",
    "Write ntp::port, or move the key to the data of the environment.",
    None,
    "warning",
)
NO_HASH = code(
    "hiera-no-hash",
    "{file} holds no hash, so it has no data",
    "A file of data for Hiera is empty, or holds a list or a text where keys should be.",
    "Data are looked up by their keys.  Where strict is error, as it is at level 8, a file that "
    "holds something else than nothing is refused.",
    "- a list in common.yaml",
    "Write key: value, or remove the file.",
    None,
    "warning",
)
FAULTY_METADATA = code(
    "faulty-metadata",
    "the module {module} is not used: {reason}",
    "A metadata.json cannot be read, or lacks something that it must have.",
    "Puppet leaves such a module out; where strict is not error, one that is no JSON is used.",
    '{ "name": ',
    "Correct metadata.json: it needs source, author, version, license and dependencies.",
    None,
    "warning",
)
DOUBTFUL_METADATA = code(
    "doubtful-metadata",
    "the module {module} is doubtful: {reason}",
    "A metadata.json is no JSON.",
    "Puppet goes on without it; where strict is error, as it is at level 8, it leaves the module "
    "out.",
    '{ "name": ',
    "Correct metadata.json.",
    None,
    "warning",
)
NOT_DECRYPTED = code(
    "not-decrypted",
    "{key} cannot be decrypted with the keys of the level {level}: {why}",
    "A value of data is encrypted, and the keys that its level names do not open it.",
    "eyaml_lookup_key decrypts with pkcs7_private_key and pkcs7_public_key of the options of its "
    "level in hiera.yaml.",
    "password: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEh]",
    "Name the keys that the value was encrypted for, or go on without it (--on-unknown opaque).",
    "RUNTIME_ERROR",
)
HIERA_CONFIG = code(
    "hiera-config",
    "{message}",
    "hiera.yaml, or a data file it names, cannot be used.",
    "The message says why.",
    "version: 3",
    "Correct the file.",
    "RUNTIME_ERROR",
)
