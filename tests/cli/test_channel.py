"""``dialoom channel`` and the doctor's rows of channels, with the stand-in of a platform that answers as it does."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.cli import main
from dialoom.service.service import build_service
from dialoom.service.settings import Settings
from dialoom.testing.platforms.messenger_3 import Telegram
from tests.http.support import write_bot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANNELS: list[dict[str, Any]] = [
    {"id": "web", "type": "web"},
    {
        "id": "tg",
        "type": "messenger-3",
        "bot-token": {"env": "BOT_TEA_TELEGRAM"},
        "bot-name": "other_bot",
        "webhook-secret": "secret-of-the-webhook",
    },
]
ADDRESS = "https://bots.example.org/v1/bots/tea/channels/tg/messenger-3"


@contextlib.contextmanager
def telegram_beside() -> Iterator[Telegram]:
    """Run the stand-in in a loop of its own: the command has its own too. Whatever the test does, the loop ends."""
    loop, platform = asyncio.new_event_loop(), Telegram("123:of-the-bot", "tea_bot")
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(platform.start(), loop).result(10)
        yield platform
    finally:
        asyncio.run_coroutine_threadsafe(platform.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def make_data_folder(bot: Path, data: Path) -> None:
    """Start a service once on a new data folder, as an operator has before connecting a channel."""
    service = await asyncio.to_thread(build_service, Settings(data=str(data)), {})
    try:
        await service.start([bot])
    finally:
        await service.stop(0.5)


@pytest.fixture
def telegram(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Telegram]:
    monkeypatch.setenv("DIALOOM_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BOT_TEA_TELEGRAM", "123:of-the-bot")
    monkeypatch.setenv("DIALOOM_BASE_URL", "https://bots.example.org")
    bot = write_bot(tmp_path / "tea", {"id": "tea", "channels": CHANNELS})
    (tmp_path / "data").mkdir()
    asyncio.run(make_data_folder(bot, tmp_path / "data"))
    with telegram_beside() as platform:
        monkeypatch.setenv("DIALOOM_MESSENGER_3_URL", platform.url)
        yield platform


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command; return its exit code and all that it wrote."""
    capsys.readouterr()
    code = main([*words])
    return code, "".join(capsys.readouterr())


