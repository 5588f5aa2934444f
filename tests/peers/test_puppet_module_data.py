"""Data of modules, and metadata.json with odd content: taken as Puppet takes them."""

from __future__ import annotations

import functools
import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from laws.profile import examples
from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

SITE = (
    "notify { 'a': message => [lookup('m::k', {default_value => 'none'}),\n"
    "  lookup('j', {default_value => 'none'}), lookup('n::k', {default_value => 'none'})] }\n"
    "include m\n"
)
CLASS = "class m($k = 'default', $p = 'other') { notify { 'm': message => [$k, $p] } }\n"
GOOD = {
    "name": "o-m", "source": "s", "author": "a", "version": "1.0.0", "license": "l",
    "dependencies": [],
}  # fmt: skip


@functools.cache
def oracle(level: int, strict: str) -> Oracle:
    """One Ruby process for each level and strictness."""
    options = ("--set", f"strict={strict}")
    if level == 8:
        if not puppet8.there():
            pytest.skip(puppet8.ABSENT)
        return puppet8.oracle(*options)
    if not installed():
        pytest.skip(ABSENT)
    return Oracle(*options)


def compare(folder: Path, files: dict[str, str], level: int, strict: str) -> None:
    """Holds our answer about a module against Puppet's."""
    every = {"m/manifests/init.pp": CLASS, **files}
    for name, text in every.items():
        path = folder / "modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    modules = str(folder / "modules")
    real = oracle(level, strict).ask(code=SITE, filename="code.pp", modulepath=modules)
    number = level if level == 7 else puppet8.NUMBER
    mine = ours(SITE, modulepath=modules, puppet=number, settings={"strict": strict})

    assert difference(real, mine) is None, (files, strict)


VALUES: tuple[Any, ...] = (None, "", 1, [], {}, False)
ODD: list[Any] = [
    "", " ", "{", "[]", "[1]", "null", "1", "true", '"text"', "{}", "/* c */ {}", "{} // c", "{,}",
    '{"a": NaN}', "\ufeff{}", "{'a': 1}", '{"a": 1, "a": 2}', "{}{}", "{} x",
    *({name: value for name, value in GOOD.items() if name != gone} for gone in GOOD),
    *({**GOOD, name: given} for name in GOOD for given in VALUES),
    {**GOOD, "dependencies": None}, {**GOOD, "dependencies": {}}, {**GOOD, "dependencies": "x"},
    {**GOOD, "dependencies": [1]}, {**GOOD, "dependencies": [{}]},
    {**GOOD, "dependencies": [{"name": "x"}]}, {**GOOD, "dependencies": [{"name": "o/x"}]},
    {**GOOD, "dependencies": [{"name": "o-x", "version_requirement": ">= 1.0.0 < x"}]},
    {**GOOD, "dependencies": [{"name": "o-x", "version_requirement": 1}]},
    {**GOOD, "name": "no/slash"}, {**GOOD, "name": "bad name"}, {**GOOD, "name": 1},
    {**GOOD, "version": "x"}, {**GOOD, "version": "1"}, {**GOOD, "version": 1},
    {**GOOD, "requirements": 1}, {**GOOD, "requirements": [{"name": "puppet"}]},
    {**GOOD, "tags": "x"}, {**GOOD, "more": {"a": [1]}},
]  # fmt: skip
"""Contents of metadata.json: texts, and data."""


@pytest.mark.peer
@pytest.mark.parametrize(
    ("level", "strict"), [(7, "warning"), (7, "error"), (7, "off"), (8, "error")]
)
def test_metadata_with_odd_content_is_taken_as_puppet_takes_it(
    tmp_path: Path, level: int, strict: str
) -> None:
    contents = ODD[:: 5 if strict == "off" else 2 if strict == "warning" else 1]
    for number, content in enumerate(contents):
        text = content if isinstance(content, str) else json.dumps(content)
        compare(tmp_path / str(number), {"m/metadata.json": text}, level, strict)


