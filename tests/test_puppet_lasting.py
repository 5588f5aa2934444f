"""Functions in Ruby that outlast a job, and what they gave: every job is answered as the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.jobs import answer_line

FUNCTIONS = {
    "pure": "def pure(a, b = nil)\n    [a, [b, 'own']]\n  end",
    "same": "def same(a)\n    a\n  end",
    "merged": "def merged(*h)\n    r = {}\n    h.each { |one| r.merge!(one) }\n    r\n  end",
    "push": "def push(a)\n    a << 'more'\n    a.size\n  end",
    "counts": "def counts\n    @@n = (defined?(@@n) ? @@n : 0) + 1\n  end",
    "keeps": "def keeps\n    @n = (@n || 0) + 1\n  end",
    "writes": "def writes\n    c = self.class\n    n = c.instance_variable_get(:@n) || 0\n"
    "    c.instance_variable_set(:@n, n + 1)\n    n\n  end",
    "changes": "def changes\n    self.class.send(:define_method, :other) { 'new' }\n"
    "    other\n  end\n  def other\n    'old'\n  end",
    "asks": "def asks\n    closure_scope['where']\n  end",
    "calls": "def calls(a)\n    call_function('m::pure', a)\n  end",
    "two": "def two(a)\n    inner(a) + 1\n  end\n"
    "  def inner(a)\n    a.tr('x', 'z')\n    a.size\n  end",
}
OLD = {
    "left": "$1.to_s + (args[0] =~ /(.)/).to_s",
    "global": "$n = ($n || 0) + 1",
    "picks": "args.delete('')\n    args[0]",
    "has": "args[0].key?(args[1])",
    "nested": "x = [args[0]]\n    [x, x]",
    "spoils": "args[0]['a'] << 'b'\n    args[0]",
    "seen": "lookupvar('where')",
}
PROGRAM = """\
$where = '%s'
$list = ['a', ['b']]
$hash = { 'a' => 'x', 'b' => { 'c' => $list } }
$got = [
  m::pure('x'), m::pure('x', 1), m::pure('x', true), m::pure('x', '1'), m::pure($list),
  m::same($list), m::same($hash), m::merged($hash, { 'd' => $list }), m::merged($hash),
  m::counts(), m::counts(), m::keeps(), m::keeps(), m::writes(), m::writes(), m::changes(),
  m::asks(), m::calls('x'), m::two('xy'),
  left('x'), left('y'), global(), global(), picks('', 'p'), picks($hash), has($hash, 'a'),
  has($hash, 'z'), nested('n'), spoils($hash), seen(),
]
$merged = m::merged($hash, { 'd' => 1 })
$same = m::same($merged['b']['c'])
$pushed = m::push($same)
notify { 'got': message => $got }
notify { 'list': message => [$list, $hash, $merged, $pushed, picks('', 'p', 'q')] }
notify { 'text': message => "<${picks('', 'p')}>" }
file { '/t': content => picks(template('m/t.erb'), 'x') }
"""


@pytest.fixture
def env(tmp_path: Path) -> Path:
    lib = tmp_path / "modules" / "m" / "lib" / "puppet"
    for name, body in FUNCTIONS.items():
        path = lib / "functions" / "m" / f"{name}.rb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Puppet::Functions.create_function(:'m::{name}') do\n  {body}\nend\n")
    for name, body in OLD.items():
        path = lib / "parser" / "functions" / f"{name}.rb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "module Puppet::Parser::Functions\n"
            f"  newfunction(:{name}, type: :rvalue) do |args|\n    {body}\n  end\nend\n"
        )
    templates = tmp_path / "modules" / "m" / "templates"
    templates.mkdir()
    (templates / "t.erb").write_text("at <%= @where %>")
    (tmp_path / "manifests").mkdir()
    return tmp_path


def answer(env: Path, where: str = "here", **more: object) -> dict[str, Any]:
    site = env / "manifests" / "site.pp"
    site.write_text(PROGRAM % where)
    job = {"files": [str(site)], "lang": "puppet", "env": str(env), "node": "n", "facts": {}}
    found: dict[str, Any] = json.loads(answer_line(json.dumps({**job, **more}).encode()))
    assert found["ok"], found
    found.pop("ms")
    return found


def test_every_job_is_answered_as_the_first(env: Path) -> None:
    first = answer(env, why=True)
    for _ in range(3):
        assert answer(env, why=True) == first


def test_what_is_remembered_hangs_on_nothing_else(env: Path) -> None:
    for _ in range(2):
        answer(env)
    assert "at there" in json.dumps(answer(env, "there"))
    path = env / "modules" / "m" / "lib" / "puppet" / "functions" / "m" / "pure.rb"
    path.write_text(path.read_text().replace("'own'", "'other'"))
    found = json.dumps(answer(env))
    assert '"other"' in found
    assert '"own"' not in found


def test_a_bound_on_steps_is_reached_alike(env: Path) -> None:
    """What is remembered costs what it cost."""
    site = env / "manifests" / "site.pp"
    site.write_text("Integer[1, 200].each |$n| { m::merged({ 'a' => $n }, { 'b' => 'c' }) }\n")
    job = {"files": [str(site)], "lang": "puppet", "env": str(env), "node": "n", "facts": {}}

    def ok(most: int) -> bool:
        line = json.dumps({**job, "max_steps": most}).encode()
        return bool(json.loads(answer_line(line))["ok"])

    limits = [*range(1_000, 40_000, 1_000)]
    first = [ok(most) for most in limits]
    assert True in first
    assert False in first
    assert [ok(most) for most in limits] == first
