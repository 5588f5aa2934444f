"""Random expressions of Puppet's whole grammar, most of which can be evaluated."""

# ruff: noqa: E501 (forms of programs are easier to read in one line each)

from __future__ import annotations

from headwater.langs.choices import Choices

WORDS = ("a", "b", "c", "web", "db")
TEXTS = ("a", "b", "ab", "", "A", "a-b", "10", "0x1F", "1.5", "a b", "::c", "x1y2", "ä", "é€")
TYPES = (
    "Integer", "String", "Any", "Boolean", "Array", "Hash", "Float", "Numeric", "Scalar", "Data",
    "Undef", "Collection", "Integer[0, 5]", "String[1]", "Array[Integer]", "Array[String, 1, 2]",
    "Hash[String, Integer]", "Enum['a', 'b']", "Enum['A', true]", "Pattern[/^a/]", "Optional[Integer]",
    "Variant[Integer, String]", "NotUndef", "Tuple[Integer, String]", "Tuple[Any, 1, 3]",
    "Struct[{'k' => Integer, Optional['l'] => Any}]", "Type[Integer]", "Type", "Regexp",
    "Iterable[Integer]", "Iterator", "Callable", "Callable[1]", "Sensitive", "Sensitive[String]", "Default", "Float[0.0, 2.5]",
    "ScalarData", "RichData", "Boolean[true]", "Notify",
    "Timestamp", "Timespan", "SemVer", "SemVerRange", "Binary", "URI", "Init[Integer]",
    "Notify['a']", "Class['c_a']", "Deferred", "Object", "TypeReference['X']", "Runtime", "Hash[0, 0]", "Array[0, 0]",
)  # fmt: skip
REGEXES = (
    "/a/",
    "/^a(.)/",
    "/(\\d+)/",
    "/[[:alpha:]]+/",
    "/(?i)A/",
    "/(?<n>x)/",
    "/\\Ab\\z/",
    "/b|a/",
)
QUOTED_P, QUOTED_Q = "'p'", "'q'"
MATCHED = (*TYPES, "CatalogEntry", "Resource", "Class", "Type[CatalogEntry]", "Type[Class]")
INSTEAD = ("X", "<\\1>", "")
FUNCTIONS = (
    "abs", "camelcase", "capitalize", "ceiling", "chomp", "chop", "downcase", "empty", "flatten",
    "floor", "keys", "length", "lstrip", "max", "min", "round", "rstrip", "size", "sort", "strip",
    "unique", "upcase", "values", "type", "unwrap", "md5", "sha1", "sha256", "shellquote", "any", "all",
)  # fmt: skip
ITERATORS = ("map", "filter", "each", "any", "all", "reverse_each", "group_by", "index", "partition",
             "tree_each", "reduce", "sort", "unique", "slice", "step")  # fmt: skip


