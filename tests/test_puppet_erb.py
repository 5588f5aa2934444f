"""Templates in ERB: bounds, what is loaded, what is kept, and texts taken apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headwater.ask import Request, compile_request
from headwater.ask.blame import blame
from headwater.ask.document import why_document
from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.text import Source


def compiled(code: str, **inputs: Any) -> Outcome:  # noqa: ANN401
    job = Job((Source.of_text("site.pp", code),), Fields(**inputs))
    return language_named("puppet").compile(job)


@pytest.mark.parametrize("template", ["<% loop { } %>", "<% (10**9).times { |i| i } %>",
                                      "<% x = [1]; while true; x = [x]; end %>"])  # fmt: skip
def test_what_a_template_does_counts_as_evaluations(template: str) -> None:
    code = f"notify {{ 'a': message => inline_template('{template}') }}"
    outcome = compiled(code, max_steps=50_000)

    assert [error.code for error in outcome.errors] == ["puppet-too-many-steps"]


def test_a_bound_of_ruby_is_not_rescued() -> None:
    template = '<%= begin; "a" * 10**12; rescue StandardError, Exception; 1; end %>'
    outcome = compiled(f"notify {{ 'a': message => inline_template('{template}') }}")

    assert [error.code for error in outcome.errors] == ["puppet-ruby-bound"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A manifest with templates in both languages."""
    templates = tmp_path / "modules/m/templates"
    templates.mkdir(parents=True)
    (templates / "a.erb").write_text(
        "# <%= @title %>\n<% @servers.each do |s| -%>\nserver <%= s %>\n<% end -%>\n"
        "all <%= @servers.join(' ') %>\n<%= scope.function_template(['m/inner.erb']) %>"
    )
    (templates / "inner.erb").write_text("inner <%= @h['k'] %>\nend\n")
    (templates / "a.epp").write_text(
        "<%- | $servers | -%>\nfirst\n<% $servers.each |$s| { -%>\nserver <%= $s %>\n<% } -%>\n"
    )
    path = tmp_path / "site.pp"
    path.write_text(
        "class c ($servers = ['one', 'two'], $h = { 'k' => 'vee' }) {\n"
        "  $text = template('m/a.erb')\n"
        "  file { '/a': content => $text }\n"
        "  file { '/b': content => epp('m/a.epp', { 'servers' => $servers }) }\n"
        "}\n"
        "include c\n"
    )
    return path


def lines_of(site: Path, value: str) -> list[tuple[str, str | None, list[str]]]:
    """The lines of a text: what is told of the template, and of each value in it."""
    inputs = {"modulepath": str(site.parent / "modules")}
    request = compile_request(Request(files=(str(site),), inputs=inputs))
    (answer,) = blame(request, value)
    found: list[tuple[str, str | None, list[str]]] = []
    for line in answer.as_json()["lines"]:
        origins = []
        for one in line["inserted"]:
            places = [one["where"]] if one["where"] else one["from"]
            told = " ".join(place["text"] for place in places)
            origins.append(f"{line['text'][one['start'] : one['end']]}: {told}")
        template = line["template"]
        place = f"{os.path.basename(template['file'])}:{template['line']}"
        found.append((line["text"], place, origins))
    return found


def test_each_line_of_a_text_leads_to_the_template_and_to_the_values_in_it(site: Path) -> None:
    assert lines_of(site, "File[/a].content") == [
        ("# c", "a.erb:1", ["c: "]),
        ("server one", "a.erb:3", ["one: 'one'"]),
        ("server two", "a.erb:3", ["two: 'two'"]),
        ("all one two", "a.erb:5", ["one two: 'one' 'two'"]),
        ("inner vee", "inner.erb:1", ["vee: 'vee'"]),
        ("end", "inner.erb:2", []),
    ]
    assert lines_of(site, "File[/b].content") == [
        ("first", "a.epp:2", []),
        ("server one", "a.epp:4", ["one: 'one'"]),
        ("server two", "a.epp:4", ["two: 'two'"]),
    ]


