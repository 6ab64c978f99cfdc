"""Titles and subtitles are Markdown, and each channel makes them plain once: a sign that an author escaped is read."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest
from tests.channels.test_golden import Table, shown, table

from dialoom.channels import CHANNELS
from dialoom.engine.options.match_option import named_by
from dialoom.engine.state import Choice
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import BotMessage, Dialog, Option
from dialoom.service.chat.transcript import Spoken

if TYPE_CHECKING:
    from dialoom.messages import DialogType

__all__ = ["table"]
MARKDOWN, READ = r"\*x\*\_y", "*x*_y"
OPTIONS = (
    Option(MARKDOWN, "one", "1.0", subtitle=MARKDOWN),
    Option(MARKDOWN + " two", {"is": "no text"}, subtitle=MARKDOWN),
)


def dialog(type: DialogType) -> Dialog:
    url = "https://bots.example/login" if type == "login" else None
    has_options = type in ("single-select", "multi-select", "carousel")
    return Dialog(type, MARKDOWN, MARKDOWN, OPTIONS if has_options else (), url=url, key="" if url else "1")


MESSAGES = [
    BotMessage("Which?", OPTIONS),
    BotMessage("Which?", tuple(Option(f"{MARKDOWN} {number}", number, f"1.{number}") for number in range(40))),
    *(
        BotMessage(text, dialog=dialog(type))
        for type in ("location-picker", "date-picker", "single-select", "multi-select", "carousel", "login")
        for text in ("", "Which?")
    ),
]


def named(message: BotMessage) -> str:
    return f"{message.dialog.type if message.dialog else len(message.replies)}-{message.text}"


@pytest.mark.parametrize("message", MESSAGES, ids=named)
@pytest.mark.parametrize("type", list(CHANNELS))
def test_a_title_is_made_plain_once(table: Table, type: str, message: BotMessage) -> None:
    row, place = CHANNEL_ROWS[type], table.place(type)
    spoken = Spoken("m", message, "https://bots.example/pick")
    bodies = [*CHANNELS[type].render((spoken,), place)]
    if row.is_spoken:
        bodies = [CHANNELS[type].answer((spoken,), place, is_over=False)]
    texts = [html.unescape(text) for text in shown(table, type, spoken, bodies)]
    assert not [text for text in texts if "x_y" in text or "xy" in text], texts
    if row.caller == "platform" and not row.is_spoken:
        is_left_out = message.text and message.dialog and row.shows(message.dialog.type) == "as-text"
        assert is_left_out or any(READ in text for text in texts)


def test_typed_words_are_held_against_what_is_read() -> None:
    offered = Choice(MARKDOWN, "one")
    assert named_by([offered], READ) is named_by([offered], MARKDOWN) is offered
