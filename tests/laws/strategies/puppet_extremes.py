"""Texts at the edge: very long, very deep, cut off, or full of characters nobody types."""

from __future__ import annotations


def extremes(size: int) -> dict[str, str]:
    """Texts of about `size` characters, by what is extreme about them."""
    deep, some = max(size // 2, 5000), size // 600
    line = "file { '/etc/motd': ensure => file, mode => '0644', content => \"a ${b} c\" }\n"
    return {
        "one long manifest": line * (size // len(line)),
        "one long comment": "# " + "x" * size,
        "one long block comment": "/*" + "* " * (size // 2),
        "many short comments": "# x\n" * (size // 4),
        "one long name": "a" * size,
        "one long qualified name": "a::" * (size // 3) + "a",
        "one long word": "a-" * (size // 2),
        "one long number": "1" * size,
        "one long string": "$a = '" + "x" * size + "'",
        "one long interpolated string": '$a = "' + "${x} " * (size // 5) + '"',
        "an unclosed string": "$a = '" + "x" * size,
        "an unclosed interpolation": '$a = "' + "${" * (size // 2),
        "many quotes": '"' * size,
        "many escapes": '$a = "' + "\\n" * (size // 2) + '"',
        "many unicode escapes": '$a = "' + "\\u0041" * (size // 6) + '"',
        "an unclosed heredoc": "$a = @(END)\n" + "text\n" * (size // 5),
        "an unclosed heredoc tag": "$a = @(" + "x" * size,
        "a heredoc of blanks": "$a = @(END)\n" + " " * size + "\n",
        "many heredocs on a line": f"f({'@(A), ' * some}1)\n" + "x\nA\n" * some,
        "many empty heredocs": "$a = @(A)\nA\n" * (size // 12),
        "nested brackets": "[" * 5000,
        "nested brackets, closed": "[" * 5000 + "]" * 5000,
        "nested braces": "if $a { " * 5000,
        "nested parentheses": "$a = " + "(" * deep + "1" + ")" * deep,
        "nested lambdas": "f() |$x| { " * 5000,
        "nested strings": '"${' * 5000,
        "nested calls": "f(" * 5000 + ")" * 5000,
        "nested hashes": "$a = " + "{a => " * 5000 + "1" + "}" * 5000,
        "nested selectors": "$a = " + "$b ? { 1 => " * 5000 + "2" + "}" * 5000,
        "a chain of selectors": "$a = " + "$b ? 1 => " * 20000 + "2",
        "a chain of additions": "$a = 1" + " + 1" * (size // 4),
        "a chain of arrows": "A" + " -> A" * (size // 5),
        "a chain of assignments": "$a = " * (size // 5) + "1",
        "a chain of calls": "$a" + ".b" * (size // 2),
        "a mixed chain": "$a" + ".b[1]" * min(size // 5, 2400),
        "a mixed chain in a tree": "$a = " + ("f(" * 400) + "$a" + ".b[1]" * 2400 + ")" * 400,
        "a chain of accesses": "$a" + "[1]" * (size // 3),
        "a chain of elsif": "if $a { }" + " elsif $b { }" * (size // 13),
        "a chain of bodies": "a" + "{'b': }" * (size // 7),
        "a row of minus signs": "$a = " + "-" * size + "1",
        "a row of not signs": "$a = " + "!" * size + "1",
        "a row of at signs": "@ " * (size // 2),
        "only braces": "{}" * (size // 2),
        "only closing braces": "}" * size,
        "only semicolons": ";" * size,
        "only commas": "," * size,
        "only slashes": "/ " * (size // 2),
        "only NUL": "\0" * size,
        "NUL in code": "notice(1)\0\n" * (size // 11),
        "lone surrogates": "\ud800" * size,
        "lone surrogates in strings": "$a = '\ud800'\n" * (size // 12),
        "broken lines": "$a = [1, 2\nclass b {\n" * (size // 22),
        "carriage returns": "notice(1)\r" * (size // 10),
        "odd blanks": "\u00a0" * size,
        "a long regular expression": "$a =~ /" + "a|" * (size // 2) + "b/",
        "nested groups": "$a =~ /" + "(" * 5000 + ")" * 5000 + "/",
        "an unclosed comment after slashes": "/" + "*/" * (size // 2),
        "colons": "::" * (size // 2),
        "dollars": "$" * size,
        "dollars in a string": '"' + "$" * size + '"',
    }


def template_extremes(size: int) -> dict[str, str]:
    """The same for templates."""
    return {
        "plain text": "x" * size,
        "many tags": "<%= $x %>" * (size // 9),
        "an unclosed tag": "text <%= " + "$x + " * (size // 5),
        "an unclosed comment": "<%#" + "x" * size,
        "many comments": "<%# x %>" * (size // 8),
        "many escapes": "<%%" * (size // 3),
        "many percent signs": "%" * size,
        "many trims": "<%- -%>\n" * (size // 8),
        "nested code": "<% if $x { %>" * 5000,
    }
