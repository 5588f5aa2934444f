"""The production dialect on files as they were written: old encodings, every construct, and
what a file that cannot be compiled is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import all_cases
from headwater.ask import Request, compile_request
from headwater.ask.check import check
from headwater.langs import Options
from headwater.langs.smartfrog.production.lexer import tokens
from headwater.langs.smartfrog.production.words import RESERVED
from headwater.text import Source

OLD = b'sfConfig extends { who "Jos\xe9"; } // na\xefve\n'

SIGNS = ["{", "}", "[", "]", "[|", "|]", "(", ")", ",", ":", ";", "--", "!", "+", "-", "*", "/",
         "%", "++", "<>", "==", "!=", ">=", "<=", ">", "<", "&&", "||", "->"]  # fmt: skip
WRITTEN = ("word", "string", "multiline", "number", "bytes", "include", "codebase", "xor")
BYTES = ("#HEX#", "#DEC#", "#OCT#", "#BIN#", "#B64#")


def test_a_file_from_before_utf8_is_read_as_latin1_with_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "old.sf"
    file.write_bytes(OLD)
    outcome = compile_request(Request(files=(str(file),), dialect="production")).outcome
    assert outcome.result is not None
    assert outcome.result.plain() == {"who": "José"}
    [warning] = outcome.diagnostics
    assert (warning.code, warning.severity) == ("sf-not-utf8", "warning")
    assert warning.at.text == "é"
    assert warning.at.source.byte_offset(warning.at.start) == OLD.index(b"\xe9")


def test_an_included_file_from_before_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "old.sf").write_bytes(OLD)
    main = tmp_path / "main.sf"
    main.write_text('#include "old.sf"\nsfConfig:too 1;')
    request = Request(files=(str(main),), dialect="production")
    outcome = compile_request(request).outcome
    assert outcome.result is not None
    assert [d.at.source.name for d in outcome.diagnostics] == [str(tmp_path / "old.sf")]
    assert [d.code for d in check(request, [str(main)], syntax_only=True)] == ["sf-not-utf8"]


def test_strict_does_not_guess_an_encoding(tmp_path: Path) -> None:
    file = tmp_path / "old.sf"
    file.write_bytes(OLD)
    strict = Request(files=(str(file),), dialect="production", options=Options(strict=True))
    assert [d.code for d in compile_request(strict).outcome.errors] == ["sf-not-utf8"]


@pytest.mark.parametrize("dialect", [None, "core", "extended"])
def test_the_other_dialects_read_utf8_only(dialect: str | None, tmp_path: Path) -> None:
    file = tmp_path / "old.sf"
    file.write_bytes(OLD)
    [error] = compile_request(Request(files=(str(file),), dialect=dialect)).diagnostics
    assert error.code == "file-unreadable"


def test_every_construct_of_the_production_grammar_has_a_case() -> None:
    inputs = [
        text
        for case in all_cases()
        if case.headers.get("dialect") == "production"
        for name, text in case.sections.items()
        if name.endswith(".sf")
    ]
    found = [token for text in inputs for token in tokens(Source("case.sf", text))]
    kinds = {token.kind for token in found}
    assert {*RESERVED, *SIGNS, *WRITTEN} - kinds == set()
    texts = {token.text for token in found}
    assert {"#include", "#include?"} <= texts
    assert {kind for kind in BYTES if any(text.startswith(kind) for text in texts)} == set(BYTES)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('#include "org/nowhere.sf"', "sf-include-missing"),
        ("sfConfig extends { c extends Nowhere; }", "sf-type-unresolved"),
        ("sfConfig extends { c extends a:b; }", "sf-type-unresolved"),
        ('sfConfig extends { c APPLY { sfFunctionClass "my.F"; }; }', "sf-unsupported-function"),
        ('sfConfig extends { c extends { phase.function "my.F"; } }', "sf-unsupported-function"),
        ('sfConfig extends { c CONSTANT "my.Class.FIELD"; }', "sf-unsupported-constant"),
        ('sfConfig extends { c VAR "[1..3]"; }', "sf-unsupported-variable"),
        ("sfConfig extends { c PROPERTY p; }", "sf-not-given"),
        ("sfConfig extends { c HOST h:x; }", "sf-runtime-reference"),
    ],
)
def test_what_cannot_be_compiled_says_where_and_what_to_do(line: str, code: str) -> None:
    source = Source("main.sf", f"a 1;\n{line}\n")
    error = compile_request(Request(sources=(source,), dialect="production")).outcome.errors[0]
    assert error.code == code
    assert (error.at.source.name, error.at.first.line) == ("main.sf", 2)
    assert error.help
