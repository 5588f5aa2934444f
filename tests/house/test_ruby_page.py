# ruff: noqa: E501 - lines of the page
"""The page about Ruby, generated: which constructs and methods are evaluated, and which not.

``make update`` writes docs/languages/puppet-ruby.md.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

from headwater.langs.puppet.ruby import classes, methods
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.machine import (
    A_CALL,
    DEEPEST,
    LONGEST,
    MOST,
    STEPS,
    Builtin,
    Refused,
)
from headwater.langs.puppet.types.regexps import SEARCH_LIMIT

assert methods.__all__
PAGE = Path(__file__).parents[2] / "docs" / "languages" / "puppet-ruby.md"
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
OURS = ("Puppet", "SemanticPuppet")

ABOUT = f"""\
# Ruby in Puppet modules

Templates (ERB) and functions of modules are Ruby. Headwater evaluates the part of it that they use, by itself: no Ruby is needed
on the machine, and nothing that they say can touch it. This page is generated (`make update`) from the tables of the evaluator.

A method that Ruby has and this page does not is refused by its name (`puppet-ruby-beyond`), never taken for a mistake of the
program; a method that Ruby has not is the `NoMethodError` that Ruby raises, with Ruby's words. Both are tested against the names
that Ruby 3.1 gives for each class. What methods give is compared with real Ruby on programs drawn at random
([docs/laws/ruby.md](../laws/ruby.md)). Of Puppet's own classes only a part is here; their other methods are refused by name too.

Files are read through the compiler, of modules alone (`__dir__`, `File.read`, `File.exist?`, `YAML.load_file` …), and what is computed
of them depends on them; of other files these methods are refused. A library of a module (`lib/puppet_x/…`) is found by `require`
whatever Puppet's load path is, which a bare Puppet does not do.

Known to differ from Ruby: a symbol that Ruby hands to the program (as a result or a variable) is a string there, and only Ruby finds
it again in arrays and hashes that it put into a variable (`scope.setvar`); changing such an array or hash afterwards is refused.
What Ruby itself writes in ASCII (`1.to_s.encoding`) is called UTF-8 here, which holds the same bytes; strings in UTF-16 are counted by bytes.

Refused by name: `StringIO`, `Pathname`, chance without a seed (`SecureRandom`), and values of classes that a program makes under Array,
Hash, String or their like (`class Sorted < Hash`).

A string of bytes (`ASCII-8BIT`: what `Base64.decode64`, `OpenSSL::HMAC.hexdigest`, `Array#pack` or `String.new` give, and `!binary` in data) keeps its encoding
through methods, templates and manifests, as in Ruby: as the value of a parameter it is a `Binary` in the catalog, put together with text beyond ASCII it is an
error (`puppet-mixed-encodings`), and a title or key is read as UTF-8.

## Bounds

| what | at most |
|---|---|
| steps (calls, turns of loops and blocks) of one compilation | {STEPS:,} |
| calls in each other | {DEEPEST // A_CALL:,} (Ruby's `SystemStackError`) |
| blocks and methods of Ruby's own in each other | {DEEPEST:,}, of which a call takes {A_CALL} |
| characters of a string | {LONGEST:,} |
| elements of an array | {MOST:,} |
| bits of an integer | 4,000,000 |
| steps of one search by a regular expression (Oniguruma, Ruby's own engine) | {SEARCH_LIMIT:,} |

## Constructs

"""

REFUSED_CONSTRUCTS = """\
Not evaluated, and refused by name: `redo`, flip-flops, `BEGIN` and `END`,
refinements, reopened classes of Ruby's own, text that is run (`eval`, backticks, `%x`), `ObjectSpace`, `binding`, the
terminal, processes, files but those of the module, the clock, chance without a seed, complex numbers, and the text of an object
that has none of its own (Ruby shows its address). Taken for mistakes, because the parser does: `case a in b` on one line, and
`a<<b` without blanks where `b` is a name, which looks like a heredoc.

## Methods

"""


def first_line(node: type) -> str:
    """What a kind of node stands for."""
    return (inspect.getdoc(node) or "").split("\n")[0].rstrip(".").replace("``", "`")


def cells(names: list[str]) -> str:
    """Names in a cell of a table."""
    return " ".join(f"`{name}`".replace("|", "\\|") for name in sorted(names))


def page() -> str:
    """The whole page."""
    lines = [ABOUT.rstrip("\n"), "", "| | |", "|---|---|"]
    for node in get_args(s.Expr):
        lines.append(f"| {node.__name__} | {first_line(node)} |".replace("||", "\\|\\|"))
    lines += ["", REFUSED_CONSTRUCTS.rstrip("\n"), "", "| class | methods | of the class itself |"]
    lines.append("|---|---|---|")
    refused: dict[str, list[str]] = {}
    for name, cls in sorted(classes.BUILTIN.items()):
        if name.startswith(OURS):
            continue
        own = [key for key, one in cls.methods.items() if isinstance(one, Builtin)]
        itself = [key for key, one in cls.own.items() if isinstance(one, Builtin)]
        if own or itself:
            lines.append(f"| {name} | {cells(own)} | {cells(itself)} |")
        for one in [*cls.methods.values(), *cls.own.values()]:
            if isinstance(one, Refused):
                refused.setdefault(one.reason, []).append(one.name)
    lines += ["", "## Refused", "", "| why | methods |", "|---|---|"]
    for reason, names in sorted(refused.items()):
        lines.append(f"| {reason} | {cells(names)} |")
    return "\n".join(lines) + "\n"


def test_the_page_about_ruby_is_the_one_of_the_tables() -> None:
    # In a process of its own: other tests may have loaded more than the tables.
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    text = done.stdout
    if UPDATE:
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.stdout.write(page())
