"""Telegram as its users meet it: the service and the strict stand-in of the Bot API call each other."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.channels.platform_service import Running, running_service
from tests.http.support import BOT, FLOW, serving

from dialoom.channels import CHANNELS
from dialoom.errors import RemoteError
from dialoom.storage.store import ChatKey
from dialoom.testing.platforms.messenger_3 import Telegram, TelegramUser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

CHANNEL = {
    "id": "tg",
    "type": "messenger-3",
    "bot-token": "123:of-the-bot",
    "bot-name": "tea_bot",
    "webhook-secret": "secret-of-the-webhook",
}


def asking(
    display: dict[str, Any] | None, entity_type: str = "Tea", messages: tuple[str, ...] = ("Which tea?",), **keys: Any
) -> dict[str, Any]:
    """Return the tea flow with its question shown in this form; then it says what was chosen."""
    flow = copy.deepcopy(FLOW)
    question, password, _ = flow["conversations"]["tea"]["steps"]
    question |= {"entity-type": entity_type, "messages": list(messages), **keys}
    question["display"] = display
    if display is None:
        del question["display"]
    flow["conversations"]["tea"]["steps"] = [
        question,
        {"type": "message", "messages": ["You took {{kind}}."]},
        password,
    ]
    return flow


def numbered(count: int, **more: str) -> list[dict[str, str]]:
    return [{"title": f"Tea {number}", "value": f"t{number}", **more} for number in range(1, count + 1)]


@contextlib.asynccontextmanager
async def asked(
    telegram: Telegram, folder: Path, flow: dict[str, Any], received: int = 1
) -> AsyncIterator[tuple[Running, TelegramUser]]:
    """Run the bot and bring a user to its question; after the test no tap is unanswered."""
    async with running_service(folder, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 1 + received)
        yield running, ada
        await running.settled()
        assert telegram.callbacks == {}
        assert await running.service.outbox.dead("tea") == []


def titles(message: dict[str, Any]) -> list[str]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [button["text"] for row in rows for button in row]


def last(user: TelegramUser) -> dict[str, Any]:
    return user.received[-1]


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram(CHANNEL["bot-token"], CHANNEL["bot-name"]) as platform:
        yield platform


async def connected(running: Running) -> None:
    """Have the channel connect itself to the platform."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    done = await CHANNELS["messenger-3"].connect(place, f"{running.url}/v1/bots/tea/channels/tg/messenger-3")
    assert [one.state for one in done] == ["ok"] * 3, done


async def test_a_user_starts_the_bot_types_taps_and_is_answered(telegram: Telegram, tmp_path: Path) -> None:
    async with running_service(tmp_path, CHANNEL, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.start()
        await telegram.until(lambda: len(ada.received) == 1)
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 2)
        assert [said["text"] for said in ada.received] == ["Hello!", "Which tea?"]
        await ada.tap("Mint")
        await telegram.until(lambda: len(ada.received) == 3)
        await running.settled()
        assert ada.received[-1]["text"] == "The password?"


async def test_a_suggestion_that_is_tapped_is_said(telegram: Telegram, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    long = "I want tea, and tell me everything that there is to know about where it is grown and who picks it"
    flow["conversations"]["welcome"]["steps"][0]["display"] = {"type": "quick-reply", "data": ["tea", long]}
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.start()
        await telegram.until(lambda: len(ada.received) == 1)
        await ada.tap("tea")
        await telegram.until(lambda: len(ada.received) == 2)
        assert ada.received[-1]["text"] == "Which tea?"
        (button,) = (title for title in titles(ada.received[0]) if title.endswith("…"))
        await ada.tap(button, ada.received[0]["message_id"])
        await telegram.until(lambda: len(ada.received) == 3)
        key = ChatKey("tea", "tg", str(ada.id))
        said = [one.record.text for one in await running.service.store.last_said(key, 9) if one.record.from_ == "user"]
        assert said[-1] == long


async def test_a_card_whose_picture_cannot_be_fetched_is_shown_without_it(telegram: Telegram, tmp_path: Path) -> None:
    template = {"title": "{{this}}", "image": "https://tea.example/{{this}}.jpg"}
    flow = asking(
        {"type": "carousel", "button-text": "This one", "data": ["Green", "Black", "Mint"], "template": template}
    )
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        body = {"ok": False, "error_code": 400, "description": "Bad Request: failed to get HTTP URL content"}
        telegram.fail_next(400, body=body, on="sendPhoto")
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 3)
        card = ada.received[-1]
        assert ("photo" in card, card["text"]) == (False, "Green")
        await ada.tap("›")
        await telegram.until(lambda: ada.received[-1]["text"] == "Black")
        await ada.tap("This one")
        await telegram.until(lambda: len(ada.received) == 4)


