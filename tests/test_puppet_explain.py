"""Where parameters, tags and edges of a catalog come from, beyond the calculus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.ask.views import Views
from headwater.langs import Outcome, language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet import why
from headwater.langs.puppet.fields import Fields
from headwater.text import Source
from headwater.why import depends

PUPPET = language_named("puppet")

HIERA = """---
version: 5
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: os, path: "os/%{facts.family}.json", data_hash: json_data }
  - { name: common, path: common.yaml }
"""
CLASS = """class c ($p = 'default', $opts = {}) {
  notify { 'n': message => $p }
  notify { 'o': message => $opts['b'] }
}
include c
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


class Site:
    """A manifest with data beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.outcome: Outcome | None = None

    def compile(self, code: str, files: dict[str, str] | None = None, **inputs: Any) -> Site:  # noqa: ANN401
        if files is not None:
            for name, text in {"hiera.yaml": HIERA, **files}.items():
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            inputs["hiera"] = str(self.folder / "hiera.yaml")
            inputs.setdefault("facts", {"family": "deb"})
        inputs.setdefault("node", "n1")
        self.outcome = PUPPET.compile(Job((Source("site.pp", code),), Fields(**inputs)))
        assert self.outcome.result is not None, self.outcome.errors
        return self

    def value(self, address: str) -> object:
        assert self.outcome is not None
        assert self.outcome.result is not None
        return self.outcome.result.get(PUPPET.parse_address(address))

    def views(self, address: str) -> Views:
        assert self.outcome is not None
        assert self.outcome.causes is not None
        return Views(self.outcome.causes, PUPPET.parse_address(address))

    def where(self, address: str) -> list[tuple[str, int, str]]:
        """File, line and text of each origin."""
        return [
            (Path(x.at.source.name).name, x.at.first.line, x.text)
            for x in self.views(address).origins
        ]

    def masked(self, address: str) -> list[tuple[Any, str]]:
        return [(m.value, m.reason) for m in self.views(address).masked]

    def inputs(self, address: str) -> set[tuple[str, str]]:
        """Kind and text of what a value depends on."""
        return {(x.kind, x.text) for x in self.views(address).depends}


# -- where parameters of classes come from -----------------------------------------------------


def test_a_given_parameter_masks_the_default(site: Site) -> None:
    site.compile(CLASS.replace("include c", "class { 'c': p => 'given' }"), {})

    assert site.where("Notify[n].message") == [("site.pp", 5, "'given'")]
    assert site.masked("Notify[n].message") == [("default", "default")]


def test_a_parameter_from_data_points_into_the_file(site: Site) -> None:
    site.compile(
        CLASS,
        {
            "data/nodes/n1.yaml": "---\n# a comment\nc::p: here\n",
            "data/common.yaml": "---\nc::p: below\n",
        },
    )

    assert site.where("Notify[n].message") == [("n1.yaml", 3, "here")]
    assert site.masked("Notify[n].message") == [("below", "level"), ("default", "default")]
    assert site.where("Class[C].p") == [("n1.yaml", 3, "here")]


def test_json_data_has_places_too(site: Site) -> None:
    site.compile(CLASS, {"data/os/deb.json": '{\n  "other": 1,\n  "c::p": "json"\n}\n'})

    assert site.where("Notify[n].message") == [("deb.json", 3, '"json"')]
    assert ("fact", "facts['family']") in site.inputs("Notify[n].message")


def test_a_default_depends_on_every_level_that_has_no_value(site: Site) -> None:
    site.compile(CLASS, {"data/common.yaml": "---\nother: 1\n"})

    assert site.where("Notify[n].message") == [("site.pp", 1, "'default'")]
    found = [x for x in site.views("Notify[n].message").depends if x.kind == "miss"]
    names = {Path(x.at.source.name).name for x in found if x.text == "c::p"}
    assert names == {"n1.yaml", "deb.json", "common.yaml"}


def test_an_element_of_data_has_a_line_of_its_own(site: Site) -> None:
    site.compile(CLASS, {"data/common.yaml": "---\nc::opts:\n  a: 1\n  b: two\n"})

    assert site.where("Notify[o].message") == [("common.yaml", 4, "two")]
    assert site.where('Class[C].opts["a"]') == [("common.yaml", 3, "1")]


def test_a_merge_keeps_the_origin_of_every_leaf(site: Site) -> None:
    site.compile(
        CLASS,
        {
            "data/nodes/n1.yaml": "---\nc::opts: { b: near }\n",
            "data/common.yaml": "---\nc::opts:\n  a: 1\n  b: far\n"
            "lookup_options:\n  c::opts: { merge: hash }\n",
        },
    )

    assert site.value("Class[C].opts") == {"a": 1, "b": "near"}
    assert site.where("Notify[o].message") == [("n1.yaml", 2, "near")]
    assert site.masked("Notify[o].message") == [("far", "merge")]
    assert site.where('Class[C].opts["a"]') == [("common.yaml", 3, "1")]
    assert any("merge: hash" in text for kind, text in site.inputs("Class[C].opts"))


def test_an_interpolated_value_is_computed_from_its_leaf(site: Site) -> None:
    site.compile(CLASS, {"data/common.yaml": '---\nc::p: "on %{facts.family}"\n'})

    assert site.value("Notify[n].message") == "on deb"
    assert site.where("Notify[n].message") == []
    found = site.inputs("Notify[n].message")
    assert ("fact", "facts['family']") in found
    assert ("hiera", '"on %{facts.family}"') in found


def test_lookup_in_a_manifest_points_into_the_file(site: Site) -> None:
    files = {"data/nodes/n1.yaml": "---\nk: [1, 2]\n", "data/common.yaml": "---\nk: [3]\n"}
    site.compile("$k = lookup('k')\nnotify { 'n': message => $k[1] }", files)

    assert site.where("Notify[n].message") == [("n1.yaml", 2, "2")]
    assert ("literal", "'k'") in site.inputs("Notify[n].message")


def test_a_variable_that_data_interpolates_is_followed(site: Site) -> None:
    site.compile("$zone = 'z1'\n" + CLASS, {"data/common.yaml": '---\nc::p: "in %{zone}"\n'})

    assert site.value("Notify[n].message") == "in z1"
    assert ("literal", "'z1'") in site.inputs("Notify[n].message")


# -- who wrote a parameter of a resource -------------------------------------------------------


OVERRIDES = """File { group => 'wheel' }
class base { file { '/f': owner => 'bob', tag => ['a'] } }
class derived inherits base {
  File['/f'] { owner => 'alice', tag +> ['b'] }
}
include derived
file { '/g': group => 'own' }
file { '/h': }
File <| title == '/h' |> { mode => '0600' }
"""


def test_an_override_tells_what_and_who(site: Site) -> None:
    site.compile(OVERRIDES)
    [lost] = site.views("File[/f].owner").masked

    assert site.where("File[/f].owner") == [("site.pp", 4, "'alice'")]
    assert (lost.value, lost.reason) == ("bob", "override")
    assert lost.where is not None
    assert lost.where.at.first.line == 2
    assert [x.text for x in lost.by] == ["owner => 'alice'"]


def test_an_appended_value_has_both_parts(site: Site) -> None:
    site.compile(OVERRIDES)

    assert site.where("File[/f].tag") == []
    assert {("literal", "'a'"), ("literal", "'b'")} <= site.inputs("File[/f].tag")


def test_a_resource_default_is_an_origin_or_masked(site: Site) -> None:
    site.compile(OVERRIDES)

    assert site.where("File[/h].group") == [("site.pp", 1, "'wheel'")]
    assert site.masked("File[/g].group") == [("wheel", "default")]


def test_a_collector_is_an_origin(site: Site) -> None:
    site.compile(OVERRIDES)

    assert site.where("File[/h].mode") == [("site.pp", 9, "'0600'")]
    kinds = {kind for kind, _ in site.inputs("File[/h].mode")}
    assert "query" in kinds
    assert ("literal", "'/h'") in site.inputs("File[/h].mode")


def test_the_path_leads_through_classes_and_defines(site: Site) -> None:
    code = "define d { notify { $title: } }\nclass c { d { 'x': } }\ninclude c"
    site.compile(code)

    assert [x.text for x in site.views("Notify[x]").path] == [
        "include c", "d { 'x': }", "notify { $title: }",
    ]  # fmt: skip


# -- tags and edges ----------------------------------------------------------------------------


TAGS = """class web { tag('late') notify { 'n': tag => ['x', 'y'] } contain db }
class db { notify { 'q': } }
include web
"""


@pytest.mark.parametrize(
    ("tag", "line", "text"),
    [
        ("notify", 1, "notify"),
        ("n", 1, "'n'"),
        ("y", 1, "'y'"),
        ("late", 1, "'late'"),
        ("web", 1, "web"),
    ],
)
def test_a_tag_has_an_origin(site: Site, tag: str, line: int, text: str) -> None:
    site.compile(TAGS)

    assert site.value(f'Notify[n].@tags["{tag}"]') == tag
    assert site.where(f'Notify[n].@tags["{tag}"]') == [("site.pp", line, text)]


def test_all_tags_are_a_list(site: Site) -> None:
    site.compile(TAGS)

    tags = site.value("Notify[n].@tags")
    assert tags == ["x", "y", "notify", "n", "class", "web", "late"]
    assert site.value("Notify[n].@tags[0]") == "x"
    assert site.value("/resources/4/tags/0") == "x"


def test_an_edge_has_an_origin(site: Site) -> None:
    site.compile(TAGS)

    assert site.value("Class[Db].@edges") == ["Stage[main]", "Class[Web]"]
    assert site.where('Class[Db].@edges["Class[Web]"]') == [("site.pp", 1, "contain db")]
    assert site.where("Notify[n].@edges[0]") == [("site.pp", 1, "notify")]
    assert ("definition", "include web") in site.inputs("/edges/3")


def test_an_inherited_metaparameter_points_to_the_define(site: Site) -> None:
    site.compile("define d { notify { 'n': } }\nd { 'x': noop => true }")

    assert site.where("Notify[n].noop") == [("site.pp", 2, "true")]


def test_an_arrow_is_what_a_relationship_is_computed_from(site: Site) -> None:
    site.compile("notify { 'a': }\nnotify { 'b': }\nNotify['a'] -> Notify['b']")

    assert site.value("Notify[a].before") == ["Notify[b]"]
    assert ("literal", "'b'") in site.inputs("Notify[a].before")


def test_the_whole_catalog_depends_on_what_could_have_been_declared(site: Site) -> None:
    site.compile("if $facts['x'] == 'never' { notify { 'n': } }\nnotify { 'm': }")
    assert site.outcome is not None

    assert ("literal", "'never'") in site.inputs(".")
    assert ("literal", "'never'") not in site.inputs("Notify[m]")


def test_a_long_chain_of_variables_is_followed_to_its_end(site: Site) -> None:
    count = 4000
    chain = "".join(f"$a{i} = $a{i - 1}\n" for i in range(1, count))
    site.compile(f"$a0 = 'first'\n{chain}notify {{ 'n': message => $a{count - 1} }}")

    assert site.where("Notify[n].message") == [("site.pp", 1, "'first'")]


def test_the_worked_example_of_the_essay_on_causes_is_true() -> None:
    numbered = [line for line in (why.__doc__ or "").splitlines() if line[:6].strip().isdigit()]
    source = Source("essay.pp", "".join(f"{line[7:]}\n" for line in numbered))
    outcome = PUPPET.compile(Job((source,), Fields(facts={"role": "db"})))
    causes: Any = outcome.causes

    assert len(numbered) == 7
    record = causes.compilation.record
    assert [(guard.taken, guard.when) for guard in record.decisions] == [(False, 1)]
    assert [act.when for act in record.declarations["ntp"]] == [1]
    found = depends(causes.trace, causes.of(("Notify[n]", "message")))
    assert {1, 2, 4, 7} == {x.at.first.line for x in found if x.at.source is source}
    assert {"'web'", "'role'", "facts['role']"} <= {x.text for x in found}
