"""Encrypted data: what is said when they cannot be read, and that nobody is shown them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509 import load_pem_x509_certificate

from eyaml_keys import sealed, write_keys
from headwater.cli.main import cli

HIERA = """\
version: 5
hierarchy:
  - name: Secrets
    lookup_key: eyaml_lookup_key
    path: secret.eyaml
"""
PAIR = ("pkcs7_private_key: {0}/key.private.pem", "pkcs7_public_key: {0}/key.public.pem")
SITE = """\
class db($password) {
  file { '/a': content => "p=${password}\\n" }
  notify { 'b': message => lookup('url') }
}
include db
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An environment with one encrypted value, another around it, and keys."""
    certificate = write_keys(tmp_path)
    for name in ("data", "manifests"):
        (tmp_path / name).mkdir()
    envelope = sealed("tops3cret", certificate)
    (tmp_path / "data" / "secret.eyaml").write_text(
        f"plain: open\ndb::password: ENC[PKCS7,{envelope}]\n"
        "url: \"u:%{lookup('db::password')}@h\"\n"
    )
    (tmp_path / "manifests" / "site.pp").write_text(SITE)
    set_options(tmp_path, *PAIR)
    return tmp_path


def set_options(site: Path, *options: str) -> None:
    """Writes hiera.yaml."""
    lines = [f"      {option.format(site)}\n" for option in options]
    text = "".join(["    options:\n", *lines] if lines else [])
    (site / "hiera.yaml").write_text(HIERA + text)


def headwater(*args: str, code: int = 0, env: dict[str, str] | None = None) -> str:
    """What a command says."""
    done = CliRunner().invoke(cli, list(args), env=env)
    assert done.exit_code == code, done.output
    return done.output


def test_the_catalog_has_it_in_the_clear(site: Path) -> None:
    catalog = headwater("compile", str(site))

    assert '"p=tops3cret\\n"' in catalog
    assert '"u:tops3cret@h"' in catalog


@pytest.mark.parametrize(
    "args",
    [
        ("explain", "{}", "File[/a].content"), ("explain", "{}", "Notify[b].message", "--json"),
        ("explain", "{}", "Class[Db].password"), ("blame", "{}"),
        ("impact", "{}/data/secret.eyaml:2", "--env", "{}"),
        ("lookup", "db::password", "--env", "{}"), ("lookup", "url", "--env", "{}"),
        ("lookup", "url", "--env", "{}", "--json"),
    ],
)  # fmt: skip
def test_no_answer_shows_it(site: Path, args: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli, [arg.format(site) for arg in args])

    assert done.exit_code in (0, 2), done.output
    assert "tops3cret" not in done.output


def test_the_why_document_does_not_hold_it(site: Path) -> None:
    job = {"env": str(site), "lang": "puppet", "why": True}
    done = CliRunner().invoke(cli, ["compile", "--jobs", "-"], input=json.dumps(job) + "\n")
    answer = json.loads(done.output)

    assert answer["ok"], answer
    assert "tops3cret" not in json.dumps(answer["why"])
    assert "tops3cret" in json.dumps(answer["result"])


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (PAIR, ["{}/key.private.pem", "{}/key.public.pem"]),
        (["pkcs7_private_key_env_var: HW_TEST_KEY", PAIR[1]], ["$HW_TEST_KEY"]),
    ],
)
def test_what_was_decrypted_depends_on_the_keys(
    site: Path, options: list[str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_options(site, *options)
    monkeypatch.setenv("HW_TEST_KEY", (site / "key.private.pem").read_text())
    job = {"env": str(site), "lang": "puppet", "why": True}
    done = CliRunner().invoke(cli, ["compile", "--jobs", "-"], input=json.dumps(job) + "\n")
    why = json.loads(done.output)["why"]

    inputs = {one["id"]: one["text"] for one in why["inputs"]}
    found = {inputs[n] for value in why["values"].values() for n in value["depends"]}
    assert {name.format(site) for name in names} <= found
    assert "PRIVATE KEY" not in json.dumps(why)


def test_lookup_says_where_it_stands(site: Path) -> None:
    said = headwater("lookup", "db::password", "--env", str(site))

    assert "data/secret.eyaml:2:1" in said
    assert "level Secrets" in said


WRONG = {
    "no private key": ((PAIR[1],), "the level does not say pkcs7_private_key"),
    "no public key": ((PAIR[0],), "the level does not say pkcs7_public_key"),
    "a file that is missing": (
        ("pkcs7_private_key: {0}/none.pem", PAIR[1]), "none.pem: no such file",
    ),
    "a folder": (("pkcs7_private_key: {0}/data", PAIR[1]), "pkcs7_private_key"),
    "no key at all": (("pkcs7_private_key: {0}/hiera.yaml", PAIR[1]), "holds no private key"),
    "a key where a certificate should be": (
        (PAIR[0], "pkcs7_public_key: {0}/key.private.pem"), "holds no certificate",
    ),
    "the keys of another": (
        ("pkcs7_private_key: {0}/other.private.pem", "pkcs7_public_key: {0}/other.public.pem"),
        "it was not encrypted for this key",
    ),
    "the certificate of another": (
        (PAIR[0], "pkcs7_public_key: {0}/other.public.pem"), "the certificate of another private",
    ),
    "a key that is a number": (("pkcs7_private_key: 1", PAIR[1]), "does not say"),
}  # fmt: skip


@pytest.mark.parametrize(("options", "reason"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_decrypted_is_told_with_level_file_and_line(
    site: Path, options: tuple[str, ...], reason: str
) -> None:
    write_keys(site, "other")
    set_options(site, *options)
    said = headwater("compile", str(site), code=1)

    assert "error[puppet-not-decrypted]: db::password" in said
    assert "the level Secrets" in said
    assert "data/secret.eyaml:2:15" in said
    assert "hiera.yaml:3:5" in said
    assert reason in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [("ENC[GPG,aGVsbG8=]", "GPG is not supported"), ("ENC[PKCS7,aGVsbG8=]", "not encrypted for"),
     ("ENC[PKCS7,a]", "not encrypted for"), ("ENC[aGVsbG8=]", "not encrypted for")],
)  # fmt: skip
def test_what_is_no_envelope_is_told(site: Path, text: str, reason: str) -> None:
    (site / "data" / "secret.eyaml").write_text(f"db::password: '{text}'\n")
    said = headwater("compile", str(site), code=1)

    assert "puppet-not-decrypted" in said
    assert reason in said


def test_without_a_key_one_can_go_on_with_an_unknown_value(site: Path) -> None:
    set_options(site)
    catalog = headwater("compile", str(site), "--on-unknown", "opaque")

    assert "the encrypted db::password" in catalog


def test_keys_in_variables_of_the_environment(site: Path) -> None:
    set_options(site, "pkcs7_private_key_env_var: HW_TEST_KEY", PAIR[1])
    key = {"HW_TEST_KEY": (site / "key.private.pem").read_text()}

    assert "p=tops3cret" in headwater("compile", str(site), env=key)
    said = headwater("compile", str(site), "--confined", code=1, env=key)
    assert "pkcs7_private_key_env_var is not read here" in said
    said = headwater("compile", str(site), code=1)
    assert "pkcs7_private_key_env_var names $HW_TEST_KEY, which is not set" in said


def test_keys_may_be_in_der(site: Path) -> None:
    private = load_pem_private_key((site / "key.private.pem").read_bytes(), None)
    public = load_pem_x509_certificate((site / "key.public.pem").read_bytes())
    kind = PrivateFormat.TraditionalOpenSSL
    (site / "key.private.pem").write_bytes(
        private.private_bytes(Encoding.DER, kind, NoEncryption())
    )
    (site / "key.public.pem").write_bytes(public.public_bytes(Encoding.DER))

    assert "p=tops3cret" in headwater("compile", str(site))


def test_plain_values_of_such_a_level_need_no_key(site: Path) -> None:
    set_options(site)

    assert '"open"' in headwater("lookup", "plain", "--env", str(site))


def test_a_folded_block_and_several_in_one_text(site: Path) -> None:
    certificate = write_keys(site)
    one, two = (sealed(text, certificate) for text in ("alpha", "omega"))
    folded = "\n  ".join(one[at : at + 60] for at in range(0, len(one), 60))
    (site / "data" / "secret.eyaml").write_text(
        f'folded: >\n  ENC[PKCS7,{folded}]\nboth: "a=ENC[PKCS7,{one}] b=ENC[PKCS7,{two}]"\n'
    )
    (site / "manifests" / "site.pp").write_text(
        "notify { 'x': message => [lookup('folded'), lookup('both')] }\n"
    )

    catalog = json.loads(headwater("compile", str(site)))
    found = {r["title"]: r.get("parameters") for r in catalog["resources"]}
    assert found["x"] == {"message": ["alpha", "a=alpha b=omega"]}
    told = headwater("lookup", "both", "--env", str(site))
    assert "secret.eyaml:" in told
    assert "alpha" not in told
    assert "omega" not in told
