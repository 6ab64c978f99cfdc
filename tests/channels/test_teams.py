"""Microsoft Teams as its users meet it: the service and the strict stand-in of the Bot Framework call each other."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import zipfile
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.channels.platform_service import Running, running_service
from tests.http import dialogs
from tests.http.login_pages import PROMPT, PROVIDER, SECRET, THANKS, Provider, Tab, answer_of, state_of
from tests.http.login_pages import flow as login_flow
from tests.http.support import FLOW, Client

from dialoom.channels import CHANNELS
from dialoom.channels.teams.connector import download, is_service_host
from dialoom.cli.channel import show
from dialoom.http.app import App
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock
from dialoom.testing.fetcher import MockFetcher
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.testing.platforms.stand_in import Answer
    from dialoom.testing.platforms.workplace_chat import TeamsUser

WORKCHAT = {"connection-name": "sso", "strategy": "oidc"}
GROUP = {"id": "19:room@thread.v2", "conversationType": "groupChat", "isGroup": True}


@pytest.fixture
async def teams() -> AsyncIterator[Teams]:
    async with Teams() as platform:
        yield platform


def serving(
    teams: Teams, folder: Path, flow: dict[str, Any] = FLOW, keys: dict[str, Any] | None = None, **settings: Any
) -> AbstractAsyncContextManager[Running]:
    """Run the tea bot as a bot of this platform; ``keys``: more of its channel."""
    host = teams.url.removeprefix("http://")
    places = {
        "workplace_chat_metadata_url": teams.metadata_url,
        "workplace_chat_login_url": teams.url,
        "workplace_chat_token_url": teams.url,
        "workplace_chat_service_hosts": f"smba.trafficmanager.net, {host}",
    }
    channel = {"id": "desk", "type": "workplace-chat", "app-id": teams.app_id, "app-password": teams.app_password}
    return running_service(folder, channel | (keys or {}), flow, **(places | settings))


def connect(teams: Teams, running: Running) -> None:
    """Set the messaging endpoint, as a person does in Azure."""
    teams.endpoint = f"{running.url}/v1/bots/tea/channels/desk/workplace-chat"


async def received(teams: Teams, user: TeamsUser, count: int) -> list[str]:
    """Return the words of the bot's messages, once so many have come."""
    await teams.until(lambda: len(user.received) >= count)
    return [words(one) for one in user.received]


def place_of(running: Running) -> BotChannel:
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    return running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])


async def messages(running: Running) -> int:
    """Return how many messages are stored of all users."""
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    app = await asyncio.to_thread(App, running.service, running.url)
    client = Client(app, running.service, MovedClock(), MockFetcher({}))
    answer = await client.call("GET", "/v1/bots/tea/messages/_count", None, headers)
    return int(answer.json["count"])


def words(message: dict[str, Any]) -> str:
    """Return the text of a message, or of its first card."""
    cards = message.get("attachments", [])
    return str(message.get("text") or (cards[0].get("content", {}).get("text", "") if cards else ""))


