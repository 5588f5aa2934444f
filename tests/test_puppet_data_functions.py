"""Functions of data written in Ruby: what their values depend on, and what is said of mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli

BODY = """\
    data = context.cached_file_data(options['path']) { |content| YAML.safe_load(content) }
    return context.not_found unless data.key?(key)
    "#{data[key]} on #{closure_scope['facts']['kernel']} #{call_function('lookup', 'low')}"
"""
FUNCTION = """\
Puppet::Functions.create_function(:'m::find') do
  dispatch :find do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def find(key, options, context)
BODY
  end
  def unused
    1
  end
end
"""


def site(folder: Path, body: str = BODY) -> Path:
    """An environment whose first level is served by a function in Ruby."""
    files = {
        "manifests/site.pp": "notify { 'a': message => lookup('k') }\n",
        "modules/m/lib/puppet/functions/m/find.rb": FUNCTION.replace("BODY", body.rstrip()),
        "hiera.yaml": "version: 5\nhierarchy:\n"
        "  - {name: found, lookup_key: m::find, path: own.yaml}\n"
        "  - {name: common, path: common.yaml}\n",
        "data/own.yaml": "k: here\n",
        "data/common.yaml": "low: down\nk: never\n",
        "facts.json": '{"kernel": "Linux"}',
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def headwater(*args: str, code: int = 0) -> str:
    """What a command says."""
    done = CliRunner().invoke(cli, list(args))
    assert done.exit_code == code, done.output
    return done.output


def depends(folder: Path) -> dict[str, Any]:
    """What the value looked up depends on, by file and line."""
    told = json.loads(
        headwater(
            "explain", str(folder), "Notify[a].message", "--facts", str(folder / "facts.json"),
            "--format", "json",
        )
    )  # fmt: skip
    assert told["value"] == "here on Linux down"
    return {
        f"{Path(one['file']).name}:{one['line']}": one["kind"] for one in told["depends"]
    }  # fmt: skip


def test_what_a_function_in_ruby_reads_are_causes(tmp_path: Path) -> None:
    found = depends(site(tmp_path))

    assert found["own.yaml:1"] == "file"
    assert found["common.yaml:1"] == "hiera"
    assert found["facts.json:1"] == "fact"
    assert found["find.rb:7"] == "file"
    assert "find.rb:12" not in found, "a method that did not run"


def test_impact_of_a_file_that_ruby_read(tmp_path: Path) -> None:
    place = site(tmp_path)
    told = headwater("impact", f"{place}/data/own.yaml:1", "--of", str(place))

    assert "Notify[a].message" in told


def test_lookup_shows_the_function(tmp_path: Path) -> None:
    told = headwater(
        "lookup", "k", "--env", str(site(tmp_path)), "--facts", str(tmp_path / "facts.json")
    )

    assert '"here on Linux down"' in told
    assert "find.rb:1:19" in told
    assert "common.yaml:2:1" in told


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("    raise 'no'", "puppet-ruby-error", 8),
        ("    File.read('/etc/passwd')", "puppet-ruby-beyond", 8),
        ("    x = (1 +", "puppet-ruby-syntax", 1),
        ("    :symbol", "puppet-lookup-failed", 1),
        ("    while true; end", "puppet-too-many-steps", None),
    ],
)
def test_mistakes_are_told_in_ruby(body: str, code: str, line: int | None, tmp_path: Path) -> None:
    body = f"    return context.not_found if key == 'lookup_options'; {body.strip()}"
    done = CliRunner().invoke(
        cli,
        ["compile", str(site(tmp_path, body)), "--max-steps", "100000", "--diagnostics", "json"],
    )
    told = json.loads(done.stderr)["diagnostics"]
    error = next(one for one in told if one["severity"] == "error")

    assert error["code"] == code, error
    if line is not None:
        assert Path(error["file"]).name == "find.rb"
        assert error["line"] >= line


def test_what_is_beyond_the_evaluator_may_be_unknown(tmp_path: Path) -> None:
    place = site(tmp_path, "    File.read('/etc/passwd')")

    assert "puppet-opaque-value" in headwater("compile", str(place), "--on-unknown", "opaque")


def test_a_function_and_a_level_may_read_the_same_file(tmp_path: Path) -> None:
    """Each keeps what it made of it: the level its data, the function what its block gave."""
    site(tmp_path)
    function = """function m::data($options, $context) {
      $text = $context.cached_file_data($options['path'])
      $made = { 'k' => $text }
      $made
    }
    """
    (tmp_path / "modules/m/functions").mkdir(parents=True)
    (tmp_path / "modules/m/functions/data.pp").write_text(function)
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n"
        "  - {name: plain, path: own.yaml}\n"
        "  - {name: made, data_hash: m::data, path: own.yaml}\n"
    )
    (tmp_path / "data/own.yaml").write_text("other: 1\n")
    found = headwater("lookup", "k", "--env", str(tmp_path))

    assert "other: 1" in found
