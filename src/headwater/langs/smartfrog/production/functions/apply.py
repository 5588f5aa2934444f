"""Applying functions, and checking assertions and schemas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work
from headwater.langs.smartfrog.production.attributes import DONE, Attr, node_of
from headwater.langs.smartfrog.production.components import (
    Application,
    Comp,
    Value,
    Vec,
    Wrong,
    description,
    written,
)
from headwater.langs.smartfrog.production.functions import FUNCTIONS
from headwater.langs.smartfrog.production.functions.call import Call, Counters, Failed
from headwater.langs.smartfrog.production.functions.outside import NEEDS_FLAG
from headwater.langs.smartfrog.production.functions.schemas import check_element
from headwater.langs.smartfrog.production.parser import parse_reference
from headwater.langs.smartfrog.production.raw import CLASS
from headwater.langs.smartfrog.production.raw import FUNCTIONS as PACKAGE
from headwater.langs.smartfrog.production.references import Found, Missing, Postponed, Resolver
from headwater.langs.smartfrog.production.syntax import Reference
from headwater.langs.smartfrog.production.text import Dropped, key_text, plain
from headwater.langs.smartfrog.production.words import DATA, LAZY
from headwater.report import Note
from headwater.text import Span
from headwater.why import NOTHING, Node, Trace

META = frozenset([CLASS, LAZY, DATA, "sfAssertionPhase", "sfSchemaDescription"])
PHASES_OF_ASSERTIONS = ("static", "staticLazy", "dynamic")
FOR_SOLVER = frozenset(["Aggregator", "AllDifferent", "ApplyEffects", "Array", "Constraint",
                        "DynamicPolicyEvaluation", "NSumProduct", "PrettyPrint"])  # fmt: skip
"""Functions around production's constraint solver."""
SOLVER_HELP = "it belongs to constraint solving, which Headwater does not do: write the values"
IN_ORDER = frozenset(["Next", "Random"])
"""Functions that give other values when others like them come before."""
CHOOSES = frozenset(["IfThenElse", "Switch", "SystemComponent", "Set"])