def test_the_document_has_the_segments_of_a_text(site: Path) -> None:
    inputs = {"modulepath": str(site.parent / "modules")}
    document = why_document(compile_request(Request(files=(str(site),), inputs=inputs)))
    entry = document["values"]["File[/b].content"]
    text = "first\nserver one\nserver two\n"
    pieces = [
        (text[s["start"] : s["end"]], s["where"] and document["inputs"][s["where"]]["kind"])
        for s in entry["segments"]
    ]

    assert "".join(piece for piece, _ in pieces) == text
    assert ("one", "literal") in pieces
    assert ("server ", "literal") in pieces
    for segment in entry["segments"]:
        assert set(segment["depends"]) <= set(range(len(document["inputs"])))


PROGRAM = """
import sys
from headwater.cli.main import cli
cli(sys.argv[1:], standalone_mode=False)
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


def loaded(cache: Path, site: Path) -> set[str]:
    """The modules that a compilation has loaded when it is done."""
    words = ["compile", str(site), "--modulepath", str(site.parent / "modules")]
    environment = {**os.environ, "HEADWATER_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return set(done.stderr.splitlines())


def test_ruby_is_loaded_where_there_is_some_and_its_parser_for_new_texts(
    site: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    assert "tree_sitter" in loaded(cache, site)
    again = loaded(cache, site)
    assert "tree_sitter" not in again
    assert "headwater.langs.puppet.ruby.machine" in again
    site.write_text("notify { 'a': }\n")
    assert not any(".puppet.ruby." in name for name in loaded(cache, site))


def test_data_that_ruby_changes_are_as_they_were_in_the_next_compilation(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/common.yaml").write_text("---\nc::list: [1, {'a': [2]}]\n")
    (tmp_path / "hiera.yaml").write_text(
        "---\nversion: 5\nhierarchy: [{name: c, path: common.yaml}]\n"
    )
    change = "inline_template('<% @l << 9; @l[1][\"a\"] << 8 %>')"
    code = f"$l = lookup('c::list') $x = {change} notify {{ 'a': message => $l }}"
    answers = []
    for _ in range(2):
        outcome = compiled(code, hiera=str(tmp_path / "hiera.yaml"))
        assert outcome.result is not None
        plain: Any = outcome.result.plain()
        answers.append(plain["resources"][-1]["parameters"]["message"])

    assert answers == [[1, {"a": [2, 8]}, 9]] * 2, json.dumps(answers)


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ('<% @l << @l %>', "puppet-ruby-beyond"),
        ('<% @l << {1 => @l} %>', "puppet-ruby-beyond"),
        ('<% x = []; x << [x]; scope.call_function("flatten", [x]) %>', "puppet-ruby-beyond"),
        ('<% x = []; 2000.times { x = [x] }; @l << x %>', "puppet-ruby-bound"),
        ('<% x = []; 60.times { x = [x, x] }; @l << x %>', "puppet-ruby-bound"),
    ],
)  # fmt: skip
def test_what_holds_itself_or_is_deep_does_not_come_out_of_ruby(template: str, code: str) -> None:
    outcome = compiled(f"$l = [1] notify {{ 'a': message => [inline_template('{template}'), $l] }}")

    assert [error.code for error in outcome.errors] == [code]


def test_a_value_that_a_template_puts_into_itself_is_refused() -> None:
    text = "<% @h['new'] = @h -%><%= scope['h'].inspect %> <%= scope['h']['new'].size %>"
    code = f'$h = {{ "a" => 1 }}\nnotify {{ "r": message => inline_template("{text}") }}\n'
    job = Job((Source.of_text("site.pp", code),), Fields())
    outcome = language_named("puppet").compile(job)

    assert "holds itself" in outcome.errors[0].message
