"""ERB: ``template()`` and ``inline_template()``, rendered by the evaluator of Ruby."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from headwater.langs.puppet.bytestrings import joined
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.engine.ruby import host_of
from headwater.langs.puppet.engine.ruby_faults import Run, Stopped, unknown_or_refused
from headwater.langs.puppet.engine.ruby_reads import ReadingOthers
from headwater.langs.puppet.engine.ruby_scope import TemplateScope
from headwater.langs.puppet.files import kept_source, refused
from headwater.langs.puppet.record.renderings import Piece, Rendering
from headwater.langs.puppet.ruby.rendering import Page, render
from headwater.langs.puppet.ruby.scope import template_object
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque
from headwater.text import Source, Unreadable

INLINE = "inline template"
"""What the text of a template that is in no file is shown by."""

_NO_FILE = "(erb)"
"""``__FILE__`` in such a template."""


@own("template", 1)
def template(call: Call, args: Sequence[Any], block: object) -> Value:
    """The text of templates in files, one after the other; they see what their caller sees."""
    return _joined([_from_file(call, "" if name is None else name) for name in args])


@own("inline_template", 1)
def inline_template(call: Call, args: Sequence[Any], block: object) -> Value:
    """The text of templates given as texts."""
    return _joined([_from_text(call, "" if text is None else text) for text in args])


def _joined(texts: list[Any]) -> Value:
    if len(texts) == 1 and texts[0].__class__ is str:
        only: str = texts[0]
        return only
    unknown = next((text for text in texts if isinstance(text, Opaque)), None)
    return joined(texts) if unknown is None else unknown


def _from_file(call: Call, name: object) -> Value:
    if isinstance(name, Opaque):
        return name
    if not isinstance(name, str):
        call.mistyped("the name of a template is a string")
    path = call.find_file("templates", name)
    if path is None:
        call.external("miss", name)
        missing = "No such file or directory: " if os.path.isabs(name) else ""
        call.fail(f"{missing}Could not find template '{name}'")
    source = host_of(call).sources.get(path) or kept_source(path)
    if isinstance(source, Unreadable):
        raise refused(source, path)
    call.external("file", name, path)
    subject = f"template {name}"
    return _rendered(call, source, path, f"the {subject}", f"Failed to parse {subject}: ")


def _from_text(call: Call, text: object) -> Value:
    if isinstance(text, Opaque):
        return text
    if not isinstance(text, str):
        call.mistyped("the text of a template is a string")
    source = Source(INLINE, text)
    subject = "the template given inline"
    return _rendered(call, source, None, subject, "Failed to parse inline template: ")


def _rendered(call: Call, source: Source, path: str | None, subject: str, failed: str) -> Value:
    """The text of a template; unknown, if it needs what is unknown or beyond us."""
    host, file = host_of(call), _NO_FILE if path is None else source.name
    host.reads(source, file, inline=path is None)
    scope, tree, text, page = TemplateScope(call), None, "", Page()
    try:
        with host.during(call) as machine:
            try:
                tree = tree_of(source, template=True)
                with ReadingOthers(host, call, file):
                    self_ = template_object(machine, scope, path)
                    text, page = render(machine, tree, file, self_)
            except Stopped as stopped:
                return _stopped(Run(host, call, file, subject, failed, ""), stopped)
    except Stopped as stopped:  # what it changed cannot be settled
        return _stopped(Run(host, call, file, subject, failed, ""), stopped)
    finally:
        pieces = partial(_pieces, source, page)
        rendering = Rendering(text, pieces, tree=tree, variables=scope.asked)
        call.read("rendering", subject, path, rendering)
    return text


def _stopped(run: Run, stopped: Exception) -> Value:
    """What becomes of a template that Ruby could not render."""
    why = run.subject.replace("the template ", "template(") + ")"
    return unknown_or_refused(run._replace(why=why), stopped)


def _pieces(source: Source, page: Page) -> list[Piece]:
    return [
        Piece(piece.size, source.span(piece.at, piece.end), piece.inserted, value=piece.value)
        for piece in page.pieces
    ]
