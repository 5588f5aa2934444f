"""The Puppet compiler with inputs beside the manifest: Hiera, modules, environments, facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.ask import Request, compile_request
from headwater.ask.views import Views
from headwater.langs import Outcome, language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.text import Source

PUPPET = language_named("puppet")

HIERA = """---
version: 5
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: os, path: "os/%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
"""


def compiled(code: str, **inputs: Any) -> Outcome:  # noqa: ANN401
    """The outcome of a text."""
    return PUPPET.compile(Job((Source("site.pp", code),), Fields(**inputs)))


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files in a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def value(outcome: Outcome, address: str) -> object:
    """A value of a catalog."""
    assert outcome.result is not None, outcome.errors
    return outcome.result.get(PUPPET.parse_address(address))


def views(outcome: Outcome, address: str) -> Views:
    """Why a value is what it is."""
    assert outcome.causes is not None
    return Views(outcome.causes, PUPPET.parse_address(address))


def test_a_parameter_from_hiera_knows_its_line_its_misses_and_what_lies_below(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        {
            "hiera.yaml": HIERA,
            "data/os/Debian.yaml": "---\nc::p: from-os\n",
            "data/common.yaml": "---\nother: 1\nc::p: from-common\n",
        },
    )
    code = "class c($p = 'default') { notify { 'n': message => $p } }\ninclude c\n"
    facts = {"os": {"family": "Debian"}}

    outcome = compiled(code, hiera=str(tmp_path / "hiera.yaml"), facts=facts)

    assert value(outcome, "Notify[n].message") == "from-os"
    why = views(outcome, "Notify[n].message")
    assert [label.at.first.line for label in why.origins] == [2]
    assert why.origins[0].at.source.name.endswith("os/Debian.yaml")
    kinds = {label.kind for label in why.depends}
    assert {"hiera", "miss", "fact"} <= kinds
    lost = [(m.value, m.reason) for m in why.masked]
    assert lost == [("from-common", "level"), ("default", "default")]


def test_data_with_broken_yaml_is_refused_at_its_place(tmp_path: Path) -> None:
    write(tmp_path, {"hiera.yaml": HIERA, "data/common.yaml": "---\na: [1, 2\nb: 3\n"})

    outcome = compiled("notice(lookup('a'))", hiera=str(tmp_path / "hiera.yaml"))

    error = outcome.errors[0]
    assert error.code == "puppet-hiera-config"
    assert error.at.source.name.endswith("common.yaml")
    assert error.at.first.line == 3


def test_facts_that_are_no_hash_are_refused() -> None:
    outcome = compiled("notify { 'a': }", facts=["x"])

    assert [d.code for d in outcome.errors] == ["puppet-bad-input"]


BEYOND = """Puppet::Functions.create_function(:'m::f') do
  def f(value)
    `uptime`
  end
