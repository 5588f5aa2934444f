"""What the next language level will refuse or change (``check --upgrade``)."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

LEGACY_FACT = code(
    "legacy-fact",
    "{name} is a legacy fact, which agents of level 8 do not send",
    "A program reads a legacy fact: osfamily, ipaddress, processorcount …",
    "Agents of Puppet 8 send structured facts only, unless include_legacy_facts is set; reading "
    "one that is not there is refused.",
    'notify { "${osfamily}": }',
    "Use the structured fact: $facts['os']['family'].",
    None,
    "warning",
)
TOP_SCOPE_FACT = code(
    "top-scope-fact",
    "{name} reads the fact as a variable, which level 8 refuses where the fact is not there",
    "A fact is read as a variable of the top scope: $::kernel.",
    "A variable that is not there is an error at level 8; an entry of $facts is undef.",
    "notify { $::kernel: }",
    "Write $facts['kernel'].",
    None,
    "warning",
)
WIDER_KEY = code(
    "wider-key",
    "level 8 takes the key {key} for the one before, and refuses the hash",
    "Two keys of a hash are different, but the same to level 8.",
    "Of a key x[k] level 8 sees nothing but [k], and of a type its name.",
    "$h = { $a['n'] => 1, $b['n'] => 2 }",
    "Write $a.get('n'), or put the key into parentheses.",
    None,
    "warning",
)
LEVEL_REFUSES = code(
    "level-refuses",
    "level 8 refuses this: {message}",
    "What is a warning at level 7, or nothing at all, is an error at level 8.",
    "Level 8 has strict=error and strict_variables=true, and refuses some things besides.",
    'notify { "${nosuch}": }',
    "Change the program; or set strict=warning and strict_variables=false for the time being.",
    None,
    "warning",
)
LEVEL_CHANGES = code(
    "level-changes",
    "level 8 makes {after} of {address}, which is {before} at level 7",
    "A value of a catalog is another one at level 8.",
    "Some functions and operators, and the version itself, differ.",
    "notify { max(SemVer('2.0.0'), SemVer('10.0.0')): }",
    "Write it so that both levels agree.",
    None,
    "warning",
)
OLD_HIERA = code(
    "old-hiera",
    "{what} needs Hiera 3, which level 8 does not have",
    "A hiera.yaml has version 3, or a level of a backend for Hiera 3.",
    "Hiera 3 is no part of Puppet 8; its yaml and json backends still work in the global file.",
    "hiera3_backend: mongodb",
    "Write version 5, and use a function in place of the backend.",
    None,
    "warning",
)
