"""Files of Ruby that modules bring: loaded once per compilation, when something needs them."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, Final

from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import is_function
from headwater.langs.puppet.files import Stamp, look, refused, stamp_of
from headwater.langs.puppet.program.ruby_files import libraries_in
from headwater.langs.puppet.ruby.classes import BUILTIN
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.functions import functions_of
from headwater.langs.puppet.ruby.functions3 import check_result, check_text
from headwater.langs.puppet.ruby.lasting import bring_back, keep, kept
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.syntax import Program
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import Class, RubyValue
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.reading import real_path

_TEXTS: dict[str, tuple[Stamp, Source, Program]] = {}
"""Texts of Ruby that have been read, with the states of their files."""

_SOUND: dict[str, Program] = {}
"""Files of the older API that were looked at and found to be such."""

_LIBRARIES: Final = (
    "base64 bigdecimal benchmark cgi csv date delegate digest english erb etc facter fileutils "
    "find forwardable hiera ipaddr json logger matrix net/http net/https observer open-uri "
    "open3 openssl optparse ostruct pathname pp prime psych pstore puppet rbconfig resolv "
    "ripper puppet_x rubygems securerandom set shellwords singleton socket stringio strscan "
    "tempfile time timeout tmpdir tsort uri weakref yaml zlib"
)
STANDARD: Final = frozenset(_LIBRARIES.split())
"""Libraries of Ruby: what they bring is there anyway, or refused where it is used."""

_OLD: Final = (
    "contain create_resources digest fail file fqdn_rand generate include inline_template md5 "
    "realize require scanf sha1 sha256 shellquote sprintf tag tagged template versioncmp alert "
    "crit debug emerg err info notice warning"
)
BUILT_IN_OLD: Final = frozenset(_OLD.split())
"""Puppet's own functions that can be called by the older API."""

_SILENT: Final = (
    "contain create_resources fail include realize require tag alert crit debug emerg err info "
    "notice warning"
)
STATEMENTS: Final = frozenset(_SILENT.split())
"""Those of them that give nothing, whatever the newer API makes of them."""

_NEW: Final = (
    "assert_type binary_file break defined dig each epp filter find_file hiera hiera_array "
    "hiera_hash hiera_include inline_epp lest lookup map match new next reduce regsubst return "
    "reverse_each slice split step strftime then type with"
)
BUILT_IN_NEW: Final = frozenset(_NEW.split())
"""Puppet's own functions that the older API knows only to refuse them."""


