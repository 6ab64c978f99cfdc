"""``dialoom doctor`` as an operator runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.cli.test_versions import bot
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHECKS = [
    "base address",
    "bots",
    "clock",
    "data folder",
    "database",
    "disk",
    "inbox",
    "keys",
    "outbox",
    "pages",
    "settings",
    "tables",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    place = tmp_path_factory.mktemp("doctor")
    service = Service([bot(place / "bot", "Hello")], place / "data")
    yield service
    service.stop()


def test_a_running_service_is_well_and_no_secret_is_shown(service: Service) -> None:
    done = dialoom("doctor", str(service.folders[0]), "--data", str(service.data))
    assert done.returncode == 0, done.stdout
    assert sorted({line[9:].partition(":")[0] for line in done.stdout.splitlines()[:-1]}) == CHECKS
    assert done.stdout.splitlines()[-1].endswith(" 0 warn, 0 fail")
    assert not any(token in done.stdout for token in service.tokens.values())


def test_programs_get_the_lines_as_json(service: Service) -> None:
    found = json.loads(dialoom("doctor", "--data", str(service.data), "--format", "json").stdout)
    assert (found["warn"], found["fail"], found["by-hand"]) == (0, 0, 0)
    assert found["ok"] == len(found["lines"])
    assert set(found["lines"][0]) == {"level", "check", "text"}


def test_a_stopped_service_s_files_are_left_as_they_are(tmp_path: Path) -> None:
    Service([bot(tmp_path / "bot", "Hello")], tmp_path / "data").stop()
    before = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in (tmp_path / "data").glob("*.*")}
    assert dialoom("doctor", "--data", str(tmp_path / "data")).returncode == 0
    assert {
        file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in (tmp_path / "data").glob("*.*")
    } == before


def test_where_nothing_is_nothing_is_made(tmp_path: Path) -> None:
    assert dialoom("doctor", "--data", str(tmp_path / "data")).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_what_fails_is_said_and_the_rest_is_looked_at_all_the_same(tmp_path: Path) -> None:
    url = "postgresql://ada:hidden@127.0.0.1:1/echo"
    wrong = bot(tmp_path / "wrong", "x")
    (wrong / "flow.json").write_text("{")
    done = dialoom("doctor", str(wrong), "--data", str(tmp_path / "data"), DIALOOM_DATABASE_URL=url)
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("fail")]
    assert [line[9:].partition(":")[0] for line in failed] == ["database", "bots"]
    assert "hidden" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_a_line_too(tmp_path: Path) -> None:
    done = dialoom("doctor", "--data", str(tmp_path), DIALOOM_PORT="many")
    assert done.returncode == 1
    assert done.stdout.startswith("fail     settings: port")


def test_other_keys_and_a_damaged_database_fail(service: Service, tmp_path: Path) -> None:
    keys = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    done = dialoom("doctor", "--data", str(service.data), DIALOOM_KEYS=keys)
    assert done.returncode == 1
    assert "fail     keys: What is stored was sealed with others." in done.stdout
    (tmp_path / "dialoom.sqlite").write_bytes(b"no database at all" * 100)
    (tmp_path / "dialoom.sqlite").chmod(0o600)
    done = dialoom("doctor", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "Restore it from a backup" in done.stdout
