"""Keys come from the setting, else from a file that is made once beside the data."""

from __future__ import annotations

import base64
import os
import stat
from typing import TYPE_CHECKING

import pytest

from dialoom.auth.keys import KEY_FILE, NewKey, add_key, load_keys
from dialoom.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path

# Letters of both base64 alphabets come up in the first.
ONE, TWO = b"\xfb\xff" * 16, bytes(range(32))


def _write(folder: Path, content: str) -> None:
    (folder / KEY_FILE).touch(0o600)
    (folder / KEY_FILE).write_text(content)


def text(key: bytes) -> str:
    return base64.b64encode(key).decode()


def test_the_setting_gives_keys_in_its_order(tmp_path: Path) -> None:
    keys = load_keys(tmp_path, f"{text(TWO)}, {text(ONE)}")
    assert [key.reveal() for key in keys] == [TWO, ONE]
    assert list(tmp_path.iterdir()) == []


def test_both_alphabets_of_base64_are_read(tmp_path: Path) -> None:
    (key,) = load_keys(tmp_path, base64.urlsafe_b64encode(ONE).decode())
    assert key.reveal() == ONE


def test_without_a_setting_one_key_is_made_and_found_again(tmp_path: Path) -> None:
    new = NewKey(tmp_path)
    (made,) = new.keys
    assert len(made.reveal()) == 32
    assert os.listdir(tmp_path) == []
    new.save()
    assert load_keys(tmp_path, None) == (made,)
    assert os.listdir(tmp_path) == [KEY_FILE]


def test_of_two_that_make_the_key_at_once_the_second_is_told_and_changes_nothing(tmp_path: Path) -> None:
    new = NewKey(tmp_path)
    other = NewKey(tmp_path)
    new.save()
    with pytest.raises(SettingError, match="Another process has just made"):
        other.save()
    assert load_keys(tmp_path, None) == new.keys
    assert os.listdir(tmp_path) == [KEY_FILE]


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o644])
def test_a_key_file_that_everybody_may_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    NewKey(tmp_path).save()
    (tmp_path / KEY_FILE).chmod(mode)
    with pytest.raises(SettingError, match=f"mode {mode:o}.*chmod 600") as refused:
        load_keys(tmp_path, None)
    assert (tmp_path / KEY_FILE).read_text()[:6] not in str(refused.value)


@pytest.mark.parametrize(("mode", "warnings"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o660, 1)])
def test_a_key_file_that_its_group_may_read_or_write_is_warned_of(
    tmp_path: Path, mode: int, warnings: int, caplog: pytest.LogCaptureFixture
) -> None:
    NewKey(tmp_path).save()
    (tmp_path / KEY_FILE).chmod(mode)
    load_keys(tmp_path, None)
    assert [record.getMessage().endswith(f"chmod 600 {tmp_path / KEY_FILE}") for record in caplog.records] == [
        True
    ] * warnings


def test_the_key_file_is_for_the_services_user_alone(tmp_path: Path) -> None:
    NewKey(tmp_path).save()
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_a_key_file_may_hold_older_keys_on_further_lines(tmp_path: Path) -> None:
    _write(tmp_path, f"{text(TWO)}\n{text(ONE)}\n")
    assert [key.reveal() for key in load_keys(tmp_path, None)] == [TWO, ONE]


@pytest.mark.parametrize(
    "setting", ["", "AAAA", "too short", text(b"short"), text(ONE) + ",", "ä" * 44, text(ONE + TWO)]
)
def test_a_key_that_is_none_is_told_by_its_place_and_never_shown(tmp_path: Path, setting: str) -> None:
    with pytest.raises(SettingError, match=r"DIALOOM_KEYS\): key \d is not allowed") as caught:
        load_keys(tmp_path, setting)
    assert setting == "" or setting[:8] not in str(caught.value)


def test_one_key_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="twice"):
        load_keys(tmp_path, f"{text(ONE)},{text(ONE)}")


def test_an_emptied_key_file_is_no_reason_to_make_another(tmp_path: Path) -> None:
    _write(tmp_path, "")
    with pytest.raises(SettingError, match="holds no key"):
        load_keys(tmp_path, None)


def test_a_key_that_is_added_stands_first_and_the_file_stays_the_owners_alone(tmp_path: Path) -> None:
    NewKey(tmp_path).save()
    (old,) = load_keys(tmp_path, None)
    add_key(tmp_path)
    new, second = load_keys(tmp_path, None)
    assert second == old
    assert new != old
    assert os.listdir(tmp_path) == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_a_key_is_added_to_a_whole_key_file_alone(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"cannot be read .* --data"):
        add_key(tmp_path)
    (tmp_path / KEY_FILE).write_text("half a key")
    with pytest.raises(SettingError, match="key 1 is not allowed"):
        add_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == "half a key"


def test_of_two_that_add_a_key_at_once_one_is_refused(tmp_path: Path) -> None:
    NewKey(tmp_path).save()
    before = (tmp_path / KEY_FILE).read_text()
    (tmp_path / KEY_FILE).with_suffix(".part").touch()
    with pytest.raises(SettingError, match="is just being added"):
        add_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == before


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"cannot be read .*DIALOOM_KEYS"):
        load_keys(tmp_path / "missing", None)
    with pytest.raises(SettingError, match=r"cannot be made .*DIALOOM_KEYS"):
        NewKey(tmp_path / "missing").save()
