"""What can be doubtful about a control repository as a whole (``headwater check``)."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

PUPPETFILE = code(
    "puppetfile",
    "the Puppetfile is not understood here: {what}",
    "A line of the Puppetfile is neither mod, forge nor moduledir with literal arguments.",
    "The file is read and not run: Ruby in it has no effect here.",
    "mod name_of('ntp')",
    "Write the names and versions as literal texts; what is not understood is passed over.",
    None,
    "warning",
)
MODULE_ABSENT = code(
    "module-absent",
    "module {module} is not in the modulepath",
    "The Puppetfile, or the metadata of a module, names a module that is not installed.",
    "Its classes and functions cannot be found.",
    "mod 'puppetlabs/apache', '12.0.0'   # and there is no modules/apache",
    "Install it, with r10k puppetfile install for example, or take it out.",
    None,
    "warning",
)
MODULE_UNNAMED = code(
    "module-unnamed",
    "module {module} is installed and the Puppetfile does not name it",
    "A folder of modules that r10k looks after holds a module it was not told of.",
    "The next deployment removes it, or other machines lack it.",
    "modules/ntp, and no line for ntp in the Puppetfile",
    "Name it in the Puppetfile, or keep it in a folder of your own modules.",
    None,
    "warning",
)
MODULE_VERSION = code(
    "module-version",
    "module {module} has version {version}, and {wanted} is wanted",
    "A module that is installed is of another version than the Puppetfile or another module wants.",
    "Its classes and their parameters may be others.",
    "mod 'puppetlabs/stdlib', '9.0.0'   # and metadata.json says 8.5.0",
    "Install the version that is wanted, or change what is wanted.",
    None,
    "warning",
)
LOCKED_DATA = code(
    "hiera-locked",
    "cannot read {file}: {reason}; Puppet goes on as if there were no data",
    "A folder of data for Hiera may not be read.",
    "Puppet takes such a folder for empty: other levels and defaults give the values, without a "
    "word.  So the value may be another than on a server that may read it.",
    "chmod 000 data; headwater lookup ntp::servers",
    "Allow reading and searching the folder (chmod u+rx), or run as the user who may.",
    None,
    "warning",
)