def test_channels_are_listed_with_their_addresses(telegram: Telegram, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(capsys, "channel", "list", "tea")
    assert code == 0
    assert f"tg  Telegram  {ADDRESS}\n" in text


def test_a_channel_that_takes_no_calls_is_listed_with_the_reason_and_what_to_do(
    telegram: Telegram, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "closed" not in told(capsys, "channel", "list", "tea")[1]
    monkeypatch.delenv("BOT_TEA_TELEGRAM")
    code, text = told(capsys, "channel", "list", "tea")
    assert (code, ADDRESS in text) == (0, True)
    _, _, reason = text.partition("  closed: as far as this command sees, it takes no calls.\n")
    assert reason.startswith('    Bot "tea", channel "tg", bot-token: The environment variable "BOT_TEA_TELEGRAM"')


def test_a_channel_without_a_key_that_it_needs_is_listed_as_closed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    channels = [{"id": "desk", "type": "workplace-chat", "app-id": "1"}, {"id": "web", "type": "web"}]
    bot = write_bot(tmp_path / "tea", {"id": "tea", "channels": channels})
    (tmp_path / "data").mkdir()
    asyncio.run(make_data_folder(bot, tmp_path / "data"))
    text = told(capsys, "channel", "list", "tea", "--data", str(tmp_path / "data"))[1]
    assert text.count("closed") == 1
    assert "bot.json lacks app-password (secret of the app). Write it." in text


@pytest.mark.parametrize(
    ("skill_id", "states"),
    [
        ("amzn1.ask.skill.00000000-0000-4000-8000-000000000001", ["ok", "by hand", "by hand", "by hand"]),
        ("amzn1.ask.skill.my-tea", ["wrong", "by hand", "by hand"]),
    ],
)
def test_what_cannot_be_asked_of_a_platform_has_a_mark_of_its_own(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    skill_id: str,
    states: list[str],
) -> None:
    monkeypatch.setenv("DIALOOM_BASE_URL", "https://127.0.0.1:9")
    bot = write_bot(
        tmp_path / "tea",
        {"id": "tea", "channels": [{"id": "speaker", "type": "voice-assistant", "skill-id": skill_id}]},
    )
    (tmp_path / "data").mkdir()
    asyncio.run(make_data_folder(bot, tmp_path / "data"))
    code, text = told(capsys, "channel", "check", "tea", "--data", str(tmp_path / "data"))
    marks = [line[2:9].strip() for line in text.splitlines()[1:]]
    assert (code, marks) == (int("wrong" in states), states)
    text = told(capsys, "doctor", "--data", str(tmp_path / "data"))[1]
    levels = [line[:7].strip() for line in rows(text)]
    assert levels == [state.replace("wrong", "fail") for state in states]
    assert f", {states.count('by hand')} by hand, " in text.splitlines()[-1]


def test_a_channel_is_connected_and_what_is_wrong_is_said(
    telegram: Telegram, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = told(capsys, "channel", "check", "tea")
    assert code == 1
    assert "Run: dialoom channel connect tea tg" in text
    code, text = told(capsys, "channel", "connect", "tea", "tg")
    assert code == 1  # its name in bot.json is another bot's
    assert 'wrong    Write "bot-name": "tea_bot" into bot.json' in text
    assert f"ok       Telegram calls {ADDRESS}." in text
    assert telegram.webhook["url"] == ADDRESS
    assert telegram.webhook["secret_token"] == "secret-of-the-webhook"


def test_a_platform_that_refuses_says_why_and_the_token_is_not_shown(
    telegram: Telegram, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TEA_TELEGRAM", "999:wrong")
    code, text = told(capsys, "channel", "check", "tea", "tg")
    assert (code, "Unauthorized" in text, "999:wrong" in text) == (1, True, False)
    monkeypatch.delenv("BOT_TEA_TELEGRAM")
    code, text = told(capsys, "channel", "check", "tea", "tg")
    assert (code, "BOT_TEA_TELEGRAM" in text) == (1, True)


def test_a_channel_without_a_platform_needs_nothing(telegram: Telegram, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "channel", "check", "tea", "web")[0] == 0
    code, text = told(capsys, "channel", "check", "tea", "fax")
    assert (code, 'no channel "fax". It has: web, tg' in text) == (2, True)


def test_an_address_that_no_platform_can_call_is_not_told_to_one(
    telegram: Telegram, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DIALOOM_MESSENGER_3_URL")
    monkeypatch.setenv("DIALOOM_BASE_URL", "http://bots.example.org")
    code, text = told(capsys, "channel", "connect", "tea", "tg")
    assert (code, "DIALOOM_BASE_URL is http://bots.example.org. Platforms call" in text) == (2, True)
    monkeypatch.delenv("DIALOOM_BASE_URL")
    assert "DIALOOM_BASE_URL is not set. Platforms call" in told(capsys, "channel", "list", "tea")[1]


def rows(text: str, check: str = "channels") -> list[str]:
    return [line for line in text.splitlines() if line[9:].startswith(f"{check}: ")]


def test_the_doctor_says_what_the_platform_says(
    telegram: Telegram, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIALOOM_BASE_URL", "https://127.0.0.1:9")
    address = "https://127.0.0.1:9/v1/bots/tea/channels/tg/messenger-3"
    shown = 'channels: Bot "tea", channel "tg" (Telegram): '
    assert rows(told(capsys, "doctor")[1]) == [
        f"ok       {shown}The bot-token is that of @tea_bot.",
        f'fail     {shown}Write "bot-name": "tea_bot" into bot.json: links back into the chat need it.',
        f"fail     {shown}Telegram calls no address, not {address}. Run: dialoom channel connect tea tg",
    ]
    monkeypatch.setenv("BOT_TEA_TELEGRAM", "999:wrong")
    text, hint = told(capsys, "doctor")[1], "Write the token that @BotFather gave as bot-token."
    assert rows(text) == [f"fail     {shown}Telegram refused getMe: Unauthorized. {hint}"]
    assert "999:wrong" not in text
    monkeypatch.delenv("BOT_TEA_TELEGRAM")
    text = told(capsys, "doctor")[1]
    assert (rows(text), len(rows(text, "variables"))) == ([], 1)


def test_the_doctor_warns_where_the_platform_cannot_be_reached_and_names_keys_that_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIALOOM_MESSENGER_3_URL", "http://127.0.0.1:1")
    channels = [
        {"id": "tg", "type": "messenger-3", "bot-token": "1:x", "bot-name": "tea_bot", "webhook-secret": "long-enough"},
        {"id": "bare", "type": "messenger-3", "bot-token": "1:x", "bot-name": "tea_bot"},
    ]
    bot = write_bot(tmp_path / "tea", {"id": "tea", "channels": channels})
    reached, bare = rows(told(capsys, "doctor", str(bot), "--data", str(tmp_path / "data"))[1])
    assert reached.startswith('warn     channels: Bot "tea", channel "tg" (Telegram): Telegram\'s getMe: POST')
    assert "no connection" in reached
    assert 'fail     channels: Bot "tea", channel "bare" (Telegram): bot.json lacks webhook-secret (' in bare
    assert not (tmp_path / "data").exists()
