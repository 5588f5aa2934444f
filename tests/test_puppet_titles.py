"""Titles of Ruby types: their patterns are read or evaluated, or the resource is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.catalog.titles import described_patterns, title_patterns
from headwater.langs.puppet.fields import Fields
from headwater.text import Source
from headwater.why import depends

BINDING = """
Puppet::Type.newtype(:binding) do
  ensurable
  newparam(:name) do
    isnamevar
  end
  newproperty(:source) do
    isnamevar
  end
  newproperty(:vhost) do
    isnamevar
  end
  def self.title_patterns
PATTERNS
  end
end
"""
WRITTEN_OUT = [
    "    [[/^([^@]+)$/, [[:name]]], [/^((\\S+)@(\\S+))$/m, [[:name], [:source], [:vhost]]]]",
    "    [ [ %r{^([^@]+)$}, [ [:name] ] ],\n      # both\n"
    "      [ %r{^((\\S+)@(\\S+))$}m, [ [:name], [:source], [:vhost], ], ], ]",
    "    return [[%r!^([^@]+)$!i, [[:name]]],\n"
    "     [%r[^((\\S+)@(\\S+))$], [[:name], [:source], [:vhost]]]]",
    "    [[/^([^@]+)$/, [[:name, lambda{|x| x}]]],\n"
    "     [/^((\\S+)@(\\S+))$/, [[:name, ->(x) { x }], [:source], [:vhost]]]]",
]
EVALUATED = [
    "    any = /\\S+/\n    [[/^((#{any})@(#{any}))$/, [[:name], [:source], [:vhost]]]]",
    "    [[Regexp.new('^((\\S+)@(\\S+))$'), [[:name], [:source], [:vhost]]]]",
    "    names = %w[name source vhost].map { |n| [n.to_sym] }\n    [[/^((.+)@(.+))$/, names]]",
    "    both",
    "    [[/^((.+)@(.+))$/, [:name, :source, :vhost]]] + super",
]
HELPER = "  def self.both\n    [[/^((.+)@(.+))$/, [[:name], [:source], [:vhost]]]]\n  end\n"
COMPUTED = [
    "    Other.patterns(:name, :source)",
    "    [[/^(.*)$/, [[:name, :downcase]]]]",
    "    [['a', [[:name]]]]",
    "    [[/^(.*)$/, [['name']]]]",
    "    [[/^(.*$/, [[:name]]]]",
    "    [[/^(.*)$/o, names]]",
]


def module(tmp_path: Path, code: str) -> str:
    """A modulepath with one type."""
    folder = tmp_path / "m" / "lib" / "puppet" / "type"
    folder.mkdir(parents=True)
    (folder / "binding.rb").write_text(code)
    return str(tmp_path)


def compiled(code: str, modulepath: str, **inputs: Any) -> Any:  # noqa: ANN401
    """The outcome of a program."""
    job = Job((Source.of_text("x.pp", code),), Fields(**{"modulepath": modulepath, **inputs}))
    return language_named("puppet").compile(job)


def read_for(outcome: Any, title: str) -> set[str]:  # noqa: ANN401
    """The files that what a title says depends on."""
    node = outcome.causes.of((f"Binding[{title}]", "source"))
    labels = depends(outcome.causes.trace, node)
    return {Path(label.at.source.name).name for label in labels if label.kind == "file"}


@pytest.mark.parametrize("patterns", WRITTEN_OUT, ids=range(len(WRITTEN_OUT)))
def test_a_title_is_split_by_patterns_that_are_written_out(tmp_path: Path, patterns: str) -> None:
    path = module(tmp_path, BINDING.replace("PATTERNS", patterns))

    outcome = compiled("binding { 'a@b': }", path)

    found = {r["title"]: r.get("parameters") for r in outcome.result.plain()["resources"]}
    assert found["a@b"] == {"source": "a", "vhost": "b"}
    assert "binding.rb" in read_for(outcome, "a@b")
    assert compiled("binding { 'a@b@': }", path).result is not None
    assert compiled("binding { '@': }", path).errors[0].code == "puppet-bad-title"


@pytest.mark.parametrize("patterns", EVALUATED, ids=range(len(EVALUATED)))
def test_a_title_is_split_by_patterns_that_are_computed(tmp_path: Path, patterns: str) -> None:
    code = BINDING.replace("PATTERNS", patterns).replace("  ensurable\n", f"  ensurable\n{HELPER}")
    outcome = compiled("binding { 'a@b': }\nbinding { 'c@d': }", module(tmp_path, code))

    found = {r["title"]: r.get("parameters") for r in outcome.result.plain()["resources"]}
    assert found["a@b"] == {"source": "a", "vhost": "b"}
    assert found["c@d"] == {"source": "c", "vhost": "d"}
    assert "binding.rb" in read_for(outcome, "a@b")
    assert "binding.rb" in read_for(outcome, "c@d")


def test_a_function_of_a_title_pattern_changes_what_it_found(tmp_path: Path) -> None:
    rows = "[:name], [:source, proc { |x| x.downcase }], [:vhost, ->(x) { x && x * 2 }]"
    code = BINDING.replace("PATTERNS", f"    [[/^((.+)@(.*))$/, [{rows}]]]")
    outcome = compiled("binding { 'A@b': }", module(tmp_path, code))

    found = {r["title"]: r.get("parameters") for r in outcome.result.plain()["resources"]}
    assert found["A@b"] == {"source": "a", "vhost": "bb"}


def test_a_function_of_a_title_pattern_that_fails_is_told(tmp_path: Path) -> None:
    rows = "[:name], [:source, proc { |x| IO.read(x) }]"
    code = BINDING.replace("PATTERNS", f"    [[/^((.+))$/, [{rows}]]]")
    (error,) = compiled("binding { 'A@b': }", module(tmp_path, code)).errors

    assert error.code == "puppet-ruby-title"
    assert "IO.read" in error.message


def test_what_a_title_gives_rests_on_every_file_of_ruby_that_ran(tmp_path: Path) -> None:
    code = BINDING.replace("PATTERNS", "    Shared.rows").replace(
        "Puppet::Type", "require 'm/shared'\nPuppet::Type", 1
    )
    path = module(tmp_path, code)
    shared = tmp_path / "m" / "lib" / "m" / "shared.rb"
    shared.parent.mkdir()
    rows = "[[/^((.+)@(.+))$/, [[:name], [:source], [:vhost]]]]"
    shared.write_text(f"module Shared\n  def self.rows\n    {rows}\n  end\nend\n")
    outcome = compiled("binding { 'a@b': }", path)
    assert read_for(outcome, "a@b") == {"binding.rb", "shared.rb"}

    shared.write_text(shared.read_text().replace("[:source], [:vhost]", "[:vhost], [:source]"))
    edited = compiled("binding { 'a@b': }", path)

    values = [made.result.get(("Binding[a@b]", "source")) for made in (outcome, edited)]
    assert values == ["a", "b"]


@pytest.mark.parametrize(
    "patterns", ["    []", "    super"], ids=["an empty list", "no patterns for two keys"]
)
def test_no_title_fits(tmp_path: Path, patterns: str) -> None:
    code = BINDING.replace("PATTERNS", patterns).replace("newproperty", "newparam")
    (error,) = compiled("\nbinding { 'a@b': }", module(tmp_path, code)).errors

    assert error.code in ("puppet-bad-title", "puppet-ruby-title")
    assert error.at.first.line == 2


MADE = """
module Helpers
  def shared(*names)
    names.each { |name| newproperty(name) }
  end
