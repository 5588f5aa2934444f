"""The phases one after the other, up to the last or to the one that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.production.attributes import DONE, Attr, static_node
from headwater.langs.smartfrog.production.causes import ProductionCauses
from headwater.langs.smartfrog.production.components import (
    PROTOTYPES,
    Application,
    Comp,
    Nameless,
    Vec,
    Wrong,
    components,
    written,
)
from headwater.langs.smartfrog.production.construct import Constructing
from headwater.langs.smartfrog.production.functions.apply import FOR_SOLVER, SOLVER_HELP
from headwater.langs.smartfrog.production.link import Linking
from headwater.langs.smartfrog.production.load import Loaded
from headwater.langs.smartfrog.production.places import Placing
from headwater.langs.smartfrog.production.raw import CLASS, FUNCTIONS, Raw
from headwater.langs.smartfrog.production.references import Answer, Found, Missing, Resolver
from headwater.langs.smartfrog.production.syntax import Block, Reference, Variable
from headwater.langs.smartfrog.production.text import name_before_linking, plain, write
from headwater.langs.smartfrog.production.types import Typing
from headwater.report import Diagnostic, nearest
from headwater.tree import Tree
from headwater.why import NOTHING, Node, Trace

PHASES = ("raw", "type", "place", "function", "sfConfig", "link")
IGNORED = ("print", "description", "predicate")
"""Phases that production knows and that change nothing here."""


class SfTree(Tree):
    """A result that can be written in SmartFrog too."""

    __slots__ = ("_comp", "_linked")

    def __init__(self, comp: Comp, *, linked: bool) -> None:
        super().__init__(comp.made)
        self._comp = comp
        self._linked = linked

    def export(self, format: str) -> Iterator[str]:
        """As ``json``, ``compact``, ``yaml`` or ``sf``."""
        if format == "sf":
            yield from write(self._comp, linked=self._linked)
        else:
            yield from super().export(format)


@dataclass(slots=True)
class Compilation:
    """One compilation: what it has come to, and in which phase it is or failed."""

    loaded: Loaded
    inputs: dict[str, Any]
    trace: Trace = field(default_factory=Trace)
    phase: str = "raw"

    def run(self, upto: str | None = None) -> tuple[SfTree, ProductionCauses] | Diagnostic:
        """The result after a phase, the last one if none is named."""
        try:
            return self.phases(upto)
        except Wrong as wrong:
            return wrong.diagnostic
        except RecursionError:
            at = self.loaded.block.at.at_start()
            return codes.NESTED_TOO_DEEP.at(at, bound="the interpreter's")

    def phases(self, upto: str | None) -> tuple[SfTree, ProductionCauses]:
        """Runs the phases."""
        raw = Raw(self.trace)
        root = raw.run(self.loaded.block)
        at = self.loaded.block.at
        self.loaded.block = Block((), at)  # what comes next takes the room of the tree
        top = Attr(root, root.structure, root.structure, root.structure, at.at_start())
        linked = False
        wanted, loose = self.wanted(root)
        if upto == "raw":
            wanted = []
        elif upto is not None:
            if upto not in wanted:
                known = ", ".join(("raw", *wanted))
                raise Wrong(codes.UNKNOWN_PHASE.at(at.at_start(), name=upto, known=known))
            wanted = wanted[: wanted.index(upto) + 1]
        comp = root
        for phase in wanted:
            self.phase = phase
            match phase:
                case "type":
                    Typing(self.trace, root, tagged=raw.tagged).run()
                case "place" if root.places:
                    placing = Placing(self.trace, root)
                    placing.run()
                    loose = self.trace.union(loose, placing.loose)
                case "place":
                    pass
                case "function":
                    Constructing(self.trace).run(root)
                case "sfConfig":
                    top, comp = self.sf_config(root)
                case "link":
                    Linking(self.trace, root, self.inputs).run(comp)
                    linked = True
                case _:
                    self.own_phase(root, phase)
        if not linked:
            drive(unlinked(comp))
        elif top.state != DONE:
            top.result = comp
            top.state = DONE
        return SfTree(comp, linked=linked), ProductionCauses(self.trace, top, raw.unnamed, loose)

    def wanted(self, root: Comp) -> tuple[list[str], Node]:
        """The phases that ``phaseList`` names, or the usual ones; and what says so."""
        attr = root.attrs.pop("phaseList", None)
        if attr is None:
            return list(PHASES[1:]), NOTHING
        because = static_node(self.trace, attr)
        values: list[Any] = []
        if isinstance(attr.value, Vec):
            values = attr.value.items
        elif isinstance(attr.value, Comp):
            inner = attr.value.attrs.items()
            values = [a.value for key, a in inner if isinstance(key, Nameless)]
            because = self.trace.union(because, written(self.trace, attr.value))
        return [str(value) for value in values], because

    def own_phase(self, root: Comp, phase: str) -> None:
        """A phase that is not production's own: fine as long as no component takes part."""
        if phase in IGNORED:
            return
        for comp in components(root):
            attr = comp.attrs.get(f"phase.{phase}")
            if attr is not None:
                known = ", ".join(PHASES)
                raise Wrong(codes.UNKNOWN_PHASE.at(attr.at, name=phase, known=known))

    def sf_config(self, root: Comp) -> tuple[Attr, Comp]:
        """The attribute sfConfig, which must be a component."""
        attr = root.attrs.get("sfConfig")
        end = self.loaded.block.at
        if attr is None:
            close = nearest("sfConfig", [key for key in root.attrs if isinstance(key, str)])
            help = f"did you mean {close}?" if close else None
            at = end._replace(start=end.end)
            raise Wrong(codes.NO_SFCONFIG.at(at, help=help, reason="it is not set"))
        answer = drive(Resolver(self.trace, root).value_of(attr, root))
        if not isinstance(answer, Found) or not isinstance(answer.value, Comp):
            raise Wrong(self.no_component(attr, answer))
        if isinstance(attr.value, Reference):
            attr.result, attr.state = answer.value, DONE
            attr.found(answer.why, answer.exists)
        return attr, answer.value

    def no_component(self, attr: Attr, answer: Answer) -> Diagnostic:
        """The error where sfConfig is no component; it names what needs the constraint solver."""
        reason = "it is a plain value"
        if isinstance(answer, Found):
            match answer.value:
                case Variable(at=at):
                    return codes.UNSUPPORTED_VARIABLE.at(at)
                case Application(comp=comp):
                    named = comp.attrs.get(CLASS)
                    full = str(named.value) if named is not None else "without a class"
                    if full.removeprefix(FUNCTIONS) in FOR_SOLVER:
                        return codes.UNSUPPORTED_FUNCTION.at(attr.at, name=full, help=SOLVER_HELP)
                    reason = f"it is the function {full}"
                case Vec():
                    reason = "it is a vector"
                case Reference():
                    reason = "it is a reference that is kept"
        elif isinstance(answer, Missing):
            reason = f"{answer.part} is not there"
        else:
            reason = "it is lazy"
        return codes.NO_SFCONFIG.at(attr.at, reason=reason)


def unlinked(comp: Comp) -> Work:
    """Builds the plain tree of a component as it is before linking."""
    made: dict[str, Any] = {}
    if comp.types:
        made[PROTOTYPES] = prototypes = []
        for prototype in comp.types:
            if isinstance(prototype, Reference):
                prototypes.append(prototype.path)
            else:
                yield unlinked(prototype)
                prototypes.append(prototype.made)
    for key, attr in comp.attrs.items():
        if isinstance(attr.value, Comp):
            yield unlinked(attr.value)
        made[name_before_linking(key)] = plain(attr.value, linked=False)
    comp.made = made
