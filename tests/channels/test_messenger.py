"""Messenger as its users meet it: the service and the strict stand-in of the Graph API call each other."""

from __future__ import annotations

import asyncio
import copy
import json
import time
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from tests.channels.platform_flows import CLAIM, DISPLAYS, PNG, TABLES, TYPES, log_in, pick
from tests.channels.platform_service import Running, running_service
from tests.data.far_ends import Call, far_end
from tests.http.login_pages import PROMPT, SECRET, THANKS, Provider, flow
from tests.http.support import FLOW

from dialoom.channels import CHANNELS
from dialoom.errors import RemoteError
from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.messenger_1 import Messenger
from dialoom.testing.platforms.messenger_1.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from dialoom.channels._contract.channel import SetUp

CHANNEL = {
    "id": "fb",
    "type": "messenger-1",
    "page-id": "104000000000001",
    "app-secret": "secret-of-the-app",
    "page-token": "EAAB-token-of-the-page",
    "verify-token": "said-when-the-webhook-is-set",
}
PATH = "/v1/bots/tea/channels/fb/messenger-1"


@pytest.fixture
async def messenger() -> AsyncIterator[Messenger]:
    keys = ("page-id", "app-secret", "page-token", "verify-token")
    async with Messenger(*(CHANNEL[key] for key in keys)) as platform:
        yield platform


async def connected(running: Running, action: str = "connect") -> Sequence[SetUp]:
    """Have the channel connect itself to the page, or check whether it is."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    done: Sequence[SetUp] = await getattr(CHANNELS["messenger-1"], action)(place, running.url + PATH)
    return done


def call_of(*texts: tuple[str, str, str]) -> bytes:
    """Return the body of one call with a message of each of these: its id, its user and its text."""
    messaging = [
        {
            "sender": {"id": user},
            "recipient": {"id": CHANNEL["page-id"]},
            "timestamp": 1,
            "message": {"mid": mid, "text": text},
        }
        for mid, user, text in texts
    ]
    return json.dumps(
        {"object": "page", "entry": [{"id": CHANNEL["page-id"], "time": 1, "messaging": messaging}]}
    ).encode()


async def said_by(running: Running, user: str) -> list[str]:
    """Return what a user has said, as the history has it."""
    query = {"query": json.dumps({"User": user, "From": "user"}), "limit": "100", "sort": json.dumps({"Sequence": 1})}
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    address = f"{running.url}/v1/bots/tea/messages"
    async with aiohttp.ClientSession() as client, client.get(address, params=query, headers=headers) as answer:
        return [one["Text"] for one in await answer.json()]


def serving(tmp_path: Path, messenger: Messenger, **named: Any) -> Any:
    return running_service(tmp_path, CHANNEL, messenger_1_url=messenger.api_url, **named)


async def test_a_user_starts_the_chat_types_taps_and_is_answered(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        done = await connected(running)
        assert [one.state for one in done] == ["ok"] * 5, done
        ada = messenger.user("Ada")
        await ada.get_started()
        await messenger.until(lambda: len(ada.received) == 1)
        await ada.say("tea")
        await messenger.until(lambda: len(ada.received) == 2)
        assert [said["text"] for said in ada.received] == ["Hello!", "Which tea?"]
        await ada.tap("Mint")
        await messenger.until(lambda: len(ada.received) == 3)
        await running.settled()
        assert ada.received[-1]["text"] == "The password?"


class Chat:
    """A person's chat: what comes after each thing that is done."""

    def __init__(self, messenger: Messenger) -> None:
        self.messenger = messenger
        self.user = messenger.user("Ada", "Lovelace", locale="de_DE", timezone=1)

    async def after(self, act: Any, count: int = 1) -> list[dict[str, Any]]:
        before = len(self.user.received)
        await act
        await self.messenger.until(lambda: len(self.user.received) >= before + count)
        return self.user.received[before:]

    async def said(self, text: str, count: int = 1) -> list[dict[str, Any]]:
        return await self.after(self.user.say(text), count)

    async def tapped(self, title: str, count: int = 1) -> list[dict[str, Any]]:
        return await self.after(self.user.tap(title), count)


