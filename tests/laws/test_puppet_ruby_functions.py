"""D1 through functions in Ruby: with changed literals of their bodies, and of what they are given.

An output that depends on none of the changed pieces does not change.  A piece of Ruby is a method
that ran, or anything that is in no method: a literal belongs to the pieces around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.reader import read
from laws.profile import examples
from laws.puppet_edits import (
    First,
    Place,
    compiled,
    edited,
    first_run,
    literals,
    missed,
    other_text,
    outputs,
)

MANIFEST = """
$top = 'seen'
class c ($p = 'x', $on = true) {
  $chosen = first_of(undef, $p)
  notify { 'chosen': message => $chosen }
  notify { 'sized': message => m::sized($p, 2) }
  notify { 'looked': message => m::looked() }
  if m::wanted($on, 'yes') { notify { 'wanted': } }
  declare_all({ 'one' => { 'message' => $p }, 'two' => {} }, 'mine')
  m::at_top("t-${p}")
  if is_there('Notify[one]', $p) { notify { 'there': } }
  notify { 'lambda': message => m::each_of(['a', 'b']) |$v| { "${v}${chosen}" } }
  notify { 'rescued': message => m::rescued($p) }
}
class { 'c': p => 'given' }
$template = '<%= scope.call_function("m::sized", ["q", 1]) %>'
notify { 'rendered': message => inline_template($template) }
"""

FILES = {
    "parser/functions/first_of.rb": """
module Puppet::Parser::Functions
  newfunction(:first_of, type: :rvalue, arity: -2) do |args|
    args.reject { |x| x == '' }.first || 'nothing'
  end
end
""",
    "parser/functions/declare_all.rb": """
module Puppet::Parser::Functions
  newfunction(:declare_all) do |args|
    args[0].each do |title, given|
      defaults = { 'message' => 'default', 'tag' => args[1] }
      function_create_resources(['notify', { title => defaults.merge(given) }])
    end
  end
end
""",
    "parser/functions/is_there.rb": """
module Puppet::Parser::Functions
  newfunction(:is_there, type: :rvalue) do |args|
    found = findresource(args[0])
    found && found['message'] == args[1] && lookupvar('p') != 'nobody'
  end
end
""",
    "functions/m/sized.rb": """
require_relative '../../../puppet_x/units'
Puppet::Functions.create_function(:'m::sized') do
  dispatch :sized do
    param 'String', :name
    param 'Integer[1, 9]', :size
  end

  def sized(name, size)
    "#{name} #{twice(size)} #{M_UNITS.fetch(size, 'none')}"
  end

  def twice(number)
    number * 2
  end

  def never(number)
    number * 77
  end
end
""",
    "functions/m/looked.rb": """
Puppet::Functions.create_function(:'m::looked') do
  def looked
    closure_scope['top'] == 'seen' ? call_function('m::sized', 'x', 3) : 'blind'
  end
end
""",
    "functions/m/wanted.rb": """
Puppet::Functions.create_function(:'m::wanted') do
  def wanted(on, word)
    on && %w[yes y].include?(word)
  end
end
""",
    "functions/m/at_top.rb": """
Puppet::Functions.create_function(:'m::at_top') do
  def at_top(title)
    call_function('create_resources', 'notify', { title => { 'message' => 'made' } })
  end
end
""",
    "functions/m/each_of.rb": """
Puppet::Functions.create_function(:'m::each_of') do
  dispatch :each_of do
    param 'Array', :items
    block_param 'Callable[1, 1]', :block
  end

  def each_of(items)
    items.map { |item| yield(item) + '.' }.join(' ')
  end
end
""",
    "functions/m/rescued.rb": """
Puppet::Functions.create_function(:'m::rescued') do
  def rescued(value)
    raise Puppet::ParseError, "no #{value}" if value != 'fine'
    'fine'
  rescue Puppet::ParseError => e
    "rescued #{e.message}"
  end
end
""",
    "../puppet_x/units.rb": """
M_UNITS = { 1 => 'kB', 2 => 'MB', 3 => 'GB' }.freeze
""",
}


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    """The files of a module."""
    for name, text in files.items():
        path = place_of(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def place_of(folder: Path, name: str) -> Path:
    base = folder / "m" / "lib" / "puppet"
    return base.parent / name[3:] if name.startswith("../") else base / name


def ruby_literals(text: str) -> Iterator[tuple[int, int]]:
    """The places of strings and numbers in a text of Ruby; what is required stays as it is."""
    todo: list[Any] = [read(text).body]
    while todo:
        node = todo.pop()
        if isinstance(node, s.Str | s.Integer):
            yield node.at, node.end
        if isinstance(node, s.Call) and node.name.startswith("require"):
            continue
        if isinstance(node, s.Node):
            todo.extend(getattr(node, name) for name in node.__struct_fields__)
        elif isinstance(node, list):
            todo.extend(node)


def covering(first: First, place: Place) -> set[Place]:
    """The labels around a place."""
    name, start, end = place
    every = {p for known in (*first.depends.values(), first.output) for p in known}
    return {p for p in every if p[0] == name and p[1] <= start and end <= p[2]} | {place}


def other_literal(random: Random, old: str) -> str:
    """Another literal of the same kind."""
    if old.isdigit():
        return random.choice([word for word in "1234" if word != old])
    inside = not old.startswith(("'", '"'))
    word = random.choice([w for w in ("given", "fine", "q", "one", "notify") if w not in old])
    return word if inside else f"'{word}'"


def test_d1_edits_of_functions(modules: Path) -> None:
    inputs = {"modulepath": str(modules)}
    first = first_run(MANIFEST, **inputs)
    assert first is not None, compiled(MANIFEST, **inputs).errors
    random, accepted, changed = Random(3), 0, 0

    for _ in range(examples(1, 20)):
        for name, text in FILES.items():
            for start, end in sorted(ruby_literals(text)):
                new = edited(text, {(start, end): other_literal(random, text[start:end])})
                write(modules, {name: new})
                after = compiled(MANIFEST, **inputs)
                accepted += after.result is not None
                path = str(place_of(modules, name))
                found = list(missed(first, after, covering(first, (path, start, end))))
                changed += after.result is not None and outputs(after) != first.outputs
                assert found == [], (name, text[start:end], new, found)
            write(modules, {name: text})
    assert accepted > 15
    assert changed > 10


def test_d1_edits_of_arguments(modules: Path) -> None:
    inputs = {"modulepath": str(modules)}
    first = first_run(MANIFEST, **inputs)
    assert first is not None
    random, accepted = Random(5), 0

    for _ in range(examples(1, 20)):
        for start, end, inside in literals(MANIFEST):
            new = other_text(random, MANIFEST[start:end], inside)
            after = compiled(edited(MANIFEST, {(start, end): new}), **inputs)
            accepted += after.result is not None
            found = list(missed(first, after, {("law.pp", start, end)}))
            assert found == [], (MANIFEST[start:end], new, found)
    assert accepted > 15


def test_a_method_that_did_not_run_is_no_cause(modules: Path) -> None:
    first = first_run(MANIFEST, modulepath=str(modules))
    assert first is not None
    path = str(place_of(modules, "functions/m/sized.rb"))
    text = FILES["functions/m/sized.rb"]
    every = {place for known in first.depends.values() for place in known if place[0] == path}

    def among_causes(piece: str) -> bool:
        at = text.index(piece)
        return any(start <= at < end for _, start, end in every)

    assert among_causes("number * 2")
    assert not among_causes("number * 77")
