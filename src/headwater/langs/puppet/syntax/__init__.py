"""The syntax of Puppet: lexer, parser, tree, validation, printer.

parsed = parse(source)          a `Program` and diagnostics
validate(parsed.program)        what Puppet refuses although it parses
show(parsed.program)            the text in a normal form
"""

from headwater.langs.puppet.syntax.ast import Program
from headwater.langs.puppet.syntax.definition_checks import Place
from headwater.langs.puppet.syntax.parser import Parsed, parse
from headwater.langs.puppet.syntax.printer import show
from headwater.langs.puppet.syntax.validation import validate

__all__ = ["Parsed", "Place", "Program", "parse", "show", "validate"]
