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
]
HELPER = "  def self.both\n    [[/^((.+)@(.+))$/, [[:name], [:source], [:vhost]]]]\n  end\n"
COMPUTED = [
    "    Other.patterns(:name, :source)",
    "    [[/^(.*)$/, [[:name, lambda { |x| x.downcase }]]]]",
    "    [[/^(.*)$/, [[:name]]]] + super",
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
