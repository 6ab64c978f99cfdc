"""Calls that do not come from the Bot Framework, and bodies of any form."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.channels.teams_bot import connect, messages, received, serving

from dialoom.channels.teams.connector import is_service_host
from dialoom.service.settings import Settings
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from pathlib import Path


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


MALFORMED: dict[str, dict[str, Any]] = {
    "no conversation": {"conversation": {}},
    "an empty conversation": {"conversation": {"id": " "}},
    "a conversation that leads elsewhere": {"conversation": {"id": ".."}},
    "a conversation of one dot": {"conversation": {"id": "."}},
    "a conversation with a line end": {"conversation": {"id": "a\r\nb"}},
    "a long conversation": {"conversation": {"id": "a" * 3000}},
    "no id": {"id": None},
    "no sender": {"from": None},
    "a sender without an id": {"from": {"id": ""}},
    "a bot with a long id": {"recipient": {"id": "b" * 3000}},
}


async def test_an_activity_whose_answer_could_not_be_addressed_is_refused_and_nothing_is_stored_or_posted(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        message = teams.activity(teams.user(), {"type": "message", "text": "tea"})
        for name, wrong in MALFORMED.items():
            answer = await teams.post(copy.deepcopy(message) | wrong)
            assert (answer.status, answer.json()["code"] in ("bad-id", "too-long")) == (400, True), name
        for end in ("?x=", "#x", "\\x"):
            service = message["serviceUrl"] + end
            answer = await teams.post(message | {"serviceUrl": service}, claims={"serviceurl": service})
            assert answer.status in (400, 401), end
        await running.settled()
        assert await messages(running) == 0
        assert teams.calls("/v3/") == []


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
