"""What is signed is what is seen: requests that hide, merges that are planted, reads on the sly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.langs.opal.durable.signing import endorse_policy
from headwater.langs.opal.runtime.policy import Policy, load_policy
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import read_endorsement, read_request
from opal_cli import Headwater, at_terminal, headwater  # noqa: F401 - a fixture
from opal_stores import Bench, code, put


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    made.key("dns")
    made.key("web")
    made.key("ann")
    yield made
    made.store.close()


@pytest.fixture
def asked(headwater: Headwater) -> str:  # noqa: F811
    """A request of ann to dns, with the keys and the store around it."""
    for who in ("dns", "ann"):
        headwater("key", "new", who)
        headwater("key", "trust", f"{who}.pub", "--store", "state.db")
    program = (
        'with dns do { handle dns.servers := set with ["ns1", "ns2"] merging set3 in { set } }'
    )
    Path("servers.opal").write_text(program)
    said = headwater("run", "servers.opal", "--ext", "--store", "state.db", "--as", "ann",
                     "--key", "ann.key", "--id", "friday", "--request", "asked")  # fmt: skip
    assert said.status == 4
    return "asked/friday.dns.request.json"


SIGN = ("--key", "dns.key")
COMMIT = ("world", "commit", "friday", "--store", "state.db", "--as", "ann", "--key", "ann.key",
          "--endorsement", "asked/friday.dns.endorsement.json")  # fmt: skip


# --- what an owner is shown -----------------------------------------------------------


def test_nothing_that_is_signed_is_cut(headwater: Headwater) -> None:  # noqa: F811
    headwater("key", "new", "dns")
    headwater("key", "trust", "dns.pub", "--store", "state.db")
    value = ", ".join(f'"host-{n}"' for n in range(2_000))
    rest = "; ".join(f"dns.v{n} := {n}" for n in range(300))
    Path("long.opal").write_text(f"with dns do {{ dns.all := [{value}]; {rest}; dns.last := 1 }}")
    headwater("run", "long.opal", "--ext", "--store", "state.db", "--as", "ann", "--id", "long",
              "--request", "asked")  # fmt: skip
    until = ("--expires", "2099-01-01T00:00:00Z")
    said = headwater("endorse", "asked/long.dns.request.json", *SIGN, *until)
    assert "…" not in said.out
    assert '"host-1999"]' in said.out
    assert all(f"dns.v{n} := set with {n} " in said.out for n in range(300))
    shown = headwater("endorse", "asked/long.dns.request.json", *SIGN, *until, "--show-to",
                      "shown.txt")  # fmt: skip
    assert Path("shown.txt").read_text().replace("\n", "") in said.out.replace("\n", "")
    assert shown.out.splitlines() == ["written to shown.txt", f"hash {said.hash}"]


def test_a_value_too_large_to_write_out_is_shown_by_its_parts(headwater: Headwater) -> None:  # noqa: F811
    headwater("key", "new", "n")
    headwater("key", "trust", "n.pub", "--store", "state.db")
    doubled = "; ".join(["double"] * 40)
    handled = f"handle n.x := double with (n.x . n.x) merging o h c to n.h in {{ {doubled} }}"
    Path("p.opal").write_text(f"with n do {{ {handled} }}")
    headwater("run", "p.opal", "--store", "state.db", "--as", "ann", "--id", "p", "--request", "a")
    said = headwater("endorse", "a/p.n.request.json", "--key", "n.key")
    assert "n.x = part 40 of" in said.out
    assert "40 = (39 . 39)" in said.out


def test_only_the_hash_of_what_is_shown_signs(headwater: Headwater, asked: str) -> None:  # noqa: F811
    said = headwater("endorse", asked, *SIGN, text="y\ny\ny\n")
    assert said.status == 1
    assert "opal-endorsement-unseen" in said.err
    assert "--yes-to" in said.err
    for wrong in ("0" * 64, said.hash[:12], said.hash.upper(), "", said.hash + " "):
        refused = headwater("endorse", asked, *SIGN, "--yes-to", wrong)
        assert (refused.status, "opal-endorsement-other-hash" in refused.err) == (1, True)
    gone = headwater("endorse", asked, *SIGN, "--yes")
    assert gone.status == 2
    assert "--yes-to" in gone.err
    assert not Path("asked/friday.dns.endorsement.json").exists()

    assert headwater("endorse", asked, *SIGN, "--yes-to", said.hash).status == 0
    assert headwater(*COMMIT).status == 0


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"\n", 1)])
def test_an_owner_at_a_terminal_is_asked(
    headwater: Headwater,  # noqa: F811
    asked: str,
    answer: bytes,
    status: int,
    tmp_path: Path,
) -> None:
    done, shown = at_terminal(["endorse", asked, *SIGN], answer, tmp_path)
    assert done == status
    assert b'dns.servers = ["ns1", "ns2"]' in shown
    assert Path("asked/friday.dns.endorsement.json").exists() == (status == 0)


def test_a_prompt_without_a_terminal_signs_nothing(headwater: Headwater, asked: str) -> None:  # noqa: F811
    done = headwater("world", "commit", "friday", "--store", "state.db", "--as", "ann", "--key",
                     "ann.key", "--key", "dns.key", "--prompt", text="y\ny\n")  # fmt: skip
    assert done.status == 1
    assert "terminal" in done.err


def parts(document: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every leaf of a document, and every list and table in it."""
    if path:
        yield path
    if isinstance(document, dict):
        for key in document:
            yield from parts(document[key], (*path, key))
    elif isinstance(document, list):
        for number in range(len(document)):
            yield from parts(document[number], (*path, number))


