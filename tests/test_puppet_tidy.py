"""``check`` of an environment: what nothing uses, and what is likely not meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.ask.request import Request, doubts_about
from headwater.report import Diagnostic

FILES = {
    "hiera.yaml": """\
version: 5
hierarchy:
  - {name: role, path: "roles/%{facts.role}.yaml"}
  - {name: common, path: common.yaml}
""",
    "Puppetfile": "mod 'puppetlabs/other', '1.0.0'\n",
    "data/common.yaml": "app::port: 80\nclasses: [app::listed]\n",
    "manifests/site.pp": """\
include app
lookup('classes').include
include "role::${facts['r']}"
""",
    "modules/app/manifests/init.pp": """\
# The application. $unread is only named here.
class app($port) {
  file { '/app': content => template('app/app.erb') }
}
""",
    "modules/app/manifests/listed.pp": "class app::listed { }\n",
    "modules/app/templates/app.erb": "port <%= @port %>\n",
    "modules/role/manifests/web.pp": "class role::web { }\n",
    "modules/other/manifests/init.pp": "class other($ignored) { }\n",
}


def write(env: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (env / path).parent.mkdir(parents=True, exist_ok=True)
        (env / path).write_text(text)


@pytest.fixture
def env(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def findings(env: Path, **inputs: object) -> list[Diagnostic]:
    return doubts_about(Request(inputs=inputs), [str(env)])


def test_a_tidy_environment_has_no_findings(env: Path) -> None:
    assert findings(env) == []


@pytest.mark.parametrize(
    ("path", "text", "code", "message", "help"),
    [
        ("data/common.yaml", "app::prt: 80\n", "unused-key",
         "nothing reads the key app::prt: the class app has no parameter prt",
         "did you mean app::port?"),
        ("data/common.yaml", "ap::port: 80\n", "unused-key",
         "nothing reads the key ap::port: there is no class ap", "did you mean app::port?"),
        ("data/common.yaml", "orphan: 1\n", "unused-key", "nothing reads the key orphan", None),
        ("modules/app/manifests/listed.pp", "class app::listed($unread = 1) { }\n",
         "unused-parameter", "the class app::listed does not read its parameter $unread", None),
        ("modules/app/manifests/d.pp", "define app::d($a, $b) { notify { $a: } }\n",
         "unused-parameter", "the define app::d does not read its parameter $b", None),
        ("modules/app/manifests/old.pp", "class app::old { }\n", "unused-class",
         "nothing includes the class app::old", None),
        ("modules/app/templates/old.epp", "x\n", "unused-template",
         "nothing renders the template app/old.epp", None),
        ("manifests/site.pp", "include app\nnotify { \"${x}\": }\n$x = lookup('classes')\n",
         "read-before-assigned", "$x is read before it is assigned", None),
        ("modules/role/manifests/web.pp",
         "class role::web {\n  File { mode => '0600' }\n  include app\n}\n",
         "leaking-default", "these defaults for File hold in app too", None),
    ],
)  # fmt: skip
def test_what_is_not_meant_is_found(
    env: Path, path: str, text: str, code: str, message: str, help: str | None
) -> None:
    write(env, {path: text})
    found = [one for one in findings(env) if one.code == f"puppet-{code}"]

    assert [one.message for one in found] == [message]
    assert found[0].help == help
    assert found[0].severity == "warning"
    assert found[0].at.source.name == str(env / path)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("data/common.yaml",
         "app::port: '%{lookup(\"orphan\")}'\norphan: 1\nclasses: [app::listed]\n"),
        ("manifests/site.pp", "include app, role::web, app::listed\nlookup($facts['key'])\n"),
        ("manifests/user.pp", "class app::user { notify { $app::port: } }\n"
         "include app::user\n"),
        ("manifests/part.pp", "class app::part inherits app { }\ninclude app::part\n"),
        ("manifests/r.pp", "class app::r { template(\"app/${facts['t']}.erb\") }\n"
         "include app::r\n"),
        ("manifests/site.pp", "include app\nlookup('classes').include\n$x = 1\n"
         "[1].each |$i| { notify { \"${y}\": } }\n$y = $x\ninclude role::web\n"),
        ("modules/role/manifests/web.pp",
         "class role::web {\n  include app\n  File { mode => '0600' }\n  file { '/x': }\n}\n"),
    ],
)  # fmt: skip
def test_what_may_be_meant_is_left_alone(env: Path, path: str, text: str) -> None:
    write(env, {path: text})
    assert [one.message for one in findings(env)] == []


def test_paths_of_data_that_come_out_empty_for_the_facts_given(env: Path) -> None:
    assert [one.code for one in findings(env, facts={"role": "web"})] == []
    found = findings(env, facts={"other": "x"})
    assert [one.code for one in found] == ["puppet-empty-interpolation"]
    assert "facts.role" in found[0].message


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("class app::broken {\n", []),  # the check of the file tells it
        ("class app::broken { }\n$x = 1\n", ["puppet-bad-top-construct"]),
        ("class other::name { }\n", ["puppet-bad-place"]),
    ],
)
def test_what_nothing_uses_is_not_told_while_a_manifest_cannot_be_used(
    env: Path, text: str, codes: list[str]
) -> None:
    write(env, {"data/common.yaml": "app::broken::x: 1\n", "modules/app/manifests/broken.pp": text})
    assert [one.code for one in findings(env)] == codes


def test_check_tells_them_and_syntax_does_not(env: Path) -> None:
    from click.testing import CliRunner

    from headwater.cli.main import cli

    write(env, {"modules/app/manifests/old.pp": "class app::old { }\n"})
    done = CliRunner().invoke(cli, ["check", str(env)])
    assert done.exit_code == 1
    assert "warning[puppet-unused-class]" in done.output
    assert CliRunner().invoke(cli, ["check", "--syntax", str(env)]).exit_code == 0


def fixed(env: Path, *options: str) -> tuple[int, str]:
    from click.testing import CliRunner

    from headwater.cli.main import cli

    done = CliRunner().invoke(cli, ["check", str(env), *options])
    return done.exit_code, done.output


KEYS = """\
# Everybody.
app::port: 80
orphan:
  a: 1

  b: [1,
    2]
