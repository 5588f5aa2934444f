"""Sources and places in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headwater.report import Diagnostic, nearest
from headwater.report.terminal import render
from headwater.text import Source, Span, Unreadable, read_source, visible
from headwater.text.source import decode_source
from headwater.text.tokens import Lexicon
from headwater.tree import BadAddress, Tree, parse_address, show_address
from headwater.tree.diff import differences


def problem(at: Span) -> Diagnostic:
    return Diagnostic(code="made-up", severity="error", message="m", at=at)


def test_lines_and_columns_count_code_points_from_one() -> None:
    source = Source("s", "aé☃\r\nb\n")

    assert source.position(0) == (1, 1)
    assert source.position(3) == (1, 4)
    assert source.position(5) == (2, 1)
    assert source.position(7) == (3, 1)
    assert source.line(1) == "aé☃"
    assert source.offset(2, 1) == 5
    assert source.offset(99) == 7
    assert source.byte_offset(3) == 6


def test_a_byte_order_mark_is_taken_off_but_counted_in_bytes() -> None:
    source = decode_source("s", b"\xef\xbb\xbfab")

    assert isinstance(source, Source)
    assert source.text == "ab"
    assert source.byte_offset(1) == 4
    assert Source.of_text("s", "\ufeffab").text == "ab"


def test_bad_utf8_is_located() -> None:
    bad = decode_source("s", b"ok\n\xc3(")

    assert isinstance(bad, Unreadable)
    assert bad.at.first == (2, 1)
    assert bad.byte == 3
    assert "0xc3" in bad.reason


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, Path("nul\0name")):
        assert isinstance(read_source(path), Unreadable)


def test_a_lexicon_never_stops() -> None:
    found = Lexicon([("word", r"\w+"), ("blank", r"\s+")], skip=["blank"]).tokens(
        Source("s", "a ?b")
    )

    assert [(t.kind, t.text, t.start) for t in found] == [
        ("word", "a", 0), ("unknown", "?", 2), ("word", "b", 3), ("end", "", 4),
    ]  # fmt: skip


def test_wide_characters_do_not_shift_the_caret() -> None:
    source = Source("s", '日本 "x"')
    text = render([problem(Span(source, 3, 6))])

    assert text.splitlines()[-1].endswith("|      ^^^")


def test_a_colour_is_only_added_when_asked_for() -> None:
    found = problem(Span(Source("s", "abc"), 0, 1))

    assert "\x1b[" not in render([found])
    assert "\x1b[" in render([found], colour=True)


def test_nearest_suggests_close_names_only() -> None:
    assert nearest("prot", ["port", "host"]) == "port"
    assert nearest("zzz", ["port", "host"]) is None
    assert nearest("port", ["port"]) is None


def test_addresses_read_what_they_write() -> None:
    for address in [(), ("a",), ("a", "b c", 0, "d"), ("x", 'q"', "é"), ("1",)]:
        assert parse_address(show_address(address)) == address
    assert parse_address("a:b:c", separators=".:") == ("a", "b", "c")
    assert parse_address("/a/b~1c/0") == ("a", "b/c", 0)
    for bad in ("a..b", "a[", 'a."x', "a]"):
        try:
            parse_address(bad)
        except BadAddress:
            continue
        raise AssertionError(bad)


def test_differences_tell_true_from_one_and_notice_order() -> None:
    before = {"a": True, "b": [1, 2], "c": {"x": 1, "y": 2}, "d": 0}
    after = {"a": 1, "b": [1, 2], "c": {"y": 2, "x": 1}, "e": 0}
    kinds = [(c.kind, c.address) for c in differences(before, after)]  # type: ignore[arg-type]

    assert kinds == [
        ("removed", ("d",)), ("added", ("e",)), ("changed", ("a",)), ("moved", ("c",)),
    ]  # fmt: skip


def test_yaml_output_is_read_back_as_the_same_tree() -> None:
    import yaml

    tree = {"plain": "x: y # z\n\u2028\x85", "yes": "no", "e'": [1, "a", [None]], "n": None}
    tree |= {"o": {}, "nested": {"f": 1.5, "t": True, "10": "x"}}  # type: ignore[dict-item]
    text = "".join(Tree(tree).export("yaml"))  # type: ignore[arg-type]

    assert yaml.safe_load(text) == tree


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ä 日本 €", "plain ä 日本 €"),
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"),
        ("\x00\x7f\x85\x9b", "\\u0000\\u007f\\u0085\\u009b"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("zero\u200bwidth\u2028line\ufeff", "zero\\u200bwidth\\u2028line\\ufeff"),
        ("half \udcff", "half \\udcff"),
        ("tag \U000e0041", "tag \\udb40\\udc41"),
        ("no\xa0break", "no\\u00a0break"),
    ],
)
def test_text_for_a_terminal_has_no_character_that_acts_or_hides(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert shown.isprintable()


def test_what_is_kept_is_not_escaped_and_json_stays_the_same_json() -> None:
    assert visible("a\tb\n\x07", keep="\n\t") == "a\tb\n\\u0007"
    everything = " ".join(map(chr, range(0x110000)))
    written = json.dumps(everything, ensure_ascii=False)

    assert visible(written).isprintable()
    assert json.loads(visible(written)) == everything
