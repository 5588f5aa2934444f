"""Checking a repository: nodes, modules, data, rules, baselines, formats, interruptions."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fifty
from headwater.ask.request import Request
from headwater.fleet.check import Checked, NodeResult, check_site
from headwater.fleet.config import BadRepository
from headwater.fleet.patterns import fits_address, fits_path
from headwater.fleet.rules import Rule, read_rules
from headwater.fleet.site import Site, find_site
from headwater.langs.puppet.program.puppetfile import parsed
from headwater.langs.puppet.repository.modules import fits
from headwater.text import Source
from test_repository import CONTROL, WHOLE, run
from test_transcripts import UPDATE, replay


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the control repository with a headwater.toml, and we are in it."""
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    (folder / "headwater.toml").write_text(WHOLE)
    monkeypatch.chdir(folder)
    return folder


def checked(*words: str, rules: Sequence[str] = ()) -> Checked:
    """A check in this process."""
    site = find_site()
    assert site is not None
    return check_site(site, words, Request(), processes=1, rules=rules)


def told(found: Checked) -> list[tuple[str, str, list[str]]]:
    """Code, place and nodes of each problem."""
    return [
        (
            problem.diagnostic.code,
            str(problem.diagnostic.at).rpartition(":")[0],
            [name.partition(".")[0] for name in problem.nodes],
        )
        for problem in found.problems
    ]


def test_a_sound_repository_has_no_problems(control: Path) -> None:
    found = checked()

    assert found.problems == ()
    assert [name.partition(".")[0] for name in found.nodes] == ["bastion1", "db1", "web1"]
    assert found.files == 23


def test_a_problem_of_all_nodes_is_told_once_with_their_names(control: Path) -> None:
    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    status, out, err = run("check")

    names = "bastion1.example.com, db1.example.com, web1.example.com"
    assert status == 1
    assert out == (
        "site/profile/manifests/base.pp:10:3: error[puppet-unknown-class]: "
        f"no class is called usres  (all 3 nodes: {names})\n"
    )
    assert err == "3 nodes, 23 files, 1 problem\n"


def test_nodes_can_be_chosen(control: Path) -> None:
    web = control / "site/profile/manifests/web.pp"
    web.write_text(web.read_text().replace("include apache", "fail('no')"))

    assert checked("db1").problems == ()
    assert told(checked("*b1.*")) == [("puppet-fail", "site/profile/manifests/web.pp:9", ["web1"])]
    assert checked("$facts['os']['family'] == 'RedHat'").nodes == ("db1.example.com",)


def test_circles_are_found(control: Path) -> None:
    site = control / "manifests/site.pp"
    site.write_text(
        site.read_text() + "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b'] -> Notify['a']\n"
    )

    assert [code for code, _, _ in told(checked())] == ["puppet-dependency-cycle"]


def test_data_that_nobody_asks_for_are_told(control: Path) -> None:
    spare = control / "site/profile/manifests/spare.pp"
    spare.write_text("class profile::spare (String $text) {\n  notify { $text: }\n}\n")
    with (control / "data/common.yaml").open("a") as file:
        file.write("ntp::servrs: []\nprofile::spare::text: unread\n")
    found = checked().problems
    assert [(p.diagnostic.code, str(p.diagnostic.at), p.diagnostic.message) for p in found] == [
        ("puppet-unused-key", "data/common.yaml:41:1",
         "nothing reads the key ntp::servrs: the class ntp has no parameter servrs"),
        ("puppet-unused-key", "data/common.yaml:42:1",
         "no node reads the key profile::spare::text"),
    ]  # fmt: skip

    # A node that is not compiled might ask: nothing is said then.
    (control / "facts/db1.example.com.json").write_text("{}")
    left = [at for code, at, _ in told(checked()) if code == "puppet-unused-key"]
    assert left == ["data/common.yaml:41"]


def test_data_of_a_node_that_is_not_in_the_inventory_are_not_unused(control: Path) -> None:
    (control / "data/nodes/old.example.com.yaml").write_text("ntp::service: old\n")

    assert checked().problems == ()


