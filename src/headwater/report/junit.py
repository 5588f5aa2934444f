"""Diagnostics as JUnit's XML, which build servers read: a test for each thing that was checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from headwater.report.diagnostic import Diagnostic
from headwater.text import visible


def junit(cases: Iterable[tuple[str, Sequence[Diagnostic]]], not_done: Sequence[str] = ()) -> str:
    """A suite with a test for each name: failed if it has findings, skipped if it was not done."""
    suite = ElementTree.Element("testsuite", name="headwater")
    failures = tests = 0
    for name, found in cases:
        tests += 1
        case = ElementTree.SubElement(suite, "testcase", classname="headwater", name=_text(name))
        if found:
            failures += 1
            message = found[0].message if len(found) == 1 else f"{len(found)} findings"
            failure = ElementTree.SubElement(
                case, "failure", message=_text(message), type=found[0].code
            )
            failure.text = _text("\n".join(map(_line, found)), keep="\n")
    for name in not_done:
        tests += 1
        case = ElementTree.SubElement(suite, "testcase", classname="headwater", name=_text(name))
        ElementTree.SubElement(case, "skipped", message="not checked")
    suite.set("tests", str(tests))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    suite.set("skipped", str(len(not_done)))
    ElementTree.indent(suite)
    whole = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}\n'


def _line(diagnostic: Diagnostic) -> str:
    help = f"\n  help: {diagnostic.help}" if diagnostic.help else ""
    return f"{diagnostic.at}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}{help}"


def _text(text: str, keep: str = "") -> str:
    """A text without characters that XML has no place for."""
    return visible(text, keep=keep)
