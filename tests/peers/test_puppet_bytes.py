"""Strings of bytes in manifests: when they are a Binary in a catalog, and what they go with.

puppet_bytes.txt holds manifests, with ``----`` between them.  They call functions in Ruby:
``b::bin`` makes a string of bytes, ``b::bad`` says that they are UTF-8, ``b::enc`` tells the
encoding of a string, ``b::hash`` puts it into a hash.  `make test` asks of a part of them.
puppet_bytes_data.txt holds some that look up data with ``!binary``, which are such strings too.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from laws.profile import is_long
from peers import puppet8
from peers.catalogs import Oracle, difference
from peers.puppet import ABSENT, installed
from peers.test_puppet_environment import ours

TABLE, OF_DATA = (
    Path(__file__).with_name(name).read_text("utf-8").split("\n----\n")
    for name in ("puppet_bytes.txt", "puppet_bytes_data.txt")
)
FUNCTION = """\
Puppet::Functions.create_function(:'b::{name}') do
  dispatch :run do
    param 'Any', :x
  end
  def run(x)
    {body}
  end
end
"""
BODIES = {
    "bin": "x.pack('C*')",
    "bad": "x.pack('C*').force_encoding('UTF-8')",
    "enc": "x.is_a?(String) ? [x.encoding.to_s, x.valid_encoding?, x.length, x.inspect] : x",
    "hash": "{ x => x, 'a' => [x] }",
}
TEMPLATES = {"t.erb": "a<%= @x %>b\n", "u.erb": "é<%= @x %>b\n", "t.epp": "é<%= $x %>b\n"}
DATA = """\
b: !binary aGVsbG8=
u: !!binary w6k=
f: !binary /w==
short: !binary aGVsbG8
one: !binary abc
odd: !binary '*aG*Vs=bG8='
empty: !binary ''
list: [!binary aGVsbG8=, !binary w6k=, x]
h: {k: !binary w6k=, !binary a2V5: v, !binary w6k=: w}
i: "a%{lookup('b')}"
iu: "a%{lookup('u')}"
iuu: "é%{lookup('u')}"
ib: "é%{lookup('b')}"
al: "%{alias('u')}"
sc: "%{lookup('h.key')}"
inside: !binary JXtsb29rdXAoJ2InKX0=
s: !binary MTIz
p::s: !binary aGVsbG8=
p::n: !binary aGVsbG8=
lookup_options:
  un: {merge: unique}
  s: {convert_to: Integer}
  p::n: {convert_to: Sensitive}
un: [é, !binary w6k=, !binary YQ==, a]
d: {u: é, !binary w6k=: 2}
block: !binary |
  aGVs
  bG8=
"""
pytestmark = [pytest.mark.peer, pytest.mark.skipif(not installed(), reason=ABSENT)]


@functools.cache
def oracle() -> Oracle:
    """Puppet 7."""
    return Oracle()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the functions and templates."""
    root = tmp_path_factory.mktemp("bytes") / "env"
    files = {
        f"modules/b/lib/puppet/functions/b/{name}.rb": FUNCTION.format(name=name, body=body)
        for name, body in BODIES.items()
    }
    files |= {f"modules/b/templates/{name}": text for name, text in TEMPLATES.items()}
    files["hiera.yaml"] = "version: 5\nhierarchy:\n  - {name: data, path: data.yaml}\n"
    files["data/data.yaml"] = DATA
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "manifests").mkdir()
    return root


def compared(
    real: Oracle, place: Path, manifests: list[str], level: int
) -> list[tuple[str, str]]:  # fmt: skip
    """The manifests of which the answers differ."""
    found = []
    for manifest in manifests:
        (place / "manifests/site.pp").write_text(manifest + "\n", encoding="utf-8")
        told = difference(real.ask(env=str(place)), ours(place, puppet=level))
        if told is not None:
            found.append((manifest, told))
    return found


def test_strings_of_bytes_are_to_manifests_what_they_are_to_puppet(place: Path) -> None:
    step = 1 if is_long() else 4
    assert compared(oracle(), place, TABLE[::step], 7) == []


@pytest.mark.skipif(not puppet8.there(), reason=puppet8.ABSENT)
def test_they_are_so_to_puppet_8_too(place: Path) -> None:
    step = 1 if is_long() else 12
    assert compared(puppet8.oracle(), place, TABLE[1::step], 8) == []


def test_data_in_base64_are_strings_of_bytes(place: Path) -> None:
    assert compared(oracle(), place, OF_DATA, 7) == []


@pytest.mark.skipif(not puppet8.there(), reason=puppet8.ABSENT)
def test_they_are_so_in_puppet_8_too(place: Path) -> None:
    step = 1 if is_long() else 4
    assert compared(puppet8.oracle(), place, OF_DATA[::step], 8) == []