async def test_a_user_adds_the_bot_types_taps_and_is_answered(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        assert (await ada.say("tea")).status == 200
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        (card,) = ada.received[-1]["attachments"]
        assert [one["type"] for one in card["content"]["body"]] == ["ActionSet"]
        await ada.submit("Mint")
        assert await received(teams, ada, 3) == ["Hello!", "Which tea?", "The password?"]
        assert [one["text"] for one in ada.messages if one["from"]["id"] == ada.id] == ["tea", "Mint"]
        await running.settled()
        assert len(teams.calls("/oauth2/")) == 1, "the bot's token is kept"
        assert any(one.body.get("type") == "typing" for one in teams.calls("/activities"))
        assert all({"msteams", "option"} == one["data"].keys() for one in card["content"]["body"][0]["actions"])
        # A tap on a question that is over is answered with the one that is open.
        await ada.submit("Green")
        assert (await received(teams, ada, 4))[-1].endswith("The password?")


async def test_every_dialog_is_shown_as_a_card_and_answered(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, dialogs.FLOW) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        await ada.submit("Take it", option=choices(ada)["Black"])
        await received(teams, ada, 3)
        offered = choices(ada)
        await ada.submit("Submit", options=f"{offered['Green']},{offered['Mint']}")
        await received(teams, ada, 4)
        carousel = ada.received[-1]
        assert (carousel["attachmentLayout"], len(carousel["attachments"])) == ("carousel", 2)
        await ada.submit("Select")
        await received(teams, ada, 5)
        await ada.submit("Submit", date="2026-09-30")
        assert (await received(teams, ada, 6))[-1] == "That is too soon."
        await ada.submit("Submit", date="2026-12-24")
        await teams.until(lambda: words(ada.received[-1]) == "Where to?")
        assert ada.link("Show where").startswith(f"{running.url}/v1/bots/tea/channels/desk/pick/")


def choices(user: TeamsUser) -> dict[str, str]:
    """Return the values of the last card's choices by their titles."""
    body = user.received[-1]["attachments"][0]["content"]["body"]
    (asked,) = [one for one in body if one["type"] == "Input.ChoiceSet"]
    return {one["title"].partition(" – ")[0]: one["value"] for one in asked["choices"]}


async def test_a_carousel_has_at_most_ten_cards_a_message_and_no_picture_over_http(
    teams: Teams, tmp_path: Path
) -> None:
    flow = copy.deepcopy(FLOW)
    image = "http://t.example/{{this}}.png"
    flow["conversations"]["tea"]["steps"][0] |= {
        "entity-type": "Text",
        "display": {
            "type": "carousel",
            "title": "Cups",
            "data": [f"Cup {number}" for number in range(23)],
            "template": {"title": "{{this}}", "image": image, "value": "{{this}}"},
        },
    }
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 4)
        assert [len(one.get("attachments", [])) for one in ada.received] == [0, 10, 10, 3]
        assert [one.get("text") for one in ada.received] == ["Hello!", "Which tea?", None, None]


async def test_a_list_too_large_for_a_message_leads_to_the_hosted_page(teams: Teams, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][0] |= {
        "entity-type": "Text",
        "display": {
            "type": "multi-select",
            "title": "Many",
            "data": [f"{number} {'x' * 200}" for number in range(300)],
        },
    }
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        assert "/pick/" in ada.link("Many")


# -- logins


async def browser_of(running: Running, provider: Provider) -> Tab:
    """Return a browser for the login's pages of the running service, with an identity provider behind them."""
    service = msgspec.structs.replace(running.service, providers=provider)
    app = await asyncio.to_thread(App, service, running.url)
    return Tab(Client(app, service, MovedClock(), MockFetcher({})))


async def logged_in(tab: Tab, link: str) -> Answer:
    """Log in by the link of a card; return the last page."""
    start = await tab.get(link)
    assert start.headers["cross-origin-opener-policy"] == "unsafe-none", "else Teams is not heard by the last page"
    left = await tab.post(link, {"answer": answer_of(start)})
    assert PROVIDER in left.body.decode()
    return await tab.back(state_of(link))


async def test_without_workchat_a_login_is_acknowledged_with_the_next_message(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow()) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        assert await received(teams, ada, 2) == ["Hello!", PROMPT]
        (card,) = ada.received[-1]["attachments"]
        assert [one["type"] for one in card["content"]["buttons"]] == ["signin"]
        last = await logged_in(await browser_of(running, Provider()), ada.link("Log in"))
        assert "/static/login-teams.js" in last.body.decode()
        assert last.headers["cross-origin-opener-policy"] == "unsafe-none"
        # The pop-up tells Teams that it is done, which tells the bot: nothing more is asked of anybody.
        state = {"state": "login"}
        answer = await teams.post(teams.activity(ada, {"type": "invoke", "name": "signin/verifyState", "value": state}))
        await running.settled()
        assert (answer.status, len(ada.received)) == (200, 2)
        await ada.say("hello?")
        assert await received(teams, ada, 4) == ["Hello!", PROMPT, THANKS, SECRET]


