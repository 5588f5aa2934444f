"""Everything that must be refused: forged, replayed, changed, expired, guessed.

Each refusal has a code of its own, and after each of them the store is what it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from headwater.langs.durable import Problem
from headwater.langs.opal.durable.running import verify_store
from headwater.langs.opal.durable.signing import endorse_policy
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.keys import PublicKey, Signer, new_key, read_private
from headwater.langs.opal.runtime.policy import Policy, load_policy
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import read_endorsement, read_request
from headwater.langs.opal.runtime.trust import change_keys
from headwater.store import Store
from headwater.store.records import canonical, sha256
from opal_stores import Bench, code, put

SERVERS = put("dns", "servers", '["ns1"]')


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    made.key("dns")
    made.key("ann")
    yield made
    made.store.close()


@pytest.fixture
def proposal(bench: Bench) -> Bench:
    assert bench.run(SERVERS, "ann", id="monday", propose=True).proposed is not None
    return bench


def refused(bench: Bench, wanted: str, *endorsements: object, id: str = "monday") -> None:
    before = bench.values(), bench.store.head
    assert code(bench.commit(id, "ann", endorsements=endorsements)) == wanted
    assert (bench.values(), bench.store.head) == before


def test_a_good_endorsement_is_accepted_once(proposal: Bench) -> None:
    good = proposal.endorse(proposal.asked("monday", "ann")[0], proposal.signers["dns"])
    ran = proposal.commit("monday", "ann", endorsements=(good,))

    assert ran.committed is not None
    assert [e.how for e in ran.committed.entry.endorsements] == ["signed"]
    assert proposal.values() == {"dns.servers": ["ns1", []]}
    assert verify_store(str(proposal.store.path)).problems == ()


def test_nobody_endorsed(proposal: Bench) -> None:
    refused(proposal, "opal-not-endorsed")
    assert code(proposal.run(SERVERS, "ann")) == "opal-not-endorsed"


def test_forged_signature_and_tampered_statement(proposal: Bench) -> None:
    asked = proposal.asked("monday", "ann")[0]
    good = proposal.endorse(asked, proposal.signers["dns"])
    later = {**good.statement, "expires": "2999-01-01T00:00:00Z"}
    refused(proposal, "opal-endorsement-forged", replace(good, statement=later))
    refused(proposal, "opal-endorsement-forged", replace(good, signature="AAAA"))
    stranger = proposal.key("dns", trusted=False)
    refused(proposal, "opal-endorsement-unknown-key", proposal.endorse(asked, stranger))
    mixed = replace(proposal.endorse(asked, stranger), public_key=good.public_key)
    refused(proposal, "opal-endorsement-forged", mixed)


def test_the_key_of_somebody_else_does_not_count(proposal: Bench) -> None:
    mallory = proposal.key("mallory")
    asked = proposal.asked("monday", "ann")[0]
    refused(proposal, "opal-endorsement-unknown-key", proposal.endorse(asked, mallory))


def test_replayed_endorsement(proposal: Bench) -> None:
    good = proposal.endorse(proposal.asked("monday", "ann")[0], proposal.signers["dns"])
    assert proposal.commit("monday", "ann", endorsements=(good,)).committed is not None
    proposal.run(SERVERS, "ann", id="tuesday", propose=True)
    refused(proposal, "opal-endorsement-other-world", good, id="tuesday")
    # The same nonce under a new signature for the new world: the owner's program is at fault.
    asked = proposal.asked("tuesday", "ann")[0]
    nonce = good.statement["nonce"]
    again = proposal.endorse(asked, proposal.signers["dns"], nonce=nonce)
    refused(proposal, "opal-endorsement-replayed", again, id="tuesday")


def test_endorsement_for_another_store(proposal: Bench) -> None:
    asked = replace(proposal.asked("monday", "ann")[0], store="0" * 32)
    good = proposal.endorse(asked, proposal.signers["dns"])
    refused(proposal, "opal-endorsement-other-world", good)


def test_expired_endorsement(proposal: Bench) -> None:
    good = proposal.endorse(proposal.asked("monday", "ann")[0], proposal.signers["dns"])
    proposal.now += timedelta(days=1)
    refused(proposal, "opal-endorsement-expired", good)


def test_endorsement_for_another_location(bench: Bench) -> None:
    elsewhere = f"at paris do {{ {SERVERS} }}"
    bench.run(elsewhere, "ann", id="monday", propose=True)
    asked = bench.asked("monday", "ann")[0]
    assert [block["location"] for block in asked.blocks] == ["paris"]
    home = [{**block, "location": "home"} for block in asked.blocks]
    moved = bench.endorse(replace(asked, blocks=home), bench.signers["dns"])
    refused(bench, "opal-endorsement-other-location", moved)


def test_endorsement_for_another_command(proposal: Bench) -> None:
    asked = proposal.asked("monday", "ann")[0]
    other = [{**block, "command": "0" * 64} for block in asked.blocks]
    endorsed = proposal.endorse(replace(asked, blocks=other), proposal.signers["dns"])
    refused(proposal, "opal-endorsement-other-command", endorsed)


def test_effect_changed_between_endorse_and_commit(bench: Bench) -> None:
    merging = "handle dns.servers := add with {} merging set3 in {{ add }}"
    first = f"with dns do {{ {merging.format('[1]')} }}"
    assert bench.run(first, "dns").committed is not None
    second = f"with dns do {{ {merging.format('[1, 2]')} }}"
    bench.run(second, "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], bench.signers["dns"])
    third = f"with dns do {{ {merging.format('[1, 3]')} }}"
    assert bench.run(third, "dns").committed is not None
    refused(bench, "opal-endorsement-effect-changed", good)
    # Asked again, the owner sees the merged value and may sign it.
    asked = bench.asked("monday", "ann")[0]
    assert asked.effect == {"dns.servers": [1, [3, [2, []]]]}
    again = bench.endorse(asked, bench.signers["dns"])
    assert bench.commit("monday", "ann", endorsements=(again,)).committed is not None


def test_confused_deputy_through_at(bench: Bench) -> None:
    # Being at dns gives no permission of dns, to whoever runs there …
    assert code(bench.run("at dns do { dns.x := () }", "ann")) == "opal-no-permission"
    # … nor does the permission of somebody who runs there help the caller.
    policy = '[domain.web]\n[[domain.web.grant]]\nto = "dns"\nat = ["dns"]\n'
    deputy = f"at dns do {{ {put('web', 'x', '1')} }}"
    assert code(bench.run(deputy, "ann", policy=policy)) == "opal-not-endorsed"
    assert bench.run(deputy, "dns", policy=policy).committed is not None


def test_world_id_guessed_by_another_principal(proposal: Bench) -> None:
    good = proposal.endorse(proposal.asked("monday", "ann")[0], proposal.signers["dns"])
    stolen = proposal.commit("monday", "mallory", endorsements=(good,))
    assert code(stolen) == "opal-world-of-other"
    dropped = worlds.drop(proposal.store, "monday", proposal.session("mallory"))
    assert dropped is not None
    assert dropped.code == "opal-world-of-other"
    assert code(proposal.commit("mondy", "ann")) == "opal-world-unknown"
    assert proposal.commit("monday", "ann", endorsements=(good,)).committed is not None
    # Not even the answer to a commit that is done is for others.
    assert code(proposal.commit("monday", "mallory")) == "opal-world-of-other"


def test_a_dropped_world_stays_dropped(proposal: Bench) -> None:
    assert worlds.drop(proposal.store, "monday", proposal.session("ann")) is None
    refused(proposal, "opal-world-closed")


def test_acting_as_somebody_whose_key_is_known(bench: Bench) -> None:
    stranger = bench.key("eve", trusted=False)
    for signers in ((), (stranger,)):
        assert code(bench.run(SERVERS, "dns", signers=signers)) == "opal-not-authentic"


def test_revoked_and_exchanged_keys(proposal: Bench) -> None:
    old = proposal.signers["dns"]
    asked = proposal.asked("monday", "ann")[0]
    endorsed = proposal.endorse(asked, old)
    fresh = proposal.key("dns", trusted=False)
    with pytest.raises(Refused) as error:
        change_keys(proposal.store, "dns", add=_public(fresh), signer=fresh)
    assert error.value.diagnostic.code == "key-refused"
    change_keys(proposal.store, "dns", add=_public(fresh), revoke=old.public, signer=old)
    refused(proposal, "opal-endorsement-unknown-key", endorsed)
    assert code(proposal.run(SERVERS, "dns", signers=(old,))) == "opal-not-authentic"
    good = proposal.endorse(asked, fresh)
    assert proposal.commit("monday", "ann", endorsements=(good,)).committed is not None
    assert verify_store(proposal.store.path).problems == ()


def _public(signer: Signer) -> PublicKey:
    return PublicKey(signer.name, signer.public)


# --- policies -------------------------------------------------------------------------

GRANT = '[domain.dns]\nserial = {}\n[[domain.dns.grant]]\nto = "ann"\n{}\n'


def signed_policy(bench: Bench, text: str, key: str | None = None) -> Policy:
    file = bench.folder / "signed.toml"
    file.write_text("format_version = 1\n" + text)
    keys = sorted(bench.folder.glob("dns*.key"))
    endorse_policy(str(file), "dns", key or str(keys[0]), bench.store.path)
    return load_policy(str(file))


def test_a_policy_that_its_domain_did_not_sign(bench: Bench) -> None:
    policy = GRANT.format(1, "")
    assert code(bench.run(SERVERS, "ann", policy=policy)) == "opal-policy-unsigned"
    bench.key("mallory", trusted=False)
    mallory = str(next(bench.folder.glob("mallory*.key")))
    forged = signed_policy(bench, policy, mallory)
    assert code(bench.run(SERVERS, "ann", policy=forged)) == "opal-policy-unsigned"
    signed = signed_policy(bench, policy)
    assert bench.run(SERVERS, "ann", policy=signed).committed is not None
    # A signature does not survive an edit.
    (bench.folder / "signed.toml").write_text("format_version = 1\n" + GRANT.format(9, ""))
    edited = load_policy(str(bench.folder / "signed.toml"))
    assert code(bench.run(SERVERS, "ann", policy=edited)) == "opal-policy-unsigned"


def test_a_policy_is_for_one_store(bench: Bench, tmp_path: Path) -> None:
    """What was granted in a test store is not granted in the real one."""
    text = GRANT.format(1, "")
    signed = signed_policy(bench, text)
    (tmp_path / "other").mkdir()
    other = Bench(tmp_path / "other")
    public = PublicKey("dns", bench.signers["dns"].public)
    change_keys(other.store, "dns", add=public)
    other.key("ann")
    assert code(other.run(SERVERS, "ann", policy=signed)) == "opal-policy-other-store"
    # Saying that the signature is for this store does not make it so.
    (one,) = signed.signatures.values()
    forged = replace(signed, signatures={"dns": replace(one, store=other.store.id)})
    assert code(other.run(SERVERS, "ann", policy=forged)) == "opal-policy-unsigned"
    other.store.close()
    # A policy may name its store itself, and then counts in no other.
    for id, wanted in ((bench.store.id, None), ("0" * 32, "opal-policy-other-store")):
        named = f'store = "{id}"\n' + text.replace("dns", "free")
        ran = bench.run(put("free", "x", "1"), "ann", policy=named)
        assert (None if ran.committed else code(ran)) == wanted
    file = bench.folder / "named.toml"
    file.write_text(f'format_version = 1\nstore = "{"0" * 32}"\n{text}')
    key = str(next(bench.folder.glob("dns*.key")))
    with pytest.raises(Problem, match="opal-policy-other-store"):
        endorse_policy(str(file), "dns", key, bench.store.path)
    file.write_text(f"format_version = 1\n{text}")
    with pytest.raises(Problem, match="opal-policy-invalid"):
        endorse_policy(str(file), "dns", key)


def test_an_expired_grant(bench: Bench) -> None:
    policy = signed_policy(bench, GRANT.format(1, "until = 2026-11-16T00:00:00Z"))
    assert bench.run(SERVERS, "ann", policy=policy).committed is not None
    bench.now += timedelta(days=1)
    assert code(bench.run(SERVERS, "ann", policy=policy)) == "opal-endorsement-expired"


def test_going_back_to_an_older_policy(bench: Bench) -> None:
    old = signed_policy(bench, GRANT.format(1, ""))
    new = signed_policy(bench, GRANT.format(2, 'write = ["dns.servers"]'))
    assert bench.run(SERVERS, "ann", policy=old).committed is not None
    assert bench.run(SERVERS, "ann", policy=new).committed is not None
    assert code(bench.run(SERVERS, "ann", policy=old)) == "opal-policy-old"


def test_grants_are_for_variables_places_and_values(bench: Bench) -> None:
    text = GRANT.format(1, 'write = ["dns.servers"]\nat = ["home"]')
    policy = signed_policy(bench, text + "[domain.dns.when]\nservers = '\"ns1\" in dns.servers'\n")
    assert bench.run(SERVERS, "ann", policy=policy).committed is not None
    other = put("dns", "zone", "1")
    assert code(bench.run(other, "ann", policy=policy)) == "opal-not-endorsed"
    value = put("dns", "servers", '["ns2"]')
    assert code(bench.run(value, "ann", policy=policy)) == "opal-not-endorsed"
    elsewhere = f"at paris do {{ {SERVERS} }}"
    assert code(bench.run(elsewhere, "ann", policy=policy)) == "opal-not-endorsed"
    assert code(bench.run(SERVERS, "bob", policy=policy)) == "opal-not-endorsed"


def test_owners_endorse_for_their_domain(bench: Bench) -> None:
    dana = bench.key("dana")
    policy = signed_policy(bench, '[domain.dns]\nowners = ["dana"]\n')
    assert bench.run(SERVERS, "dana", policy=policy).committed is not None
    bench.run(put("dns", "servers", "2"), "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], dana)
    refused(bench, "opal-endorsement-unknown-key", good)
    done = bench.commit("monday", "ann", endorsements=(good,), policy=policy)
    assert done.committed is not None


@pytest.mark.parametrize(
    "text",
    [
        "[domain.dns]\nowner = 'x'",
        "[domain.dns]\nserial = 'x'",
        "[domain.dns]\nread = 'x'",
        "[[domain.dns.grant]]\nfrom = 'x'",
        "[[domain.dns.grant]]\nto = 'x'\nuntil = 'soon'",
        "[domain.dns.when]\nx = 'dns.x ='",
        "[domains.dns]",
        "domain = 5",
        "garbage",
    ],
)
def test_bad_policies_are_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("format_version = 1\n" + text)
    with pytest.raises(Refused) as error:
        load_policy(str(file))
    assert error.value.diagnostic.code == "opal-policy-invalid"


def test_a_grant_is_for_somebody_who_can_show_who_they_are(bench: Bench) -> None:
    policy = signed_policy(bench, '[domain.dns]\nowners = ["eve"]\nread = ["eve"]\n'
                           '[[domain.dns.grant]]\nto = "eve"\n')  # fmt: skip
    assert code(bench.run(SERVERS, "eve", policy=policy)) == "opal-not-endorsed"
    assert bench.run(SERVERS, "dns").committed is not None
    look = "u := hyp { with dns do { eve.x := dns.servers } }"
    assert code(bench.run(look, "eve", policy=policy)) == "opal-read-not-granted"
    bench.key("eve")
    assert bench.run(SERVERS, "eve", policy=policy).committed is not None
    assert bench.run(look, "eve", policy=policy).committed is not None


def test_one_good_endorsement_among_bad_ones_is_enough(proposal: Bench) -> None:
    asked = proposal.asked("monday", "ann")[0]
    good = proposal.endorse(asked, proposal.signers["dns"])
    bad = replace(good, signature="AAAA")
    refused(proposal, "opal-endorsement-forged", bad, bad)
    assert proposal.commit("monday", "ann", endorsements=(bad, good)).committed is not None


@pytest.mark.parametrize("part", ["signature", "public_key", "policy", "authentication"])
def test_signatures_changed_in_the_log_are_found(bench: Bench, part: str) -> None:
    """Even if the chain of digests were made anew."""
    policy = signed_policy(bench, GRANT.format(1, ""))
    assert bench.run(SERVERS, "ann", policy=policy, id="monday").committed is not None
    assert verify_store(str(bench.store.path)).problems == ()
    entry = bench.store.entry_of("monday")
    assert entry is not None
    data = json.loads(entry.text())
    if part == "authentication":
        data["facts"]["authentication"]["signature"] = "AAAA"
    elif part == "policy":
        says = data["endorsements"][0]["statement"]
        says["policy"] = says["policy"].replace("ann", "eve")
    else:
        data["endorsements"][0][part] = "AAAA"
    text = canonical(data)
    before = bench.store._connection.execute("SELECT digest FROM log ORDER BY revision")
    bench.store._connection.raw.executescript("DROP TRIGGER log_stay")
    digest = sha256(before[-2][0] + text)
    bench.store._connection.execute(
        "UPDATE log SET entry = ?, digest = ? WHERE world = 'monday'", text, digest
    )
    found = [d.code for d in verify_store(str(bench.store.path)).problems]
    found.remove("store-schema-changed")
    wanted = "store-differs-from-log" if part == "authentication" else "store-bad-endorsement"
    assert found == [wanted]


# --- reads ----------------------------------------------------------------------------


def test_reading_in_a_world_needs_a_standing_permission(bench: Bench) -> None:
    assert bench.run(put("dns", "secret", "7"), "dns").committed is not None
    look = "u := hyp { with dns do { with ann do { ann.copy := dns.secret } } }"
    assert code(bench.run(look, "ann")) == "opal-read-not-granted"
    assert code(bench.run(look.removeprefix("u := hyp { ").removesuffix(" }"), "ann",
                          id="p", propose=True)) == "opal-read-not-granted"  # fmt: skip
    policy = signed_policy(bench, '[domain.dns]\nread = ["ann"]\n')
    assert bench.run(look, "ann", policy=policy).committed is not None


# --- files ----------------------------------------------------------------------------


def test_private_keys_are_private(tmp_path: Path, bench: Bench) -> None:
    file = next(bench.folder.glob("dns*.key"))
    assert file.stat().st_mode & 0o777 == 0o600
    assert "PRIVATE" not in repr(read_private(file))
    os.chmod(file, 0o640)
    for bad, wanted in (
        (file, "key-unreadable"),
        (tmp_path / "none.key", "key-unreadable"),
        (tmp_path, "not-a-regular-file"),
    ):
        with pytest.raises(Refused) as error:
            read_private(bad)
        assert error.value.diagnostic.code == wanted
    with pytest.raises(Refused) as error:
        new_key("dns", file)
    assert error.value.diagnostic.code == "key-exists"


def test_damaged_requests_and_endorsements_are_told(proposal: Bench) -> None:
    asked = proposal.asked("monday", "ann")[0].as_json()
    shown = {**asked, "effect": {"dns.servers": "harmless"}}
    file = proposal.folder / "request.json"
    bad: list[Any] = [shown, {**asked, "blocks": 5}, {**asked, "format_version": 2}, [], {}]
    for data in bad:
        file.write_text(json.dumps(data))
        for read in (read_request, read_endorsement):
            with pytest.raises(Refused) as error:
                read(str(file))
            assert error.value.diagnostic.code == "opal-endorsement-unreadable"


def test_ids_are_simple_words(bench: Bench) -> None:
    for id in ("a b", "", "../x", "x" * 65):
        assert code(bench.run("skip", "ann", id=id or "/")) == "opal-bad-id"


def test_an_id_is_for_one_program_of_one_principal(bench: Bench) -> None:
    assert bench.run("skip", "ann", id="one").committed is not None
    assert code(bench.run("skip; skip", "ann", id="one")) == "store-id-used"
    assert code(bench.run("skip", "bob", id="one")) == "store-id-used"
    bench.run("skip", "ann", id="two", propose=True)
    assert code(bench.run("skip", "bob", id="two", propose=True)) == "store-id-used"
    assert code(bench.run("skip", "bob", id="two")) == "store-id-used"
    # The world that a program leaves is called after it, and may not take another's name.
    bench.run("skip", "ann", id="three.u", propose=True)
    assert code(bench.run("u := hyp { skip }", "bob", id="three")) == "store-id-used"


def test_a_missing_store_is_told(tmp_path: Path) -> None:
    with pytest.raises(Problem) as error:
        verify_store(str(tmp_path / "none.db"))
    assert error.value.diagnostics[0].code == "store-missing"
    assert not Store.open(tmp_path / "new.db", create=True).head


def halved(text: str) -> str:
    """A JSON text with half of a surrogate pair in its first value."""
    return text.replace('"ann"', '"ann\\ud800"', 1)


def test_half_of_a_surrogate_pair_is_in_no_request(proposal: Bench, tmp_path: Path) -> None:
    file = tmp_path / "a.request.json"
    asked = proposal.asked("monday", "ann")[0]
    file.write_text(halved(json.dumps(asked.as_json())))

    with pytest.raises(Refused, match="opal-endorsement-unreadable"):
        read_request(str(file))
    good = proposal.endorse(asked, proposal.signers["dns"])
    file.write_text(json.dumps(good.as_json()).replace('"dns"', '"dns\\udfff"', 1))
    with pytest.raises(Refused, match="opal-endorsement-unreadable"):
        read_endorsement(str(file))


POLICY = "format_version = 1\n[domain.dns]\nserial = {}\n"


@pytest.mark.parametrize(
    "signatures",
    [
        "5",
        "[]",
        "{}",
        '{"signatures": 5}',
        '{"signatures": {"dns": 5}}',
        '{"signatures": {"dns": {}}}',
        '{"signatures": {"dns": {"store": 1, "public_key": 1, "signature": "x"}}}',
        '{"signatures": {"dns": {"store": "", "public_key": "x", "signature": ["x"]}}}',
        '{"signatures": {"dns\\ud800": {"store": "", "public_key": "x", "signature": "x"}}}',
        '{"signatures": ' + "[" * 100_000,
        '{"signatures": ' + '{"a":' * 100_000,
        "\udcff",
    ],
)
def test_signatures_of_the_wrong_shape_are_refused(signatures: str, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(1))
    Path(f"{file}.sig").write_text(signatures, errors="surrogateescape")

    with pytest.raises(Refused, match="opal-policy-invalid"):
        load_policy(str(file))


@pytest.mark.parametrize("serial", ["9" * 25, "-1", "1.5", '"x"', str(2**63)])
def test_a_serial_number_fits_into_a_store(serial: str, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(serial))

    with pytest.raises(Refused, match="opal-policy-invalid"):
        load_policy(str(file))


@pytest.mark.parametrize("number", ["9" * 25, str(2**63), str(2**64)])
def test_numbers_of_commits_have_no_upper_end(number: str, bench: Bench) -> None:
    from click.testing import CliRunner

    from headwater.cli.main import cli

    bench.run(SERVERS, "dns")
    store = str(bench.store.path)
    for args, shown in (
        (["store", "log", store, "--from", number], ""),
        (["store", "log", store, "--most", number], "dns.servers"),
        (["store", "show", store, "--revision", number], "dns.servers"),
        (["explain", "--store", store, "dns.servers", "--most", number], "dns.servers"),
    ):
        done = CliRunner().invoke(cli, args)

        assert done.exit_code == 0, args
        assert shown in done.stdout
        assert bool(done.stdout) == bool(shown)


def test_a_name_that_is_no_text_is_in_no_store(bench: Bench) -> None:
    from click.testing import CliRunner

    from headwater.cli.main import cli

    for args in (["world", "show", "\udcff"], ["world", "drop", "\udcff", "--as", "ann"]):
        done = CliRunner().invoke(cli, [*args, "--store", str(bench.store.path)])

        assert done.exit_code == 1
        assert "store-not-text" in done.stderr or "opal-world" in done.stderr