def told(message: dict[str, Any]) -> str:
    """Return the text of a message, with or without buttons."""
    return str(message["text"] if "text" in message else message["attachment"]["payload"]["text"])


def titles(message: dict[str, Any]) -> list[str]:
    return [reply["title"] for reply in message["quick_replies"]]


async def test_every_display_is_shown_and_answered(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger, flow=DISPLAYS, training=TYPES) as running:
        await connected(running)
        chat = Chat(messenger)
        _, tables = await chat.said("tea", 2)
        assert (tables["text"], titles(tables)[0::5]) == ("Which _table_?", ["1. The round table…", "Next 5"])
        (more,) = await chat.tapped("Next 5")
        assert titles(more) == ["1. The round table…", "2. The round table…", "Prev 5"]
        (where,) = await chat.tapped("2. The round table…")
        assert told(where) == "Where to?"
        link = chat.user.link("Show where")
        (day,) = await chat.after(pick(link, {"location": {"latitude": 52.5, "longitude": 13.4}}))
        assert day == {"text": "Which day?"}
        (country,) = await chat.said("2 May 2027")
        assert (told(country), chat.user.link("Countries").startswith(running.url)) == ("Which country?", True)
        (extras,) = await chat.said("the second")
        listed = "What else?\n1. Candles\n2. Card\n3. Flowers\nReply with the numbers, for example 1, 3."
        assert extras == {"text": listed}
        before, first, last = await chat.said("1, 3", 3)
        assert before == {"text": "These are of today:"}
        elements = [one["attachment"]["payload"]["elements"] for one in (first, last)]
        assert [len(some) for some in elements] == [10, 2]
        assert [len(elements[0][0][name]) for name in ("title", "subtitle")] == [80, 80]
        (done,) = await chat.tapped("This one")
        assert done["text"].startswith(f"{TABLES[6]} / 52.5 / Germany / Candles, Flowers / Cake ")


