"""Kubeconfig files and pods' service accounts become an endpoint and credentials, without the generated models."""

import ssl
import subprocess
import sys
from pathlib import Path

import pytest
import trustme
import yaml

from libdnsapi.runtime.connection import ConnectionSettingsError, connect
from libdnsapi.runtime.launch import launch
from libdnsapi.runtime.settings import RuntimeSettings


def kubeconfig(path: Path, user: dict[str, object], **cluster: object) -> str:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "one",
        "contexts": [{"name": "one", "context": {"cluster": "one", "user": "one"}}],
        "clusters": [{"name": "one", "cluster": {"server": "https://127.0.0.1:6443/", **cluster}}],
        "users": [{"name": "one", "user": user}],
    }
    file = path / "kubeconfig"
    file.write_text(yaml.safe_dump(document))
    return str(file)


async def test_a_token_becomes_a_header(tmp_path: Path) -> None:
    connection = await connect(kubeconfig(tmp_path, {"token": "abc"}, **{"tls-server-name": "kubernetes"}))
    assert await connection.authorization() == "Bearer abc"
    assert connection.endpoint.url == "https://127.0.0.1:6443"
    assert connection.endpoint.server_name == "kubernetes"
    assert connection.endpoint.tls is not None
    assert connection.endpoint.tls.verify_mode is ssl.CERT_REQUIRED


async def test_a_client_certificate_needs_no_header(tmp_path: Path) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("client")
    for name, blob in (
        ("cert", issued.cert_chain_pems[0]),
        ("key", issued.private_key_pem),
        ("ca", authority.cert_pem),
    ):
        blob.write_to_path(tmp_path / name)
    user: dict[str, object] = {"client-certificate": str(tmp_path / "cert"), "client-key": str(tmp_path / "key")}
    connection = await connect(kubeconfig(tmp_path, user, **{"certificate-authority": str(tmp_path / "ca")}))
    assert await connection.authorization() == ""
    assert connection.endpoint.tls is not None
    assert len(connection.endpoint.tls.get_ca_certs()) == 1


async def test_a_changed_token_file_is_read_when_the_old_token_is_refused(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("first")
    connection = await connect(kubeconfig(tmp_path, {"tokenFile": str(token)}))
    assert await connection.authorization() == "Bearer first"
    token.write_text("second")
    await connection.renew()
    assert await connection.authorization() == "Bearer second"


async def test_an_exec_plugin_gives_the_token(tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    plugin.write_text(
        "#!/bin/sh\n"
        'echo \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"made"}}\'\n'
    )
    plugin.chmod(0o755)
    command = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(plugin), "interactiveMode": "Never"}
    connection = await connect(kubeconfig(tmp_path, {"exec": command}))
    assert await connection.authorization() == "Bearer made"


async def test_an_unusable_kubeconfig_is_named_and_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(ConnectionSettingsError, match="does not exist"):
        await connect(str(tmp_path / "absent"))
    broken = tmp_path / "broken"
    broken.write_text("users: [{token: hunter2")
    with pytest.raises(ConnectionSettingsError, match="cannot be used") as raised:
        await connect(str(broken))
    assert "hunter2" not in str(raised.value)


async def test_outside_of_clusters_the_options_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with pytest.raises(ConnectionSettingsError, match="--kubeconfig"):
        await connect("")


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        ({"https_proxy": "http://proxy.invalid:3128"}, "http://proxy.invalid:3128"),
        ({"https_proxy": "http://proxy.invalid:3128", "no_proxy": "127.0.0.1"}, None),
        ({}, None),
    ],
)
async def test_proxies_are_resolved_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], proxy: str | None
) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    connection = await connect(kubeconfig(tmp_path, {"token": "abc"}))
    assert connection.endpoint.proxy == proxy


def test_the_generated_models_stay_out() -> None:
    program = (
        "import sys, libdnsapi.runtime.kubeconfig as library; library.load(); library.load();"
        "assert not [name for name in sys.modules if 'kubernetes_asyncio.client.models' in name];"
        "import kubernetes_asyncio; kubernetes_asyncio.client.V1Pod"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)  # noqa: S603 — our own program


def test_a_process_that_cannot_start_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("libdnsapi.runtime.launch.ease_collection", lambda: None)
    monkeypatch.setattr("libdnsapi.runtime.launch.configure", lambda *_: None)
    settings = RuntimeSettings.model_validate({"kubeconfig": str(tmp_path / "absent")})
    assert launch("core", settings, lambda _: None) == 1
    assert "does not exist" in capsys.readouterr().out


async def test_a_context_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConnectionSettingsError, match=r"object with name other in .*/contexts list"):
        await connect(kubeconfig(tmp_path, {"token": "abc"}), "other")


@pytest.mark.parametrize(
    ("user", "cluster", "told"),
    [
        ({"token": "abc"}, {"certificate-authority": "missing.pem"}, "there is no file"),
        ({"token": "abc"}, {"certificate-authority": "kubeconfig"}, "the certificate authority of kubeconfig"),
        (
            {"client-certificate": "kubeconfig", "client-key": "kubeconfig"},
            {},
            "the client certificate with its key of kubeconfig",
        ),
    ],
)
async def test_a_certificate_that_cannot_be_read_is_named(
    tmp_path: Path, user: dict[str, object], cluster: dict[str, object], told: str
) -> None:
    with pytest.raises(ConnectionSettingsError, match="cannot be used") as raised:
        await connect(kubeconfig(tmp_path, user, **cluster))
    assert told.replace(" kubeconfig", f" kubeconfig {tmp_path}/kubeconfig") in str(raised.value)
