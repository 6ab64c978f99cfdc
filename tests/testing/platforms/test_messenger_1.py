"""The stand-in of Messenger refuses what the Send API refuses, and calls the webhook as the platform does."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dialoom.testing.platforms import Messenger
from dialoom.testing.platforms.messenger_1.errors import GraphError
from dialoom.testing.platforms.messenger_1.screen import spans
from tests.testing.platforms.receiver import Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Talk:
    def __init__(self, messenger: Messenger, hook: Receiver) -> None:
        self.messenger, self.hook = messenger, hook
        self.user = messenger.user()

    async def call(self, path: str, given: Any, method: str = "POST") -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.messenger.page_token}"}
        return await self.hook.post(f"{self.messenger.api_url}{path}", given, headers, method)

    async def send(self, message: Any, **more: Any) -> tuple[int, Any]:
        body = {"recipient": {"id": self.user.id}, "messaging_type": "RESPONSE", "message": message, **more}
        return await self.call("/me/messages", {k: v for k, v in body.items() if v is not None})


@asynccontextmanager
async def talk(**options: Any) -> AsyncIterator[Talk]:
    async with receiver() as hook, Messenger(**options) as messenger:
        assert await messenger.connect(hook.url)
        made = Talk(messenger, hook)
        yield made


QUICK = {"content_type": "text", "title": "Yes", "payload": "k1"}
POSTBACK = {"type": "postback", "title": "Choose", "payload": "k1"}
ELEMENT = {"title": "Mug", "subtitle": "Blue", "buttons": [POSTBACK]}


def template(**payload: Any) -> dict[str, Any]:
    return {"attachment": {"type": "template", "payload": payload}}


def buttons(*given: dict[str, Any], text: str = "Which?") -> dict[str, Any]:
    return template(template_type="button", text=text, buttons=list(given))


def generic(*elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return template(template_type="generic", elements=list(elements), **more)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "Message cannot be empty"),
    ({"text": ""}, "Param message[text] must be a non-empty UTF-8 encoded string"),
    ({"text": "a" * 2001}, "Length of param message[text] must be less than or equal to 2000"),
    ({"text": 5}, "Param message[text] must be a string"),
    ({"text": "a", "buttons": []}, 'Invalid keys "buttons" were found in param "message".'),
    ({"text": "a", **generic(ELEMENT)}, "Message cannot be empty"),
    ({"text": "a", "quick_replies": [QUICK] * 14}, "Param message[quick_replies] has 14 members and may have 13"),
    (
        {"text": "a", "quick_replies": [{**QUICK, "title": "a" * 21}]},
        "Length of param message[quick_replies][0][title] must be less than or equal to 20",
    ),
    (
        {"text": "a", "quick_replies": [{**QUICK, "payload": "a" * 1001}]},
        "[payload] must be less than or equal to 1000",
    ),
    ({"text": "a", "quick_replies": [{**QUICK, "value": "x"}]}, 'Invalid keys "value"'),
    ({"text": "a", "quick_replies": [{"title": "x", "payload": "x"}]}, "[content_type] is required"),
    ({"text": "a", "quick_replies": [{"content_type": "location"}]}, "'location' is none of text"),
    ({"text": "a", "quick_replies": [{"content_type": "text", "title": "x"}]}, "[payload] is required"),
    ({"text": "a", "quick_replies": [{**QUICK, "image_url": "data:x"}]}, "should represent a valid URL"),
    (buttons(), "needs 1"),
    (buttons(*[POSTBACK] * 4), "has 4 members and may have 3"),
    (buttons(POSTBACK, text="a" * 641), "less than or equal to 640"),
    (buttons({**POSTBACK, "title": "a" * 21}), "less than or equal to 20"),
    (buttons({**POSTBACK, "type": "reply"}), "'reply' is none of web_url"),
    (buttons({**POSTBACK, "url": "https://a.example"}), 'Invalid keys "url"'),
    (buttons({"type": "web_url", "title": "x", "url": "javascript:1"}), "should represent a valid URL"),
    (buttons({"type": "account_link", "url": "http://a.example/login"}), "should represent a valid URL"),
    (buttons({"type": "account_link", "url": "https://a.example", "title": "Log in"}), 'Invalid keys "title"'),
    (buttons({"type": "phone_number", "title": "x", "payload": "123"}), "begins with +"),
    (
        buttons({"type": "web_url", "title": "x", "url": "http://a.example", "messenger_extensions": True}),
        "must be HTTPS",
    ),
    (generic(), "needs 1"),
    (generic(*[ELEMENT] * 11), "has 11 members and may have 10"),
    (generic({"title": "Mug"}), "needs a property besides its title"),
    (generic({**ELEMENT, "title": "a" * 81}), "less than or equal to 80"),
    (generic({**ELEMENT, "subtitle": "a" * 81}), "less than or equal to 80"),
    (generic({"subtitle": "Blue"}), "[title] is required"),
    (generic(ELEMENT, image_aspect_ratio="wide"), "'wide' is none of horizontal, square"),
    (template(template_type="list", elements=[]), "'list' is none of button, generic"),
    ({"attachment": {"type": "image", "payload": {}}}, "Must upload exactly one attachment"),
]


async def test_what_the_platform_refuses_is_refused() -> None:
    async with talk() as made:
        await made.user.say("hello")
        for message, problem in REFUSED:
            status, answer = await made.send(message)
            error = answer["error"]
            assert (status, error["type"], error["code"]) == (400, "OAuthException", 100), message
            assert problem in error["message"], (message, error)
            assert error["message"].startswith("(#100) ")
        assert made.user.received == []


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"messaging_type": None}, "The parameter messaging_type is required"),
        ({"messaging_type": "REPLY"}, "'REPLY' is none of RESPONSE"),
        ({"messaging_type": "MESSAGE_TAG"}, "The parameter tag is required"),
        ({"tag": "ACCOUNT_UPDATE"}, "must be sent with messaging_type MESSAGE_TAG"),
        ({"sender_action": "typing_on"}, "exactly one of message and sender_action"),
        ({"recipient": {"id": "1"}}, "No matching user found"),
        ({"recipient": None}, "The parameter recipient is required"),
        ({"receiver": "1"}, 'Invalid keys "receiver"'),
    ],
)
async def test_a_call_without_its_parts_is_refused(more: dict[str, Any], problem: str) -> None:
    async with talk() as made:
        await made.user.say("hello")
        status, answer = await made.send({"text": "a"}, **more)
        assert status == 400
        assert problem in answer["error"]["message"]


async def test_what_the_platform_takes_is_taken() -> None:
    async with talk() as made:
        await made.user.say("hello")
        right = [
            {"text": "ä" * 2000, "quick_replies": [{**QUICK, "title": "é" * 20}] * 13},
            buttons(POSTBACK, {"type": "account_link", "url": "https://a.example"}, text="a" * 640),
            generic(*[ELEMENT] * 10, image_aspect_ratio="square"),
            {"attachment": {"type": "image", "payload": {"url": "https://a.example/1.png", "is_reusable": True}}},
        ]
        for message in right:
            status, answer = await made.send(message)
            assert (status, answer["recipient_id"]) == (200, made.user.id)
        assert made.user.received == right
        assert (await made.call("/me/messages", {"recipient": {"id": made.user.id}, "sender_action": "typing_on"}))[
            0
        ] == 200
        assert made.user.typing


async def test_a_wrong_token_is_refused() -> None:
    async with talk() as made:
        status, answer = await made.hook.post(f"{made.messenger.api_url}/me/messages?access_token=other", {})
        assert (status, answer["error"]["code"]) == (400, 190)
        status, answer = await made.hook.post(f"{made.messenger.api_url}/me/messages", {})
        assert (status, answer["error"]["code"]) == (400, 104)


async def test_the_window_closes_after_a_day_and_a_blocked_page_may_not_write() -> None:
    clock = [1_000_000.0]
    async with talk(clock=lambda: clock[0]) as made:
        assert (await made.send({"text": "a"}))[1]["error"]["error_subcode"] == 2018001
        await made.user.say("hello")
        clock[0] += 24 * 3600 + 1
        status, answer = await made.send({"text": "a"})
        assert (status, answer["error"]["code"], answer["error"]["error_subcode"]) == (400, 10, 2018278)
        tagged = {"messaging_type": "MESSAGE_TAG", "tag": "ACCOUNT_UPDATE"}
        assert (await made.send({"text": "a"}, **tagged))[0] == 200
        made.user.blocked = True
        assert (await made.send({"text": "a"}, **tagged))[1]["error"]["code"] == 551


async def test_too_many_calls_are_answered_with_400() -> None:
    async with talk() as made:
        await made.user.say("hello")
        made.messenger.fail_next(400, body=GraphError(613).body())
        status, answer = await made.send({"text": "a"})
        assert (status, answer["error"]["code"]) == (400, 613)
        assert (await made.send({"text": "a"}))[0] == 200


async def test_events_are_signed_and_several_come_in_one_call() -> None:
    async with talk() as made:
        other = made.messenger.user("Grace", "Hopper")
        await made.messenger.deliver([made.user.message({"text": "one"})], [other.message({"text": "two"})])
        call = made.hook.received[-1]
        digest = hmac.new(made.messenger.app_secret.encode(), call.body, hashlib.sha256).hexdigest()
        assert call.headers["x-hub-signature-256"] == f"sha256={digest}"
        assert [one["messaging"][0]["message"]["text"] for one in call.json["entry"]] == ["one", "two"]
        assert call.json["object"] == "page"
        assert {one["id"] for one in call.json["entry"]} == {made.messenger.page_id}


async def test_the_webhook_proves_itself_and_a_wrong_answer_does_not_connect() -> None:
    async with receiver() as hook, Messenger() as messenger:
        assert await messenger.connect(hook.url)
        assert hook.received[0].query["hub.mode"] == "subscribe"
        assert hook.received[0].query["hub.verify_token"] == messenger.verify_token
        assert not await messenger.connect(messenger.url)


async def test_a_person_taps_what_the_bot_sent() -> None:
    async with talk() as made:
        user, hook = made.user, made.hook
        await user.say("hello")
        await made.send({"text": "Sure?", "quick_replies": [QUICK]})
        await made.send(generic(ELEMENT))
        with pytest.raises(LookupError):
            await user.tap("Yes")
        await user.tap("Choose")
        assert hook.received[-1].json["entry"][0]["messaging"][0]["postback"]["payload"] == "k1"
        await made.send({"text": "Sure?", "quick_replies": [QUICK]})
        await user.tap("Yes")
        message = hook.received[-1].json["entry"][0]["messaging"][0]["message"]
        assert (message["text"], message["quick_reply"]) == ("Yes", {"payload": "k1"})
        await user.tap("Choose")
        await user.open_link("login")
        assert hook.received[-1].json["entry"][0]["messaging"][0]["referral"]["ref"] == "login"


async def test_account_linking_ends_at_the_platform_and_is_told_to_the_bot() -> None:
    async with talk() as made:
        await made.user.say("hello")
        await made.send(buttons({"type": "account_link", "url": "https://bot.example/login?state=1"}))
        opened = made.user.link("Log In")
        assert opened.startswith("https://bot.example/login?state=1&redirect_uri=http")
        async with made.hook.client.get(_redirect(opened) + "&authorization_code=abc") as answer:
            assert answer.status == 200
        linking = made.hook.received[-1].json["entry"][0]["messaging"][0]["account_linking"]
        assert linking == {"status": "linked", "authorization_code": "abc"}
        async with made.hook.client.get(_redirect(opened)) as answer:
            assert answer.status == 400


def _redirect(address: str) -> str:
    return parse_qs(urlsplit(address).query)["redirect_uri"][0]


async def test_the_profile_and_the_subscription_of_the_page() -> None:
    async with talk() as made:
        await made.user.say("hello")
        status, answer = await made.call(f"/{made.user.id}?fields=first_name,locale", None, "GET")
        assert (status, answer) == (200, {"first_name": "Ada", "locale": "en_US", "id": made.user.id})
        assert (await made.call(f"/{made.user.id}?fields=age", None, "GET"))[1]["error"]["code"] == 100
        assert (await made.call("/me/subscribed_apps", {"subscribed_fields": "messages,nothing"}))[0] == 400
        assert (await made.call("/me/subscribed_apps", {"subscribed_fields": "messages"}))[0] == 200
        seen = len(made.hook.received)
        await made.user.read()
        assert len(made.hook.received) == seen
        assert (await made.call("/me/messenger_profile", {"persistent_menu": []}))[0] == 400
        assert (await made.call("/me/messenger_profile", {"get_started": {"payload": "start"}}))[0] == 200
        status, answer = await made.call(f"/debug_token?input_token={made.messenger.page_token}", None, "GET")
        assert "pages_messaging" in answer["data"]["scopes"]


def test_marked_words_are_shown_as_the_platform_shows_them() -> None:
    assert spans("a *b c* d_e_f") == [{"text": "a "}, {"text": "b c", "styles": ["bold"]}, {"text": " d_e_f"}]