async def test_a_stale_tap_is_answered_with_the_open_question(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        chat = Chat(messenger)
        _, asked = await chat.said("tea", 2)
        key = asked["quick_replies"][0]["payload"]
        await chat.tapped("Mint")
        again = await chat.after(chat.user.post_back("Black", key))
        assert told(again[-1]) == "The password?"


async def test_a_login_leads_to_the_provider_and_back_into_the_chat(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger, flow=flow(), providers=Provider()) as running:
        await connected(running)
        chat = Chat(messenger)
        _, prompt = await chat.said("tea", 2)
        assert told(prompt) == PROMPT
        before = len(chat.user.received)
        back = await log_in(chat.user.link("Log in"))
        assert back == f"https://m.me/{messenger.page_id}?ref=login"
        await chat.user.open_link("login")
        await messenger.until(lambda: len(chat.user.received) == before + 2)
        await running.settled()
        assert [told(one) for one in chat.user.received[before:]] == [THANKS, SECRET]


async def test_the_profile_is_asked_once_and_a_reference_stands_in_memory(messenger: Messenger, tmp_path: Path) -> None:
    greeting = copy.deepcopy(FLOW)
    text = "{{user.FirstName}} {{user.LastName}} {{user.Locale}} {{user.Timezone}} {{referral}}"
    greeting["conversations"]["welcome"]["steps"][0]["messages"] = [text]
    async with serving(tmp_path, messenger, flow=greeting) as running:
        await connected(running)
        chat = Chat(messenger)
        (hello,) = await chat.after(chat.user.get_started("poster-7"))
        assert hello["text"] == "Ada Lovelace de-DE Etc/GMT-1 poster-7"
        await chat.said("help")
        assert len(messenger.calls(f"/{chat.user.id}?")) == 1


async def test_without_rights_to_locale_and_zone_the_name_is_asked_for_alone(
    messenger: Messenger, tmp_path: Path
) -> None:
    greeting = copy.deepcopy(FLOW)
    greeting["conversations"]["welcome"]["steps"][0]["messages"] = ["{{user.FirstName}}"]
    async with serving(tmp_path, messenger, flow=greeting) as running:
        await connected(running)
        chat = Chat(messenger)
        messenger.fail_next(400, body=GraphError(10, "(#10) needs pages_user_locale").body(), on=f"/{chat.user.id}")
        assert await chat.after(chat.user.get_started()) == [{"text": "Ada"}]


async def test_a_profile_that_is_refused_is_not_asked_for_with_each_message(
    messenger: Messenger, tmp_path: Path
) -> None:
    clock = MovedClock()
    async with serving(tmp_path, messenger, clock=clock) as running:
        await connected(running)
        chat = Chat(messenger)
        refusal = GraphError(10, "(#10) needs Business Asset User Profile Access").body()
        messenger.fail_next(400, body=refusal, on=f"/{chat.user.id}", times=9)
        for _ in range(3):
            await chat.said("help")
            clock.move(60)
        assert len(messenger.calls(f"/{chat.user.id}?")) == 2


async def test_users_of_one_call_wait_for_their_profiles_together(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        messenger.delay_seconds = 6.0
        begin = time.monotonic()
        answer = await messenger.post(call_of(*((f"m{number}", str(7000 + number), "hi") for number in range(4))))
        assert answer.status == 200
        assert time.monotonic() - begin < 6


async def test_a_text_that_cannot_be_stored_is_mended_and_in_the_way_of_no_other(
    messenger: Messenger, tmp_path: Path
) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        ada, ben = messenger.user("Ada"), messenger.user("Ben")
        answer = await messenger.post(call_of(("m1", ada.id, "half \ud83d\0"), ("m2", ben.id, "tea")))
        assert answer.status == 200
        await running.settled()
        assert await said_by(running, ben.id) == ["tea"]
        assert await said_by(running, ada.id) == ["half \ufffd\ufffd"]


async def test_what_a_user_sent_too_fast_comes_again_in_order_and_none_is_lost(
    messenger: Messenger, tmp_path: Path
) -> None:
    async with serving(tmp_path, messenger, rate_user="20/s burst 3") as running:
        await connected(running)
        ada = messenger.user("Ada")
        texts = [f"number {number}" for number in range(12)]
        body = call_of(*((f"m{text}", ada.id, text) for text in texts))
        statuses = [(await messenger.post(body)).status]
        while statuses[-1] == 429 and len(statuses) < 30:
            await asyncio.sleep(0.15)
            statuses.append((await messenger.post(body)).status)
        assert (statuses[0], statuses[-1]) == (429, 200)
        await running.settled()
        assert await said_by(running, ada.id) == texts


async def test_files_are_kept_here(messenger: Messenger, tmp_path: Path) -> None:
    async def photo(call: Call) -> None:
        await call.reply(body=PNG)

    async with (
        far_end(photo) as there,
        serving(tmp_path, messenger, flow=CLAIM, egress_allow=f"127.0.0.1:{there.port}") as running,
    ):
        await connected(running)
        chat = Chat(messenger)
        await chat.said("tea", 2)
        (thanks,) = await chat.after(chat.user.send_attachment("image", f"{there.url}/p/leaf.png?oh=secret"))
        assert thanks["text"] == "leaf.png image/png"


async def test_one_call_of_many_events_loses_none_and_takes_none_twice(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        ada, ben = Chat(messenger), Chat(messenger)
        bad = [{"sender": "nobody", "message": 7}, 7, {"message": {"text": "of nobody"}}, ada.user.event({"read": {}})]
        echo = {"sender": {"id": messenger.page_id}, "message": {"mid": "e", "text": "tea", "is_echo": True}}
        events = [*bad, ada.user.message({"text": "tea"}), echo, ben.user.message({"text": "help"})]
        entries = [
            {"id": "another page", "messaging": [ada.user.event({"message": {"mid": "x", "text": "help"}})]},
            {"id": messenger.page_id, "messaging": events},
            {"id": messenger.page_id, "standby": [ada.user.event({"message": {"mid": "y", "text": "help"}})]},
            {"id": messenger.page_id, "messaging": [ada.user.message({"text": "Mint"})]},
        ]
        body = json.dumps({"object": "page", "entry": entries}).encode()
        assert [(await messenger.post(body)).status for _ in range(2)] == [200, 200]
        await messenger.until(lambda: len(ada.user.received) == 3 and len(ben.user.received) == 2)
        await running.settled()
        assert [told(one) for one in ada.user.received] == ["Hello!", "Which tea?", "The password?"]
        assert [told(one) for one in ben.user.received] == ["Hello!", "Say tea."]


async def test_refusals_that_pass_are_tried_again_in_order(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        chat = Chat(messenger)
        # Two of these are answers to the signals beside the messages, which are made once.
        messenger.fail_next(400, body=GraphError(613).body(), on="/me/messages", times=3)
        await chat.said("tea", 2)
        assert [told(one) for one in chat.user.received] == ["Hello!", "Which tea?"]
        assert await running.service.outbox.dead("tea") == []


async def test_who_has_blocked_the_page_is_told_no_more_and_no_letter_is_kept(
    messenger: Messenger, tmp_path: Path
) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        chat = Chat(messenger)
        chat.user.blocked = True
        await chat.user.say("tea")
        await messenger.until(
            lambda: len([one for one in messenger.calls("/me/messages") if "message" in one.body]) == 2
        )
        await running.settled()
        assert await running.service.outbox.dead("tea") == []


async def test_a_message_after_24_hours_is_a_dead_letter_that_says_so(tmp_path: Path) -> None:
    hours = 0.0
    keys = ("page-id", "app-secret", "page-token", "verify-token")
    messenger = Messenger(*(CHANNEL[key] for key in keys), clock=lambda: 1e9 + hours * 3600)
    async with messenger, serving(tmp_path, messenger, flow=DISPLAYS, training=TYPES) as running:
        await connected(running)
        chat = Chat(messenger)
        await chat.said("tea", 2)
        await chat.tapped("1. The round table…")
        hours = 24.5
        await pick(chat.user.link("Show where"), {"location": {"latitude": 52.5, "longitude": 13.4}})
        await messenger.until(lambda: any(one.status == 400 for one in messenger.calls("/me/messages")))
        await running.settled()
        (letter,) = await running.service.outbox.dead("tea")
        assert "24 hours after the user's last one" in letter.reason
        assert "outside of allowed window" in letter.reason


async def test_what_the_platform_has_otherwise_is_said(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        messenger.subscribed_fields = frozenset({"messages"})
        said = [one.text for one in await connected(running, "check") if one.state == "wrong"]
        assert [text.partition(".")[0] for text in said] == [
            f"Messenger calls no address, not {running.url}{PATH}".partition(".")[0],
            "The page does not send messaging_postbacks, messaging_referrals, message_edits",
            "New chats have no button to begin with",
        ]
        messenger.page_id = "another"
        wrong = next(one.text for one in await connected(running, "check") if one.state == "wrong")
        assert wrong.endswith('Write "page-id": "another" into bot.json.')
        messenger.page_token = "a new one"
        with pytest.raises(RemoteError, match="Invalid OAuth access token"):
            await connected(running)


async def test_a_webhook_that_does_not_prove_itself_is_told_in_the_platform_s_words(
    messenger: Messenger, tmp_path: Path
) -> None:
    async with serving(tmp_path, messenger) as running:
        place = running.url.rpartition(":")[0]
        deployed = running.service.bots.active("tea")
        assert deployed is not None
        channel = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
        with pytest.raises(RemoteError, match="Callback verification failed"):
            await CHANNELS["messenger-1"].connect(channel, f"{place}:9{PATH}")


async def test_who_writes_sees_at_once_that_it_was_read_and_is_answered(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        await connected(running)
        chat = Chat(messenger)
        await chat.said("help", 2)
        await running.settled()
        actions = [
            call.body["sender_action"] for call in messenger.calls("/me/messages") if "sender_action" in call.body
        ]
        assert sorted(actions) == ["mark_seen", "typing_on"]
