"""The sandbox's copy of a bot: its channels speak with stand-ins, and the bot's own secrets stay out of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.errors import SettingError
from dialoom.testing.platforms import Messenger, Telegram
from dialoom.testing.sandbox.bot_copy import BotCopy

if TYPE_CHECKING:
    from pathlib import Path

FLOW = {"conversations": {"help": {"type": "support", "steps": [{"type": "message", "messages": ["Hello"]}]}}}


def bot(folder: Path, **file: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bot.json").write_text(json.dumps({"id": "tea", "name": "Tea", **file}))
    (folder / "flow.json").write_text(json.dumps(FLOW))
    return folder


def copied(copy: BotCopy) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((copy.folder / "bot.json").read_text())["channels"]
    return found


def test_secrets_are_the_stand_ins_own_and_names_the_bots(tmp_path: Path) -> None:
    channels = [
        {"id": "web", "type": "web"},
        {"id": "tg", "type": "messenger-3", "bot-name": "tea_bot", "bot-token": {"env": "BOT_TEA_TOKEN"}},
        {"id": "fb", "type": "messenger-1", "name": "Our page", "page-token": "a-real-token"},
    ]
    copy = BotCopy(bot(tmp_path / "tea", channels=channels), tmp_path / "copy")
    web, telegram, messenger = copied(copy)
    assert web == channels[0]
    places = {place.channel: place.platform for place in copy.places}
    telegram_channel = places["tg"]
    assert isinstance(telegram_channel, Telegram)
    assert (telegram["bot-name"], telegram_channel.bot_name) == ("tea_bot", "tea_bot")
    assert telegram["bot-token"] == telegram_channel.bot_token
    page = places["fb"]
    assert isinstance(page, Messenger)
    assert messenger["page-token"] == page.page_token
    assert {"page-id", "app-secret", "verify-token"} <= messenger.keys()
    assert "a-real-token" not in (copy.folder / "bot.json").read_text()
    assert [place.shown_as for place in copy.places] == ["Our page", ""]


def test_a_bot_without_platforms_gets_one_channel_of_each(tmp_path: Path) -> None:
    copy = BotCopy(bot(tmp_path / "tea"), tmp_path / "copy")
    types = ["messenger-1", "messenger-2", "messenger-3", "workplace-chat", "voice-assistant"]
    assert [one["type"] for one in copied(copy)] == ["web", "rest", *types]
    assert [place.channel for place in copy.places] == types


def test_two_channels_of_one_type_are_refused_by_name(tmp_path: Path) -> None:
    channels = [{"id": "a", "type": "messenger-3"}, {"id": "b", "type": "messenger-3"}]
    with pytest.raises(SettingError, match="messenger-3 as a, b"):
        BotCopy(bot(tmp_path / "tea", channels=channels), tmp_path / "copy")


def test_a_changed_file_is_copied_again(tmp_path: Path) -> None:
    folder = bot(tmp_path / "tea")
    copy = BotCopy(folder, tmp_path / "copy")
    (folder / "flow.json").write_text("{}")
    copy.write()
    assert (copy.folder / "flow.json").read_text() == "{}"
