"""Every kind of read matters: where one is not noted, what is kept is wrong after an edit.

Each case makes an edit that one kind of read alone can tell.  With the read noted, what is kept
gives what working everything out gives; with the read taken away before it is kept, it must not.

Not here: exported resources of other nodes.  No other node's catalog is read: what a catalog
collects is what it exports itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import headwater
from headwater.ask.request import Request
from headwater.fleet import every
from headwater.fleet.catalogs import COMPILE
from headwater.fleet.question import Question
from headwater.text.reads import NAMES, Reads
from laws.fleet_repository import FILES, write
from laws.test_fleet_sequences import asked, folder
from thousands import put

__all__ = ["folder"]

Removal = Callable[[Reads], None]


def path(ending: str) -> Removal:
    """Nothing was asked of paths that end so."""

    def remove(reads: Reads) -> None:
        for names in (reads.contents, reads.kinds):
            names -= {name for name in names if name.endswith(ending)}
        for parts in (reads.keys, reads.facts):
            for name in [name for name in parts if name.endswith(ending)]:
                del parts[name]

    return remove


def key(name: str) -> Removal:
    """No data file was asked for a key."""

    def remove(reads: Reads) -> None:
        for keys in reads.keys.values():
            keys.discard(name)

    return remove


def fact(part: str) -> Removal:
    """Nobody asked for a fact."""

    def remove(reads: Reads) -> None:
        for parts in reads.facts.values():
            parts.discard(part)

    return remove


def instead(name: str, old: str, new: str) -> Callable[[], None]:
    """An edit of a file."""

    def edit() -> None:
        text = Path(name).read_text()
        assert old in text
        Path(name).write_text(text.replace(old, new))

    return edit


def file(name: str, text: str) -> Callable[[], None]:
    """A file that comes, or becomes another."""
    return lambda: put(Path(name), text)


def all_of(*several: Callable[..., None]) -> Callable[..., None]:
    """One thing done after the other."""

    def do(*given: Reads) -> None:
        for one in several:
            one(*given)

    return do


INIT = "modules/a/manifests/init.pp"
FACTS = "facts/one.example.com.json"

CASES: dict[str, tuple[Callable[[], None], Removal]] = {
    "manifest": (instead(INIT, "'nothing'", "'another'"), path(INIT)),
    "define": (instead("modules/a/manifests/thing.pp", "thing $", "a $"), path("thing.pp")),
    "function": (instead("modules/a/functions/up.pp", "upcase", "downcase"), path("up.pp")),
    "type": (instead("modules/a/types/port.pp", "65535", "79"), path("port.pp")),
    "template in ERB": (instead("modules/a/templates/x.erb", "@port", "@extra"), path("x.erb")),
    "template in EPP": (instead("modules/a/templates/y.epp", "' '", "'-'"), path("y.epp")),
    "Ruby file": (instead("modules/a/lib/puppet/functions/a/rb.rb", "+ 1", "+ 2"), path("rb.rb")),
    "text of a file": (instead("modules/a/files/z.txt", "z", "zz"), path("z.txt")),
    "metadata.json": (file("modules/a/metadata.json", "{"), path("metadata.json")),
    "environment.conf": (
        all_of(
            file("other/b/manifests/init.pp", "class b { }\n"),
            file("environment.conf", "modulepath = other:site:modules\n"),
        ),
        path("environment.conf"),
    ),
    "a file that was not there": (
        file("modules/a/files/missing.txt", "there"),
        path("missing.txt"),
    ),
    "a module that was not there": (
        file("modules/d/manifests/init.pp", "class d { }\n"),
        all_of(path("/modules"), path("/d"), path("/d/manifests/init.pp")),
    ),
    "a folder of manifests": (file("manifests/z.pp", "notify { 'z': }\n"), path("/manifests")),
    "a folder of a glob": (file("data/extra/a.yaml", "a::extra: new\n"), path("data/extra")),
    "a key": (instead("data/common.yaml", "a::port: 80", "a::port: 90"), key("a::port")),
    "a key that was not there": (
        file("data/extra/first.yaml", "a::extra: first\na::fallback: new\n"),
        key("a::fallback"),
    ),
    "a data file that was not there": (
        file("data/nodes/three.example.com.yaml", "a::port: 7\n"),
        path("three.example.com.yaml"),
    ),
    "the hierarchy": (instead("hiera.yaml", "os/%{facts.os.family}", "none"), path("hiera.yaml")),
    "a number of JSON that is a text in YAML": (
        instead("data/net/192.0.2.1.txt", "1e5", '"1e5"'),
        path("192.0.2.1.txt"),
    ),
    "lookup_options": (
        instead("data/common.yaml", "merge: hash", "merge: first"),
        key("lookup_options"),
    ),
    "the names of all keys": (
        file("modules/b/data/common.yaml", "b::value: from module\nb::other: 1\nx::y: 1\n"),
        key(NAMES),
    ),
    "a fact": (instead(FACTS, "Debian", "RedHat"), fact("=os\x1ffamily")),
    "a fact that is a variable": (instead(FACTS, "Linux", "Hurd"), fact("=kernel")),
    "a fact that was not there": (
        instead(FACTS, '"uptime"', '"absent": 1, "uptime"'),
        fact("=absent"),
    ),
    "all of a hash of facts": (instead(FACTS, '"rack"', '"row": "3", "rack"'), fact("*tags")),
    "that facts can be read": (file(FACTS, "{"), path(FACTS)),
}


def is_right(folder: Path, edit: Callable[[], None]) -> bool:
    """Whether what is kept gives the same as working everything out, after an edit."""
    write(folder)
    before, _ = asked(COMPILE, kept=True)
    _, known = asked(COMPILE, kept=True)
    assert known == len(before), "nothing has changed yet"
    edit()
    full, _ = asked(COMPILE, kept=False)
    assert full != before, "the edit changes something"
    kept, _ = asked(COMPILE, kept=True)
    return kept == full


@pytest.mark.parametrize("name", CASES)
def test_a_read_that_is_noted(folder: Path, name: str) -> None:
    assert is_right(folder, CASES[name][0])


@pytest.mark.parametrize("name", CASES)
def test_a_read_that_is_not_noted(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edit, remove = CASES[name]
    without(monkeypatch, remove)
    assert not is_right(folder, edit)


def without(monkeypatch: pytest.MonkeyPatch, remove: Removal) -> None:
    """Some reads are no longer noted."""
    keep = every.keep

    def forgetful(*given: object) -> None:
        assert isinstance(given[4], Reads)
        remove(given[4])
        keep(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(every, "keep", forgetful)


PARTS_OF_QUESTIONS: dict[str, tuple[Callable[[], None], str]] = {
    "classes": (instead("classes.yaml", "level: 3", "level: 4"), "classes"),
    "trusted data": (instead("trusted/two.example.com.yaml", "db", "web"), "trusted"),
    "level of Puppet": (instead("headwater.toml", "level = 8", "level = 7"), "puppet"),
}


@pytest.mark.parametrize("name", PARTS_OF_QUESTIONS)
def test_what_a_question_says(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edit, field = PARTS_OF_QUESTIONS[name]
    assert is_right(folder, edit)
    for made in FILES:
        put(folder / made, FILES[made])
    told = Question.key

    def forgetful(self: Question, request: Request) -> bytes | None:
        inputs = {name: value for name, value in request.inputs.items() if name != field}
        return told(self, Request(request.files, lang=request.lang, inputs=inputs))

    monkeypatch.setattr(Question, "key", forgetful)
    assert not is_right(folder, edit)


def test_another_headwater_asks_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    before = COMPILE.key(Request(("x",)))
    monkeypatch.setattr(headwater, "__version__", "9.9.9")
    assert COMPILE.key(Request(("x",))) != before


def test_settings_are_part_of_a_question() -> None:
    asks = [Request(("x",), inputs={"settings": {"strict": how}}) for how in ("off", "error")]
    assert COMPILE.key(asks[0]) != COMPILE.key(asks[1])


def test_the_clock_is_never_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder)
    put(folder / "manifests/clock.pp", "notify { 'now': message => String(Timestamp()) }\n")
    asked(COMPILE, kept=True)
    assert asked(COMPILE, kept=True)[1] == 0
    without(monkeypatch, lambda reads: reads.outside.clear())
    asked(COMPILE, kept=True)
    assert asked(COMPILE, kept=True)[1] == 3
