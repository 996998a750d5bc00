"""A small certificate authority (ECDSA P-256) for the local stack: server, client and webhook certificates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

VALIDITY = timedelta(days=365)
LOCAL_HOSTS = ("127.0.0.1", "localhost")


@dataclass(frozen=True)
class KeyPair:
    """Paths of a PEM certificate and of its PEM private key."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates; its own certificate and key lie in `directory` as ca.crt and ca.key."""

    def __init__(self, directory: Path, name: str) -> None:
        """Create a new authority and write it down, replacing what was there."""
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._directory = directory
        self._key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(name, ())
        identifier = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        self._certificate = (
            _builder(subject, subject, self._key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(identifier, critical=False)
            .add_extension(_key_usage(ca=True), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.pair = _write(directory, "ca", self._certificate, self._key)

    @property
    def bundle(self) -> bytes:
        """The PEM certificate that clients trust."""
        return self.pair.certificate.read_bytes()

    def issue(
        self, file_name: str, common_name: str, *, groups: Sequence[str] = (), hosts: Sequence[str] = ()
    ) -> KeyPair:
        """Write `<file_name>.crt` and `.key`, good for a client, and for a server on `hosts` (names or addresses)."""
        key = ec.generate_private_key(ec.SECP256R1())
        own = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        uses = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH])
        builder = (
            _builder(_name(common_name, groups), self._certificate.subject, key.public_key())
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(own, critical=False)
            .add_extension(_key_usage(ca=False), critical=True)
            .add_extension(uses, critical=False)
        )
        if hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName(_alternatives(hosts)), critical=False)
        return _write(self._directory, file_name, builder.sign(self._key, hashes.SHA256()), key)


def write_signing_key(directory: Path) -> tuple[Path, Path]:
    """Write a new key pair that signs service account tokens; returns the paths (private, public)."""
    key = ec.generate_private_key(ec.SECP256R1())
    private, public = directory / "service-accounts.key", directory / "service-accounts.pub"
    _write_private(private, key)
    public.write_bytes(
        key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    return private, public


def _builder(subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # clocks of container hosts may differ
        .not_valid_after(now + VALIDITY)
    )


def _name(common_name: str, groups: Sequence[str]) -> x509.Name:
    attributes = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*attributes, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(*, ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=ca,
        encipher_only=False,
        decipher_only=False,
    )


def _alternatives(hosts: Sequence[str]) -> list[x509.GeneralName]:
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    return names


def _write(directory: Path, file_name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> KeyPair:
    pair = KeyPair(directory / f"{file_name}.crt", directory / f"{file_name}.key")
    pair.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    _write_private(pair.key, key)
    return pair


def _write_private(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
