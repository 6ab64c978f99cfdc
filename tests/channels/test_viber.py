"""Viber as its users meet it: the service and the strict stand-in of the bot API call each other."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_flows import CLAIM, DISPLAYS, PNG, TABLES, TYPES, key_of, log_in, pick
from tests.channels.platform_service import Running, running_service
from tests.data.far_ends import Call, far_end
from tests.http.login_pages import PROMPT, SECRET, THANKS, Provider, flow
from tests.http.support import FLOW

from dialoom.channels import CHANNELS
from dialoom.testing.platforms.messenger_2 import Viber
from dialoom.testing.platforms.messenger_2.errors import ViberError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from dialoom.channels._contract.channel import SetUp

CHANNEL = {"id": "vb", "type": "messenger-2", "auth-token": "445da6az-token-of-the-account", "uri": "teahouse"}
PATH = "/v1/bots/tea/channels/vb/messenger-2"


@pytest.fixture
async def viber() -> AsyncIterator[Viber]:
    async with Viber(CHANNEL["auth-token"], CHANNEL["uri"]) as platform:
        yield platform


async def connected(running: Running, action: str = "connect") -> Sequence[SetUp]:
    """Have the channel connect itself to the platform, or check whether it is."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    done: Sequence[SetUp] = await getattr(CHANNELS["messenger-2"], action)(place, running.url + PATH)
    return done


def serving(tmp_path: Path, viber: Viber, **named: Any) -> Any:
    return running_service(tmp_path, CHANNEL, messenger_2_url=viber.api_url, **named)


class Chat:
    """A person's chat: what comes after each thing that is done."""

    def __init__(self, viber: Viber, name: str = "Ada Lovelace") -> None:
        self.viber = viber
        self.user = viber.user(name)

    async def after(self, act: Any, count: int = 1) -> list[dict[str, Any]]:
        before = len(self.user.received)
        await act
        await self.viber.until(lambda: len(self.user.received) >= before + count)
        return self.user.received[before:]

    async def said(self, text: str, count: int = 1) -> list[dict[str, Any]]:
        return await self.after(self.user.say(text), count)

    async def tapped(self, text: str, count: int = 1) -> list[dict[str, Any]]:
        return await self.after(self.user.tap(text), count)

    @property
    def keyboard(self) -> list[str]:
        return [button["Text"] for button in self.user.buttons]


def named(first: str) -> dict[str, Any]:
    """Return the tea flow whose welcome says this."""
    changed = copy.deepcopy(FLOW)
    changed["conversations"]["welcome"]["steps"][0]["messages"] = [first]
    return changed


