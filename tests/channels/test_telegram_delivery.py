"""What the bot says arrives in order and none of it is lost, whatever becomes of the calls to Telegram."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.channels.platform_service import Running, running_service
from tests.channels.test_telegram import CHANNEL, connected
from tests.http.support import write_bot
from tests.live import Service, free_port

from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.messenger_3 import Telegram, TelegramUser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

SAID = ["Hello!", "Which tea?", "The password?"]
"""What the bot says in the talk of these tests."""
MAX_MOVES = 300
SEND = "sendMessage"


class Chat(NamedTuple):
    telegram: Telegram
    running: Running
    clock: MovedClock
    user: TelegramUser

    def heard(self) -> list[str]:
        return [said["text"] for said in self.user.received]

    def attempts(self) -> int:
        return len(self.telegram.calls(SEND))

    async def passing(self, claim: Callable[[], bool], step: float = 1.0) -> None:
        """Let the service's time pass until a claim holds."""
        for _ in range(MAX_MOVES):
            with contextlib.suppress(TimeoutError):
                await self.telegram.until(claim, seconds=0.02)
                return
            self.clock.move(step)
        await self.telegram.until(claim, seconds=0.1)

    async def talk(self) -> None:
        """Say all that the bot answers with ``SAID``."""
        await self.user.say("tea")
        await self.user.say("Mint")
        await self.passing(lambda: "The password?" in self.heard())
        await self.running.settled()


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    clock = MovedClock()
    async with (
        Telegram(CHANNEL["bot-token"], CHANNEL["bot-name"]) as telegram,
        running_service(tmp_path, CHANNEL, clock=clock, messenger_3_url=telegram.url) as running,
    ):
        await connected(running)
        yield Chat(telegram, running, clock, telegram.user("Ada"))


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500},
        {"status": 502, "body": b"<html>Bad Gateway</html>"},
        {"status": 429, "body": {"ok": False, "error_code": 429, "parameters": {"retry_after": 2}}},
        {"status": 429, "body": b"too many"},
        {"close": True},
        {"half": True, "status": 200, "body": {"ok": True, "result": {"message_id": 1}}},
    ],
    ids=["500", "502", "429", "429 in other words", "closed", "half a body"],
)
async def test_what_was_not_taken_is_sent_again_once_and_in_order(chat: Chat, fault: dict[str, Any]) -> None:
    chat.telegram.fail_next(on=SEND, times=2, **fault)
    await chat.talk()
    assert chat.heard() == SAID
    assert await chat.running.service.outbox.dead("tea") == []


@pytest.mark.parametrize("lost", [{"close": True}, {"half": True, "status": 200}], ids=["closed", "half a body"])
async def test_a_message_whose_answer_is_lost_may_come_twice_and_the_order_is_kept(
    chat: Chat, lost: dict[str, Any]
) -> None:
    chat.telegram.fail_next(on=SEND, carried_out=True, **lost)
    await chat.talk()
    assert chat.heard() == [SAID[0], *SAID]


async def test_a_platform_that_is_down_gets_all_of_it_when_it_is_back(chat: Chat) -> None:
    port = int(chat.telegram.url.rpartition(":")[2])
    chat.telegram.fail_next(503, on=SEND)
    await chat.user.say("tea")
    await chat.telegram.until(lambda: chat.attempts() == 1)
    await chat.telegram.stop()
    for _ in range(5):
        chat.clock.move(5)
        await chat.running.settled()
    assert chat.heard() == []
    await chat.telegram.start(port)
    await chat.passing(lambda: len(chat.heard()) == 2, step=20.0)
    assert chat.heard() == SAID[:2]


async def test_a_platform_that_is_slow_gets_the_messages_of_a_chat_one_after_the_other(chat: Chat) -> None:
    chat.telegram.delay_seconds = 0.1
    await chat.talk()
    assert chat.heard() == SAID


