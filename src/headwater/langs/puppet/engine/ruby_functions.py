"""Functions of modules that are written in Ruby: loading their files, calling them.

A file is loaded with the first call of what it defines, or when another requires it; one machine
runs all of them (`engine.ruby`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, function_named
from headwater.langs.puppet.engine.ruby import A_STEP, RubyHost, Unknown, known
from headwater.langs.puppet.engine.ruby_blocks import RubyBlock
from headwater.langs.puppet.engine.steps import spend_unplaced
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import look, refused
from headwater.langs.puppet.record.frames import Entered, Frame
from headwater.langs.puppet.ruby import functions3, functions4, puppet_types, resources, settings
from headwater.langs.puppet.ruby.classes import BUILTIN
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.functions import OldFunction, functions_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.syntax import Program
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import Class, Proc, Raised
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.model import Lookup, Type
from headwater.langs.puppet.types.resolution import parse_type
from headwater.langs.puppet.values import Opaque, opaque_in
from headwater.report import Note
from headwater.text import Source, Span, read_source
from headwater.text import Unreadable as UnreadFile

assert puppet_types.__all__ and resources.__all__ and settings.__all__

_TEXTS: dict[str, tuple[int, int, Source, Program]] = {}
"""Texts of Ruby that have been read, with size and time of change of their files."""

_STANDARD: Final = frozenset(
    "base64 bigdecimal benchmark cgi csv date delegate digest digest/md5 digest/sha1 digest/sha2 "
    "english erb etc facter fileutils find forwardable hiera ipaddr json logger matrix net/http "
    "net/https observer open-uri open3 openssl optparse ostruct pathname pp prime psych pstore "
    "puppet rbconfig resolv ripper rubygems securerandom set shellwords singleton socket stringio "
    "strscan tempfile time timeout tmpdir tsort uri weakref yaml zlib".split()
)
"""Libraries of Ruby: what they bring is there anyway, or refused where it is used."""

BUILT_IN_OLD: Final = frozenset(
    "create_resources defined digest fail file fqdn_rand generate hiera hiera_array hiera_hash "
    "hiera_include include inline_template md5 realize regsubst require scanf sha1 sha256 "
    "shellquote split sprintf tag tagged template versioncmp alert crit debug emerg err info "
    "notice warning".split()
)
"""Puppet's own functions of the older API."""


def library_of(compilation: Compilation) -> FunctionHost:
    """The host of a compilation, made with the first Ruby that runs."""
    services = compilation.services
    if services.ruby is None:
        services.ruby = FunctionHost(compilation)
    found: FunctionHost = services.ruby
    return found