DATA = [
    "m::k: 1\n", "m::k: 1\nj: 2\n", "k: 1\n", "n::k: 1\nm::p: 2\n", "- 1\n", "", "m::k:\n",
    "m::k: \"%{lookup('m::p')}\"\nm::p: 2\n", "1: x\nm::k: 3\n", "m::k.x: 1\n",
    "lookup_options: {m::k: {merge: unique}}\nm::k: [1]\n",
    "lookup_options: {n::k: {merge: unique}}\n",
    "lookup_options: {'^m::': {convert_to: String}}\nm::k: 5\n",
    "m::k: \"%{module_name} %{facts.kernel}\"\n", "::m::k: 1\n", "m::: 1\n",
    "M::k: 1\nm::k: 2\n",
]  # fmt: skip
CONFIGS = [
    None, "version: 5\n", "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n",
    "version: 5\ndefaults: {datadir: other}\n", "version: 4\n",
    "version: 4\ndatadir: data\nhierarchy: [{name: common, backend: yaml}]\n", "version: 3\n", "",
    "version: 5\nhierarchy: [{name: f, data_hash: m::data}]\n",
    "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"
    "default_hierarchy: [{name: d, path: common.yaml}]\n",
    "version: 5\nhierarchy: []\n", "version: 5\nhierarchy: [{name: g, glob: '*.yaml'}]\n",
]  # fmt: skip
PROVIDERS = [None, None, "none", "hiera", "function", "nosuch", 1]
FUNCTIONS = {
    "m/functions/data.pp": [
        "function m::data() { {'m::k' => 'function'} }\n",
        "function m::data() { {'k' => 'function', 'n::k' => 1} }\n",
        "function m::data(Hash $o, Puppet::LookupContext $c) { {'m::k' => $c.module_name} }\n",
        "function m::data() >> Hash { {'m::p' => $module_name} }\n",
    ],
    "m/lib/puppet/functions/m/data.rb": [
        "Puppet::Functions.create_function(:'m::data') do\n"
        "  def data\n    {'m::k' => 'ruby'}\n  end\nend\n",
    ],
}  # fmt: skip


def module(rng: random.Random) -> dict[str, str]:
    """A module with data drawn at random."""
    files: dict[str, str] = {}
    for name in ("data/common.yaml", "other/common.yaml", "data/a.yaml"):
        if rng.random() < 0.7:
            files[f"m/{name}"] = rng.choice(DATA)
    config = rng.choice(CONFIGS)
    if config is not None:
        files["m/hiera.yaml"] = config
    provider = rng.choice(PROVIDERS)
    if provider is not None or rng.random() < 0.3:
        data = {**GOOD, **({} if provider is None else {"data_provider": provider})}
        if rng.random() < 0.1:
            data.pop("version")
        files["m/metadata.json"] = json.dumps(data)
    if rng.random() < 0.5:
        name = rng.choice(list(FUNCTIONS))
        files[name] = rng.choice(FUNCTIONS[name])
    return files


@pytest.mark.peer
@pytest.mark.parametrize(("level", "strict"), list(itertools.product([7, 8], ["warning", "error"])))
def test_data_of_modules_are_looked_up_as_puppet_does(
    tmp_path: Path, level: int, strict: str
) -> None:
    rng = random.Random(5)
    for number in range(examples(25, 300)):
        compare(tmp_path / str(number), module(rng), level, strict)


@pytest.mark.peer
@pytest.mark.parametrize("level", [7, 8])
def test_keys_without_the_name_of_the_module_are_told(tmp_path: Path, level: int) -> None:
    files = {
        "m/manifests/init.pp": CLASS, "m/hiera.yaml": "version: 5\n",
        "m/data/common.yaml": "m::k: 1\nk: 2\nn::k: 3\nlookup_options: {}\nmm::k: 4\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    real = oracle(level, "warning").ask(
        code="include m", filename="code.pp", modulepath=str(tmp_path)
    )
    number = level if level == 7 else puppet8.NUMBER
    settings = {"strict": "warning"}
    mine = ours("include m", modulepath=str(tmp_path), puppet=number, settings=settings)
    said = [log for log in real["logs"] if "must use keys qualified" in log[1]]
    found = [log[2] for log in mine["logs"] if log[1] == "puppet-unqualified-key"]

    assert len(found) == len(said) == 3
    if level == 8:
        assert [log[1].rpartition("; got ")[2] for log in said] == ["k", "n::k", "mm::k"]
    assert ["the key k " in found[0], "the key n::k " in found[1]] == [True, True]


@pytest.mark.peer
def test_no_more_than_ten_deprecations_are_told() -> None:
    params = ", ".join(f"Integer[0, {n} * 2] $p{n} = 0" for n in range(12))
    code = f"class c({params}) {{ }}"
    real = oracle(8, "warning").ask(code=code, filename="code.pp")
    mine = ours(code, puppet=puppet8.NUMBER)
    said = [log for log in real["logs"] if "literal" in log[1]]

    assert len([log for log in mine["logs"] if log[1] == "puppet-computed-type"]) == len(said)
    assert len(said) == 10
