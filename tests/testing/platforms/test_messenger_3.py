"""The stand-in of Telegram refuses what the Bot API refuses, and calls the webhook as the platform does."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.testing.platforms import Telegram
from dialoom.testing.platforms.messenger_3.screen import spans
from dialoom.testing.platforms.stand_in import Call
from tests.testing.platforms.receiver import Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Talk:
    def __init__(self, telegram: Telegram, hook: Receiver) -> None:
        self.telegram, self.hook = telegram, hook

    async def call(self, method: str, **given: Any) -> tuple[int, Any]:
        address = f"{self.telegram.url}/bot{self.telegram.bot_token}/{method}"
        return await self.hook.post(address, given)

    async def done(self, method: str, **given: Any) -> Any:
        status, answer = await self.call(method, **given)
        assert (status, answer["ok"]) == (200, True), answer
        return answer["result"]


@asynccontextmanager
async def talk(**options: Any) -> AsyncIterator[Talk]:
    async with receiver() as hook, Telegram(**options) as telegram:
        made = Talk(telegram, hook)
        await made.done("setWebhook", url=hook.url, secret_token="a_secret-1")
        yield made


def inline(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"inline_keyboard": [[button] for button in buttons]}


CALLBACK = {"text": "Yes", "callback_data": "k1"}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("sendMessage", {"text": ""}, "message text is empty"),
    ("sendMessage", {"text": " \n"}, "text must be non-empty"),
    ("sendMessage", {"text": "a" * 4097}, "message is too long"),
    ("sendMessage", {"text": "😀" * 2049}, "message is too long"),
    ("sendMessage", {"text": "ä" * 20000}, "text is too long"),
    ("sendMessage", {"text": 5}, 'field "text" must be of type String'),
    ("sendMessage", {"text": "a", "markup": {}}, "unknown parameters: markup"),
    ("sendMessage", {"text": "a", "chat_id": 1}, "chat not found"),
    ("sendMessage", {"text": "a", "chat_id": ""}, "chat_id is empty"),
    ("sendMessage", {"text": "<b>a", "parse_mode": "HTML"}, "can't parse entities: Can't find end tag"),
    ("sendMessage", {"text": "a</b>", "parse_mode": "HTML"}, "can't parse entities: Unexpected end tag"),
    ("sendMessage", {"text": "<b>a</i>", "parse_mode": "HTML"}, "can't parse entities: Unmatched end tag"),
    ("sendMessage", {"text": "1 < 2", "parse_mode": "HTML"}, "can't parse entities: Unclosed start tag"),
    ("sendMessage", {"text": "<p>a</p>", "parse_mode": "HTML"}, 'can\'t parse entities: Unsupported start tag "p"'),
    ("sendMessage", {"text": "<br/>", "parse_mode": "HTML"}, 'can\'t parse entities: Unsupported start tag "br/"'),
    ("sendMessage", {"text": "<a href>x</a>", "parse_mode": "HTML"}, "can't parse entities: Expected equal sign"),
    ("sendMessage", {"text": "<span>x</span>", "parse_mode": "HTML"}, 'can\'t parse entities: Tag "span" must have'),
    ("sendMessage", {"text": "a", "reply_markup": []}, "object expected as reply markup"),
    ("sendMessage", {"text": "a", "reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
    ("sendMessage", {"text": "a", "reply_markup": {"inline_keyboard": [CALLBACK]}}, "must be an Array of Arrays"),
    ("sendMessage", {"text": "a", "reply_markup": inline({"text": "Yes"})}, "Text buttons are unallowed"),
    ("sendMessage", {"text": "a", "reply_markup": inline({"callback_data": "k"})}, 'Can\'t find field "text"'),
    ("sendMessage", {"text": "a", "reply_markup": inline({**CALLBACK, "text": ""})}, "button text must be non-empty"),
    ("sendMessage", {"text": "a", "reply_markup": inline({**CALLBACK, "callback_data": ""})}, "BUTTON_DATA_INVALID"),
    (
        "sendMessage",
        {"text": "a", "reply_markup": inline({**CALLBACK, "callback_data": "ä" * 33})},
        "BUTTON_DATA_INVALID",
    ),
    ("sendMessage", {"text": "a", "reply_markup": inline({**CALLBACK, "url": "https://a.example"})}, "knows no button"),
    ("sendMessage", {"text": "a", "reply_markup": inline({"text": "x", "url": "javascript:1"})}, "Wrong HTTP URL"),
    ("sendMessage", {"text": "a", "reply_markup": inline(*[CALLBACK] * 101)}, "reply markup is too long"),
    ("sendMessage", {"text": "a", "reply_markup": {"inline_keyboard": [[CALLBACK] * 9]}}, "reply markup is too long"),
    ("sendMessage", {"text": "a", "reply_markup": {"keyboard": [[{"text": ""}]]}}, "button text must be non-empty"),
    ("sendMessage", {"text": "a", "reply_markup": {"keyboard": [["x"]], "inline_keyboard": []}}, "no reply markup"),
    ("sendPhoto", {}, "there is no photo in the request"),
    ("sendPhoto", {"photo": "ftp://a.example/p.png"}, "wrong HTTP URL specified"),
    ("sendPhoto", {"photo": "https://a.example/p.svg"}, "wrong type of the web page content"),
    ("sendPhoto", {"photo": "https://a.example/p.png", "caption": "a" * 1025}, "message caption is too long"),
    ("sendChatAction", {"action": "thinking"}, "wrong parameter action in request"),
    ("answerCallbackQuery", {"callback_query_id": "1", "chat_id": None}, "unknown parameters: chat_id"),
    ("editMessageText", {"message_id": 1, "text": "a"}, "message to edit not found"),
    ("editMessageText", {"text": "a"}, "message identifier is not specified"),
    ("setWebhook", {"url": "http://bot.example/hook", "chat_id": None}, "unknown parameters"),
]


async def test_what_the_platform_refuses_is_refused() -> None:
    async with talk() as made:
        user = made.telegram.user()
        await user.say("hello")
        for method, given, problem in REFUSED:
            status, answer = await made.call(method, **{"chat_id": user.id, **given})
            assert (status, answer["ok"], answer["error_code"]) == (400, False, 400), (method, given)
            assert problem in answer["description"], (method, given)
            assert answer["description"].startswith("Bad Request: ")
        assert user.received == []


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"url": "http://bot.example/hook"}, "An HTTPS URL must be provided"),
        ({"url": "https://bot.example:8080/hook"}, "only on ports 80, 88, 443 or 8443"),
        ({"url": "https://bot.example/", "secret_token": "a b"}, "secret token contains unallowed characters"),
        ({"url": "https://bot.example/", "secret_token": "a" * 257}, "secret token is too long"),
        ({"url": "https://bot.example/", "max_connections": 101}, "max_connections"),
    ],
)
async def test_a_webhook_that_the_platform_would_not_call_is_refused(given: dict[str, Any], problem: str) -> None:
    async with talk() as made:
        status, answer = await made.call("setWebhook", **given)
        assert status == 400
        assert problem in answer["description"]


async def test_a_wrong_token_and_an_unknown_method_are_refused() -> None:
    async with talk() as made:
        url = made.telegram.url
        assert (await made.hook.post(f"{url}/bot1:other/getMe", {}))[0] == 401
        assert (await made.call("sendNothing"))[0] == 404
        assert (await made.hook.post(f"{url}/getMe", {}))[0] == 404


async def test_a_person_writes_first_and_a_blocked_bot_may_not_write() -> None:
    async with talk() as made:
        user = made.telegram.user()
        status, answer = await made.call("sendMessage", chat_id=user.id, text="hello")
        assert (status, answer["description"]) == (403, "Forbidden: bot can't initiate conversation with a user")
        await user.start("login")
        await user.block()
        status, answer = await made.call("sendMessage", chat_id=user.id, text="hello")
        assert (status, answer["description"]) == (403, "Forbidden: bot was blocked by the user")
        updates = [one.json for one in made.hook.received]
        assert updates[0]["message"]["text"] == "/start login"
        assert updates[0]["message"]["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]
        assert updates[1]["my_chat_member"]["new_chat_member"]["status"] == "kicked"
        assert updates[1]["update_id"] == updates[0]["update_id"] + 1
        assert {one.headers["x-telegram-bot-api-secret-token"] for one in made.hook.received} == {"a_secret-1"}


async def test_a_tap_is_answered_once() -> None:
    async with talk() as made:
        user = made.telegram.user()
        await user.start()
        asked = await made.done("sendMessage", chat_id=user.id, text="Sure?", reply_markup=inline(CALLBACK))
        await user.tap("Yes")
        query = made.hook.received[-1].json["callback_query"]
        assert (query["data"], query["message"]["message_id"]) == ("k1", asked["message_id"])
        assert list(made.telegram.callbacks) == [query["id"]]
        status, answer = await made.call("answerCallbackQuery", callback_query_id=query["id"], text="a" * 201)
        assert (status, answer["description"]) == (400, "Bad Request: MESSAGE_TOO_LONG")
        await made.done("answerCallbackQuery", callback_query_id=query["id"])
        assert not made.telegram.callbacks
        status, answer = await made.call("answerCallbackQuery", callback_query_id=query["id"])
        assert "query is too old" in answer["description"]
        with pytest.raises(LookupError):
            await user.tap("No")


async def test_an_edit_changes_what_the_person_sees() -> None:
    async with talk() as made:
        user = made.telegram.user()
        said = await user.say("hello")
        assert said.status == 200
        first = await made.done("sendMessage", chat_id=user.id, text="<b>One</b> &amp; two", parse_mode="HTML")
        assert (first["text"], first["entities"]) == ("One & two", [{"type": "bold", "offset": 0, "length": 3}])
        at = {"chat_id": user.id, "message_id": first["message_id"]}
        await made.done("editMessageText", **at, text="Two", reply_markup=inline(CALLBACK))
        assert [one["text"] for one in user.received] == ["Two"]
        _, answer = await made.call("editMessageText", **at, text="Two", reply_markup=inline(CALLBACK))
        assert "message is not modified" in answer["description"]
        _, answer = await made.call("editMessageText", **at, text="a", reply_markup={"keyboard": [["x"]]})
        assert answer["description"] == "Bad Request: inline keyboard expected"
        _, answer = await made.call("editMessageCaption", **at, caption="a")
        assert answer["description"] == "Bad Request: there is no caption in the message to edit"
        await made.done("editMessageReplyMarkup", **at)
        assert "reply_markup" not in user.received[-1]
        own = user.messages[0]["message_id"]
        _, answer = await made.call("editMessageText", chat_id=user.id, message_id=own, text="a")
        assert answer["description"] == "Bad Request: message can't be edited"


async def test_photo_cards_are_paged_by_editing_them() -> None:
    async with talk() as made:
        user = made.telegram.user()
        await user.say("hello")
        photo = {"photo": "https://shop.example/1.png", "caption": "One", "reply_markup": inline(CALLBACK)}
        card = await made.done("sendPhoto", chat_id=user.id, **photo)
        at = {"chat_id": user.id, "message_id": card["message_id"]}
        media = {"type": "photo", "media": "https://shop.example/2.png", "caption": "Two"}
        await made.done("editMessageMedia", **at, media=media, reply_markup=inline(CALLBACK))
        assert user.received[-1]["caption"] == "Two"
        assert (await made.call("editMessageText", **at, text="a"))[1]["description"].endswith(
            "no text in the message to edit"
        )
        assert (await made.call("editMessageMedia", **at, media={"type": "video", "media": "x"}))[0] == 400


async def test_a_place_is_asked_for_in_private_chats_only() -> None:
    async with talk() as made:
        user, group = made.telegram.user(), made.telegram.group()
        keyboard = {"keyboard": [[{"text": "Here", "request_location": True}]], "one_time_keyboard": True}
        await group.say(user, "@stand_in_bot hello")
        _, answer = await made.call("sendMessage", chat_id=group.chat["id"], text="a", reply_markup=keyboard)
        assert answer["description"] == "Bad Request: location can be requested in private chats only"
        await user.say("hello")
        await made.done("sendMessage", chat_id=user.id, text="Where?", reply_markup=keyboard)
        assert user.keyboard == keyboard
        await user.share_location(52.5, 13.4)
        assert user.keyboard is None
        assert made.hook.received[0].json["message"]["entities"][0]["type"] == "mention"
        assert made.hook.received[-1].json["message"]["location"] == {"latitude": 52.5, "longitude": 13.4}


async def test_more_than_one_message_a_second_in_a_chat_are_refused_after_a_burst() -> None:
    clock = [1_000.0]
    async with talk(clock=lambda: clock[0], limits_rate=True) as made:
        user = made.telegram.user()
        await user.say("hello")
        for _ in range(6):
            await made.done("sendMessage", chat_id=user.id, text="one")
        status, answer = await made.call("sendMessage", chat_id=user.id, text="two")
        assert (status, answer["parameters"]) == (429, {"retry_after": 1})
        clock[0] += 1
        await made.done("sendMessage", chat_id=user.id, text="two")


async def test_an_update_that_was_not_taken_comes_again() -> None:
    async with talk() as made:
        user = made.telegram.user()
        made.hook.answers = [(500, {})]
        await user.say("one")
        await user.say("two")
        await made.telegram.redeliver()
        await made.telegram.redeliver()
        assert [one.json["message"]["text"] for one in made.hook.received] == ["one", "two", "one"]
        assert made.hook.received[0].body == made.hook.received[2].body
        assert (await made.done("getWebhookInfo"))["pending_update_count"] == 0


async def test_only_updates_that_were_asked_for_are_sent() -> None:
    async with talk() as made:
        user = made.telegram.user()
        await made.done("setWebhook", url=made.hook.url, allowed_updates=["message"])
        await user.say("one")
        await user.edit(user.messages[0]["message_id"], "two")
        await user.send_sticker()
        assert [list(one.json)[1] for one in made.hook.received] == ["message", "message"]


def test_a_text_is_cut_where_its_look_changes() -> None:
    assert spans("😀 bold link", [{"type": "bold", "offset": 3, "length": 4}]) == [
        {"text": "😀 "},
        {"text": "bold", "styles": ["bold"]},
        {"text": " link"},
    ]


async def test_files_that_people_send_can_be_had_up_to_twenty_megabytes() -> None:
    async with talk() as made:
        kept, large = made.telegram.upload(b"tea"), made.telegram.upload(bytes(20_000_001))
        found = await made.done("getFile", file_id=kept["file_id"])
        assert found["file_size"] == 3
        answer = await made.telegram.answer(
            Call("GET", f"/file/bot{made.telegram.bot_token}/{found['file_path']}", {}, {}, b"")
        )
        assert answer.body == b"tea"
        status, refusal = await made.call("getFile", file_id=large["file_id"])
        assert (status, refusal["description"]) == (400, "Bad Request: file is too big")
        status, refusal = await made.call("getFile", file_id="AgACAgIAAxkBAAI1")
        assert refusal["description"].endswith("wrong file_id or the file is temporarily unavailable")
        wrong = await made.telegram.answer(Call("GET", f"/file/bot1:wrong/{found['file_path']}", {}, {}, b""))
        assert wrong.status == 404
