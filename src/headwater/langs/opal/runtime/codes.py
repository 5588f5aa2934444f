"""What can go wrong between a program and a store: permission, worlds, keys, policies."""

from headwater.report import Code

WORLD_UNKNOWN = Code(
    name="opal-world-unknown",
    message="there is no world {world} in this store",
    what="The id names no world that outlived its program.",
    why="It is misspelt, or its program never committed.",
    example="headwater world show nowhere --store state.db",
    fix="headwater world list prints the open worlds.",
)

WORLD_CLOSED = Code(
    name="opal-world-closed",
    paper="R005",
    message="world {world} is not open any more: {how}",
    what="The world was committed or dropped.",
    why="A world is used at most once.",
    example="headwater world drop monday; headwater world commit monday",
    fix="Run the program again for a new world.",
)

WORLD_OLD = Code(
    name="opal-world-old",
    message="world {world} was opened by an earlier version and cannot be shown to its owners",
    what="The world does not hold the whole text of what needs permission.",
    why="Owners sign what they see; earlier versions kept texts that were cut.",
    example="headwater world commit monday   of a world from before an update",
    fix="Drop the world and run its program again.",
    help="drop the world and run its program again",
)

WORLD_OF_OTHER = Code(
    name="opal-world-of-other",
    message="world {world} belongs to {owner}, not to {principal}",
    what="A principal tried to commit or drop the world of another.",
    why="Knowing a world's id gives no right to it.",
    example="headwater world commit monday --as mallory",
    fix="Ask its owner, or run the program yourself.",
)

READS_CHANGED = Code(
    name="opal-reads-changed",
    message="{key} was changed since the world read it, in commit {revision}",
    what="What the world wrote depends on a value that is not the current one any more.",
    why=(
        "A commit merges what the world wrote; what it only read would go unnoticed, and two "
        "worlds that are each right could be wrong together (write skew)."
    ),
    example="a world tests a.x and writes b.y; then a.x changes; then the world is committed",
    fix="Run the program again over the current values, or commit with --reads merge.",
    help="run the program again, or commit with --reads merge",
)

NOT_AUTHENTIC = Code(
    name="opal-not-authentic",
    message="cannot act as {principal}: {reason}",
    what="The caller did not show that they are the principal named with --as.",
    why="A principal whose key the store knows must sign with it.",
    example="headwater run change.opal --store state.db --as ann   without ann's key",
    fix="Give the principal's key with --key FILE; headwater key trust makes a key count.",
)

READ_NOT_GRANTED = Code(
    name="opal-read-not-granted",
    message="{node} lets {principal} read none of its variables in a world; {key} was read",
    what="A world read the variable of a node before the node endorsed anything.",
    why="Inside a world nobody is asked, so reading needs a standing permission.",
    example="u := hyp { with payroll do { if payroll.x = () then { … } else { … } } }",
    fix='Ask the owner for a line read = ["you"] in the policy, or read outside the world.',
)

DENIED = Code(
    name="opal-not-endorsed",
    paper="R001",
    message="{node} did not endorse this: {reason}",
    what="The permission of a node was needed for a commit, and nobody gave it.",
    why="No policy grants it, no endorsement was given, and nobody could be asked.",
    example="headwater run change.opal --store state.db --as ann",
    fix="Ask with --request FOLDER, let the owner sign with headwater endorse, then commit.",
    help="write requests for the owners with --request FOLDER",
)

EXPIRED = Code(
    name="opal-endorsement-expired",
    paper="R001",
    message="the endorsement of {node} expired on {expires}",
    what="An endorsement or a standing grant is too old.",
    why="Every permission ends at the time that its owner wrote into it.",
    example="a grant until 2020-01-01T00:00:00Z",
    fix="Ask the owner again.",
)

REPLAYED = Code(
    name="opal-endorsement-replayed",
    paper="R001",
    message="the endorsement of {node} was used already, for commit {revision}",
    what="An endorsement was given a second time.",
    why="An endorsement is good for one commit: its nonce is remembered.",
    example="the same file with --endorsement for two commits",
    fix="Ask the owner again.",
)

