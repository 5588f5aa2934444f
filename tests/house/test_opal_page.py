"""The page of Opal has a table of every rule, which is generated."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
BEGIN, END = "<!-- rules -->\n", "<!-- end of rules -->\n"


def table() -> str:
    rules = tomllib.loads(
        (PROJECT / "src/headwater/langs/opal/rules.toml").read_text(encoding="utf-8")
    )
    lines = ["| rule | in words | in | gaps |", "|---|---|---|---|"]
    for name, rule in rules.items():
        place = f"`{Path(rule['file']).name}`" if rule["status"] == "done" else rule["reason"]
        gaps = ", ".join(rule.get("gaps", ()))
        lines.append(f"| {name} | {rule['title']} | {place} | {gaps} |")
    return "\n".join(lines) + "\n"


def test_the_table_of_rules_is_current() -> None:
    page = PROJECT / "docs/languages/opal.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if UPDATE:
        page.write_text(made, encoding="utf-8")
        text = made

    assert text == made
