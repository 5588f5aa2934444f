"""Ruby reads the files of modules, which its results depend on, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.text import Source
from headwater.why import depends

FUNCTION = """\
require 'yaml'
Puppet::Functions.create_function(:'m::f') do
  dispatch :f do
    param 'String', :path
  end
  def f(path)
    path = File.expand_path(path, File.join(__dir__, '../../../../files'))
    return 'none' unless File.exist?(path)
    path.end_with?('.yaml') ? YAML.load_file(path) : File.readlines(path, chomp: true)
  end
end
"""


def compiled(folder: Path, path: str) -> Outcome:
    """A program that reads a file by a function in Ruby."""
    module = folder / "modules" / "m"
    (module / "lib/puppet/functions/m").mkdir(parents=True)
    (module / "files").mkdir()
    (module / "lib/puppet/functions/m/f.rb").write_text(FUNCTION)
    (module / "files/a.txt").write_text("one\ntwo\n")
    (module / "files/a.yaml").write_text("a: [1, x]\n")
    (folder / "outside").write_text("secret")
    (module / "files/link").symlink_to(folder / "outside")
    source = Source.of_text("a.pp", f"notify {{ 'a': message => m::f('{path}') }}\n")
    fields = Fields(modulepath=str(folder / "modules"))
    return language_named("puppet").compile(Job((source,), fields))


@pytest.mark.parametrize(
    ("path", "value"), [("a.txt", ["one", "two"]), ("a.yaml", {"a": [1, "x"]}), ("no", "none")]
)
def test_a_modules_own_files_are_read_and_the_value_depends_on_them(
    tmp_path: Path, path: str, value: object
) -> None:
    outcome = compiled(tmp_path, path)
    assert outcome.result is not None
    catalog: Any = outcome.result.plain()
    assert catalog["resources"][-1]["parameters"]["message"] == value
    assert outcome.causes is not None
    node = outcome.causes.of(("Notify[a]", "message"))
    named = {one.at.source.name for one in depends(outcome.causes.trace, node)}
    assert str(tmp_path / "modules/m/files" / path) in named


@pytest.mark.parametrize("path", ["link", "../../../outside", "/etc/passwd"])
def test_no_other_files_are_read(tmp_path: Path, path: str) -> None:
    outcome = compiled(tmp_path, path)
    assert [one.code for one in outcome.errors] == ["puppet-ruby-beyond"]