# --- modules --------------------------------------------------------------------------------------


def test_modules_are_compared_with_the_puppetfile_and_each_other(control: Path) -> None:
    (control / "Puppetfile").write_text(
        "forge 'https://forge.example.com'\n"
        "mod 'example/apache', '2.3.0'\n"
        "mod 'example/ntp', '1.5.0'   # another one is installed\n"
        "mod 'puppetlabs-stdlib',\n  '9.0.0'\n"
        "mod 'local', :local => true\n"
        "mod the_name, '1.0.0'\n"
    )
    metadata = control / "modules/apache/metadata.json"
    data = json.loads(metadata.read_text())
    data["dependencies"] = [
        {"name": "example/ntp", "version_requirement": ">= 2.0.0 < 3.0.0"},
        {"name": "puppetlabs/concat", "version_requirement": ">= 1.0.0"},
        {"name": "example-users", "version_requirement": "0.x"},
    ]
    metadata.write_text(json.dumps(data, indent=1))

    lines = metadata.read_text().splitlines()
    at = {word: 1 + next(i for i, text in enumerate(lines) if word in text) for word in
          ("example/ntp", "concat")}  # fmt: skip
    assert told(checked()) == [
        ("puppet-module-version", "Puppetfile:3", []),
        ("puppet-module-absent", "Puppetfile:4", []),
        ("puppet-module-absent", "Puppetfile:6", []),
        ("puppet-puppetfile", "Puppetfile:7", []),
        ("puppet-module-version", f"modules/apache/metadata.json:{at['example/ntp']}", []),
        ("puppet-module-absent", f"modules/apache/metadata.json:{at['concat']}", []),
        ("puppet-module-unnamed", "modules/users/metadata.json:1", []),
    ]


