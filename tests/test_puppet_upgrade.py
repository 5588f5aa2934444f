"""``check --upgrade``: what level 8 will refuse or change, and fixes that change no catalog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask import Request
from headwater.ask.upgrade import diff_of, upgrade
from headwater.cli.main import cli
from headwater.langs import language_named
from headwater.langs.protocol import Finding, Job
from headwater.langs.puppet.facts.legacy import instead, is_legacy, structured
from headwater.langs.puppet.fields import Fields
from headwater.text import Source

FACTS: dict[str, Any] = {
    "osfamily": "Debian", "ipaddress": "192.0.2.1", "processorcount": 4, "kernel": "Linux",
    "ipaddress_eth0": "192.0.2.1", "processor0": "CPU", "memorysize_mb": 7961.5, "number": "7",
    "selinux": False,
    "os": {"family": "Debian", "selinux": {"enabled": False}},
    "processors": {"count": 4, "models": ["CPU"]},
    "networking": {"ip": "192.0.2.1", "interfaces": {"eth0": {"ip": "192.0.2.1"}}},
}  # fmt: skip


def asked(folder: Path, *named: str, facts: object = FACTS, **files: str) -> list[Finding]:
    """The findings about files, whose names have two underscores for a slash."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    inputs = {} if facts is None else {"facts": facts}
    names = [str(folder / name) for name in named or ("a.pp",)]
    return upgrade(Request(inputs=inputs), names, None)[0]


def told(findings: list[Finding]) -> list[tuple[str, int, bool]]:
    """The code and line of each finding, and whether it can be mended."""
    return [(f.diagnostic.code, f.diagnostic.at.first.line, f.fix is not None) for f in findings]


def fixed(findings: list[Finding], name: str = "a.pp") -> str:
    """A file after the fixes."""
    _, after = diff_of(findings)
    return next(source.text for source in after if source.name.endswith(name))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("$osfamily", "$facts['os']['family']"),
        ("$::osfamily", "$facts['os']['family']"),
        ('"x${osfamily}y"', "\"x${facts['os']['family']}y\""),
        ('"x${::osfamily}y"', "\"x${facts['os']['family']}y\""),
        ('"x$osfamily y"', "\"x${facts['os']['family']} y\""),
        ('"x$::osfamily y"', "\"x${facts['os']['family']} y\""),
        ('"${osfamily.upcase}"', "\"${facts['os']['family'].upcase}\""),
        ('"${$osfamily}"', "\"${$facts['os']['family']}\""),
        ("$facts['osfamily']", "$facts['os']['family']"),
        ("\"${facts['osfamily']}\"", "\"${facts['os']['family']}\""),
        ("$facts['processorcount'] + 1", "$facts['processors']['count'] + 1"),
        ("$processor0", "$facts['processors']['models'][0]"),
        ("$ipaddress_eth0", "$facts['networking']['interfaces']['eth0']['ip']"),
        ("$facts.get('osfamily')", "$facts.get('os.family')"),
        ("$facts.dig('osfamily')", "$facts.dig('os', 'family')"),
        ("get($facts, 'osfamily', 'x')", "get($facts, 'os.family', 'x')"),
        ("getvar('facts.osfamily')", "getvar('facts.os.family')"),
        ("getvar('::osfamily')", "getvar('facts.os.family')"),
        ("$selinux ? { true => 1, default => 2 }",
         "$facts['os']['selinux']['enabled'] ? { true => 1, default => 2 }"),
        ("$::kernel", "$facts['kernel']"),
        ('"$::kernel"', "\"${facts['kernel']}\""),
        ("'2' * 3", "2 * 3"),
        ("1 + '0x1F'", "1 + 0x1F"),
        ("-'3'", "-3"),
        ("$number + 1", "Numeric($number) + 1"),
        ("1 - $::number", "1 - Numeric($facts['number'])"),
        ("$number * 2 + '1'", "Numeric($number) * 2 + 1"),
        ("-$number", "-Numeric($number)"),
        ("['a', 'b']['1']", "['a', 'b'][1]"),
        ("['a', 'b', 'c']['0', '2']", "['a', 'b', 'c'][0, 2]"),
        ("['a', 'b'][-1, '0x1']", "['a', 'b'][-1, 0x1]"),
        ("[1, 2, 3, 4, 5, 6, 7, 8][$number]", "[1, 2, 3, 4, 5, 6, 7, 8][Numeric($number)]"),
        ("$facts['processors']['models']['0']", "$facts['processors']['models'][0]"),
        ("\"${facts['processors']['models']['0']}\"", "\"${facts['processors']['models'][0]}\""),
        ("[{ '1' => 'a' }['1'], ['b']['0']]", "[{ '1' => 'a' }['1'], ['b'][0]]"),
    ],
)  # fmt: skip
def test_a_safe_fix(before: str, after: str, tmp_path: Path) -> None:
    found = asked(tmp_path, a_dot_pp=f"notify {{ 'a': message => {before} }}\n")

    assert found
    assert all(finding.fix is not None for finding in found)
    assert fixed(found) == f"notify {{ 'a': message => {after} }}\n"


