"""The printer: a `Com` as text, in ASCII or in the paper's symbols.

What it prints parses to the same program.  It does not recurse: it keeps a list of
what is still to be written.
"""

from __future__ import annotations

import json
import re

from headwater.langs.opal.syntax import (
    RESERVED,
    SUGAR_NAMES,
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Conflict,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Skip,
    Truth,
    Var,
    Weight,
    With,
    WorldVar,
)
from headwater.langs.opal.values import show_atom

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ASCII = {"empty": "()", "assign": ":=", "member": "in", "and": "/\\", "or": "\\/"}
_UNICODE = {"empty": "∅", "assign": "≔", "member": "∈", "and": "∧", "or": "∨"}

Node = Com | Sexp | Bool | WorldVar | Hyp


def show_name(name: str) -> str:
    """A node's name: quoted unless it is a plain word."""
    if _WORD.match(name) and name not in RESERVED:
        return name
    return json.dumps(name, ensure_ascii=False)


def show_place(place: Place) -> str:
    """``n.v``"""
    return f"{show_name(place.node)}.{place.var}"


def print_program(node: Node, *, unicode: bool = False, most: int | None = None) -> str:
    """The text of a program or a part of it on one line; cut after `most` code points."""
    symbols = _UNICODE if unicode else _ASCII
    parts: list[str] = []
    length = 0
    todo: list[Node | str] = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            length += len(item)
            if most is not None and length > most:
                return "".join(parts)[: most - 1] + "…"
        else:
            todo.extend(reversed(_pieces(item, symbols)))
    return "".join(parts)


def _pieces(node: Node, symbols: dict[str, str]) -> list[Node | str]:
    match node:
        case Skip():
            return ["skip"]
        case Op(name) | WorldVar(name):
            return [name]
        case Seq(commands):
            pieces: list[Node | str] = []
            for command in commands:
                pieces += [command, "; "]
            return pieces[:-1]
        case If(test, then, orelse):
            return ["if ", test, " then { ", then, " } else { ", orelse, " }"]
        case With(name, body):
            return [f"with {show_name(name)} do {{ ", body, " }"]
        case At(name, body):
            return [f"at {show_name(name)} do {{ ", body, " }"]
        case Assign(name, world):
            return [f"{name} {symbols['assign']} ", world]
        case Commit(world):
            return ["commit ", world]
        case Hyp(body):
            return ["hyp { ", body, " }"]
        case Handle():
            return _handle(node, symbols)
        case Empty():
            return [symbols["empty"]]
        case Var(place):
            return [show_place(place)]
        case Weight(world, place):
            return [world, f".{show_place(place)}"]
        case Cons():
            return _spine(node)
        case Atom(value):
            return [show_atom(value)]
        case Conflict():
            return ["conflict"]
        case Preset(name):
            return [name]
        case Truth(value):
            return ["true" if value else "false"]
        case Eq(left, right):
            return [left, " = ", right]
        case Mem(left, right):
            return [left, f" {symbols['member']} ", right]
        case And(left, right):
            return [*_operand(left, Or, And), f" {symbols['and']} ", *_operand(right, Or)]
        case Or(left, right):
            return [*_operand(left, Or), f" {symbols['or']} ", right]


def _spine(node: Cons) -> list[Node | str]:
    """A list of the extensions if it has atoms, else pairs in pairs."""
    parts: list[Node | str] = []
    end: Sexp = node
    while isinstance(end, Cons):
        parts += [end.left, ", "]
        end = end.right
    if isinstance(end, Empty) and any(isinstance(part, Atom) for part in parts):
        return ["[", *parts[:-1], "]"]
    pairs: list[Node | str] = []
    for part in parts[::2]:
        pairs += ["(", part, " . "]
    return [*pairs, end, ")" * (len(parts) // 2)]


def _operand(node: Bool, *bracketed: type) -> list[Node | str]:
    """An operand, in brackets if it is one of these."""
    return ["(", node, ")"] if isinstance(node, bracketed) else [node]


def _handle(node: Handle, symbols: dict[str, str]) -> list[Node | str]:
    names = (node.orig, node.hyp, node.curr)
    by_name = isinstance(node.merge, Preset) and names == SUGAR_NAMES
    merging = "" if by_name else f"{' '.join(names)} to "
    return [
        f"handle {show_place(node.place)} {symbols['assign']} {node.op} with ",
        node.handler,
        f" merging {merging}",
        node.merge,
        " in { ",
        node.body,
        " }",
    ]