def altered(value: object) -> list[Any]:
    """Other values that a part might be given."""
    other: list[Any] = [None, [], {}, 7, "x", True, 1.5, 10**30, "\udcff", [[]], {"nodes": 1}]
    if isinstance(value, str):
        other += [value + "x", value[:-1], value.upper()]
    if isinstance(value, int):
        other += [value + 1, -value - 1]
    if isinstance(value, list):
        other += [value + value, value[:-1], value[::-1]]
    if isinstance(value, dict):
        other += [dict(list(value.items())[:-1]), {**value, "more": "x"}]
    return [each for each in other if each != value or type(each) is not type(value)]


def changed(document: object, path: tuple[Any, ...], value: object) -> object:
    copy = json.loads(json.dumps(document))
    at = copy
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return copy


def test_every_part_of_a_request_that_is_altered_is_noticed(bench: Bench) -> None:
    """When it is read, or at the commit: an owner who signs it has signed something else."""
    program = (
        'with dns do { handle dns.servers := f with (dns.old . ["a"]) merging to dns.o in { f } }'
    )
    assert bench.run(put("dns", "old", '"x"'), "dns").committed is not None
    policy = signed(bench, '[domain.dns]\nread = ["ann"]\n')
    ran = bench.run(program.replace("to dns.o", "o h c to dns.o"), "ann", id="monday",
                    propose=True, policy=policy)  # fmt: skip
    assert ran.proposed is not None, ran.diagnostics
    document = bench.asked("monday", "ann")[0].as_json()
    file = bench.folder / "request.json"
    tried = refused = 0
    for path in parts(document):
        at = document
        for step in path:
            at = at[step]
        for value in altered(at):
            other = changed(document, path, value)
            file.write_text(json.dumps(other))
            tried += 1
            try:
                asked = read_request(str(file))
            except Refused as problem:
                assert str(problem) == "opal-endorsement-unreadable"  # noqa: PT017
                # With the hash made anew, it may be read; the commit notices.
                refused += 1
                continue
            # Only what is no part of the meaning may go unnoticed.
            assert asked.hash == document["hash"], (path, value)
    assert tried > 500
    assert refused > 0.9 * tried


