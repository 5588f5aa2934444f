"""Whether a folder that stands for a program has any manifests, and what is doubtful if not."""

from __future__ import annotations

import os

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.environment_conf import environment_conf
from headwater.langs.puppet.fields import ClassifierFields
from headwater.langs.puppet.files import exists, is_folder
from headwater.report import Diagnostic
from headwater.text import Source, Span
from headwater.text.moment import once


def named_manifest(folder: str) -> tuple[str, Span] | None:
    """The manifest that ``environment.conf`` names although it is not there, and where."""
    named = environment_conf(folder).get("manifest")
    if named is None:
        return None
    path = os.path.join(folder, named.value)
    return None if exists(path) else (path, named.place)


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
