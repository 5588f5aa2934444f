"""``--confined``: nothing is read outside of what was given, whichever way it is reached."""

# ruff: noqa: E501 - one line for one way, as far as that goes

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli

SECRET = "qwertz-secret-asdf"
HIERA = "version: 5\nhierarchy: [{{ name: c, {0} }}]\n"


def headwater(*args: str, given: str = "") -> Result:
    return CliRunner().invoke(cli, args, input=given)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `in`, where the work is, beside a folder `out` with a secret in every form."""
    outside = tmp_path / "out"
    for name, text in {
        "plain": SECRET,
        "c.yaml": f"k: {SECRET}\n",
        "c.json": json.dumps({"k": SECRET}),
        "a.sf": f"x {SECRET};\n",
        "a.pp": f"notify {{ '{SECRET}': }}\n",
        "a.epp": SECRET,
        "broken": f"{SECRET} ((( \n",
        "m/manifests/init.pp": f"class m {{ notify {{ '{SECRET}': }} }}\n",
        "m/files/f": SECRET,
        "m/functions/f.pp": f"function m::f() {{ '{SECRET}' }}\n",
        "manifests/site.pp": f"notify {{ '{SECRET}': }}\n",
        "facts.json": json.dumps({"x": SECRET}),
        "hiera.yaml": HIERA.format("path: c.yaml"),
        "data/c.yaml": f"k: {SECRET}\n",
    }.items():
        path = outside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    return tmp_path / "in"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text[3:])
        else:
            path.write_text(text.replace("OUT", str(folder.parent / "out")))


SF = ["compile", "-I", ".", "a.sf"]
PRODUCTION = ["compile", "--dialect", "production", "-I", ".", "a.sf"]
PP = ["compile", "--modulepath", "mods", "--hiera", "hiera.yaml", "a.pp"]
ENV = ["compile", "env"]
ROOT = ["--root", "."]

WAYS: dict[str, tuple[dict[str, str], list[str]]] = {
    "include, absolute": ({"a.sf": '#include "OUT/a.sf"\nsfConfig extends {}'}, SF),
    "include, ..": ({"a.sf": '#include "../out/a.sf"\nsfConfig extends {}'}, SF),
    "include, far ..": ({"a.sf": '#include "x/../../out/a.sf"\nsfConfig extends {}', "x/y": ""}, SF),
    "include, link": ({"a.sf": '#include "l.sf"\nsfConfig extends {}', "l.sf": "-> ../out/a.sf"}, SF),
    "include, link to a folder": (
        {"a.sf": '#include "l/a.sf"\nsfConfig extends {}', "l": "-> ../out"}, SF),
    "include, link to a link": (
        {"a.sf": '#include "l.sf"\nsfConfig extends {}', "l.sf": "-> m.sf",
         "m.sf": "-> ../out/a.sf"}, SF),
    "include, nested": (
        {"a.sf": '#include "b.sf"\nsfConfig extends {}', "b.sf": '#include "../out/a.sf"\n'}, SF),
    "include, nested in a folder": (
        {"a.sf": '#include "d/b.sf"\nsfConfig extends {}', "d/b.sf": '#include "../../out/a.sf"\n'},
        SF),
    "include of what does not parse": (
        {"a.sf": '#include "../out/broken"\nsfConfig extends {}'}, SF),
    "include of /etc/passwd": ({"a.sf": '#include "/etc/passwd"\nsfConfig extends {}'}, SF),
    "production, absolute": ({"a.sf": '#include "OUT/a.sf"\nsfConfig extends {}'}, PRODUCTION),
    "production, ..": ({"a.sf": '#include "../out/a.sf"\nsfConfig extends {}'}, PRODUCTION),
    "production, link": (
        {"a.sf": '#include "l.sf"\nsfConfig extends {}', "l.sf": "-> ../out/a.sf"}, PRODUCTION),
    "production, /etc/passwd": (
        {"a.sf": '#include "/etc/passwd"\nsfConfig extends {}'}, PRODUCTION),
    "file(), absolute": ({"a.pp": "notify { 'a': message => file('OUT/plain') }"}, PP),
    "file(), ..": (
        {"a.pp": "notify { 'a': message => file('m/../../../../out/plain') }",
         "mods/m/files/f": ""}, PP),
    "file(), link": (
        {"a.pp": "notify { 'a': message => file('m/f') }", "mods/m/files/f": "-> ../../../../out/plain"},
        PP),
    "file(), link to a folder": (
        {"a.pp": "notify { 'a': message => file('m/d/plain') }",
         "mods/m/files/d": "-> ../../../../out"}, PP),
    "file(), second choice": (
        {"a.pp": "notify { 'a': message => file('m/nothing', 'OUT/plain') }", "mods/m/files/f": ""}, PP),
    "file(), of what is not there": ({"a.pp": "notify { 'a': message => file('OUT/nothing') }"}, PP),
    "binary_file()": ({"a.pp": "notify { 'a': message => binary_file('OUT/plain') }"}, PP),
    "find_file()": ({"a.pp": "notify { 'a': message => find_file('OUT/plain') }"}, PP),
    "find_template()": ({"a.pp": "notify { 'a': message => find_template('OUT/plain') }"}, PP),
    "epp(), absolute": ({"a.pp": "notify { 'a': message => epp('OUT/a.epp') }"}, PP),
    "epp(), ..": (
        {"a.pp": "notify { 'a': message => epp('m/../../../../out/a.epp') }",
         "mods/m/templates/f.epp": ""}, PP),
    "epp(), link": (
        {"a.pp": "notify { 'a': message => epp('m/f.epp') }",
         "mods/m/templates/f.epp": "-> ../../../../out/a.epp"}, PP),
    "epp() of what does not parse": ({"a.pp": "notify { 'a': message => epp('OUT/broken') }"}, PP),
    "module, link": ({"a.pp": "include m", "mods/m": "-> ../../out/m"}, PP),
    "manifests, link": ({"a.pp": "include m", "mods/m/manifests": "-> ../../../out/m/manifests"}, PP),
    "class, link": (
        {"a.pp": "include m", "mods/m/manifests/init.pp": "-> ../../../../out/m/manifests/init.pp"},
        PP),
    "function, link": (
        {"a.pp": "notify { m::f(): }", "mods/m/functions": "-> ../../../out/m/functions"}, PP),
    "data, absolute": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("path: 'OUT/c.yaml'")}, PP),
    "data, ..": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("path: '../../out/c.yaml'")},
        PP),
    "data, link": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("path: c.yaml"),
         "data/c.yaml": "-> ../../out/c.yaml"}, PP),
    "data, json": (
        {"a.pp": "notify { lookup('k'): }",
         "hiera.yaml": HIERA.format("path: 'OUT/c.json', data_hash: json_data")}, PP),
    "data, datadir": (
        {"a.pp": "notify { lookup('k'): }",
         "hiera.yaml": HIERA.format("path: c.yaml, datadir: 'OUT'")}, PP),
    "data, datadir ..": (
        {"a.pp": "notify { lookup('k'): }",
         "hiera.yaml": HIERA.format("path: c.yaml, datadir: '../out'")}, PP),
    "data, datadir link": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("path: c.yaml"),
         "data": "-> ../out"}, PP),
    "data, glob": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("glob: 'OUT/*.yaml'")}, PP),
    "data, glob ..": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("glob: '../../out/*.yaml'")},
        PP),
    "data, glob through a link": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("glob: 'l/*.yaml'"),
         "data/l": "-> ../../out"}, PP),
    "data, glob of a link": (
        {"a.pp": "notify { lookup('k'): }", "hiera.yaml": HIERA.format("glob: '*.yaml'"),
         "data/l.yaml": "-> ../../out/c.yaml"}, PP),
    "data, braces": (
        {"a.pp": "notify { lookup('k'): }",
         "hiera.yaml": HIERA.format("glob: '../../{in,out}/c.yaml'")}, PP),
    "data, mapped": (
        {"a.pp": "$p = ['../../out/c']\nnotify { lookup('k'): }",
         "hiera.yaml": HIERA.format("mapped_paths: [p, q, '%{q}.yaml']")}, PP),
    "data, interpolated": (
        {"a.pp": "$p = '../../out'\nnotify { lookup('k'): }",
         "hiera.yaml": HIERA.format("path: '%{p}/c.yaml'")}, PP),
    "data of a module": (
        {"a.pp": "include n",
         "mods/n/manifests/init.pp": "class n($k) { notify { $k: } }",
         "mods/n/hiera.yaml": HIERA.format("path: 'OUT/c.yaml'")}, PP),
    "hiera.yaml of a module, link": (
        {"a.pp": "include n", "mods/n/manifests/init.pp": "class n($k) { notify { $k: } }",
         "mods/n/hiera.yaml": "-> ../../../out/hiera.yaml"}, PP),
    "cached_file_data": (
        {"a.pp": "notify { lookup('k'): }",
         "mods/n/functions/d.pp":
             "function n::d($o, $c) { { 'k' => $c.cached_file_data('OUT/plain') } }",
         "hiera.yaml": HIERA.format("data_hash: n::d")}, PP),
    "environment.conf, manifest": (
        {"env/environment.conf": "manifest = OUT/manifests\n", "env/modules/m/x": ""}, ENV),
    "environment.conf, manifest ..": (
        {"env/environment.conf": "manifest = ../../out/manifests/site.pp\n", "env/modules/m/x": ""},
        ENV),
    "environment.conf, modulepath": (
        {"env/environment.conf": "modulepath = OUT\n", "env/manifests/a.pp": "include m"}, ENV),
    "environment.conf, modulepath ..": (
        {"env/environment.conf": "modulepath = modules:../../out\n",
         "env/manifests/a.pp": "include m"}, ENV),
    "environment.conf, link": (
        {"env/environment.conf": "-> ../../out/plain", "env/manifests/a.pp": "notify { 'a': }"}, ENV),
    "manifests of an environment, link": ({"env/manifests": "-> ../../out/manifests"}, ENV),
    "a manifest of an environment, link": (
        {"env/manifests/site.pp": "-> ../../../out/manifests/site.pp"}, ENV),
    "hiera.yaml of an environment, link": (
        {"env/manifests/a.pp": "notify { lookup('k'): }", "env/hiera.yaml": "-> ../../out/hiera.yaml"},
        ENV),
    "modules of an environment, link": (
        {"env/manifests/a.pp": "include m", "env/modules": "-> ../../out"}, ENV),
    "system": ({"a.pp": "notify { file('/proc/self/environ'): }"}, PP),
    "system, link": (
        {"a.pp": "notify { file('m/f'): }", "mods/m/files/f": "-> /proc/self/environ"}, PP),
    "system, ..": (
        {"a.pp": "notify { file('/tmp/../proc/self/../self/environ'): }"}, PP),
    "system, slashes": ({"a.pp": "notify { file('//proc//self//environ'): }"}, PP),
}  # fmt: skip


def outcome(place: Path, way: str, *options: str) -> Result:
    files, command = WAYS[way]
    write(place, files)
    if command is PP:
        write(place, {n: t for n, t in {"hiera.yaml": HIERA.format("path: n.yaml")}.items()
                      if not (place / n).exists()})  # fmt: skip
        (place / "mods").mkdir(exist_ok=True)
    return headwater(*command, *options)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_outside_is_refused_however_it_is_reached(way: str, place: Path) -> None:
    done = outcome(place, way, "--confined", "--root", ".")

    assert done.exit_code == 1, done.output
    assert "[file-outside]" in done.output
    assert SECRET not in done.output
    assert "root:" not in done.output
    assert " --> " in done.output


@pytest.mark.parametrize("way", [w for w in WAYS if "not there" not in w])
def test_the_same_is_read_where_nothing_is_confined(way: str, place: Path) -> None:
    done = outcome(place, way)

    assert ("[file-outside]" in done.output) == way.startswith("system")


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (["check"], ["a.pp"]),
        (["explain"], ["a.pp", "Notify[a].message"]),
        (["blame"], ["a.pp"]),
        (["impact"], ["a.pp:1"]),
        (["diff", "a.pp"], ["a.pp"]),
        (["lookup", "--of"], ["a.pp", "k"]),
        (["steps", "--engine", "paper"], ["a.pp"]),
        (["compare", "--engines", "engine,paper"], ["a.pp"]),
    ],
)
def test_every_command_can_be_confined(command: list[str], files: list[str], place: Path) -> None:
    write(place, {"a.pp": "notify { 'a': message => file('OUT/plain') }\n"})
    done = headwater(*command, *files, "--confined")

    assert done.exit_code in (0, 1)
    assert SECRET not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_only_what_is_named_counts_as_given(place: Path) -> None:
    write(place, {"a.sf": '#include "b.sf"\nsfConfig extends { c b; }', "b.sf": "b 1;\n"})

    assert headwater("compile", "a.sf").exit_code == 0
    assert "[file-outside]" in headwater("compile", "--confined", "a.sf").output
    assert headwater("compile", "--confined", "-I", ".", "a.sf").exit_code == 0
    assert headwater("compile", "--confined", "--root", ".", "a.sf").exit_code == 0
    assert headwater("compile", "--confined", "--root", str(place), "a.sf").exit_code == 0
    assert headwater("compile", "--confined", "--root", "b.sf", "a.sf").exit_code == 0
    assert "[file-outside]" in headwater("compile", "--confined", "--root", "b", "a.sf").output
    assert headwater("compile", "--root", ".", "a.sf").exit_code == 2


def test_what_only_begins_like_a_root_is_outside(place: Path) -> None:
    write(place, {"d/a.sf": '#include "../dd/b.sf"\nsfConfig extends {}', "dd/b.sf": "b 1;\n"})

    assert "[file-outside]" in headwater("compile", "--confined", "-I", "d", "d/a.sf").output
    done = headwater("compile", "--confined", "-I", "D", "d/a.sf")
    assert "[file-outside]" in done.output


def test_a_root_that_is_a_link_means_where_it_leads(place: Path) -> None:
    write(place, {"real/a.sf": '#include "b.sf"\nsfConfig extends {}', "real/b.sf": "b 1;\n",
                  "l": "-> real"})  # fmt: skip

    assert headwater("compile", "--confined", "--root", "l", "l/a.sf").exit_code == 0
    assert headwater("compile", "--confined", "--root", "l", "real/a.sf").exit_code == 0


def test_the_library_of_smartfrog_can_be_included(place: Path) -> None:
    write(place, {"a.sf": '#include "org/smartfrog/components.sf"\nsfConfig extends { a 1; }'})
    done = headwater("compile", "--dialect", "production", "--confined", "a.sf")

    assert done.exit_code == 0, done.output


def test_variables_of_the_environment_are_not_to_be_had(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEHEIM", SECRET)
    write(place, {"a.sf": "sfConfig extends { a ENVPROPERTY GEHEIM; }"})
    allow = ["compile", "--dialect", "production", "--env-allow", "GEHEIM", "a.sf"]
    assert SECRET in headwater(*allow).output
    assert headwater(*allow, "--confined").exit_code == 2
    job = {"file": "a.sf", "dialect": "production", "env_allow": ["GEHEIM"]}
    assert jobs([job])[0]["ok"]
    assert code_of(jobs([{**job, "confined": True}])[0]) == "bad-job"
    assert code_of(jobs([job], "--confined")[0]) == "bad-job"
    assert SECRET not in json.dumps(jobs([{**job, "env_allow": []}], "--confined"))


# --- jobs ------------------------------------------------------------------------------------


def jobs(lines: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    text = "\n".join(map(json.dumps, lines))
    done = headwater("compile", "--jobs", "-", *options, given=text)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def code_of(answer: dict[str, Any]) -> str | None:
    return None if answer["ok"] else answer["error"]["code"]


def test_a_job_that_is_confined_gives_what_it_names(place: Path) -> None:
    write(place, {"a.pp": "notify { 'a': message => file('OUT/plain') }",
                  "b.pp": "include m", "c.pp": "notify { 'a': message => lookup('k') }"})  # fmt: skip
    out = str(place.parent / "out")
    found = jobs(
        [
            {"file": "a.pp"},
            {"file": "a.pp", "confined": True},
            {"file": "b.pp", "modulepath": out, "confined": True},
            {"file": "c.pp", "hiera": f"{out}/hiera.yaml", "confined": True},
            {"file": "a.pp", "facts_file": f"{out}/facts.json", "confined": True},
            {"file": "a.pp", "confined": "yes"},
            {"code": "file('/etc/passwd')", "lang": "puppet", "confined": True},
        ]
    )

    assert [code_of(a) for a in found] == [
        None, "file-outside", None, "file-outside", "file-outside", "bad-job", "file-outside",
    ]  # fmt: skip


PATHS = {
    "file": {"file": "{}/a.pp"},
    "manifest": {"manifest": "{}/a.pp"},
    "files": {"files": ["{}/a.pp"], "lang": "puppet"},
    "include": {"code": '#include "a.sf"\nsfConfig extends {{}}', "lang": "smartfrog",
                "include": ["{}"]},
    "modulepath": {"code": "include m", "lang": "puppet", "modulepath": "{}"},
    "modulepath, list": {"code": "include m", "lang": "puppet", "modulepath": ["mods", "{}"]},
    "env": {"env": "{}", "lang": "puppet"},
    "env, told": {"env": "{}"},
    "hiera": {"code": "lookup('k')", "lang": "puppet", "hiera": "{}/hiera.yaml"},
    "facts_file": {"code": "notify {{ $facts['x']: }}", "lang": "puppet",
                   "facts_file": "{}/facts.json"},
    "facts": {"code": "notify {{ $facts['x']: }}", "lang": "puppet", "facts": "{}/facts.json"},
    "filename": {"code": '#include "a.sf"\nsfConfig extends {{}}', "lang": "smartfrog",
                 "filename": "{}/x.sf"},
}  # fmt: skip


def filled(value: Any, folder: str) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return value.format(folder)
    if isinstance(value, list):
        return [filled(item, folder) for item in value]
    return {key: filled(item, folder) for key, item in value.items()}


@pytest.mark.parametrize("how", ["absolute", "..", "link", "far"])
@pytest.mark.parametrize("path", PATHS)
def test_paths_of_jobs_must_lie_inside_the_roots(path: str, how: str, place: Path) -> None:
    write(place, {"l": "-> ../out", "x/y": ""})
    (place / "mods").mkdir()
    folder = {
        "absolute": str(place.parent / "out"), "..": "../out", "link": "l", "far": "x/../../out",
    }[how]  # fmt: skip
    job = filled(PATHS[path], folder)
    answers = [
        jobs([job], "--confined")[0],
        jobs([{**job, "confined": True}], "--confined")[0],
        jobs([job], "--confined", "--root", ".")[0],
        jobs([job], "--confined", "--root", "mods")[0],
        jobs([job], "--confined", "--root", str(place / "mods"), "--root", "x")[0],
    ]
    assert {code_of(a) for a in answers} == {"file-outside"}, answers
    assert SECRET not in json.dumps(answers)
    inside = jobs([job], "--confined", "--root", str(place.parent))[0]
    assert code_of(inside) != "file-outside"


def test_a_confined_stream_bounds_what_its_jobs_may_ask_for(place: Path) -> None:
    write(place, {"a.sf": "sfConfig extends { a 1; }" + " " * 2000})
    job = {"file": "a.sf", "max_file_size": 1_000_000}

    assert jobs([job])[0]["ok"]
    found = jobs([job], "--confined", "--max-file-size", "1000")[0]
    assert code_of(found) == "file-too-large"


def test_the_file_of_jobs_is_not_given_to_the_jobs(place: Path) -> None:
    os.mkdir("work")
    write(place, {"jobs.jsonl": json.dumps({"code": "file('{}')".format(place / "jobs.jsonl"),
                                            "lang": "puppet"})})  # fmt: skip
    done = headwater("compile", "--jobs", "jobs.jsonl", "--confined", "--root", "work")

    assert code_of(json.loads(done.stdout)) == "file-outside"


def test_what_was_read_for_one_job_is_not_given_to_another(place: Path) -> None:
    out = str(place.parent / "out")
    job = {"code": "include m\nnotify { 'n': message => lookup('k') }", "lang": "puppet", "modulepath": out,
           "hiera": f"{out}/hiera.yaml"}  # fmt: skip
    text = json.dumps(job)
    assert code_of(jobs([job])[0]) is None
    done = headwater("compile", "--jobs", "-", "--confined", given=f"{text}\n{text}\n")

    assert [code_of(json.loads(line)) for line in done.stdout.splitlines()] == ["file-outside"] * 2
    found = jobs([job, {**job, "confined": True, "modulepath": ".", "hiera": "h.yaml"}])
    assert SECRET not in json.dumps(found[1])


@pytest.mark.parametrize(
    "path",
    [
        "%2e%2e/out/a.sf",
        "..%2fout%2fa.sf",
        "..\\\\out\\\\a.sf",
        "．．/out/a.sf",
        "file:../out/a.sf",
    ],
)
def test_encoded_paths_are_names_like_others(path: str, place: Path) -> None:
    write(place, {"a.sf": f'#include "{path}"\nsfConfig extends {{}}'})
    for dialect in ("core", "production"):
        done = headwater("compile", "--dialect", dialect, "--confined", "--root", ".", "a.sf")

        assert done.exit_code == 1
        assert SECRET not in done.output


@pytest.mark.skipif(not hasattr(os, "link"), reason="there are no hard links here")
def test_a_file_inside_is_inside_whatever_other_names_it_has(place: Path) -> None:
    write(place, {"a.sf": '#include "b.sf"\nsfConfig extends { c b; }', "b.sf": "b 1;\n"})
    os.link("b.sf", place.parent / "out/elsewhere.sf")

    assert headwater("compile", "--confined", "--root", ".", "a.sf").exit_code == 0
