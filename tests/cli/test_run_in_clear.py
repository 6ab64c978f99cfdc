"""A service to which people come without TLS says so when it starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.live import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("base", "is_told"),
    [("http://bots.example.org", True), ("https://bots.example.org", False), ("http://127.0.0.1:8080", False)],
)
def test_a_start_warns_of_a_base_address_without_tls(tmp_path: Path, base: str, is_told: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])  # so that it ends by itself
        bot = str(ROOT / "examples" / "blank")
        done = subprocess.run(
            [sys.executable, "-m", "dialoom.cli", "run", bot, "--port", port, "--data", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=os.environ | {"DIALOOM_BASE_URL": base},
        )
    assert done.returncode == 2
    assert ("base_url is http" in done.stderr) is is_told
    assert ("proxy with TLS" in done.stderr) is is_told
