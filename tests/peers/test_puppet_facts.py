"""Facts as the installed tools write them: Puppet's caches, and Facter's external facts."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headwater.langs.puppet.facts import NodeFacts, read_facts
from headwater.langs.puppet.facts.external import add_external
from headwater.langs.puppet.hashes import Hash
from peers.puppet import ABSENT, installed

WRITE = """
require 'puppet'; require 'json'
Puppet.initialize_settings(['--confdir', ARGV[0], '--vardir', ARGV[0]])
place = Puppet::Node::Environment.create(:production, [])
$stdin.each_line do |line|
  facts = Puppet::Node::Facts.new('web1.example.com', JSON.parse(line))
  facts.timestamp = Time.now
  node = Puppet::Node.new('web1.example.com', environment: place)
  node.merge(facts.values.reject { |name, _| name == 'environment' })
  puts JSON.generate([facts.to_yaml, facts.to_json, node.to_yaml, facts.values.to_yaml])
end
"""
WORDS = ["", "a", "yes", "no", "null", "~", "1", "1.0", "0x1f", "2020-01-01", "2020-01-01 10:00:00",
         ":sym", "a: b", "- x", "#c", "two\\nlines\\n", "ünï", "tab\\there", " blank ", "%{x}",
         "!t", "&a", "*a", "'", '"', "{", "[", "|", ">", "<<", "=", "12:30", "1_000", "0o17", "017",
         "trailing\\n\\n", "x" * 120 + " y"]  # fmt: skip


def value(rng: random.Random, depth: int = 0) -> object:
    """A value that a fact can have."""
    kind = rng.random()
    if depth < 3 and kind < 0.2:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if depth < 3 and kind < 0.45:
        return {word(rng): value(rng, depth + 1) for _ in range(rng.randint(0, 4))}
    return rng.choice([1, -5, 2**40, 1.5, -0.25, 1e20, True, False, None, word(rng), word(rng)])


def word(rng: random.Random) -> str:
    """A text that YAML has trouble with."""
    return rng.choice(WORDS).encode().decode("unicode_escape").encode("latin-1").decode()


def plain(found: Any) -> Any:  # noqa: ANN401
    """Data as Python has them."""
    if isinstance(found, Hash):
        return {key: plain(item) for key, item in found.pairs()}
    return [plain(item) for item in found] if isinstance(found, list) else found


@pytest.mark.peer
def test_what_puppet_writes_of_facts_is_read_as_they_were(tmp_path: Path) -> None:
    if not installed():
        pytest.skip(ABSENT)
    rng = random.Random(19)
    every = [
        {f"f{index}": value(rng) for index in range(rng.randint(1, 6))} | {"kernel": word(rng)}
        for _ in range(150)
    ]
    done = subprocess.run(
        ["ruby", "-e", WRITE, str(tmp_path)],
        input="".join(json.dumps(facts) + "\n" for facts in every),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]

    assert len(answers) == len(every)
    for facts, texts in zip(every, answers, strict=True):
        for name, text in zip(("f.yaml", "f.json", "n.yaml", "values.yaml"), texts, strict=True):
            file = tmp_path / name
            file.write_text(text, encoding="utf-8")
            (found,) = read_facts(str(file))
            assert plain(found.values) == facts, text
            assert found.node == (None if name == "values.yaml" else "web1.example.com")


TEXTS = {
    ".yaml": ["Alpha: 1\nshared: {file}\nlist: [a, {{B: c}}]\nnone:\nday: 2020-01-01\n1: one\n",
              "os: {{family: {file}}}\nfloat: 1.0\nno: false\nat: 2020-01-01 10:00:00\n", "",
              "---\nbase: &b {{x: 1}}\nmore: *b\nDotted.name: 1\n", "shared:\n"],
    ".json": ['{{"shared": "{file}", "j": {{"k": [1, 2.5, null]}}}}', '{{"n": null, "N": 2}}',
              '{{"ALPHA": "{file}"}}'],
    ".txt": ["shared={file}=x\nUpper=Up\n", " sp = blank \nno\n=x\nempty=\n# com=ment\n",
             "crlf=yes\r\nq='q'\r\n", "shared=first\nshared=second\nSHARED=third"],
    ".TXT": ["shared={file}\nshout=1\n"],
    ".yml": ["shared: {file}\nyml: 1\n"],
    ".md": ["shared={file}"],
}  # fmt: skip


@pytest.mark.peer
def test_external_facts_are_those_of_facter(tmp_path: Path) -> None:
    if shutil.which("facter") is None:
        pytest.skip(ABSENT)
    rng = random.Random(4)
    for number in range(8):
        folders = [tmp_path / f"{number}{letter}" for letter in "ab"]
        for folder in folders:
            folder.mkdir()
            for index in range(rng.randint(1, 5)):
                ending = rng.choice(list(TEXTS))
                file = folder / f"{rng.choice('zmaB.')}{index}{ending}"
                text = rng.choice(TEXTS[ending]).format(file=f"{folder.name}-{file.name}")
                file.write_bytes(text.encode())
        mine = NodeFacts(None, Hash())
        add_external(mine, list(map(str, folders)))
        asked = [
            "alpha", "shared", "list", "day", "1", "float", "no", "at", "base", "more", "j", "n",
            "upper", " sp ", "# com", "crlf", "q", "shout", "yml", "none", "empty", "os",
        ]  # fmt: skip
        options = [part for folder in folders for part in ("--external-dir", str(folder))]
        done = subprocess.run(
            ["facter", "--no-custom-facts", "--json", *options, *asked],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        real = {name: item for name, item in json.loads(done.stdout).items() if item is not None}
        if "os" not in mine.values:
            real.pop("os")  # what Facter finds out itself
        if "at" in real:
            real["at"] = real["at"].rstrip()  # Facter takes the end of the line into a time
        got = {name: item for name, item in plain(mine.values).items() if name in asked}
        assert got == real, options
