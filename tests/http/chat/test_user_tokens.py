"""Users that a page's server vouches for (channels.md section 3), on the web and the rest channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from tests.auth.tokens import SECRET, public_pem, signed, signed_by
from tests.http.support import BASE, BOT, FLOW, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

KEY = ec.generate_private_key(ec.SECP256R1())
CHANNELS: list[dict[str, Any]] = [
    {"id": "rest", "type": "rest", "token": "rest-token-of-tea", "user-secret": SECRET},
    {"id": "web", "type": "web", "token": "web-token-of-tea", "user-secret": SECRET},
    {"id": "strict", "type": "web", "user-secret": SECRET, "require-user-token": True},
    {"id": "es", "type": "mobile", "user-secret": public_pem(KEY), "user-token-algorithm": "ES256"},
    {"id": "plain", "type": "web"},
    {
        "id": "strict-rest",
        "type": "rest",
        "token": "rest-token-of-strict",
        "user-secret": SECRET,
        "require-user-token": True,
    },
]
FLOW_WITH_TEMPLATE = FLOW | {
    "conversations": FLOW["conversations"]
    | {
        "welcome": {
            "type": "support",
            "steps": [{"type": "message", "messages": ["Hello {{user.FirstName}}, {{plan}}, {{order.number}}!"]}],
        }
    }
}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, FLOW_WITH_TEMPLATE, bot=BOT | {"channels": CHANNELS}) as client:
        yield client


def token(client: Client, channel: str = "web", **claims: Any) -> str:
    now = client.clock.now() // 1000
    return signed({"sub": "ada", "aud": channel, "exp": now + 300} | claims)


async def opened(client: Client, channel: str = "web", **body: Any) -> Any:
    path = f"/v1/bots/tea/channels/{channel}/web/sessions"
    return await client.call("POST", path, body, {"Origin": BASE})


async def texts(client: Client, session: dict[str, Any], channel: str = "web") -> list[str]:
    headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
    answer = await client.call("GET", f"/v1/bots/tea/channels/{channel}/web/messages", None, headers)
    return [message["text"] for message in answer.json["messages"]]


async def test_a_token_makes_its_subject_the_user_in_every_browser(client: Client) -> None:
    first = (await opened(client, user={"token": token(client)})).json
    assert (first["user"], "resume" in first) == ({"id": "ada"}, False)
    headers = {"Authorization": f"Bearer {first['token']}"}
    path = "/v1/bots/tea/channels/web/web/messages"
    assert (await client.call("POST", path, {"id": "1", "text": "tea"}, headers)).status == 202
    second = (await opened(client, user={"token": token(client)})).json
    assert [message["text"] for message in second["messages"]][1:] == ["tea", "Which tea?"]
    (record,) = (await client.history("conversations", query={"User": "ada"})).json
    assert record["Data"]["user"]["ExternalId"] == "ada"


async def test_what_the_token_says_of_the_user_counts_before_what_the_page_says(client: Client) -> None:
    user = {"id": "eve", "name": "Eve", "token": token(client, given_name="Ada", family_name="King", locale="de")}
    session = (await opened(client, user=user, locale="fr", timezone="Asia/Tokyo")).json
    assert await texts(client, session) == ["Hello Ada, , !"]
    (record,) = (await client.history("conversations")).json
    assert record["Data"]["user"] == {
        "ExternalId": "ada", "FirstName": "Ada", "LastName": "King", "Avatar": None, "Locale": "de",
        "Timezone": "Asia/Tokyo",
    }  # fmt: skip


async def test_a_token_with_a_whole_name_alone_is_split_and_the_rest_is_the_pages(client: Client) -> None:
    user = {"name": "Eve", "avatarUrl": "https://a.example/eve.png", "token": token(client, name="Ada King")}
    assert (await opened(client, user=user)).status == 200
    (record,) = (await client.history("conversations")).json
    said = record["Data"]["user"]
    assert (said["FirstName"], said["LastName"], said["Avatar"]) == ("Ada", "King", "https://a.example/eve.png")


async def test_signed_context_may_set_what_the_flow_relies_on_and_the_pages_may_not(client: Client) -> None:
    signed_token = token(client, context={"order": {"number": 7}, "plan": "gold"})
    session = (await opened(client, user={"token": signed_token}, context={"plan": "free", "shop": "x"})).json
    assert await texts(client, session) == ["Hello , gold, 7!"]
    (record,) = (await client.history("conversations")).json
    assert record["Data"]["context"] == {"order": {"number": 7}, "plan": "gold", "shop": "x"}
    refused = await opened(client, user={"token": signed_token}, context={"order": {"number": 8}})
    assert (refused.status, refused.json["pointer"]) == (400, "/context/order")
    headers = {"Authorization": f"Bearer {session['token']}"}
    message = {"id": "1", "context": {"order": {"number": 8}}}
    later = await client.call("POST", "/v1/bots/tea/channels/web/web/messages", message, headers)
    assert (later.status, later.json["pointer"]) == (400, "/context/order")


async def test_no_secret_of_a_browser_and_no_user_id_of_a_page_leads_to_a_signed_users_chat(client: Client) -> None:
    await opened(client, user={"token": token(client)})
    anonymous = (await opened(client, user={"id": "ada"})).json
    assert anonymous["user"]["id"].startswith("web_")
    # A secret as the service would make it, for a user that it knows by tokens only.
    from dialoom.http.chat.web import _Resume

    resume = client.service.tokens.sign(_Resume("tea", "web", "ada"), "resume")
    again = (await opened(client, resume=resume)).json
    assert again["user"]["id"] not in ("ada", anonymous["user"]["id"])
    stolen = await opened(client, user={"token": token(client, sub=anonymous["user"]["id"])})
    assert (stolen.status, stolen.json["code"]) == (401, "bad-user-token")


async def test_the_secret_of_a_browser_is_passed_over_beside_a_token(client: Client) -> None:
    anonymous = (await opened(client)).json
    both = (await opened(client, resume=anonymous["resume"], user={"token": token(client)})).json
    assert both["user"] == {"id": "ada"}
    assert (await opened(client, resume=anonymous["resume"])).json["user"] == anonymous["user"]


async def test_the_session_goes_on_when_the_token_has_run_out_but_no_other_opens(client: Client) -> None:
    short = token(client)
    session = (await opened(client, user={"token": short})).json
    client.clock.move(3600)
    assert await texts(client, session) == ["Hello , , !"]
    late = await opened(client, user={"token": short})
    assert (late.status, late.json["code"]) == (401, "bad-user-token")
    assert "has passed" in late.json["detail"]
    client.clock.move(24 * 3600)
    headers = {"Authorization": f"Bearer {session['token']}"}
    assert (await client.call("GET", "/v1/bots/tea/channels/web/web/messages", None, headers)).status == 401


async def test_a_bad_token_is_told_with_its_reason_and_nothing_begins(client: Client) -> None:
    for bad in ("x", token(client, channel="rest"), signed({"sub": "ada"}, secret="another secret of 32 bytes ....")):
        answer = await opened(client, user={"token": bad})
        assert (answer.status, answer.json["code"], answer.json["pointer"]) == (401, "bad-user-token", "/user/token")
        assert bad not in answer.body.decode()
    assert (await client.history("conversations/_count")).json == {"count": 0}


async def test_a_channel_without_a_secret_takes_no_token(client: Client) -> None:
    answer = await opened(client, "plain", user={"token": token(client, "plain")})
    assert (answer.status, answer.json["code"]) == (401, "bad-user-token")
    assert "no user-secret" in answer.json["detail"]


async def test_a_channel_may_demand_a_token(client: Client) -> None:
    for body in ({}, {"user": {"id": "ada"}}):
        answer = await opened(client, "strict", **body)
        assert (answer.status, answer.json["code"]) == (401, "user-token-required")
    session = (await opened(client, "strict", user={"token": token(client, "strict")})).json
    assert await texts(client, session, "strict") == ["Hello , , !"]


async def test_an_anonymous_session_ends_where_a_channel_begins_to_demand_tokens(client: Client) -> None:
    from dialoom.channels.web.protocol import Visitor

    until = client.clock.now() + 1000
    before = client.service.tokens.sign(Visitor("tea", "strict", "web_" + "0" * 32, until), "session")
    headers = {"Authorization": f"Bearer {before}"}
    answer = await client.call("GET", "/v1/bots/tea/channels/strict/web/messages", None, headers)
    assert (answer.status, answer.json["code"]) == (401, "user-token-required")


async def test_a_mobile_channel_with_a_public_key_takes_what_its_private_key_signed(client: Client) -> None:
    claims = {"sub": "ada", "aud": ["es", "other"], "exp": client.clock.now() // 1000 + 60}
    assert (await opened(client, "es", user={"token": signed_by(KEY, claims, "ES256")})).status == 200
    assert (await opened(client, "es", user={"token": signed(claims, secret=public_pem(KEY))})).status == 401


async def test_on_rest_a_token_names_the_sender_and_its_context_is_trusted(client: Client) -> None:
    async def say(token: str | None, sender: str = "ada", path: str = "rest", **message: Any) -> Any:
        who = {"id": sender, "name": "Eve"} | ({"token": token} if token else {})
        secret = "rest-token-of-tea" if path == "rest" else "rest-token-of-strict"
        headers = {"Authorization": f"Bearer {secret}"}
        body = {"sender": who, "message": {"text": "hi"} | message}
        return await client.call("POST", f"/v1/bots/tea/channels/{path}/rest/app", body, headers)

    good = token(client, "rest", given_name="Ada", context={"plan": "gold"})
    answer = await say(good, context={"plan": "free", "order": {"number": 7}})
    assert [message["text"] for message in answer.json] == ["Hello Ada, gold, 7!"]
    other = await say(good, sender="bob")
    assert (other.status, other.json["code"], other.json["pointer"]) == (401, "bad-user-token", "/sender/token")
    assert (await say("x")).json["code"] == "bad-user-token"
    assert (await say(None, path="strict-rest")).json["code"] == "user-token-required"
    assert (await say(token(client, "strict-rest"), path="strict-rest")).status == 200


async def test_a_message_with_a_token_signed_anew_is_the_same_message(client: Client) -> None:
    path, headers = "/v1/bots/tea/channels/rest/rest/app", {"Authorization": "Bearer rest-token-of-tea"}
    answers = []
    for seconds in (100, 200):
        exp = client.clock.now() // 1000 + seconds
        body = {"sender": {"id": "ada", "token": token(client, "rest", exp=exp)}, "message": {"id": "1", "text": "tea"}}
        answers.append(await client.call("POST", path, body, headers))
    assert answers[0].status == answers[1].status == 200
    assert answers[0].body == answers[1].body