async def test_a_user_opens_the_chat_types_taps_and_is_answered(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        done = await connected(running)
        assert [one.state for one in done] == ["ok", "ok", "ok"], done
        chat = Chat(viber)
        await chat.user.open()
        assert viber.refused_welcomes == []
        assert viber.calls("send_message") == []
        await chat.said("tea")
        await chat.tapped("Mint")
        await running.settled()
        assert [said["text"] for said in chat.user.received] == ["Hello!", "Which tea?", "The password?"]
        assert chat.user.received[0]["sender"] == {"name": "tea"}


async def test_the_welcome_joins_all_messages_and_knows_the_user_and_the_link(viber: Viber, tmp_path: Path) -> None:
    greeting = named("{{user.FirstName}} {{user.LastName}} {{user.Locale}} {{referral}}")
    steps = greeting["conversations"]["welcome"]["steps"]
    steps.append({"type": "message", "messages": ["Say tea."], "display": {"type": "quick-reply", "data": ["tea"]}})
    async with serving(tmp_path, viber, flow=greeting) as running:
        await connected(running)
        chat = Chat(viber)
        await chat.user.open("poster-7")
        (welcome,) = chat.user.received
        assert welcome["text"] == "Ada Lovelace en poster-7\n\nSay tea."
        assert chat.keyboard == ["tea"]
        assert [one["text"] for one in await chat.tapped("tea")] == ["Which tea?"]


async def test_a_chat_that_is_told_of_twice_is_welcomed_with_the_same_answer(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        event = {"type": "open", "user": viber.user().profile, "subscribed": False}
        first, again = [await viber.deliver("conversation_started", event, 78) for _ in range(2)]
        assert first.json()["text"] == "Hello!"
        assert (again.status, again.content()) == (200, first.content())


async def test_who_is_subscribed_is_welcomed_by_messages(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        await chat.user.subscribe()
        assert [one["text"] for one in await chat.after(chat.user.open())] == ["Hello!"]
        assert len(viber.calls("send_message")) == 1


async def test_every_display_is_shown_and_answered(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber, flow=DISPLAYS, training=TYPES) as running:
        await connected(running)
        chat = Chat(viber)
        await chat.said("tea", 2)
        assert chat.keyboard == [*TABLES[:5], "Next 5"]
        await chat.tapped("Next 5")
        assert chat.keyboard == [*TABLES[5:], "Prev 5"]
        (where,) = await chat.tapped(TABLES[6])
        assert (where["text"], where["min_api_version"], chat.keyboard) == ("Where to?", 3, ["Show where"])
        (day,) = await chat.after(chat.user.share_location(52.5, 13.4))
        assert (day["text"], "keyboard" in day) == ("Which day?", False)
        await chat.said("2 May 2027")
        link = chat.user.link("Countries")
        await chat.user.tap("Countries")  # the address comes as a message too, which nobody has typed
        await running.settled()
        assert chat.user.received[-1]["text"] == "Which country?"
        (extras,) = await chat.after(pick(link, {"option": {"key": await key_of(link, "Germany")}}))
        listed = "What else?\n1. Candles\n2. Card\n3. Flowers\nReply with the numbers, for example 1, 3."
        assert extras["text"] == listed
        (cakes,) = await chat.said("1, 3")
        assert (cakes["text"], chat.keyboard) == ("These are of today:", ["Show the cakes"])
        link = chat.user.link("Show the cakes")
        (done,) = await chat.after(pick(link, {"option": {"key": await key_of(link, "Cake 2")}}))
        assert done["text"].startswith(f"{TABLES[6]} / 52.5 / Germany / Candles, Flowers / Cake 2 ")


async def test_a_tap_on_an_old_keyboard_is_answered_with_the_open_question(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        await chat.said("tea", 2)
        await chat.tapped("Mint")
        assert "Black" in chat.keyboard  # a keyboard stays until another one comes
        again = await chat.tapped("Black")
        assert again[-1]["text"] == "The password?"


async def test_a_login_leads_to_the_provider_and_back_into_the_chat(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber, flow=flow(), providers=Provider()) as running:
        await connected(running)
        chat = Chat(viber)
        _, prompt = await chat.said("tea", 2)
        assert prompt["text"] == PROMPT
        back = await log_in(chat.user.link("Log in"))
        assert back == "viber://pa?chatURI=teahouse&context=login"
        await chat.user.open("login")
        await viber.until(lambda: len(chat.user.received) == 4)
        await running.settled()
        assert [one["text"] for one in chat.user.received[2:]] == [THANKS, SECRET]
        assert viber.refused_welcomes == []


async def test_a_file_is_kept_here_and_the_words_beside_it_are_of_the_same_message(
    viber: Viber, tmp_path: Path
) -> None:
    async def photo(call: Call) -> None:
        await call.reply(body=PNG)

    async with (
        far_end(photo) as there,
        serving(tmp_path, viber, flow=CLAIM, egress_allow=f"127.0.0.1:{there.port}") as running,
    ):
        await connected(running)
        chat = Chat(viber)
        await chat.said("tea", 2)
        picture = {"type": "picture", "media": f"{there.url}/x?k=1", "file_name": "leaf.png", "text": "my leaf"}
        (thanks,) = await chat.after(chat.user.send(picture))
        await running.settled()
        assert (thanks["text"], len(chat.user.received)) == ("leaf.png image/png", 3)


async def test_the_same_callback_twice_has_one_turn(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        chat.user.subscribed = True
        event = {"sender": chat.user.profile, "message": {"type": "text", "text": "help"}, "silent": False}
        for _ in range(2):
            assert (await viber.deliver("message", event, 77)).status == 200
        await viber.until(lambda: len(chat.user.received) == 2)
        await running.settled()
        assert [one["text"] for one in chat.user.received] == ["Hello!", "Say tea."]


async def test_too_many_is_tried_again_in_order(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        viber.fail_next(200, body=ViberError(12).body(), on="send_message")
        await chat.said("tea", 2)
        assert [one["text"] for one in chat.user.received] == ["Hello!", "Which tea?"]


async def test_who_has_unsubscribed_is_told_no_more_and_no_letter_is_kept(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        viber.fail_next(500, on="send_message")  # so that the messages go out after the user has left
        await chat.user.say("tea")
        await chat.user.unsubscribe()
        await viber.until(lambda: len(viber.calls("send_message")) == 3)
        await running.settled()
        assert (chat.user.received, await running.service.outbox.dead("tea")) == ([], [])


async def test_a_refusal_is_a_dead_letter_with_the_platform_s_words(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        await connected(running)
        chat = Chat(viber)
        viber.fail_next(200, body=ViberError(3, "no such thing").body(), on="send_message")
        await chat.said("tea")
        await running.settled()
        (letter,) = await running.service.outbox.dead("tea")
        assert letter.reason == "Viber: badData: no such thing (status 3)"


async def test_what_the_platform_has_otherwise_is_said(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        viber.uri = "another"
        assert [one.state for one in await connected(running, "check")] == ["ok", "wrong", "wrong"]
        await connected(running)
        viber.event_types = ("delivered",)
        lines = await connected(running, "check")
        assert 'Write "uri": "another" into bot.json' in lines[1].text
        assert "does not tell of failed, subscribed, unsubscribed, conversation_started" in lines[-1].text