@pytest.mark.parametrize(
    ("keys", "after"),
    [
        ("$a['n'] => 1, $b['n'] => 2", "$a['n'] => 1, $b.get('n') => 2"),
        ("$a['n.m'] => 1, $b['n.m'] => 2", "$a['n.m'] => 1, ($b['n.m']) => 2"),
        ("$c[0] => 1, [0] => 2", "($c[0]) => 1, [0] => 2"),
        ("File['/a'] => 1, Package['/a'] => 2", "File['/a'] => 1, (Package['/a']) => 2"),
        ("Integer => 1, 'integer' => 2", "(Integer) => 1, 'integer' => 2"),
        ("-1 => 1, - 1 => 2", None),
        ("'a' => 1, 'a' => 2", None),
    ],
)
def test_keys_that_level_8_takes_for_the_same(keys: str, after: str | None, tmp_path: Path) -> None:
    program = (
        "$a = { 'n' => 'x', 'n.m' => 'p' }\n$b = { 'n' => 'y', 'n.m' => 'q' }\n$c = ['z']\n"
        f"$h = {{ {keys} }}\nnotify {{ 'a': message => String($h) }}\n"
    )
    found = asked(tmp_path, a_dot_pp=program)

    if after is not None:
        assert told(found) == [("puppet-wider-key", 4, True)]
        assert fixed(found) == program.replace(keys, after)
        job = Job((Source.of_text("a.pp", fixed(found)),), Fields(puppet=8))
        assert language_named("puppet").compile(job).result is not None
    else:
        assert [line for _, line, _ in told(found)] == [4]


@pytest.mark.parametrize(
    "program",
    [
        "class c($hostname = 'x') { notify { \"a${hostname}\": } }\ninclude c\n",
        "class c { $domain = 'x'\n notify { $domain: } }\ninclude c\n",
        "$network = 'x'\nclass c { notify { $network: } }\ninclude c\n",
        "$network = 'x'\nnotify { $::network: }\n",
        '[1].each |$id| { notify { "${id}": } }\n',
        "function f($uuid) { $uuid }\nnotify { f('x'): }\n",
        "class b { $uptime = 'x' }\nclass c inherits b { notify { $uptime: } }\ninclude c\n",
        "notify { $facts['os']['family']: }\n",
        "notify { 'a': message => \"${trusted['certname']} ${title}\" }\n",
        "notify { 'a': message => $facts['nosuch'] }\n",
        "notify { 'a': message => [1] + ['2'] + '3' }\n",
        "notify { 'a': message => { 'a' => 1, 'b' => 2, 1 => 3, '1' => 4 } }\n",
    ],
)
def test_nothing_to_say(program: str, tmp_path: Path) -> None:
    assert told(asked(tmp_path, a_dot_pp=program)) == []


def test_a_fix_that_facts_or_a_catalog_disagree_with_is_not_offered(tmp_path: Path) -> None:
    other = {**FACTS, "os": {"family": "Linux"}}
    used = "notify { $osfamily: }\n"
    unused = "class never { notify { $osfamily: } }\n"

    for program in (used, unused):
        (found,) = asked(tmp_path, facts=other, a_dot_pp=program)
        assert found.fix is None
        assert "no fix is offered" in str(found.diagnostic.help)
    # Of two edits only the one that changes nothing is made.
    both = asked(tmp_path, facts=other, a_dot_pp=f"{used}notify {{ $ipaddress: }}\n")
    assert [row[1:] for row in told(both) if row[0] == "puppet-legacy-fact"] == [
        (1, False), (2, True)
    ]  # fmt: skip


