"""Files beside a program that are doubtful: how strictly they are taken decides what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.text import Source

GOOD = '{"source":"s","author":"a","version":"1.0.0","license":"l","dependencies":[]}'
LAX = {"strict": "warning", "strict_variables": False}


def compiled(code: str, folder: Path, **inputs: Any) -> Outcome:  # noqa: ANN401
    """The outcome of a program with the modules and the hiera.yaml of a folder."""
    inputs.setdefault("modulepath", str(folder / "modules"))
    if (folder / "hiera.yaml").exists():
        inputs["hiera"] = str(folder / "hiera.yaml")
    return language_named("puppet").compile(Job((Source.of_text("a.pp", code),), Fields(**inputs)))


def written(folder: Path, **files: str) -> None:
    """Writes files whose names have two underscores for a slash."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("metadata", "settings", "code", "used"),
    [
        (GOOD, {}, None, True),
        (f"/* about */ {GOOD}", {}, None, True),
        ("", {}, None, True),
        ("{}", {}, None, True),
        ('{ "name": ', {}, "puppet-faulty-metadata", False),
        ('{ "name": ', LAX, "puppet-doubtful-metadata", True),
        ('{ "name": ', {"strict": "off"}, None, True),
        ('{ "name": "m" }', {}, "puppet-faulty-metadata", False),
        ('{ "name": "m" }', LAX, "puppet-faulty-metadata", False),
        (GOOD.replace("[]", "3"), LAX, "puppet-faulty-metadata", False),
        ("[1]", LAX, "puppet-faulty-metadata", False),
    ],
)
def test_a_module_with_faulty_metadata_is_not_there(
    metadata: str, settings: dict[str, Any], code: str | None, used: bool, tmp_path: Path
) -> None:
    written(tmp_path, modules__m__metadata_dot_json=metadata,
            modules__m__manifests__init_dot_pp="class m { notify { 'a': } }\n",
            modules__m__functions__f_dot_pp="function m::f() { 1 }\n",
            modules__m__files__x="text")  # fmt: skip
    for program in ("include m", "notify { 'x': message => m::f() }", "notify { file('m/x'): }"):
        outcome = compiled(program, tmp_path, settings=settings)

        warned = [d.code for d in outcome.diagnostics if not d.is_error]
        assert (outcome.result is not None) is used
        assert warned == ([] if code is None else [code])


HIERA = "---\nversion: 5\nhierarchy:\n  - name: n\n    path: common.yaml\n"


@pytest.mark.parametrize(
    ("data", "settings", "verdict"),
    [
        ("k: 1\n", {}, "fine"), ("- k\n", {}, "error"), ("text\n", {}, "error"),
        ("0\n", {}, "error"), ("", {}, "warning"), ("---\n", {}, "warning"),
        ("false\n", {}, "warning"), ("- k\n", LAX, "warning"), ("- k\n", {"strict": "off"}, "fine"),
    ],
)  # fmt: skip
def test_data_that_are_no_hash(
    data: str, settings: dict[str, Any], verdict: str, tmp_path: Path
) -> None:
    written(tmp_path, hiera_dot_yaml=HIERA, data__common_dot_yaml=data)

    outcome = compiled("notify { 'a': message => lookup('k', Any, first, 'd') }", tmp_path,
                       settings=settings)  # fmt: skip

    about = [(d.severity, d.at.source.name) for d in outcome.diagnostics
             if d.code == "puppet-hiera-no-hash"]  # fmt: skip
    place = str(tmp_path / "data/common.yaml")
    assert about == ([] if verdict == "fine" else [(verdict, place)])
    assert (outcome.result is None) is (verdict == "error")


@pytest.mark.parametrize(
    ("entry", "level", "refused"),
    [
        ('path: "%{nosuch}.yaml"', 8, False), ('path: "%{nosuch}.yaml"', 7, True),
        ('paths: ["%{nosuch.x}.yaml", "%{nosuch}.yaml"]', 8, False),
        ('glob: "%{nosuch}*.yaml"', 8, False), ('globs: ["%{nosuch}*.yaml"]', 7, True),
        ('mapped_paths: [nosuch, t, "%{t}.yaml"]', 8, False),
        ('mapped_paths: [facts.kinds, t, "%{t}-%{nosuch}.yaml"]', 7, True),
        ('{datadir: "d%{nosuch}", path: common.yaml}', 8, True),
        ('{datadir: "d%{nosuch}", path: common.yaml}', 7, True),
    ],
)  # fmt: skip
def test_an_unknown_variable_in_hiera_yaml(
    entry: str, level: int, refused: bool, tmp_path: Path
) -> None:
    entry = entry.strip("{}") if entry.startswith("{") else entry
    hiera = "---\nversion: 5\nhierarchy:\n" + f"  - {{name: n, {entry}}}\n"
    written(tmp_path, hiera_dot_yaml=hiera + "  - {name: c, path: common.yaml}\n",
            data__common_dot_yaml="k: 1\n")  # fmt: skip

    outcome = compiled("notify { 'a': message => lookup('k') }", tmp_path, puppet=level,
                       settings={"strict": "error"}, facts={"kinds": ["a", "b"]})  # fmt: skip

    about = [d for d in outcome.diagnostics if d.code == "puppet-unknown-variable"]
    assert [(d.at.source.name, d.at.first.line) for d in about] == [
        (str(tmp_path / "hiera.yaml"), 4)
    ]
    assert about[0].is_error is refused
    assert (outcome.result is None) is refused