FORGED = Code(
    name="opal-endorsement-forged",
    paper="R001",
    message="the endorsement of {node} does not carry the signature it claims",
    what="The signature does not fit the statement.",
    why="The statement was changed after it was signed, or never signed with that key.",
    example="an endorsement file with its expiry edited",
    fix="Ask the owner for a new endorsement.",
)

UNKNOWN_KEY = Code(
    name="opal-endorsement-unknown-key",
    paper="R001",
    message="the endorsement of {node} is signed with a key that the store does not trust",
    what="The key belongs to none of the owners, or was revoked.",
    why="Only keys that headwater key trust has put into the store count.",
    example="an endorsement signed with a key made a minute ago",
    fix="Let the owner's key be trusted first: headwater key trust.",
    help="headwater key trust FILE.pub --store STATE lets a key count",
)

OTHER_WORLD = Code(
    name="opal-endorsement-other-world",
    paper="R001",
    message="the endorsement of {node} is for {found}, not for {wanted}",
    what="The endorsement was given for another world or another store.",
    why="What is endorsed is one change, not a principal's wishes in general.",
    example="the endorsement of monday's change given to tuesday's",
    fix="Ask the owner about this world.",
)

OTHER_LOCATION = Code(
    name="opal-endorsement-other-location",
    paper="R001",
    message="{node} endorsed this at {found}, and it runs at {wanted}",
    what="The command runs at another location than the endorsed one.",
    why="⟨n, ρ, c⟩ is endorsed for the location ρ.",
    example="endorsed at home, run with --at elsewhere",
    fix="Run it where it was endorsed, or ask again.",
)

OTHER_COMMAND = Code(
    name="opal-endorsement-other-command",
    paper="R001",
    message="{node} endorsed other commands than these",
    what="The blocks that need the permission are not the endorsed ones.",
    why="The signature covers the canonical form of every block.",
    example="the program was edited after it was endorsed",
    fix="Ask the owner about the program as it is now.",
)

EFFECT_CHANGED = Code(
    name="opal-endorsement-effect-changed",
    paper="R001",
    message="{node} endorsed something else: {what} not what was signed",
    what="What the commit would write, replace, merge by or read is not what the owner signed.",
    why=(
        "An owner endorses values and merges. Somebody else's change gives other ones, or the "
        "request was changed on its way to the owner."
    ),
    example="another commit changes the variable between endorse and commit",
    fix="Write a new request and ask the owner again.",
    help="write a new request with --request FOLDER and ask again",
)

OTHER_HASH = Code(
    name="opal-endorsement-other-hash",
    message="not signed: --yes-to names {given}, and what is shown has the hash {shown}",
    what="The hash given with --yes-to is not that of the request or policy.",
    why="Who signs without a terminal says what they have seen: by the hash it ended with.",
    example="headwater endorse monday.dns.request.json --key dns.key --yes-to 0000",
    fix="Read what is shown again, and give the hash of its last line.",
)

UNSEEN = Code(
    name="opal-endorsement-unseen",
    message="not signed: nobody is at a terminal to say yes",
    what="A request or policy was to be signed where nobody can be asked.",
    why="A yes that comes through a pipe says nothing about what was seen.",
    example="yes | headwater endorse monday.dns.request.json --key dns.key",
    fix="Read what is shown, and sign with --yes-to HASH, the hash of its last line.",
)

FILE_UNWRITABLE = Code(
    name="opal-file-unwritable",
    message="cannot write {file}: {reason}",
    what="A request, an endorsement or the signature of a policy could not be written.",
    why="The folder is missing or read-only, the disk is full, or the name is too long.",
    example="headwater endorse monday.dns.request.json --key dns.key --out no/such/folder/yes.json",
    fix="Make the folder, or check the permissions. The file is as it was before.",
)

ENDORSEMENT_UNREADABLE = Code(
    name="opal-endorsement-unreadable",
    message="{file} is no endorsement or request: {reason}",
    what="The file is not what the command expects.",
    why="It is damaged, of another format, or another kind of file.",
    example="headwater endorse README.md --key dns.key",
    fix="Requests are written by --request, endorsements by headwater endorse.",
)