async def test_a_card_that_the_platform_took_no_time_for_keeps_its_picture(telegram: Telegram, tmp_path: Path) -> None:
    template = {"title": "{{this}}", "image": "https://tea.example/{{this}}.jpg"}
    flow = asking({"type": "carousel", "button-text": "This one", "data": ["Green", "Black"], "template": template})
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        telegram.fail_next(502, on="sendPhoto")
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 3)
        assert "photo" in ada.received[-1]


async def test_a_list_of_ten_opens_below_its_button_and_one_of_eleven_is_a_page(
    telegram: Telegram, tmp_path: Path
) -> None:
    for count in (10, 11):
        display = {"type": "single-select", "title": "Choose", "data": numbered(count)}
        async with asked(telegram, tmp_path / str(count), asking(display, "Text")) as (running, ada):
            question = last(ada)
            assert titles(question) == ["Choose"]
            if count == 11:
                assert ada.link("Choose").startswith(f"{running.url}/v1/bots/tea/channels/tg/pick/")
                continue
            await ada.tap("Choose")
            await telegram.until(lambda: len(titles(last(ada))) == 10)
            assert last(ada)["message_id"] == question["message_id"]
            await ada.tap("Tea 7")
            await telegram.until(lambda: last(ada)["text"] == "The password?")
            assert ada.received[-2]["text"] == "You took t7."


@pytest.mark.parametrize("image", ["https://shop.example.com/tea.png", None])
async def test_cards_of_a_carousel_are_turned_over_in_their_message(
    telegram: Telegram, tmp_path: Path, image: str | None
) -> None:
    data = numbered(3, **({"image": image} if image else {}))
    template = {"title": "{{title}}", "value": "{{value}}"} | ({"image": image} if image else {})
    display = {"type": "carousel", "button-text": "This one", "data": data, "template": template}
    async with asked(telegram, tmp_path, asking(display, "Text"), received=2) as (_, ada):
        card = last(ada)
        shown = "caption" if image else "text"
        assert (card[shown], titles(card)) == ("Tea 1", ["‹", "1/3", "›", "This one"])
        for turn, expected in (("›", "2/3"), ("›", "3/3"), ("›", "1/3"), ("‹", "3/3")):
            await ada.tap(turn)
            await telegram.until(lambda expected=expected: expected in titles(last(ada)))  # type: ignore[misc]  # its type is its claim's
        assert last(ada)["message_id"] == card["message_id"]
        assert last(ada)[shown] == "Tea 3"
        await ada.tap("This one")
        await telegram.until(lambda: ada.received[-1].get("text") == "The password?")
        assert ada.received[-2]["text"] == "You took t3."


async def test_a_place_is_asked_for_with_the_platforms_own_keyboard(telegram: Telegram, tmp_path: Path) -> None:
    display = {"type": "location-picker", "title": "Share my place"}
    async with asked(telegram, tmp_path, asking(display, "Location")) as (_, ada):
        assert ada.keyboard is not None
        (button,) = ada.keyboard["keyboard"][0]
        assert button == {"text": "Share my place", "request_location": True}
        await ada.share_location(52.5, 13.4)
        await telegram.until(lambda: last(ada)["text"] == "The password?")


async def test_a_venue_answers_with_its_place(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking({"type": "location-picker"}, "Location")) as (_, ada):
        await ada.send_venue(52.5, 13.4, "The tea house")
        await telegram.until(lambda: last(ada)["text"] == "The password?")


