"""Keys come from the setting, else from a file that is made once beside the data."""

from __future__ import annotations

import base64
import os
import stat
from typing import TYPE_CHECKING

import pytest

from dialoom.auth.keys import KEY_FILE, add_key, load_keys
from dialoom.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path

# Letters of both base64 alphabets come up in the first.
ONE, TWO = b"\xfb\xff" * 16, bytes(range(32))


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
    (made,) = load_keys(tmp_path, None)
    assert len(made.reveal()) == 32
    assert load_keys(tmp_path, None) == (made,)
    assert os.listdir(tmp_path) == [KEY_FILE]


def test_the_key_file_is_for_the_services_user_alone(tmp_path: Path) -> None:
    load_keys(tmp_path, None)
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_a_key_file_may_hold_older_keys_on_further_lines(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text(f"{text(TWO)}\n{text(ONE)}\n")
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
    (tmp_path / KEY_FILE).write_text("")
    with pytest.raises(SettingError, match="holds no key"):
        load_keys(tmp_path, None)


def test_a_key_that_is_added_stands_first_and_the_file_stays_the_owners_alone(tmp_path: Path) -> None:
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
    load_keys(tmp_path, None)
    before = (tmp_path / KEY_FILE).read_text()
    (tmp_path / KEY_FILE).with_suffix(".part").touch()
    with pytest.raises(SettingError, match="is just being added"):
        add_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == before


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"cannot be read or made .* DIALOOM_KEYS"):
        load_keys(tmp_path / "missing", None)
