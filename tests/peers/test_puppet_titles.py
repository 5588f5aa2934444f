"""Every type of Debian's modules: what its titles give, and what of it is checked while compiling,
is what Puppet says.

Puppet lists its types (puppet_module_types.rb) and says which title pattern fits which title.  What
it must accept is put into few programs, many types in each: titles that match each pattern, keys
set by hand, and every attribute with values that only an agent would check.  What may be refused
is a program each.  The short profile has the types with patterns of their own, and a fifth of the
others.
"""

from __future__ import annotations

import functools
import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from laws.profile import is_long
from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.corpus import MODULES
from peers.puppet import ABSENT, installed

LIST = Path(__file__).with_name("puppet_module_types.rb")
TITLES = [
    "a", "A b", "a::b", "a::b::c", "a@b", "a@b@c", "a::b@c::d", "a::b@c", "a@c::d", "a@::c",
    "a::b@::c", "a::b@::::all", "a@::::all", "r/n", "r/n::t", "a:b", "a:c:/x", "a:C:\\x", "a b",
    "@", "::", "/", "a:", "@a", "/p/", "/p", "two\nlines", "x@y\nz", "ünï", "1", "$a", "'", "undef",
]  # fmt: skip
PIECES = ["a", "B", "ü", " ", "::", ":", "@", "/", "\\", "c:/x", "\n", "-", "1", "'", "$x", "é"]
ODD = [
    "'x'", "['a', 'b']", "{ 'k' => 1 }", "-1", "true", "false", "undef", "Sensitive('s')", "''",
    "1.5", "Integer[1]", "[]", "{}", "[[1], undef]", "\"new\\nline\"", "/x/", "default",
]  # fmt: skip
PARTS = 16 if is_long() else 2
Type = dict[str, Any]


@functools.cache
def oracle(level: int) -> Oracle:
    """One Ruby process of each Puppet."""
    if not installed() or not (MODULES / "keystone").is_dir():
        pytest.skip(ABSENT)
    if level == 8 and not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    make = Oracle if level == 7 else puppet8.oracle
    made = make("--modulepath", str(MODULES))
    for type_ in types():
        if type_["stumbles"]:  # it cannot load a provider, and knows the type afterwards
            made.ask(code=f"{type_['name']} {{ 'a': }}", filename="code.pp")
    return made


@functools.cache
def titles() -> list[str]:
    """Titles that people write, and some made of pieces."""
    rng = random.Random(19)
    made = ["".join(rng.choices(PIECES, k=rng.randint(2, 6))) for _ in range(40)]
    return list(dict.fromkeys(TITLES + made))


def names() -> list[str]:
    """The types that are tried."""
    files = sorted(MODULES.glob("*/lib/puppet/type/*.rb"), key=lambda file: file.stem)
    own = [file.stem for file in files if "title_patterns" in file.read_text()]
    every = files if is_long() else files[::5]
    return sorted({*own, *(file.stem for file in every)})


