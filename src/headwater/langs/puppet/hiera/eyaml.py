"""Encrypted values of data (`eyaml_lookup_key`): read with the keys that a level names.

A value may hold any number of pieces ``ENC[PKCS7,…]``, each a CMS envelope in base64 for the
certificate of the level.  Keys are read through the one door for files, or from a variable of
the process's environment where the level names one and nothing is confined.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from headwater.langs.puppet.bytestrings import Incompatible, joined, settled
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern
from headwater.text.reading import Unread, reach, read_bytes
from headwater.text.reads import note_variable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.x509 import Certificate

_PIECE = LatePattern(r"ENC\[(?:([A-Za-z0-9_]+),)?([a-zA-Z0-9+/ =\n]+?)\]")
_SCHEME = "PKCS7"
_PEM = b"-----BEGIN "


class NotDecrypted(Exception):
    """Why a value cannot be read."""


def encrypted(value: object) -> bool:
    """Whether there is anything to decrypt in a value of data."""
    if isinstance(value, str):
        return any(-1 < line.find("ENC[") < line.rfind("]") for line in value.split("\n"))
    if isinstance(value, list):
        return any(map(encrypted, value))
    return isinstance(value, Hash) and any(map(encrypted, value.values()))


class Keys:
    """The keys of a level, read when the first value asks for them."""

    def __init__(self, options: Hash) -> None:
        self._options = options
        self._pair: tuple[RSAPrivateKey, Certificate] | None = None
        self._known: dict[str, str] = {}
        self._fresh: list[str] = []
        self.named: list[str] = []
        """The files of the keys, and the variables of the environment that hold one (`$NAME`)."""

    def decrypted(self, value: Value) -> Value:
        """A value of data in the clear; raises `NotDecrypted`."""
        if isinstance(value, str):
            return self._text(value) if encrypted(value) else value
        if isinstance(value, list):
            return [self.decrypted(item) for item in value]
        if isinstance(value, Hash):
            return value.map_values(self.decrypted)
        return value

    def taken(self) -> list[str]:
        """What has been decrypted since this was last asked."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def _text(self, text: str) -> str:
        parts, at = list[str](), 0
        for found in _PIECE.finditer(text):
            parts += (text[at : found.start()], self._piece(found))
            at = found.end()
        parts.append(text[at:])
        try:
            clear = joined([part for part in parts if part] or [""])
        except Incompatible as error:
            raise NotDecrypted(str(error)) from None
        for end in ("\r\n", "\n", "\r"):
            if clear.endswith(end):
                return clear.removesuffix(end)
        return clear

    def _piece(self, found: re.Match[str]) -> str:
        scheme, cipher = found[1] or _SCHEME, "".join(found[2].split())
        if scheme.upper() != _SCHEME:
            raise NotDecrypted(f"{scheme} is not supported, only {_SCHEME}")
        known = self._known.get(cipher)
        if known is None:
            known = self._known[cipher] = self._opened(cipher)
            self._fresh.append(known)
        return known

    def _opened(self, cipher: str) -> str:
        import base64

        from cryptography.hazmat.primitives.serialization import pkcs7

        key, certificate = self._pair or self._read()
        self._pair = (key, certificate)
        try:
            data = base64.b64decode(cipher + "=" * (-len(cipher) % 4))
            clear = pkcs7.pkcs7_decrypt_der(data, certificate, key, [])
        except Exception as error:  # noqa: BLE001 - what it says of a broken one, it says in many ways
            raise NotDecrypted(f"it was not encrypted for this key ({error})") from None
        return settled(clear.decode("utf-8", "surrogateescape"))

    def _read(self) -> tuple[RSAPrivateKey, Certificate]:
        from cryptography import x509
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

        name, text = self._key("private_key")
        is_pem = _PEM in text
        load = serialization.load_pem_private_key if is_pem else serialization.load_der_private_key
        try:
            key = load(text, None)
        except Exception:  # noqa: BLE001 - and says nothing that would help more
            raise NotDecrypted(f"{name} holds no private key without a passphrase") from None
        if not isinstance(key, RSAPrivateKey):
            raise NotDecrypted(f"{name} holds a key that is not an RSA key")
        name, text = self._key("public_key")
        read = x509.load_pem_x509_certificate if _PEM in text else x509.load_der_x509_certificate
        try:
            certificate = read(text)
        except ValueError:
            raise NotDecrypted(f"{name} holds no certificate") from None
        if certificate.public_key() != key.public_key():
            raise NotDecrypted(f"{name} holds the certificate of another private key")
        return key, certificate

    def _key(self, which: str) -> tuple[str, bytes]:
        """The option of a key and what it leads to."""
        option = f"pkcs7_{which}"
        variable = self._options.get(f"{option}_env_var")
        if isinstance(variable, str):
            if reach().confined:
                raise NotDecrypted(f"{option}_env_var is not read here: nothing outside is")
            self.named.append(f"${variable}")
            note_variable(variable)
            if variable in os.environ:
                return variable, os.environ[variable].encode()
        path = self._options.get(option)
        if not isinstance(path, str):
            if isinstance(variable, str):
                raise NotDecrypted(f"{option}_env_var names ${variable}, which is not set")
            raise NotDecrypted(f"the level does not say {option}")
        self.named.append(path)
        try:
            return path, read_bytes(path)
        except Unread as why:
            raise NotDecrypted(f"{option} {path}: {why.reason}") from None
