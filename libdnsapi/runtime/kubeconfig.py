"""The parts of kubernetes_asyncio that read kubeconfig files and pods' service accounts, without the rest of it.

Importing that library the usual way loads its 1,200 generated models: 63 MiB and most of a second in each process, for
nothing that we use. So its `config` package is imported below two empty shells that stand for the packages around it;
the shells are removed at once, and whoever imports the library later gets all of it. `load()` is the only door.
"""

import importlib
import importlib.util
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

LIBRARY = "kubernetes_asyncio"
CLIENT = "kubernetes_asyncio.client"


class Configuration(Protocol):
    """What we read of the library's Configuration."""

    host: str
    ssl_ca_cert: str | None
    cert_file: str | None
    key_file: str | None
    verify_ssl: bool
    disable_strict_ssl_verification: bool
    tls_server_name: str | None
    proxy: str | None

    async def auth_settings(self) -> dict[str, dict[str, str | None]]:
        """Return the headers that prove who we are, renewing tokens read from files."""
        ...


@dataclass(frozen=True, slots=True)
class Library:
    """The library's entry points."""

    configuration: Callable[[], Configuration]
    load_kube_config: Callable[..., Awaitable[object]]
    load_incluster_config: Callable[..., None]
    error: type[Exception]


def load() -> Library:
    """Import what is needed, and no more where the library's layout is the known one."""
    with _shells():
        configuration = importlib.import_module(f"{CLIENT}.configuration").Configuration
        _fill_shell(configuration)
        config = importlib.import_module(f"{LIBRARY}.config")
    return Library(configuration, config.load_kube_config, config.load_incluster_config, config.ConfigException)


@contextmanager
def _shells() -> Iterator[None]:
    """Stand in for the two packages whose own code would import everything, unless they are imported already."""
    spec = importlib.util.find_spec(LIBRARY)
    if LIBRARY in sys.modules or spec is None or spec.submodule_search_locations is None:
        yield
        return
    for name, locations in _locations(list(spec.submodule_search_locations)).items():
        shell = ModuleType(name)
        shell.__path__ = locations
        sys.modules[name] = shell
    try:
        yield
    finally:
        for name in (LIBRARY, CLIENT):
            sys.modules.pop(name, None)


def _locations(roots: list[str]) -> dict[str, list[str]]:
    return {LIBRARY: roots, CLIENT: [f"{root}/client" for root in roots]}


def _fill_shell(configuration: object) -> None:
    """Give the client's shell the two names that the library's `config` imports from it."""
    client = sys.modules[CLIENT]
    if not hasattr(client, "ApiClient"):
        client.__dict__.update(Configuration=configuration, ApiClient=object)
