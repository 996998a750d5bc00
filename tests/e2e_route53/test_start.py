"""Starting the process: the port file, a taken port."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.route53.launch import LaunchError, emulator


def test_the_port_file_appears_whole_once_both_ports_serve(tmp_path: Path) -> None:
    with emulator(tmp_path, account_id="333333333333") as remote:
        addresses = json.loads((tmp_path / "route53.json").read_text())
        assert addresses == {"http": remote.http, "dns": remote.dns}
        assert remote.zones() == []
        assert list(tmp_path.glob(".*")) == []


def test_a_taken_port_is_a_clear_error(tmp_path: Path) -> None:
    with emulator(tmp_path) as remote:
        port = remote.http.rpartition(":")[2]
        taken = tmp_path / "second"
        taken.mkdir()
        with pytest.raises(LaunchError, match="cannot listen"), emulator(taken, port=int(port)):
            pass


def test_the_command_explains_itself() -> None:
    shown = subprocess.run([sys.executable, "-m", "e2e.route53", "--help"], check=True, capture_output=True, text=True)
    assert "--dns-port" in shown.stdout
