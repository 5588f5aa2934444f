"""Encrypted data: looked up as Puppet looks them up with Debian's hiera-eyaml."""

from __future__ import annotations

import base64
import functools
import json
import random
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509 import load_pem_x509_certificate

from eyaml_keys import write_keys
from laws.profile import examples
from peers import puppet8
from peers.catalogs import Oracle, difference
from peers.puppet import ABSENT, installed
from peers.test_puppet_environment import ours

ENCRYPT = """
require 'openssl'; require 'base64'
cert = OpenSSL::X509::Certificate.new(File.read(ARGV[0]))
$stdin.each_line do |line|
  cipher = OpenSSL::Cipher.new('aes-256-cbc')
  der = OpenSSL::PKCS7.encrypt([cert], Base64.decode64(line), cipher, OpenSSL::PKCS7::BINARY).to_der
  puts Base64.strict_encode64(der)
end
"""
HIERA = """\
version: 5
hierarchy:
  - name: secret
    lookup_key: eyaml_lookup_key
    path: secret.eyaml
    options:
      pkcs7_private_key: {folder}/%{{facts.key}}.private.pem
      pkcs7_public_key: {folder}/%{{facts.key}}.public.pem
  - {{name: common, path: common.yaml}}
"""
HIERA_3 = """\
:backends: [eyaml, yaml]
:hierarchy: [secret, common]
:eyaml:
  :datadir: {place}/data
  :extension: eyaml
  :pkcs7_private_key: {folder}/%{{facts.key}}.private.pem
  :pkcs7_public_key: {folder}/%{{facts.key}}.public.pem
:yaml:
  :datadir: {place}/data
"""
TEXTS: list[str | bytes] = [
    "s3cret", "", "two\nlines\n", "ends\r\n", "ünï", "100%", "a %{facts.key} b",
    "%{lookup('plain')}", "'quoted' \"text\"", "  blanks  ", "x" * 300, "ENC[x]",
    "%{alias('list')}", b"\xff\xfe", b"a\xc3 %{facts.key}", b"a\xc3", b"\xa9 b",
]  # fmt: skip


@functools.cache
def oracle(level: int = 7) -> Oracle:
    """One Ruby process for each level."""
    if not installed():
        pytest.skip(ABSENT)
    if level == 8 and not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    found = subprocess.run(
        ["ruby", "-e", "require 'hiera/backend/eyaml'"], capture_output=True, check=False
    )
    if found.returncode:
        pytest.skip("hiera-eyaml is not installed (tests/peers/install.sh installs it)")
    return Oracle() if level == 7 else puppet8.oracle()


def envelopes(folder: Path) -> list[str]:
    """Each of the texts, encrypted by Ruby's OpenSSL."""
    data = [text if isinstance(text, bytes) else text.encode() for text in TEXTS]
    lines = "".join(base64.b64encode(one).decode() + "\n" for one in data)
    command = ["ruby", "-e", ENCRYPT, str(folder / "key.public.pem")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return done.stdout.split()


def piece(rng: random.Random, sealed: list[str]) -> str:
    """An encrypted piece, in one of the ways it can be written."""
    cipher = rng.choice(sealed)
    if rng.random() < 0.15:
        cipher = " ".join(cipher[at : at + 60] for at in range(0, len(cipher), 60))
    if rng.random() < 0.05:
        cipher = cipher[:100]
    scheme = rng.choice(["PKCS7,"] * 12 + ["pkcs7,", "", "GPG,"])
    return f"ENC[{scheme}{cipher}]"


def value(rng: random.Random, sealed: list[str], depth: int = 0) -> object:
    """A value of data with encrypted pieces in it."""
    kind = rng.random()
    if depth < 3 and kind < 0.15:
        return [value(rng, sealed, depth + 1) for _ in range(rng.randint(0, 3))]
    if depth < 3 and kind < 0.3:
        names = rng.sample(["a", "b", "k %{facts.key}", "ENC[z]"], rng.randint(0, 3))
        return {name: value(rng, sealed, depth + 1) for name in names}
    if kind < 0.45:
        return rng.choice(
            [1, True, None, "plain", "%{facts.key}", "ENC[broken", "ENC[]", "ENC[%]", ""]
        )
    between = ["u=", " ", "\n", "]", "ENC["]
    return "".join(
        piece(rng, sealed) if rng.random() < 0.6 else rng.choice(between)
        for _ in range(rng.choice([1, 1, 1, 2, 3]))
    )


def block(rng: random.Random, sealed: list[str], indent: str = "  ") -> str:
    """An encrypted value as people write it in YAML: a block, folded or literal, of many lines."""
    cipher = rng.choice(sealed)
    width = rng.choice([40, 60, 76])
    lines = [f"ENC[PKCS7,{cipher}]"[at : at + width] for at in range(0, len(cipher) + 11, width)]
    if rng.random() < 0.3:
        lines[0] = f"u={lines[0]}"
    if rng.random() < 0.3:
        lines += [f"and ENC[PKCS7,{rng.choice(sealed)}]"]
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines)), "")
    style = rng.choice(">|") + rng.choice(["", "-", "+"])
    return "".join([f"{style}\n", *(f"{indent}{line}\n" for line in lines)])


