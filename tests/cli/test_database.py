"""``dialoom database compact`` as an operator uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.test_run import dialoom
from tests.live import Service, echo_bot

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_compacted_while_its_service_is_stopped_or_in_a_quiet_hour(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot")], tmp_path / "data")
    words = ("database", "compact", "--data", str(service.data))
    try:
        refused = dialoom(*words)
        assert refused.returncode == 1
        assert "A service is running on" in refused.stderr
        told = dialoom(*words, "--anyway")
        assert (told.returncode, told.stderr) == (0, "")
        assert service.say("echo", "ada", "hello").status == 200
    finally:
        service.stop()
    done = dialoom(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Done: " in done.stdout
    assert dialoom("database", "compact", "--data", str(tmp_path / "none")).returncode == 2
