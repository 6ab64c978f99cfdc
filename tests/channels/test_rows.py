"""The table of channels: one row for each type, and the folder that it names speaks it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from dialoom import channels
from dialoom.channels import CHANNELS
from dialoom.flow.channels import CHANNEL_ROWS, Channel, ChannelRow, ChannelType

ROWS = list(CHANNEL_ROWS.values())


def test_every_type_has_a_row_and_a_name_for_people() -> None:
    assert list(CHANNEL_ROWS) == list(get_args(ChannelType))
    assert all(row.shown_as for row in ROWS)


def test_a_channel_that_runs_and_is_posted_to_has_an_adapter() -> None:
    assert set(CHANNELS) == {row.type for row in ROWS if row.folder is not None and row.is_posted_to}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.type)
def test_every_key_of_a_row_is_a_key_of_bot_json_and_belongs_to_one_type(row: ChannelRow) -> None:
    assert set(row.keys) <= set(Channel.__struct_encode_fields__)
    assert not any(set(row.keys) & set(other.keys) for other in ROWS if other is not row)


@pytest.mark.parametrize("folder", sorted({row.folder for row in ROWS if row.folder is not None}))
def test_a_channel_knows_no_other(folder: str) -> None:
    package = Path(channels.__file__).parent
    source = "".join(path.read_text("utf-8") for path in (package / folder).rglob("*.py"))
    assert set(re.findall(r"dialoom\.channels\.(\w+)", source)) <= {"_contract", folder}
    shared = "".join(path.read_text("utf-8") for path in (package / "_contract").rglob("*.py"))
    assert set(re.findall(r"dialoom\.channels\.(\w+)", shared)) == {"_contract"}


def test_an_address_back_into_an_app_needs_every_key_that_stands_in_it() -> None:
    row = CHANNEL_ROWS["messenger-3"]
    named = Channel(id="c", type="messenger-3", bot_name="@tea_bot")
    assert row.address_after_login(named) == "https://t.me/tea_bot?start=login"
    assert row.address_after_login(Channel(id="c", type="messenger-3", bot_name="")) is None
