"""What the doctor says of settings, data folder and keys. It makes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.auth.keys import KEY_FILE, NewKey
from dialoom.errors import SettingError
from dialoom.service.doctor.finding import Finding
from dialoom.service.doctor.settings_and_keys import folder_lines, settings_lines, vault_of
from dialoom.service.service import DATABASE
from dialoom.service.settings import Settings

KEY = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
URL = "postgresql://ada:hidden@127.0.0.1/echo"
ROOM = 10 * 1024**3


def levels(lines: list[Finding]) -> list[str]:
    return [line.level for line in lines]


def look(data: Path, free: int = ROOM) -> list[Finding]:
    return folder_lines(Settings(data=str(data)), lambda _: free)


def test_a_folder_that_the_service_will_make_is_fine_and_is_not_made(tmp_path: Path) -> None:
    assert levels(look(tmp_path / "a" / "b")) == ["ok"]
    assert not (tmp_path / "a").exists()


def test_a_file_in_the_folder_s_place_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (line,) = look(tmp_path / "file")
    assert line.level == "fail"
    assert "Give it to the service's user" in line.text


def test_a_key_file_that_others_can_read_fails_and_says_how_to_close_it(tmp_path: Path) -> None:
    NewKey(tmp_path).save()
    (tmp_path / DATABASE).touch(0o600)
    assert levels(look(tmp_path)) == ["ok", "ok"]
    (tmp_path / KEY_FILE).chmod(0o644)
    (tmp_path / DATABASE).chmod(0o640)
    lines = look(tmp_path)
    assert levels(lines) == ["warn", "fail", "ok"]
    assert f"chmod 600 {tmp_path / KEY_FILE}" in lines[1].text
    (tmp_path / KEY_FILE).chmod(0o640)
    assert levels(look(tmp_path)) == ["warn", "warn", "ok"]


@pytest.mark.parametrize(("free", "level"), [(ROOM, "ok"), (1024**3, "warn"), (50 * 1024**2, "fail")])
def test_a_full_disk_is_foreseen(tmp_path: Path, free: int, level: str) -> None:
    assert look(tmp_path, free)[-1].level == level


def test_keys_are_not_made(tmp_path: Path) -> None:
    vault, lines = vault_of(Settings(data=str(tmp_path)))
    assert vault is None
    assert levels(lines) == ["ok"]
    assert list(tmp_path.iterdir()) == []


def test_keys_for_a_shared_database_have_to_be_the_same_everywhere(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path), database_url=URL)
    vault, (line,) = vault_of(settings)
    assert vault is None
    assert "DIALOOM_KEYS is not set" in line.text
    NewKey(tmp_path).save()
    vault, (line,) = vault_of(settings)
    assert vault is not None
    assert line.level == "warn"
    assert "Set DIALOOM_KEYS everywhere" in line.text
    assert levels(vault_of(Settings(data=str(tmp_path), database_url=URL, keys=KEY))[1]) == ["ok"]


def test_wrong_keys_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="key 1 is not allowed"):
        vault_of(Settings(data=str(tmp_path), keys="short"))


def test_a_base_address_without_tls_is_warned_of_and_no_password_is_shown() -> None:
    settings = Settings(host="0.0.0.0", base_url="http://bots.example.org", database_url=URL)
    lines = settings_lines(settings)
    assert levels(lines) == ["ok", "warn"]
    assert "hidden" not in str(lines)


@pytest.mark.parametrize(
    ("base", "is_told"),
    [
        (None, False),
        ("https://bots.example.org", False),
        # Behind a proxy without TLS, which is the usual way to come to this.
        ("http://bots.example.org", True),
        ("HTTP://Bots.example.org/chats", True),
        ("http://192.168.1.7:8080", True),
        ("http://127.0.0.1.example.org", True),
        ("http://127.0.0.1:8080", False),
        ("http://localhost:8080", False),
        ("http://[::1]:8080", False),
    ],
)
def test_it_is_the_base_address_that_is_warned_of_and_not_where_the_service_listens(
    base: str | None, is_told: bool
) -> None:
    assert ("warn" in levels(settings_lines(Settings(base_url=base)))) is is_told


def test_what_is_open_or_closed_by_where_the_service_is_reached_is_told() -> None:
    (_, told) = settings_lines(Settings())
    assert (told.level, told.text.partition(":")[0]) == ("ok", "Local service")
    (_, told) = settings_lines(Settings(base_url="https://bots.example.org"))
    assert told.level == "ok"
    assert "DIALOOM_METRICS_TOKEN" in told.text
    assert len(settings_lines(Settings(host="0.0.0.0", base_url="https://bots.example.org"))) == 1