async def test_the_pause_that_the_platform_asks_for_is_kept(chat: Chat) -> None:
    refusal = {"ok": False, "error_code": 429, "description": "Too Many Requests", "parameters": {"retry_after": 40}}
    chat.telegram.fail_next(429, body=refusal, on=SEND)
    await chat.user.say("tea")
    await chat.telegram.until(lambda: chat.attempts() == 1)
    begun = chat.clock.now()
    await chat.passing(lambda: chat.attempts() > 1)
    assert chat.clock.now() - begun >= 40_000


async def test_who_has_blocked_the_bot_is_left_in_peace_and_may_come_back(chat: Chat) -> None:
    await chat.user.say("hello")
    await chat.passing(lambda: chat.heard() == SAID[:1])
    chat.user.blocked = True
    await chat.user.say("tea")
    await chat.telegram.until(lambda: chat.attempts() == 2)
    await chat.running.settled()
    outbox = chat.running.service.outbox
    assert (await outbox.counts(), await outbox.dead("tea")) == ([], [])
    await chat.user.unblock()
    await chat.user.say("Mint")
    await chat.passing(lambda: "The password?" in chat.heard())


async def test_a_message_that_is_refused_becomes_a_dead_letter_with_the_platforms_words_and_the_next_one_goes(
    chat: Chat,
) -> None:
    refusal = {"ok": False, "error_code": 400, "description": "Bad Request: message is too odd"}
    chat.telegram.fail_next(400, body=refusal, on=SEND)
    await chat.talk()
    assert chat.heard() == SAID[1:]
    (dead,) = await chat.running.service.outbox.dead("tea")
    assert dead.reason.endswith("Telegram: Bad Request: message is too odd")
    assert CHANNEL["bot-token"] not in dead.reason
    await chat.running.service.outbox.resend("tea", None)
    await chat.passing(lambda: chat.heard() == [*SAID[1:], SAID[0]])


@pytest.mark.parametrize("is_carried_out", [False, True], ids=["not taken", "taken"])
async def test_a_service_that_is_killed_goes_on_where_it_was(tmp_path: Path, *, is_carried_out: bool) -> None:
    bot = write_bot(tmp_path / "tea", {"id": "tea", "channels": [CHANNEL]})
    port = free_port()
    async with Telegram(CHANNEL["bot-token"], CHANNEL["bot-name"]) as telegram:
        environment = {"DIALOOM_MESSENGER_3_URL": telegram.url}
        telegram.webhook = {
            "url": f"http://127.0.0.1:{port}/v1/bots/tea/channels/tg/messenger-3",
            "secret_token": CHANNEL["webhook-secret"],
        }
        ada = telegram.user("Ada")
        telegram.fail_next(503, on=SEND, carried_out=is_carried_out)
        before = await asyncio.to_thread(Service, [bot], tmp_path / "data", port, environment)
        try:
            assert (await ada.say("tea")).status == 200
            await telegram.until(lambda: len(telegram.calls(SEND)) == 1)
        finally:
            await asyncio.to_thread(before.kill)
        after = await asyncio.to_thread(Service, [bot], tmp_path / "data", port, environment)
        try:
            assert (await ada.say("Mint")).status == 200
            await telegram.until(lambda: any(said["text"] == SAID[-1] for said in ada.received))
        finally:
            await asyncio.to_thread(after.kill)
        heard = [said["text"] for said in ada.received]
        assert [text for text, _ in itertools.groupby(heard)] == SAID
        assert len(heard) == len(SAID) + is_carried_out


async def test_a_file_that_is_not_to_be_had_for_five_seconds_is_left_out_and_its_caption_counts(chat: Chat) -> None:
    chat.telegram.fail_next(502, on="getFile", times=1000)
    await chat.user.send_photo(b"\x89PNG\r\n\x1a\n", "tea")
    await chat.telegram.until(lambda: len(chat.telegram.calls("getFile")) == 1)
    assert chat.heard() == []
    begun = chat.clock.now()
    await chat.passing(lambda: "Which tea?" in chat.heard(), step=0.5)
    assert 3_000 <= chat.clock.now() - begun <= 6_000
    assert 2 < len(chat.telegram.calls("getFile")) <= 10
