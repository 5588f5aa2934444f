"""What can be told of a text without compiling it: facts that are gone, keys, numbers in quotes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from headwater.langs.protocol import TextEdit
from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.legacy import brackets, instead, is_legacy, structured
from headwater.langs.puppet.levels import EIGHT, SEVEN
from headwater.langs.puppet.syntax import ast, parse, validate
from headwater.langs.puppet.syntax.literals import literal
from headwater.langs.puppet.types.arithmetic import number_of
from headwater.report import Diagnostic
from headwater.text import Source, Span

_NEVER_FACTS = frozenset(
    ["facts", "trusted", "server_facts", "environment", "title", "name", "module_name",
     "serverversion", "servername", "serverip", "caller_module_name"]
)  # fmt: skip
_ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "<<", ">>"])


class Wanted(msgspec.Struct, frozen=True):
    """A finding, and the edits that may mend it."""

    diagnostic: Diagnostic
    edits: tuple[TextEdit, ...] = ()
    fact: str | None = None
    """The fact that the edits read in another way, if they do."""


def wanted_in(source: Source, facts: frozenset[str], tops: frozenset[str]) -> list[Wanted]:
    """The findings of one text; `facts` are known names of facts, `tops` variables of the top."""
    parsed = parse(source)
    if not parsed.ok:
        return []
    found = [
        Wanted(d)
        for d in validate(parsed.program, None, EIGHT)
        if d.code == codes.COMPUTED_TYPE.name
    ]
    walk = _Walk(source, facts, tops)
    walk.nodes(parsed.program.body, frozenset(), inherits=False)
    return [*found, *walk.found]


def top_variables(source: Source) -> Iterator[str]:
    """The variables that a main manifest assigns at the top or in a node."""
    parsed = parse(source)
    for node in parsed.program.body if parsed.ok else ():
        yield from _assigned(node, deep=isinstance(node, ast.Node))


def _assigned(node: ast.Record, *, deep: bool = False) -> Iterator[str]:
    """The names of variables that are assigned in a node, definitions apart."""
    if isinstance(node, ast.ClassDef | ast.Define | ast.Function | ast.Node) and not deep:
        return
    if isinstance(node, ast.Assignment):
        for target in node.left.items if isinstance(node.left, ast.Array) else [node.left]:
            if isinstance(target, ast.Variable):
                yield target.name
    for part in ast.children(node):
        yield from _assigned(part)


class _Walk:
    """A walk through a tree that knows which names are variables of the program's own."""

    def __init__(self, source: Source, facts: frozenset[str], tops: frozenset[str]) -> None:
        self.source = source
        self.facts = facts
        self.tops = tops
        self.found: list[Wanted] = []

    def nodes(self, nodes: Iterable[ast.Record], own: frozenset[str], *, inherits: bool) -> None:
        for node in nodes:
            self.node(node, own, inherits)

    def node(self, node: ast.Record, own: frozenset[str], inherits: bool) -> None:
        match node:
            case ast.ClassDef() | ast.Define() | ast.Function() | ast.Lambda() | ast.Epp():
                params = [param.name for param in node.params or ()]
                own = own | {*params, *(n for part in node.body for n in _assigned(part))}
                inherits = inherits or getattr(node, "parent", None) is not None
            case ast.Embedded(value=ast.Variable() as variable) if self._bare(node, variable):
                self.variable(variable, own, inherits, bare=True)
                return
            case ast.Variable():
                self.variable(node, own, inherits)
            case ast.Access(
                left=ast.Variable(name="facts" | "::facts") as left,
                keys=[ast.String(value=name) | ast.Name(value=name)],
            ) if is_legacy(name):
                path = structured(name)
                text = None if path is None else f"{self.text(left)}{brackets(path)}"
                self.legacy(name, node, text)
                return
            case ast.Method(
                receiver=ast.Variable(name="facts" | "::facts") as left,
                function=ast.Name(value="get" | "dig" as how),
                args=[ast.String(value=name), *_],
            ) if is_legacy(name):
                self.looked_up(name, how, node.args[0])
            case ast.Call(
                function=ast.Name(value="get" | "dig" as how),
                args=[ast.Variable(name="facts" | "::facts"), ast.String(value=name), *_],
            ) if is_legacy(name):
                self.looked_up(name, how, node.args[1])
            case ast.Call(function=ast.Name(value="getvar"), args=[ast.String(value=name), *_]) if (
                is_legacy(name.removeprefix("facts.").removeprefix("::"))
            ):
                name = name.removeprefix("facts.").removeprefix("::")
                if name not in own and name not in self.tops:
                    path = structured(name)
                    text = None if path is None else f"'{'.'.join(map(str, ('facts', *path)))}'"
                    self.legacy(name, node.args[0], text)
            case ast.Hash():
                self.keys(node)
            case ast.Binary(op=op) if op in _ARITHMETIC:
                self.numbers(node)
            case ast.Minus(value=ast.String() as text) if number_of(text.value) is not None:
                self.number(node, [text])
        for part in ast.children(node):
            self.node(part, own, inherits)

    def text(self, node: ast.Placed) -> str:
        return self.source.text[node.start : node.end]

    def span(self, node: ast.Placed) -> Span:
        return Span(self.source, node.start, node.end)

    def _bare(self, outer: ast.Placed, variable: ast.Placed) -> bool:
        """Whether a variable stands in a string without braces: ``"$x"``."""
        text = self.source.text
        return text[variable.start] == "$" and text[variable.start - 1] != "{" and (
            outer.end == variable.end
        )  # fmt: skip

    # -- facts -----------------------------------------------------------------------------------

    def variable(
        self, node: ast.Variable, own: frozenset[str], inherits: bool, *, bare: bool = False
    ) -> None:
        name = node.name.removeprefix("::")
        at_top = name != node.name
        if "::" in name or name in self.tops or name in _NEVER_FACTS:
            return
        if not at_top and (name in own or inherits):
            return
        if is_legacy(name):
            path = structured(name)
            text = None if path is None else self.entry(node, brackets(path), bare)
            self.legacy(name, node, text)
        elif at_top and name in self.facts:
            edit = TextEdit(self.span(node), self.entry(node, f"['{name}']", bare))
            help = f"write $facts['{name}']"
            told = codes.TOP_SCOPE_FACT.at(self.span(node), name=f"${node.name}", help=help)
            self.found.append(Wanted(told, (edit,), name))

    def entry(self, node: ast.Variable, path: str, bare: bool) -> str:
        """An entry of the facts, written as the variable was."""
        if bare:
            return f"${{facts{path}}}"
        return f"$facts{path}" if self.source.text[node.start] == "$" else f"facts{path}"

    def legacy(self, name: str, node: ast.Placed, text: str | None) -> None:
        told = codes.LEGACY_FACT.at(self.span(node), name=name, help=f"use {instead(name)}")
        edits = () if text is None else (TextEdit(self.span(node), text),)
        self.found.append(Wanted(told, edits, name))

    def looked_up(self, name: str, how: str, node: ast.Placed) -> None:
        path = structured(name)
        joined = "', '" if how == "dig" else "."
        quoted = None if path is None else f"'{joined.join(map(str, path))}'"
        self.legacy(name, node, quoted)

    # -- keys and numbers ------------------------------------------------------------------------

    def keys(self, node: ast.Hash) -> None:
        """Keys that are different at level 7 and the same at level 8."""
        seen: dict[object, ast.Expr] = {}
        for entry in node.entries:
            key = literal(entry.key, EIGHT)
            if key is None:
                continue
            first: ast.Expr = seen.setdefault(key, entry.key)
            if first is entry.key:
                continue
            plain = literal(entry.key, SEVEN)
            if plain is not None and plain == literal(first, SEVEN):
                told = codes.LEVEL_REFUSES.at(
                    self.span(entry), message=f"the key {self.text(entry.key)} is written twice"
                )
                self.found.append(Wanted(told))
                continue
            wide = entry.key if plain is None else first
            edit = TextEdit(self.span(wide), self.narrow(wide))
            told = codes.WIDER_KEY.at(
                self.span(entry), key=self.text(entry.key), help=f"write {edit.text}"
            )
            self.found.append(Wanted(told, (edit,)))

    def narrow(self, key: ast.Expr) -> str:
        """A key so that level 8 does not take it for a literal."""
        match key:
            case ast.Access(left=left, keys=[ast.String(value=word)]) if (
                not isinstance(left, ast.TypeName) and word.isidentifier()
            ):
                return f"{self.text(left)}.get({self.text(key.keys[0])})"
        return f"({self.text(key)})"

    def numbers(self, node: ast.Binary) -> None:
        """Texts that spell numbers, where both sides are written out."""
        sides = [node.left, node.right]
        texts = [s for s in sides if isinstance(s, ast.String) and number_of(s.value) is not None]
        if texts and all(s in texts or isinstance(s, ast.Integer | ast.Float) for s in sides):
            self.number(node, texts)

    def number(self, node: ast.Placed, texts: list[ast.String]) -> None:
        message = "a text is not taken for a number there"
        edits = tuple(TextEdit(self.span(text), text.value.strip()) for text in texts)
        told = codes.LEVEL_REFUSES.at(
            self.span(node), message=message, help=f"write {edits[0].text}"
        )
        self.found.append(Wanted(told, edits))