def test_what_is_missing_with_its_module_says_so(control: Path) -> None:
    (control / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\nmod 'a/ntp'\n")
    for code, said in (
        ("include stdlib::manage", "puppet-unknown-class"),
        ("stdlib::thing { 'x': }", "puppet-unknown-type"),
        ("$x = stdlib::round(1)", "puppet-unknown-function"),
        ("$x = round_half(1)", "puppet-unknown-function"),
        ("class c inherits stdlib::x { }\ninclude c", "puppet-unknown-class"),
    ):
        (control / "x.pp").write_text(code)
        status, _, err = run("compile", "x.pp", "--node", "web1")
        assert status == 1
        assert f"error[{said}]" in err, code
        assert "= help: module stdlib, Puppetfile:1, is not in the modulepath" in err, code


@pytest.mark.parametrize(
    ("text", "names", "doubts"),
    [
        ("mod 'a/b', '1.0.0'", {"b": "1.0.0"}, 0),
        ('mod "a-b"', {"b": None}, 0),
        ("mod('a/b', '1.0.0')", {"b": "1.0.0"}, 0),
        ("mod 'b', git: 'https://x.example.com/b.git', tag: 'v1'", {"b": None}, 0),
        ("mod 'b',\n  :git => 'u', # where\n  :ref => 'main'\nmod 'c'", {"b": None, "c": None}, 0),
        ("mod 'a/b', :latest", {"b": None}, 0),
        ("moduledir 'thirdparty'\nmod 'a/b'", {"b": None}, 0),
        ("%w[a b].each { |m| mod m }\nmod 'c'", {"c": None}, 1),
        ('mod "a/#{name}"\n', {}, 1),
        ("# only words\n\n", {}, 0),
        ("mod 'a/b', '1.0.0' if true", {}, 1),
        ("mod 'a/b', ENV['V']", {}, 1),
    ],
)
def test_a_puppetfile_is_read_and_not_run(
    text: str, names: dict[str, str | None], doubts: int
) -> None:
    found = parsed(Source("Puppetfile", text))

    assert {named.name: named.version for named in found.modules.values()} == names
    assert len(found.doubts) == doubts


def test_ranges_of_versions() -> None:
    assert fits("1.4.1", ">= 1.0.0 < 2.0.0")
    assert not fits("2.0.0", ">= 1.0.0 < 2.0.0")
    assert fits("1.4.1", "1.x")
    assert not fits("2.1.0", "1.x")
    assert fits("1.4.1", "no range")


# --- rules ----------------------------------------------------------------------------------------

RULES = """
[[rule]]
values = ["File[/etc/sudoers*].content"]
only_from = ["site/security/**", "data/common.yaml"]
message = "who may become root is decided by security"
[[rule]]
values = ["Service[nt*].ensure"]
not_from = ["data/os/RedHat.yaml"]
[[rule]]
values = ["Class[Ntp].*"]
not_overridden_by = ["data/**", "!data/os/**"]
"""


def test_rules_over_provenance(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    found = checked(rules=["rules.toml"])

    assert told(found) == [
        ("rule-broken", "data/nodes/web1.example.com.yaml:5", ["web1"]),
        ("rule-broken", "data/nodes/web1.example.com.yaml:7", ["web1"]),
        ("rule-broken", "data/os/RedHat.yaml:2", ["db1"]),
    ]
    messages = [problem.diagnostic.message for problem in found.problems]
    assert messages[0] == "Class[Ntp].servers is overridden in data/nodes/web1.example.com.yaml"
    assert messages[1] == (
        "File[/etc/sudoers.d/admins].content is written in data/nodes/web1.example.com.yaml: "
        "who may become root is decided by security"
    )
    assert messages[2].startswith("Service[ntpd].ensure depends on data/os/RedHat.yaml")


def test_rules_of_the_repository_are_kept_without_being_named(control: Path) -> None:
    (control / "rules").mkdir()
    (control / "rules/one.toml").write_text(RULES)
    (control / "headwater.toml").write_text(f'{WHOLE}[rules]\nfiles = ["rules/*.toml"]\n')

    assert len(checked().problems) == 3


def test_a_finding_of_a_rule_has_its_chain_in_sarif(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    status, out, _ = run("check", "--rules", "rules.toml", "--format", "sarif")
    log = json.loads(out)

    assert status == 1
    (result,) = [r for r in log["runs"][0]["results"] if "sudoers" in r["message"]["text"]]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    places = [
        (step["location"]["physicalLocation"]["artifactLocation"]["uri"],
         step["location"]["physicalLocation"]["region"]["startLine"])
        for step in flow["locations"]
    ]  # fmt: skip
    assert places[0] == ("data/nodes/web1.example.com.yaml", 7)
    assert ("site/role/manifests/webserver.pp", 3) in places
    assert places[-1] == ("rules.toml", 2)
    assert result["properties"] == {"nodes": ["web1.example.com"]}


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("[[rule]]\nvalus = []\n", "repository-key", "valus"),
        ("[rules]\n", "repository-key", "rules"),
        ("[[rule]]\nvalues = 'File[*]'\nonly_from = []\n", "repository-value", "'File[*]'"),
        ("[[rule]]\nvalues = ['a']\nmessage = 1\nonly_from = ['b']\n", "repository-value", "1"),
        ("[[rule]]\nonly_from = ['x']\n", "repository-value", "rule"),
        ("[[rule]]\nvalues = ['x']\n", "repository-value", "rule"),
        ("rule = 1\n", "repository-value", "1"),
        ("[[rule\n", "repository-file", ""),
    ],
)
def test_mistakes_in_rules_are_told_where_they_stand(
    text: str, code: str, at: str, control: Path
) -> None:
    (control / "r.toml").write_text(text)
    with pytest.raises(BadRepository) as bad:
        read_rules(["r.toml"])

    assert (bad.value.diagnostics[0].code, bad.value.diagnostics[0].at.text) == (code, at)


def test_patterns() -> None:
    assert fits_path(["data/**"], "data/a/b.yaml")
    assert not fits_path(["data/*"], "data/a/b.yaml")
    assert fits_path(["**/b.yaml"], "b.yaml")
    assert not fits_path(["data/**", "!data/a/**"], "data/a/b.yaml")
    assert not fits_path([], "x")
    assert fits_address(["File[/etc/sudoers*].*"], "File[/etc/sudoers.d/x].mode")
    assert not fits_address(["File[/etc/sudoers*].*"], "File[/etc/motd].mode")
    assert fits_address(["Service[?].ensure"], "Service[a].ensure")


# --- baselines ------------------------------------------------------------------------------------


def test_a_baseline_holds_what_is_accepted(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    words = ["check", "--rules", "rules.toml", "--baseline", "accepted.json"]
    status, out, err = run(*words, "--accept")
    assert (status, out) == (0, "")
    assert "accepted.json accepts 3 problems\n" in err

    common = control / "data/nodes/web1.example.com.yaml"
    common.write_text(f"# one line more\n{common.read_text()}")
    status, out, err = run(*words)
    assert (status, out) == (0, "")
    assert "0 problems, 3 accepted" in err

    common.write_text(common.read_text().replace("- carol", "- alice"))
    status, out, err = run(*words)
    assert status == 1
    assert out.count("\n") == 1
    assert "1 accepted problem of the baseline not found any more" in err


def test_a_baseline_that_is_none_is_told(control: Path) -> None:
    assert run("check", "--baseline", "nowhere.json")[0] == 1
    (control / "b.json").write_text('{"accepted": 1}')
    status, _, err = run("check", "--baseline", "b.json")

    assert status == 1
    assert "error[bad-baseline]: b.json is no baseline" in err
    assert run("check", "--accept")[0] == 2


# --- formats and ends -----------------------------------------------------------------------------


def test_junit_has_a_test_for_each_node(control: Path) -> None:
    web = control / "site/profile/manifests/web.pp"
    web.write_text(web.read_text().replace("include apache", "fail('no <way>')"))
    status, out, _ = run("check", "--format", "junit")
    suite = ElementTree.fromstring(out)

    assert status == 1
    assert suite.attrib["tests"] == "4"
    failed = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert failed == ["web1.example.com"]


def test_all_processors_give_the_same_answer(control: Path) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for number in range(2, 8):
        (control / f"facts/web{number}.example.com.json").write_text(facts)
    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    site = find_site()
    assert site is not None
    one = check_site(site, (), Request(), processes=1)
    two = check_site(site, (), Request(), processes=2)

    assert told(one) == told(two)
    assert one.nodes == two.nodes
    assert len(two.nodes) == 9


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_what_was_not_done(number: int, control: Path) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for count in range(2, 10):
        (control / f"facts/web{count}.example.com.json").write_text(facts)
    (control / "manifests/site.pp").write_text(
        "if $trusted['hostname'] in ['web3', 'web4', 'web5', 'web6', 'web7', 'web8', 'web9'] {\n"
        "  Integer[1, 99999].each |$x| { Integer[1, 99999].each |$y| { $z = $x } }\n}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "headwater", "check", "--processes", "2", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(6)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 1
    document = json.loads(out)
    assert document["stopped"] == "interrupted"
    assert "web9.example.com" in document["not_done"]
    assert "not checked: " in err
    assert "Traceback" not in err


def test_a_worker_that_dies_leaves_a_note(control: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for count in range(2, 7):
        (control / f"facts/web{count}.example.com.json").write_text(facts)
    from headwater.fleet import check as module

    real = module._checked

    def dying(site: Site, name: str, request: Request, rules: Sequence[Rule]) -> NodeResult:
        if name.startswith("web6"):
            os._exit(9)
        return real(site, name, request, rules)

    monkeypatch.setattr(module, "_checked", dying)
    site = find_site()
    assert site is not None
    found = check_site(site, (), Request(), processes=2)

    assert "web6.example.com" in found.not_done
    assert found.stopped == "a worker process ended unexpectedly"


def test_a_bug_of_ours_is_one_node_s(control: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.fleet import check as module

    real = module._checked

    def failing(site: Site, name: str, request: Request, rules: Sequence[Rule]) -> NodeResult:
        if name.startswith("db1"):
            raise ZeroDivisionError("ours")
        return real(site, name, request, rules)

    monkeypatch.setattr(module, "_checked", failing)

    assert told(checked()) == [("internal-error", "db1.example.com:1", ["db1"])]


# --- classes and classifiers ----------------------------------------------------------------------


def test_classes_of_a_table_and_of_a_file(control: Path) -> None:
    (control / "classes.yaml").write_text(
        "db1.example.com: [apache]\n"
        "web1.example.com:\n  classes: {role::bastion: }\n  parameters: {tier: gold}\n"
    )
    (control / "headwater.toml").write_text(f'{WHOLE}classes = "classes.yaml"\n')
    (control / "manifests/site.pp").write_text(
        "if $trusted['hostname'] == 'web1' { notify { \"tier ${tier}\": } }\n"
    )
    catalogs = {name: json.loads(run("compile", name)[1]) for name in ("db1", "web1", "bastion1")}

    assert "apache" in catalogs["db1"]["classes"]
    assert "role::bastion" in catalogs["web1"]["classes"]
    assert "tier gold" in [one["title"] for one in catalogs["web1"]["resources"]]
    assert "apache" not in catalogs["bastion1"]["classes"]

    (control / "more.yaml").write_text("[ntp]\n")
    found = json.loads(run("compile", "db1", "--classes", "more.yaml")[1])["classes"]
    assert "ntp" in found
    assert "apache" not in found


@pytest.mark.parametrize("text", ["db1.example.com: 5\n", "[1]\n", "a: [\n", "a: {b: 1}\n"])
def test_a_table_of_classes_that_is_none_is_told(text: str, control: Path) -> None:
    (control / "classes.yaml").write_text(text)
    (control / "headwater.toml").write_text(f'{WHOLE}classes = "classes.yaml"\n')
    status, _, err = run("compile", "db1")

    assert status == 1
    assert "error[puppet-bad-input]" in err
    assert "classes.yaml" in err


def enc(folder: Path, text: str) -> str:
    """A classifier."""
    path = folder / "enc.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_classifier_is_a_program_that_the_command_line_names(control: Path) -> None:
    command = enc(control, 'echo "{classes: {ntp: {}}, parameters: {who: $1}, environment: live}"')
    (control / "manifests/site.pp").write_text('notify { "${who} ${environment}": }\n')
    found = json.loads(run("compile", "db1", "--classifier", command)[1])

    assert "ntp" in found["classes"]
    assert "db1.example.com live" in [one["title"] for one in found["resources"]]
    assert run("check", "db1", "--classifier", command)[0] == 0
    assert run("compile", "db1", "--confined", "--classifier", command)[0] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo no such node >&2; exit 1", "it ended with status 1: no such node"),
        ("echo 'classes: 5'", "classes are a list of names"),
        ("printf '\\377'", "not UTF-8"),
    ],
)
def test_a_classifier_that_fails_is_told(text: str, said: str, control: Path) -> None:
    status, out, err = run("compile", "db1", "--classifier", enc(control, text))

    assert (status, out) == (1, "")
    assert said in err


def test_a_classifier_that_is_not_there_is_told(control: Path) -> None:
    status, _, err = run("lookup", "role", "--node", "db1", "--classifier", "./nowhere")

    assert status == 1
    assert "error[classifier-failed]: the classifier says nothing of db1.example.com" in err


def test_headwater_toml_cannot_name_a_classifier(control: Path) -> None:
    (control / "headwater.toml").write_text(f"{WHOLE}classifier = '/bin/true'\n")

    assert "error[repository-key]" in run("compile", "db1")[2]


# --- folders without the file --------------------------------------------------------------------


def test_a_folder_is_checked_with_its_environment(control: Path) -> None:
    (control / "headwater.toml").unlink()
    name = "web1.example.com"
    words = ["check", str(control), "--node", name, "--facts", f"facts/{name}.json"]
    assert run(*words)[0] == 0

    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    status, out, _ = run(*words)
    assert status == 1
    assert "no class is called usres" in out


def test_a_folder_that_is_a_repository_is_checked_as_one(control: Path) -> None:
    os.chdir(control.parent)
    status, _, err = run("check", "control")

    assert (status, err) == (0, "3 nodes, 23 files, 0 problems\n")


def test_files_without_a_repository_have_junit_too(control: Path) -> None:
    (control / "headwater.toml").unlink()
    (control / "x.pp").write_text("$a = \n")
    status, out, _ = run("check", "x.pp", "manifests/site.pp", "--format", "junit")
    suite = ElementTree.fromstring(out)

    assert status == 1
    assert [(case.attrib["name"], len(case)) for case in suite] == [
        ("x.pp", 1),
        ("manifests/site.pp", 0),
    ]
    assert run("check", "x.pp", "--rules", "r.toml")[0] == 2


# --- fifty nodes ---------------------------------------------------------------------------------


def test_the_first_answers_about_fifty_nodes(tmp_path: Path) -> None:
    fifty.write(tmp_path / "control")
    page = Path(__file__).with_name("fifty.txt")
    expected = page.read_text(encoding="utf-8")
    made = replay(expected, tmp_path, Path("control"))
    if UPDATE:
        page.write_text(made, encoding="utf-8")
        expected = made

    assert expected == made


def test_fifty_nodes_have_three_systems_and_every_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifty.write(tmp_path / "control")
    monkeypatch.chdir(tmp_path / "control")
    (tmp_path / "control/headwater.toml").write_text(WHOLE)
    found = json.loads(run("nodes", "--format", "json")[1])["nodes"]

    assert len(found) == 50
    roles = {path.stem for path in (CONTROL / "site/role/manifests").iterdir()}
    assert {row["role"] for row in found} == roles


OWNED = """
[owners]
"data/**" = "ops"
"modules/**" = "vendors"
"ntp::*" = "network"
"profile::base" = "base"
"data/nodes/db*" = "dba"
"""


def test_the_owner_of_a_place_is_the_last_that_fits(control: Path) -> None:
    (control / "headwater.toml").write_text(WHOLE + OWNED)
    with (control / "data/common.yaml").open("a") as file:
        file.write("zz::a: 1\nntp::servrs: []\n'ntp::quoted':\n  - 1\n")
    with (control / "data/nodes/db1.example.com.yaml").open("a") as file:
        file.write("zz::b: 1\n")
    found = {p.diagnostic.at.text.strip("'"): p.owner for p in checked().problems}
    assert found == {"zz::a": "ops", "ntp::servrs": "network", "ntp::quoted": "network",
                     "zz::b": "dba"}  # fmt: skip

    line = next(one for one in run("check")[1].splitlines() if "zz::b" in one)
    assert line.endswith("  owner: dba")
    document = json.loads(run("check", "--format", "json")[1])
    assert {one["owner"] for one in document["diagnostics"]} == {"ops", "network", "dba"}
    log = json.loads(run("check", "--format", "sarif")[1])
    owners = [one["properties"]["owner"] for one in log["runs"][0]["results"]]
    assert sorted(owners) == ["dba", "network", "network", "ops"]
    assert "  = owner: dba" in run("check", "--long")[1]


def test_explain_says_who_may_change_a_value(control: Path) -> None:
    asked = ("explain", "web1:File[/etc/motd].content")
    assert "may be changed by" not in run(*asked)[1]

    (control / "headwater.toml").write_text(WHOLE + OWNED)
    said = run(*asked)[1].splitlines()
    at = said.index("may be changed by")
    assert said[at + 1].startswith("  ops  data/common.yaml:")
    assert any(line.startswith("  base  site/profile/manifests/base.pp:") for line in said[at:])
    entry = json.loads(run(*asked, "--format", "json")[1])
    owned = {os.path.basename(one["file"]): one.get("owner") for one in entry["depends"]}
    assert owned["common.yaml"] == "ops"
    assert owned["hiera.yaml"] is None