@pytest.mark.parametrize(
    ("part", "value", "wanted"),
    [
        ("caller", "boss", "opal-endorsement-effect-changed"),
        ("before", {"dns.servers": ["harmless", []]}, "opal-endorsement-effect-changed"),
        ("merges", {}, "opal-endorsement-effect-changed"),
        ("reads", ["dns.servers"], "opal-endorsement-effect-changed"),
        ("effect", {"dns.servers": []}, "opal-endorsement-effect-changed"),
        ("world", "tuesday", "opal-endorsement-other-world"),
        ("store", "0" * 32, "opal-endorsement-other-world"),
        ("node", "web", "opal-endorsement-unreadable"),
    ],
)
def test_a_request_made_up_with_a_hash_that_fits_is_refused_at_the_commit(
    bench: Bench,
    part: str,
    value: Any,  # noqa: ANN401
    wanted: str,
) -> None:
    from dataclasses import replace

    program = 'with dns do { handle dns.servers := f with ["a"] merging set3 in { f } }'
    bench.run(program, "ann", id="monday", propose=True)
    forged = replace(bench.asked("monday", "ann")[0], **{part: value})
    file = bench.folder / "forged.json"
    file.write_text(json.dumps(forged.as_json()))
    if wanted == "opal-endorsement-unreadable":
        with pytest.raises(Refused):
            read_request(str(file))
        return
    endorsed = bench.endorse(read_request(str(file)), bench.signers["dns"])
    assert code(bench.commit("monday", "ann", endorsements=(endorsed,))) == wanted
    assert bench.values() == {}


def test_the_text_of_a_block_is_made_from_what_would_run(bench: Bench) -> None:
    evil = put("dns", "servers", '["evil"]')
    bench.run(evil, "ann", id="monday", propose=True)
    document = bench.asked("monday", "ann")[0].as_json()
    document["blocks"][0]["text"] = "skip"
    file = bench.folder / "request.json"
    file.write_text(json.dumps(document))
    with pytest.raises(Refused):
        read_request(str(file))
    # Another command with its own text and hash is one that the world does not run.
    bench.run(put("dns", "servers", '["good"]'), "ann", id="good", propose=True)
    document["blocks"] = bench.asked("good", "ann")[0].as_json()["blocks"]
    file.write_text(json.dumps(document))
    with pytest.raises(Refused):
        read_request(str(file))


def test_syntax_that_doubles_is_no_request(bench: Bench) -> None:
    bench.run(put("dns", "x", "1"), "ann", id="monday", propose=True)
    document = bench.asked("monday", "ann")[0].as_json()
    rows: list[Any] = [["empty"]]
    rows += [["cons", n, n] for n in range(64)]
    document["blocks"][0]["syntax"] = rows
    file = bench.folder / "request.json"
    file.write_text(json.dumps(document))
    with pytest.raises(Refused, match="opal-endorsement-unreadable"):
        read_request(str(file))