class FunctionHost(RubyHost):
    """What functions in Ruby ask of the compilation (see `ruby.functions.Compiler`)."""

    def __init__(self, compilation: Compilation) -> None:
        super().__init__(compilation)
        self.compilation = compilation
        self.sources: dict[str, Source] = {}
        self.loaded: set[str] = set()
        self.told: set[tuple[str, str]] = set()

    # -- running ---------------------------------------------------------------------------------

    @property
    def caller(self) -> Call:
        """The call that Ruby runs for."""
        return self._calls[-1]

    def run(self, call: Call, work: Callable[[], Any]) -> Any:
        """Runs Ruby for a call; its errors become problems of the call."""
        with self.during(call) as machine:
            try:
                return work()
            except Raised as raised:
                raise self._problem(raised) from None
            except Unreadable as error:
                message = f"syntax error: {error.message}"
                raise Problem(codes.RUBY_FAILED, message=message, labels=self._here()) from None
            except Exhausted as error:
                if machine.steps < 0:
                    self.compilation.work.left = -1
                    spend_unplaced(self.compilation.work, 0)
                raise Problem(codes.RUBY_BOUND, bound=str(error), labels=self._here()) from None
            except RecursionError:
                raise Problem(codes.RUBY_BOUND, bound="nesting", labels=self._here()) from None
            except Beyond as beyond:
                if beyond.where is None:
                    file, offset = machine.at
                    beyond.where = (file, offset if beyond.at is None else beyond.at)
                raise

    def _problem(self, raised: Raised) -> Problem | Fault:
        """The refusal that an error of Ruby's is."""
        refused = raised.refused
        if isinstance(refused, Problem | Fault):
            return refused
        message = self.machine.text(self.machine.send(raised.error, "message", []))
        problem = Problem(codes.RUBY_FAILED, message=message, labels=self._here())
        problem.raised = raised
        return problem

    def back(self, run: Callable[[], Any]) -> Any:
        """Runs Ruby inside of a function that Ruby called."""
        machine, budget = self.machine, self.compilation.work
        machine.steps = budget.left // A_STEP
        try:
            return run()
        finally:
            budget.left = max(machine.steps, 0) * A_STEP

    def _here(self) -> list[Note]:
        span = self.place()
        return [] if span is None else [Note("raised here", span)]

    def place(self) -> Span | None:
        """Where Ruby is."""
        file, offset = self.machine.at
        source = self.sources.get(file)
        return None if source is None else source.span(offset, offset)

    # -- what all Ruby asks ----------------------------------------------------------------------

    def known(self, machine: Machine, path: str) -> Any:
        return BUILTIN.get(path)

    def require(self, machine: Machine, name: str, relative_to: str | None) -> bool:
        tail = name if name.endswith(".rb") else f"{name}.rb"
        if os.path.isabs(tail):
            found = tail if self._inside(tail) and look(tail) is not None else None
        else:
            folders = [os.path.join(f, "lib") for f in self._folders()]
            if relative_to:
                folders.insert(0, os.path.dirname(relative_to))
            paths = (os.path.normpath(os.path.join(folder, tail)) for folder in folders)
            found = next((p for p in paths if self._inside(p) and look(p) is not None), None)
        if found is not None:
            return self.load(found)
        plain = name.removesuffix(".rb").lower()
        if plain in _STANDARD or plain.startswith(("puppet/", "facter/", "digest/", "uri/")):
            return False
        if "/" in name and not plain.startswith(("net/", "openssl/")):
            raise machine.error("LoadError", f"cannot load such file -- {name}")
        raise Beyond(f"require '{name}'")

    def _folders(self) -> list[str]:
        modules = self.compilation.program.modules
        return [*modules.folders.values(), *([modules.env] if modules.env else [])]

    def _inside(self, path: str) -> bool:
        """Whether a file is a module's own."""
        real = os.path.realpath(path)
        return any(real.startswith(os.path.realpath(folder) + os.sep) for folder in self._folders())

    # -- what functions ask ----------------------------------------------------------------------

    def load(self, path: str) -> bool:
        """Runs a file of a module once; whether it was not loaded before."""
        if path in self.loaded:
            return False
        self.loaded.add(path)
        source, tree = _read(path)
        self.sources[path] = source
        at = self.machine.at
        self.machine.at = (path, 0)
        run(self.machine, tree, path)
        self.machine.at = at
        return True

    def parse_type(self, text: str, local: Lookup | None = None) -> Type:
        types = self.compilation.services.types

        def lookup(name: str) -> Any:
            found = None if local is None else local(name)
            return types.lookup(name) if found is None else found

        return parse_type(text, lookup)

    def run_lambda(self, block: Any, args: list[Any]) -> Any:
        """Calls a lambda of Puppet."""
        return self._outside(lambda: block(*args))

    def lambda_of(self, block: Proc) -> RubyBlock:
        """A block of Ruby as a lambda of Puppet."""
        return RubyBlock(block, self)

    def call_from(self, caller: Any, name: str, args: list[Any], block: Proc | None) -> Any:
        call = Call(caller.frame, caller.unit, caller.node, name)
        functions = self.compilation.services.functions
        passed = None if block is None else RubyBlock(block, self)
        given = [from_ruby(arg) for arg in args]

        def work() -> Any:
            function = functions.get(name)
            if function is None:
                function = function_named(self.compilation, name, call.unit, call.node)
            return function(call, given, passed)

        return to_ruby(self._outside(work))

    def _outside(self, work: Callable[[], Any]) -> Any:
        """Does something that Puppet does; what it refuses is an error of Ruby's."""
        machine, budget = self.machine, self.compilation.work
        budget.left = max(machine.steps, 0) * A_STEP
        try:
            value = work()
        except Problem as problem:
            if problem.raised is not None:
                raise problem.raised from None
            name = "ArgumentError" if problem.code is codes.MISTYPED else "Puppet::ParseError"
            raised = machine.error(name, str(problem.fields.get("message", problem.code.name)))
            raised.refused = problem
            raise raised from None
        except Fault as fault:
            raised = machine.error("Puppet::PreformattedError", fault.diagnostic.message)
            raised.refused = fault
            raise raised from None
        finally:
            machine.steps = budget.left // A_STEP
        return known(value)

    # -- what is there ---------------------------------------------------------------------------

    @property
    def environment(self) -> str:
        return str(self.compilation.inputs.settings.get("environment", "production"))

    def setting(self, name: str) -> Any:
        if name == "strict":
            return self.compilation.messages.strict
        if name == "strict_variables":
            return self.compilation.messages.strict_variables
        if name == "environment":
            return self.environment
        return None

    def ruby_place(self) -> str:
        span = self.place()
        file, _ = self.machine.at
        return file if span is None else f"{file}:{span.first.line}"

    def stack(self) -> list[tuple[str, int]]:
        return stack_of(self.caller)

    def resource_type(self, name: str) -> str | None:
        try:
            return self.compilation.services.types.resource(name)[0]
        except Problem:
            return self.class_named(name)

    def class_named(self, name: str) -> str | None:
        found = self.compilation.program.find_class(name)
        return None if found is None else found.name

    def resources(self) -> list[Resource]:
        self.caller.external("query", "catalog.resources")
        return self.compilation.catalog.resources

    def find_resource(self, type_: str, title: str) -> Resource | None:
        self.caller.external("query", "findresource()")
        return self.compilation.catalog.find(type_, title)

    def parameter(self, resource: Resource, name: str) -> Any:
        self.caller.read("parameter", f"{resource.ref}[{name}]", None, (resource, name))
        return known(resource.value(name))

    def resource_of(self, caller: Any) -> Resource | None:
        found: Resource | None = caller.frame.scope.resource
        return found

    def call_old(self, caller: Any, name: str, args: list[Any]) -> Any:
        found = functions_of(self.machine).old.get(name)
        if found is None:
            return self.call_from(caller, name, args, None)
        return functions3.run_old(self.machine, found, caller, args)

    def has_old(self, name: str) -> bool:
        if name in functions_of(self.machine).old or name in BUILT_IN_OLD:
            return True
        path = self.compilation.program.modules.old_function(name)
        if path is None:
            return False
        self.load(path)
        return name in functions_of(self.machine).old


