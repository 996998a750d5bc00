"""Where the API server is and how to prove who we are.

kubernetes_asyncio reads kubeconfig files and the in-cluster environment and keeps tokens fresh; requests are made by
our own transport.
"""

import asyncio
import os
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from libdnsapi.runtime import kubeconfig as library
from libdnsapi.runtime.errors import DnsapiError
from libdnsapi.runtime.kubeconfig import Configuration
from libdnsapi.runtime.transport import Endpoint

_HARMLESS = {"Invalid kube-config file. ": "", "File does not exists: ": "there is no file "}
"""How the library's errors begin that name a key, context or file alone, and what we say; others may quote a plugin."""


class ConnectionSettingsError(DnsapiError):
    """No usable kubeconfig, and not inside a cluster."""


@dataclass(frozen=True, slots=True)
class _Source:
    kubeconfig: str
    context: str


class Connection:
    """An API server's endpoint with credentials that are renewed as they age."""

    def __init__(self, configuration: Configuration, source: _Source | None) -> None:
        """Take a loaded configuration and, where it came from a file, that file to read it again."""
        self._configuration = configuration
        self._source = source
        self._reading = asyncio.Lock()
        url = configuration.host.rstrip("/")
        where = f"kubeconfig {source.kubeconfig}" if source is not None else "the service account"
        self.endpoint = Endpoint(
            url=url,
            tls=_tls(configuration, url, where),
            server_name=configuration.tls_server_name,
            proxy=configuration.proxy or _proxy(url),
        )

    async def authorization(self) -> str:
        """Return the Authorization header, "" where a client certificate says it all."""
        settings = await self._configuration.auth_settings()
        return str(settings.get("BearerToken", {}).get("value") or "").strip()

    async def renew(self) -> None:
        """Read the kubeconfig again, exec plugins included: the server no longer accepts what we have."""
        if self._source is None:
            return
        async with self._reading:
            self._configuration = await _from_file(self._source)


async def connect(kubeconfig: str = "", context: str = "") -> Connection:
    """Load a kubeconfig file or, with an empty path, the in-cluster configuration.

    Raises ConnectionSettingsError; its message names the file and never its content.
    """
    if kubeconfig:
        source = _Source(kubeconfig, context)
        return Connection(await _from_file(source), source)
    loader = library.load()
    configuration = loader.configuration()
    try:
        loader.load_incluster_config(client_configuration=configuration)
    except (loader.error, OSError):
        raise ConnectionSettingsError(
            "no kubeconfig given, and no service account of a cluster found: set --kubeconfig or KUBECONFIG"
        ) from None
    return Connection(configuration, None)


async def _from_file(source: _Source) -> Configuration:
    if not _exists(source.kubeconfig):
        raise ConnectionSettingsError(f"kubeconfig {source.kubeconfig} does not exist")
    loader = library.load()
    configuration = loader.configuration()
    try:
        await loader.load_kube_config(
            config_file=source.kubeconfig,
            context=source.context or None,
            client_configuration=configuration,
            persist_config=False,
        )
    except Exception as error:  # plugins and parsers raise anything, and quote what they read
        raise ConnectionSettingsError(f"kubeconfig {source.kubeconfig} cannot be used: {_why(error)}") from None
    return configuration


def _exists(kubeconfig: str) -> bool:
    """Say whether one of the files, joined by colons as in KUBECONFIG, exists."""
    return any(Path(file).expanduser().is_file() for file in kubeconfig.split(os.pathsep) if file)


def _why(error: Exception) -> str:
    """Say what is wrong with a kubeconfig: the library's words where they name no more than parts of the file."""
    text = str(error)
    told = (ours + text.removeprefix(theirs) for theirs, ours in _HARMLESS.items() if text.startswith(theirs))
    return next(told, type(error).__name__)


def _tls(configuration: Configuration, url: str, where: str) -> ssl.SSLContext | None:
    if not url.startswith("https"):
        return None
    try:
        context = ssl.create_default_context(cafile=configuration.ssl_ca_cert)
    except OSError as error:
        raise _unusable("certificate authority", where, error) from None
    try:
        if configuration.cert_file:
            context.load_cert_chain(configuration.cert_file, keyfile=configuration.key_file)
    except OSError as error:
        raise _unusable("client certificate with its key", where, error) from None
    if configuration.disable_strict_ssl_verification:
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not configuration.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _unusable(part: str, where: str, error: OSError) -> ConnectionSettingsError:
    """Say which certificate cannot be read; OpenSSL's reason is a word of its own, such as KEY_VALUES_MISMATCH."""
    why = error.reason if isinstance(error, ssl.SSLError) else error.strerror
    return ConnectionSettingsError(f"the {part} of {where} cannot be used: {why or type(error).__name__}")


def _proxy(address: str) -> str | None:
    """Resolve HTTPS_PROXY and NO_PROXY once; doing it on every request triples the CPU of a request."""
    url = urlsplit(address)
    if proxy_bypass(url.hostname or ""):
        return None
    return getproxies().get(url.scheme)
