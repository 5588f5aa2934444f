"""Functions of data written in Ruby: called as Puppet calls them.

puppet_data_functions.txt holds the cases, with ``----`` between them: the body of a method of
Ruby, then more files after ``@@ path``.  The first line says the kind of function, its parameters
and what is looked up.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from peers.catalogs import Oracle, difference
from peers.puppet import ABSENT, installed
from peers.test_puppet_environment import ours

TABLE = Path(__file__).with_name("puppet_data_functions.txt").read_text().split("\n----\n")
FUNCTION = """\
Puppet::Functions.create_function(:'m::{kind}') do
  dispatch :run do
{params}
  end
  def run({names})
{body}
  end
end
"""
PARAMS = {
    "data_hash": ["Hash", "Puppet::LookupContext"],
    "lookup_key": ["String", "Hash", "Puppet::LookupContext"],
    "data_dig": ["Array", "Hash", "Puppet::LookupContext"],
}
NAMES = {
    "Hash": "options",
    "String": "key",
    "Array": "segments",
    "Puppet::LookupContext": "context",
}


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


def written(case: str, place: Path) -> None:
    """Writes an environment with a module whose function serves a level."""
    head, _, rest = case.strip("\n").partition("\n")
    kind, _, asked = head.removeprefix("# ").partition(" ")
    body, *more = rest.split("\n@@ ")
    files = dict(one.partition("\n")[::2] for one in more)
    if "lookup_options" not in case and kind != "data_hash":
        name = "key" if kind == "lookup_key" else "segments[0]"
        body = f"    return context.not_found if {name} == 'lookup_options'\n{body}"
    kinds = PARAMS[kind]
    returns = files.pop("returns", "")
    params = "\n".join(f"    param '{one}', :{NAMES[one]}" for one in kinds) + returns
    text = FUNCTION.format(
        kind=kind, params=params, names=", ".join(NAMES[one] for one in kinds), body=body
    )
    files.setdefault(f"modules/m/lib/puppet/functions/m/{kind}.rb", text)
    files.setdefault("manifests/site.pp", f"notify {{ 'x': message => {asked} }}\n")
    level = files.pop("level", "")
    files.setdefault(
        "hiera.yaml",
        f"version: 5\nhierarchy:\n  - name: f\n    {kind}: m::{kind}\n{level}\n"
        "  - {name: common, path: common.yaml}\n",
    )
    files.setdefault("data/common.yaml", "low: common\nk2: \"%{lookup('k')}\"\n")
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")


@pytest.mark.peer
@pytest.mark.parametrize("number", range(len(TABLE)))
def test_functions_of_data_in_ruby_give_what_puppet_gets(tmp_path: Path, number: int) -> None:
    place = tmp_path / "staging"
    written(TABLE[number], place)
    real = oracle().ask(env=str(place))

    assert difference(real, ours(place)) is None, TABLE[number]
