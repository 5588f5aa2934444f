"""headwater.toml, key by key: with it, without it, of a wrong type, with a path that is not there.

The table has every key that the program knows; one that is added there must be added here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from headwater.ask.request import Request
from headwater.fleet.check import check_site
from headwater.fleet.config import COMMON, key_table, keyed_fields, languages_with_sections
from headwater.fleet.site import Site
from headwater.langs.fields import fields_of
from test_repository import control, read, refused

__all__ = ["control"]

NODE = "web1.example.com"


class Key(NamedTuple):
    """A key of the file; values are as they are written there."""

    given: str
    meant: object
    """What `seen` finds with it."""
    unmeant: object
    """What it finds without it."""
    seen: Callable[[Site], object]
    wrong: tuple[str, ...]
    """Values of a wrong type, each the text that is told to be wrong."""
    nowhere: str | None = None
    """A path that is not there, or paths with one among them."""
    severity: str = "error"
    """How bad it is that the path is not there."""


def given_to_programs(name: str) -> Callable[[Site], object]:
    return lambda site: site.request(Request(), None).inputs.get(name)


def of_node(name: str) -> Callable[[Site], object]:
    return lambda site: getattr(site.inventory.nodes[NODE], name)


def environments(site: Site) -> object:
    return dict(site.environments)


KEYS: dict[tuple[str, str], Key] = {
    ("puppet", "level"): Key("7", 7, None, given_to_programs("puppet"), ("9", '"8"', "8.0", "[8]")),
    ("puppet", "environment"): Key(
        '"other"', {"other": "other"}, {"control": "."}, environments, ("1", "[]"),
        '"nowhere"'),
    ("puppet", "environments"): Key(
        '"envs"', {"production": "envs/production"}, {"control": "."}, environments,
        ("[]", "true"), '"nowhere"'),
    ("puppet", "modulepath"): Key(
        '["site"]', ["site"], None, given_to_programs("env_modulepath"),
        ('"modules"', "{}", "[1]"), '["site", "modules", "nowhere"]', "warning"),
    ("puppet", "hiera"): Key(
        '"hiera.yaml"', "hiera.yaml", None, given_to_programs("hiera"), ("true", "[]"),
        '"nowhere.yaml"'),
    ("puppet", "settings"): Key(
        '{strict = "off"}', {"strict": "off"}, None, given_to_programs("settings"),
        ('"strict"', "[]")),
    ("puppet", "on_unknown"): Key(
        '"opaque"', "opaque", None, given_to_programs("on_unknown"), ('"guess"', "1")),
    ("nodes", "facts"): Key(
        '"facts"', 3, 0, lambda site: len(site.inventory.names), ("7", "[]"), '"nowhere"'),
    ("nodes", "trusted"): Key(
        '"trusted"', f"trusted/{NODE}.yaml", None, of_node("trusted"), ("{}", "1"), '"nowhere"'),
    ("nodes", "classes"): Key(
        '"classes.yaml"', True, False, lambda site: of_node("classes")(site) is not None,
        ("1.5", "[]"), '"nowhere.yaml"'),
    ("rules", "files"): Key(
        '["rules.toml"]', ["rules.toml"], None, lambda site: site.repository.rules.files,
        ('"rules.toml"', "[1]", "{}"), '["nowhere/*.toml"]', "warning"),
    ("diff", "ignore"): Key(
        '["File[/etc/motd]"]', ["File[/etc/motd]"], None, lambda site: site.repository.diff.ignore,
        ('"File[/etc/motd]"', "[1]", "true")),
    ("owners", '"data/**"'): Key(
        '"ops"', {"data/**": "ops"}, {}, lambda site: dict(site.repository.owners),
        ("[]", '""', "1")),
}  # fmt: skip

FACTS = '[nodes]\nfacts = "facts"\n'


@pytest.fixture
def folder(control: Path) -> Path:
    """The control repository with everything that the values above name."""
    for name in ("other", "envs/production"):
        (control / name / "manifests").mkdir(parents=True)
    (control / "trusted").mkdir()
    (control / "trusted" / f"{NODE}.yaml").write_text(f"certname: {NODE}\n")
    (control / "classes.yaml").write_text(f"{NODE}: [ntp]\n")
    (control / "rules.toml").write_text("")
    return control


def written(key: tuple[str, str], value: str) -> str:
    """A file with facts, unless it is about them, and with one key more."""
    section, name = key
    facts = "" if key == ("nodes", "facts") else FACTS
    head = "" if section == "nodes" and facts else f"[{section}]\n"
    return f"{facts}{head}{name} = {value}\n"


def test_every_key_is_in_the_table_above() -> None:
    known = {(section, taken.name) for section, taken in key_table()}

    assert known | {("owners", '"data/**"')} == set(KEYS)


def test_every_key_that_names_a_path_is_tried_with_one_that_is_not_there() -> None:
    fields: dict[tuple[str, str], Any] = {
        (language, key): field
        for language in languages_with_sections()
        for key, field in keyed_fields(language)
    }
    fields |= {(name, field.name): field for name, struct in COMMON.items()
               for field in fields_of(struct)}  # fmt: skip

    for key, field in fields.items():
        assert not field.about.path or KEYS[key].nowhere is not None, key


@pytest.mark.parametrize("key", KEYS, ids=".".join)
def test_a_key_means_what_it_says_and_may_be_absent(key: tuple[str, str], folder: Path) -> None:
    one = KEYS[key]

    assert one.seen(read(folder, written(key, one.given))) == one.meant
    without = "" if key == ("nodes", "facts") else FACTS
    assert one.seen(read(folder, without)) == one.unmeant


@pytest.mark.parametrize(("key", "wrong"), [(k, w) for k, v in KEYS.items() for w in v.wrong])
def test_a_key_of_a_wrong_type_is_refused_where_it_stands(
    key: tuple[str, str], wrong: str, folder: Path
) -> None:
    found = refused(folder, written(key, wrong))

    assert [(code, at) for code, at, _ in found] == [("repository-value", wrong)]
    assert key[1].strip('"') in found[0][2]


@pytest.mark.parametrize("key", [k for k, v in KEYS.items() if v.nowhere], ids=".".join)
def test_a_path_that_is_not_there_is_told_where_it_stands(
    key: tuple[str, str], folder: Path
) -> None:
    one = KEYS[key]
    assert one.nowhere is not None
    text = written(key, one.nowhere)
    place = one.nowhere.strip("[]").split(", ")[-1]
    if one.severity == "error":
        assert [(code, at) for code, at, _ in refused(folder, text)] == [("repository-path", place)]
        return
    assert refused(folder, text) == []
    found = check_site(read(folder, text), (), Request(), processes=1).problems
    told = [p.diagnostic for p in found if p.diagnostic.code == "repository-path"]
    assert [(d.severity, d.at.text) for d in told] == [("warning", place)]
