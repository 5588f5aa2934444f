"""One-sided dependency through templates: literals, facts and the text of templates are changed.

D1  an output that depends on none of the changed inputs does not change, where Ruby reads them
    and where it changes what it is given
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from laws.profile import examples
from laws.puppet_edits import (
    WORDS,
    compiled,
    edited,
    first_run,
    literals,
    missed,
    other_text,
)

PIECES = [
    "text <%= @NAME %>\n",
    "<% if @NAME %>yes <%= @OTHER %><% else %>no<% end %>\n",
    "<%- [@NAME].flatten.each do |x| -%>\n- <%= x %>\n<%- end -%>\n",
    "<%= scope['NAME'].inspect %> <%= scope['c::OTHER'].inspect %>\n",
    "<%= @h['NAME'] %> <%= @h.keys.join(',') %>\n",
    "<%= @facts['NAME'] %> <%= @facts['os']['family'] %>\n",
    "<%= has_variable?('NAME') %> <%= @undefined.inspect %>\n",
    "<% case @NAME when 's' then %>one<% when Integer then %>two<% else %>three<% end %>\n",
    "<% x = @NAME -%>\n<% x = [x, @OTHER] if @h['a'] -%>\n<%= x.inspect %>\n",
    "<%= scope.call_function('upcase', [@NAME.to_s]) %>\n",
    "<%= scope.function_template(['law/inner.erb']) %>\n",
    "<% [@list].flatten.each { |v| @list << v if v == @NAME } if @list.is_a?(Array) -%>\n",
    "<% @h.delete('NAME'); @h['new'] = @OTHER -%>\n",
    "<%= @list.inspect %> <%= @h.inspect %>\n",
]
NAMES = ("a", "b", "list", "h", "z")


def template(random: Random) -> str:
    """A template of a few pieces."""
    made = "".join(random.choices(PIECES, k=random.randint(1, 4)))
    for word in ("NAME", "OTHER"):
        while word in made:
            made = made.replace(word, random.choice(NAMES), 1)
    return made


def manifest(random: Random) -> str:
    """A manifest that renders the template in several ways."""

    def word() -> str:
        return random.choice(WORDS)

    given = random.choice(["", f", a => {word()}", f", list => [{word()}, {word()}]"])
    test = random.choice(["$a == 's'", "$facts['b']", "$z", "true"])
    return (
        f"$z = {word()}\n"
        f"class c ($a = {word()}, $b = $z, $list = [{word()}, 's'], $h = {{ 'a' => {word()}, "
        f"'b' => {word()} }}) {{\n"
        "  notify { 'before': message => [$list, $h] }\n"
        "  $text = template('law/main.erb')\n"
        f"  if {test} {{ notify {{ 'text': message => $text }} }}\n"
        "  notify { 'after': message => [$list, $h, $a] }\n"
        "  d { ['one', 'two']: a => $a, list => $list }\n"
        "}\n"
        f"define d ($a, $list, $h = {{ 'a' => {word()} }}) {{\n"
        "  notify { \"d ${title}\": message => template('law/main.erb') }\n"
        "}\n"
        f"class {{ 'c': b => {word()}{given} }}\n"
    )


def test_d1_templates_depend_on_what_they_read(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    folder = tmp_path / "law/templates"
    folder.mkdir(parents=True)
    (folder / "inner.erb").write_text("inner <%= @a %>")
    path = folder / "main.erb"
    tried = seed = 0
    while tried < examples(150, 20_000):
        random = Random(seed)
        seed += 1
        text = manifest(random)
        page = template(random)
        path.write_text(page)
        facts = {"b": random.choice([True, False, "s"]), "os": {"family": "Debian"}}
        inputs: dict[str, Any] = {"modulepath": str(tmp_path), "facts": facts, "node": "n1"}
        first = first_run(text, **inputs)
        if first is None:
            continue
        for start, end, inside in random.sample(known := literals(text), min(8, len(known))):
            edits = {(start, end): other_text(random, text[start:end], inside)}
            after = compiled(edited(text, edits), **inputs)
            tried += after.result is not None
            found = list(missed(first, after, {("law.pp", start, end)}))
            assert found == [], (seed, edits, found, text, page)
        path.write_text(page.replace("\n", " changed\n", 1))
        after = compiled(text, **inputs)
        tried += after.result is not None
        found = list(missed(first, after, {(str(path), 0, 0)}))
        assert found == [], (seed, found, json.dumps(page), text)
    record_property("examples", tried)
