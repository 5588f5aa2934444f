"""Statements, conditions, lambdas and definitions."""

from __future__ import annotations

from itertools import pairwise

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.ast import (
    Access,
    Alias,
    Array,
    Call,
    Case,
    ClassDef,
    Default,
    Define,
    Entry,
    Expr,
    Function,
    Hash,
    If,
    Lambda,
    Name,
    Node,
    Param,
    Render,
    RenderText,
    String,
    TypeDef,
    TypeMapping,
    TypeName,
    Unless,
    When,
)  # fmt: skip
from headwater.langs.puppet.syntax.expressions import OPERANDS
from headwater.langs.puppet.syntax.messages import describe
from headwater.langs.puppet.syntax.resources import STATEMENT_CALLS, Resources

_NAMES = frozenset({"NAME", "WORD", "REF"})


class Definitions(Resources):
    """The layer of statements and all that holds statements."""

    __slots__ = ()

    # -- statements -------------------------------------------------------------------------

    def statement(self, done: list[Expr]) -> None:
        """Reads one statement and puts it after those before it.

        A name such as ``include`` takes the next statement as its arguments.
        """
        kinds = self.kinds
        value = self.assignment()
        values = [value]
        comma = self.i
        while kinds[self.i] == ",":
            self.i += 1
            values.append(self.assignment())
        before = done[-1] if done else None
        if isinstance(before, Name) and before.value in STATEMENT_CALLS:
            done[-1] = Call(before, values, None, True, True, before.start, values[-1].end)
            return
        if len(values) > 1:
            name = before.value if isinstance(before, Name) else "what stands before"
            self.refuse_with(codes.ARGUMENT_LIST, comma, name=name)
        if isinstance(value, Call):
            value.statement = True
        done.append(value)

    def statements(self, closing: str) -> list[Expr]:
        """The statements up to a closing token, which is not read."""
        kinds = self.kinds
        done: list[Expr] = []
        while kinds[self.i] != closing:
            self.statement(done)
            if kinds[self.i] == ";":
                self.i += 1
                if kinds[self.i] == closing:
                    self.refuse("a statement after ;")
        return done

    def block(self) -> tuple[list[Expr], int]:
        """``{ … }`` and where it ends"""
        self.expect("{")
        body = self.statements("}")
        return body, self.spans[self.expect("}")][1]

    # -- conditions -------------------------------------------------------------------------

    def if_(self) -> Expr:
        """``if t { … } elsif t { … } else { … }``, the whole chain without recursion"""
        kinds = self.kinds
        first = self.one_if(elsif=False)
        chain = [first]
        while kinds[self.i] == "elsif":
            chain.append(self.one_if(elsif=True))
        end = chain[-1].end
        if kinds[self.i] == "else":
            self.i += 1
            chain[-1].otherwise, end = self.block()
        chain[-1].end = end
        for outer, inner in reversed(list(pairwise(chain))):
            outer.otherwise = [inner]
            outer.end = end
        return first

    def one_if(self, *, elsif: bool) -> If:
        """``if t { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        test = self.expression()
        body, end = self.block()
        return If(test, body, [], elsif, start, end)

    def unless(self) -> Expr:
        """``unless t { … } else { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        test = self.expression()
        then, end = self.block()
        otherwise: list[Expr] = []
        if self.kinds[self.i] == "else":
            self.i += 1
            otherwise, end = self.block()
        return Unless(test, then, otherwise, start, end)

    def case(self) -> Expr:
        """``case e { a, b: { … } default: { … } }``"""
        kinds = self.kinds
        start = self.spans[self.i][0]
        self.i += 1
        test = self.expression()
        self.expect("{")
        options = [self.when()]
        while kinds[self.i] != "}":
            options.append(self.when())
        end = self.spans[self.expect("}")][1]
        return Case(test, options, start, end)

    def when(self) -> When:
        """``a, b: { … }``"""
        values = [self.expression()]
        while self.kinds[self.i] == ",":
            self.i += 1
            values.append(self.expression())
        self.expect(":", ", or :")
        body, end = self.block()
        return When(values, body, values[0].start, end)

    # -- parameters -------------------------------------------------------------------------

    def lambda_(self) -> Lambda:
        """``|$x| >> T { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        params = self.params("|")
        self.expect("|", ", or |")
        returns = self.returns()
        body, end = self.block()
        return Lambda(params, returns, body, start, end)

    def param_list(self) -> list[Param]:
        """``($x, …)``, or nothing"""
        if self.kinds[self.i] not in ("(", "WSPAREN"):
            return []
        self.i += 1
        params = self.params(")")
        self.expect(")", ", or )")
        return params

    def params(self, closing: str) -> list[Param]:
        """``$a, T $b = 1, *$c`` up to a closing token"""
        params: list[Param] = []
        while self.kinds[self.i] != closing:
            params.append(self.param())
            if self.kinds[self.i] != ",":
                break
            self.i += 1
        return params

    def param(self) -> Param:
        """``T *$name = default``"""
        kinds = self.kinds
        start = self.spans[self.i][0]
        type_ = self.simple_type() if kinds[self.i] == "REF" else None
        splat = kinds[self.i] == "*"
        if splat:
            self.i += 1
        i = self.expect("VAR", "a parameter such as $x")
        name_start, end = self.spans[i]
        name_end, default = end, None
        if kinds[self.i] == "=":
            self.i += 1
            default = self.expression()
            end = default.end
        return Param(self.values[i], type_, default, splat, name_start, name_end, start, end)

    def simple_type(self) -> Expr:
        """``T`` or ``T[…]``, and no more than that"""
        i = self.expect("REF", "a type")
        start, end = self.spans[i]
        type_: Expr = TypeName(self.values[i], start, end)
        if self.kinds[self.i] != "[":
            return type_
        self.i += 1
        keys = self.items("]", only_expressions=True, trailing=False)
        if not keys:
            self.refuse("a type parameter")
        close = self.expect("]", ", or ]")
        return Access(type_, keys, start, self.spans[close][1])

    def returns(self) -> Expr | None:
        """``>> T``, or nothing"""
        if self.kinds[self.i] != ">>":
            return None
        self.i += 1
        return self.simple_type()

    # -- definitions ------------------------------------------------------------------------

    def definition_name(self, kind: str) -> int:
        """The name of a class, define or function; its index."""
        i = self.i
        found = self.kinds[i]
        if found in ("class", "STR"):
            what = describe(found, self.values[i])
            self.refuse_with(codes.BAD_DEFINITION_WORD, i, kind=kind, found=what)
        if found not in _NAMES:
            self.refuse(f"the name of a {kind}")
        self.i = i + 1
        return i

    def qualified(self, name: str) -> str:
        """The complete name of a class or define that is defined inside classes."""
        return "::".join([*self.names, name]) if self.names else name

    def class_(self) -> Expr:
        """``class a ($x) inherits b { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        i = self.definition_name("class")
        spelled = self.values[i]
        self.names.append(spelled)
        params = self.param_list()
        parent = None
        if self.kinds[self.i] == "inherits":
            self.i += 1
            if self.kinds[self.i] == "default":
                parent = "default"
                self.i += 1
            else:
                parent = self.values[self.definition_name("class")]
        body, end = self.block()
        self.names.pop()
        return ClassDef(self.qualified(spelled), params, parent, body, *self.spans[i], start, end)

    def define(self) -> Expr:
        """``define a ($x) { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        i = self.definition_name("define")
        params = self.param_list()
        body, end = self.block()
        return Define(self.qualified(self.values[i]), params, body, *self.spans[i], start, end)

    def function(self) -> Expr:
        """``function a ($x) >> T { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        i = self.definition_name("function")
        params = self.param_list()
        returns = self.returns()
        body, end = self.block()
        return Function(self.values[i], params, returns, body, *self.spans[i], start, end)

    def node(self) -> Expr:
        """``node 'a', /b/, default { … }``"""
        start = self.spans[self.i][0]
        self.i += 1
        hosts = [self.host()]
        while self.kinds[self.i] == ",":
            self.i += 1
            if self.kinds[self.i] in ("{", "inherits"):
                break
            hosts.append(self.host())
        parent = None
        if self.kinds[self.i] == "inherits":
            self.i += 1
            parent = self.host()
        body, end = self.block()
        return Node(hosts, parent, body, start, end)

    def host(self) -> Expr:
        """``a.example.com``, a string, a regular expression or ``default``"""
        kinds, i = self.kinds, self.i
        kind = kinds[i]
        if kind in ("STR", "WORD"):
            return self.string()
        if kind == "DQPRE":
            return self.interpolated()
        if kind == "HEREDOC":
            return self.heredoc()
        if kind == "REGEX":
            return self.regex()
        if kind == "default":
            self.i = i + 1
            return Default(*self.spans[i])
        words = []
        while True:
            if kinds[self.i] not in ("NAME", "NUM"):
                self.refuse("the name of a node")
            words.append(self.values[self.i])
            self.i += 1
            if kinds[self.i] != ".":
                return String(".".join(words), self.spans[i][0], self.spans[self.i - 1][1])
            self.i += 1

    def type_keyword(self) -> Expr:
        """``type(…)``, ``type A = T``, ``type A inherits B { … }``"""
        kinds = self.kinds
        i = self.i
        start, end = self.spans[i]
        self.i = i + 1
        if kinds[self.i] == "(":
            return self.call(Name("type", start, end))
        left = self.simple_type()
        if isinstance(left, TypeName) and kinds[self.i] in ("{", "inherits"):
            parent = None
            if kinds[self.i] == "inherits":
                self.i += 1
                parent = self.values[self.expect("REF", "a type")]
            body, end = self.block()
            return TypeDef(left.value, parent, body, start, end)
        self.expect("=", "= and a type")
        right = self.right_of_alias()
        if isinstance(left, TypeName):
            return Alias(left.value, right, start, right.end)
        return TypeMapping(left, right, start, right.end)

    def right_of_alias(self) -> Expr:
        """``T``, ``T[…]``, ``T { … }``, ``{ … }`` or ``[ … ]``; braces make an Object type"""
        kind = self.kinds[self.i]
        if kind in ("[", "LIST"):
            return self.array()
        if kind == "{":
            object_ = self.hash()
            return Access(TypeName("Object", object_.start, object_.start), [object_],
                          object_.start, object_.end)  # fmt: skip
        if kind != "REF":
            self.refuse("a type")
        start, end = self.spans[self.i]
        type_ = TypeName(self.values[self.i], start, end)
        self.i += 1
        if self.kinds[self.i] == "[":
            return self.access(type_)
        if self.kinds[self.i] != "{":
            return type_
        body = self.hash()
        assert isinstance(body, Hash)
        if type_.value in ("Object", "TypeSet"):
            return Access(type_, [body], start, body.end)
        body.entries.append(Entry(Name("parent", start, start), type_, start, end))
        return Access(TypeName("Object", start, start), [body], start, body.end)

    # -- EPP --------------------------------------------------------------------------------

    def render_text(self) -> Expr:
        """Text outside the tags."""
        i = self.i
        self.i = i + 1
        return RenderText(self.values[i], *self.spans[i])

    def render(self) -> Expr:
        """``<%= e %>``, or with statements in braces"""
        kinds = self.kinds
        start = self.spans[self.i][0]
        self.i += 1
        value = self.block_or_hash() if kinds[self.i] == "{" else self.expression()
        end = self.spans[self.expect("RENDER_END", "%>")][1]
        return Render(value, start, end)

    def block_or_hash(self) -> Expr:
        """Braces after ``<%=``: a hash if a ``=>`` follows its first part, else statements"""
        from headwater.langs.puppet.syntax.ast import Block

        mark = self.i
        following = self.kinds[mark + 1]
        if following == "}" or (following in ("type", "function") and self.kinds[mark + 2] == "=>"):
            return self.expression()
        self.i = mark + 1
        self.assignment()
        is_hash = self.kinds[self.i] == "=>"
        self.i = mark
        if is_hash:
            return self.expression()
        start = self.spans[mark][0]
        body, end = self.block()
        return body[0] if len(body) == 1 else Block(body, start, end)


OPERANDS.update(
    {
        "if": Definitions.if_,
        "unless": Definitions.unless,
        "case": Definitions.case,
        "class": Definitions.class_,
        "define": Definitions.define,
        "function": Definitions.function,
        "node": Definitions.node,
        "type": Definitions.type_keyword,
        "RENDER_TEXT": Definitions.render_text,
        "RENDER": Definitions.render,
    }
)

__all__ = ["Array", "Definitions"]
