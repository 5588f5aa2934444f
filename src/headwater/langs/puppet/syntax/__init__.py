"""The syntax of Puppet: lexer, parser, tree, validation, printer.

parsed = parse(source)          a `Program` and diagnostics
validate(parsed.program)        what Puppet refuses although it parses
show(parsed.program)            the text in a normal form
"""

from typing import TYPE_CHECKING

from headwater.text.late import late

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.ast import Program
    from headwater.langs.puppet.syntax.definition_checks import Place
    from headwater.langs.puppet.syntax.parser import Parsed, parse
    from headwater.langs.puppet.syntax.printer import show
    from headwater.langs.puppet.syntax.validation import validate
else:
    __getattr__ = late(
        __name__,
        {
            "ast": "Program",
            "definition_checks": "Place",
            "parser": "Parsed parse",
            "printer": "show",
            "validation": "validate",
        },
    )

__all__ = ["Parsed", "Place", "Program", "parse", "show", "validate"]
