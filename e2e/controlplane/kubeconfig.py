"""Write and read kubeconfig files of the two kinds that the local stack uses: client certificate, and token."""

import base64
from pathlib import Path

import yaml

from e2e.controlplane.authority import KeyPair


def write_certificate_kubeconfig(path: Path, server: str, authority: Path, client: KeyPair) -> Path:
    """Write a kubeconfig whose user is a client certificate; everything is embedded. Returns `path`."""
    user = {
        "client-certificate-data": _encoded(client.certificate.read_bytes()),
        "client-key-data": _encoded(client.key.read_bytes()),
    }
    return _write(path, server, authority, user)


def write_token_kubeconfig(path: Path, server: str, authority: Path, token: str) -> Path:
    """Write a kubeconfig whose user is a bearer token. Returns `path`."""
    return _write(path, server, authority, {"token": token})


def _write(path: Path, server: str, authority: Path, user: dict[str, str]) -> Path:
    cluster = {"server": server, "certificate-authority-data": _encoded(authority.read_bytes())}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "local", "cluster": cluster}],
        "users": [{"name": "local", "user": user}],
        "contexts": [{"name": "local", "context": {"cluster": "local", "user": "local"}}],
        "current-context": "local",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