class RubyFiles:
    """The files of Ruby of one compilation."""

    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation
        self.machine: Machine
        self.again = False
        """Whether the machine has served another compilation: this one may not be the last."""
        self.asked_types = 0
        """How often it was asked what a name of a type means that Puppet does not have itself."""
        self.sources: dict[str, Source] = {}
        """Texts by the name they are shown by."""
        self.trees: dict[str, Program] = {}
        """The files that are loaded."""
        self.required: dict[str, set[str]] = {}
        """The files that each file has loaded."""
        self.ran: dict[tuple[str, frozenset[Any]], frozenset[Span]] = {}
        """Pieces of text by what ran of a file, while no file has loaded another."""
        self._looked_at: set[str] = set()
        """The files of the older API that were looked at before they were run."""
        modules = compilation.program.modules
        self._folders = [*modules.folders.values(), *([modules.env] if modules.env else [])]
        self.noted: set[Any] = set()
        """The calls of which it is noted what they read of Ruby, each with what that was."""

    def load(self, path: str, by: str | None = None) -> bool:
        """Runs a file of a module once; whether it was not loaded before."""
        if by is not None and by != path:
            self.required.setdefault(by, set()).add(path)
        if path in self.trees:
            return False
        self._run(path)
        return True

    def load_old(self, name: str, path: str) -> None:
        """Loads a function of the older API for a program; Puppet looks at such files first."""
        if path in self._looked_at:
            return
        source, tree = text_of(path)
        self.sources[path] = source
        if _SOUND.get(path) is not tree:
            check_text(self.machine, path, source.text, tree)
            _SOUND[path] = tree
        self._looked_at.add(path)
        if name not in functions_of(self.machine).old and path not in self.trees:
            check_result(self.machine, path, name, self._run(path))

    def _run(self, path: str) -> RubyValue:
        """What a file gives."""
        source, tree = text_of(path)
        self.sources[path] = source
        self.trees[path] = tree
        machine = self.machine
        at = machine.at
        machine.at = (path, 0)
        known = kept(machine, path, tree)
        if known is not None:
            for name in known.definition.required:
                self.require(machine, name, path, beside=False)
            result = bring_back(machine, known)
        else:
            loaded, asked, steps = len(self.trees), self.asked_types, machine.steps
            result = run(machine, tree, path)
            if self.again and (loaded, asked) == (len(self.trees), self.asked_types):
                keep(machine, path, tree, result, steps - machine.steps)
        machine.at = at
        return result

    def known(self, machine: Machine, path: str) -> Class | None:
        """A class or module of Ruby or Puppet, which a file goes on with."""
        return BUILTIN.get(path)

    def require(self, machine: Machine, name: str, by: str, *, beside: bool) -> bool:
        """Loads a file of a module, named from `beside` the file it is required by, or from the
        folders of libraries; whether it was new."""
        tail = name if name.endswith(".rb") else f"{name}.rb"
        plain = name.removesuffix(".rb").lower()
        if plain in STANDARD and not beside:
            return False
        found: str | None = None
        if beside or os.path.isabs(tail):
            path = os.path.normpath(os.path.join(os.path.dirname(by), tail))
            found = path if self._is_there(path) else None
        else:
            found = self._in_a_library(tail)
        if found is not None:
            return self.load(found, by)
        first = plain.partition("/")[0]
        if first in ("puppet", "facter", "digest", "uri", "hiera", "json"):
            return False
        if "/" in name and first not in ("net", "openssl", "hocon"):
            raise machine.error("LoadError", f"cannot load such file -- {name}")
        raise Beyond(f"require '{name}'")

    @cached_property
    def _own(self) -> tuple[str, ...]:
        """What the paths of files that are modules' own begin with, as they are named."""
        return tuple(folder + os.sep for folder in self._folders)

    @cached_property
    def _really_own(self) -> tuple[str, ...]:
        """The same for their real paths."""
        return tuple(real_path(folder) + os.sep for folder in self._folders)

    def _in_a_library(self, tail: str) -> str | None:
        """The first file of a name in the folders ``lib`` of the modules."""
        if os.path.normpath(tail) == tail and os.pardir not in tail.split(os.sep):
            paths = libraries_in(tuple(self._folders), os.path.dirname(tail)).get(tail, ())
            there = (path for path in paths if look(path) is not None and self.is_own(path))
        else:
            named = (os.path.normpath(os.path.join(f, "lib", tail)) for f in self._folders)
            there = (path for path in named if self._is_there(path))
        return next(there, None)

    def _is_there(self, path: str) -> bool:
        """Whether there is such a file that is a module's own; no others are looked at."""
        if not path.startswith(self._own) and not self.is_own(path):
            return False
        return look(path) is not None and self.is_own(path)

    def is_own(self, path: str) -> bool:
        """Whether a file is a module's own, wherever links lead."""
        real = real_path(path)
        named = next((own for own in self._own if path.startswith(own)), None)
        if named is not None and real.startswith(real_path(named[:-1]) + os.sep):
            return True  # as nearly always: the other modules need not be looked for
        return real.startswith(self._really_own)

    def has_function(self, name: str, *, old: bool) -> bool:
        """Whether there is a function of a name; `old`: one that ``function_x`` can call."""
        if not old:
            return is_function(self._compilation, name)
        return name in BUILT_IN_OLD or name in BUILT_IN_NEW or self.old_function(name)

    def file_of_old(self, name: str) -> str | None:
        """The file of a function of the older API, if it was loaded."""
        found = functions_of(self.machine).old.get(name)
        return None if found is None else found.file

    def old_function(self, name: str) -> bool:
        """Whether a module has a function of the older API, which is loaded then."""
        functions = functions_of(self.machine)
        if name in functions.old:
            return True
        path = self._compilation.program.modules.old_function(name)
        if path is None:
            return False
        self.load(path, self.machine.at[0])
        return name in functions.old


def text_of(path: str) -> tuple[Source, Program]:
    """The text of a file, and its tree."""
    now = stamp_of(path)
    kept = _TEXTS.get(path)
    if kept is not None and kept[0] == now:
        return kept[1], kept[2]
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise refused(source, path)
    tree = tree_of(source)
    _TEXTS[path] = (now, source, tree)
    return source, tree
