"""Puppet as `ask` sees it: the compiler, and the calculus µPuppet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from headwater.langs.abilities import Absence
from headwater.langs.protocol import (
    EngineName,
    Finding,
    Gathered,
    Job,
    LookedUp,
    Outcome,
    Step,
    TextEdit,
)
from headwater.langs.puppet.addresses import parse_catalog_address, readings, show_catalog_address
from headwater.langs.puppet.facet import PuppetNodes
from headwater.langs.puppet.facet_comparing import PuppetComparing
from headwater.langs.puppet.fields import FAMILIES, Fields, Lookup
from headwater.report import Code, Diagnostic, codes_in, in_order
from headwater.text import Source, Span
from headwater.tree import Address, Result, Value

if TYPE_CHECKING:
    from headwater.langs.generation import Generator
    from headwater.langs.puppet.program.parsing import Reading
    from headwater.langs.puppet.syntax.cache import TreeCache
    from headwater.why import Label


_RUBY = (".rb", ".erb")
"""Endings of files that are part of a program, in Ruby."""

_FAULTLESS: set[tuple[int, bool, str]] = set()
"""Texts that the cache held: their level, whether they are templates, and they themselves."""
_MOST_FAULTLESS = 2_000


class Puppet(PuppetNodes, PuppetComparing):
    """The language Puppet, which users of OpenVox write too."""

    name = "puppet"
    dialects: Mapping[str, tuple[EngineName, ...]] = {
        "puppet": ("engine",),
        "paper": ("paper",),
        "like-puppet": ("paper",),
    }
    formats = ("catalog", "json", "yaml")
    composes = False
    takes = FAMILIES
    comment = "#"
    slicing_engine: EngineName = "paper"

    @property
    def codes(self) -> Mapping[str, Code]:
        """The codes of its diagnostics."""
        from headwater.langs.puppet import codes
        from headwater.langs.puppet.codes import calculus

        codes.load()
        return codes_in(codes, calculus)

    @property
    def generator(self) -> Generator:
        """What makes random programs."""
        from headwater.langs.puppet.generate.generator import PuppetGenerator

        return PuppetGenerator()

    def compile(self, job: Job[Fields]) -> Outcome:
        """The catalog, or what is wrong with the program or its inputs."""
        refused = self.not_a_program(job)
        if refused:
            return Outcome(None, tuple(refused), sources=job.sources)
        if job.engine == "paper":
            from headwater.langs.puppet.paper.adapter import compile_job as calculate

            outcome = calculate(job)
            shown = tuple(self._without_secrets(job, outcome.diagnostics))
            return msgspec.structs.replace(outcome, diagnostics=shown)
        from headwater.langs.puppet.adapter import compile_job

        return compile_job(job)

    def part_name(self, job: Job[Fields], source: Source) -> str | None:
        """The class of a manifest, or the template of a module."""
        from headwater.langs.puppet.syntax.placement import part_name

        if any(source.name == main.name for main in job.sources):
            return None
        return part_name(source.name)

    def name_at(self, at: Span) -> str | None:
        """The key of Hiera's data, or the class, that a place belongs to."""
        from headwater.langs.puppet.hiera.place import key_at
        from headwater.langs.puppet.syntax.placement import part_name

        return key_at(at) or part_name(at.source.name)

    def absent(self, outcome: Outcome, address: Address) -> list[Absence]:
        """Why a resource is not in a catalog."""
        from headwater.langs.puppet.adapter import LateCauses
        from headwater.langs.puppet.why.absent import absent

        if not isinstance(outcome.causes, LateCauses) or not address:
            return []
        kind, _, rest = str(address[0]).partition("[")
        return absent(outcome.causes.compilation, kind, rest.removesuffix("]"))

    def sorted_under(self, outcome: Outcome, address: Address) -> tuple[str, str]:
        """The class in which a resource is declared, and its type."""
        from headwater.langs.puppet.catalog.result import CatalogResult

        kind = str(address[0]).partition("[")[0] if address else ""
        if not isinstance(outcome.result, CatalogResult) or not address:
            return "", kind
        resource = outcome.result.resource(str(address[0]))
        while resource is not None and resource.type != "Class":
            resource = resource.declared.around
        return "" if resource is None else resource.ref, kind

    def filling(self, label: Label, value: str) -> TextEdit | None:
        """The entry of a data file that gives a missing key a value."""
        from headwater.langs.puppet.trials import filling

        return filling(label, value)

    def removals(self, label: Label) -> Iterable[TextEdit]:
        """What takes away an entry of data, an attribute or a default."""
        from headwater.langs.puppet.trials import removals

        return removals(label)

    def spelt(self, label: Label, value: Value) -> str | None:
        """A value as data or a manifest has it."""
        from headwater.langs.puppet.trials import spelt

        return spelt(label, value)

    def steps(self, job: Job[Fields]) -> Iterator[Step | Diagnostic]:
        """The derivation in the calculus µPuppet, rule by rule."""
        from headwater.langs.puppet.paper.adapter import steps_of

        refused = self.not_a_program(job)
        if refused:
            yield from refused
            return
        for step in steps_of(job):
            if isinstance(step, Diagnostic):
                yield from self._without_secrets(job, [step])
            else:
                yield step

    def _without_secrets(
        self, job: Job[Fields], found: Iterable[Diagnostic]
    ) -> Iterable[Diagnostic]:
        """Diagnostics as they may be shown: without the strings of ``Sensitive('…')``."""
        if not any("Sensitive" in source.text for source in job.sources):
            return found
        from headwater.langs.puppet.catalog.secrets import Secrets

        return Secrets().diagnostics(found)

    def slice(self, job: Job[Fields], outcome: Outcome, address: Address) -> str:
        """The part of a manifest that a value depends on, by the calculus."""
        from headwater.langs.puppet.paper.slice import slice_of

        return slice_of(job, outcome, address)

    def shared_form(self, result: Result) -> object:
        """Resources with their parameters, without classes, nodes and defined types."""
        from headwater.langs.puppet.catalog.result import CatalogResult

        if isinstance(result, CatalogResult):
            return result.native_resources()
        return result.get(("resources",))

    def read_result(self, text: str, format: str) -> Value:
        """A catalog that Puppet printed."""
        from headwater.langs.puppet.catalog.reading import comparable, read_catalog

        if format != "catalog":
            raise ValueError(f"Puppet has no results in {format}")
        return comparable(read_catalog(text))

    def comparable(self, plain: Value, format: str) -> Value:
        """The resources and edges of a catalog, without when and where it was made."""
        from headwater.langs.puppet.catalog.reading import comparable

        return comparable(plain)

    def owns(self, folder: str) -> bool:
        """Whether a folder looks like an environment."""
        from headwater.langs.puppet.engine.inputs import is_environment

        return is_environment(folder)

    def gather(self, folder: str, inputs: Fields) -> Gathered:
        """The manifests of an environment, or all that lie in a folder."""
        from headwater.langs.puppet.engine.inputs import gathered
        from headwater.langs.puppet.engine.manifests import doubts_about

        files, inputs = gathered(folder, inputs)
        return Gathered(files, inputs, doubts_about(folder, inputs, files))

    def key_identity(self, path: str, key: str) -> str | None:
        """What a file of Hiera's data has under a key."""
        from headwater.langs.puppet.hiera.identity import key_identity

        return key_identity(path, key)

    def fact_identity(self, path: str, part: str) -> str | None:
        """What a file of facts has in some parts of it."""
        from headwater.langs.puppet.facts.noted import fact_identity

        return fact_identity(path, part)

    def keys_of(self, source: Source) -> Sequence[str]:
        """The keys that a file of Hiera's data has."""
        from headwater.langs.puppet.hiera.editing import keys_of

        return keys_of(source)

    def with_value(self, source: Source, key: str, value: str) -> str:
        """A file of Hiera's data in which a key has a value."""
        from headwater.langs.puppet.hiera.editing import with_value

        return with_value(source, key, value)

    def inside(self, folder: str, inputs: Fields) -> Fields:
        """With a node to compile for, a file of an environment sees the environment."""
        told = (inputs.node, inputs.facts, inputs.facts_file, inputs.classes, inputs.classes_file)
        if inputs.env is not None or not any(told):
            return inputs
        return msgspec.structs.replace(inputs, env=folder)

    def lookup(self, job: Job[Fields], key: str, how: Lookup) -> LookedUp | tuple[Diagnostic, ...]:
        """The value of a key of Hiera, for a node; with a manifest, as its program sees it."""
        from headwater.langs.puppet.adapter import lookup_job

        refused = self.not_a_program(job)
        if refused:
            return tuple(refused)
        return lookup_job(job, key, how.merge)

    def check(self, job: Job[Fields], *, syntax_only: bool = False) -> Iterable[Diagnostic]:
        """What ``puppet parser validate`` would say, more than its first error, and circles.

        A program is compiled to find relationships that go in circles or lead nowhere.  What
        else is wrong with it is told if the job says for which node, facts or modules.
        """
        from headwater.langs.puppet.syntax.cache import user_cache

        found: list[Diagnostic] = []
        cache = user_cache()
        for source in job.sources:
            if source.name.endswith(_RUBY):
                from headwater.langs.puppet.rubycheck import ruby_findings

                found += ruby_findings(source)
                continue
            here = self.findings(source, job, cache)
            template = source.name.endswith(".epp")
            if not (syntax_only or template or any(d.is_error for d in here)):
                from headwater.langs.puppet.adapter import check_job

                one = replace(job, sources=(source,), doubts=())
                here = in_order([*here, *check_job(one)])
            found += here
        return self._without_secrets(job, found)

    def whole_findings(self, folder: str, inputs: Fields) -> list[Finding]:
        """What nothing uses in an environment, and what is likely not meant."""
        from headwater.langs.puppet.engine.inputs import gathered
        from headwater.langs.puppet.tidy.environment import findings

        return findings(folder, gathered(folder, inputs)[1])

    def upgrade(self, texts: Sequence[Source], jobs: Sequence[Job[Fields]]) -> list[Finding]:
        """What level 8 will refuse or change, judged at level 7."""
        from headwater.langs.puppet.upgrade.upgrade import findings

        return findings(texts, jobs)

    def beside(self, name: str) -> bool:
        """Templates of Ruby and data may read facts too."""
        return name.endswith((".erb", ".yaml", ".yml", ".eyaml"))

    def findings(
        self, source: Source, job: Job[Fields], cache: TreeCache | None = None
    ) -> list[Diagnostic]:
        """What is wrong with one text.  A text that the cache holds has no findings."""
        from headwater.langs.puppet.fault import Problem
        from headwater.langs.puppet.syntax import parse, validate
        from headwater.langs.puppet.syntax.placement import does_something, folders, place_of

        place = place_of(source.name, folders(job.inputs.modulepath))
        try:
            reading = self._reading(job)
        except Problem as problem:
            return [problem.at(source.span(0, 0)).diagnostic]
        level = reading.level
        if cache is not None and place is None and not source.bom:
            text = (level.number, source.name.endswith(".epp"), source.text)
            if text in _FAULTLESS:
                return []
            if cache.holds(source, level):
                if len(_FAULTLESS) >= _MOST_FAULTLESS:
                    _FAULTLESS.clear()
                _FAULTLESS.add(text)
                return []
        parsed = parse(source)
        if not parsed.ok:
            return parsed.diagnostics
        if place is not None and place.namespace is None and does_something(parsed.program):
            place = None  # Puppet loads nothing from there: it can only be a main manifest
        found = in_order([*parsed.diagnostics, *validate(parsed.program, place, level)])
        if cache is not None and not found:
            cache.store(parsed.program, None, level)
        return reading.judged(found)

    def _reading(self, job: Job[Fields]) -> Reading:
        """How the texts of a job are judged.  Raises `Problem`."""
        from headwater.langs.puppet.program.parsing import Reading
        from headwater.langs.puppet.settings import given_settings

        return Reading.of(*given_settings(job.inputs, strict=job.options.strict))

    def not_a_program(self, job: Job[Fields]) -> list[Diagnostic]:
        """For a job about a template: its mistakes, or the error that it has no catalog."""
        from headwater.langs.puppet import codes

        found: list[Diagnostic] = []
        for source in job.sources:
            if source.name.endswith(_RUBY):
                found.append(codes.TEMPLATE.at(source.span(0, 0), file=source.name))
            elif source.name.endswith(".epp"):
                wrong = [d for d in self.findings(source, job) if d.is_error]
                found += wrong or [codes.TEMPLATE.at(source.span(0, 0), file=source.name)]
        return found

    def parse_address(self, text: str) -> Address:
        """``Type[title].parameter``, or a JSON pointer."""
        return parse_catalog_address(text)

    def readings(self, text: str) -> list[Address]:
        """The addresses that a text may spell: a title may hold what ends one."""
        return readings(text)

    def show_address(self, address: Address) -> str:
        """The usual spelling of an address."""
        return show_catalog_address(address)

    def show_value(self, value: Value) -> str:
        """A value on one line."""
        from headwater.tree.json import compact

        return compact(value)

    def with_fact(self, source: Source, path: str, value: str) -> str:
        """A file of facts in which one has another value."""
        from headwater.langs.puppet.facts.edited import with_fact

        return with_fact(source, path, value)


LANGUAGE = Puppet()
