"""Values for the variables of a template, and the program that renders it with them.

The variables stand in a class of the main manifest, which renders the template (in a define where
it asks for its name); variables of other classes stand in classes of their names, those of the
top scope are facts, and what holds symbols is set by a template before.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from peers.catalogs import FACTS
from peers.template_shapes import Condition, Shape, Template

_NAME = re.compile(r"[a-z_]\w*\Z", re.ASCII)
_RESERVED = frozenset(["trusted", "server_facts", "module_name", "caller_module_name",
                       "environment", "__file__"])  # fmt: skip
_TITLES = frozenset(["title", "name"])
_LISTS = frozenset(["join", "each_with_index", "flatten", "push", "<<", "concat", "compact", "uniq",
                    "last", "first", "sort", "map", "collect", "each", "length", "size", "empty?",
                    "sort_by", "any?", "all?", "include?", "reverse"])  # fmt: skip
_TEXTS = frozenset(["gsub", "sub", "split", "upcase", "downcase", "capitalize", "strip", "=~",
                    "match", "start_with?", "end_with?", "chomp", "lines", "tr", "to_sym", "!~",
                    "each_line", "rstrip", "lstrip", "empty?", "length", "size"])  # fmt: skip
_KINDS = {"Array": "list", "Hash": "hash", "String": "text", "Integer": "number",
          "Numeric": "number", "Fixnum": "number", "TrueClass": "flag",
          "FalseClass": "flag"}  # fmt: skip
_NUMBERS = frozenset(["+", "-", "*", "/", ">", "<", ">=", "<=", "to_i", "to_f", "times", "%"])
_HASHES = frozenset(["each_pair", "keys", "values", "has_key?", "key?", "fetch", "merge",
                     "each_key", "each_value", "dig", "delete", "to_a"])  # fmt: skip
WORDS = ("alpha", "beta gamma", "10", "3.5", "/etc/x", "a=b", "", "true", "10.0.0.1", "UPPER",
         "unset", "*", "two\nlines", "10.0.0.0/8", "fe80::/64", "-1")  # fmt: skip
PLAIN: tuple[Any, ...] = (None, True, False, "", "x", 0, 7, [], {}, ["a"], ["a", "b"], {"k": "v"})

_DEEPEST = 8
_NAMES = ("k1", "key two", "k3")

Given = dict[str, Any]
"""The value of each variable that is there."""


@dataclass(frozen=True)
class Job:
    """A program that renders a template, and the facts that it reads."""

    code: str
    facts: dict[str, Any]


def drawn(template: Template, random: Random, wild: float, keep: float = 0.7) -> Given:
    """Values that fit what is done with them, but for the `wild` share; `keep` of their keys."""
    return {
        name: value(random, shape, wild, keep=keep)
        for name, shape in template.variables.items()
        if random.random() >= wild
    }


def value(random: Random, shape: Shape, wild: float, depth: int = 0, keep: float = 0.7) -> object:
    """A value that fits what is done with it."""
    careful = keep == 1.0
    if random.random() < wild or depth > (8 if careful else 4):
        return random.choice([*PLAIN, *WORDS])
    if shape.tested and random.random() < 0.3:
        return None
    if shape.constants and (careful or random.random() < 0.5):
        chosen = random.choice(shape.constants)
        return [chosen] if "include?" in shape.methods and random.random() < 0.5 else chosen
    match random.choice(_kinds(shape, careful)):
        case "hash":
            names = [name for name in shape.keys if random.random() < keep]
            if not shape.keys or shape.pairs:
                names += random.sample([*_NAMES, *_asked(shape)], random.randrange(3))
            keys = shape.keys
            return {
                n: value(random, keys.get(n, shape.element), wild, depth + 1, keep) for n in names
            }
        case "list":
            inner, count = shape.element, range(random.randrange(4))
            return [value(random, inner, wild, depth + 1, keep) for _ in count]
        case "text":
            return random.choice(WORDS)
        case "number":
            return random.choice([0, 1, 42, -3])
        case "flag":
            return random.choice([True, False])
    return None


def _asked(shape: Shape) -> list[str]:
    """The keys that a template compares those of a hash with."""
    return [] if shape.named is None else [str(one) for one in shape.named.constants]


def _kinds(shape: Shape, careful: bool) -> list[str]:
    """What a value may be, the likely more often."""
    kinds: list[str] = []
    is_hash = shape.keys or shape.pairs or shape.methods & _HASHES
    if is_hash:
        kinds += ["hash"] * 4
    if shape.methods & _LISTS and not shape.pairs and not shape.keys:
        kinds += ["list"] * 3
    if shape.inner is not None and not shape.pairs:
        kinds += ["list"] * 2
    if careful and is_hash:
        return ["hash"]
    if careful and "list" in kinds:
        return ["list"]
    if shape.methods & _TEXTS:
        kinds += ["text"] * 3
    if shape.methods & _NUMBERS:
        kinds += ["number"]
    kinds += [_KINDS[name] for name in sorted(shape.classes & set(_KINDS)) for _ in range(3)]
    return kinds or ["flag", "text", "text", "nothing", "number"]


# -- changing ------------------------------------------------------------------------------------


def changed(template: Template, given: Given, random: Random) -> Given:
    """Other values, one to three of them anew, anywhere in what is given."""
    made = copy.deepcopy(given)
    pool = _pool(template)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        name = random.choice(list(template.variables))
        shape = template.variables[name]
        if random.random() < 0.1:
            made.pop(name, None)
        else:
            made[name] = _changed(made.get(name), shape, pool, random)
    return made


def _changed(old: object, shape: Shape, pool: list[Any], random: Random) -> object:
    """A value changed as a whole, or somewhere inside."""
    if isinstance(old, dict) and (old or shape.keys) and random.random() < 0.75:
        made = dict(old)
        key = random.choice([*old, *shape.keys])
        if random.random() < 0.2:
            made.pop(key, None)
        else:
            inner = shape.keys.get(key, shape.element)
            made[key] = _changed(old.get(key), inner, pool, random)
        return made
    if isinstance(old, list) and old and random.random() < 0.6:
        place = random.randrange(len(old))
        return [*old[:place], _changed(old[place], shape.element, pool, random), *old[place + 1 :]]
    chance = random.random()
    if chance < 0.3 and shape.constants:
        chosen = random.choice(shape.constants)
        return random.choice([chosen, chosen, [chosen], f"x{chosen}y"])
    if chance < 0.4 and pool:
        return random.choice(pool)
    if chance < 0.6:
        return copy.deepcopy(random.choice(PLAIN))
    return value(random, shape, 0.02, keep=random.choice([0.5, 0.9]))


def aimed(
    template: Template, given: Given, condition: Condition, random: Random, *, alone: bool = False
) -> Given:
    """Other values for what a condition asks, and something for the loops around it.

    `alone`: for one of the places that it asks alone, and all else stays what it was.
    """
    about = condition.about
    if alone:
        compared = [shape for shape in about if shape.constants]
        about = [random.choice(compared if compared and random.random() < 0.5 else about)]
    aim = Aim(template, condition, about, random)
    made = dict(given)
    for name, shape in template.variables.items():
        if aim.reaches(shape):
            made[name] = aim.value(made.get(name), shape)
            if made[name] is None and random.random() < 0.5:
                del made[name]
    return made


class Aim:
    """Values changed at the places that a condition is about, and nowhere else."""

    def __init__(
        self, template: Template, condition: Condition, about: list[Shape], random: Random
    ) -> None:
        self._random = random
        self._targets = {id(shape) for shape in about}
        self._alone = len(about) == 1
        self._loops = {id(shape) for shape in condition.loops}
        self._pool = [one for shape in condition.about for one in shape.constants]
        self._pool += random.sample(pool := _pool(template), min(4, len(pool)))
        self._all_same = random.random() < 0.2
        """Whether all that the condition asks is the same, such as nothing."""
        self._same = random.choice([None, None, None, True, "x", ""])
        self._known: dict[int, bool] = {}

    def reaches(self, shape: Shape) -> bool:
        """Whether a place is in it."""
        if id(shape) not in self._known:
            self._known[id(shape)] = False  # for shapes that hold themselves
            here = id(shape) in self._targets or id(shape) in self._loops
            self._known[id(shape)] = here or any(map(self.reaches, shape.parts()))
        return self._known[id(shape)]

    def value(self, old: object, shape: Shape, depth: int = 0) -> object:
        """A value with changes at the places in it."""
        if depth > _DEEPEST:
            return old
        depth += 1
        random = self._random
        keys = {name: inner for name, inner in shape.keys.items() if self.reaches(inner)}
        named = shape.named is not None and self.reaches(shape.named)
        deeper = keys or named or (shape.inner is not None and self.reaches(shape.inner))
        if id(shape) in self._targets and (not deeper or random.random() < 0.3):
            return self._new(shape)
        if not deeper and old:
            return old  # a loop goes round already
        if keys or named or shape.pairs or isinstance(old, dict):
            made = dict(old) if isinstance(old, dict) else {}
            for name, inner in keys.items():
                made[name] = self.value(made.get(name), inner, depth)
            others = [name for name in made if name not in shape.keys]
            if named and (asked := _asked(shape)):
                others.append(random.choice(asked))
            for name in others or ([] if keys else ["k1"]):
                made[name] = self.value(made.get(name), shape.element, depth)
            return made
        if isinstance(old, list):
            return [self.value(one, shape.element, depth) for one in old or [None]]
        if old and random.random() < 0.5:
            return self.value(old, shape.element, depth) if deeper else old
        return [self.value(None, shape.element, depth)]

    def _new(self, shape: Shape) -> object:
        random = self._random
        chance = random.random()
        if self._all_same:
            return self._same
        if self._alone and shape.constants and chance < 0.5:
            return f"{random.choice(shape.constants)}{random.choice(shape.constants)}"
        if chance < 0.4 and self._pool:
            chosen, other = random.choice(self._pool), random.choice(self._pool)
            return random.choice([chosen, chosen, [chosen], f"x{chosen}y", f"{chosen}{other}"])
        if chance < 0.7:
            return copy.deepcopy(random.choice(PLAIN))
        return value(random, shape, 0.02, keep=random.choice([0.5, 0.9]))


def _pool(template: Template) -> list[Any]:
    return [one for shape in _all(template) for one in shape.constants]


def _all(template: Template) -> Iterator[Shape]:
    """Every shape of a template."""
    waiting, seen = list(template.variables.values()), set()
    while waiting:
        shape = waiting.pop()
        if id(shape) not in seen:
            seen.add(id(shape))
            yield shape
            waiting += shape.parts()


# -- the program ---------------------------------------------------------------------------------


def job(template: Template, given: Given) -> Job:
    """The program that renders a template with what is given."""
    own: list[str] = []
    others: dict[str, list[str]] = {}
    facts = copy.deepcopy(FACTS)
    title = None
    for name, one in given.items():
        owner, _, leaf = name.rpartition("::")
        if name == "facts":
            _overlay(facts, one)
        elif name.startswith("::"):
            facts[leaf] = one
        elif leaf in _TITLES and not owner:
            title = str(one) or "t"
        elif leaf in _RESERVED or not _NAME.match(leaf):
            continue
        elif template.variables[name].has_symbols and not owner:
            own.append(f"$set_{leaf} = inline_template({_setting(leaf, one)})")
        elif not owner:
            own.append(f"${leaf} = {literal(one)}")
        elif all(_NAME.match(part) for part in owner.split("::")) and owner != "settings":
            others.setdefault(owner, []).append(f"${leaf} = {literal(one)}")
    classes = [f"class {name} {{ {' '.join(lines)} }} include {name}"
               for name, lines in others.items()]  # fmt: skip
    own.append(f"notify {{ 'rendered': message => template('{template.name}') }}")
    body = "\n".join(own)
    if title is not None:
        ending = [f"define rendering() {{ {body} }}", f"rendering {{ {literal(title)}: }}"]
    else:
        ending = [f"class rendering {{ {body} }}", "include rendering"]
    return Job("\n".join([*classes, *ending]), facts)


def _overlay(facts: dict[str, Any], given: object) -> None:
    """Puts values over those of facts, deeply; a fact that is not a hash goes as a whole."""
    for name, one in given.items() if isinstance(given, dict) else ():
        if isinstance(one, dict) and isinstance(facts.get(name), dict):
            _overlay(facts[name], one)
        else:
            facts[name] = one


def _setting(name: str, given: object) -> str:
    """A template that sets a variable, as a literal of Puppet."""
    return literal(f"<% scope.setvar('{name}', {_in_ruby(given)}) %>")


def _in_ruby(given: object) -> str:
    match given:
        case dict():
            pairs = (f"{_in_ruby(key)} => {_in_ruby(one)}" for key, one in given.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(_in_ruby, given))}]"
        case None:
            return "nil"
        case str() if re.fullmatch(r":\w+", given):
            return given
    return literal(given)


def literal(given: object) -> str:
    """A value as it is written in Puppet."""
    match given:
        case None:
            return "undef"
        case bool():
            return str(given).lower()
        case str():
            escaped = given.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case list():
            return f"[{', '.join(map(literal, given))}]"
        case dict():
            pairs = ", ".join(f"{literal(k)} => {literal(v)}" for k, v in given.items())
            return f"{{{pairs}}}"
    return json.dumps(given)