async def test_a_date_is_a_link_to_the_page_with_the_calendar_and_may_be_typed(
    telegram: Telegram, tmp_path: Path
) -> None:
    async with asked(telegram, tmp_path, asking({"type": "date-picker", "title": "Pick a day"}, "Date")) as (_, ada):
        assert "/channels/tg/pick/" in ada.link("Pick a day")
        await ada.say("2031-05-04")
        await telegram.until(lambda: last(ada)["text"] == "The password?")


async def test_several_are_chosen_by_their_numbers(telegram: Telegram, tmp_path: Path) -> None:
    flow = asking({"type": "multi-select"}, **{"capture-multiple-values": True})
    async with asked(telegram, tmp_path, flow) as (_, ada):
        assert "1. Black\n2. Green\n3. Mint" in last(ada)["text"]
        await ada.say("1, 3")
        await telegram.until(lambda: last(ada)["text"] == "The password?")
        assert ada.received[-2]["text"] == "You took Black, Mint."


async def test_a_tap_on_an_old_question_is_answered_with_the_open_one(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking({"type": "quick-reply", "data": numbered(2)}, "Text")) as (_, ada):
        old = last(ada)["message_id"]
        await ada.tap("Tea 2")
        await telegram.until(lambda: last(ada)["text"] == "The password?")
        count = len(ada.received)
        await ada.tap("Tea 1", old)
        await telegram.until(lambda: len(ada.received) > count)
        assert "The password?" in last(ada)["text"]
        assert not any("t1" in said.get("text", "") for said in ada.received)


async def test_data_that_no_button_has_shows_no_card_and_is_no_error(tmp_path: Path) -> None:
    flow = asking({"type": "location-picker", "title": "Here"}, "Location")
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL]}, flow=flow) as client:
        headers = {"X-Telegram-Bot-Api-Secret-Token": CHANNEL["webhook-secret"]}
        ada = {"id": 7, "first_name": "Ada"}
        message = {"message_id": 1, "chat": {"id": 7}, "from": ada}
        tap = {"id": "9", "from": ada, "message": message}
        bodies = [{"update_id": 1, "message": message | {"text": "tea"}}]
        bodies += [{"update_id": 2 + number, "callback_query": tap | {"data": f"?{number}.0"}} for number in range(4)]
        for body in bodies:
            answer = await client.call("POST", "/v1/bots/tea/channels/tg/messenger-3", body, headers)
            assert answer.status == 200


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda user: user.send_sticker("👍"), "You took 👍."),
        (lambda user: user.share_contact("+49301234567"), "You took +49301234567."),
        (lambda user: user.say("/mint_tea please"), "You took mint tea please."),
    ],
    ids=["sticker", "contact", "command"],
)
async def test_what_is_no_text_counts_as_the_words_in_it(
    act: Callable[[TelegramUser], Awaitable[Any]], expected: str, telegram: Telegram, tmp_path: Path
) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (_, ada):
        await act(ada)
        await telegram.until(lambda: any(said["text"] == expected for said in ada.received))


async def test_a_message_that_is_changed_counts_as_one_more(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (_, ada):
        await ada.edit(ada.messages[0]["message_id"], "Black")
        await telegram.until(lambda: any(said["text"] == "You took Black." for said in ada.received))


@pytest.mark.parametrize("kind", ["photo", "voice", "document"])
async def test_a_file_is_fetched_and_kept(kind: str, telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "File")) as (running, ada):
        content = b"\x89PNG\r\n\x1a\n" + bytes(2000)
        if kind == "photo":
            await ada.send_photo(content, "My tea")
        elif kind == "voice":
            await ada.send_voice(content)
        else:
            await ada.send_document(content, "tea.png")
        await telegram.until(lambda: last(ada)["text"] == "The password?")
        (kept,) = await running.service.store.files_of(ChatKey("tea", "tg", str(ada.id)))
        assert kept.size == len(content)
        assert len(telegram.calls("/file/bot")) == 1