def _read(path: str) -> tuple[Source, Program]:
    about = look(path)
    stamp = (0, 0) if about is None else (about.st_size, about.st_mtime_ns)
    kept = _TEXTS.get(path)
    if kept is not None and kept[:2] == stamp:
        return kept[2], kept[3]
    source = read_source(path)
    if isinstance(source, UnreadFile):
        raise refused(source, path)
    tree = tree_of(source)
    _TEXTS[path] = (*stamp, source, tree)
    return source, tree


def stack_of(call: Call) -> list[tuple[str, int]]:
    """The calls that are inside each other; the program itself is the last of them."""
    found: list[tuple[str, int]] = [(call.unit.name, call.unit.line(call.node))]
    record, frame = call.compilation.record, call.frame
    while True:
        at: Frame | None = frame
        while at is not None and not isinstance(at.origin, Entered):
            at = at.up
        if at is not None:
            entered = at.origin
            found.append((entered.unit.name, entered.unit.line(entered.node)))
            frame = entered.frame
            continue
        scope = frame.scope
        if scope is record.top:
            return [*found, (call.compilation.program.units[0].name, 0)]
        acts = record.declarations.get(scope.source.name, ())
        if scope.source.kind != "class" or not acts or not isinstance(acts[0].node, ast.Call):
            return found
        found.append((acts[0].unit.name, acts[0].unit.line(acts[0].node)))
        frame = acts[0].frame


def ruby_function(compilation: Compilation, name: str, path: str) -> Callable[..., Any]:
    """A function of a module that is written in Ruby, as the compiler calls it."""
    host = library_of(compilation)

    def written_in_ruby(call: Call, args: Sequence[Any], block: Any) -> Any:
        if compilation.work.opaque:
            for item in args:
                found = opaque_in(item)
                if found is not None:
                    return _unknown(call, name, path, found)
        try:
            return host.run(call, lambda: _call(host, call, name, path, list(args), block))
        except Beyond as beyond:
            return _beyond(host, call, name, path, beyond)
        except Unknown as unknown:
            return _unknown(call, name, path, unknown.value)

    return written_in_ruby


def _call(host: RubyHost, call: Call, name: str, path: str, args: list[Any], block: Any) -> Any:
    found = _loaded(host, name, path)
    if isinstance(found, OldFunction):
        return functions3.call_old(host.machine, found, call, args)
    return functions4.call_new(host.machine, found, call, args, block)


def _loaded(host: RubyHost, name: str, path: str) -> Class | OldFunction:
    """The function that a file defines, loaded with the first call."""
    functions = functions_of(host.machine)
    old = f"{os.sep}parser{os.sep}" in path
    table: dict[str, Any] = functions.old if old else functions.new
    if name not in table:
        host.load(path)
    found = table.get(name)
    if found is None:
        raise host.machine.error(
            "ArgumentError", f"The code loaded from {path} does not define the function {name}"
        )
    assert isinstance(found, Class | OldFunction)
    return found


def _beyond(host: RubyHost, call: Call, name: str, path: str, beyond: Beyond) -> Opaque:
    """What of Ruby is not run here: refused, or unknown."""
    compilation = host.compilation
    file, offset = beyond.where or (path, 0)
    source = host.sources.get(file) or _read(path)[0]
    span = source.span(offset, offset)
    if compilation.inputs.on_unknown != "opaque":
        where = f"{os.path.relpath(source.name, _module_of(source.name))}:{span.first.line}"
        raise Problem(
            codes.RUBY_BEYOND, construct=beyond.construct, where=where,
            labels=[Note("not run here", span)],
        ) from None  # fmt: skip
    return _unknown(call, name, path, Opaque(f"{name}()"))


def _module_of(path: str) -> str:
    head, found, _ = path.rpartition(f"{os.sep}lib{os.sep}")
    return head if found else os.path.dirname(path)


def _unknown(call: Call, name: str, path: str, why: Opaque) -> Opaque:
    compilation = call.compilation
    compilation.work.opaque = True
    compilation.messages.warn(codes.OPAQUE_VALUE, call.span, what=f"{name}()")
    call.external("unknown", f"{name}()", path)
    if getattr(call.node, "statement", False):
        call.undecide(why)
    return why