# What there is.
classes: [app::listed]   # listed
last: |
  text

  more
"""


def test_keys_that_nothing_reads_are_taken_out(env: Path) -> None:
    write(env, {"data/common.yaml": KEYS})
    code, output = fixed(env, "--fix")
    assert code == 1
    assert "-orphan:" in output
    assert "2 of 2 with a safe fix" in output
    assert (env / "data/common.yaml").read_text() == KEYS

    assert fixed(env, "--write")[0] == 0
    assert (env / "data/common.yaml").read_text() == (
        "# Everybody.\napp::port: 80\n# What there is.\nclasses: [app::listed]   # listed\n"
    )
    assert fixed(env) == (0, "6 files, 0 findings\n")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("data/common.yaml", "app::port: 80\napp::prt: 80\nclasses: [app::listed]\n"),  # meant
        ("data/common.yaml", "{app::port: 80, orphan: 1, classes: [app::listed]}\n"),
        ("data/common.yaml", "orphan: &o [app::listed]\nclasses: *o\napp::port: 80\n"),
        ("data/common.json", '{"orphan": 1, "other": 2}\n'),
        ("data/one.yaml", "orphan: 1\n"),
        ("modules/app/manifests/old.pp", "class app::old { }\n"),
        ("modules/app/manifests/listed.pp", "class app::listed($unread = 1) { }\n"),
    ],
)
def test_what_somebody_may_miss_is_left_to_people(env: Path, path: str, text: str) -> None:
    write(env, {path: text})
    code, output = fixed(env, "--write", "--format", "text")
    assert code == 1
    assert "\n0 of " in output
    assert (env / path).read_text() == text


LATE = """\
class app::listed (String $a = 'x') {
  $b = 1
  # Says it.
  notify { "${y}": message => 'm' }
  $y = "y${a}${b}${facts['f']}"   # late
}
"""


def test_an_assignment_goes_up_to_where_it_is_read(env: Path, tmp_path: Path) -> None:
    path = "modules/app/manifests/listed.pp"
    for text, facts, moves in (
        (LATE.replace("${facts['f']}", ""), "{role: web}", True),
        (LATE.replace("${facts['f']}", ""), "{role: web, y: fact}", False),
        (LATE.replace("${facts['f']}", "${later}"), "{role: web}", False),
        (LATE.replace("\"y${a}${b}${facts['f']}\"", "upcase('y')"), "{role: web}", False),
        (LATE.replace("$y =", "$osfamily =").replace("${y}", "${osfamily}"), "{role: web}", False),
        (LATE.replace("  $y =", "  $c = 2 $y ="), "{role: web}", False),
    ):
        write(env, {path: text, "facts.yaml": facts})
        fixed(env, "--write", "--facts", str(env / "facts.yaml"))
        after = (env / path).read_text()
        assert (after != text) is moves, text
        if moves:
            assert after.splitlines()[2:5] == [
                "  # Says it.", '  $y = "y${a}${b}"   # late',
                "  notify { \"${y}\": message => 'm' }",
            ]  # fmt: skip


def test_without_facts_a_variable_may_be_one(env: Path) -> None:
    write(env, {"modules/app/manifests/listed.pp": LATE.replace("${facts['f']}", "")})
    assert "\n0 of 1" in fixed(env, "--write")[1]


def test_fixes_in_documents(env: Path) -> None:
    import json

    write(env, {"data/common.yaml": KEYS})
    document = json.loads(fixed(env, "--fix", "--format", "json")[1])
    assert [one["fix"][0]["text"] for one in document["diagnostics"]] == ["", ""]
    log = json.loads(fixed(env, "--fix", "--format", "sarif")[1])
    assert "fixes" in log["runs"][0]["results"][0]


def test_fixes_are_of_folders(env: Path) -> None:
    code, output = fixed(env / "manifests/site.pp", "--fix")
    assert code == 2
    assert "go with a folder" in output