POLICY_INVALID = Code(
    name="opal-policy-invalid",
    message="the policy cannot be used: {reason}",
    what="The policy file is not well formed.",
    why="It is not TOML, a name is misspelt, or a value has the wrong type.",
    example='[domain.dns]\\nowner = "dana"',
    fix="docs/commands/run.md lists what a policy may say.",
)

POLICY_UNSIGNED = Code(
    name="opal-policy-unsigned",
    message="the policy of {node} does not carry its signature: {reason}",
    what="A section of the policy is not signed by the domain it speaks for.",
    why="The store knows a key of the domain; otherwise anybody could grant themselves anything.",
    example="a [domain.dns] written by somebody who is not dns",
    fix="Let the owner sign it: headwater endorse --policy FILE --store STATE --key dns.key.",
)

POLICY_OTHER_STORE = Code(
    name="opal-policy-other-store",
    message="the policy of {node} is for the store {found}, and this is {wanted}",
    what="A policy that was made or signed for one store was given for another.",
    why="An owner who grants something in a test store has granted nothing in the real one.",
    example="a policy and its .sig file copied to another store",
    fix="Let the owner sign it for this store: headwater endorse --policy FILE --store STATE.",
)

POLICY_OLD = Code(
    name="opal-policy-old",
    message="the policy of {node} has serial {found}, and serial {known} was in force already",
    what="An older policy was given after a newer one.",
    why="Going back would bring back grants that the owner has taken away.",
    example="a copy of last year's policy file",
    fix="Use the current policy; raise serial whenever it changes.",
)

KEY_UNREADABLE = Code(
    name="key-unreadable",
    message="{file} cannot be used as a key: {reason}",
    what="The file is not a key, or not one that may be used.",
    why="It is missing, damaged, or other users may read it.",
    example="chmod 644 ann.key; headwater endorse request.json --key ann.key",
    fix="Make keys with headwater key new; a private key has mode 0600.",
)

KEY_UNTRUSTED = Code(
    name="key-untrusted",
    severity="warning",
    message="the store does not trust the key of {name}: what it signs does not count",
    what="A key was given with --key that the store does not know, or that was revoked.",
    why="Only keys that headwater key trust has put into the store count.",
    example="headwater run change.opal --store new.db --as ann --key ann.key",
    fix="headwater key trust ann.pub --store state.db",
)

KEY_EXISTS = Code(
    name="key-exists",
    message="{file} exists already",
    what="A new key would overwrite a file.",
    why="A lost private key cannot be made again.",
    example="headwater key new ann; headwater key new ann",
    fix="Choose another name with --out, or move the old key away.",
)

KEY_REFUSED = Code(
    name="key-refused",
    message="the key of {principal} is not changed: {reason}",
    what="The store knows keys of the principal, and none of them agreed to the change.",
    why="The first key of a principal is taken on trust; later ones must be signed for.",
    example="headwater key trust mallory.pub --as ann --store state.db",
    fix="Sign the change with a key that is trusted already: --key OLD.",
)

CONTENDED = Code(
    name="opal-contended",
    message="others changed what the program depends on, {times} times in a row",
    what="The program could not be committed over values that stood still.",
    why="Each time, its permissions had to be asked for anew, and meanwhile values changed.",
    example="a prompt that is answered slowly while many others commit",
    fix="Try again with the same --id, or propose it with --request.",
)

BAD_ID = Code(
    name="opal-bad-id",
    message="{id} cannot be an id: use letters, digits and . _ - (at most 64)",
    what="The id of a run or world has characters that it may not have.",
    why="Ids become file names and parts of other ids.",
    example="headwater run change.opal --store state.db --as ann --id 'a b'",
    fix="Choose a simple word.",
)

TOO_MUCH_TOLD = Code(
    name="opal-too-much-told",
    paper="R007",
    message="what must be sent or asked about is larger than the bound of {bound:,} nodes",
    what="The blocks of at or of with, taken together, are too large.",
    why="Each block is sent or asked about whole, and blocks inside blocks count again.",
    example="five thousand at … do { … } inside each other",
    fix="Put fewer blocks inside each other.",
)
