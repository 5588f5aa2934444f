"""The stream of jobs: every line is answered, in order, whatever it is."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from headwater.ask.jobs import run_jobs


def answers(*jobs: object) -> list[dict[str, Any]]:
    lines = [job if isinstance(job, bytes) else json.dumps(job).encode() for job in jobs]
    written: list[bytes] = []
    run_jobs(lines, written.append)
    return [json.loads(line) for line in written]


def sf(code: str, **more: object) -> dict[str, Any]:
    return {"id": 7, "lang": "smartfrog", "code": code, **more}


def test_a_result() -> None:
    (answer,) = answers(sf("sfConfig extends { a 1; r DATA x:y; n NULL; }"))

    assert answer.pop("ms") >= 0
    assert answer == {
        "id": 7,
        "ok": True,
        "result": {"a": 1, "r": "$.x:y", "n": None},
        "warnings": [],
    }


def test_errors_come_sorted_and_with_the_paper_s_name() -> None:
    (answer,) = answers(sf("sfConfig extends { a b; }", filename="site.sf"))

    assert answer["ok"] is False
    assert answer["error"] == answer["errors"][0]
    assert answer["error"]["code"] == "sf-unresolved-link"
    assert answer["error"]["paper"] == "err5"
    assert [answer["error"][k] for k in ("file", "line", "column", "end_column")] == [
        "site.sf", 1, 22, 23,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b"5",
        b'{"id": 1}',
        b'{"id": 1, "code": 5}',
        b'{"id": 1, "code": "", "lang": "cobol"}',
        b'{"id": 1, "code": ""}',
        b'{"id": 1, "code": "", "lang": "smartfrog", "dialect": "old"}',
        b'{"id": 1, "code": "", "lang": "smartfrog", "engine": "steam"}',
        b'{"id": 1, "code": "", "lang": "smartfrog", "include": "x"}',
        b'{"id": 1, "files": [1]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_bad_line_is_answered_and_does_not_stop_the_stream(line: bytes) -> None:
    bad, good = answers(line, sf("sfConfig extends { }"))

    assert bad["ok"] is False
    assert bad["error"]["code"] == "bad-job"
    assert good["ok"] is True


def test_a_file_that_is_not_there_is_a_diagnostic() -> None:
    (answer,) = answers({"id": 1, "file": "nowhere.sf"})

    assert answer["error"]["code"] == "file-unreadable"


def test_several_files_are_refused_where_a_language_does_not_compose() -> None:
    (answer,) = answers({"id": 1, "files": [__file__, __file__], "lang": "smartfrog"})

    assert answer["error"]["code"] == "several-files"


def test_trees_too_deep_for_json_readers_are_refused() -> None:
    (answer,) = answers(sf("sfConfig extends {" + "a extends {" * 600 + "}" * 601))

    assert answer["error"]["code"] == "output-too-large"
    assert "500 levels" in answer["error"]["message"]


def test_why_numbers_inputs_by_place_and_lists_all_views() -> None:
    (answer,) = answers(
        sf("p extends { x 1; }\nsfConfig extends { c extends p, { x 2; } }", why=True)
    )
    why = answer["why"]
    entry = why["values"]["c.x"]
    inputs = why["inputs"]

    assert why["format_version"] == 1
    assert [i["id"] for i in inputs] == list(range(len(inputs)))
    assert inputs[entry["where"]]["text"] == "2"
    assert entry["also"] == []
    assert entry["expression"] == {"input": entry["where"]}
    assert entry["where"] in entry["depends"]
    (lost,) = entry["masked"]
    assert (lost["value"], lost["reason"]) == (1, "prototype")
    assert inputs[lost["where"]]["text"] == "1"
    assert [inputs[n]["text"] for n in lost["by"]] == ["x"]
    assert {inputs[n]["text"] for n in why["output"]["depends"]} >= {"sfConfig", "c", "p", "x"}


def test_rules_of_the_paper_that_fired() -> None:
    (answer,) = answers(sf("sfConfig extends { }", engine="paper", rules=True))

    assert "Definition 27" in answer["rules"]


def test_half_of_a_surrogate_pair_is_refused() -> None:
    line = b'{"id": "j3", "lang": "l3", "code": "a: \\"\\ud800\\""}'
    (answer,) = answers(line)

    assert (answer["id"], answer["error"]["code"]) == ("j3", "bad-job")
    assert "surrogate" in answer["error"]["message"]


@pytest.mark.parametrize("field", [{"pre": 5}, {"set": 5}, {"set": [1]}, {"provenance": "x"}])
def test_an_input_of_the_wrong_type_is_refused(field: dict[str, Any]) -> None:
    job = {"lang": "puppet", "engine": "paper", "code": "notify { 'a': }"}
    first, second = answers({**job, **field}, job)

    assert first["error"]["code"] == "bad-job"
    assert second["ok"]


def test_a_bug_in_one_job_does_not_end_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(job: object) -> object:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("headwater.ask.jobs.request_of", broken)
    first, second = answers(sf("a 1;"), b"[]")

    assert first["error"]["code"] == "internal-error"
    assert second["error"]["code"] == "bad-job"


PUPPET = {"lang": "puppet", "code": "notify { 'a': }"}
SMARTFROG = {"lang": "smartfrog", "dialect": "production", "code": "sfConfig extends { a 1; }"}
OPAL = {"lang": "opal", "code": "skip"}


@pytest.mark.parametrize(
    ("job", "code"),
    [
        (PUPPET | {"facts_file": 0}, "bad-job"),
        (PUPPET | {"facts_file": True}, "bad-job"),
        (PUPPET | {"facts_file": ["x"]}, "bad-job"),
        (PUPPET | {"facts": 5}, "bad-job"),
        (PUPPET | {"modulepath": "a\0b"}, "bad-job"),
        (PUPPET | {"modulepath": ["a\0b"]}, "bad-job"),
        (PUPPET | {"modulepath": 5}, "bad-job"),
        (PUPPET | {"env": "a\0b"}, "bad-job"),
        (PUPPET | {"env": {}}, "bad-job"),
        (PUPPET | {"hiera": "a\0b"}, "bad-job"),
        (PUPPET | {"trusted": []}, "bad-job"),
        (PUPPET | {"keep_virtual": "yes"}, "bad-job"),
        (PUPPET | {"on_unknown": "panic"}, "bad-job"),
        (PUPPET | {"classes": 5}, "bad-job"),
        (PUPPET | {"node": 5}, "bad-job"),
        (PUPPET | {"puppet": 6}, "bad-job"),
        (PUPPET | {"settings": []}, "bad-job"),
        (PUPPET | {"why": 5}, "bad-job"),
        (PUPPET | {"rules": "all"}, "bad-job"),
        (PUPPET | {"strict": 1}, "bad-job"),
        (PUPPET | {"include": [5]}, "bad-job"),
        (PUPPET | {"filename": 5}, "bad-job"),
        ({"lang": "puppet", "env": "a\0b"}, "bad-job"),
        ({"env": "a\0b"}, "file-unreadable"),
        ({"file": "a\0.pp"}, "file-unreadable"),
        ({"files": ["a\0.l3"]}, "file-unreadable"),
        ({"file": 0, "lang": "l3"}, "bad-job"),
        (SMARTFROG | {"env_allow": 1}, "bad-job"),
        (SMARTFROG | {"env_allow": [1]}, "bad-job"),
        (SMARTFROG | {"property": 5}, "bad-job"),
        (SMARTFROG | {"property": {"a": []}}, "bad-job"),
        (SMARTFROG | {"external": "x"}, "bad-job"),
        (SMARTFROG | {"phase": 5}, "bad-job"),
        (OPAL | {"initial": {"n.y": None}}, "opal-bad-input"),
        (OPAL | {"initial": {"n.y": [[], None]}}, "opal-bad-input"),
        (OPAL | {"initial": 5}, "bad-job"),
        (OPAL | {"endorse": "all"}, "bad-job"),
        (OPAL | {"at": 5}, "bad-job"),
        (OPAL | {"ext": "x"}, "bad-job"),
    ],
)
def test_a_field_of_the_wrong_type_is_refused(job: dict[str, Any], code: str) -> None:
    bad, good = answers(job, PUPPET)

    assert bad["error"]["code"] == code
    assert good["ok"]


@pytest.mark.parametrize(
    "line", [b'{"code": "\xff", "lang": "l3"}', b'{"id": "\xc3("}', b'{"\xff": 1}']
)
def test_a_line_that_is_not_utf8_is_refused(line: bytes) -> None:
    bad, good = answers(line, PUPPET)

    assert bad["error"]["code"] == "bad-job"
    assert "UTF-8" in bad["error"]["message"]
    assert good["ok"]


@pytest.mark.parametrize(
    ("field", "meant"), [("dialct", "dialect"), ("fact", "facts"), ("xyzzy", None)]
)
def test_a_field_that_no_language_has_is_refused(field: str, meant: str | None) -> None:
    (answer,) = answers(PUPPET | {field: 1})

    assert answer["error"]["code"] == "bad-job"
    assert f"no field is called '{field}'" in answer["error"]["message"]
    assert ("did you mean" in answer["error"]["message"]) == (meant is not None)
    assert f"did you mean {meant}?" in answer["error"]["message"] or meant is None


@pytest.mark.parametrize("job", [PUPPET, SMARTFROG, OPAL, {"lang": "l3", "code": "a: 1"}])
def test_a_field_of_another_language_is_not_looked_at(job: dict[str, Any]) -> None:
    others = {"phase": 5, "facts": 5, "at": 5} if job["lang"] == "l3" else {}
    if job is PUPPET:
        others = {"phase": 5, "initial": 5}
    elif job is SMARTFROG:
        others = {"facts": 5, "initial": 5, "modulepath": "a\0"}  # type: ignore[dict-item]
    elif job is OPAL:
        others = {"phase": 5, "facts_file": 0}
    plain, with_others = answers(job, job | others)

    assert plain["ok"]
    assert with_others["result"] == plain["result"]


def test_a_field_that_is_null_is_not_given() -> None:
    nothing = dict.fromkeys(("facts", "env", "timeout", "why", "settings", "file", "set"))
    (answer,) = answers(PUPPET | nothing)

    assert answer["ok"]


def test_the_types_of_fields_survive_the_collection_of_garbage() -> None:
    code = (
        "import gc\n"
        "from headwater.langs import LANGUAGES, families_of\n"
        "from headwater.langs.fields import CommonFields, WrongField, names_of, read_fields\n"
        "for takes in map(families_of, LANGUAGES):\n"
        "    for struct in (takes.program, takes.lookup, takes.run, CommonFields):\n"
        "        for name in names_of(struct):\n"
        "            for value in (5, 'x', [1], {'a': 1}):\n"
        "                try: read_fields({name: value}, struct)\n"
        "                except WrongField: pass\n"
        "gc.collect()"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_language_says_which_fields_it_has() -> None:
    from headwater.langs import LANGUAGES, families_of, language_named
    from headwater.langs.fields import CommonFields, fields_of, names_of

    seen: dict[str, object] = {}
    for name in LANGUAGES:
        takes = families_of(name)
        assert language_named(name).takes is takes
        assert not set(names_of(takes.program)) & set(names_of(CommonFields))
        for struct in (takes.program, takes.lookup, takes.run):
            for field in fields_of(struct):
                assert field.about.help
                assert field.about.example is not None
                msgspec.convert({field.name: field.about.example}, struct)
                assert seen.setdefault(field.name, field.type) == field.type, "two meanings"


def test_a_compact_document_expands_to_the_full_one() -> None:
    def expanded(at: object, sets: list[list[int]]) -> object:
        if isinstance(at, list):
            return [expanded(item, sets) for item in at]
        if not isinstance(at, dict):
            return at
        return {
            key: sets[item] if key == "depends" else expanded(item, sets)
            for key, item in at.items()
        }

    code = "define d { file { $title: mode => '1', owner => $title } }\nd { ['/a', '/b', '/c']: }"
    full, compact = answers({"code": code, "lang": "puppet", "why": True},
                            {"code": code, "lang": "puppet", "why": "compact"})  # fmt: skip
    document = compact["why"]
    sets = document.pop("sets")
    assert len(sets) == len({tuple(one) for one in sets})
    assert expanded(document, sets) == full["why"]
    assert len(sets) < len(full["why"]["values"]) + 2
