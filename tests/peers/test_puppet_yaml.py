"""YAML as real Ruby reads it for Puppet: scalars of every shape, tags, aliases, merges."""

from __future__ import annotations

import json
import random
import struct
import subprocess
from pathlib import Path

import pytest

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.foreign import Foreign
from headwater.langs.puppet.hiera.yaml import Document
from headwater.langs.puppet.values import Default
from headwater.tree.yamltext import BadYaml
from peers.puppet import ABSENT, installed

SCRIPT = Path(__file__).with_name("puppet_yaml.rb")

_WORDS = """
~ null Null NULL nULL nil true True TRUE tRue yes Yes YES y Y no No n on On ON off Off oFF 0 1
-1 +1 00 01 017 08 0o17 0x1F -0x1f 0xg 0b101 0b2 1_000 1,000 1__0 1_ _1 ,1 1, 1e3 1E3 1.e3 1.5
-1.5 +.5 .5 5. . .. ... -. +. 1.5e+3 1.5e3 1.5e-3 1_0.5 1,0.5 1.5_0 1.5.5 1e+3 .e3 1:30 1:30:15
1:60 -1:30 1:30.5 1:2:3:4 01:30 100:30 1:3o 1_0:30 +1:30 190:20:30.15 .inf -.inf +.inf .Inf .INF
.iNf .nan .NaN .NAN -.nan 2020-01-01 2020-1-1 2020-13-01 2020-01-01T00:00:00Z
2020-01-01t00:00:00 20-01-01 :sym :'a b' :"a b" :1 :: :undef :default ::a a:b "1" '1' "yes"
'null' ! !!str !!int !!float 123456789012345678901234567890 0x1ffffffffffffffffffffff -0 +0 -0.0
1e400 .5e+400 a=b <<x = == =~ 1a a1 é 日本 1 - -- --- -a ?a 0.1 0.10 1e 1e+ e1 0x 0b 0. 00.5 08.5
1_.5
"""
SCALARS = _WORDS.split()

TEXTS = [
    "a: ! 12", 'a: ! "12"', "a: !!str 12", "a: !!int '12'", "a: !!float 1", "a: !!float '1.5'",
    "a: !!float x", "a: !!binary aGVsbG8=", "a: !!binary '*'", "a: !!binary abc",
    "a: !!binary '=a=GV=s'", "a: !!binary 'aGVsab==aGVs'", "a: !!binary ''", "a: !binary é",
    "a: !str 12", "a: !foo 12",
    "a: !ruby/sym b", "a: !ruby/symbol b", "a: !ruby/object:Object {}", "a: !ruby/regexp /a/",
    "a: !ruby/range 1..2", "a: !!null x", "a: !!bool yes", "a: !!set {a, b}",
    "a: !!omap [{a: 1}, {b: 2}]", "a: !!map {a: 1}", "a: !!seq [1]",
    "a: &x 1\nb: *x", "a: &x [1, *x]", "a: &x {k: 1}\nb: {<<: *x, l: 2}",
    "a: &x {k: 1}\nb: &y {k: 2}\nc: {<<: [*x, *y]}", "a: &x {k: 1}\nb: {k: 3, <<: *x}",
    "a: &x {k: 1}\nb: {<<: *x, k: 3}", "a: {<<: 1}", "a: {<<: [1]}", "a: {'<<': {k: 1}}",
    "a: &x [{k: 1}]\nb: {<<: *x}", "? a\n: 1", "? [a]\n: 1", "1: a\n1.0: b\ntrue: c\n~: d",
    "a: |\n  x\n  y\n", "a: >\n  x\n  y\n\n  z\n", "a: |-\n  1\n", "a: |+\n  1\n\n", "a: >-\n  1",
    "a: 'x''y'", 'a: "\\x41\\u00e9\\n"', "a: b c\n  d", "a: 1 # c", "a: #c\n", "a:\n  - 1\n  - \n",
    "- 1\n- 2", "plain", "", "# c", "---\na: 1\n---\nb: 2\n", "---\na: 1\n...\n[", "a: b: c",
    "a: [1", "a: 1\na: 2", "{a: 1, b: [x, y]}", "[a, {b: c}, ]", "a: \"1\n  2\"", "\ta: 1",
    "a: *nosuch", "a: @x", "a: `x`", "a: %x", "%YAML 1.1\n---\na: yes",
    "a: !<tag:yaml.org,2002:str> 12",
    "&k a: 1\nb: *k", "a: 1\r\nb: 2\r\n", "a: ''", 'a: ""', "a: '~'", "a: ~ b", "a: yes b",
]  # fmt: skip


def shapes(count: int) -> list[str]:
    """Random plain scalars that look like numbers, times, symbols or words."""
    chance = random.Random(20)
    pieces = [*"0123456789.:-+_,eExXbo~", "inf", "nan", "yes", "no", "true", "0x", "1:", "20"]
    return ["".join(chance.choices(pieces, k=chance.randint(1, 7))) for _ in range(count)]


def form(value: object) -> object:
    """A value as the Ruby script writes it."""
    match value:
        case None:
            return "nil"
        case bool():
            return str(value).lower()
        case int():
            return ["integer", str(value)]
        case float():
            return ["float", struct.pack(">d", value).hex()]
        case Bytes():
            return ["string", value.data.hex()]
        case str():
            return ["string", value]
        case Foreign():
            return ["symbol", value.text]
        case Default():
            return ["symbol", "default"]
        case list():
            return ["array", [form(item) for item in value]]
        case Hash():
            return ["hash", [[form(key), form(item)] for key, item in value.pairs()]]
    raise AssertionError(type(value))


def ours(text: str) -> object:
    try:
        return form(Document(text).data)
    except BadYaml:
        return "refused"


EXPLAINED = {
    ":undef": "Hiera makes undef of it later; here it is undef at once",
    "? [a]": "a list as a key cannot be looked up, and the file is refused",
    "": "false and undef alike stand for no data",
    "# c": "the same",
}


def explained(text: str) -> bool:
    return text in EXPLAINED or any(known in text for known in EXPLAINED if known)


@pytest.mark.peer
def test_yaml_means_what_it_means_to_ruby() -> None:
    if not installed():
        pytest.skip(ABSENT)
    texts = [*TEXTS]
    texts += [f"a: {scalar}" for scalar in SCALARS]
    texts += [f"- {scalar}\n- [{scalar}]\n" for scalar in SCALARS]
    texts += [f"k: {scalar}" for scalar in shapes(4000)]
    asked = json.dumps(texts)
    done = subprocess.run(
        ["ruby", str(SCRIPT)], input=asked, capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    wrong = [
        (text, real, mine)
        for text, real, mine in zip(texts, theirs, map(ours, texts), strict=True)
        if real != mine and not explained(text)
    ]

    assert not wrong, "\n".join(map(str, wrong))
