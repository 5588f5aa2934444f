"""Whether a folder that stands for a program has any manifests, and what is doubtful if not."""

from __future__ import annotations

import os
import re

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.inputs import environment_conf
from headwater.langs.puppet.fields import ClassifierFields
from headwater.langs.puppet.files import exists, is_folder
from headwater.report import Diagnostic
from headwater.text import Source, Span, read_source
from headwater.text.moment import once


def named_manifest(folder: str) -> tuple[str, Span] | None:
    """The manifest that ``environment.conf`` names although it is not there, and where."""
    name = environment_conf(folder).get("manifest")
    if name is None:
        return None
    path = os.path.join(folder, name)
    if exists(path):
        return None
    conf = read_source(os.path.join(folder, "environment.conf"))
    assert isinstance(conf, Source)
    lines = [*re.finditer(r"(?m)^[ \t]*manifest[ \t]*=[ \t]*(\S*)", conf.text)]
    at = conf.span(*lines[-1].span(1)) if lines else conf.span(0, 0)
    return path, at


def doubts_about(
    folder: str, inputs: ClassifierFields, files: tuple[str, ...]
) -> tuple[Diagnostic, ...]:
    """Warnings about a program that is empty; one of classes from elsewhere may well be."""
    missing = once(("named manifest", folder), lambda: named_manifest(folder))
    if missing is not None:
        path, at = missing
        return (codes.NO_MANIFEST.at(at, message=f"there is no manifest {path}"),)
    if files or inputs.classes or inputs.classes_file or not is_folder(folder):
        return ()  # a folder that is not there is told of already
    at = Source(folder, "").span(0, 0)
    return (codes.NO_MANIFEST.at(at, message=f"{folder} holds no manifests"),)
