"""What the levels differ in, row by row: the message of ``Notify[a]``, or the line of a refusal.

Recorded answers of both versions are in tests/peers; these rows need no recording, because the page
on levels says what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.text import Source

HIERA = "version: 5\nhierarchy:\n  - name: n\n    path: common.yaml\n"
LAX = {"strict": "warning", "strict_variables": False}
STRICT = {"strict": "error", "strict_variables": True}
TOLD = {"facts": {"kernel": "Linux"}}


class Refused(NamedTuple):
    """A refusal: its code, and the file and line it names."""

    code: str
    line: int
    file: str = "a.pp"


class Row(NamedTuple):
    """A program with files beside it, and what comes of it at level 7 and at level 8."""

    program: str
    seven: object
    eight: object
    files: Mapping[str, str] = MappingProxyType({})
    settings: Mapping[str, Any] = MappingProxyType({})


UNKNOWN, COERCED = "puppet-unknown-variable", "puppet-numeric-coercion"


def looked_up(data: str, config: str = HIERA) -> dict[str, str]:
    return {"hiera.yaml": config, "data/common.yaml": data}


ASK = "notify { 'a': message => lookup('k') }"
ROWS = {
    "an unknown variable": Row(
        "notify { 'a': message => \"x${nosuch}\" }", "x", Refused(UNKNOWN, 1)
    ),
    "of a class that is not evaluated": Row(
        "class c { $v = 1 }\nnotify { 'a': message => \"x${c::v}\" }", "x", Refused(UNKNOWN, 2)
    ),
    "set in a branch that is not taken": Row(
        "if false { $v = 1 }\nnotify { 'a': message => \"[${v}]\" }", "[]", Refused(UNKNOWN, 2)
    ),
    "a legacy fact that is not there": Row(
        "notify { 'a': message => \"x${osfamily}\" }", "x", Refused(UNKNOWN, 1)
    ),
    "strict=warning alone": Row(
        "notify { 'a': message => \"x${nosuch}\" }", "x", Refused(UNKNOWN, 1),
        settings={"strict": "warning"},
    ),
    "strict_variables=false alone": Row(
        "notify { 'a': message => \"x${nosuch}\" }", "x", Refused(UNKNOWN, 1),
        settings={"strict_variables": False},
    ),
    "both": Row("notify { 'a': message => \"x${nosuch}\" }", "x", "x", settings=LAX),
    "both at level 7": Row(
        "notify { 'a': message => \"x${nosuch}\" }", Refused(UNKNOWN, 1), Refused(UNKNOWN, 1),
        settings=STRICT,
    ),
    "abs of a text": Row("notify { 'a': message => abs('-1') }", 1, 1),
    "a text and a number": Row("notify { 'a': message => '1' + 1 }", 2, Refused(COERCED, 1)),
    "a text as an index": Row("notify { 'a': message => [4, 5]['1'] }", 5, Refused(COERCED, 1)),
    "data with an unknown variable": Row(
        ASK, "xy", Refused(UNKNOWN, 1), looked_up("k: 'x%{nosuch}y'")
    ),
    "a default for a variable of data": Row(
        "notify { 'a': message =>\n"
        "lookup({name => 'k', default_values_hash => {'nosuch' => 'dflt'}}) }",
        "xdflty", "xdflty", looked_up("k: 'x%{nosuch}y'"),
    ),
    "… and strict": Row(
        "notify { 'a': message =>\n"
        "lookup({name => 'k', default_values_hash => {'nosuch' => 'dflt'}}) }",
        Refused(UNKNOWN, 2), "xdflty", looked_up("k: 'x%{nosuch}y'"), STRICT,
    ),
    "data that are no hash": Row(
        "notify { 'a': message => lookup('k', {default_value => 1}) }", 1,
        Refused("puppet-hiera-no-hash", 1, "common.yaml"), looked_up("[k]"),
    ),
    "an unknown variable in an option": Row(
        "notify { 'a': message => lookup('k', {default_value => 1}) }", 1,
        Refused(UNKNOWN, 3, "hiera.yaml"),
        looked_up("", f'{HIERA}    data_hash: m::data\n    options: {{x: "d%{{nosuch}}"}}\n')
        | {"modules/m/functions/data.pp": "function m::data($o, $c) { {'j' => 1} }"},
    ),
    "an unknown variable in a folder": Row(
        ASK, 1, Refused(UNKNOWN, 3, "hiera.yaml"),
        looked_up("k: 1", f'{HIERA}    datadir: "da%{{nosuch}}ta"\n'),
    ),
    "an unknown variable in a path": Row(
        ASK, 1, 1, looked_up("k: 1", HIERA.replace("common.yaml", '"%{nosuch}common.yaml"'))
    ),
    "… and strict at level 7": Row(
        ASK, Refused(UNKNOWN, 3, "hiera.yaml"), 1,
        looked_up("k: 1", HIERA.replace("path: common.yaml", 'path: "%{nosuch}common.yaml"')),
        STRICT,
    ),
    "hiera.yaml of version 3": Row(
        ASK, 1, 1,
        looked_up("k: 1", ":backends: [yaml]\n:hierarchy: [common]\n:yaml: {datadir: DIR/data}\n"),
    ),
    "… of a module": Row(
        "class m($k = 1) { notify { 'a': message => $k } }\ninclude m", 1,
        Refused("puppet-hiera-config", 1, "hiera.yaml"),
        {"modules/m/hiera.yaml": "version: 3\n", "modules/m/data/common.yaml": "m::k: 2\n"},
    ),
    "a backend of Hiera 3": Row(
        ASK, Refused("puppet-hiera-config", 3, "hiera.yaml"),
        Refused("puppet-no-hiera-3", 3, "hiera.yaml"),
        looked_up("k: 1", "version: 5\nhierarchy:\n  - name: n\n    hiera3_backend: mongodb\n"),
    ),
    "split": Row(
        "notify { 'a': message => split(Sensitive('a,b'), ',').unwrap }",
        Refused("puppet-mistyped", 1), ["a", "b"],
    ),
    "regsubst": Row(
        "notify { 'a': message => regsubst(Sensitive('abc'), 'b', 'x').unwrap }",
        Refused("puppet-mistyped", 1), "axc",
    ),
    "regsubst of some": Row(
        "notify { 'a': message => regsubst([Sensitive('ab'), 'cb'], 'b', 'x')[0].unwrap }",
        Refused("puppet-mistyped", 1), "ax",
    ),
    "max of versions": Row(
        "notify { 'a': message => String(max(SemVer('2.0.0'), SemVer('10.0.0'))) }",
        "2.0.0", "10.0.0",
    ),
    "min of versions": Row(
        "notify { 'a': message => String(min(SemVer('2.0.0'), SemVer('10.0.0'))) }",
        "10.0.0", "2.0.0",
    ),
    "max of times": Row(
        "notify { 'a': message => String(max(Timestamp('1969-01-01'), Timestamp('1970-01-01'),\n"
        "Timestamp(253402300800))) }", "1970-01-01T00:00:00.000000000 UTC",
        "10000-01-01T00:00:00.000000000 UTC",
    ),
    "a hash and a short pair": Row(
        "notify { 'a': message => String({'a' => 1} + [['b']]) }", "{'a' => 1, 'b' => undef}",
        Refused("puppet-not-applicable", 1),
    ),
    "a hash and a long pair": Row(
        "notify { 'a': message => String({'a' => 1} + [['b', 2, 3]]) }",
        Refused("puppet-not-applicable", 1), Refused("puppet-not-applicable", 1),
    ),
    "versions": Row(
        "notify { 'a': message => [versioncmp($serverversion, '8.0.0'), $clientversion] }",
        [-1, "7.23.0"], [1, "8.28.1"],
    ),
    "settings": Row(
        "notify { 'a': message => [$settings::strict, $settings::strict_variables,\n"
        "$settings::include_legacy_facts, $settings::preprocess_deferred,\n"
        "$settings::exclude_unchanged_resources, $settings::number_of_facts_soft_limit] }",
        ["warning", False, True, True, False, 2048], ["error", True, False, False, True, 10240],
    ),
    "settings that are new": Row(
        "notify { 'a': message => [$settings::allow_pson_serialization,\n"
        "$settings::ca_refresh_interval, $settings::hostcert_renewal_interval,\n"
        "$settings::report_configured_environmentpath,\n"
        "$settings::skip_logging_catalog_request_destination] }",
        [None] * 5, [False, 86400, 2592000, True, False],
    ),
    "an environment for packages": Row(
        "package { 'p': environment => ['A=b'] }\nnotify { 'a': message => 1 }",
        Refused("puppet-unknown-parameter", 1), 1,
    ),
    "two nodes that differ in a group": Row(
        "node /node(?=\\.)/ { notify { 'a': message => 1 } }\nnode /node(?!\\.)/ { }",
        Refused("puppet-redefined", 2), 1,
    ),
    "a group in the name of a node": Row(
        "node /^(?:node|web)\\d*\\./ { notify { 'a': message => Node['x'] =~ Any } }", True, True
    ),
    "a used-up iterator": Row(
        "notify { 'a': message => String([1, 2, 3, 4].step(2).each |$v| { }) }", "[]", "[]"
    ),
}  # fmt: skip


def compiled(row: Row, level: int, folder: Path) -> Outcome:
    for name, text in row.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("DIR", str(folder)), encoding="utf-8")
    inputs: dict[str, Any] = {**TOLD, "puppet": level, "settings": dict(row.settings)}
    inputs["modulepath"] = str(folder / "modules")
    if "hiera.yaml" in row.files:
        inputs["hiera"] = str(folder / "hiera.yaml")
    source = Source.of_text("a.pp", row.program + "\n")
    return language_named("puppet").compile(Job((source,), Fields(**inputs)))


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("level", [7, 8])
def test_a_row(name: str, level: int, tmp_path: Path) -> None:
    row = ROWS[name]
    outcome = compiled(row, level, tmp_path)
    if outcome.result is None:
        error = outcome.errors[0]
        place = Path(error.at.source.name).name
        found: object = Refused(error.code, error.at.first.line, place)
    else:
        catalog: Any = outcome.result.plain()
        (found,) = (r["parameters"]["message"] for r in catalog["resources"] if r["title"] == "a")

    assert found == (row.seven if level == 7 else row.eight)
