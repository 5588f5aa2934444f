"""The part of Ruby that templates and functions of modules use, as a closed tree.

`at` and `end` are offsets in code points into the file the node was read from (for a
template: into the template).  What Ruby has and this tree has not is refused by
`reader`, by name and place.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Node(msgspec.Struct, frozen=True, array_like=True, tag=True, kw_only=True):
    """What every node has: where it stands."""

    at: int
    end: int


class Nil(Node, frozen=True):
    """``nil``"""


class Bool(Node, frozen=True):
    """``true``, ``false``"""

    value: bool


class Self(Node, frozen=True):
    """``self``"""


class Integer(Node, frozen=True):
    """``10``, ``0x1f``, ``1_000``; as text, since it may be large"""

    text: str


class Float(Node, frozen=True):
    """``1.5e3``"""

    value: float


class Rational(Node, frozen=True):
    """``3r``, ``1.5r``"""

    text: str


class Str(Node, frozen=True):
    """``'a'``, ``"a\\n"``, ``%q(a)``, a heredoc without interpolation"""

    value: str


class Interpolated(Node, frozen=True):
    """``"a#{b}"``"""

    parts: list[Expr]


class Symbol(Node, frozen=True):
    """``:a``, ``a:`` as a key, ``:"a b"``"""

    name: str


class InterpolatedSymbol(Node, frozen=True):
    """``:"a#{b}"``"""

    parts: list[Expr]


class Regex(Node, frozen=True):
    """``/a#{b}/mix``"""

    parts: list[Expr]
    flags: str


class Array(Node, frozen=True):
    """``[a, *b]``"""

    items: list[Expr]


class Pair(Node, frozen=True):
    """``k => v``, ``k: v``; without a key it is ``**v``"""

    key: Expr | None
    value: Expr


class Hash(Node, frozen=True):
    """``{k => v, **more}``; `keywords` when it stands bare at the end of arguments"""

    pairs: list[Pair]
    keywords: bool = False


class Range(Node, frozen=True):
    """``a..b``, ``a...b``, ``a..``"""

    low: Expr | None
    high: Expr | None
    exclusive: bool


class Local(Node, frozen=True):
    """A local variable that was assigned before, or a parameter"""

    name: str


class Instance(Node, frozen=True):
    """``@a``"""

    name: str


class ClassVariable(Node, frozen=True):
    """``@@a``"""

    name: str


class Global(Node, frozen=True):
    """``$a``, ``$1``, ``$~``"""

    name: str


class Constant(Node, frozen=True):
    """``A``, ``a::B``; `top` for ``::A``"""

    scope: Expr | None
    name: str
    top: bool = False


class Splat(Node, frozen=True):
    """``*a`` in arguments, arrays, ``when`` and on the left of an assignment"""

    value: Expr | None


class BlockPass(Node, frozen=True):
    """``&b`` as the last argument"""

    value: Expr | None


class Call(Node, frozen=True):
    """``a.m(b) { … }``; without a receiver the method of `self`; `safe` for ``&.``"""

    receiver: Expr | None
    name: str
    arguments: list[Expr]
    block: Block | BlockPass | None = None
    safe: bool = False
    bare: bool = False
    """A lone name without arguments: what fails is "undefined local variable or method"."""


class Super(Node, frozen=True):
    """``super``, ``super(a)``; without a list the arguments of the method itself"""

    arguments: list[Expr] | None
    block: Block | BlockPass | None = None


class Yield(Node, frozen=True):
    """``yield a``"""

    arguments: list[Expr]


class Parameter(Node, frozen=True):
    """One parameter; `kind` is how it is filled"""

    name: str
    kind: str
    """``required``, ``optional``, ``rest``, ``keyword``, ``keyrest``, ``block``, ``nested``; a last
    ``comma`` (``|a, |``) fills nothing, but one array is taken apart for it"""
    default: Expr | None = None
    nested: list[Parameter] = []


class Block(Node, frozen=True):
    """``{ |a, b| … }``, ``do … end``, ``->(a) { … }``"""

    parameters: list[Parameter]
    body: Expr
    names: list[str]
    """The variables that are the block's own."""


class Lambda(Node, frozen=True):
    """``->(a) { … }``"""

    block: Block


class Assign(Node, frozen=True):
    """``a = b``"""

    target: Target
    value: Expr


class OperatorAssign(Node, frozen=True):
    """``a += b``, ``a ||= b``"""

    target: Target
    operator: str
    value: Expr


class Index(Node, frozen=True):
    """``a[b]`` to be assigned to"""

    receiver: Expr
    arguments: list[Expr]


class Attribute(Node, frozen=True):
    """``a.b`` to be assigned to"""

    receiver: Expr
    name: str
    safe: bool = False


class Targets(Node, frozen=True):
    """``a, (b, *c)`` to be assigned to"""

    items: list[Target]


class If(Node, frozen=True):
    """``if``, ``unless``, ``? :`` and the modifiers; the branches are never missing"""

    condition: Expr
    then: Expr
    otherwise: Expr


class While(Node, frozen=True):
    """``while``, ``until`` (`negated`); `body_first` for ``begin … end while``"""

    condition: Expr
    body: Expr
    negated: bool = False
    body_first: bool = False


class For(Node, frozen=True):
    """``for a, b in c``"""

    target: Target
    value: Expr
    body: Expr


class When(Node, frozen=True):
    """``when a, *b then …``"""

    patterns: list[Expr]
    body: Expr


