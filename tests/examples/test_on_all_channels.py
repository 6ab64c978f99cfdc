"""The clinic, the shop and the gym on all eight channels, with a login on each: every goal is reached, no platform refuses
anything, and every question can be answered in the channel's own way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.examples.channel_talks import PAGE, Talked, all_talks, page_of
from tests.platform_types.check import Payload, exchanged, faults

if TYPE_CHECKING:
    from pathlib import Path

CHANNELS = {
    "web", "mobile", "rest", "messenger-1", "messenger-2", "messenger-3", "workplace-chat", "voice-assistant",
}  # fmt: skip
TYPED = {"clinic": 3, "shop": 2}
"""What has no options in each talk: a time, a name and a phone number; an address and an e-mail address."""
NO_CALENDAR = {"messenger-1", "messenger-2"}
"""Where a day is typed."""


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Talked]:
    folder: Path = tmp_path_factory.mktemp("talks")
    return asyncio.run(all_talks(folder))


@pytest.mark.parametrize("example", ["clinic", "shop"])
def test_the_back_end_gets_one_appointment_or_order_from_each_channel(example: str, talks: dict[str, Talked]) -> None:
    talk = talks[example]
    assert set(talk.taken) == CHANNELS
    assert {channel: len(taken) for channel, taken in talk.taken.items()} == dict.fromkeys(CHANNELS, 1)
    same = (
        ("doctor", "date", "time", "name") if example == "clinic" else ("name", "quantity", "extras", "country", "date")
    )
    assert len({str([taken[0][key] for key in same]) for taken in talk.taken.values()}) == 1


def test_who_signs_in_sees_the_classes_on_each_channel(talks: dict[str, Talked]) -> None:
    assert set(talks["gym"].users) == CHANNELS
    for channel, user in talks["gym"].users.items():
        told = "\n".join(user.lines)
        assert "Thank you, you are signed in." in told, channel
        assert "Rowing, Thursday at 07:30" in told, channel


@pytest.mark.parametrize("example", ["clinic", "shop", "gym"])
def test_no_platform_refuses_anything(example: str, talks: dict[str, Talked]) -> None:
    assert talks[example].refused == []


def test_types_of_others_take_all_that_goes_over_the_wire(talks: dict[str, Talked], tmp_path: Path) -> None:
    payloads = [
        Payload(type, value, f"{example} {channel} {exchange.number}")
        for example, talk in talks.items()
        for channel, exchanges in talk.exchanges.items()
        for exchange in exchanges
        for type, value in exchanged(channel, exchange)
    ]
    assert {payload.name.split()[1] for payload in payloads} == set(talks["gym"].exchanges)
    assert faults(payloads, tmp_path) == []


@pytest.mark.parametrize("example", ["clinic", "shop"])
def test_options_are_typed_only_where_nothing_can_be_tapped(example: str, talks: dict[str, Talked]) -> None:
    for channel, user in talks[example].users.items():
        hello = channel == "rest"
        day = example == "shop" and channel in NO_CALENDAR
        by_hand = 0 if channel == "voice-assistant" else TYPED[example] + hello + day
        assert user.ways.count("typed") == by_hand, (channel, user.ways)


def test_the_page_is_what_the_talks_give(talks: dict[str, Talked]) -> None:
    assert PAGE.read_text("utf-8") == page_of(talks)
