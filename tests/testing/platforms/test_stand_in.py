"""What all stand-ins share: the log of payloads and planned failures."""

from __future__ import annotations

import aiohttp
import pytest

from dialoom.testing.platforms import Telegram
from tests.testing.platforms.receiver import receiver


async def test_planned_failures_come_once_and_in_order() -> None:
    async with receiver() as hook, Telegram() as telegram:
        address = f"{telegram.url}/bot{telegram.bot_token}/getMe"
        telegram.fail_next(503, {"Retry-After": "2"}, {"later": True})
        telegram.fail_next(500, on="/sendMessage")
        assert await hook.post(address, {}) == (503, {"later": True})
        assert (await hook.post(address, {}))[0] == 200
        assert [one.status for one in telegram.calls("getMe")] == [503, 200]


@pytest.mark.parametrize("how", ["half", "close"])
async def test_an_answer_can_be_lost_after_the_call_was_done(how: str) -> None:
    async with receiver() as hook, Telegram() as telegram:
        user = telegram.user()
        await user.say("hello")
        telegram.fail_next(200, on="/sendMessage", carried_out=True, half=how == "half", close=how == "close")
        address = f"{telegram.url}/bot{telegram.bot_token}/sendMessage"
        with pytest.raises(aiohttp.ClientError):
            await hook.post(address, {"chat_id": user.id, "text": "hello"})
        assert [one["text"] for one in user.received] == ["hello"]
        assert telegram.calls()[-1].status is None


async def test_what_does_not_come_true_is_told_with_the_last_calls() -> None:
    async with receiver() as hook, Telegram() as telegram:
        await hook.post(f"{telegram.url}/bot{telegram.bot_token}/getMe", {})
        with pytest.raises(TimeoutError, match="getMe 200"):
            await telegram.until(lambda: len(telegram.exchanges) > 1, seconds=0.01)