def test_every_part_of_an_endorsement_that_is_altered_is_noticed(bench: Bench) -> None:
    bench.run(put("dns", "servers", '["a"]'), "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], bench.signers["dns"])
    document = good.as_json()
    file = bench.folder / "endorsement.json"
    for path in parts(document):
        at: Any = document
        for step in path:
            at = at[step]
        for value in altered(at):
            file.write_text(json.dumps(changed(document, path, value)))
            try:
                read = read_endorsement(str(file))
            except Refused as problem:
                assert str(problem) == "opal-endorsement-unreadable"  # noqa: PT017
                continue
            if (read.text, read.signature, read.public_key) == (
                good.text,
                good.signature,
                good.public_key,
            ):
                # Something that means nothing was added to the file.
                assert len(path) == 1 or value == at
                continue
            found = code(bench.commit("monday", "ann", endorsements=(read,)))
            assert found.startswith("opal-endorsement") or found == "opal-not-endorsed"
    assert bench.values() == {}
    assert bench.commit("monday", "ann", endorsements=(good,)).committed is not None


def test_the_values_that_are_replaced_are_signed_too(bench: Bench) -> None:
    assert bench.run(put("dns", "servers", '"a"'), "dns").committed is not None
    hyp = 'with dns do { handle dns.servers := f with "c" merging hyp in { f } }'
    assert bench.run(hyp, "dns").committed is not None
    bench.run(hyp.replace('"c"', '"d"'), "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], bench.signers["dns"])
    assert bench.run(put("dns", "servers", '"b"'), "dns").committed is not None
    found = code(bench.commit("monday", "ann", endorsements=(good,)))
    assert found == "opal-endorsement-effect-changed"


# --- merges are effects ---------------------------------------------------------------

PLANT = 'with web do {{ handle web.resolver := use with "ns2" merging {} in {{ use }} }}'
GRANT = '[domain.web]\nserial = {}\n[[domain.web.grant]]\nto = "ann"\nwrite = ["web.resolver"]\n{}'


def signed(bench: Bench, text: str, node: str | None = None) -> Policy:
    file = bench.folder / "signed.toml"
    file.write_text("format_version = 1\n" + text)
    node = node or text.split("[domain.")[1].split("]")[0]
    key = sorted(bench.folder.glob(f"{node}-*.key"))[0]
    endorse_policy(str(file), node, str(key), bench.store.path)
    return load_policy(str(file))


def test_a_grant_of_values_plants_no_merge(bench: Bench) -> None:
    assert bench.run(PLANT.format("refuse"), "web").committed is not None
    policy = signed(bench, GRANT.format(1, ""))
    for merging in ('to "evil"', 'o h c to "evil"', "curr", "hyp", "set3", "to conflict"):
        assert code(bench.run(PLANT.format(merging), "ann", policy=policy)) == "opal-not-endorsed"
        # A world that is committed later leaves the merge that it finds …
        world = f"u := hyp {{ {PLANT.format(merging)} }}"
        id = f"m{bench.count}"
        assert bench.run(world, "ann", id=id, policy=policy).committed is not None
        assert bench.commit(f"{id}.u", "ann", policy=policy).committed is not None
        assert "refuse" in str(bench.store.read("web.resolver").merge)  # type: ignore[union-attr]
    # … and gives a new variable its own.
    fresh = GRANT.format(2, "").replace("resolver", "fresh")
    policy = signed(bench, fresh)
    world = f"u := hyp {{ {PLANT.format('curr')} }}".replace("resolver", "fresh")
    assert bench.run(world, "ann", id="fresh", policy=policy).committed is not None
    assert code(bench.commit("fresh.u", "ann", policy=policy)) == "opal-not-endorsed"
    policy = signed(bench, GRANT.format(3, ""))
    # The merge that is there already is none that is set, nor is one that nobody chose.
    assert bench.run(PLANT.format("refuse"), "ann", policy=policy).committed is not None
    assert bench.run(put("web", "resolver", '"ns2"'), "ann", policy=policy).committed is not None
    owners = PLANT.format("refuse").replace("ns2", "ns7")
    assert bench.run(f"u := hyp {{ {owners} }}", "web", id="own").committed is not None
    assert bench.commit("own.u", "web").committed is not None
    assert bench.values()["web.resolver"] == "ns7"


def test_a_grant_names_the_merges_that_may_be_set(bench: Bench) -> None:
    policy = signed(bench, GRANT.format(1, 'merge = ["set3", "curr"]'))
    assert code(bench.run(PLANT.format("hyp"), "ann", policy=policy)) == "opal-not-endorsed"
    assert bench.run(PLANT.format("set3"), "ann", policy=policy).committed is not None
    assert bench.run(PLANT.format("curr"), "ann", policy=policy).committed is not None


def test_a_grant_names_a_merge_or_a_block_by_its_hash(bench: Bench) -> None:
    program = PLANT.format("o h c to web.c")
    bench.run(program, "ann", id="look", propose=True)
    asked = bench.asked("look", "ann")[0]
    merge, block = asked.merges["web.resolver"].hash, asked.blocks[0]["command"]
    for serial, hash in enumerate((merge, block), 1):
        policy = signed(bench, GRANT.format(serial, f'merge = ["{hash}"]'))
        other = PLANT.format("o h c to web.o")
        assert code(bench.run(other, "ann", policy=policy)) == "opal-not-endorsed"
        assert bench.run(program, "ann", policy=policy).committed is not None
        assert bench.run(PLANT.format("refuse"), "web").committed is not None


def test_an_endorsement_covers_the_merges(bench: Bench) -> None:
    bench.run(PLANT.format("to web.HYP"), "ann", id="plain", propose=True)
    bench.run(PLANT.format('o h c to "evil"'), "ann", id="evil", propose=True)
    plain, evil = bench.asked("plain", "ann")[0], bench.asked("evil", "ann")[0]
    assert evil.merges["web.resolver"].text == 'o h c to "evil"'
    assert plain.effect == evil.effect
    endorsed = bench.endorse(plain, bench.signers["web"])
    assert code(bench.commit("evil", "ann", endorsements=(endorsed,))).startswith("opal-endor")


# --- reads ----------------------------------------------------------------------------

SECRET = "with dns do { guest.c := dns.secret }"
SLY = {
    "a test of a world": "if hyp {{ {} }}.guest.c = 7 then {{ guest.y := 1 }} else {{ skip }}",
    "a member of a world": (
        "u := hyp {{ {} }}; if 7 in (u.guest.c . ()) then {{ guest.y := 1 }} else {{ skip }};"
        " u := hyp {{ skip }}"
    ),
    "a world in a world": (
        "if hyp {{ if hyp {{ {} }}.guest.c = 7 then {{ guest.z := 1 }} else {{ skip }} }}"
        ".guest.z = 1 then {{ guest.y := 1 }} else {{ skip }}"
    ),
    "nothing happens": "if hyp {{ {} }}.guest.c = 7 then {{ skip }} else {{ guest.y := 1 }}",
    "elsewhere": (
        "at paris do {{ if hyp {{ {} }}.guest.c = 7 then {{ guest.y := 1 }} else {{ skip }} }}"
    ),
    "a world that is kept": (
        "u := hyp {{ {} }}; if u.guest.c = 7 then {{ guest.y := 1 }} else {{ skip }}"
    ),
}


@pytest.mark.parametrize("form", SLY.values(), ids=SLY)
def test_what_is_read_in_a_world_that_is_dropped_is_read(bench: Bench, form: str) -> None:
    bench.key("guest")
    assert bench.run(put("dns", "secret", "7"), "dns").committed is not None
    assert bench.run("guest.c := 0; guest.z := 0", "guest").committed is not None
    before = bench.values()
    text = form.format(SECRET)
    wanted = ("opal-not-endorsed", "opal-read-not-granted")
    assert code(bench.run(text, "guest")) in wanted
    assert code(bench.run(text, "guest", id="later", propose=True)) in wanted
    assert bench.values() == before
    both = signed(bench, '[domain.dns]\nread = ["guest"]\n[[domain.dns.grant]]\nto = "guest"\n')
    assert bench.run(text, "guest", policy=both).committed is not None


def test_a_world_opened_after_a_sly_look_needs_the_owner(bench: Bench) -> None:
    bench.key("guest")
    assert bench.run(put("dns", "secret", "7"), "dns").committed is not None
    assert bench.run("guest.c := 0", "guest").committed is not None
    sly = f"if hyp {{ {SECRET} }}.guest.c = 7 then {{ u := hyp {{ guest.y := 1 }} }}"
    text = f"{sly} else {{ u := hyp {{ guest.y := 0 }} }}"
    assert code(bench.run(text, "guest")) == "opal-read-not-granted"


def test_a_grant_to_write_is_none_to_read(bench: Bench) -> None:
    assert bench.run("dns.secret := 7; dns.open := 1", "dns").committed is not None
    text = '[domain.dns]\nserial = {}\n{}\n[[domain.dns.grant]]\nto = "ann"\nwrite = ["dns.open"]'
    policy = signed(bench, text.format(1, ""))
    look = "with dns do { ann.copy := dns.secret }"
    assert code(bench.run(look, "ann", policy=policy)) == "opal-not-endorsed"
    assert bench.run(look.replace("secret", "open"), "ann", policy=policy).committed is not None
    policy = signed(bench, text.format(2, 'read = ["ann"]'))
    assert bench.run(look, "ann", policy=policy).committed is not None