@functools.cache
def types() -> list[Type]:
    """What Puppet says of the types."""
    if not installed() or not (MODULES / "keystone").is_dir():
        pytest.skip(ABSENT)
    done = subprocess.run(
        ["ruby", str(LIST), str(MODULES)],
        input=json.dumps([names(), titles()]), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def fitting(type_: Type) -> dict[str, int]:
    """The titles that a pattern fits, by the number of the pattern; none says what another does."""
    found: dict[str, tuple[str, int]] = {}
    for title, fit in zip(titles(), type_["titles"], strict=True):
        if fit is not None:
            found.setdefault(json.dumps(fit), (title, fit[0]))
    return dict(found.values())


def quoted(title: str) -> str:
    """A title as a literal."""
    return "'" + title.replace("\\", "\\\\").replace("'", "\\'") + "'"


def accepted(type_: Type, round_: str, rng: random.Random) -> Iterator[str]:
    """Resources that Puppet must accept."""
    name, keys = type_["name"], type_["keys"]
    for number, title in enumerate(fitting(type_)):
        match round_:
            case "bare":
                given = []
            case "odd":
                others = [one for one in type_["attributes"] if one not in (*keys, "tag")]
                given = [f"{one} => {rng.choice(ODD)}" for one in others if number < 3]
            case "title":
                given = [f"{keys[number % len(keys)]} => {quoted(title)}"]
            case "one key":
                given = [f"{keys[number % len(keys)]} => 'by hand {number}'"]
            case _:
                given = [f"{key} => 'by hand {number} {key}'" for key in keys]
        yield f"{name} {{ {quoted(title)}:\n  {', '.join(given)} }}"
    if round_ == "one key" and len(keys) == 1:
        yield f"notify {{ '{name}': require => {name.capitalize()}['by hand 0'] }}"


def doubtful(type_: Type) -> Iterator[str]:
    """Programs that Puppet refuses, or that nobody knows it accepts."""
    name, keys, ref = type_["name"], type_["keys"], type_["name"].capitalize()
    unfit = [one for one, fit in zip(titles(), type_["titles"], strict=True) if fit is None]
    yield from (f"{name} {{ {quoted(title)}: }}" for title in unfit[:12])
    good = next(iter(fitting(type_)), "a")
    for title in (good, *unfit[:1]):
        set_ = ", ".join(f"{key} => 'v'" for key in keys)
        yield f"{name} {{ {quoted(title)}: {set_} }}\n{name} {{ {quoted(title + 'a')}: {set_} }}"
    yield f"{name} {{ {quoted(good)}: no_such_attribute => 1 }}"
    yield f"{name} {{ {quoted(good)}: name => 'q' }}\n{name} {{ 'q': }}"
    yield f"{name} {{ {quoted(good)}: alias => 'z' }}\nnotify {{ 'n': require => {ref}['z'] }}"
    yield f"{name} {{ {quoted(good)}: }}\nnotify {{ 'n': require => {ref}['nowhere@x'] }}"
    for key in keys:
        for value in ("undef", "['v']", "1", "{ 'v' => 1 }", "true", "''"):
            yield f"{name} {{ {quoted(good)}: {key} => {value} }}\n{name} {{ 'v': }}"


def compare(code: str, level: int) -> None:
    """Compiles a program here and with Puppet."""
    real = oracle(level).ask(code=code, filename="code.pp")
    number = level if level == 7 else puppet8.NUMBER
    mine = ours(code, modulepath=str(MODULES), puppet=number)

    assert difference(real, mine) is None, code


LEVELS = [7, 8] if is_long() else [7]


@pytest.mark.peer
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("round_", ["bare", "odd", "title", "one key", "all keys"])
def test_titles_and_keys_set_by_hand_give_what_they_give_in_puppet(round_: str, level: int) -> None:
    rng = random.Random(round_)
    made = [list(accepted(one, round_, rng)) for one in types() if one["keys"]]
    for part in range(PARTS):
        code = "\n".join(resource for rows in made[part::PARTS] for resource in rows)
        real = oracle(level).ask(code=code, filename="code.pp")
        number = level if level == 7 else puppet8.NUMBER
        mine = ours(code, modulepath=str(MODULES), puppet=number)

        assert real["ok"], real
        assert difference(real, mine) is None


@pytest.mark.peer
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_refused_of_a_type_is_what_puppet_refuses(part: int, level: int) -> None:
    chosen = [one for one in types() if is_long() or one["patterns"] != 1]
    for type_ in chosen[part::PARTS]:
        for code in doubtful(type_):
            compare(code, level)


@pytest.mark.peer
def test_each_pattern_has_a_title_and_the_types_are_many() -> None:
    every = types()
    for type_ in every:
        assert set(fitting(type_).values()) == set(range(type_["patterns"])), type_["name"]
    assert len(every) > (200 if is_long() else 40)
    assert sum(None in type_["titles"] for type_ in every) >= (7 if is_long() else 6)


NOTHING_DECLARED = [
    "notify { 'n': message => R }", "notify { 'n': message => [1, { 'a' => R }] }",
    "notify { 'n': message => [[R]] }", "@notify { 'n': message => R }",
    "class c($x) { } class { 'c': x => R }", "define d($x) { } d { 'c': x => R }",
    "notify { 'n': message => getparam(R, 'name') }", "notify { 'n': message => $facts[R] }",
    "notify { 'n': message => defined_with_params(R, {}) }", "notice(defined(R))",
    "notice(defined(Type[R]))", "notice(defined(T['a@b']))", "R -> R", "notify { 'n': tag => R }",
    "notify { 'n': message => inline_template('<%= scope.catalog.resource(\"R\").inspect %>') }",
    "notify { 'n': message => inline_template('<%= scope.catalog.resource(\"R\") rescue 1 %>') }",
    "Notify <| title == R |>", "notify { 'n': message => Sensitive(R) }",
    "notify { 'n': message => Sensitive([R, { 'a' => R }]) }",
    "notify { 'n': message => \"${R}\" }",
    "notify { 'n': message => T['x', 'y'] }", "ensure_resource('notify', 'n', { 'message' => R })",
    "create_resources('notify', { 'n' => { 'message' => R } })", "$x = R notice($x['name'])",
    "notify { 'n': message => Sensitive(Class['main']) }",
    "define d($x) { notify { 'm': message => $x } } d { 'd': x => Sensitive(R) }",
]  # fmt: skip


@pytest.mark.peer
@pytest.mark.parametrize("level", [7, 8])
@pytest.mark.parametrize("type_", ["Keystone_user_role", "File"])
def test_a_reference_by_an_unfit_title_is_refused_where_nothing_of_its_type_is_declared(
    type_: str, level: int
) -> None:
    for code in NOTHING_DECLARED:
        named = code.replace("T[", f"{type_}[")
        named = re.sub(r"\"R\"", f'"{type_}[a]"', named)
        compare(re.sub(r"\bR\b", f"{type_}['a']", named), level)
