"""What modules are and have is kept between the jobs of a stream, and looked at again for each."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.jobs import Unchanging, answer_line, run_jobs

TREE = {
    "manifests/site.pp": """\
include m
notify { 'new': message => m::new('x') }
notify { 'old': message => old('x') }
notify { 'own': message => m::own('x') }
notify { 'alias': message => 'x' =~ M::Short }
notify { 'known': message => defined('m::late') }
notify { 'template': message => template('m/t.erb') }
thing { 'a/b': }
""",
    "modules/m/manifests/init.pp": "class m { }\n",
    "modules/m/metadata.json": json.dumps(
        {
            "name": "a-m",
            "version": "1.0.0",
            "author": "a",
            "source": "s",
            "license": "l",
            "dependencies": [],
        }
    ),
    "modules/m/types/short.pp": "type M::Short = String[1, 1]\n",
    "modules/m/functions/own.pp": 'function m::own($x) { "own ${x}" }\n',
    "modules/m/templates/t.erb": "text",
    "modules/m/lib/puppet/functions/m/new.rb": """\
require 'puppet_x/m/say'
Puppet::Functions.create_function(:'m::new') do
  dispatch(:say) { param 'String', :x }
  def say(x)
    PuppetX::M.say(x)
  end
end
""",
    "modules/m/lib/puppet_x/m/say.rb": """\
module PuppetX
  module M
    def self.say(x)
      "new #{x}"
    end
  end
end
""",
    "modules/m/lib/puppet/parser/functions/old.rb": """\
module Puppet::Parser::Functions
  newfunction(:old, type: :rvalue) { |args| "old #{args[0]}" }
end
""",
    "modules/m/lib/puppet/type/thing.rb": """\
Puppet::Type.newtype(:thing) do
  newparam(:name) { isnamevar }
  newparam(:where) { }
  def self.title_patterns
    [[%r{^(.*)$}, [[:name]]]]
  end
end
""",
}
PATTERNS = "[[%r{^(.*)$}, [[:name]]]]"


class Tree:
    """An environment on disk; each change of it is some seconds after the one before."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self._now = 1_700_000_000
        for path, text in TREE.items():
            self.write(path, text)
        self.settle()

    def write(self, path: str, text: str) -> None:
        (self.at / path).parent.mkdir(parents=True, exist_ok=True)
        (self.at / path).write_text(text)

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.at / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))
        self.age(path)

    def age(self, path: str) -> None:
        """Gives a file a time of change that is past, and no other's."""
        self._now += 10
        os.utime(self.at / path, (self._now, self._now))

    def settle(self) -> None:
        """Makes every file and folder one that has not changed for long."""
        for folder, _, files in os.walk(self.at):
            for one in (*files, "."):
                self.age(str(Path(folder, one).relative_to(self.at)))

    def job(self, **more: object) -> bytes:
        """A job that compiles the environment."""
        return json.dumps({"lang": "puppet", "env": str(self.at), **more}).encode()

    def compiled(self) -> dict[str, Any]:
        """The parameters of all resources that the site declares, or the error."""
        return declared(answer_line(self.job()))


def declared(line: bytes) -> dict[str, Any]:
    """The parameters of the resources of an answer, or the error."""
    answer = json.loads(line)
    if not answer["ok"]:
        return {"error": answer["error"]["code"]}
    return {
        f"{one['type']}[{one['title']}]": one.get("parameters", {})
        for one in answer["result"]["resources"]
        if one["type"] in ("Notify", "Thing")
    }


def message(tree: Tree, title: str) -> object:
    return tree.compiled()[f"Notify[{title}]"]["message"]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    found = Tree(tmp_path / "e")
    first = found.compiled()
    assert first["Notify[new]"] == {"message": "new x"}, first
    assert first["Thing[a/b]"] == {}
    assert found.compiled() == first
    return found


@pytest.mark.parametrize(
    ("path", "old", "new", "title"),
    [
        ("manifests/site.pp", "m::own('x')", "m::own('y')", "own"),
        ("modules/m/lib/puppet_x/m/say.rb", "new #", "now #", "new"),
        ("modules/m/lib/puppet/functions/m/new.rb", ".say(x)", ".to_s()", "new"),
        ("modules/m/lib/puppet/parser/functions/old.rb", "old #", "Old #", "old"),
        ("modules/m/functions/own.pp", "own $", "Own $", "own"),
        ("modules/m/types/short.pp", "1, 1", "2, 2", "alias"),
        ("modules/m/templates/t.erb", "text", "Text", "template"),
        ("modules/m/lib/puppet/type/thing.rb", "[[:name]]", "[[:nome]]", None),
        ("modules/m/metadata.json", "source", "Source", "own"),
        ("hiera.yaml", "one.yaml", "two.yaml", "found"),
        ("data/one.yaml", "k: one", "k: uno", "found"),
    ],
)
def test_a_file_that_changes_and_keeps_its_size_and_time(
    tree: Tree, path: str, old: str, new: str, title: str | None
) -> None:
    """As with ``cp -p``, an archive that is unpacked, or a checkout that sets times."""
    tree.write("hiera.yaml", "version: 5\nhierarchy: [{name: a, path: one.yaml}]\n")
    tree.write("data/one.yaml", "k: one\n")
    tree.write("data/two.yaml", "k: two\n")
    site = (tree.at / "manifests/site.pp").read_text()
    tree.write("manifests/site.pp", site + "notify { 'found': message => lookup('k') }\n")
    tree.settle()
    before = tree.compiled()
    assert before["Notify[found]"] == {"message": "one"}
    time.sleep(0.05)  # a file's own time of change goes by ticks of the system
    text = (tree.at / path).read_text()
    assert old in text
    assert len(old) == len(new)
    about = (tree.at / path).stat()
    tree.write(path, text.replace(old, new))
    os.utime(tree.at / path, ns=(about.st_atime_ns, about.st_mtime_ns))
    after = tree.compiled()
    assert after != before
    if title is not None and "error" not in after:
        assert after[f"Notify[{title}]"] != before[f"Notify[{title}]"]


