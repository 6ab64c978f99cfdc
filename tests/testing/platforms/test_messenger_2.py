"""The stand-in of Viber refuses what the bot API refuses, and calls the webhook as the platform does."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.testing.platforms import Viber
from dialoom.testing.platforms.messenger_2.message_shapes import rows_of
from tests.testing.platforms.receiver import Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TEXT = {"type": "text", "text": "hello", "sender": {"name": "Bot"}}
BUTTON = {"ActionType": "reply", "ActionBody": "k1", "Text": "Yes"}


def keyboard(*buttons: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**TEXT, "keyboard": {"Type": "keyboard", "Buttons": list(buttons), **more}}


class Talk:
    def __init__(self, viber: Viber, hook: Receiver) -> None:
        self.viber, self.hook = viber, hook
        self.user = viber.user()

    async def call(self, method: str, body: Any, token: str | None = None) -> dict[str, Any]:
        headers = {"X-Viber-Auth-Token": self.viber.auth_token if token is None else token}
        status, answer = await self.hook.post(f"{self.viber.api_url}/{method}", body, headers)
        assert status == 200
        found: dict[str, Any] = answer
        return found

    async def send(self, message: dict[str, Any]) -> dict[str, Any]:
        return await self.call("send_message", {"receiver": self.user.id, **message})


@asynccontextmanager
async def talk(**options: Any) -> AsyncIterator[Talk]:
    async with receiver() as hook, Viber(**options) as viber:
        made = Talk(viber, hook)
        assert (await made.call("set_webhook", {"url": hook.url}))["status"] == 0
        yield made


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({**TEXT, "text": ""}, 3, "text has 0 characters"),
    ({**TEXT, "text": " "}, 3, "text has no characters"),
    ({**TEXT, "text": "a" * 7001}, 3, "text has 7001 characters"),
    ({**TEXT, "text": "ä" * 6999, "tracking_data": "ä" * 4000}, 3, "may have 30720"),
    ({"type": "text", "sender": {"name": "Bot"}}, 4, "text must be there"),
    ({"type": "text", "text": "a"}, 4, "sender must be there"),
    ({**TEXT, "sender": {"name": "a" * 29}}, 3, "sender.name has 29"),
    ({**TEXT, "sender": {}}, 4, "sender.name must be there"),
    ({"text": "a", "sender": {"name": "Bot"}}, 4, "type must be there"),
    ({**TEXT, "type": "card"}, 3, "'card' is none of text"),
    ({**TEXT, "quick_replies": []}, 3, "quick_replies is no field"),
    ({**TEXT, "tracking_data": "a" * 4001}, 3, "tracking_data has 4001"),
    ({**TEXT, "min_api_version": "7"}, 3, "min_api_version must be a number"),
    ({**TEXT, "min_api_version": 99}, 3, "min_api_version must be at most"),
    (keyboard(), 3, "keyboard.Buttons has 0 members"),
    ({**TEXT, "keyboard": {"Buttons": [BUTTON]}}, 4, "keyboard.Type must be there"),
    (keyboard({**BUTTON, "Text": "a" * 251}), 3, "Text has 251"),
    (keyboard({"Text": "Yes"}), 4, "ActionBody must be there"),
    (keyboard({**BUTTON, "ActionType": "call"}), 3, "'call' is none of reply"),
    (keyboard({**BUTTON, "ActionType": "open-url", "ActionBody": "javascript:1"}), 3, "must be an address"),
    (keyboard({"ActionBody": "k1"}), 4, "needs one of Text"),
    (keyboard({**BUTTON, "Columns": 7}), 3, "Columns must be at most 6"),
    (keyboard({**BUTTON, "Rows": 3}), 3, "Rows must be at most 2"),
    (keyboard({**BUTTON, "text": "Yes"}), 3, "text is no field"),
    (keyboard({**BUTTON, "Text": "1 < 2"}), 3, "not escaped"),
    (keyboard({**BUTTON, "Text": "<p>Yes</p>"}), 3, "not allowed"),
    (keyboard(*[BUTTON] * 25), 3, "takes 25 rows"),
    (keyboard({**BUTTON, "ActionType": "location-picker"}), 14, "needs min_api_version 3"),
    (keyboard(BUTTON, InputFieldState="hidden"), 14, "InputFieldState needs min_api_version 4"),
    (
        {"type": "rich_media", "sender": {"name": "Bot"}, "rich_media": {"Type": "rich_media", "Buttons": [BUTTON]}},
        14,
        "7",
    ),
    ({"type": "picture", "sender": {"name": "Bot"}, "text": "", "media": "file:///x"}, 3, "media must be an address"),
    ({"type": "location", "sender": {"name": "Bot"}, "location": {"lat": 91, "lon": 0}}, 3, "location.lat must be"),
]


async def test_what_the_platform_refuses_is_refused() -> None:
    async with talk() as made:
        await made.user.say("hello")
        for message, status, problem in REFUSED:
            answer = await made.send(message)
            assert answer["status"] == status, (message, answer)
            assert problem in answer["status_message"], (message, answer)
        assert made.user.received == []


async def test_what_the_platform_takes_is_taken() -> None:
    async with talk() as made:
        await made.user.say("hello")
        right = [
            {**TEXT, "text": "a" * 7000, "tracking_data": "t"},
            keyboard({**BUTTON, "Text": '<b>Yes</b> &amp; <font color="#fff">no</font>'}, {**BUTTON, "Columns": 3}),
            {**keyboard({**BUTTON, "ActionType": "location-picker"}, InputFieldState="regular"), "min_api_version": 4},
            {"type": "picture", "sender": {"name": "Bot"}, "text": "", "media": "https://a.example/1.png"},
            {"sender": {"name": "Bot"}, "keyboard": {"Type": "keyboard", "Buttons": [BUTTON]}},
        ]
        for message in right:
            assert (await made.send(message))["status"] == 0
        assert len(made.user.received) == len(right)


async def test_tokens_receivers_and_webhooks_are_checked() -> None:
    async with talk() as made:
        assert (await made.call("send_message", TEXT, token="other"))["status"] == 2
        assert (await made.call("send_message", TEXT))["status"] == 4
        assert (await made.call("send_message", {**TEXT, "receiver": "x"}))["status"] == 5
        assert (await made.send(TEXT))["status"] == 6
        assert (await made.call("set_webhook", {"url": "http://bot.example/hook"}))["status"] == 1
        assert (await made.call("set_webhook", {"url": made.hook.url, "event_types": ["opened"]}))["status"] == 3
        made.hook.answers = [(500, {})]
        assert (await made.call("set_webhook", {"url": made.hook.url}))["status"] == 1
        assert (await made.call("get_account_info", {}))["uri"] == "standin"
        assert (await made.call("set_webhook", {"url": ""}))["status"] == 0
        assert (await made.send(TEXT))["status"] == 10


async def test_setting_the_webhook_calls_it_at_once() -> None:
    async with talk() as made:
        call = made.hook.received[0]
        assert call.json["event"] == "webhook"
        digest = hmac.new(made.viber.auth_token.encode(), call.body, hashlib.sha256).hexdigest()
        assert call.headers["x-viber-content-signature"] == digest


async def test_the_answer_to_a_started_conversation_is_the_welcome() -> None:
    async with talk() as made:
        made.hook.answers = [(200, {**TEXT, "text": "Welcome"}), (200, {**TEXT, "text": ""}), (200, {})]
        await made.user.open("login")
        event = made.hook.received[-1].json
        assert (event["event"], event["context"], event["subscribed"]) == ("conversation_started", "login", False)
        assert [one["text"] for one in made.user.received] == ["Welcome"]
        assert (await made.send(TEXT))["status"] == 6
        await made.user.open()
        assert [problem for _, problem in made.viber.refused_welcomes] == ["badData: text has 0 characters"]
        await made.user.open()
        assert len(made.user.received) == 1


async def test_a_tap_sends_the_body_and_the_tracking_data() -> None:
    async with talk() as made:
        await made.user.say("hello")
        await made.send(
            {
                **keyboard(
                    BUTTON, {**BUTTON, "ActionType": "open-url", "ActionBody": "https://a.example/", "Text": "Open"}
                ),
                "tracking_data": "q7",
            }
        )
        await made.user.tap("Yes")
        assert made.hook.received[-1].json["message"] == {"type": "text", "text": "k1", "tracking_data": "q7"}
        assert made.user.link("Open") == "https://a.example/"
        await made.user.tap("Open")
        assert made.hook.received[-1].json["message"]["text"] == "https://a.example/"
        await made.send(TEXT)
        await made.user.tap("Yes")
        assert made.hook.received[-1].json["message"] == {"type": "text", "text": "k1"}
        with pytest.raises(LookupError):
            await made.user.tap("No")


async def test_a_hundred_messages_an_hour_without_a_reply_are_too_many() -> None:
    clock = [1_000_000.0]
    async with talk(clock=lambda: clock[0]) as made:
        await made.user.say("hello")
        made.user.sent_without_reply = [clock[0]] * 100
        assert (await made.send(TEXT))["status"] == 12
        clock[0] += 3600
        assert (await made.send(TEXT))["status"] == 0


async def test_events_of_a_message_and_of_the_subscription() -> None:
    async with talk() as made:
        await made.user.say("hello")
        token = (await made.send(TEXT))["message_token"]
        await made.user.receive()
        await made.user.read()
        await made.user.fail(token)
        await made.user.unsubscribe()
        events = [one.json for one in made.hook.received]
        assert [one["event"] for one in events] == [
            "webhook",
            "subscribed",
            "message",
            "delivered",
            "seen",
            "failed",
            "unsubscribed",
        ]
        assert {one["message_token"] for one in events[3:6]} == {token}
        assert made.user.received == []
        assert (await made.send(TEXT))["status"] == 6


async def test_a_phone_with_an_old_app_gets_no_newer_message() -> None:
    async with talk() as made:
        made.user = made.viber.user("Grace", api_version=2)
        await made.user.say("hello")
        assert (await made.send({**TEXT, "min_api_version": 3}))["status"] == 13


def test_buttons_stand_side_by_side_in_six_columns() -> None:
    assert rows_of([{"Columns": 3}, {"Columns": 3}, {"Columns": 4, "Rows": 2}, {"Columns": 2}, {}]) == 4
