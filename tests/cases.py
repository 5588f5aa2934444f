"""Case files: one text file holds a purpose, headers, inputs and expected outputs.

::

    # What the case shows.
    rules: Definition 12, Definition 24
    -- in.sf --
    sfConfig extends { a 1; }
    -- out.json --
    {"a":1}
    -- out.why --
    a  =>  1:22 1

Sections ``out.json``, ``out.error``, ``out.warnings`` and ``out.why`` are rewritten by
``make update``.  In ``out.why``, ``=>`` is where a value came from, ``~`` what it masked,
``?`` one input it depends on; only the lines a case has are checked, and kept current.

A line of a program that ends in ``#! code`` (or ``//! code``) is one where that error is expected;
the case then has no ``out.error``.
In options, ``{here}`` is the folder that the other sections are written to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.inputs import fields
from headwater.ask.views import Views
from headwater.langs import Options
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.tree.json import compact
from headwater.why import Label
from mupuppet_view import common, compiler_inputs, is_common

ROOT = Path(__file__).parent / "cases"

FIELDS = {field.name for field in fields()}

_EXPECTED = re.compile(r"(?:#|//)! ([a-z0-9- ]+)$")


@dataclass
class Case:
    """A case file, taken apart."""

    path: Path
    comment: list[str]
    headers: dict[str, str]
    sections: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT).with_suffix(""))

    @property
    def rules(self) -> list[str]:
        return [rule.strip() for rule in self.headers.get("rules", "").split(",") if rule.strip()]

    @property
    def expected_errors(self) -> list[tuple[str, int]]:
        """The codes that lines of the program expect, with ``#! code`` at their ends."""
        found = []
        for name, body in self.sections.items():
            if name.startswith("in."):
                for number, line in enumerate(body.split("\n"), 1):
                    hit = _EXPECTED.search(line)
                    found += [(code, number) for code in hit[1].split()] if hit else []
        return found

    @property
    def of_calculus(self) -> bool:
        """Whether it is a case of µPuppet that the compiler must pass too."""
        return "puppet" in self.path.parts and "engine" not in self.headers

    @property
    def engines(self) -> list[str]:
        only = self.headers.get("engine")
        if self.headers.get("dialect") == "extended":
            only = "paper"  # the dialect has no other
        return [only] if only else ["engine", "paper"]

    def text(self) -> str:
        """The file as it should be."""
        head = "".join(f"# {line}\n" for line in self.comment)
        head += "".join(f"{key}: {value}\n" for key, value in self.headers.items())
        return head + "".join(f"-- {name} --\n{body}" for name, body in self.sections.items())


def read_case(path: Path) -> Case:
    """A case file taken apart."""
    head, *parts = re.split(r"^-- (\S+) --\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    comment, headers = [], {}
    for line in head.splitlines():
        if line.startswith("#"):
            comment.append(line[1:].strip())
        elif line.strip():
            key, _, value = line.partition(":")
            headers[key.strip()] = value.strip()
    assert comment, f"{path} does not say what it shows"
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return Case(path, comment, headers, sections)


def all_cases() -> list[Case]:
    """Every case of every language."""
    return [read_case(path) for path in sorted(ROOT.rglob("*.case"))]


def run_case(case: Case, engine: str, folder: Path) -> Compiled:
    """The outcome of a case; its files are written to a folder of their own."""
    return compile_request(request_of(case, engine, folder))


def request_of(case: Case, engine: str, folder: Path) -> Request:
    """What a case asks for; its files are written to a folder of their own."""
    mains = []
    for name, body in case.sections.items():
        if not name.startswith("out."):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body.encode("utf-8"))
            if name.startswith("in."):
                mains.append(str(path))
    words = case.headers.get("options", "").split()
    inputs: dict[str, Any] = {"ext": "--ext" in words}
    for word in words:
        if "=" in word:
            key, _, value = word.lstrip("-").partition("=")
            key, value = key.replace("-", "_"), value.replace("{here}", str(folder))
            assert key == "strict_variables" or key in FIELDS, f"no language has {key}"
            match key:
                case "strict_variables":
                    inputs["settings"] = {key: value}
                case "endorse" | "property" | "set":
                    inputs[key] = value.split(",")
                case "external":
                    inputs[key] = True
                case "max_steps":
                    inputs[key] = int(value)
                case _:
                    inputs[key] = value
    if "puppet" in case.headers:
        inputs["puppet"] = int(case.headers["puppet"])
    if "settings" in case.headers:
        inputs["setting"] = case.headers["settings"].split()
    dialect = case.headers.get("dialect")
    if case.of_calculus and engine == "engine":
        inputs = compiler_inputs(inputs)
        dialect = None
    return Request(
        files=tuple(mains),
        dialect=dialect,
        engine="paper" if engine == "paper" else "engine",
        inputs=inputs,
        options=Options(strict="--strict" in words, rules=True),
    )


