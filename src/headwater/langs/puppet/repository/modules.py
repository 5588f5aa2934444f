"""The modules of an environment: installed ones, compared with Puppetfile and metadata.json."""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from headwater.langs.codes import unread
from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.inputs import read_inputs
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.files import kept_source
from headwater.langs.puppet.program.puppetfile import Named, Puppetfile, read_puppetfile
from headwater.langs.puppet.types.refusals import BadVersion
from headwater.langs.puppet.types.versions import intervals, parse_version
from headwater.report import Diagnostic
from headwater.text import Source, Span, Unreadable
from headwater.text.reading import Unread, is_folder, names_in
from headwater.tree.json import BadJson, read_json


class Installed(msgspec.Struct, frozen=True):
    """A module in a folder of the modulepath."""

    name: str
    folder: str
    metadata: Source | None
    version: str | None
    wants: tuple[tuple[str, str | None], ...]
    """The modules it needs, each with the range of versions."""


def module_findings(given: Fields) -> Iterator[Diagnostic]:
    """Modules that are named and absent, installed and unnamed, or of another version."""
    if given.env is None:
        return
    puppetfile = read_puppetfile(given.env)
    try:
        installed = installed_modules(given)
    except Unread as why:
        yield unread(why, why.path, Source(why.path, "").span(0, 0))
        return
    if isinstance(puppetfile, Puppetfile):  # `tidy` tells of one that cannot be read
        yield from puppetfile.doubts
        yield from _against_puppetfile(puppetfile, installed, given.env)
    for module in installed.values():
        yield from _dependencies(module, installed)


def installed_modules(given: Fields) -> dict[str, Installed]:
    """The modules of the modulepath by name; of two of one name the first counts."""
    found: dict[str, Installed] = {}
    alone = Fields(env=given.env, modulepath=given.modulepath, env_modulepath=given.env_modulepath)
    try:
        modulepath = read_inputs(alone, {}).modulepath
    except (Fault, Problem):
        return {}  # whoever is compiled is told
    for folder in modulepath:
        for name in names_in(folder):
            path = os.path.join(folder, name)
            if name not in found and name[:1].isalpha() and is_folder(path):
                found[name] = _installed(name, path)
    return found


def _installed(name: str, folder: str) -> Installed:
    nothing = Installed(name, folder, None, None, ())
    try:
        source = kept_source(os.path.join(folder, "metadata.json"))
    except (Fault, Problem):
        return nothing
    if isinstance(source, Unreadable):
        return nothing  # whoever is compiled is told
    try:
        data = read_json(source.text)
    except BadJson:
        data = None  # told when the module is used
    data = data if isinstance(data, dict) else {}
    version = data.get("version")
    listed = data.get("dependencies")
    wants = [_wanted(one) for one in listed] if isinstance(listed, list) else []
    shown = version if isinstance(version, str) else None
    return Installed(name, folder, source, shown, tuple(filter(None, wants)))


def _wanted(one: object) -> tuple[str, str | None] | None:
    if not isinstance(one, dict) or not isinstance(one.get("name"), str):
        return None
    wanted = one.get("version_requirement")
    return one["name"], wanted if isinstance(wanted, str) else None


def _against_puppetfile(
    puppetfile: Puppetfile, installed: dict[str, Installed], env: str
) -> Iterator[Diagnostic]:
    for named in puppetfile.modules.values():
        module = installed.get(named.name)
        if module is None:
            yield codes.MODULE_ABSENT.at(named.at, module=named.name)
        elif named.version is not None and module.version is not None:
            yield from _version(module, named)
    around = os.path.abspath(os.path.join(env, puppetfile.moduledir))
    for module in installed.values():
        here = os.path.dirname(os.path.abspath(module.folder)) == around
        if here and module.name not in puppetfile.modules:
            at = (module.metadata or Source(module.folder, "")).span(0, 0)
            yield codes.MODULE_UNNAMED.at(at, module=module.name)


def _version(module: Installed, named: Named) -> Iterator[Diagnostic]:
    if module.version != named.version:
        yield codes.MODULE_VERSION.at(
            named.at, module=module.name, version=module.version, wanted=named.version
        )


def _dependencies(module: Installed, installed: dict[str, Installed]) -> Iterator[Diagnostic]:
    """Modules that a module needs, and that are absent or of a version outside of its range."""
    assert module.metadata is not None or not module.wants
    for full, wanted in module.wants:
        assert module.metadata is not None
        short = full.replace("-", "/").partition("/")[2] or full
        other = installed.get(short)
        at = _place(module.metadata, full)
        if other is None:
            help = f"module {module.name} needs it"
            yield codes.MODULE_ABSENT.at(at, module=short, help=help)
        elif wanted is not None and other.version is not None and not fits(other.version, wanted):
            yield codes.MODULE_VERSION.at(at, module=short, version=other.version, wanted=wanted)


def fits(version: str, wanted: str) -> bool:
    """Whether a version is in a range; what cannot be read fits."""
    try:
        number = parse_version(version)
        return any(one.holds(number) and one.allows(number) for one in intervals(wanted))
    except BadVersion:
        return True


def _place(source: Source, name: str) -> Span:
    """Where a module is named in the metadata of another."""
    quoted = f'"{name}"'
    at = source.text.find(quoted)
    return source.span(at, at + len(quoted)) if at >= 0 else source.span(0, 0)
