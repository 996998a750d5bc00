"""A plain synchronous Kubernetes client on JSON documents, for the local stack and the end-to-end suite.

It shares no code with the services, so a fault in their client cannot hide behind it. One object a thread.
"""

import base64
import http.client
import json
import ssl
import tempfile
import time
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import yaml

Document = dict[str, Any]

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
_TIMEOUT_SECONDS = 60
_ATTEMPTS = 10


class KubeError(RuntimeError):
    """The API server refused: `status` is the HTTP status, `reason` and `message` are those of the Status object."""

    def __init__(self, status: int, reason: str, message: str, details: Document) -> None:
        """Keep the parts of a Status object."""
        super().__init__(f"{status} {reason}: {message}")
        self.status = status
        self.reason = reason
        self.message = message
        self.details = details


class _Answer(NamedTuple):
    """Status and content of an answer; `again_in` are the seconds after which the server wants to be asked again."""

    status: int
    content: bytes
    again_in: float | None


class Kube:
    """Requests with the credentials of one kubeconfig file (client certificate or token)."""

    def __init__(self, kubeconfig: Path, *, timeout: float = _TIMEOUT_SECONDS) -> None:
        """Read the current context of `kubeconfig`; an answer may take `timeout` seconds."""
        self.kubeconfig = kubeconfig
        self._timeout = timeout
        cluster, user = _current(yaml.safe_load(kubeconfig.read_text()))
        address = urlsplit(str(cluster["server"]))
        self._host, self._port = address.hostname or "", address.port or 443
        self._ssl = _ssl_context(cluster, user)
        self._token = str(user.get("token", ""))
        self._plurals: dict[str, dict[str, tuple[str, bool]]] = {}
        self._connection: http.client.HTTPSConnection | None = None

    def request(
        self, method: str, path: str, body: object = None, *, content_type: str = "application/json"
    ) -> Document:
        """Send one request and return the JSON answer.

        Where the server names a time after which to ask again, that is done, as kubectl does: a kind that is new has
        no cache yet, a server that starts is not whole. Raises KubeError for a status of 400 and more, OSError where
        nothing answers.
        """
        headers = {"Accept": "application/json", "Content-Type": content_type}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        content = None if body is None else json.dumps(body).encode()
        return _decode(_checked(self._patiently(method, path, content, headers)))

    def text(self, path: str) -> str:
        """GET a path that answers plain text, such as /metrics."""
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return _checked(self._patiently("GET", path, None, headers)).decode()

    def _patiently(self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]) -> _Answer:
        for _ in range(_ATTEMPTS - 1):
            answer = self._exchange(method, path, content, headers)
            if answer.again_in is None:
                return answer
            time.sleep(answer.again_in)
        return self._exchange(method, path, content, headers)

    def _exchange(self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]) -> _Answer:
        reused = self._connection is not None
        connection = self._connection or http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout, context=self._ssl
        )
        self._connection = None
        try:
            connection.request(method, path, body=content, headers=dict(headers))
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            if reused:  # the server closed an idle connection
                return self._exchange(method, path, content, headers)
            if isinstance(error, OSError):
                raise
            raise ConnectionError(f"an answer that is no HTTP: {error!r}") from error
        self._connection = connection
        return _Answer(response.status, answer, _again_in(response.status, response.getheader("Retry-After")))

    def close(self) -> None:
        """Close the kept connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def path(self, api_version: str, kind: str, namespace: str = "", name: str = "") -> str:
        """Return the URL path of a kind (asked of discovery), of its objects in a namespace, or of one object."""
        plural, namespaced = self._resource(api_version, kind)
        root = _root(api_version)
        scope = f"/namespaces/{namespace}" if namespaced and namespace else ""
        return f"{root}{scope}/{plural}" + (f"/{name}" if name else "")

    def _resource(self, api_version: str, kind: str) -> tuple[str, bool]:
        known = self._plurals.get(api_version, {})
        if kind not in known:
            listed = self.request("GET", _root(api_version))["resources"]
            known = {one["kind"]: (one["name"], bool(one["namespaced"])) for one in listed if "/" not in one["name"]}
            self._plurals[api_version] = known
        if kind not in known:
            raise KubeError(404, "NotFound", f"the server knows no {kind} in {api_version}", {})
        return known[kind]

    def apply(self, document: Document, *, manager: str = "e2e", dry_run: bool = False) -> Document:
        """Server-side apply one document, as `kubectl apply --server-side --force-conflicts` does."""
        query = {"fieldManager": manager, "force": "true"} | ({"dryRun": "All"} if dry_run else {})
        return self.request("PATCH", f"{self._path_of(document)}?{urlencode(query)}", document, content_type=APPLY)

    def apply_all(self, documents: Iterable[Document], *, manager: str = "e2e") -> list[Document]:
        """Apply documents in their order."""
        return [self.apply(document, manager=manager) for document in documents]

    def create(self, document: Document) -> Document:
        """POST a document."""
        return self.request("POST", self._path_of(document, named=False), document)

    def replace(self, document: Document) -> Document:
        """PUT a document; its resourceVersion must be the stored one."""
        return self.request("PUT", self._path_of(document), document)

    def get(self, api_version: str, kind: str, namespace: str, name: str) -> Document:
        """GET one object."""
        return self.request("GET", self.path(api_version, kind, namespace, name))

    def find(self, api_version: str, kind: str, namespace: str, name: str) -> Document | None:
        """GET one object, None if it is not there."""
        try:
            return self.get(api_version, kind, namespace, name)
        except KubeError as error:
            if error.status == 404:
                return None
            raise

    def list(self, api_version: str, kind: str, namespace: str = "") -> list[Document]:
        """List all objects of a kind, in one namespace or in all."""
        items: list[Document] = self.request("GET", self.path(api_version, kind, namespace))["items"]
        return items

    def merge_patch(self, api_version: str, kind: str, namespace: str, name: str, patch: Document) -> Document:
        """Merge-patch one object."""
        path = self.path(api_version, kind, namespace, name)
        return self.request("PATCH", path, patch, content_type=MERGE)

    def delete(self, api_version: str, kind: str, namespace: str, name: str) -> None:
        """Start the deletion of one object; it is no error if it is not there."""
        try:
            self.request("DELETE", self.path(api_version, kind, namespace, name))
        except KubeError as error:
            if error.status != 404:
                raise

    def ready(self) -> bool:
        """Whether the API server answers on /readyz."""
        try:
            self.request("GET", "/readyz")
        except (KubeError, OSError):
            return False
        return True

    @cached_property
    def server(self) -> str:
        """Host and port of the API server."""
        return f"{self._host}:{self._port}"

    def _path_of(self, document: Document, *, named: bool = True) -> str:
        metadata = document["metadata"]
        name = metadata["name"] if named else ""
        return self.path(document["apiVersion"], document["kind"], metadata.get("namespace", ""), name)


def load_documents(text: str) -> list[Document]:
    """Return the documents of a YAML stream, empty ones left out."""
    return [document for document in yaml.safe_load_all(text) if document]


def _checked(answer: _Answer) -> bytes:
    if answer.status < 400:
        return answer.content
    document = _decode(answer.content)
    reason, message = str(document.get("reason", "")), str(document.get("message", ""))
    raise KubeError(answer.status, reason, message, document.get("details") or {})


def _again_in(status: int, retry_after: str | None) -> float | None:
    """Return the seconds to wait before the same request; None where it is of no use to ask again."""
    refused_for_now = status == http.HTTPStatus.TOO_MANY_REQUESTS or status >= http.HTTPStatus.INTERNAL_SERVER_ERROR
    return float(retry_after) if refused_for_now and retry_after and retry_after.isdigit() else None


def _root(api_version: str) -> str:
    return f"/api/{api_version}" if "/" not in api_version else f"/apis/{api_version}"


def _decode(answer: bytes) -> Document:
    try:
        document = json.loads(answer)
    except ValueError:
        return {"message": answer[:500].decode(errors="replace")}
    return document if isinstance(document, dict) else {"message": str(document)}


def _current(config: Document) -> tuple[Document, Document]:
    context = _named(config["contexts"], config["current-context"])["context"]
    cluster = _named(config["clusters"], context["cluster"])["cluster"]
    return cluster, _named(config["users"], context["user"])["user"]


def _named(entries: list[Document], name: str) -> Document:
    return next(entry for entry in entries if entry["name"] == name)


def _ssl_context(cluster: Document, user: Document) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if authority := _content(cluster, "certificate-authority"):
        context = ssl.create_default_context(cadata=authority.decode())
    certificate, key = _content(user, "client-certificate"), _content(user, "client-key")
    if certificate and key:
        with tempfile.NamedTemporaryFile() as file:  # the ssl module takes client certificates from files only
            file.write(certificate + b"\n" + key)
            file.flush()
            context.load_cert_chain(file.name)
    return context


def _content(section: Document, field: str) -> bytes:
    if embedded := section.get(f"{field}-data"):
        return base64.b64decode(embedded)
    return Path(section[field]).read_bytes() if section.get(field) else b""
