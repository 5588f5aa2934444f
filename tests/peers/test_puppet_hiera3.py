"""A global hiera.yaml of version 3: looked up as Puppet 7.23, and Puppet 8.10, look it up.

puppet_hiera3.txt holds the cases, with ``----`` between them.  Each begins with its manifest; ``@@
path`` begins another file.  ``DIR`` stands for the folder.
"""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

TABLE = Path(__file__).with_name("puppet_hiera3.txt").read_text().split("\n----\n")
DEFAULT = ":backends: [yaml]\n:hierarchy: [node, common]\n:yaml:\n  :datadir: DIR/data\n"


@functools.cache
def seven() -> Oracle:
    """Puppet 7.23."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


@functools.cache
def eight() -> Oracle:
    """Puppet 8.10."""
    if not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    return puppet8.oracle()


def written(case: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The manifest of a case, and its inputs."""
    files = {"hiera.yaml": DEFAULT}
    name = "site.pp"
    for line in case.strip("\n").split("\n"):
        if line.startswith("@@ "):
            name = line[3:].strip()
            files[name] = ""
        else:
            files[name] = files.get(name, "") + line + "\n"
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("DIR", str(folder)))
    inputs = {"hiera": str(folder / "hiera.yaml"), "modulepath": str(folder / "modules")}
    if any(path.startswith("env/") for path in files):
        inputs["env"] = str(folder / "env")
    return files["site.pp"].replace("DIR", str(folder)), inputs


@pytest.mark.peer
@pytest.mark.parametrize("number", range(len(TABLE)))
@pytest.mark.parametrize("level", [7, 8])
def test_version_3_is_read_as_puppet_reads_it(tmp_path: Path, number: int, level: int) -> None:
    code, inputs = written(TABLE[number], tmp_path)
    if level == 8 and "http" in TABLE[number]:
        # This Puppet 8 finds Hiera 3 beside Puppet 7; OpenVox's answer is among the levels' cases.
        assert ours(code, puppet=8, **inputs)["error"]["code"] == "puppet-no-hiera-3"
        return
    oracle = seven() if level == 7 else eight()
    real = oracle.ask(code=code, filename="code.pp", **inputs)
    mine = ours(code, puppet=level if level == 7 else puppet8.NUMBER, **inputs)

    assert difference(real, mine) is None, TABLE[number]


def generated(rng: random.Random) -> str:
    """A case with data drawn at random in up to three files of two backends."""

    def value(depth: int = 0) -> object:
        kind = rng.random()
        if depth < 2 and kind < 0.3:
            return {rng.choice("abc"): value(depth + 1) for _ in range(rng.randint(0, 3))}
        if depth < 2 and kind < 0.5:
            return [value(depth + 1) for _ in range(rng.randint(0, 3))]
        return rng.choice(
            [1, 2, True, None, "x", "--x", "%{facts.kernel}", "%{::kernel}", "%{hiera('k')}",
             "%{lookup('l')}", "%{calling_module}", "%{scope('environment')}", "a,b", ""]
        )  # fmt: skip

    call = rng.choice(["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_hash"])
    more = rng.choice(["", ", 'dflt'", ", {'d' => 1}", ", 'dflt', 'over'"])
    if call == "lookup":
        more = rng.choice(["", ", {'default_value' => 1}", ", {'merge' => 'deep'}"])
    backends = rng.choice([["yaml"], ["json"], ["yaml", "json"], ["json", "yaml"]])
    config: dict[str, Any] = {"backends": backends, "hierarchy": ["node", "common"]}
    for backend in backends:
        config[backend] = {"datadir": "DIR/data"}
    behaviour = rng.choice([None, "native", "deep", "deeper", "deeper"])
    if behaviour is not None:
        config["merge_behavior"] = behaviour
    if rng.random() < 0.4:
        options = [("knockout_prefix", "--"), ("merge_hash_arrays", True), ("unpack_arrays", ","),
                   ("sort_merged_arrays", True), ("overwrite_arrays", True)]  # fmt: skip
        config["deep_merge_options"] = dict([rng.choice(options)])
    case = f"notify {{ 'a': message => {call}('{rng.choice(['k', 'k', 'l', 'm', 'k.a'])}'{more}) }}"
    case += f"\n@@ hiera.yaml\n{json.dumps(config)}"
    for name in ("node", "common", "over"):
        for ending in ("yaml", "json"):
            if rng.random() < 0.7:
                data = {key: value() for key in "kl" if rng.random() < 0.8}
                case += f"\n@@ data/{name}.{ending}\n{json.dumps(data)}"
    return case


@pytest.mark.peer
def test_generated_data_of_version_3_are_looked_up_as_puppet_does(tmp_path: Path) -> None:
    rng = random.Random(3)
    asked = seven()
    answered = 0
    for number in range(150):
        case = generated(rng)
        code, inputs = written(case, tmp_path / str(number))
        real = asked.ask(code=code, filename="code.pp", **inputs)
        answered += real["ok"]
        assert difference(real, ours(code, **inputs)) is None, case
    assert answered > 60