class Applying(Resolver, ABC):
    """What linking does with applications."""

    def __init__(self, trace: Trace, root: Comp, inputs: dict[str, Any]) -> None:
        super().__init__(trace, root)
        self.inputs = inputs
        self.counters = Counters()
        self.busy: list[Attr] = []
        self.way: list[tuple[str, Attr]] = []

    @abstractmethod
    def evaluate(self, attr: Attr, owner: Comp) -> Work:
        """Finds the value of an attribute."""

    @abstractmethod
    def retraced(self, attr: Attr) -> Work:
        """Finds the causes of a value that was found without a word about them."""

    def apply(self, application: Application, owner: Comp) -> Work:
        """The value of a function: value, node, and why there is such a value."""
        comp, trace = application.comp, self.trace
        if application.word == "ASSERT":
            return (yield self.check(application))
        name = yield self.function_name(application)
        args: dict[str, tuple[Value, Node]] = {}
        named = comp.attrs[CLASS]
        causes = [description(trace, comp), named.hidden, named.exists, node_of(trace, named)]
        lazy = False
        for key, attr in list(comp.attrs.items()):
            if key in META:
                continue
            if attr.state != DONE:
                yield self.evaluate(attr, comp)
            yield self.retraced(attr)
            value = attr.result
            lazy = lazy or (isinstance(value, Reference | Application) and value.lazy)
            args[str(key)] = (value, node_of(trace, attr))
            causes += [attr.hidden, attr.exists]
        if lazy:
            nodes = [node for _, node in args.values()]
            node = trace.guard(comp.structure, trace.union(*nodes, *causes))
            return replace(application, lazy=True), node, node
        if name == "CheckSchemaElement":
            return (yield self.element(application, args))
        if name == "Ref":
            value, found, exists = yield self.reference_named(application, args, owner)
            why = trace.union(*causes)
            return value, trace.guard(found, why), trace.union(exists, why)
        if name in IN_ORDER:
            causes.append(self.order())
        call = Call(trace, args, comp, application.at, self.counters, self.inputs)
        try:
            value, made = FUNCTIONS[name](call)
        except Failed as failed:
            labels = self.blamed(comp)
            raise Wrong(
                codes.FUNCTION_FAILED.at(
                    self.place(application), labels=labels, name=name, reason=failed
                )
            ) from None
        # With a lazy argument it would be kept, and so would what it is an argument of.
        exists = trace.union(*causes)
        node = trace.guard(made, exists)
        if name in CHOOSES or isinstance(value, Comp):
            return value, node, node
        if isinstance(value, Vec):
            exists = trace.union(value.structure, exists)
            value.depends_on(exists)
        return value, node, exists

    def order(self) -> Node:
        """What the order of evaluation depends on: all that is written."""
        if self.counters.order == NOTHING:
            self.counters.order = written(self.trace, self.root, settled=True)
        return self.counters.order

    def function_name(self, application: Application) -> Work:
        """Which of our functions is meant."""
        comp = application.comp
        named = comp.attrs.get(CLASS)
        if named is None:
            raise Wrong(codes.NO_FUNCTION_CLASS.at(application.at, key=application.word))
        yield self.evaluate(named, comp)
        full = named.result
        name = full.removeprefix(PACKAGE) if isinstance(full, str) else ""
        if name in NEEDS_FLAG and not self.inputs.get("external"):
            raise Wrong(codes.EXTERNAL_INPUT.at(self.place(application), name=name.lower()))
        if name not in FUNCTIONS and name not in ("Ref", "CheckSchemaElement"):
            at = self.place(application)
            help = SOLVER_HELP if name in FOR_SOLVER else None
            raise Wrong(codes.UNSUPPORTED_FUNCTION.at(at, name=str(plain(full)), help=help))
        return name

    def place(self, application: Application) -> Span:
        """The attribute that is being computed, or the operator."""
        return self.busy[-1].at if self.busy else application.at

    def blamed(self, comp: Comp) -> list[Note]:
        """The arguments, for an error about them."""
        found = [a for key, a in comp.attrs.items() if key not in META and a.state == DONE]
        return [Note("an argument", attr.at) for attr in found[:3]]

    def reference_named(
        self, application: Application, args: dict[str, tuple[Value, Node]], owner: Comp
    ) -> Work:
        """``ref``: the value of a reference that is given as a string."""
        text, why = args.get("reference", (None, NOTHING))
        parsed = parse_reference(text) if isinstance(text, str) else None
        if parsed is None:
            reason = f"{plain(text)!r} is not a reference"
            at = self.place(application)
            raise Wrong(codes.FUNCTION_FAILED.at(at, name="Ref", reason=reason))
        if args.get("lazy", (False, NOTHING))[0] is True:
            node = self.trace.guard(application.comp.structure, why)
            return replace(parsed, lazy=True, at=application.at), node, node
        answer = yield self.resolve(owner, parsed)
        via = self.trace.union(why, application.comp.structure, answer.via)
        match answer:
            case Found(value=value, why=found, exists=exists):
                return value, self.trace.copy(found, via), self.trace.union(via, exists)
            case Postponed():
                node = self.trace.guard(application.comp.structure, via)
                return replace(application, lazy=True), node, node
            case _ if "returnNULLOnException" in args:
                node = self.trace.guard(application.comp.structure, via)
                return None, node, node
            case _:
                assert isinstance(answer, Missing)
                reason = f"{text}: {answer.part} is not there"
                at = self.place(application)
                raise Wrong(codes.FUNCTION_FAILED.at(at, name="Ref", reason=reason))

    def check(self, application: Application) -> Work:
        """``ASSERT``: every attribute must be true; kept for run time unless it is static."""
        comp, trace = application.comp, self.trace
        phase = "dynamic"
        named = comp.attrs.get("sfAssertionPhase")
        if named is not None:
            yield self.evaluate(named, comp)
            phase = str(named.result)
            if phase not in PHASES_OF_ASSERTIONS:
                reason = f"sfAssertionPhase is one of {', '.join(PHASES_OF_ASSERTIONS)}"
                raise Wrong(
                    codes.FUNCTION_FAILED.at(named.at, name=application.word, reason=reason)
                )
        causes = [description(trace, comp)]
        if named is not None:
            causes += [node_of(trace, named), named.exists, named.hidden]
        for key, attr in list(comp.attrs.items()):
            if key in META:
                continue
            yield self.evaluate(attr, comp)
            yield self.retraced(attr)
            value = attr.result
            causes.append(node_of(trace, attr))
            if isinstance(value, Reference | Application) and value.lazy:
                if phase == "static":
                    raise Wrong(codes.ASSERTION_LAZY.at(attr.at, name=key_text(key)))
            elif value is not True:
                label = Note("checked for this component", self.place(application))
                reason = "it is false" if value is False else "it is not a boolean"
                raise Wrong(
                    codes.ASSERTION_FAILED.at(
                        attr.at, labels=(label,), name=key_text(key), reason=reason
                    )
                )
        if phase in ("static", "staticLazy"):
            node = trace.guard(comp.structure, trace.union(*causes))
            return Dropped(""), node, node
        return replace(application, lazy=True), comp.structure, trace.union(*causes)

    def element(self, application: Application, args: dict[str, tuple[Value, Node]]) -> Work:
        """An entry of a schema, checked against the component the schema stands in."""
        comp = application.comp
        schema = comp.parent
        holder = schema.parent if schema is not None else None
        name = str(args.get("name", ("", 0))[0])
        attr = holder.attrs.get(name) if holder is not None else None
        found: Value = None
        if attr is not None and holder is not None:
            yield self.evaluate(attr, holder)
            found = attr.result
        problem = check_element(name, attr is not None, found, {k: v for k, (v, _) in args.items()})
        if problem:
            at = attr.at if attr is not None else self.schema_place()
            labels = [Note("required by this schema entry", self.place(application))]
            raise Wrong(codes.SCHEMA_VIOLATED.at(at, labels=labels, reason=problem))
        node = self.trace.operation("CheckSchemaElement", [n for _, n in args.values()])
        return True, node, NOTHING

    def schema_place(self) -> Span:
        """The attribute of a component that holds the schema being checked."""
        return self.busy[-2].at if len(self.busy) > 1 else self.busy[-1].at
