"""Which variables of the program a piece of a template can come from, told from its text alone.

``<%= server %>`` inside ``<% @servers.each do |server| %>`` comes from ``$servers``, and is there
because of it.  Local variables are followed without regard to order: a local comes from all that
is ever assigned to it, from what it is an element of, and from what methods that change it are
given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from headwater.langs.puppet.ruby import syntax as s

Path = tuple[str | int, ...]
Origin = tuple[str, Path]
"""A variable of the program, and the way to what is read of it."""

_ASKING: Final = frozenset(["lookupvar", "[]", "include?", "exist?", "bound?", "has_variable?"])
_INTO: Final = frozenset(["[]", "fetch", "dig"])
_CHANGING: Final = frozenset(
    ["<<", "push", "append", "unshift", "prepend", "insert", "concat", "replace", "store", "update",
     "fill", "add", "delete_if", "keep_if", "delete", "delete_at", "clear", "pop", "shift"]
)  # fmt: skip
"""Methods that change their receiver, beside those with a ``!``."""

_DYNAMIC: Final = frozenset(["instance_variable_get", "to_hash", "send", "public_send", "__send__"])


class Flow:
    """The variables in one template."""

    def __init__(self, tree: s.Program) -> None:
        self.computed = False
        """Whether a variable is read whose name is computed."""
        self._read: dict[str, set[Path]] = {}
        self._locals: dict[str, frozenset[Origin]] = {}
        self._sources: list[tuple[str, s.Node]] = []
        self._changing: list[s.Node] = []
        self._guards: dict[tuple[int, int], tuple[s.Node, ...]] = {}
        self._values: dict[tuple[int, int], s.Node] = {}
        self._visit(tree.body, ())
        self._settle()

    def paths(self, name: str) -> set[Path]:
        """What is read of a variable; all of it, if that cannot be told."""
        return {()} if self.computed else self._read.get(name, {()})

    def changed(self) -> set[str]:
        """The variables whose arrays and hashes may be changed."""
        return {name for node in self._changing for name, _ in self.origins(node)}

    def inserted(self, at: int, end: int) -> s.Node | None:
        """The expression that inserts a value at a place."""
        return self._values.get((at, end))

    def guards(self, at: int, end: int) -> frozenset[Origin]:
        """What decides whether, and how often, a piece is written."""
        return frozenset().union(*map(self.origins, self._guards.get((at, end), ())))

    def origins(self, node: s.Node) -> frozenset[Origin]:
        """What an expression can come from."""
        found: set[Origin] = set()
        todo: list[s.Node] = [node]
        while todo:
            at = todo.pop()
            origin = projection(at)
            if origin is not None:
                found.add(origin)
                if isinstance(at, s.Instance):
                    found |= self._locals.get(f"@{at.name}", frozenset())
            elif isinstance(at, s.Local):
                found |= self._locals.get(at.name, frozenset())
            else:
                todo += children(at)
        return frozenset(found)

    # -- one walk --------------------------------------------------------------------------------

    def _visit(self, node: s.Node, guards: tuple[s.Node, ...]) -> None:
        todo: list[tuple[s.Node, tuple[s.Node, ...]]] = [(node, guards)]
        while todo:
            at, around = todo.pop()
            origin = projection(at)
            if origin is not None:
                self._read.setdefault(origin[0], set()).add(origin[1])
                continue
            inner = around
            match at:
                case s.Emit(value=value):
                    self._guards[at.at, at.end] = around
                    if value is not None:
                        self._values[at.at, at.end] = value
                case s.If(condition=test) | s.While(condition=test):
                    inner = (*around, test)
                case s.And(left=test) | s.Or(left=test):
                    inner = (*around, test)
                case s.Case(subject=subject, whens=whens):
                    tests = [] if subject is None else [subject]
                    tests += [pattern for when in whens for pattern in when.patterns]
                    inner = (*around, *tests)
                case s.For(target=target, value=value):
                    inner = (*around, value)
                    self._assigned(target, value)
                case s.Begin(body=body):
                    inner = (*around, body)
                case s.Call():
                    inner = self._called(at, around)
                case s.Assign(target=target, value=value):
                    self._assigned(target, value)
                case s.OperatorAssign(target=target, value=value):
                    self._assigned(target, value)
                case s.MatchAssign(names=names, value=value):
                    self._sources += [(name, value) for name in names]
                case s.Definition(parameters=parameters) | s.Block(parameters=parameters):
                    # A method or a lambda may be given anything.
                    self._sources += [(name, node) for name in _names(parameters)]
            todo += [(part, inner) for part in children(at)]

    def _called(self, at: s.Call, around: tuple[s.Node, ...]) -> tuple[s.Node, ...]:
        """A call: its block runs because of what it is given, and with elements of that."""
        scope = isinstance(at.receiver, s.Call) and at.receiver.name == "scope"
        if at.name in _DYNAMIC or (at.name in _ASKING and (scope or at.receiver is None)):
            self.computed = True
        given = [*([] if at.receiver is None else [at.receiver]), *at.arguments]
        root = at.receiver
        while isinstance(root, s.Call):
            root = root.receiver
        block = at.block
        changing = at.name in _CHANGING or at.name[-1] == "!"
        if changing and at.receiver is not None:
            self._changing.append(at.receiver)
        if isinstance(root, s.Local | s.Instance) and changing:
            name = root.name if isinstance(root, s.Local) else f"@{root.name}"
            more = [*at.arguments, *([] if block is None else [block])]
            self._sources += [(name, one) for one in more]
        if isinstance(block, s.Block):
            names = [*_names(block.parameters), *(n for n in block.names if n[:1] == "_")]
            self._sources += [(name, one) for name in names for one in given]
            return (*around, *given)
        return around

    def _assigned(self, target: s.Node, value: s.Node) -> None:
        match target:
            case s.Local(name=name):
                self._sources.append((name, value))
            case s.Instance(name=name):
                self._sources.append((f"@{name}", value))
            case s.Targets(items=items):
                for item in items:
                    self._assigned(item, value)
            case s.Splat(value=inner) if inner is not None:
                self._assigned(inner, value)
            case s.Index(receiver=receiver) | s.Attribute(receiver=receiver):
                self._changing.append(receiver)
                while isinstance(receiver, s.Call) and receiver.receiver is not None:
                    receiver = receiver.receiver
                self._assigned(receiver, value)

    def _settle(self) -> None:
        """Follows locals that come from locals, until nothing is added."""
        more = True
        while more:
            more = False
            for name, source in self._sources:
                known = self._locals.get(name, frozenset())
                found = known | self.origins(source)
                if len(found) > len(known):
                    self._locals[name] = found
                    more = True


def projection(node: s.Node | None) -> Origin | None:
    """The variable that an expression reads, or a part of one by keys that are written out."""
    keys: list[str | int] = []
    while isinstance(node, s.Call) and node.name in _INTO and node.block is None:
        if _variable_of(node) is not None:
            break
        found = [_key(argument) for argument in node.arguments]
        if not found or None in found or (node.name != "dig" and len(found) > 1):
            return None
        keys[:0] = [key for key in found if key is not None]
        node = node.receiver
    if isinstance(node, s.Instance):
        return node.name, tuple(keys)
    name = _variable_of(node)
    return None if name is None else (name, tuple(keys))


def _variable_of(node: s.Node | None) -> str | None:
    """The variable that ``scope['x']`` and the like read."""
    match node:
        case s.Call(receiver=s.Call(receiver=None, name="scope"), name=name, arguments=[first, *_]):
            pass
        case s.Call(receiver=None, name="has_variable?" as name, arguments=[first]):
            pass
        case _:
            return None
    return first.value if name in _ASKING and isinstance(first, s.Str) else None


def _key(node: s.Node | None) -> str | int | None:
    match node:
        case s.Str(value=value):
            return value
        case s.Integer(text=text) if text.isdigit() and len(text) < 10:
            return int(text)
    return None


def _names(parameters: list[s.Parameter]) -> Iterator[str]:
    for one in parameters:
        yield one.name
        yield from _names(one.nested)


def children(node: s.Node) -> list[s.Node]:
    """The nodes right below a node."""
    found: list[s.Node] = []
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if isinstance(value, s.Node):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, s.Node)]
    return found
