"""The names of Ruby's methods: each is evaluated, or refused with a reason, or Ruby has it not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headwater.langs.puppet.engine import ruby_titles
from headwater.langs.puppet.ruby import classes, methods
from headwater.langs.puppet.ruby.values import Class

assert methods.__all__
assert ruby_titles.__doc__  # everything that Ruby can meet is loaded with it
HERE = Path(__file__).parent
NAMES = HERE / "ruby_names.json"
"""The names that Ruby 3.1 gave."""
HAS_RUBY = shutil.which("ruby") is not None
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
SCRIPT = """
require 'json'
%w[base64 cgi date digest erb ipaddr openssl securerandom set shellwords time uri zlib].each do |n|
  require n
end
require 'yaml'
puts(JSON.generate(ARGV.to_h do |name|
  cls = Object.const_get(name)
  private_ = name == 'Kernel' ? cls.private_instance_methods(false) : []
  [name, [(cls.public_instance_methods(false) + private_).sort, cls.singleton_methods(false).sort]]
end))
"""
OURS = ("Puppet", "SemanticPuppet", "Gem", "PSON", "ENV", "Hiera", "Facter")
INNER = {
    "Kernel": {"initialize_clone", "initialize_copy", "initialize_dup", "respond_to_missing?"},
    "IO": None, "File": None, "Dir": None, "Thread": None, "Complex": None, "TracePoint": None,
    "Binding": None, "Socket": None, "CGI": None,
}  # fmt: skip
"""What only Ruby itself calls; None: there are no objects of the class here."""


def known_classes() -> list[str]:
    """The classes of Ruby that are known here."""
    return [name for name in classes.BUILTIN if not name.startswith(OURS)]


def names() -> dict[str, list[list[str]]]:
    """What Ruby says now, or said once."""
    if not HAS_RUBY:
        found: dict[str, list[list[str]]] = json.loads(NAMES.read_text(encoding="utf-8"))
        return found
    done = subprocess.run(
        ["ruby", "-W0", "--disable=did_you_mean", "--disable=error_highlight", "-e", SCRIPT,
         *known_classes()],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    found = json.loads(done.stdout)
    if UPDATE:
        rows = [f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in sorted(found.items())]
        NAMES.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    return found


@pytest.mark.peer
def test_no_method_of_ruby_is_unknown_here() -> None:
    missing: dict[str, list[str]] = {}
    for name, (own, singleton) in names().items():
        cls: Class = classes.BUILTIN[name]
        skipped = INNER.get(name, set())
        meta = classes.MODULE if cls.is_module else classes.CLASS
        lost = [] if skipped is None else [
            one for one in own if one not in skipped and cls.find(one) is None
        ]  # fmt: skip
        lost += [f"self.{o}" for o in singleton if not (cls.find_own(o) or meta.find(o))]
        if lost:
            missing[name] = lost
    assert missing == {}


@pytest.mark.peer
def test_no_method_is_known_here_that_ruby_has_not() -> None:
    """A method too much would answer where a program expects NoMethodError.

    ``_`` and ``n_``, which translate messages, are Puppet's; ``Pathname`` is its library's.
    """
    everything = {one for own, singleton in names().values() for one in [*own, *singleton]}
    inner = {"initialize", "initialize_copy", "()", "remove_const", "module_function", "refine",
             "private", "public", "protected", "inherited", "included", "extended", "prepended",
             "method_added",
             "using", "_", "n_", "Pathname"}  # fmt: skip
    found = {
        f"{name}#{one}"
        for name in known_classes()
        for one, entry in classes.BUILTIN[name].methods.items()
        if entry is not None and one not in everything | inner
    }
    assert found == set()