end
"""
"""A function that would run a program."""


def test_a_function_that_would_run_a_program_is_refused_or_unknown(tmp_path: Path) -> None:
    write(tmp_path, {"m/lib/puppet/functions/m/f.rb": BEYOND})
    code = "notify { 'a': message => m::f(1) }"

    refused = compiled(code, modulepath=str(tmp_path))
    unknown = compiled(code, modulepath=str(tmp_path), on_unknown="opaque")

    assert [d.code for d in refused.errors] == ["puppet-ruby-beyond"]
    assert value(unknown, "Notify[a].message") == {
        "__ptype": "Headwater::Opaque",
        "__pvalue": "m::f()",
    }
    assert "unknown" in {label.kind for label in views(unknown, "Notify[a].message").depends}


def test_what_hangs_on_an_unknown_value_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"m/lib/puppet/functions/m/f.rb": BEYOND})
    code = "if m::f(1) { notify { 'a': require => File['/x'] } }\nm::f(2)\n"

    outcome = compiled(code, modulepath=str(tmp_path), on_unknown="opaque")

    assert outcome.result is not None
    catalog: Any = outcome.result.plain()
    made = catalog["resources"][-1]
    assert made["unknown"]["existence"] == "m::f()"
    assert made["parameters"]["require"] == {"__ptype": "Headwater::Opaque", "__pvalue": "m::f()"}
    assert catalog["unknown"] == {"resources": {"*": "m::f()", "Notify": "m::f()"}}
    found = [(d.code, d.at.first.line) for d in outcome.diagnostics]
    assert ("puppet-undecided", 1) in found
    assert ("puppet-undecided", 2) in found
    assert ("puppet-opaque-value", 1) in found  # whether File[/x] is there


def test_modules_are_loaded_by_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "m/manifests/init.pp": "class m { include m::sub\n m::thing { 'x': } }",
            "m/manifests/sub.pp": "class m::sub { notify { $module_name: } }",
            "m/manifests/thing.pp": "define m::thing(M::Port $p = m::port()) { notify { $title: "
            "message => epp('m/t.epp', { p => $p }) } }",
            "m/types/port.pp": "type M::Port = Integer[1, 65535]",
            "m/functions/port.pp": "function m::port() >> M::Port { 80 }",
            "m/templates/t.epp": "<%- | Integer $p | -%>\nport <%= $p %>\n",
        },
    )

    outcome = compiled("include m", modulepath=str(tmp_path))

    assert value(outcome, "Notify[x].message") == "port 80\n"
    assert value(outcome, "M::Thing[x].p") == 80


def test_classes_of_a_classifier_are_declared_with_their_parameters() -> None:
    code = "class a($p) { notify { \"a${p}\": } }\nclass b { notify { 'b': } }"

    outcome = compiled(code, classes={"b": None, "a": {"p": 1}})

    assert outcome.result is not None
    assert [str(a[0]) for a, _ in outcome.result.walk() if str(a[0]).startswith("Class[A")]


def test_a_catalog_names_values_by_resource_and_parameter() -> None:
    outcome = compiled("file { '/a]b': mode => ['x', { 'k' => 'v' }] }")

    shown = 'File["/a]b"].mode[1]["k"]'
    address = PUPPET.parse_address(shown)
    assert PUPPET.show_address(address) == shown
    assert value(outcome, shown) == "v"


def test_a_folder_that_is_an_environment_is_compiled_without_naming_its_language(
    tmp_path: Path,
) -> None:
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notify { 'here': }\n")

    outcome: Any = compile_request(Request(files=(str(tmp_path),))).outcome

    assert "Notify[here]" in str(outcome.result.plain())


def test_keys_in_keys_are_compiled_in_linear_time() -> None:
    depth = 200
    code = "$a = {1 => 1}\n$b = " + "$a[" * depth + "1" + "]" * depth
    code += "\n$c = " + "Class[" * depth + "'x'" + "]" * depth

    assert (
        language_named("puppet").compile(Job((Source("a.pp", code),), Fields())).result is not None
    )


def test_a_step_longer_than_what_is_stepped_through_takes_no_time() -> None:
    steps = f"[1, 2, 3].step({2**31}).map |$x| {{ $x }} + Array([1, 2, 3].step({2**63 - 1}))"
    outcome = language_named("puppet").compile(
        Job((Source("a.pp", f"notify {{ 'a': message => {steps} }}"),), Fields())
    )

    assert outcome.result is not None
    assert outcome.result.get(("Notify[a]", "message")) == [1, 1]


def test_a_record_takes_nothing_more_when_its_compilation_has_ended() -> None:
    causes: Any = compiled("class c { notify { 'n': } } include c").causes
    record = causes.compilation.record
    held = {name: part for name, part in vars(record).items() if isinstance(part, list | dict)}
    assert {"acts", "declarations", "decisions", "overrides", "scopes"} <= held.keys()
    changes = (
        "append",
        "extend",
        "__iadd__",
        "pop",
        "clear",
        "update",
        "setdefault",
        "__setitem__",
    )
    for name, part in (*held.items(), ("acts of c", record.declarations["c"])):
        for change in changes:
            if hasattr(part, change):
                with pytest.raises(AssertionError, match="frozen"):
                    getattr(part, change)(*([] if change in ("pop", "clear") else [[name]]))