end
Puppet::Type.newtype(:binding) do
  extend Helpers
  apply_to_all
  ensurable { defaultvalues }
  %w[name place].each { |key| newparam(key) { isnamevar } }
  [:size, :color].each do |name|
    newproperty(name, :parent => Puppet::Property::Boolean) { desc "the #{name}"; munge { |v| v } }
  end
  shared :one, :two
  def self.title_patterns
    [[/^(.*)@(.*)$/, [[:name], [:place]]], [/^(.*)$/, [[:name]]]]
  end
end
"""


def test_parameters_made_by_ruby_are_known(tmp_path: Path) -> None:
    path = module(tmp_path, MADE)
    known = ", ".join(f"{name} => 1" for name in ("ensure", "size", "color", "one", "two"))
    outcome = compiled(f"binding {{ 'a@b': {known} }}", path)
    (error,) = compiled("\nbinding { 'a@b': three => 1 }", path).errors

    assert outcome.result is not None, outcome.errors
    assert (error.code, error.at.first.line) == ("puppet-unknown-parameter", 2)
    assert compiled("binding { 'a@b': }\nbinding { 'x': name => 'a', place => 'b' }", path).errors
    assert compiled("binding { 'a@b': }\nbinding { 'x': name => 'a' }", path).result is not None


def test_a_type_that_cannot_run_accepts_any_parameter(tmp_path: Path) -> None:
    path = module(tmp_path, MADE.replace("  shared", "  IO.read('x')\n  shared"))

    assert compiled("binding { 'a@b': three => 1 }", path).result is not None


def test_a_type_of_the_resource_api_may_compute_its_patterns(tmp_path: Path) -> None:
    code = """
    pattern = Regexp.new('^(?<source>.+)@(?<vhost>.+)$')
    Puppet::ResourceApi.register_type(
      name: 'binding', title_patterns: [{ pattern: pattern, desc: 'both' }],
      attributes: {
        source: { type: 'String', behaviour: :namevar },
        vhost: { type: 'String', behaviour: :namevar },
      },
    )
    """
    outcome = compiled("binding { 'a@b': }", module(tmp_path, code))

    found = {r["title"]: r.get("parameters") for r in outcome.result.plain()["resources"]}
    assert found["a@b"] == {"source": "a", "vhost": "b"}


@pytest.mark.parametrize("patterns", COMPUTED, ids=range(len(COMPUTED)))
def test_a_title_that_only_ruby_can_split_is_refused(tmp_path: Path, patterns: str) -> None:
    path = module(tmp_path, BINDING.replace("PATTERNS", patterns))

    outcome = compiled("notice(1)\nbinding { 'a@b': }", path)
    guessed = compiled("binding { 'a@b': }", path, on_unknown="opaque")

    assert [(d.code, d.at.first.line) for d in outcome.errors] == [("puppet-ruby-title", 2)]
    assert guessed.result is not None
    assert "puppet-undecided" in [d.code for d in guessed.diagnostics]


def test_a_type_that_stops_half_way_stays_untold(tmp_path: Path) -> None:
    """Its second resource must not be split by what a part of its file said."""
    patterns = "    [[/^((.+)@(.+))$/, names]]\n  end\n  def self.names\n    [[:name], [:source]]"
    code = BINDING.replace("PATTERNS", patterns).replace(
        "  end\nend\n", "  end\n  IO.read('x')\nend\n"
    )
    outcome = compiled("binding { 'a@b': }\nbinding { 'c@d': }", module(tmp_path, code),
                       on_unknown="opaque")  # fmt: skip

    undecided = [d.at.first.line for d in outcome.diagnostics if d.code == "puppet-undecided"]
    assert undecided == [1, 2]


def test_patterns_that_a_hostile_title_could_keep_busy_end(tmp_path: Path) -> None:
    path = module(tmp_path, BINDING.replace("PATTERNS", "    [[/^((a+)+)$/, [[:name]]]]"))

    assert compiled("binding { '" + "a" * 40 + "b': }", path).errors[0].code == "puppet-bad-title"


def test_patterns_of_the_resource_api() -> None:
    code = """
    Puppet::ResourceApi.register_type(
      name: 'software',
      title_patterns: [
        { pattern: %r{^(?<package>.*[^-])-(?<manager>.*)$}, desc: 'Both', },
        { pattern: /^(?<package>.*)$/, desc: "One" },
      ],
    """
    (first, second), unread = described_patterns(code)

    assert not unread
    assert first.parse("php-gem") == {"package": "php", "manager": "gem"}
    assert second.parse("php") == {"package": "php"}
    assert described_patterns(code.replace("%r{", "matching("))[1]
    assert described_patterns("name: 'software'") == ((), False)
    assert title_patterns("newparam(:name)") == ((), False)


def test_a_main_manifest_may_lie_in_a_module(tmp_path: Path) -> None:
    examples = tmp_path / "m" / "examples"
    manifests = tmp_path / "m" / "manifests"
    examples.mkdir(parents=True)
    manifests.mkdir()
    (manifests / "init.pp").write_text("class m { notify { 'in': } }\n")
    text = "include m\nclass other { }\nnotify { 'x': }\n"
    language = language_named("puppet")
    for place in (examples / "init.pp", manifests / "site.pp"):
        job = Job((Source.of_text(str(place), text),), Fields(modulepath=str(tmp_path)))
        assert language.compile(job).result is not None, place
    inside = Job(
        (Source.of_text(str(examples / "init.pp"), text),), Fields(modulepath=str(tmp_path))
    )
    assert list(language.check(inside)) == []
    loaded = Job((Source.of_text(str(manifests / "a.pp"), text),), Fields(modulepath=str(tmp_path)))
    assert "puppet-bad-top-construct" in [d.code for d in language.check(loaded)]
