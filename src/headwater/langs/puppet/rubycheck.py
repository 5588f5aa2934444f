"""What is wrong with a file of Ruby, or a template in ERB, and what of it is not evaluated."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from headwater.langs.puppet.ruby.survey import Found, survey
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.report import Diagnostic
from headwater.text import Source

_SURVEYS: dict[tuple[bool, str], list[Found]] = {}
"""What is not evaluated, of texts whose trees are kept."""


def ruby_findings(source: Source) -> list[Diagnostic]:
    """The findings of one text."""
    template = source.name.endswith(".erb")
    try:
        tree = tree_of(source, template=template)
        key = (template, source.text)
        known = _SURVEYS.get(key)
        if known is None:
            known = _SURVEYS[key] = [*survey(tree)]
        found = [(one.construct, one.at, one.end) for one in known]
    except Unreadable as error:
        at = source.span(min(error.at, len(source.text)), min(error.at, len(source.text)))
        name = "the template" if template else "the file"
        return [codes.RUBY_SYNTAX.at(at, name=name, message=error.message)]
    except Beyond as beyond:
        found = [(beyond.construct, beyond.at or 0, beyond.at or 0)]
    result: list[Diagnostic] = []
    for construct, start, end in found:
        span = source.span(start, end)
        where = f"{_short(source.name)}:{span.first.line}"
        made = codes.RUBY_BEYOND.at(span, severity="warning", construct=construct, where=where)
        result.append(made)
    return result


def _short(path: str) -> str:
    """A path from ``lib`` or ``templates`` on."""
    for part in ("/lib/puppet/", "/templates/"):
        _, found, tail = path.rpartition(part)
        if found:
            return f"{part[1:]}{tail}"
    return path
