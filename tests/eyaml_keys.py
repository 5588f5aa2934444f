"""Keys and encrypted values for tests of encrypted data."""

from __future__ import annotations

import base64
import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs7,
)


def write_keys(folder: Path, name: str = "key") -> x509.Certificate:
    """A private key and its certificate, as ``eyaml createkeys`` makes them."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([])
    now = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    (folder / f"{name}.private.pem").write_bytes(private)
    (folder / f"{name}.public.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    return certificate


def sealed(text: str, certificate: x509.Certificate) -> str:
    """A text in base64, encrypted for a certificate."""
    envelope = (
        pkcs7.PKCS7EnvelopeBuilder()
        .set_data(text.encode())
        .add_recipient(certificate)
        .set_content_encryption_algorithm(algorithms.AES256)
        .encrypt(Encoding.DER, [pkcs7.PKCS7Options.Binary])
    )
    return base64.b64encode(envelope).decode()