def outputs(case: Case, compiled: Compiled) -> dict[str, str]:
    """The expected sections as this outcome makes them."""
    outcome = compiled.outcome
    made: dict[str, str] = {}
    if case.expected_errors:
        found = [(d.code, d.at.first.line) for d in outcome.errors]
        assert found == case.expected_errors
    elif outcome.result is None:
        made["out.error"] = _diagnostics(outcome.errors)
    else:
        document: Any = outcome.result.plain()
        if case.of_calculus and "edges" in document:
            defines = set(re.findall(r"define\s+(\w+)", "".join(case.sections.values())))
            document = common(document, defines)
        text = compact(document)
        folder = Path(outcome.sources[0].name).parent if outcome.sources else None
        made["out.json"] = (text.replace(f"{folder}/", "") if folder else text) + "\n"
    warnings = [d for d in outcome.diagnostics if not d.is_error]
    if warnings and not case.of_calculus:
        made["out.warnings"] = _diagnostics(warnings)
    if "out.why" in case.sections and outcome.result is not None:
        made["out.why"] = _why(case, compiled)
    return made


def _diagnostics(diagnostics: Iterable[Diagnostic]) -> str:
    return "".join(f"{d.code} {_at(d.at)}\n" for d in diagnostics)


def _why(case: Case, compiled: Compiled) -> str:
    """The lines of the addresses that the section asks about, kind by kind."""
    lines: list[str] = []
    wanted = case.sections["out.why"]
    asked = dict.fromkeys(
        (m[1], m[2]) for m in re.finditer(r"^(\S.*?)  (=>|~|\?)(?:  |$)", wanted, re.MULTILINE)
    )
    causes = compiled.outcome.causes
    assert causes is not None
    for address, sign in asked:
        views = Views(causes, compiled.language.parse_address(address))
        match sign:
            case "=>":
                shown = " and ".join(_label(label) for label in views.origins) or "computed"
                lines.append(f"{address}  =>  {shown}\n")
            case "~":
                for entry in views.masked:
                    place = _label(entry.where) if entry.where else "computed"
                    lines.append(f"{address}  ~  {place} [{entry.reason}]\n")
                if not views.masked:
                    lines.append(f"{address}  ~  nothing\n")
            case _:
                for label in views.depends:
                    if case.of_calculus and not is_common(label):
                        continue
                    lines.append(f"{address}  ?  {_place(label)} {label.kind} {label.text}\n")
    return "".join(lines)


def _place(label: Label) -> str:
    return _at(label.at)


def _at(span: Span) -> str:
    """A place; of a template or a file of Ruby with its name."""
    line, column = span.first
    file = Path(span.source.name)
    return f"{file.name}:{line}:{column}" if file.suffix in (".erb", ".rb") else f"{line}:{column}"


def _label(label: Label) -> str:
    return f"{_place(label)} {label.text}"
