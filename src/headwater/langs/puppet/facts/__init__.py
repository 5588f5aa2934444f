"""Facts and trusted data, as users have them.

`shapes` knows the forms in which tools write facts, `texts` reads a file in any of them, `external`
the files of a folder ``facts.d``, `given` what a job says of all that, `noted`
which facts a compilation asks for, `legacy` which ones agents of level 8 no longer send.
"""

from headwater.langs.puppet.facts.given import given_facts
from headwater.langs.puppet.facts.shapes import NodeFacts, Place
from headwater.langs.puppet.facts.texts import read_facts

__all__ = ["NodeFacts", "Place", "given_facts", "read_facts"]