def test_a_fact_of_the_top_scope(tmp_path: Path) -> None:
    found = asked(tmp_path, a_dot_pp="notify { $::kernel: }\n")

    assert told(found) == [("puppet-top-scope-fact", 1, True)]


def test_without_facts_nothing_can_be_said_about_them(tmp_path: Path) -> None:
    (found,) = asked(tmp_path, facts=None, a_dot_pp="class c { notify { $osfamily: } }\n")

    assert found.fix is None
    assert "--facts" in str(found.diagnostic.help)


def test_what_has_no_fix(tmp_path: Path) -> None:
    found = asked(
        tmp_path,
        a_dot_pp="notify { 'a': message => \"${nosuch}\" }\n"
        "notify { 'b': message => $memorysize_mb }\n"
        "notify { 'c': message => String(max(SemVer('2.0.0'), SemVer('10.0.0'))) }\n"
        "class c(Integer[0, 2 * 3] $i = 1) { }\n"
        "notify { 'd': message => String({ 'a' => 1 } + [['b']]) }\n",
    )

    assert told(found) == [
        ("puppet-level-refuses", 1, False), ("puppet-legacy-fact", 2, False),
        ("puppet-computed-type", 4, False), ("puppet-level-refuses", 5, False),
    ]  # fmt: skip
    program = "notify { 'c': message => String(max(SemVer('2.0.0'), SemVer('10.0.0'))) }\n"
    assert told(asked(tmp_path, a_dot_pp=program)) == [("puppet-level-changes", 1, False)]


def test_a_fact_that_is_named_by_a_value(tmp_path: Path) -> None:
    program = "$name_of = 'osfamily'\nnotify { 'a': message => $facts[$name_of] }\n"

    assert told(asked(tmp_path, a_dot_pp=program)) == [("puppet-level-changes", 2, False)]


SITE = {
    "manifests__site_dot_pp": "include m\n",
    "modules__m__manifests__init_dot_pp": (
        "class m(Integer $p = 1) {\n"
        "  notify { 'a': message => template('m/a.erb') }\n"
        "  notify { 'b': message => epp('m/b.epp') }\n}\n"
    ),
    "modules__m__templates__a_dot_erb": (
        "<%= @osfamily %> <%= scope['::osfamily'] %> <%= scope.lookupvar('osfamily') %> @osfamily\n"
        "<%= @facts['osfamily'] %> <%= scope['facts']['osfamily'] %>\n"
    ),
    "modules__m__templates__b_dot_epp": "<%= $::osfamily %>\n",
    "data__Debian_dot_yaml": (
        "m::p: 2\nk: '%{osfamily} %{facts.osfamily}'\n"
        'l: "%{scope(\'osfamily\')} %{scope(\\"::osfamily\\")}"\n'
    ),
    "hiera_dot_yaml": (
        "---\nversion: 5\nhierarchy:\n  - name: os\n    path: '%{::osfamily}.yaml'\n"
        "  - name: flow\n    mapped_paths: [facts.osfamily, f, 'f/%{f}.yaml']\n"
        "  - name: block\n    mapped_paths:\n      - '::osfamily'\n      - f\n      - 'x%{f}'\n"
    ),
}


def test_templates_data_and_hiera(tmp_path: Path) -> None:
    found = asked(tmp_path, ".", **SITE)

    assert told(found)
    assert all(fix for _, _, fix in told(found))
    config = fixed(found, "hiera.yaml")
    assert config.count("facts.os.family") == 3
    assert "osfamily" not in config
    assert fixed(found, "Debian.yaml").count("facts.os.family") == 4
    assert fixed(found, "b.epp") == "<%= $facts['os']['family'] %>\n"
    assert fixed(found, "a.erb") == (
        "<%= @facts['os']['family'] %> <%= scope['facts']['os']['family'] %> "
        "<%= scope['facts']['os']['family'] %> @osfamily\n"
        "<%= @facts['os']['family'] %> <%= scope['facts']['os']['family'] %>\n"
    )
    # Trying leaves the files as they are.
    assert "%{::osfamily}" in (tmp_path / "hiera.yaml").read_text()


