"""Puppet: what a case file cannot say — places in modules, the cache, comments, bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headwater.ask import Request
from headwater.ask.check import check, files_in
from headwater.cli import progress
from headwater.langs.puppet.syntax import lexer, parse, show, validate
from headwater.langs.puppet.syntax.ast import Attribute, ClassDef, Interpolated, Resource
from headwater.langs.puppet.syntax.cache import NODES, TreeCache, user_cache
from headwater.langs.puppet.syntax.comments import comments
from headwater.langs.puppet.syntax.placement import folders, place_of
from headwater.langs.puppet.syntax.recovery import MAX_ERRORS
from headwater.text import Source, read_source

MANIFEST = """\
# A web server.
class web (Integer $port = 80) {
  file { '/etc/web': ensure => file, content => "port ${port}\\n" } # one file
  /* and
     a service */
  service { 'web': subscribe => File['/etc/web'] }
}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))


def codes_of(folder: Path, modulepath: str | None = None) -> list[str]:
    inputs = {"modulepath": modulepath} if modulepath else {}
    found = check(Request(inputs=inputs), files_in([str(folder)]), syntax_only=True)
    return [d.code for d in found]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


# -- places of nodes ------------------------------------------------------------------------


def test_attribute_names_and_segments_have_their_places() -> None:
    source = Source("web.pp", MANIFEST)
    body = parse(source).program.body[0]
    assert isinstance(body, ClassDef)
    file = body.body[0]
    assert isinstance(file, Resource)
    ensure, content = file.bodies[0].operations
    assert isinstance(ensure, Attribute)
    assert isinstance(content, Attribute)
    assert isinstance(content.value, Interpolated)

    def text(start: int, end: int) -> str:
        return MANIFEST[start:end]

    assert text(body.name_start, body.name_end) == "web"
    assert text(ensure.start, ensure.name_end) == "ensure"
    assert [text(s.start, s.end) for s in content.value.segments] == ["port ", "${port}", "\\n"]
    assert text(body.params[0].name_start, body.params[0].name_end) == "$port"


def test_the_text_of_a_heredoc_has_its_place_behind_the_margin() -> None:
    text = '$a = @("END")\n    one ${two} three\n    | END\n'
    heredoc = parse(Source("x.pp", text)).program.body[0].right  # type: ignore[union-attr]
    segments = heredoc.text.segments

    assert [text[s.start : s.end] for s in segments] == ["one ", "${two}", " three\n"]


def test_comments_are_kept_for_tools() -> None:
    text = "$a = '# no' # yes\n$b = @(X)\n# no\nX\n/* yes */ $c = \"# no ${d} # no\"\n"
    found = [comment.text for comment in comments(Source("x.pp", text))]

    assert found == ["# yes", "/* yes */"]


# -- bounds ---------------------------------------------------------------------------------


def test_a_byte_order_mark_is_refused_as_puppet_refuses_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pp", "\ufeffinclude a\n")

    assert codes_of(path) == ["puppet-byte-order-mark"]


def test_too_many_tokens_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexer, "MAX_TOKENS", 100)
    parsed = parse(Source("x.pp", "notice(1)\n" * 50))

    assert [d.code for d in parsed.diagnostics] == ["puppet-too-large"]


def test_errors_are_reported_up_to_a_bound() -> None:
    parsed = parse(Source("x.pp", "$a = [1 2]\n" * 100))

    assert len(parsed.diagnostics) == MAX_ERRORS


def test_a_deep_program_leaves_the_recursion_limit_alone() -> None:
    import sys

    before = sys.getrecursionlimit()
    parse(Source("x.pp", "[" * 400 + "]" * 400))

    assert sys.getrecursionlimit() == before


# -- modules --------------------------------------------------------------------------------


def test_definitions_must_fit_the_name_of_their_file(tmp_path: Path) -> None:
    write(tmp_path / "web/manifests/init.pp", "class web { }\nclass web::x { }\n")
    write(tmp_path / "web/manifests/ssl.pp", "class web::other { }\n")
    write(tmp_path / "web/manifests/top.pp", "class web::top { }\ninclude web\n")
    write(tmp_path / "web/other/lost.pp", "class web::lost { }\n")

    assert sorted(codes_of(tmp_path, str(tmp_path))) == [
        "puppet-bad-place",
        "puppet-bad-place",
        "puppet-bad-top-construct",
    ]
    assert codes_of(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "namespace"),
    [
        ("/m/web/manifests/init.pp", "web"),
        ("/m/web/manifests/a/b.pp", "web::a::b"),
        ("/m/web/manifests/a/init.pp", "web::a::init"),
        ("/m/web/functions/f.pp", "web::f"),
        ("/m/web/examples/x.pp", None),
    ],
)
def test_the_namespace_of_a_module_file(name: str, namespace: str | None) -> None:
    place = place_of(name, ["/m"])

    assert place is not None
    assert place.namespace == namespace


