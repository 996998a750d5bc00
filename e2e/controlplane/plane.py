"""Start, find again and end one control plane under one directory."""

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from e2e.controlplane import commands
from e2e.controlplane.authority import LOCAL_HOSTS, Authority, write_signing_key
from e2e.controlplane.binaries import Binaries
from e2e.controlplane.kubeconfig import write_certificate_kubeconfig, write_token_kubeconfig
from e2e.kube import Kube
from e2e.toolchain import daemons
from e2e.toolchain.ports import free_ports

READY_SECONDS = 180.0
TOKEN_SECONDS = 7 * 24 * 3600
_ATTEMPTS = 3
_ORDER = ("kube-controller-manager", "kube-apiserver", "etcd")  # who depends on the next one ends first


class ControlPlaneError(RuntimeError):
    """The control plane did not start; the message holds the end of the log of the program that failed."""


@dataclass(frozen=True)
class ControlPlane:
    """A running control plane; `server` is its https URL on the loopback address."""

    directory: Path
    server: str

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig (group system:masters)."""
        return self.directory / "admin.kubeconfig"

    @property
    def authority(self) -> Path:
        """The PEM certificate that signed the API server's certificate."""
        return self.directory / "pki" / "ca.crt"

    @classmethod
    def start(
        cls, directory: Path, binaries: Binaries, *, audit: bool = False, watch_cache: bool = True
    ) -> "ControlPlane":
        """Start a fresh control plane in `directory` (what an earlier one left there is removed).

        Takes about five seconds. With `audit`, each request's metadata goes to `audit.log`.
        Without `watch_cache` definitions are deleted at once: the cleaning up after a kind lists through its cache,
        which begins anew with each note about the failure. Raises ControlPlaneError.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return cls._start_once(directory, binaries, audit=audit, watch_cache=watch_cache)
            except ControlPlaneError as error:
                if attempt == _ATTEMPTS or "address already in use" not in str(error):
                    raise
        raise AssertionError("unreachable")

    @classmethod
    def find(cls, directory: Path) -> "ControlPlane | None":
        """Return the control plane of `directory` if all of its programs run and it answers."""
        if not all(daemons.running(name, directory) for name in _ORDER):
            return None
        try:
            server = str(json.loads((directory / "controlplane.json").read_text())["server"])
        except (OSError, ValueError, KeyError):
            return None
        plane = cls(directory, server)
        kube = Kube(plane.kubeconfig)
        try:
            return plane if kube.ready() else None
        finally:
            kube.close()

    @classmethod
    def stop_in(cls, directory: Path) -> bool:
        """End what was started in `directory`, by pid and start time; True if something ran."""
        stopped = [daemons.stop_recorded(name, directory) for name in _ORDER]
        return any(stopped)

    def stop(self) -> None:
        """End the three programs."""
        self.stop_in(self.directory)

    def token_for(self, namespace: str, service_account: str) -> str:
        """Return a token of a service account, good for a week (TokenRequest API)."""
        kube = Kube(self.kubeconfig)
        try:
            return request_token(kube, namespace, service_account)
        finally:
            kube.close()

    def kubeconfig_for(self, namespace: str, service_account: str, path: Path) -> Path:
        """Write a kubeconfig with a token of a service account; returns `path`."""
        token = self.token_for(namespace, service_account)
        return write_token_kubeconfig(path, self.server, self.authority, token)

    @classmethod
    def _start_once(cls, directory: Path, binaries: Binaries, *, audit: bool, watch_cache: bool) -> "ControlPlane":
        cls.stop_in(directory)
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True, mode=0o700)
        ports = commands.Ports(*free_ports(3))
        plane = cls(directory, f"https://127.0.0.1:{ports.apiserver}")
        plane._write_credentials()
        try:
            plane._run("etcd", commands.etcd(binaries, directory, ports))
            plane._run(
                "kube-apiserver", commands.apiserver(binaries, directory, ports, audit=audit, watch_cache=watch_cache)
            )
            plane._await_ready()
            plane._run("kube-controller-manager", commands.controller_manager(binaries, directory))
        except BaseException:
            cls.stop_in(directory)
            raise
        (directory / "controlplane.json").write_text(json.dumps({"server": plane.server}))
        return plane

    def _write_credentials(self) -> None:
        pki = self.directory / "pki"
        authority = Authority(pki, "dnsapi local control plane")
        write_signing_key(pki)
        names = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")
        authority.issue("server", "kube-apiserver", hosts=(*LOCAL_HOSTS, *names))
        authority.issue("etcd", "etcd", hosts=LOCAL_HOSTS)
        admin = authority.issue("admin", "admin", groups=("system:masters",))
        manager = authority.issue("controller-manager", "system:kube-controller-manager")
        ca = authority.pair.certificate
        write_certificate_kubeconfig(self.kubeconfig, self.server, ca, admin)
        write_certificate_kubeconfig(self.directory / "controller-manager.kubeconfig", self.server, ca, manager)
        (self.directory / "audit-policy.yaml").write_text(commands.AUDIT_POLICY)

    def _run(self, name: str, command: list[str]) -> None:
        daemons.start(name, command, self.directory, log=self.directory / "logs" / f"{name}.log")

    def _await_ready(self) -> None:
        kube = Kube(self.kubeconfig)
        deadline = time.monotonic() + READY_SECONDS
        try:
            while not kube.ready():
                self._raise_if_ended(("etcd", "kube-apiserver"))
                if time.monotonic() > deadline:
                    raise ControlPlaneError(f"not ready after {READY_SECONDS:g} s: {self._tail('kube-apiserver')}")
                time.sleep(0.05)
        finally:
            kube.close()

    def _raise_if_ended(self, names: tuple[str, ...]) -> None:
        for name in names:
            if not daemons.running(name, self.directory):
                raise ControlPlaneError(f"{name} ended at once: {self._tail(name)}")

    def _tail(self, name: str) -> str:
        log = self.directory / "logs" / f"{name}.log"
        lines = log.read_text(errors="replace").splitlines()[-15:] if log.exists() else []
        return "\n".join([str(log), *lines])


def request_token(kube: Kube, namespace: str, service_account: str, *, seconds: int = TOKEN_SECONDS) -> str:
    """Return a token of a service account from the TokenRequest API of any cluster."""
    path = f"/api/v1/namespaces/{quote(namespace)}/serviceaccounts/{quote(service_account)}/token"
    body = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": seconds},
    }
    return str(kube.request("POST", path, body)["status"]["token"])