def test_every_unknown_variable_of_data_is_told_of(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy:\n  - {name: n, path: common.yaml}\n"
    data = "k: '%{nosuch}'\nl: 1\nm: ['%{other}']\n"
    site = "notify { 'a': message => [lookup('k'), lookup('m')] }\n"
    files = {"manifests__site_dot_pp": site, "hiera_dot_yaml": config}
    found = asked(tmp_path, ".", data__common_dot_yaml=data, **files)

    assert told(found)[:2] == [
        ("puppet-level-refuses", 1, False),
        ("puppet-level-refuses", 3, False),
    ]


def test_hiera_3_is_named(tmp_path: Path) -> None:
    backend = "---\nversion: 5\nhierarchy:\n  - name: x\n    hiera3_backend: mongodb\n"

    found = asked(tmp_path, ".", manifests__site_dot_pp="", hiera_dot_yaml=backend)

    assert told(found) == [("puppet-old-hiera", 5, False)]


def run(*args: str) -> tuple[int, str]:
    """What the command prints to standard output, and how it ends."""
    done = CliRunner().invoke(cli, ["check", *args])
    return done.exit_code, done.stdout


def test_the_command(tmp_path: Path) -> None:
    asked(tmp_path, ".", **SITE)
    facts = tmp_path / "facts"
    facts.mkdir()
    (facts / "web1.json").write_text(json.dumps(FACTS))
    (facts / "web2.json").write_text(json.dumps({**FACTS, "kernel": "x"}))
    args = ("--upgrade", str(tmp_path), "--nodes", str(facts))
    before = run(*args)
    exported = tmp_path / "exported"
    exported.mkdir()
    rows = [
        {"certname": f"web{number}", "name": name, "value": value}
        for number in (1, 2)
        for name, value in {**FACTS, "kernel": f"x{number}"}.items()
    ]
    (exported / "all.json").write_text(json.dumps(rows))
    assert run(*args[:3], str(exported)) == before
    (tmp_path / "none").mkdir()
    assert run(*args[:3], str(tmp_path / "none"))[0] == 2

    code, diff = run(*args, "--fix")
    assert code == 1
    assert "+<%= $facts['os']['family'] %>" in diff
    code, text = run(*args, "--format", "json")
    fixes = [d["fix"] for d in json.loads(text)["diagnostics"]]
    assert {"facts.os.family", "$facts['os']['family']"} <= {f[0]["text"] for f in fixes}
    code, text = run(*args, "--format", "sarif")
    (made,) = json.loads(text)["runs"]
    change = made["results"][0]["fixes"][0]["artifactChanges"][0]
    assert change["replacements"][0]["insertedContent"]["text"] == "facts.os.family"
    assert run(*args, "--write")[0] == 0
    assert (tmp_path / "modules/m/templates/b.epp").read_text() == "<%= $facts['os']['family'] %>\n"
    assert run(*args) == (0, "")
    sent = {name: value for name, value in FACTS.items() if not is_legacy(name)}
    (tmp_path / "sent.json").write_text(json.dumps(sent))
    done = CliRunner().invoke(
        cli, ["compile", str(tmp_path), "--puppet", "8", "--facts", str(tmp_path / "sent.json")]
    )
    assert done.exit_code == 0


def test_what_the_command_refuses(tmp_path: Path) -> None:
    (tmp_path / "a.sf").write_text("sfConfig extends { a 1; }\n")

    assert run("--upgrade", str(tmp_path / "a.sf"))[0] == 2
    assert run("--fix", str(tmp_path / "a.sf"))[0] == 2


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("fqdn", "networking.fqdn"), ("lsbmajdistrelease", "os.distro.release.major"),
        ("mtu_ens3_4", "networking.interfaces.ens3_4.mtu"), ("sshrsakey", "ssh.rsa.key"),
        ("blockdevice_sda_size", "disks.sda.size_bytes"),
        ("zone_a_iptype", "solaris_zones.zones.a.ip_type"),
        ("processor12", "processors.models.12"), ("sp_cpu_type", "system_profiler.processor_name"),
    ],
)  # fmt: skip
def test_where_legacy_facts_went(name: str, path: str) -> None:
    found = structured(name)

    assert found is not None
    assert ".".join(map(str, found)) == path
    assert is_legacy(name)
    assert instead(name).startswith("$facts[")


@pytest.mark.parametrize("name", ["kernel", "os", "networking", "processors", "processorx", "path"])
def test_what_is_no_legacy_fact(name: str) -> None:
    assert not is_legacy(name)
