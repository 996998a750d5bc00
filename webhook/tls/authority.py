"""Certificates of our own making: an authority and leaves under it (RFC 5280). Time comes in as a value."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webhook.tls.pair import CertificateError, Pair, key_fits, leaf

AUTHORITY_LIFE = timedelta(days=730)
LEAF_LIFE = timedelta(days=90)
SKEW = timedelta(minutes=10)
"""How far clocks of other machines may lag behind ours."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority: its certificate and its private key, both in PEM."""

    certificate: bytes
    key: bytes = field(repr=False)

    @property
    def expires(self) -> datetime:
        """When the authority expires; raises CertificateError where the certificate is broken."""
        return leaf(self.certificate).not_valid_after_utc

    @property
    def is_sound(self) -> bool:
        """Whether leaves can be issued: the name that they will bear can be read, and the key is the certificate's."""
        try:
            return bool(leaf(self.certificate).subject.rdns) and key_fits(self.certificate, self.key)
        except (CertificateError, ValueError):
            return False


def new_authority(now: datetime) -> Authority:
    """Make an authority that lives AUTHORITY_LIFE from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"dnsapi webhook authority {now:%Y-%m-%d %H:%M:%S}")
    certificate = (
        _builder(name, name, key.public_key(), now, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate.public_bytes(serialization.Encoding.PEM), _pem(key))


def new_leaf(authority: Authority, names: Sequence[str], now: datetime) -> Pair:
    """Make a server certificate for these DNS names and addresses; raises CertificateError for a broken authority."""
    issuer, issuer_key = leaf(authority.certificate), _private_key(authority.key)
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        _builder(_name("dnsapi webhook"), issuer.subject, key.public_key(), now, LEAF_LIFE)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .sign(issuer_key, hashes.SHA256())
    )
    return Pair(certificate.public_bytes(serialization.Encoding.PEM), _pem(key))


def issued(authority: Authority, pair: Pair) -> bool:
    """Whether a pair is one of the authority's, and its key that of its certificate; raises CertificateError."""
    try:
        leaf(pair.certificate).verify_directly_issued_by(leaf(authority.certificate))
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return key_fits(pair.certificate, pair.key)


def bundle(first: bytes, earlier: bytes, now: datetime) -> bytes:
    """Return the PEM bundle that clients verify with: the first authority, then unexpired earlier ones, at most one."""
    kept = [
        certificate.public_bytes(serialization.Encoding.PEM)
        for certificate in _certificates(earlier)
        if certificate.not_valid_after_utc > now
    ]
    return first + b"".join([pem for pem in kept if pem.strip() != first.strip()][:1])


def names_of(certificate: bytes) -> frozenset[str]:
    """Return the DNS names and addresses that a certificate shows that it is for; raises CertificateError."""
    try:
        extension = leaf(certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (x509.ExtensionNotFound, x509.DuplicateExtension, x509.UnsupportedGeneralNameType, ValueError):
        return frozenset()
    return frozenset(str(name.value) for name in extension.value)


def _certificates(pem: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except (ValueError, x509.InvalidVersion):
        return []


def _private_key(pem: bytes) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except ValueError:
        raise CertificateError("the authority's key is not valid PEM") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CertificateError("the authority's key is not an elliptic-curve key")
    return key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, life: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SKEW)
        .not_valid_after(now + life)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
