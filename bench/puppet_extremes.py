"""How long extreme texts of 10 MB take to get an answer, in seconds of processor time.

Bound: 10 seconds each.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from given import parser
from headwater.langs.puppet.syntax import parse, validate
from headwater.text import Source
from laws.strategies.puppet_extremes import extremes, template_extremes

SIZE = 10_000_000
BOUND = 10.0


def main() -> int:
    """Prints the seconds and the first code for each text; 1 if one takes too long."""
    told = parser(__doc__)
    told.add_argument("size", nargs="?", type=int, default=SIZE, help="characters of a text")
    size_asked = told.parse_args().size
    slow = 0
    jobs = [("x.pp", name, text) for name, text in extremes(size_asked).items()]
    jobs += [("x.epp", name, text) for name, text in template_extremes(size_asked).items()]
    for file, name, text in jobs:
        began = time.process_time()
        parsed = parse(Source(file, text))
        found = [*parsed.diagnostics, *(validate(parsed.program) if parsed.ok else [])]
        errors = [d for d in found if d.is_error]
        seconds = time.process_time() - began
        slow += seconds > BOUND
        answer = errors[0].code if errors else "accepted"
        size = len(text) / 1e6
        print(f"{seconds:6.2f} s  {size:6.2f} MB  {file[1:]:5} {name}: {answer}", flush=True)
    print(f"{len(jobs)} texts, {slow} slower than {BOUND:.0f} s")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