class Expressions:
    """Makes expressions out of choices.  `vars` are the variables in view."""

    def __init__(self, choices: Choices) -> None:
        self.on = choices
        self.vars: list[str] = ["facts", "x"]
        self.defined: dict[str, list[str]] = {"c": [], "d": [], "f": []}

    def name(self, kind: str) -> str:
        """The name of a class, define or function; most often of one that there is."""
        known = self.defined[kind]
        word = self.on.pick(WORDS if not known or self.on.chance(20) else known)
        return f"{kind}_{word}"

    def any(self, depth: int = 2) -> str:
        """An expression of any kind."""
        on = self.on
        if depth <= 0 or on.spent:
            return self.simple()
        kind = on.upto(21)
        match kind:
            case 0 | 1 | 2:
                return self.simple()
            case 3:
                return self.array(depth)
            case 4:
                return self.hash(depth)
            case 5:
                return self.arithmetic(depth)
            case 6:
                return self.comparison(depth)
            case 7:
                return self.logic(depth)
            case 8:
                return self.access(depth)
            case 9:
                return self.text(depth)
            case 10:
                return self.selector(depth)
            case 11:
                return self.conditional(depth)
            case 12:
                return self.case(depth)
            case 13:
                return f"{on.pick(FUNCTIONS)}({self.any(depth - 1)})"
            case 14:
                return self.iteration(depth)
            case 15:
                return f"({self.any(depth - 1)} {on.pick(('=~', '!~'))} {on.pick(MATCHED)})"
            case 16:
                return self.call(depth)
            case 17:
                return self.conversion(depth)
            case 18:
                return self.merged(depth)
            case 19:
                return self.type()
            case 20:
                return self.lambda_call(depth)
        return self.matching(depth)

    def simple(self) -> str:
        """A literal or a variable."""
        on = self.on
        match on.upto(9):
            case 0 | 1:
                return str(on.upto(9))
            case 2 | 3:
                return f"'{on.pick(TEXTS)}'"
            case 4 | 5:
                return f"${on.pick(self.vars)}"
            case 6:
                return on.pick(("true", "false"))
            case 7:
                return on.pick(("1.5", "0.1", "1e3", "100.0", "0x1F", "0644", "-3", "2.0"))
            case 8:
                return on.pick(("undef", "default", "undef"))
        return on.pick(("word", "two::words", "a-b", "Sensitive('s')", *REGEXES))

    def number(self) -> str:
        """An integer or what may be one."""
        on = self.on
        return on.pick((str(on.upto(9)), f"-{on.upto(4)}", f"{on.upto(4)}.5", "'7'", "$x"))

    def array(self, depth: int) -> str:
        """An array, perhaps with a splat or an unpacked entry."""
        on = self.on
        items = on.several(0, 3, lambda: self.any(depth - 1))
        if on.chance(6):
            items.append(f"*{self.any(depth - 1)}")
        if on.chance(8):
            items.append(f"'k' => {self.any(depth - 1)}")
        return f"[{', '.join(items)}]"

    def hash(self, depth: int) -> str:
        """A hash, most often with strings as keys."""
        on = self.on
        keys = on.several(0, 3, lambda: on.pick(("'k'", "'l'", "k", "'m'", "1", "undef", "2.5", "[1]",
                                                  "true", "default", "$x", "'K'")))  # fmt: skip
        return "{" + ", ".join(f"{key} => {self.any(depth - 1)}" for key in keys) + "}"

    def arithmetic(self, depth: int) -> str:
        """Numbers and arrays with their operators."""
        on = self.on
        operator = on.pick(("+", "-", "*", "/", "%", "<<", ">>"))
        if on.chance(3):
            return f"({self.any(depth - 1)} {operator} {self.any(depth - 1)})"
        if operator == "<<" and on.chance(2):
            return f"({self.array(depth - 1)} << {self.any(depth - 1)})"
        return f"({self.number()} {operator} {self.number()})"

    def comparison(self, depth: int) -> str:
        """Two values compared."""
        on = self.on
        operator = on.pick(("==", "!=", "<", "<=", ">", ">=", "in"))
        left, right = self.any(depth - 1), self.any(depth - 1)
        if operator in ("<", "<=", ">", ">=") and not on.chance(4):
            left, right = self.number(), self.number()
            if on.chance(4):
                left, right = self.type(), self.type()
        return f"({left} {operator} {right})"

    def logic(self, depth: int) -> str:
        """And, or, not."""
        on = self.on
        if on.chance(3):
            return f"(!{self.any(depth - 1)})"
        return f"({self.any(depth - 1)} {on.pick(('and', 'or'))} {self.any(depth - 1)})"

    def access(self, depth: int) -> str:
        """Elements, slices, characters, parameters of references."""
        on = self.on
        match on.upto(5):
            case 0:
                return f"{self.array(depth)}[{on.pick(('0', '1', '-1', '5', '0, 2', '1, -1', '-2, 2'))}]"
            case 1:
                return f"{self.hash(depth)}[{on.pick((chr(39) + 'k' + chr(39), 'l', '1', 'undef', '2.5', 'true'))}]"
            case 2:
                return f"'{on.pick(TEXTS)}'[{on.pick(('0', '1, 2', '-1', '9'))}]"
            case 3:
                key = on.pick(("'message'", "'tag'", "'nosuch'", "'noop'"))
                return f"Notify['{on.pick(WORDS)}'][{key}]"
            case 4:
                return f"Class[{self.name('c')}][{on.pick((QUOTED_P, QUOTED_Q))}]"
        return f"$facts['{on.pick(('os', 'kernel', 'nosuch'))}']"

    def text(self, depth: int) -> str:
        """A string with interpolations, or a heredoc."""
        on = self.on
        parts = []
        for _ in range(1 + on.upto(2)):
            match on.upto(6):
                case 0:
                    parts.append(on.pick(WORDS))
                case 1:
                    parts.append(f"${{{on.pick(self.vars)}}}")
                case 2:
                    parts.append(f"${on.pick(self.vars)}")
                case 3:
                    parts.append(
                        f"${{{on.pick(self.vars)}[{on.pick(('0', '1', chr(39) + 'k' + chr(39)))}]}}"
                    )
                case 4:
                    parts.append("${" + self._inside(depth - 1) + "}")
                case 5:
                    parts.append(
                        on.pick(("\\n", "\\t", "\\$x", "\\u00e9", "\\\\", "\\s", "$", "\\q", '\\"'))
                    )
                case _:
                    parts.append(
                        f"${{{on.pick(self.vars)}.{on.pick(('size', 'upcase', 'keys', 'type'))}}}"
                    )
        body = "".join(parts)
        if on.chance(6) and '"' not in body:
            flags = on.pick(('"E"', '"E"/tn', "E", '"E"/$'))
            return f"@({flags})\n  {body}\n  | E\n"
        return f'"{body}"'

    def _inside(self, depth: int) -> str:
        found = self.any(depth)
        return "$x" if found[:1] in "tfud0123456789-" or "@(" in found else found

    def selector(self, depth: int) -> str:
        """A selector; it may have no fitting option."""
        on = self.on
        options = on.several(1, 2, lambda: f"{self.option(depth - 1)} => {self.any(depth - 1)}")
        if not on.chance(4):
            options.append(f"default => {self.any(depth - 1)}")
        return f"{self.operand(depth - 1)} ? {{ {', '.join(options)} }}"

    def operand(self, depth: int) -> str:
        """An expression that can stand before ``?``, ``[`` and ``.``."""
        return f"({self.any(depth)})"

    def option(self, depth: int) -> str:
        """What a case or selector compares with."""
        on = self.on
        return on.make((lambda: self.simple(), self.type, lambda: on.pick(REGEXES),
                        lambda: self.operand(depth), lambda: f"*{self.array(depth)}"))  # fmt: skip

    def conditional(self, depth: int) -> str:
        """If or unless as a value."""
        on = self.on
        test, then = self.any(depth - 1), self.any(depth - 1)
        if on.chance(3):
            return f"unless {test} {{ {then} }} else {{ {self.any(depth - 1)} }}"
        middle = f" elsif {self.any(depth - 1)} {{ {self.any(depth - 1)} }}" if on.chance(4) else ""
        end = "" if on.chance(4) else f" else {{ {self.any(depth - 1)} }}"
        return f"if {test} {{ {then} }}{middle}{end}"

    def case(self, depth: int) -> str:
        """A case as a value."""
        on = self.on
        whens = on.several(1, 2, lambda: f"{self.option(depth - 1)}: {{ {self.any(depth - 1)} }}")
        if not on.chance(3):
            whens.insert(on.upto(len(whens)), f"default: {{ {self.any(depth - 1)} }}")
        return f"case {self.any(depth - 1)} {{ {' '.join(whens)} }}"

    def iteration(self, depth: int) -> str:
        """A function with a lambda over something iterable."""
        on = self.on
        over = on.make((lambda: self.array(depth), lambda: self.hash(depth), lambda: str(on.upto(4)),
                        lambda: f"'{on.pick(TEXTS)}'", lambda: self.operand(depth - 1),
                        lambda: "Integer[1, 3]"))  # fmt: skip
        name = on.pick(ITERATORS)
        before = list(self.vars)
        params = on.pick((("i",), ("i",), ("i", "j"), ("i", "j", "k"), ()))
        self.vars += params
        typed = on.pick(("", "", "", "Integer ", "Any "))
        listed = ", ".join(f"{typed}${p}" for p in params)
        if on.chance(9) and params:
            listed = listed + " = 1"
        jump = on.pick(("", "", "", "", "next() ", "break() ", "return(1) "))
        guard = f"if $i == {self.simple()} {{ {jump}}} " if jump and params else ""
        body = f"{guard}{self.any(depth - 1)}"
        self.vars = before
        args = on.pick(("", "", "", "(2)", f"({self.simple()})"))
        return f"{over}.{name}{args} |{listed}| {{ {body} }}"

    def lambda_call(self, depth: int) -> str:
        """with, then, lest and others that take one value and a lambda."""
        on = self.on
        before = list(self.vars)
        self.vars.append("v")
        typed = on.pick(("", "", f"{on.pick(TYPES)} "))
        body = self.any(depth - 1)
        self.vars = before
        value = self.any(depth - 1)
        match on.upto(3):
            case 0:
                return f"with({value}) |{typed}$v| {{ {body} }}"
            case 1:
                return f"{self.operand(depth - 1)}.then |{typed}$v| {{ {body} }}"
            case 2:
                return f"({value}).lest || {{ {self.any(depth - 1)} }}"
        return f"with({value}, 2) |$v, *$rest| {{ [$rest, {body}] }}"

    def call(self, depth: int) -> str:
        """Functions that take more than one argument."""
        on = self.on
        value = self.any(depth - 1)
        forms = (
            f"join({self.array(depth)}, '{on.pick(('-', '', ','))}')",
            f"split('{on.pick(TEXTS)}', {on.pick(('/b/', chr(39) + 'b' + chr(39), '/(-)/'))})",
            f"regsubst('{on.pick(TEXTS)}', '{on.pick(('a', '(.)', '^', 'b*'))}', '{on.pick(INSTEAD)}', '{on.pick(('', 'G', 'I'))}')",
            f"sprintf('{on.pick(('%s', '%d', '%05.1f', '%x', '%-4s|', '%p', '%+d', '%s %s'))}', {value})",
            f"dig({self.hash(depth)}, 'k', {self.simple()})",
            f"get({self.hash(depth)}, '{on.pick(('k', 'k.0', 'k.l', 'x'))}', {value})",
            f"getvar('{on.pick(('x', 'facts.os.family', 'c_a::v', 'x.0', 'nosuch'))}')",
            f"versioncmp('{on.pick(('1.2', '1.10', '1', '1.2-a'))}', '{on.pick(('1.2', '1.9', '2'))}')",
            f"compare({value}, {self.simple()})",
            f"fqdn_rand({on.pick(('10', '1000', '7'))}, '{on.pick(WORDS)}')",
            f"defined({on.pick((chr(39) + '$x' + chr(39), 'Notify[' + chr(39) + 'a' + chr(39) + ']', chr(39) + 'c_a' + chr(39), 'Class[c_b]', chr(39) + 'notify' + chr(39), chr(39) + 'd_a' + chr(39)))})",
            f"tagged('{on.pick(WORDS)}')", f"match({value}, {on.pick(REGEXES)})",
            f"{self.name('f')}({value})", f"{self.name('f')}({value}, {self.simple()})",
            f"call('{on.pick(('size', 'f_a', 'upcase'))}', {value})",
            f"assert_type({self.type()}, {value})", f"inline_epp('<%= $v %>-<% if true {{ -%> y<% }} %>', {{ 'v' => {value} }})",
            f"Deferred('f', [{value}])", f"strftime(Timestamp('2020-01-02T03:04:05'), '{on.pick(('%Y-%m-%d', '%H', '%j %a'))}')",
            f"lookup('{on.pick(('k1', 'k2', 'k3.l', 'none', 'c_a::p'))}', {{ 'default_value' => {value} }})",
            f"max({value}, {self.simple()})", f"min(1, {self.number()})", f"convert_to({value}, {self.type()})",
            f"({value}).type('generalized')",
        )  # fmt: skip
        return on.pick(forms)

    def conversion(self, depth: int) -> str:
        """A value made from another."""
        on = self.on
        value = self.any(depth - 1)
        kinds = ("String", "Integer", "Float", "Numeric", "Boolean", "Array", "Hash", "Tuple[Any]",
                 "Sensitive", "Timespan", "SemVer", "Integer[0, 3]", "Struct[{'k' => Any}]",
                 "Optional[Integer]", "Binary", "Regexp", "URI", "Init[String]", "Type")  # fmt: skip
        return on.pick((
            f"{on.pick(kinds)}({value})", f"{on.pick(kinds)}.new({value})",
            f"String({value}, '{on.pick(('%s', '%p', '%d', '%x', '%e', '%#a', '%h'))}')",
            f"Integer('{on.pick(('010', '0x1F', '0b11', '-5', ' 7', 'z'))}', {on.pick(('10', '16', '2', '8'))})",
            f"Array({value}, true)",
        ))  # fmt: skip

    def merged(self, depth: int) -> str:
        """Collections added, removed, flattened."""
        on = self.on
        return on.pick((
            f"({self.array(depth)} + {self.any(depth - 1)})", f"({self.hash(depth)} + {self.hash(depth)})",
            f"({self.array(depth)} - {self.array(depth)})", f"({self.hash(depth)} - {self.array(depth)})",
            f"flatten({self.array(depth)}, {self.array(depth)})", f"({self.hash(depth)} + {self.array(depth)})",
            f"({self.array(depth)} << {self.any(depth - 1)})", f"({self.hash(depth)} - {self.hash(depth)})",
        ))  # fmt: skip

    def type(self) -> str:
        """A type."""
        return self.on.pick(TYPES)

    def matching(self, depth: int) -> str:
        """A match and what it captured."""
        on = self.on
        text = on.pick((f"'{on.pick(TEXTS)}'", "$x", self.text(depth)))
        return f"[{text} =~ {on.pick(REGEXES)}, $0, $1]"