@pytest.mark.parametrize("way", ["silently", "with the button"])
async def test_with_workchat_the_token_of_teams_is_the_login_and_the_bot_goes_on(
    way: str, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        assert await received(teams, ada, 2) == ["Hello!", PROMPT]
        assert ada.oauth_card["tokenExchangeResource"]["uri"] == f"api://{teams.app_id}"
        assert ada.signed_in_state()["connectionName"] == "sso"
        if way == "silently":
            answers = [await ada.exchange_token(token) for token in ("of-the-phone", "of-the-desktop")]
            assert [one.status for one in answers] == [200, 200]
            assert len(teams.calls("/api/usertoken/exchange")) == 1
        else:
            teams.exchanges_of_tokens = False
            refused = await ada.exchange_token()
            assert (refused.status, refused.json()["connectionName"]) == (412, "sso")
            assert refused.json()["failureDetail"]
            assert (await ada.fail_to_sign_in()).status == 200
            assert (await ada.sign_in()).status == 200
        assert await received(teams, ada, 4) == ["Hello!", PROMPT, THANKS, SECRET]
        await running.settled()
        assert len(ada.received) == 4


async def test_a_log_out_has_the_platform_forget_the_token(teams: Teams, tmp_path: Path) -> None:
    flow = copy.deepcopy(login_flow(workchat=WORKCHAT))
    flow["conversations"]["help"]["steps"] = [{"type": "command", "command": "logout"}]
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        await ada.exchange_token()
        await received(teams, ada, 4)
        assert ada.token is not None
        await ada.say("help")
        await teams.until(lambda: bool(teams.calls("/api/usertoken/SignOut")))
        assert ada.token is None
        await ada.say("tea")
        await teams.until(lambda: words(ada.received[-1]) == PROMPT)


async def test_a_code_that_is_not_the_user_s_logs_nobody_in(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        value = {"state": "000000"}
        answer = await teams.post(teams.activity(ada, {"type": "invoke", "name": "signin/verifyState", "value": value}))
        assert answer.status == 412
        value = {"id": "1", "connectionName": "another", "token": "t"}
        answer = await teams.post(
            teams.activity(ada, {"type": "invoke", "name": "signin/tokenExchange", "value": value})
        )
        assert (answer.status, len(teams.calls("/api/usertoken/exchange"))) == (412, 0)


# -- groups, files, what is no message


async def test_in_a_group_the_bot_answers_who_mentions_it_and_remembers_each_person(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada, ben = teams.user("Ada"), teams.user("Ben")
        await teams.post(teams.activity(ada, {"type": "message", "text": "tea", "conversation": GROUP}))
        await ada.say("tea", GROUP)
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        # A button of Ada's card answers nothing of Ben's.
        action = ada.received[-1]["attachments"][0]["content"]["body"][0]["actions"][0]
        tap = {"type": "message", "value": action["data"]["msteams"]["value"], "conversation": GROUP}
        await teams.post(teams.activity(ben, tap))
        # Ben has a memory of his own, and answers no question that Ada was asked.
        await ben.say("help", GROUP)
        await teams.until(lambda: "Say tea." in map(words, [*ada.received, *ben.received]))
        teams.groups[GROUP["id"]] = ada
        await teams.post(teams.activity(ada, tap))
        assert (await received(teams, ada, 3))[-1] == "The password?"
        posted = {one.address for one in teams.calls("/activities")}
        assert posted == {"/emea/v3/conversations/19%3Aroom%40thread.v2/activities"}
        joined = {"type": "conversationUpdate", "membersAdded": [{"id": "29:somebody"}], "conversation": GROUP}
        count = len(teams.calls("/activities"))
        await teams.post(teams.activity(ada, joined))
        await running.settled()
        assert len(teams.calls("/activities")) == count


async def test_in_a_group_a_login_leads_to_pages_of_ours(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea", GROUP)
        await received(teams, ada, 2)
        assert ada.link("Log in").startswith(f"{running.url}/v1/account-linking/start?")


async def test_what_is_no_message_is_taken_in_silence_and_an_edited_message_is_one(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        ada.has_installed = True
        kinds: list[dict[str, Any]] = [
            {"type": "messageReaction", "reactionsAdded": [{"type": "like"}], "replyToId": "1"},
            {"type": "messageDelete", "channelData": {"eventType": "softDeleteMessage"}},
            {"type": "typing"},
            {"type": "event", "name": "x"},
            {"type": "installationUpdate", "action": "remove"},
            {"type": "conversationUpdate", "membersRemoved": [{"id": ada.id}]},
        ]
        for kind in kinds:
            assert (await teams.post(teams.activity(ada, kind))).status == 200
        unknown = teams.activity(ada, {"type": "invoke", "name": "task/fetch", "value": {}})
        assert (await teams.post(unknown)).status == 501
        await running.settled()
        assert ada.received == []
        sent = teams.activity(ada, {"type": "message", "text": "tea"})
        for _ in range(2):  # a repetition is dropped
            assert (await teams.post(sent)).status == 200
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        await ada.edit(sent["id"], "green")
        assert (await received(teams, ada, 3))[-1] == "The password?"


async def test_a_picture_is_fetched_with_the_token_of_the_bot_and_a_foreign_host_never_gets_it(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.send_attachment("image/png", f"{teams.service_url}v3/attachments/1/views/original")
        await teams.until(lambda: bool(teams.calls("/attachments/")))
        (asked,) = teams.calls("/attachments/")
        assert asked.headers["authorization"].startswith("Bearer ")
        foreign = await download("https://files.example/v3/attachments/1", place_of(running))
        assert foreign.headers == ()


async def test_a_user_who_has_removed_the_bot_is_no_dead_letter(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        ada.has_installed = False
        await teams.post(teams.activity(ada, {"type": "message", "text": "tea"}))
        await teams.until(lambda: any(one.status == 403 for one in teams.calls("/activities")))
        await running.settled()
        assert await running.service.outbox.dead("tea") == []


@pytest.mark.parametrize("status", [412, 429, 502])
async def test_a_message_that_the_platform_cannot_take_now_is_sent_again_in_its_order(
    status: int, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        teams.fail_next(status, body={"error": {"code": "Busy", "message": "Later."}}, on="/activities", times=2)
        teams.fail_next(status, on="/activities", half=True)
        await ada.say("tea")
        await ada.say("mint")
        assert await received(teams, ada, 3) == ["Hello!", "Which tea?", "The password?"]


@pytest.mark.parametrize("status", [500, 400])
async def test_a_file_that_needs_a_sign_in_that_fails_is_asked_for_again_or_left_out_and_its_words_count(
    status: int, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        teams.fail_next(status, on="/oauth2/")
        ada = teams.user()
        picture = {"contentType": "image/png", "contentUrl": f"{teams.url}/emea/v3/attachments/1"}
        activity = teams.activity(ada, {"type": "message", "text": "tea", "attachments": [picture]})
        assert (await teams.post(activity)).status == 200

        def said() -> list[str]:
            return [call.body["text"] for call in teams.calls("/activities") if "text" in call.body]

        await teams.until(lambda: len(said()) == 2)
        assert said() == ["Hello!", "Which tea?"]
        assert len(teams.calls("/attachments/")) == (status == 500)


# -- calls that do not come from the platform


FORGED: dict[str, dict[str, Any]] = {
    "no token": {"authorization": ""},
    "another scheme": {"authorization": "Basic eA=="},
    "no JWT": {"authorization": "Bearer x"},
    "an issuer of its own": {"claims": {"iss": "https://evil.example"}},
    "for another app": {"claims": {"aud": "another"}},
    "expired": {"claims": {"exp": 1_000_000_000}},
    "no expiry": {"claims": {"exp": None}},
    "not yet": {"claims": {"nbf": 9_000_000_000}},
    "another serviceUrl": {"claims": {"serviceurl": "https://smba.trafficmanager.net/amer/"}},
    "no serviceUrl": {"claims": {"serviceurl": None}},
    "a key for other channels": {"key": "not-endorsed"},
    "a key that is not published": {"key": "unknown"},
    "a forged signature": {"key": "forged"},
    "no signature": {"algorithm": "none"},
    "another algorithm": {"algorithm": "HS256"},
}


async def test_a_call_that_does_not_come_from_the_platform_is_refused_and_nothing_is_stored(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path, keys={"tenant": teams.user_tenant}) as running:
        connect(teams, running)
        ada = teams.user()
        message = teams.activity(ada, {"type": "message", "text": "tea"})
        for name, wrong in FORGED.items():
            answer = await teams.post(message, **wrong)
            assert (answer.status, answer.json()["code"]) == (401, "bad-signature"), name
        foreign = copy.deepcopy(message)
        foreign["serviceUrl"] = "https://evil.example/"
        assert (await teams.post(foreign)).status == 401
        other = copy.deepcopy(message) | {"channelId": "webchat"}
        assert (await teams.post(other)).status == 401
        elsewhere = copy.deepcopy(message)
        elsewhere["conversation"]["tenantId"] = "another"
        assert (await teams.post(elsewhere)).status == 403
        await running.settled()
        assert await messages(running) == 0
        assert teams.calls("/activities") == []


async def test_a_call_that_cannot_be_checked_now_is_to_come_again(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        teams.fail_next(500, on="/v1/.well-known/keys")
        answer = await ada.say("tea")
        assert (answer.status, answer.json()["code"], await messages(running)) == (503, "overloaded", 0)


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("https://smba.trafficmanager.net/emea/", True),
        ("https://SMBA.trafficmanager.net/emea/", True),
        ("https://webchat.botframework.com/", True),
        ("http://127.0.0.1:3978/", True),
        ("http://smba.trafficmanager.net/emea/", False),
        ("http://127.0.0.1:3979/", False),
        ("https://evil.example/smba.trafficmanager.net", False),
        ("https://smba.trafficmanager.net.evil.example/", False),
        ("https://smba.trafficmanager.net@evil.example/", False),
        ("https://evilbotframework.com/", False),
        ("https://[/", False),
        ("", False),
    ],
)
def test_the_token_of_the_bot_goes_to_listed_hosts_alone(url: str, is_one: bool) -> None:
    named = "smba.trafficmanager.net, .botframework.com, 127.0.0.1:3978"
    assert is_service_host(url, Settings(workplace_chat_service_hosts=named)) is is_one


async def test_an_unsigned_call_of_this_machine_is_taken_where_the_operator_says_so(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path, unsigned_calls="allow") as running:
        connect(teams, running)
        ada = teams.user()
        ada.has_installed = True
        message = teams.activity(ada, {"type": "message", "text": "tea"})
        body = json.dumps(message).encode()
        proxied = await teams.send(teams.endpoint, body, {"X-Forwarded-For": "203.0.113.5"})
        assert proxied.status == 401
        assert (await teams.post(message, key="forged")).status == 401
        assert (await teams.send(teams.endpoint, body)).status == 200
        await received(teams, ada, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    [
        "text",
        "value",
        "name",
        "entities",
        "attachments",
        "membersAdded",
        "conversation",
        "from",
        "recipient",
        "channelData",
        "locale",
        "id",
        "action",
    ]
)
KINDS = st.sampled_from(["message", "invoke", "conversationUpdate", "installationUpdate", "messageUpdate"])


async def test_any_body_is_answered_or_refused(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, rate_user="off", unsigned_calls="allow") as running:
        connect(teams, running)
        ada = teams.user()
        loop = asyncio.get_running_loop()

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(KINDS, st.dictionaries(FIELDS, JSON, max_size=4))
        def send(kind: str, changed: dict[str, Any]) -> None:
            activity = teams.activity(ada, {"type": kind, "text": "tea"}) | changed
            sending = teams.send(teams.endpoint, json.dumps(activity).encode())
            answer = asyncio.run_coroutine_threadsafe(sending, loop).result(20)
            assert answer.status in (200, 400, 412, 501), (activity, answer)

        await asyncio.to_thread(send)
        await running.settled()


# -- setting it up


async def test_connecting_checks_what_can_be_asked_and_gives_the_app_package(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        place = place_of(running)
        address = "https://bots.example.org/v1/bots/tea/channels/desk/workplace-chat"
        done = await CHANNELS["workplace-chat"].connect(place, address)
        assert [one.state for one in done] == ["ok", "ok", *["by-hand"] * 4], done
        with contextlib.chdir(tmp_path):
            await asyncio.to_thread(show, done)
        with zipfile.ZipFile(tmp_path / "tea-teams.zip") as package:
            assert package.namelist() == ["manifest.json", "color.png", "outline.png"]
            manifest = json.loads(package.read("manifest.json"))
            assert package.read("color.png").startswith(b"\x89PNG")
        assert manifest["bots"][0]["botId"] == manifest["id"] == teams.app_id
        assert manifest["validDomains"] == ["bots.example.org", "token.botframework.com"]
        assert manifest["webApplicationInfo"]["resource"] == f"api://botid-{teams.app_id}"


async def test_a_wrong_secret_is_said_with_the_words_of_the_platform(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, keys={"app-password": "wrong"}) as running:
        found = await CHANNELS["workplace-chat"].check(place_of(running), "http://127.0.0.1/x")
        assert [one.state for one in found] == ["wrong", "ok"]
        assert "AADSTS7000215" in found[0].text


async def test_the_reason_of_a_dead_letter_has_the_words_of_the_platform_and_no_secret(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        no = {"error": {"code": "BadSyntax", "message": "No such card."}}
        teams.fail_next(400, body=no, on="/activities")
        await ada.install()
        await teams.until(lambda: len(teams.calls("/activities")) == 1)
        await ada.say("tea")
        assert await received(teams, ada, 1) == ["Which tea?"]
        await running.settled()
        (letter,) = await running.service.outbox.dead("tea")
        assert "BadSyntax: No such card." in str(letter)
        assert teams.app_password not in str(letter)
