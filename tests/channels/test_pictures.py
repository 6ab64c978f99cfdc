"""Pictures and subtitles of options, and the picture of a login's card, on platforms that can show them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.test_golden import Table, table

from dialoom.channels import CHANNELS
from dialoom.messages import BotMessage, Dialog, Option
from dialoom.service.chat.transcript import Spoken

if TYPE_CHECKING:
    from dialoom.messages import DialogType

__all__ = ["table"]
IMAGE = "https://shop.example.com/tea.png"
OPTIONS = tuple(Option(title, title, f"1.{at}", "from Assam", IMAGE) for at, title in enumerate(("Black", "Green")))


def sent(table: Table, type: str, message: BotMessage) -> list[Any]:
    place = table.place(type)
    return [json.loads(body) for body in CHANNELS[type].render((Spoken("m", message),), place)]


def of(type: DialogType) -> BotMessage:
    return BotMessage("Which?", dialog=Dialog(type, "Choose", "Take it", OPTIONS, key="1"))


@pytest.mark.parametrize("type", ["messenger-1", "messenger-2", "messenger-3", "workplace-chat"])
def test_the_picture_of_a_login_is_shown(table: Table, type: str) -> None:
    login = Dialog("login", "Log in", url="https://bots.example/login", image=IMAGE)
    shown = sent(table, type, BotMessage("Please log in.", dialog=login))
    assert IMAGE in json.dumps(shown)
    assert "https://bots.example/login" in json.dumps(shown[-1])
    assert "Please log in." in json.dumps(shown)


def test_on_telegram_a_login_whose_picture_is_refused_goes_without(table: Table) -> None:
    login = Dialog("login", "Log in", url="https://bots.example/login", image=IMAGE)
    (call,) = sent(table, "messenger-3", BotMessage("Please log in.", dialog=login))
    assert (call["method"], call["instead"]["method"]) == ("sendPhoto", "sendMessage")
    assert call["instead"]["fields"]["reply_markup"] == call["fields"]["reply_markup"]


@pytest.mark.parametrize("type", ["messenger-1", "messenger-2", "workplace-chat"])
def test_the_pictures_of_quick_replies_are_shown(table: Table, type: str) -> None:
    assert json.dumps(sent(table, type, BotMessage("Which?", OPTIONS))).count(IMAGE) == 2


def test_pictures_that_would_fill_a_keyboard_are_left_out(table: Table) -> None:
    many = tuple(Option(f"Tea {at}", at, f"1.{at}", image=IMAGE) for at in range(20))
    (message,) = sent(table, "messenger-2", BotMessage("Which?", many))
    assert len(message["keyboard"]["Buttons"]) == 20
    assert IMAGE not in json.dumps(message)


@pytest.mark.parametrize("image", ["/tea.png", "data:image/png;base64,aa", "https://shop.example.com/tea.svg"])
def test_what_is_no_address_of_a_picture_is_not_sent(table: Table, image: str) -> None:
    login = BotMessage("Hi", dialog=Dialog("login", "Log in", url="https://bots.example/login", image=image))
    for type in ("messenger-2", "messenger-3"):
        assert image not in json.dumps(sent(table, type, login))


def test_subtitles_stand_in_lists_of_telegram(table: Table) -> None:
    (call,) = sent(table, "messenger-3", of("single-select"))
    assert call["fields"]["text"] == "Which?\n- Black – from Assam\n- Green – from Assam"


@pytest.mark.parametrize("type", ["messenger-1", "messenger-2", "messenger-3"])
def test_subtitles_stand_in_numbered_lists(table: Table, type: str) -> None:
    assert "1. Black – from Assam\\n2. Green" in json.dumps(sent(table, type, of("multi-select")), ensure_ascii=False)


def test_subtitles_are_spoken(table: Table) -> None:
    answer = CHANNELS["voice-assistant"].answer(
        (Spoken("m", of("single-select")),), table.place("voice-assistant"), is_over=False
    )
    assert "Black, from Assam or Green, from Assam" in json.loads(answer)["response"]["outputSpeech"]["ssml"]