async def test_a_file_that_the_platform_gives_to_no_bot_is_a_message_without_words(
    telegram: Telegram, tmp_path: Path
) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (_, ada):
        count = len(ada.received)
        assert (await ada.send_document(bytes(20_000_001), "film.bin")).status == 200
        await telegram.until(lambda: len(ada.received) > count)
        assert not any(said["text"].startswith("You took") for said in ada.received)


async def test_a_file_that_cannot_be_had_now_is_asked_for_again(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "File")) as (_, ada):
        telegram.fail_next(502, on="getFile")
        assert (await ada.send_photo(b"\x89PNG\r\n\x1a\n" + bytes(200))).status == 200
        await telegram.until(lambda: last(ada)["text"] == "The password?")


async def test_the_caption_of_a_file_is_what_the_user_says(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (_, ada):
        await ada.send_photo(b"\x89PNG\r\n\x1a\n" + bytes(200), "Mint")
        await telegram.until(lambda: last(ada)["text"] == "The password?")
        assert ada.received[-2]["text"] == "You took Mint."


async def test_groups_are_left_alone(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (running, ada):
        group = telegram.group()
        assert (await group.say(ada, "tea @tea_bot")).status == 200
        await running.settled()
        assert [one["from"]["is_bot"] for one in group.messages] == [False]


async def test_a_link_into_the_chat_brings_what_it_carries_and_the_way_back_from_a_login_says_nothing(
    telegram: Telegram, tmp_path: Path
) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["welcome"]["steps"][0]["messages"] = ["Hello from {{referral}}!"]
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.start("spring-offer")
        await telegram.until(lambda: bool(ada.received))
        assert last(ada)["text"] == "Hello from spring-offer!"
        assert (await ada.start("login")).status == 200
        await running.settled()
        assert len(ada.received) == 1


def update(id: int, user: TelegramUser, **message: Any) -> dict[str, Any]:
    about = {"message_id": id, "date": 1, "chat": user.chat, "from": user.profile, "a_new_field": {"of": ["the", 1]}}
    return {"update_id": id, "message": about | message, "another": None}


async def test_updates_count_once_and_fields_that_are_not_known_are_passed_over(
    telegram: Telegram, tmp_path: Path
) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (running, ada):
        body = json.dumps(update(77, ada, text="Mint")).encode()
        headers = {"X-Telegram-Bot-Api-Secret-Token": CHANNEL["webhook-secret"]}
        for _ in range(3):
            assert (await telegram.send(telegram.webhook["url"], body, headers)).status == 200
        await telegram.until(lambda: last(ada)["text"] == "The password?")
        await running.settled()
        assert [said["text"] for said in ada.received].count("You took Mint.") == 1


async def test_a_field_of_a_wrong_type_is_left_out_and_what_cannot_be_read_is_not_asked_for_again(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL]}) as client:
        headers = {"X-Telegram-Bot-Api-Secret-Token": CHANNEL["webhook-secret"]}
        ada = {"id": 7, "first_name": ["Ada"]}
        message = {"message_id": 1, "chat": {"id": 7}, "from": ada, "text": "tea", "contact": {"phone_number": 7}}
        for body in ({"update_id": 1}, {"message": message}, [], {"update_id": 1, "message": message}):
            answer = await client.call("POST", "/v1/bots/tea/channels/tg/messenger-3", body, headers)
            assert answer.status == 200
        said = await client.service.store.last_said(ChatKey("tea", "tg", "7"), 9)
        assert [one.record.text for one in said] == ["tea", "Hello!", "Which tea?"]


@pytest.mark.parametrize("secret", [None, "", "secret-of-the-webhooK", "secret-of-the-webhook ", "123:of-the-bot", "ü"])
async def test_a_call_without_the_webhooks_secret_is_refused_and_nothing_is_stored(
    secret: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL]}) as client:
        headers = {} if secret is None else {"X-Telegram-Bot-Api-Secret-Token": secret}
        body = {"update_id": 1, "message": {"message_id": 1, "chat": {"id": 7}, "from": {"id": 7}, "text": "tea"}}
        answer = await client.call("POST", "/v1/bots/tea/channels/tg/messenger-3", body, headers)
        assert (answer.status, answer.json["code"]) == (401, "bad-signature")
        assert await client.service.store.chat(ChatKey("tea", "tg", "7")) is None