def test_an_unknown_variable_in_the_options_of_a_level(tmp_path: Path) -> None:
    hiera = HIERA + "    data_hash: f\n    options: {x: 'd%{nosuch}'}\n"
    written(tmp_path, hiera_dot_yaml=hiera, data__common_dot_yaml="k: 1\n")
    program = ("function f(Hash $o, Any $c) { { k => 1 } }\n"
               "notify { 'a': message => lookup('k') }")  # fmt: skip

    strict, lax = (compiled(program, tmp_path, settings=s) for s in ({}, LAX))

    assert [(d.code, d.at.source.name, d.at.first.line) for d in strict.errors] == [
        ("puppet-unknown-variable", str(tmp_path / "hiera.yaml"), 4)
    ]
    assert lax.result is not None


@pytest.mark.parametrize(
    ("default", "level", "value"),
    [("'d'", 8, "xdy"), ("undef", 8, "xy"), ("'d'", 7, None), ("undef", 7, None)],
)
def test_defaults_for_unknown_variables_in_data(
    default: str, level: int, value: str | None, tmp_path: Path
) -> None:
    written(tmp_path, hiera_dot_yaml=HIERA, data__common_dot_yaml="k: 'x%{nosuch}y'\n")
    options = f"{{ name => 'k', default_values_hash => {{ 'nosuch' => {default} }} }}"

    outcome = compiled(f"notify {{ 'a': message => lookup({options}) }}", tmp_path, puppet=level,
                       settings={"strict": "error"})  # fmt: skip

    if value is None:
        assert [d.code for d in outcome.errors] == ["puppet-unknown-variable"]
    else:
        assert outcome.result is not None
        catalog: Any = outcome.result.plain()
        assert catalog["resources"][-1]["parameters"]["message"] == value


def test_a_key_of_module_data_without_the_module_is_told(tmp_path: Path) -> None:
    files = {
        "m/manifests/init.pp": "class m($p = 1) { }\n",
        "m/hiera.yaml": "version: 5\n",
        "m/data/common.yaml": "m::p: 2\nport: 80\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    job = Job((Source.of_text("a.pp", "include m"),), Fields(modulepath=str(tmp_path)))
    (found,) = language_named("puppet").compile(job).diagnostics

    assert (found.code, found.severity) == ("puppet-unqualified-key", "warning")
    assert (Path(found.at.source.name).name, found.at.first.line) == ("common.yaml", 2)


@pytest.mark.parametrize("value", ["x%{nosuch}y", "[1, 'x%{nosuch.deep}y']", "%{scope('nosuch')}"])
def test_an_unknown_variable_in_data_is_told_of_where_it_stands(value: str, tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: n, path: common.yaml}]\n"
    text = value if value.startswith("[") else f'"{value}"'
    written(tmp_path, hiera_dot_yaml=config, data__common_dot_yaml=f"j: 1\nk: {text}\n")
    program = "\nnotify { 'a': message => lookup('k') }\n"

    mild = compiled(program, tmp_path, settings=LAX).diagnostics
    (refused,) = compiled(program, tmp_path).errors

    assert [(d.code, d.severity) for d in mild] == [("puppet-unknown-variable", "warning")]
    assert (Path(mild[0].at.source.name).name, mild[0].at.first.line) == ("common.yaml", 2)
    assert (refused.code, refused.at.first.line) == ("puppet-unknown-variable", 2)
    (note,) = refused.labels
    assert (Path(note.at.source.name).name, note.at.first.line) == ("common.yaml", 2)


def test_a_key_twice_is_told_of_every_text_that_is_used(tmp_path: Path) -> None:
    twice = "{ 'a' => 1, 'a' => 2 }"
    written(tmp_path, modules__m__functions__f_dot_pp=f"function m::f() {{ {twice} }}\n",
            modules__m__types__t_dot_pp="type M::T = Struct[{ 'a' => Any, 'a' => Any }]\n",
            modules__m__templates__t_dot_epp=f"<%= {twice} %>\n",
            modules__m__functions__other_dot_pp=f"function m::other() {{ {twice} }}\n")  # fmt: skip
    program = f"""
        notify {{ 'f': message => [m::f(), m::f()] }}
        notify {{ 't': message => {{ 'a' => 1 }} =~ M::T }}
        notify {{ 'e': message => epp('m/t.epp') }}
        notify {{ 'i': message => inline_epp("<%= {twice} %>") }}"""
    found = compiled(program, tmp_path, settings=LAX).diagnostics

    files = [Path(one.at.source.name).name for one in found if one.code == "puppet-duplicate-key"]
    assert sorted(files) == ["f.pp", "inlined-epp-text", "t.epp", "t.pp"]
