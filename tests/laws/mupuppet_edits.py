"""Changed literals in manifests of the calculus, and what an output has to say about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.adapter import Prepared, ready
from headwater.langs.puppet.paper.machine import resolve, run, witnesses
from headwater.langs.puppet.paper.outcome import visible
from headwater.langs.puppet.paper.provenance import Beta, Labels
from headwater.langs.puppet.paper.reader import Manifest, Reader
from headwater.langs.puppet.paper.state import State, Stuck
from headwater.langs.puppet.paper.terms import Host
from headwater.langs.puppet.paper.values import parts, plain
from headwater.langs.puppet.syntax import Program, ast, parse
from headwater.text import Source

DOMAIN: tuple[Any, ...] = (1, 2, 3, True, False, "u", "v")
Output = tuple[str, ...]


class Recorder(Reader):
    """Remembers the literals it makes, by their offset, so that a test can change them."""

    def __init__(self, program: Program, labels: Labels, *, like_puppet: bool) -> None:
        super().__init__(program, labels, like_puppet=like_puppet)
        self.made: dict[int, Any] = {}

    def literal(self, node: ast.Expr, value: int | str | bool) -> t.Atom:
        made = self.made[node.start] = super().literal(node, value)
        return made

    def key(self, node: ast.Expr, value: int | str) -> t.Atom:
        made = self.made[node.start] = super().key(node, value)
        return made

    def host(self, host: ast.Expr) -> t.Host:
        made = self.made[host.start] = super().host(host)
        return made

    def read(self) -> Manifest:
        manifest = super().read()
        RECORDED[id(manifest)] = self.made
        return manifest


RECORDED: dict[int, dict[int, Any]] = {}


class Again:
    """A manifest to be run again and again without annotations, with literals changed.

    Reading a manifest takes as long as running it, so literals are changed in place.
    """

    def __init__(self, program: Program, of: Job[Fields]) -> None:
        made = ready(program, of, erase=True, reader=Recorder)
        assert isinstance(made, Prepared), made
        self.prepared = made
        self.literals = RECORDED.pop(id(made.world.manifest))

    def run(self, edits: dict[int, Any]) -> State | None:
        """The end of the changed manifest, or None if it is refused."""
        before = {at: self._set(at, new) for at, new in edits.items()}
        end, _ = run(self.prepared.world, self.prepared.state)
        for at, old in before.items():
            self._set(at, old)
        return None if isinstance(end, Stuck) else end.state

    def _set(self, at: int, new: object) -> object:
        literal = self.literals[at]
        name = "text" if isinstance(literal, Host) else "value"
        old = getattr(literal, name)
        object.__setattr__(literal, name, str(new) if name == "text" else new)
        return old


def read(text: str) -> Program:
    """A manifest that must be well formed."""
    parsed = parse(Source("law.pp", text))
    assert parsed.ok, (text, parsed.diagnostics)
    return parsed.program


def job(program: Program, dialect: str, **inputs: Any) -> Job[Fields]:  # noqa: ANN401
    """A job for the calculus."""
    return Job((program.source,), Fields(**inputs), dialect, "paper")


def prepared(program: Program, of: Job[Fields], **options: Any) -> Prepared:  # noqa: ANN401
    """The program ready to run."""
    made = ready(program, of, **options)
    assert isinstance(made, Prepared), made
    return made


def outputs(state: State, *, like_puppet: bool) -> dict[Output, Any]:
    """Every output: that a resource exists, and the value of each of its parameters."""
    found: dict[Output, Any] = {}
    for (kind, title), resource in state.catalog.items():
        found[kind, title] = True
        for name, value in visible(resource, like_puppet=like_puppet).items():
            found[kind, title, name] = plain(value)
    return found


@dataclass
class First:
    """The first run of a manifest: its outputs, what each depends on, its literals."""

    program: Program
    job: Job[Fields]
    outputs: dict[Output, Any]
    depends: dict[Output, frozenset[int]]
    output: frozenset[int]
    literals: dict[int, tuple[int, Any]]
    again: Again

    @property
    def like_puppet(self) -> bool:
        return self.job.dialect == "like-puppet"


def first_run(program: Program, of: Job[Fields]) -> First | None:
    """The first run, or None if the manifest is refused."""
    made = prepared(program, of)
    end, _ = run(made.world, made.state)
    if isinstance(end, Stuck):
        return None
    state, like_puppet = end.state, made.world.like_puppet
    classes = witnesses(state.notes)
    depends: dict[Output, frozenset[int]] = {}
    whole: Beta = state.notes.growth
    for (kind, title), resource in state.catalog.items():
        depends[kind, title] = resolve(resource.exists, classes)
        whole |= resource.exists
        shown = visible(resource, like_puppet=like_puppet)
        for name, value in {**dict(resource.attributes), **shown}.items():
            beta: Beta = frozenset().union(*(part.why.depends for part in parts(value)))
            depends[kind, title, name] = resolve(beta, classes)
            if like_puppet:
                whole |= beta
    literals = {
        label.at.start: (number, label.at.text)
        for number, label in enumerate(made.labels.all)
        if label.kind in ("literal", "key")
        and label.at.source is program.source
        and label.text != "default"
    }
    found = outputs(state, like_puppet=like_puppet)
    return First(program, of, found, depends, resolve(whole, classes), literals, Again(program, of))


def second_run(first: First, edits: dict[int, Any]) -> dict[Output, Any] | None:
    """The outputs after literals were changed, or None if the manifest is then refused."""
    end = first.again.run(edits)
    return None if end is None else outputs(end, like_puppet=first.like_puppet)


def same(one: object, other: object) -> bool:
    """Equal, with 1 and true apart."""
    return repr(one) == repr(other)


def violations(first: First, edits: dict[int, Any]) -> Iterator[tuple[str, Output]] | None:
    """Outputs that changed although they depend on none of the changed literals."""
    after = second_run(first, edits)
    if after is None:
        return None
    changed = {first.literals[at][0] for at in edits}
    return _violations(first, after, changed)


def _violations(
    first: First, after: dict[Output, Any], changed: set[int]
) -> Iterator[tuple[str, Output]]:
    for output, value in first.outputs.items():
        if output not in after:
            if not first.depends[output] & changed:
                yield "gone", output
        elif not same(value, after[output]) and not first.depends[output] & changed:
            yield "changed", output
    if set(after) != set(first.outputs) and not first.output & changed:
        yield "set", ()


def other_value(random: Random, text: str) -> object:
    """Another value of the domain than the one written."""
    choices = [v for v in DOMAIN if repr(v).lower() != text]
    return random.choice(choices)