async def test_an_answer_that_cannot_be_read_is_said_to_be_so(telegram: Telegram, tmp_path: Path) -> None:
    async with running_service(tmp_path, CHANNEL, messenger_3_url=telegram.url) as running:
        telegram.fail_next(200, body=[7], on="setWebhook")
        with pytest.raises(RemoteError, match="setWebhook: the answer cannot be read"):
            await connected(running)


async def test_an_empty_secret_proves_no_call(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL | {"webhook-secret": ""}]}) as client:
        body = {"update_id": 1, "message": {"message_id": 1, "chat": {"id": 7}, "from": {"id": 7}, "text": "tea"}}
        for headers in ({}, {"X-Telegram-Bot-Api-Secret-Token": ""}):
            answer = await client.call("POST", "/v1/bots/tea/channels/tg/messenger-3", body, headers)
            assert answer.status == 404
        assert await client.service.store.chat(ChatKey("tea", "tg", "7")) is None


FILE = {"file_id": "AgACAgIAAxkBAAI", "file_size": 3}
FIELDS: dict[str, Any] = {
    "message_id": 5,
    "chat": {"id": 7, "type": "private"},
    "from": {"id": 7, "first_name": "Ada", "language_code": "en"},
    "text": "tea",
    "sticker": FILE | {"emoji": "👍"},
    "location": {"latitude": 52.5, "longitude": 13.4},
    "contact": {"phone_number": "+4930"},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def updates(draw: st.DrawFn) -> Any:
    """Draw an update with some fields replaced by anything."""
    chosen = {name: value for name, value in FIELDS.items() if draw(st.integers(0, 3))}
    for name in draw(st.sets(st.sampled_from([*FIELDS, "photo", "voice", "venue"]), max_size=2)):
        chosen[name] = draw(JSON)
    kind = draw(st.sampled_from(["message", "edited_message", "callback_query"]))
    tap = {"id": "9", "from": FIELDS["from"], "message": chosen, "data": draw(st.sampled_from(["1.0", "?1.list", "?"]))}
    id = draw(st.one_of(st.integers(), JSON))
    return draw(st.sampled_from([{"update_id": id, kind: tap if kind == "callback_query" else chosen}, chosen, id]))


async def test_any_update_is_taken_or_refused_and_never_an_error_of_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bodies: list[Any] = []

    @settings(max_examples=250, deadline=None, database=None)
    @given(updates())
    def draw(body: Any) -> None:
        bodies.append(body)

    draw()
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL]}, messenger_3_url="http://127.0.0.1:1") as client:
        headers = {"X-Telegram-Bot-Api-Secret-Token": CHANNEL["webhook-secret"]}
        for body in bodies:
            answer = await client.call("POST", "/v1/bots/tea/channels/tg/messenger-3", body, headers)
            assert answer.status in (200, 429), (answer.status, body)
        assert not any(record.exc_info for record in caplog.records)


async def test_a_start_in_the_middle_of_a_talk_asks_the_open_question_again(telegram: Telegram, tmp_path: Path) -> None:
    async with asked(telegram, tmp_path, asking(None, "Text")) as (_, ada):
        question, count = last(ada)["text"], len(ada.received)
        await ada.start()
        await telegram.until(lambda: len(ada.received) > count)
        assert last(ada)["text"] == question


async def test_true_calls_are_taken_from_an_address_that_sent_too_many_forged_ones(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=BOT | {"channels": [CHANNEL]}, rate_address="3/min") as client:
        body = {"update_id": 1, "message": {"message_id": 1, "chat": {"id": 7}, "from": {"id": 7}, "text": "tea"}}
        path, secret = "/v1/bots/tea/channels/tg/messenger-3", {"X-Telegram-Bot-Api-Secret-Token": "forged"}
        statuses = [(await client.call("POST", path, body, secret)).status for _ in range(6)]
        assert statuses == [401, 401, 401, 429, 429, 429]
        secret["X-Telegram-Bot-Api-Secret-Token"] = CHANNEL["webhook-secret"]
        assert (await client.call("POST", path, body, secret)).status == 200
