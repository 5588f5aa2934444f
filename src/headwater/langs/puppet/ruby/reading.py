"""A text of Ruby being read: statements, lists, targets, parameters and texts.

tree-sitter gives the shape; what is decided here is what Ruby decides while it reads:
which lone names are variables, which heredoc belongs to which mark, what escapes stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from headwater.langs.puppet.ruby import literals
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from headwater.langs.puppet.ruby.variables import Scope

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from headwater.langs.puppet.ruby.grammar import Patience

DEEPEST: Final = 400
"""How deep an expression may be nested."""

SILENT: Final = frozenset({"comment", "empty_statement", "heredoc_body", "uninterpreted"})

REST: Final = "...rest"
KEYS: Final = "...keys"
"""The variables that ``(...)`` makes; no program can name them."""

REFUSED: Final = {
    "subshell": "`…` (a program)",
    "begin_block": "BEGIN",
    "end_block": "END",
    "undef": "undef",
    "complex": "a complex number",
    "encoding": "__ENCODING__",
    "hash_splat_nil": "**nil",
}


_CLOSED: Final = re.compile(rb"[\w)\]}\"'?!]<<\Z")
"""What stands before the name of a mark, if it is none."""


def is_shift(body: bytes, mark: Tree) -> bool:
    """Whether a ``<<`` only looks like a heredoc, since something ends right before it."""
    at = mark.start_byte + 2
    return _CLOSED.search(body[max(0, at - 3) : at]) is not None


class Reader:
    """One text being read."""

    def __init__(
        self,
        text: str,
        origins: Callable[[int], int] | None,
        kinds: Mapping[str, Callable[[Reader, Tree], s.Expr]],
    ) -> None:
        self.kinds = kinds
        self.bytes = text.encode("utf-8", "surrogatepass")
        self.ascii = len(self.bytes) == len(text)
        self.origins = origins
        self.scope = Scope(None)
        self.depth = 0
        self.heredocs: dict[int, Tree] = {}

    def program(self, patience: Patience) -> s.Program:
        root = patience.tree(self.bytes)
        if root.has_error:
            self._complain(root)
        self._pair_heredocs(root)
        body = self.sequence(root)
        return s.Program(body=body, names=self.scope.names, **self.span(root))

    # origins

    def offset(self, byte: int) -> int:
        at = byte if self.ascii else len(self.bytes[:byte].decode("utf-8", "replace"))
        return at if self.origins is None else self.origins(at)

    def span(self, node: Tree) -> dict[str, Any]:
        return {"at": self.offset(node.start_byte), "end": self.offset(node.end_byte)}

    def text(self, node: Tree) -> str:
        return self.bytes[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    def _complain(self, root: Tree) -> None:
        """Raises at the first place that is no Ruby."""
        pending = [root]
        while pending:
            node = pending.pop()
            if node.is_missing:
                raise Unreadable(f"{node.type} is missing", self.offset(node.start_byte))
            if node.type == "ERROR":
                raise Unreadable("this is no Ruby", self.offset(node.start_byte))
            pending.extend(child for child in reversed(node.children) if child.has_error)
        raise Unreadable("this is no Ruby", self.offset(root.start_byte))

    def _pair_heredocs(self, root: Tree) -> None:
        """Finds the body of every ``<<MARK``: both come in the order of the text."""
        marks: list[Tree] = []
        bodies: list[Tree] = []
        pending = [root]
        while pending:
            node = pending.pop()
            if node.type == "heredoc_beginning":
                if is_shift(self.bytes, node):
                    raise Unreadable("this looks like a heredoc", self.offset(node.start_byte))
                marks.append(node)
            elif node.type == "heredoc_body":
                bodies.append(node)
            pending.extend(reversed(node.children))
        for mark, body in zip(marks, bodies, strict=False):
            self.heredocs[mark.start_byte] = body

    # statements

    def sequence(self, node: Tree | None) -> s.Expr:
        """The statements below a node; `rescue` and the like make a `Begin` of them."""
        if node is None:
            return s.Nil(at=0, end=0)
        return self.statements(node, list(node.named_children))

    def statements(self, node: Tree, children: list[Tree]) -> s.Expr:
        items: list[s.Expr] = []
        rescues: list[s.Rescue] = []
        otherwise: s.Expr | None = None
        ensure: s.Expr | None = None
        for child in children:
            match child.type:
                case kind if kind in SILENT:
                    continue
                case "rescue":
                    rescues.append(self.rescue(child))
                case "else":
                    otherwise = self.sequence(child)
                case "ensure":
                    ensure = self.sequence(child)
                case _:
                    items.append(self.expr(child))
        span = self.span(node)
        body = items[0] if len(items) == 1 else s.Sequence(items=items, **span)
        if rescues or ensure is not None or otherwise is not None:
            return s.Begin(body=body, rescues=rescues, otherwise=otherwise, ensure=ensure, **span)
        return body

    def rescue(self, node: Tree) -> s.Rescue:
        named = node.child_by_field_name("exceptions")
        classes = [] if named is None else [self.item(child) for child in named.named_children]
        variable = node.child_by_field_name("variable")
        target = None if variable is None else self.target(variable.named_children[0])
        body = self.sequence(node.child_by_field_name("body"))
        return s.Rescue(classes=classes, target=target, body=body, **self.span(node))

    # expressions

    def expr(self, node: Tree) -> s.Expr:
        """One expression, by its kind."""
        read = self.kinds.get(node.type)
        if read is None:
            named = REFUSED.get(node.type, node.type)
            return s.Refused(construct=named, **self.span(node))
        self.depth += 1
        if self.depth > DEEPEST:
            message = f"this is nested more than {DEEPEST} deep"
            raise Unreadable(message, self.offset(node.start_byte))
        try:
            return read(self, node)
        finally:
            self.depth -= 1

    def optional(self, node: Tree | None) -> s.Expr | None:
        return None if node is None else self.expr(node)

    def field(self, node: Tree, name: str) -> s.Expr:
        child = node.child_by_field_name(name)
        if child is None:
            raise Unreadable(f"{name} is missing", self.offset(node.start_byte))
        return self.expr(child)

    def item(self, node: Tree) -> s.Expr:
        """An element of a list: an expression or a splat."""
        if node.type == "splat_argument":
            inner = node.named_children
            return s.Splat(value=self.expr(inner[0]) if inner else None, **self.span(node))
        return self.expr(node)

    def items(self, node: Tree) -> list[s.Expr]:
        """The elements of a list; pairs at its end are one hash."""
        result: list[s.Expr] = []
        pairs: list[s.Pair] = []
        for child in node.named_children:
            if child.type in ("pair", "hash_splat_argument"):
                pairs.append(self.pair(child))
            elif child.type == "forward_argument":
                rest, keys = self._forwarded(child)
                result.append(rest)
                pairs.append(keys)
            elif child.type not in SILENT and child.type != "block_argument":
                result.append(self.item(child))
        if pairs:
            span = {"at": pairs[0].at, "end": pairs[-1].end}
            result.append(s.Hash(pairs=pairs, keywords=True, **span))
        return result

    def _forwarded(self, node: Tree) -> tuple[s.Splat, s.Pair]:
        """``...`` among arguments: all that the method itself was given; the block goes along."""
        span = self.span(node)
        if not self.scope.knows(REST):
            raise Unreadable("unexpected ... when the parent method is not forwarding", span["at"])
        rest = s.Splat(value=s.Local(name=REST, **span), **span)
        return rest, s.Pair(key=None, value=s.Local(name=KEYS, **span), **span)

    def values(self, node: Tree | None) -> s.Expr | None:
        """What ``return``, ``break`` and ``next`` are given: nothing, one value or a list."""
        arguments = None if node is None else next(iter(node.named_children), None)
        if arguments is None:
            return None
        if arguments.type != "argument_list":
            return self.expr(arguments)
        items = self.items(arguments)
        if len(items) == 1 and not isinstance(items[0], s.Splat):
            return items[0]
        return s.Array(items=items, **self.span(arguments))

    def pair(self, node: Tree) -> s.Pair:
        span = self.span(node)
        if node.type == "hash_splat_argument":
            if not node.named_children:  # Ruby 3.2 hands nameless ones on
                raise Unreadable("no anonymous keyword rest parameter", span["at"])
            return s.Pair(key=None, value=self.expr(node.named_children[0]), **span)
        named = node.child_by_field_name("key")
        value = node.child_by_field_name("value")
        assert named is not None
        key: s.Expr
        if named.type == "hash_key_symbol":
            name = self.text(named)
            key = s.Symbol(name=name, **self.span(named))
            if value is None:
                return s.Pair(key=key, value=self.name(name, span), **span)
        else:
            key = self.expr(named)
            if any(child.type == ":" for child in node.children):
                key = _symbol(key)
        if value is None:
            raise Unreadable("a value is missing", self.offset(node.end_byte))
        return s.Pair(key=key, value=self.expr(value), **span)

    def name(self, name: str, span: dict[str, Any]) -> s.Expr:
        """A lone name: a variable if it was assigned before, else a call."""
        if self.scope.knows(name):
            return s.Local(name=name, **span)
        if name in ("_1", "_2", "_3") and self.scope.numbered(name):
            return s.Local(name=name, **span)
        if name == "__method__" or name == "__FILE__" or name == "__dir__" or name == "__LINE__":
            return s.Global(name=name, **span)
        return s.Call(receiver=None, name=name, arguments=[], bare=True, **span)

    # targets of assignments

    def target(self, node: Tree) -> s.Target:
        span = self.span(node)
        match node.type:
            case "identifier":
                name = self.text(node)
                self.scope.declare(name)
                return s.Local(name=name, **span)
            case "instance_variable":
                return s.Instance(name=self.text(node)[1:], **span)
            case "class_variable":
                return s.ClassVariable(name=self.text(node)[2:], **span)
            case "global_variable":
                return s.Global(name=self.text(node), **span)
            case "constant":
                return s.Constant(scope=None, name=self.text(node), **span)
            case "element_reference":
                whole = [child for child in node.named_children if child.type not in SILENT]
                receiver = self.expr(whole[0])
                return s.Index(
                    receiver=receiver, arguments=[self.item(one) for one in whole[1:]], **span
                )
            case "call":
                method = node.child_by_field_name("method")
                if method is None:
                    raise Beyond("an assignment to a call", self.offset(node.start_byte))
                operator = node.child_by_field_name("operator")
                safe = operator is not None and self.text(operator) == "&."
                return s.Attribute(
                    receiver=self.field(node, "receiver"), name=self.text(method), safe=safe, **span
                )
            case "scope_resolution":
                made = self.expr(node)
                assert isinstance(made, s.Constant)
                return made
            case "left_assignment_list" | "destructured_left_assignment":
                return s.Targets(items=[self.target(one) for one in node.named_children], **span)
            case "rest_assignment" | "splat_argument":
                inner = node.named_children
                value = self.target(inner[0]) if inner else None
                return s.Splat(value=value, **span)  # type: ignore[arg-type]
            case other:
                raise Beyond(f"an assignment to {other}", self.offset(node.start_byte))

    # blocks and parameters

    def block(self, node: Tree, parameters: Tree | None) -> s.Block:
        """``{ |a| … }`` and ``do |a| … end``: a scope that sees the one around it."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            made = [] if parameters is None else self.parameters(parameters)
            self.scope.may_number = parameters is None
            body = self.sequence(node.child_by_field_name("body"))
            if not made and self.scope.highest:
                made = self._numbered(node)
            return s.Block(parameters=made, body=body, names=self.scope.names, **self.span(node))
        finally:
            self.scope = outer

    def _numbered(self, node: Tree) -> list[s.Parameter]:
        """The parameters of a block that says ``_1``, ``_2``; one alone is not destructured."""
        span = self.span(node)
        names = [f"_{n + 1}" for n in range(self.scope.highest)]
        return [s.Parameter(name=name, kind="required", **span) for name in names]

    def attached(self, node: Tree) -> s.Block | s.BlockPass | None:
        """The block of a call, or what is passed as one."""
        block = node.child_by_field_name("block")
        if block is not None:
            return self.block(block, block.child_by_field_name("parameters"))
        arguments = node.child_by_field_name("arguments")
        if arguments is None:
            return None
        for child in arguments.named_children:
            if child.type == "forward_argument":
                return s.BlockPass(value=None, **self.span(child))
            if child.type == "block_argument":
                inner = child.named_children
                value = self.expr(inner[0]) if inner else None
                return s.BlockPass(value=value, **self.span(child))
        return None

    def parameters(self, node: Tree) -> list[s.Parameter]:
        found = []
        local = {child.start_byte for child in node.children_by_field_name("locals")}
        for child in node.named_children:
            if child.type in SILENT:
                continue
            if child.start_byte in local:
                self.scope.own(self.text(child))
                continue
            if child.type == "forward_parameter":
                for name, kind in ((REST, "rest"), (KEYS, "keyrest")):
                    self.scope.own(name)
                    found.append(s.Parameter(name=name, kind=kind, **self.span(child)))
                continue
            found.append(self.parameter(child))
        ends = [child for child in node.children if child.type not in SILENT]
        if len(ends) > 1 and ends[-2].type == ",":
            found.append(s.Parameter(name="", kind="comma", **self.span(ends[-2])))
        return found

    def parameter(self, node: Tree) -> s.Parameter:
        span = self.span(node)
        named = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        match node.type:
            case "identifier":
                name, kind = self.text(node), "required"
            case "optional_parameter":
                name, kind = self.text(named), "optional"  # type: ignore[arg-type]
            case "splat_parameter":
                name, kind = "" if named is None else self.text(named), "rest"
            case "keyword_parameter":
                name, kind = self.text(named), "keyword"  # type: ignore[arg-type]
            case "hash_splat_parameter":
                name, kind = "" if named is None else self.text(named), "keyrest"
            case "block_parameter":
                name, kind = "" if named is None else self.text(named), "block"
            case "destructured_parameter":
                nested = [self.parameter(one) for one in node.named_children]
                return s.Parameter(name="", kind="nested", nested=nested, **span)
            case other:
                raise Beyond(REFUSED.get(other, other), self.offset(node.start_byte))
        if name:
            self.scope.own(name)
        default = None if value is None else self.expr(value)
        return s.Parameter(name=name, kind=kind, default=default, **span)

    def definition(self, node: Tree, singleton: s.Expr | None) -> s.Definition:
        named = node.child_by_field_name("name")
        assert named is not None
        outer = self.scope
        self.scope = Scope(None)
        try:
            parameters = node.child_by_field_name("parameters")
            made = [] if parameters is None else self.parameters(parameters)
            body = self.body(node)
            return s.Definition(
                name=self.text(named),
                parameters=made,
                body=body,
                names=self.scope.names,
                singleton=singleton,
                **self.span(node),
            )
        finally:
            self.scope = outer

    def body(self, node: Tree) -> s.Expr:
        """The body of a definition: statements, or one expression after ``=``."""
        body = node.child_by_field_name("body")
        if body is None:
            return s.Nil(at=0, end=0)
        return self.sequence(body) if body.type == "body_statement" else self.expr(body)

    def closed(self, node: Tree) -> tuple[s.Expr, list[str]]:
        """The body of a class or module, a scope that sees nothing around it."""
        outer = self.scope
        self.scope = Scope(None)
        try:
            return self.body(node), self.scope.names
        finally:
            self.scope = outer

    # texts

    def pieces_of_word(self, node: Tree) -> list[s.Expr]:
        """The parts of a word of ``%W[…]``, which has no quotes of its own."""
        return self._pieces(node, "")

    def pieces(self, node: Tree) -> list[s.Expr]:
        """The parts of a text: strings and what is interpolated."""
        return self._pieces(node, self.text(node.children[0]) if node.children else "")

    def _pieces(self, node: Tree, opening: str) -> list[s.Expr]:
        raw = literals.is_raw(opening)
        first, last = literals.quotes(opening) if opening else ("", "")
        parts: list[s.Expr] = []
        texts: list[str] = []
        for child in node.named_children:
            match child.type:
                case "interpolation":
                    self._flush(texts, parts, child)
                    parts.append(self.statements(child, child.named_children))
                case "escape_sequence" if not raw:
                    texts.append(literals.escaped(self.text(child)))
                case _:
                    texts.append(self.text(child))
        if raw:
            texts = [literals.single_quoted("".join(texts), first, last)]
        self._flush(texts, parts, node)
        return parts

    def _flush(self, texts: list[str], parts: list[s.Expr], node: Tree) -> None:
        text = literals.joined("".join(texts))
        texts.clear()
        if text:
            parts.append(s.Str(value=text, **self.span(node)))

    def string(self, parts: list[s.Expr], span: dict[str, Any]) -> s.Expr:
        """A text of parts: one string if nothing is interpolated."""
        if all(isinstance(part, s.Str) for part in parts):
            value = "".join(part.value for part in parts if isinstance(part, s.Str))
            return s.Str(value=value, **span)
        return s.Interpolated(parts=parts, **span)

    def heredoc(self, node: Tree) -> s.Expr:
        body = self.heredocs.get(node.start_byte)
        span = self.span(node)
        if body is None:
            raise Unreadable("this heredoc has no end", span["at"])
        mark = self.text(node)
        raw = "'" in mark
        nodes: list[Tree] = []
        texts: list[str | None] = []
        for child in body.named_children:
            if child.type == "heredoc_end":
                break
            if child.type == "interpolation":
                nodes.append(child)
                texts.append(None)
            else:
                nodes.append(child)
                texts.append(self.text(child))
        if texts and texts[0] is not None:
            texts[0] = texts[0].removeprefix("\n")
        if texts and texts[-1] is not None:
            cut = texts[-1].rfind("\n") + 1
            texts[-1] = texts[-1][:cut] if not texts[-1][cut:].strip() else texts[-1]
        if mark.startswith("<<~"):
            texts = literals.dedent(texts)
        parts: list[s.Expr] = []
        pending: list[str] = []
        for child, text in zip(nodes, texts, strict=True):
            if text is None:
                self._flush(pending, parts, child)
                parts.append(self.statements(child, child.named_children))
            elif child.type == "escape_sequence" and not raw:
                pending.append(literals.escaped(text))
            else:
                pending.append(text)
        self._flush(pending, parts, node)
        return self.string(parts, span)


def _symbol(key: s.Expr) -> s.Expr:
    """A text that stands as a key with a colon is a symbol."""
    span = {"at": key.at, "end": key.end}
    if isinstance(key, s.Str):
        return s.Symbol(name=key.value, **span)
    if isinstance(key, s.Interpolated):
        return s.InterpolatedSymbol(parts=key.parts, **span)
    return key