@pytest.mark.parametrize(
    ("path", "old", "new", "title", "wanted"),
    [
        ("modules/m/lib/puppet_x/m/say.rb", "new #", "now #", "new", "now x"),
        ("modules/m/lib/puppet/functions/m/new.rb", ".say(x)", ".say(x) + '!'", "new", "new x!"),
        ("modules/m/lib/puppet/parser/functions/old.rb", "old #", "ago #", "old", "ago x"),
        ("modules/m/functions/own.pp", "own $", "now $", "own", "now x"),
        ("modules/m/types/short.pp", "1, 1", "2, 2", "alias", False),
        ("modules/m/templates/t.erb", "text", "other", "template", "other"),
    ],
)
def test_a_file_that_changes(
    tree: Tree, path: str, old: str, new: str, title: str, wanted: object
) -> None:
    before = message(tree, title)
    tree.change(path, old, new)
    assert message(tree, title) == wanted
    tree.change(path, new, old)
    assert message(tree, title) == before


def test_a_type_that_changes(tree: Tree) -> None:
    both = "[[%r{^(.*)/(.*)$}, [[:where], [:name]]]]"
    tree.change("modules/m/lib/puppet/type/thing.rb", PATTERNS, both)
    assert tree.compiled()["Thing[a/b]"] == {"where": "a", "name": "b"}


@pytest.mark.parametrize(
    "path",
    [
        "modules/m/lib/puppet_x/m/say.rb", "modules/m/lib/puppet/functions/m/new.rb",
        "modules/m/lib/puppet/parser/functions/old.rb", "modules/m/lib/puppet/type/thing.rb",
        "modules/m/functions/own.pp", "modules/m/types/short.pp", "modules/m/templates/t.erb",
        "modules/m/manifests/init.pp",
    ],
)  # fmt: skip
def test_a_file_that_goes_and_comes_back(tree: Tree, path: str) -> None:
    before, file = tree.compiled(), tree.at / path
    file.rename(tree.at / "aside")
    assert "error" in tree.compiled()
    (tree.at / "aside").rename(file)
    assert tree.compiled() == before


def test_metadata_without_which_a_module_is_not_used(tree: Tree) -> None:
    tree.change("modules/m/metadata.json", '"source"', '"nought"')
    assert tree.compiled() == {"error": "puppet-unknown-class"}
    tree.change("modules/m/metadata.json", '"nought"', '"source"')
    assert message(tree, "own") == "own x"


def test_a_class_that_comes(tree: Tree) -> None:
    assert message(tree, "known") is False
    tree.write("modules/m/manifests/late.pp", "class m::late { }\n")
    assert message(tree, "known") is True


def test_a_module_that_hides_another(tree: Tree) -> None:
    tree.write("environment.conf", "modulepath = first:modules\n")
    assert message(tree, "old") == "old x"
    shutil.copytree(tree.at / "modules" / "m", tree.at / "first" / "m")
    tree.change("first/m/lib/puppet/parser/functions/old.rb", "old #", "first #")
    tree.change("first/m/types/short.pp", "1, 1", "2, 2")
    assert message(tree, "old") == "first x"
    assert message(tree, "alias") is False
    shutil.rmtree(tree.at / "first")
    assert message(tree, "old") == "old x"
    assert message(tree, "alias") is True


def test_a_function_in_puppet_that_hides_one_in_ruby(tree: Tree) -> None:
    tree.write("functions/old.pp", "function environment::old($x) { 'e' }\n")
    tree.write("lib/puppet/functions/old.rb", """\
Puppet::Functions.create_function(:old) do
  def old(x)
    "newer #{x}"
  end
end
""")  # fmt: skip
    assert message(tree, "old") == "newer x"
    (tree.at / "lib/puppet/functions/old.rb").unlink()
    assert message(tree, "old") == "old x"


def test_a_link_that_leads_elsewhere(tree: Tree) -> None:
    (tree.at / "modules").rename(tree.at / "one")
    shutil.copytree(tree.at / "one", tree.at / "two")
    tree.change("two/m/templates/t.erb", "text", "other")
    (tree.at / "modules").symlink_to("one")
    assert message(tree, "template") == "text"
    (tree.at / "modules").unlink()
    (tree.at / "modules").symlink_to("two")
    assert message(tree, "template") == "other"


def test_files_that_are_promised_not_to_change_are_looked_at_once(tree: Tree) -> None:
    def changing() -> Iterator[bytes]:
        yield tree.job()
        tree.change("modules/m/templates/t.erb", "text", "other")
        tree.write("modules/m/manifests/late.pp", "class m::late { }\n")
        yield tree.job()
        yield tree.job(confined=True)  # may reach less, and so shares nothing with the others

    def answers(unchanging: Unchanging | None) -> list[object]:
        lines: list[bytes] = []
        run_jobs(changing(), lines.append, unchanging=unchanging)
        tree.change("modules/m/templates/t.erb", "other", "text")
        (tree.at / "modules/m/manifests/late.pp").unlink()
        found = [declared(line) for line in lines]
        names = ("Notify[template]", "Notify[known]")
        return [tuple(one[name]["message"] for name in names) for one in found]

    assert answers(Unchanging()) == [("text", False), ("text", False), ("other", True)]
    assert answers(None) == [("text", False), ("other", True), ("other", True)]