def text_of(rng: random.Random, sealed: list[str]) -> str:
    """A file of data with the key `k`."""
    shape = rng.random()
    if shape < 0.5:
        # JSON is YAML; both sides read the same file.
        return json.dumps({"k": value(rng, sealed)})
    if shape < 0.75:
        return f"k: {block(rng, sealed)}"
    if shape < 0.9:
        return f"k:\n  - {block(rng, sealed, '    ')}  - plain\n"
    return f"k:\n  a: {block(rng, sealed, '    ')}  'ENC[z]': {block(rng, sealed, '    ')}"


@pytest.mark.peer
@pytest.mark.parametrize(
    ("version", "asks", "level"),
    [(5, "lookup('k')", 7), (3, "lookup('k')", 7), (3, "hiera('k')", 7), (3, "hiera_array('k')", 7),
     (5, "lookup('k')", 8)],
)  # fmt: skip
def test_encrypted_values_are_those_of_hiera_eyaml(
    version: int, asks: str, level: int, tmp_path: Path
) -> None:
    asked = oracle(level)
    write_keys(tmp_path)
    sealed = envelopes(tmp_path)
    rng = random.Random(f"{version} {asks}")
    place = tmp_path / "staging"
    (place / "manifests").mkdir(parents=True)
    (place / "data").mkdir()
    (place / "manifests" / "site.pp").write_text(f"notify {{ 'x': message => {asks} }}\n")
    config = (HIERA if version == 5 else HIERA_3).format(folder=tmp_path, place=place)
    (place / ("hiera.yaml" if version == 5 else "global.yaml")).write_text(config)
    inputs = {} if version == 5 else {"hiera": str(place / "global.yaml")}
    (place / "data" / "common.yaml").write_text("plain: in the open\nlist: [1, 2]\n")
    answered = 0
    for _ in range(examples(30, 400)):
        data = text_of(rng, sealed)
        (place / "data" / "secret.eyaml").write_text(data)
        facts = {"key": "key"}
        real = asked.ask(env=str(place), facts=facts, **inputs)
        mine = ours(place, facts=facts, puppet=level, **inputs)
        answered += real["ok"]

        assert difference(real, mine) is None, data
    assert answered > 10


def shapes(folder: Path) -> dict[str, bytes]:
    """Files that a level may name where a key should be."""
    private, public = ((folder / f"key.{one}.pem").read_bytes() for one in ("private", "public"))
    other = (folder / "other.public.pem").read_bytes()
    key = load_pem_private_key(private, None)
    return {
        "pkcs8": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        "der": key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
        "certificate in DER": load_pem_x509_certificate(public).public_bytes(Encoding.DER),
        "lines of Windows": private.replace(b"\n", b"\r\n"),
        "text before": b"a note\n" + public, "two": public + other,
        "two, other first": other + public,
        "both": private + public, "of another": other, "nothing": b"", "no key": b"junk",
        "another's": (folder / "other.private.pem").read_bytes(),
    }  # fmt: skip


@pytest.mark.peer
@pytest.mark.parametrize("level", [7, 8])
def test_keys_are_read_as_hiera_eyaml_reads_them(level: int, tmp_path: Path) -> None:
    asked = oracle(level)
    write_keys(tmp_path)
    write_keys(tmp_path, "other")
    (cipher, *_) = envelopes(tmp_path)
    place = tmp_path / "staging"
    for name in ("manifests", "data"):
        (place / name).mkdir(parents=True)
    (place / "manifests" / "site.pp").write_text("notify { 'x': message => lookup('k') }\n")
    (place / "data" / "secret.eyaml").write_text(f"k: ENC[PKCS7,{cipher}]\n")
    (place / "hiera.yaml").write_text(HIERA.format(folder=place))
    good = {one: (tmp_path / f"key.{one}.pem").read_bytes() for one in ("private", "public")}
    found = []
    for name, text in shapes(tmp_path).items():
        for which in ("private", "public"):
            for one, kept in {**good, which: text}.items():
                (place / f"key.{one}.pem").write_bytes(kept)
            real = asked.ask(env=str(place), facts={"key": "key"})
            found.append(real["ok"])

            mine = ours(place, facts={"key": "key"}, puppet=level)
            assert difference(real, mine) is None, (name, which)
    assert {True, False} == set(found)
