"""Access keys in Secrets: the one shape that is read, and only in the namespaces that a setting names.

Beyond-the-seeds 7: keys `aws_access_key_id`, `aws_secret_access_key` and, optionally, `aws_session_token`.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey
from libdnsapi.runtime.informer import Informer
from route53_controller.aws.credentials import StaticKeys
from route53_controller.aws.errors import AwsError, AwsFailure

ACCESS_KEY_ID = "aws_access_key_id"
SECRET_ACCESS_KEY = "aws_secret_access_key"  # noqa: S105 — the name of a key in a Secret
SESSION_TOKEN = "aws_session_token"  # noqa: S105 — the name of a key in a Secret
_READ_KEYS = (ACCESS_KEY_ID, SECRET_ACCESS_KEY, SESSION_TOKEN)
_KEPT_METADATA = ("name", "namespace", "uid", "resourceVersion", "deletionTimestamp")


class CredentialSecret(KubernetesObject):
    """A Secret; its repr shows nothing of what it holds."""

    data: dict[str, str] = Field(default_factory=dict, repr=False)
    """Values in base64."""


def trim_secret(document: JsonObject) -> None:
    """Drop whatever of a Secret nobody reads, in place, before it is cached."""
    data, metadata = document.get("data"), document.get("metadata")
    document["data"] = {key: data[key] for key in _READ_KEYS if key in data} if isinstance(data, dict) else {}
    if isinstance(metadata, dict):
        document["metadata"] = {key: metadata[key] for key in _KEPT_METADATA if key in metadata}
    for field in set(document) - {"apiVersion", "kind", "metadata", "data"}:
        del document[field]


def static_keys(secret: CredentialSecret) -> StaticKeys:
    """Read an access key, white space at its ends left out; raises AwsError where there is none."""
    found = {key: _text(secret, key) for key in _READ_KEYS}
    missing = [key for key in (ACCESS_KEY_ID, SECRET_ACCESS_KEY) if not found[key]]
    if missing:
        raise AwsError(
            AwsFailure.CREDENTIALS_UNAVAILABLE, f"the Secret {secret.metadata.name} has no {' and no '.join(missing)}"
        )
    return StaticKeys(found[ACCESS_KEY_ID], found[SECRET_ACCESS_KEY], found[SESSION_TOKEN])


def _text(secret: CredentialSecret, key: str) -> str:
    try:
        text = base64.b64decode(secret.data.get(key, ""), validate=True).decode("ascii").strip()
    except (binascii.Error, UnicodeDecodeError):
        text = "\n"
    if text.isprintable():
        return text
    raise AwsError(
        AwsFailure.CREDENTIALS_UNAVAILABLE, f"{key} of the Secret {secret.metadata.name} is no printable ASCII text"
    )


class Secrets(Protocol):
    """What is known of Secrets."""

    def readable(self, namespace: str) -> bool:
        """Whether Secrets of this namespace may be read at all."""
        ...

    def complete(self, namespace: str) -> bool:
        """Whether all Secrets of this namespace have been seen."""
        ...

    def get(self, key: ObjectKey) -> CredentialSecret | None:
        """Return a Secret, None where there is none or it may not be read."""
        ...


@dataclass(frozen=True, slots=True)
class CachedSecrets:
    """The caches of Secrets, one a namespace that the settings name."""

    informers: Mapping[str, Informer[CredentialSecret]]

    def readable(self, namespace: str) -> bool:
        """Whether the settings name this namespace."""
        return namespace in self.informers

    def complete(self, namespace: str) -> bool:
        """Whether the first complete list of this namespace is in its cache."""
        informer = self.informers.get(namespace)
        return informer is not None and informer.synced.is_set()

    def get(self, key: ObjectKey) -> CredentialSecret | None:
        """Return a cached Secret."""
        informer = self.informers.get(key.namespace)
        return informer.store.get(key) if informer is not None else None
