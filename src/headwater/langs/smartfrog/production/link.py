"""The phase *link*: references are replaced by what they mean, functions by their values.

Values are found on demand and kept, so a link to a link, a path through a link and a
function of functions all come to their end, and what has none is a cycle that can be shown.
A component that a link means is shared, not copied.  What leads over something lazy becomes
lazy itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.production.attributes import BUSY, DONE, NEW, Attr, node_of
from headwater.langs.smartfrog.production.components import (
    Application,
    Comp,
    Value,
    Vec,
    Wrong,
    description,
)
from headwater.langs.smartfrog.production.functions import Failed
from headwater.langs.smartfrog.production.functions.given import given_value
from headwater.langs.smartfrog.production.glance import SIMPLE, UNKNOWN, Glancing, Unknown
from headwater.langs.smartfrog.production.references import Found, Missing, Postponed
from headwater.langs.smartfrog.production.syntax import (
    Literal,
    Part,
    Primitives,
    Reference,
    ToBeDefined,
    Variable,
)
from headwater.langs.smartfrog.production.text import Dropped, is_temporary, key_text, plain
from headwater.langs.smartfrog.results import MOST_VALUES
from headwater.report import Diagnostic, Note, nearest
from headwater.text import Span
from headwater.why import NOTHING, Label, Node

SAME = frozenset([type(None), bool, int, float, str])
"""Kinds of values that the result holds as they are."""


class Linking(Glancing):
    """The phase at work."""

    def run(self, comp: Comp) -> None:
        """Links a component and everything in it; its `made` is the plain tree."""
        drive(self.walk(comp))

    def walk(self, comp: Comp) -> Work:
        """Builds the plain tree of a component."""
        comp.walked = BUSY
        made: dict[str, Any] = {}
        size = 0
        for key, attr in [*self.view(comp).items()]:
            value = attr.value
            kind = value.__class__
            if kind in SAME and attr.tags is None and key.__class__ is str:
                attr.result = made[key] = value
                attr.state = DONE
                size += 1
                continue
            if attr.state != DONE:
                if kind in SIMPLE:
                    attr.is_plain()
                elif not self.is_simple(attr):
                    known = self.glanced(attr, comp) if attr.state == NEW else UNKNOWN
                    if isinstance(known, Unknown):
                        yield self.evaluate(attr, comp)
                    else:
                        self.finish(attr, comp, known)
            if (attr.tags or type(attr.result) is Dropped) and is_temporary(attr):
                continue
            value = attr.result
            name = key if isinstance(key, str) else key_text(key)
            size += 1
            if value.__class__ in SAME:
                made[name] = value
            elif value.__class__ is Comp or value.__class__ is Vec:
                self.way.append((name, attr))
                if value.__class__ is Comp and value.walked != BUSY:
                    if value.walked == NEW:
                        yield self.walk(value)
                    made[name] = value.made
                else:
                    made[name] = yield self.tree(value)
                self.way.pop()
                size += value.size
            else:
                made[name] = plain(value)
        if size > MOST_VALUES:
            raise Wrong(too_large(attr.at))
        comp.made, comp.size, comp.walked = made, size, DONE

    def tree(self, value: Value) -> Work:
        """A value as the result holds it."""
        if isinstance(value, Comp):
            if value.walked == BUSY:
                raise Wrong(self.contains_itself())
            if value.walked == NEW:
                yield self.walk(value)
            return value.made
        if isinstance(value, Vec):
            items = []
            for item in value.items:
                same = item.__class__ in SAME
                items.append(item if same else (yield self.tree(item)))
            return items
        return plain(value)

    def contains_itself(self) -> Diagnostic:
        """The error for a component that contains itself."""
        links = [(name, attr) for name, attr in self.way if isinstance(attr.value, Reference)]
        name, attr = links[-1] if links else self.way[-1]
        way = ":".join(name for name, _ in self.way)
        notes = [Note(f"{step} is a link", each.value.at) for step, each in links[:-1]]
        at = attr.value.at if isinstance(attr.value, Reference) else attr.at
        return codes.CONTAINS_ITSELF.at(at, labels=notes, name=name, way=way)

    def value_of(self, attr: Attr, owner: Comp) -> Work:
        yield self.evaluate(attr, owner)
        yield self.retraced(attr)
        value = attr.result
        if isinstance(value, Reference | Application) and value.lazy:
            return Postponed(self.trace.union(node_of(self.trace, attr), attr.exists))
        return Found(value, node_of(self.trace, attr), attr.exists, NOTHING)

    def evaluate(self, attr: Attr, owner: Comp) -> Work:
        """Finds the value of an attribute."""
        if attr.state == DONE:
            return
        if attr.state == BUSY:
            raise Wrong(self.cyclic(attr))
        attr.state = BUSY
        self.busy.append(attr)
        known = self.glance(attr.value, owner)
        while self.needed is not None:
            needed, scope, passed = self.needed
            self.busy += passed
            yield self.evaluate(needed, scope)
            del self.busy[len(self.busy) - len(passed) :]
            known = self.glance(attr.value, owner)  # it may be more than a stand-in by now
        if not isinstance(known, Unknown):
            self.finish(attr, owner, known)
            self.busy.pop()
            return
        _ = owner.attrs  # of which this one is part
        value = attr.value
        inner, exists = attr.given, NOTHING
        match value:
            case Reference(data=False, lazy=False):
                attr.result, inner, exists = yield self.link(attr, owner, value)
            case Application(data=False, lazy=False):
                attr.result, inner, exists = yield self.apply(value, owner)
                exists = self.trace.union(exists, value.comp.shape)
            case Application(comp=comp):
                attr.result, exists = value, description(self.trace, comp)
            case ToBeDefined(at=at):
                labels = [Note("needed here", each.at) for each in self.busy[:-1][-1:]]
                raise Wrong(codes.STILL_TBD.at(at, labels=[*labels, *self.context()]))
            case Variable(at=at):
                raise Wrong(codes.UNSUPPORTED_VARIABLE.at(at))
            case Vec(structure=structure):
                attr.result, exists = value, structure
            case _:
                attr.result = value
        attr.found(inner, self.trace.union(attr.causes, exists))
        attr.state = DONE
        self.busy.pop()

    def retrace(self, attr: Attr, owner: Comp) -> None:
        """Finds the causes of a value that was found by a glance."""
        drive(self.retraced(attr))

    def retraced(self, attr: Attr) -> Work:
        """The same, if that has not been done."""
        owner = attr.linked_in
        if owner is None:
            return
        _ = owner.attrs  # of which it may be a stand-in
        match attr.value:
            case Reference() as reference:
                _, inner, exists = yield self.link(attr, owner, reference)
            case Application() as application:
                again, inner, exists = yield self.apply(application, owner)
                if isinstance(again, Vec) and again is not attr.result:
                    assert isinstance(attr.result, Vec)
                    attr.result.fill(again.nodes, again.structure)
                exists = self.trace.union(exists, application.comp.shape)
            case _:
                raise AssertionError
        attr.found(inner, self.trace.union(attr.causes, exists))

    def link(self, attr: Attr, owner: Comp, reference: Reference) -> Work:
        """The value of a link: value, node, and why there is such a value."""
        trace = self.trace
        answer = yield self.resolve(owner, reference)
        via = trace.union(attr.given, answer.via)
        match answer:
            case Found(value=value, why=why, exists=exists):
                return value, trace.copy(why, via), trace.union(via, exists)
            case Postponed():
                node = trace.guard(attr.given, answer.via)
                return replace(reference, lazy=True), node, node
            case Missing() if reference.optional:
                value, node = self.default(reference, owner)
                node = trace.copy(node, via)
                return value, node, node
        raise Wrong(self.unresolved(reference, answer))

    def default(self, reference: Reference, owner: Comp) -> tuple[Value, Node]:
        """What an optional reference falls back to."""
        match reference.default:
            case None:
                at = reference.at
                return None, self.trace.label(Label("reference", at, at.text))
            case Literal(value=value, at=at):
                return value, self.trace.label(Label("literal", at, at.text))
            case Primitives() as vector:
                from headwater.langs.smartfrog.production.raw import Raw

                vec = Raw(self.trace).primitives(vector, owner)
                return vec, self.trace.guard(vec.structure, self.trace.union(*vec.nodes))
            case Reference(at=at) as kept:
                return kept, self.trace.label(Label("reference", at, at.text))
        raise Wrong(codes.STILL_TBD.at(reference.at))

    def given(self, part: Part, reference: Reference) -> Found | Missing:
        try:
            return given_value(self.trace, part, reference.at, self.inputs)
        except Failed as failed:
            raise Wrong(codes.BAD_GIVEN.at(reference.at, part=str(part), reason=failed)) from None

    def unresolved(self, reference: Reference, answer: Missing) -> Diagnostic:
        """The error for a reference that means nothing."""
        at, name = reference.at, reference.path
        help: str | None = None
        match answer.kind:
            case "outside":
                word, _, what = answer.part.partition(" ")
                if word in ("HOST", "PROCESS"):
                    return codes.RUNTIME_REFERENCE.at(at, name=name)
                option = "--env-allow" if "ENV" in word else "--property"
                if word == "CONSTANT":
                    return codes.UNSUPPORTED_CONSTANT.at(at, name=what)
                value = "" if "ENV" in word else "=VALUE"
                help = f"give it with {option} {what}{value}, or make it OPTIONAL or LAZY"
                return codes.NOT_GIVEN.at(at, name=name, help=help)
            case "through":
                reason = f"{answer.part} is not a component"
            case "parent":
                reason = "there is nothing above the root"
            case _:
                reason = f"{answer.part} is not there"
                close = nearest(answer.part, answer.known)
                help = f"did you mean {close}?" if close else None
        labels = self.context()
        return codes.LINK_UNRESOLVED.at(at, labels=labels, help=help, name=name, reason=reason)

    def context(self) -> list[Note]:
        """The component that is being linked, for an error in what it inherited."""
        if not self.way:
            return []
        names = ":".join(name for name, _ in self.way)
        return [Note(f"for the component {names}", self.way[-1][1].at)]

    def cyclic(self, attr: Attr) -> Diagnostic:
        """The error for a value that needs itself."""
        cycle = self.busy[self.busy.index(attr) :]
        notes = [Note("which needs this", each.at) for each in cycle[1:]]
        at: Span = attr.value.at if isinstance(attr.value, Reference) else attr.at
        text = " -> ".join(each.at.text for each in (*cycle, attr))
        return codes.LINK_CYCLE.at(at, labels=notes, cycle=text)


def too_large(at: Span) -> Diagnostic:
    """The error for a result that breaks the bound."""
    return OUTPUT_TOO_LARGE.at(at, bound=f"{MOST_VALUES:,} values")
