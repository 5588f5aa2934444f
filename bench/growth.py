"""How processor time grows with the size of a program: n, 2n and 4n.

Each row is a family of programs and a question to them.  The exponent is that of the power of n
which fits the processor time best.  It shall be at most 1.3 where the output grows in proportion
to n; beside it stands the exponent of the output.  `growing.measuring` says how it is measured.

``growth.py``                 all families, compiled and blamed
``growth.py --all``           all questions to all families
``growth.py puppet check``    the rows whose language, name or verb contain these words
``GROWTH_SECONDS=0.5``        larger programs (0.15 s for the smallest)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from given import parser
from growing import data, l3, opal, puppet, smartfrog
from growing.measuring import MOST, Failed, measured

ROWS = [*puppet.rows(), *data.rows(), *smartfrog.rows(), *l3.rows(), *opal.rows()]


def main(words: Sequence[str]) -> int:
    """Prints the table; 1 if a row grows too fast."""
    told = parser(__doc__)
    told.add_argument("words", nargs="*", metavar="WORD", help="what a row is called by")
    told.add_argument("--all", action="store_true", help="all rows")
    told.add_argument("--json", action="store_true", help="a row as a line of JSON")
    given = told.parse_args(words)
    asked, rows = given.words, ROWS
    if not asked and not given.all:
        rows = [row for row in ROWS if row.verb in ("compile", "blame")]
    wanted = [
        row for row in rows if all(w in f"{row.language} {row.name} {row.verb}" for w in asked)
    ]
    if not wanted:
        told.error(f"no row is called {' '.join(asked)}")
    steep = failed = 0
    for row in wanted:
        title = f"{row.language:10} {row.name:36} {row.verb:8}"
        try:
            grown = measured(row)
        except Failed as failure:
            failed += 1
            print(f"{title} FAILED {failure}", flush=True)
            continue
        steep += grown.steep
        if given.json:
            print(json.dumps([row.language, row.name, row.verb, *grown, grown.power]), flush=True)
            continue
        shown = "".join(f"{time:7.2f} s" for time in grown.seconds)
        print(
            f"{title} n={grown.sizes[0]:<6} {shown}  n^{grown.power:.2f}"
            f"  output n^{grown.output:.2f}{'  too steep' if grown.steep else ''}",
            flush=True,
        )
    print(f"{len(wanted)} rows, {steep} steeper than n^{MOST}, {failed} failed")
    return 1 if steep or failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