class Case(Node, frozen=True):
    """``case a when … else … end``; without a subject each pattern is a condition"""

    subject: Expr | None
    whens: list[When]
    otherwise: Expr


class ValuePattern(Node, frozen=True):
    """``Integer``, ``1..9``, ``^a``, ``^(a + 1)``: what is asked ``===``"""

    value: Expr


class NamePattern(Node, frozen=True):
    """``a``: matches anything, which is `a` from then on"""

    name: str


class AsPattern(Node, frozen=True):
    """``Integer => a``"""

    pattern: Pattern
    name: str


class AlternativePattern(Node, frozen=True):
    """``1 | 2``"""

    patterns: list[Pattern]


class ArrayPattern(Node, frozen=True):
    """``[a, *b, c]``, ``A(a)``; `rest` is None without a ``*``, and empty if it has no name"""

    constant: Expr | None
    before: list[Pattern]
    rest: str | None
    after: list[Pattern]


class FindPattern(Node, frozen=True):
    """``[*, a, *b]``"""

    constant: Expr | None
    before: str
    patterns: list[Pattern]
    after: str


class KeyPattern(Node, frozen=True):
    """``a: 1``, or ``a:``, which names the value"""

    key: str
    pattern: Pattern


class HashPattern(Node, frozen=True):
    """``{a: 1, **rest}``; `closed` for ``**nil``"""

    constant: Expr | None
    pairs: list[KeyPattern]
    rest: str | None
    closed: bool = False


class In(Node, frozen=True):
    """``in a if b then …``"""

    pattern: Pattern
    guard: Expr | None
    body: Expr


class CaseIn(Node, frozen=True):
    """``case a in … else … end``"""

    subject: Expr
    clauses: list[In]
    otherwise: Expr | None


class Matches(Node, frozen=True):
    """``a => pattern``; ``a in pattern`` if it only `asks`"""

    subject: Expr
    pattern: Pattern
    asks: bool


class And(Node, frozen=True):
    """``a && b``, ``a and b``"""

    left: Expr
    right: Expr


class Or(Node, frozen=True):
    """``a || b``, ``a or b``"""

    left: Expr
    right: Expr


class Not(Node, frozen=True):
    """``!a``, ``not a``"""

    value: Expr


class Defined(Node, frozen=True):
    """``defined?(a)``"""

    value: Expr


class Rescue(Node, frozen=True):
    """``rescue A, B => e``"""

    classes: list[Expr]
    target: Target | None
    body: Expr


class Begin(Node, frozen=True):
    """``begin … rescue … else … ensure … end``, and bodies of methods that have these"""

    body: Expr
    rescues: list[Rescue]
    otherwise: Expr | None
    ensure: Expr | None


class Jump(Node, frozen=True):
    """``return``, ``break``, ``next``, ``retry``"""

    kind: str
    value: Expr | None


class Definition(Node, frozen=True):
    """``def m(a) … end``, ``def self.m``"""

    name: str
    parameters: list[Parameter]
    body: Expr
    names: list[str]
    singleton: Expr | None = None


class ClassBody(Node, frozen=True):
    """``class A < B … end``"""

    path: Constant
    superclass: Expr | None
    body: Expr
    names: list[str]


class ModuleBody(Node, frozen=True):
    """``module A … end``"""

    path: Constant
    body: Expr
    names: list[str]


class SingletonBody(Node, frozen=True):
    """``class << self … end``"""

    value: Expr
    body: Expr
    names: list[str]


class Alias(Node, frozen=True):
    """``alias new old``"""

    name: str
    of: str


class MatchAssign(Node, frozen=True):
    """``/(?<a>…)/ =~ b``: also assigns to variables named like the groups"""

    pattern: Expr
    value: Expr
    names: list[str]


class Sequence(Node, frozen=True):
    """Statements one after the other; the value is that of the last, nil for none"""

    items: list[Expr]


class Emit(Node, frozen=True):
    """A piece of a template: its own text (`text`), or the value of ``<%= … %>``"""

    text: str | None
    value: Expr | None


class Refused(Node, frozen=True):
    """What is not evaluated, by its name: refused when it is reached, not before"""

    construct: str


class Program(Node, frozen=True):
    """A whole file or template; `names` are the variables of its own"""

    body: Expr
    names: list[str]


Target: TypeAlias = (
    Local | Instance | ClassVariable | Global | Constant | Index | Attribute | Targets | Splat
)

Pattern: TypeAlias = (
    ValuePattern
    | NamePattern
    | AsPattern
    | AlternativePattern
    | ArrayPattern
    | FindPattern
    | HashPattern
)

Expr: TypeAlias = (
    Nil
    | Bool
    | Self
    | Integer
    | Float
    | Rational
    | Str
    | Interpolated
    | Symbol
    | InterpolatedSymbol
    | Regex
    | Array
    | Hash
    | Range
    | Local
    | Instance
    | ClassVariable
    | Global
    | Constant
    | Splat
    | Call
    | Super
    | Yield
    | Lambda
    | Assign
    | OperatorAssign
    | If
    | While
    | For
    | Case
    | CaseIn
    | Matches
    | And
    | Or
    | Not
    | Defined
    | Begin
    | Jump
    | Definition
    | ClassBody
    | ModuleBody
    | SingletonBody
    | Alias
    | MatchAssign
    | Sequence
    | Emit
    | Refused
)
