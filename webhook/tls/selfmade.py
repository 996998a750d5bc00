"""A self-made certificate that all replicas share: kept in a Secret, trusted by way of `caBundle`.

- The Secret is the truth; who finds it missing, old or for other names writes it, and of two writers one wins.
- The leaf is renewed long before it expires, the authority before a leaf could outlive it.
- Trust goes first: the new authority stands in every `caBundle`, beside the old one, before its leaf is served.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import SECRETS, JsonObject, ObjectKey
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import AlreadyExistsError, ConflictError, NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from webhook.documents import object_at
from webhook.tls.authority import LEAF_LIFE, Authority, bundle, issued, names_of, new_authority, new_leaf
from webhook.tls.pair import CertificateError, Pair
from webhook.tls.trust import TrustPublisher

RENEW_BEFORE = timedelta(days=30)
SETTLE = timedelta(seconds=5)
"""How long API servers are given to take up a new authority before its leaf is served."""
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Material:
    """What the Secret holds: the authority, the bundle of what is trusted, and the served pair."""

    authority: Authority
    trusted: bytes
    pair: Pair


def renewed(stored: Material | None, names: Sequence[str], now: datetime, served_under: bytes = b"") -> Material:
    """Return the material that should be stored now: the same one where nothing is due.

    `served_under` is the authority, in PEM, of what is served while nothing is stored any more; it stays trusted.
    """
    if stored is None or stored.authority.expires - now < LEAF_LIFE + RENEW_BEFORE:
        authority = new_authority(now)
        trusted = bundle(authority.certificate, served_under if stored is None else stored.trusted, now)
        return Material(authority, trusted, new_leaf(authority, names, now))
    due = stored.pair.expires - now < RENEW_BEFORE or names_of(stored.pair.certificate) != frozenset(names)
    if not due and issued(stored.authority, stored.pair):
        return stored
    trusted = bundle(stored.authority.certificate, stored.trusted, now)
    return Material(stored.authority, trusted, new_leaf(stored.authority, names, now))


class SelfMadeSource:
    """Reads, renews and publishes the shared certificate."""

    def __init__(
        self, client: Kubernetes, secret: ObjectKey, names: Sequence[str], trust: TrustPublisher, clock: Clock
    ) -> None:
        """Keep what to write and where; nothing is asked before `read`."""
        self._client = client
        self._secret = secret
        self._names = tuple(names)
        self._trust = trust
        self._clock = clock
        self._served_under: bytes = b""

    async def read(self) -> Pair:
        """Return the pair to serve, after all API servers had time to trust it; raises DnsapiError."""
        material = await self._stored()
        await self._trust.publish(material.trusted)
        authority = material.authority.certificate
        if self._served_under and authority != self._served_under:
            await self._clock.sleep(SETTLE)
        self._served_under = authority
        return material.pair

    async def _stored(self) -> Material:
        for _ in range(ATTEMPTS):
            try:
                return await self._read_or_write()
            except (AlreadyExistsError, ConflictError):
                continue
        raise CertificateError(f"Secret {self._secret} is being written by too many at once")

    async def _read_or_write(self) -> Material:
        try:
            document: JsonObject = orjson.loads(await self._client.get(SECRETS, self._secret))
        except NotFoundError:
            made = renewed(None, self._names, self._clock.now(), self._served_under)
            await self._client.create(SECRETS, self._secret.namespace, _new_secret(self._secret, made))
            return made
        stored = _material(document)
        wanted = renewed(stored, self._names, self._clock.now(), self._served_under)
        if wanted != stored:
            await self._client.replace(SECRETS, self._secret, {**document, "data": _data(wanted)})
        return wanted


def _material(document: JsonObject) -> Material | None:
    """Read a Secret; None where it is incomplete or broken, so that it is made anew."""
    data = object_at(document, "data")
    parts = [_decoded(data.get(name)) for name in ("ca.crt", "ca.key", "tls.crt", "tls.key")]
    if not all(parts):
        return None
    trusted, authority_key, certificate, key = parts
    end = b"-----END CERTIFICATE-----\n"
    material = Material(Authority(trusted.partition(end)[0] + end, authority_key), trusted, Pair(certificate, key))
    return material if material.authority.is_sound and _is_readable(material.pair) else None


def _is_readable(pair: Pair) -> bool:
    try:
        return isinstance(pair.expires, datetime)
    except (CertificateError, ValueError):
        return False


def _decoded(value: JsonValue) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except binascii.Error:
        return b""


def _new_secret(key: ObjectKey, material: Material) -> JsonObject:
    metadata: JsonObject = {"name": key.name, "namespace": key.namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", "data": _data(material)}


def _data(material: Material) -> JsonObject:
    content = {
        "ca.crt": material.trusted,
        "ca.key": material.authority.key,
        "tls.crt": material.pair.certificate,
        "tls.key": material.pair.key,
    }
    return {name: base64.b64encode(value).decode() for name, value in content.items()}
