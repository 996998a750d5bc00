"""A certificate with its key, and the one way to put it into a TLS context."""

import hashlib
import ssl
import tempfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from libdnsapi.runtime.errors import DnsapiError


class CertificateError(DnsapiError):
    """A certificate or key is missing, broken, or they do not belong together; the text never holds their content."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate chain, leaf first, and its private key, both in PEM."""

    certificate: bytes
    key: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """What tells one pair from another."""
        return hashlib.sha256(self.certificate + b"\0" + self.key).hexdigest()

    @property
    def expires(self) -> datetime:
        """When the leaf expires; raises CertificateError where there is no leaf."""
        return leaf(self.certificate).not_valid_after_utc


class Source(Protocol):
    """Where the certificate comes from."""

    async def read(self) -> Pair:
        """Return the pair that should be served now; raises DnsapiError while there is none."""
        ...


def leaf(certificate: bytes) -> x509.Certificate:
    """Parse the first certificate of a PEM chain; raises CertificateError."""
    try:
        return x509.load_pem_x509_certificate(certificate)
    except (ValueError, x509.InvalidVersion):
        raise CertificateError("the certificate is not valid PEM") from None


def key_fits(certificate: bytes, key: bytes) -> bool:
    """Whether a private key is that of the chain's leaf; raises CertificateError where there is no leaf."""
    try:
        return load_pem_private_key(key, password=None).public_key() == leaf(certificate).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return False


def server_context() -> ssl.SSLContext:
    """Return a context for a server, TLS 1.2 at least, still without a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def install(context: ssl.SSLContext, pair: Pair) -> None:
    """Have a context that may be serving show a pair: new handshakes use it, open connections go on.

    Each pair gets a context of its own, which handshakes are handed over to: one context keeps a certificate for each
    type of key, and would go on showing the old one of another type. What is wrong with a pair (CertificateError) shows
    before anything is changed.
    """
    fresh = server_context()
    try:
        _load(fresh, pair)
    except ssl.SSLError:
        raise CertificateError("certificate and key cannot be used together") from None
    except OSError as error:
        raise CertificateError(f"the certificate cannot be put into a temporary file: {error.strerror}") from None

    def hand_over(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = fresh

    context.sni_callback = hand_over  # asked also where the client names no server


def _load(context: ssl.SSLContext, pair: Pair) -> None:
    """Load a pair by way of files, since OpenSSL is only given paths."""
    with tempfile.TemporaryDirectory(prefix="dnsapi-tls-") as folder:
        certificate, key = Path(folder, "tls.crt"), Path(folder, "tls.key")
        certificate.write_bytes(pair.certificate)
        key.touch(mode=0o600)
        key.write_bytes(pair.key)
        context.load_cert_chain(certificate, key)