def test_files_outside_modules_have_no_place() -> None:
    assert place_of("/elsewhere/site.pp", folders("/m:/n")) is None
    assert place_of("/m/web/templates/x.epp", ["/m"]) is None
    assert folders(["/m", "/n"]) == folders("/m:/n")


def test_a_folder_stands_for_the_files_of_known_languages(tmp_path: Path) -> None:
    for name in ("a.pp", "b/c.epp", "b/d.sf", "e.txt"):
        write(tmp_path / name, "")
    found = [os.path.relpath(name, tmp_path) for name in files_in([str(tmp_path)])]

    assert found == ["a.pp", "b/c.epp", "b/d.sf"]
    assert files_in([str(tmp_path)], "puppet") == files_in([str(tmp_path)])[:2]


def test_a_bar_shows_only_on_a_terminal_and_after_a_while(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.progress(10, "checking") as done:
        assert done is None

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress.progress(10, "checking") as done:
        assert done is not None
        done("a.pp")
    assert "checking" not in capsys.readouterr().err

    monkeypatch.setattr(progress, "WAIT", -1.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress.progress(2, "checking") as done:
        assert done is not None
        done("a.pp")
        done("b.pp")
    assert "checking" in capsys.readouterr().err


# -- the cache ------------------------------------------------------------------------------


def test_a_cached_tree_is_the_parsed_tree_with_its_places(tmp_path: Path) -> None:
    program = parse(Source("web.pp", MANIFEST)).program
    cache = TreeCache(tmp_path)

    assert cache.load(program.source) is None
    assert cache.store(program)
    again = cache.load(program.source)
    assert again == program
    assert again is not None
    assert repr(_places(again.body)) == repr(_places(program.body))  # type: ignore[arg-type]


def _places(nodes: list[object]) -> list[object]:
    from headwater.langs.puppet.syntax.definition_checks import children

    return [(n.start, n.end, _places(list(children(n)))) for n in nodes]  # type: ignore[attr-defined]


def test_every_kind_of_node_can_be_cached() -> None:
    from headwater.langs.puppet.syntax import ast

    kinds = {k for k in vars(ast).values() if isinstance(k, type) and hasattr(k, "__slots__")}
    nodes = {k for k in kinds if k.__module__.startswith(ast.__name__ + ".")}

    assert nodes - {ast.Record, ast.Placed} == set(NODES)


def test_files_that_are_not_ours_are_not_read(tmp_path: Path) -> None:
    program = parse(Source("web.pp", MANIFEST)).program
    cache = TreeCache(tmp_path)
    cache.store(program)
    path = Path(cache.path(program.source))
    good = path.read_bytes()

    path.chmod(0o666)
    assert cache.load(program.source) is None
    path.chmod(0o600)
    path.write_bytes(good[:-1])
    assert cache.load(program.source) is None
    path.write_bytes(b"")
    assert cache.load(program.source) is None
    path.write_bytes(good)
    assert cache.load(program.source) == program


def test_check_uses_the_cache_only_for_programs_without_findings(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pp", MANIFEST)
    bad = write(tmp_path / "b.pp", "$a = [1 2]\n")
    cache = user_cache()
    assert cache is not None

    for _ in range(2):
        assert codes_of(tmp_path) == ["puppet-syntax"]
    good_source, bad_source = read_source(path), read_source(bad)
    assert isinstance(good_source, Source)
    assert isinstance(bad_source, Source)
    assert cache.holds(good_source)
    assert not cache.holds(bad_source)


def test_a_manifest_and_a_template_of_one_text_are_kept_apart(tmp_path: Path) -> None:
    cache = TreeCache(tmp_path)
    cache.store(parse(Source("a.pp", "include a")).program)

    assert cache.load(Source("b.pp", "include a")) is not None
    assert cache.load(Source("a.epp", "include a")) is None


def test_the_cache_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE", "off")

    assert user_cache() is None


# -- the printer ----------------------------------------------------------------------------


def test_the_normal_form() -> None:
    text = "file{'a':mode=>\"1\",;'b':}\nnotice 'x', \"${y[1]} z\"\n$h = @(E)\n text\n E\n"
    shown = show(parse(Source("x.pp", text)).program)

    assert shown == (
        "file {\n  'a':\n    mode => '1';\n  'b':;\n}\n"
        "notice('x', \"${y[1]} z\")\n$h = @(END)\n text\nEND\n"
    )
    assert validate(parse(Source("x.pp", shown)).program) == []
