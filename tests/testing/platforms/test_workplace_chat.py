"""The stand-in of Teams signs as the Bot Framework does, and refuses what the connector refuses or Teams does not show."""

from __future__ import annotations

import base64
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet

from dialoom.testing.platforms import Teams
from dialoom.testing.platforms.workplace_chat.activity_shapes import CARD
from dialoom.testing.platforms.workplace_chat.adaptive_cards import card_faults
from tests.testing.platforms.receiver import Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CHOICES = [{"title": "One", "value": "1"}, {"title": "Two", "value": "2"}]
PICK = {"type": "Input.ChoiceSet", "id": "pick", "choices": CHOICES, "isMultiSelect": True}
SUBMIT = {"type": "Action.Submit", "title": "Choose", "data": {"key": "k1"}}


def card(*body: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "AdaptiveCard", "version": "1.5", "body": list(body), **more}


def adaptive(content: Any) -> dict[str, Any]:
    return {"contentType": CARD + "adaptive", "content": content}


def message(**more: Any) -> dict[str, Any]:
    return {"type": "message", **more}


BACK = {"msteams": {"type": "messageBack", "displayText": "One", "value": "k1"}}
REFUSED_CARDS: list[tuple[Any, str]] = [
    ({"type": "AdaptiveCard", "body": []}, "must be there"),
    (card(version="1.6"), "'1.6' is none of"),
    (card({"type": "Text", "text": "a"}), "'Text' is none of"),
    (card({"type": "TextBlock"}), "must be there"),
    (card({"type": "TextBlock", "text": "a", "color": "red"}), "'red' is none of"),
    (card({"type": "TextBlock", "text": "a", "value": "b"}), "is no field"),
    (card({"type": "Image", "url": "http://a.example/1.png"}), "begins with https"),
    (card({"type": "Input.Date"}), "must be there"),
    (card({**PICK, "choices": []}), "needs 1"),
    (card({**PICK, "choices": [{"title": "a", "value": "b,c"}]}), "joins values by commas"),
    (card({**PICK, "choices": [{"title": "a", "value": 1}]}), "must be a string"),
    (card(PICK, PICK), "stands 2 times"),
    (card({"type": "ActionSet", "actions": [SUBMIT] * 7}), "has 7 actions"),
    (card(actions=[{**SUBMIT, "type": "Action.Post"}]), "'Action.Post' is none of"),
    (card(actions=[{"type": "Action.Submit"}]), "an action needs a title"),
    (card(actions=[{"type": "Action.OpenUrl", "title": "a", "url": "javascript:1"}]), "begins with https"),
    (card(actions=[{**SUBMIT, "data": 5}]), "a string or an object"),
    (card(actions=[{**SUBMIT, "data": {"msteams": {"type": "postBack"}}}]), "must be one of messageBack"),
    (card(PICK, actions=[{**SUBMIT, "data": BACK}]), "so that it can take the card's inputs"),
]


@pytest.mark.parametrize(("content", "problem"), REFUSED_CARDS)
def test_a_card_that_teams_does_not_show_is_refused(content: Any, problem: str) -> None:
    assert problem in " ".join(fault.detail for fault in card_faults(content))


def test_right_cards_are_taken() -> None:
    text = {"type": "TextBlock", "text": "Which?", "wrap": True, "weight": "bolder"}
    image = {"type": "Image", "url": "https://a.example/1.png", "altText": "A mug"}
    column = {"type": "Column", "width": "auto", "items": [image]}
    sets = {"type": "ColumnSet", "columns": [column]}
    date = {"type": "Input.Date", "id": "day", "min": "2026-01-01"}
    actions = [{"type": "ActionSet", "actions": [{**SUBMIT, "data": BACK}]}]
    assert list(card_faults(card(text, sets, *actions))) == []
    assert list(card_faults(card({**text, "weight": "Bolder"}, {**image, "size": "Stretch"}))) == []
    assert list(card_faults(card(text, PICK, date, actions=[SUBMIT], msteams={"width": "Full"}))) == []


REFUSED: list[tuple[Any, int, str]] = [
    ([], 400, "must be an object"),
    (message(), 400, "text or attachments must be there"),
    (message(text="a", quickReplies=[]), 400, "quickReplies is no field"),
    ({"type": "event", "text": "a"}, 400, "'event' is none of"),
    (message(text="a" * 52_000), 413, "Message size too large"),
    (message(attachments=[adaptive(card())] * 11), 400, "has 11 members"),
    (message(attachments=[{"contentType": "text/plain"}]), 400, "is not shown"),
    (message(attachments=[adaptive({})]), 400, "type must be there"),
    (message(attachments=[{"contentType": CARD + "signin", "content": {"buttons": []}}]), 400, "needs 1"),
    (
        message(
            text="a", attachments=[adaptive(card())], suggestedActions={"actions": [{"type": "imBack", "title": "a"}]}
        ),
        400,
        "not shown beside",
    ),
    (
        message(text="a", suggestedActions={"actions": [{"type": "imBack", "title": "a", "value": "a"}] * 4}),
        400,
        "has 4",
    ),
    (message(text="a", suggestedActions={"actions": [{"type": "openUrl", "title": "a"}]}), 400, "imBack only"),
]


class Talk:
    def __init__(self, teams: Teams, hook: Receiver) -> None:
        self.teams, self.hook = teams, hook
        self.user = teams.user()
        self.token = ""

    async def sign_in(self, tenant: str = "botframework.com", **changed: str) -> tuple[int, Any]:
        form = {
            "grant_type": "client_credentials",
            "client_id": self.teams.app_id,
            "client_secret": self.teams.app_password,
            "scope": "https://api.botframework.com/.default",
            **changed,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        address = f"{self.teams.url}/{tenant}/oauth2/v2.0/token"
        status, answer = await self.hook.post(address, urlencode(form).encode(), headers)
        self.token = answer.get("access_token", "")
        return status, answer

    async def call(self, address: str, body: Any = None, method: str = "POST") -> tuple[int, Any]:
        return await self.hook.post(address, body, {"Authorization": f"Bearer {self.token}"}, method)

    async def send(self, activity: Any, method: str = "POST", id: str = "") -> tuple[int, Any]:
        conversation = self.user.conversation["id"]
        address = f"{self.teams.service_url}v3/conversations/{conversation}/activities"
        return await self.call(address + (f"/{id}" if id else ""), activity, method)


@asynccontextmanager
async def talk(**options: Any) -> AsyncIterator[Talk]:
    async with receiver() as hook, Teams(**options) as teams:
        teams.endpoint = hook.url
        made = Talk(teams, hook)
        assert (await made.sign_in())[0] == 200
        yield made


async def test_what_the_connector_refuses_is_refused() -> None:
    async with talk() as made:
        await made.user.say("hello")
        for activity, status, problem in REFUSED:
            answered, answer = await made.send(activity)
            assert answered == status, (activity, answer)
            assert problem in answer["error"]["message"], (activity, answer)
        assert made.user.received == []


async def test_tokens_of_the_bot_are_given_and_checked() -> None:
    clock = [1_800_000_000.0]
    async with talk(clock=lambda: clock[0]) as made:
        await made.user.say("hello")
        assert (await made.send(message(text="a")))[0] == 201
        clock[0] += 3601
        assert (await made.send(message(text="a")))[0] == 401
        assert (await made.sign_in(client_secret="other"))[1]["error"] == "invalid_client"
        assert (await made.sign_in(scope="other"))[1]["error"] == "invalid_scope"
        assert (await made.sign_in(tenant="other"))[0] == 400
        assert (await made.sign_in(client_id="other"))[1]["error"] == "unauthorized_client"


async def test_activities_are_signed_with_an_endorsed_key() -> None:
    async with talk() as made:
        await made.user.install()
        async with made.hook.client.get(made.teams.metadata_url) as answer:
            jwks_uri = (await answer.json())["jwks_uri"]
        async with made.hook.client.get(jwks_uri) as answer:
            published = await answer.json()
        keys = KeySet.import_key_set(published)
        call = made.hook.received[-1]
        token = jwt.decode(call.headers["authorization"].removeprefix("Bearer "), keys)
        assert token.claims["iss"] == "https://api.botframework.com"
        assert token.claims["aud"] == made.teams.app_id
        assert token.claims["serviceurl"] == call.json["serviceUrl"] == made.teams.service_url
        assert [one["endorsements"] for one in published["keys"] if one["kid"] == token.header["kid"]] == [["msteams"]]
        assert [one.json["type"] for one in made.hook.received] == ["installationUpdate", "conversationUpdate"]
        activity = made.teams.activity(made.user, {"type": "message", "text": "a"})
        await made.teams.post(activity, key="forged", claims={"exp": None})
        forged = made.hook.received[-1].headers["authorization"].removeprefix("Bearer ")
        with pytest.raises(BadSignatureError):
            jwt.decode(forged, keys)


async def test_of_cards_with_one_title_the_page_presses_the_one_that_was_pressed() -> None:
    async with talk() as made:
        await made.user.say("hello")
        cards = [adaptive(card(actions=[{**SUBMIT, "data": {"key": key}}])) for key in ("k1", "k2", "k3")]
        await made.send(message(attachments=cards, attachmentLayout="carousel"))
        await made.teams.act({"do": "submit", "title": "Choose", "data": {"key": "k2"}, "inputs": {}})
        assert made.hook.received[-1].json["value"] == {"key": "k2"}


async def test_a_submitted_card_sends_its_data_and_inputs() -> None:
    async with talk() as made:
        user = made.user
        await user.say("hello")
        await made.send(message(attachments=[adaptive(card(PICK, actions=[SUBMIT]))]))
        await user.submit("Choose", pick="1,2")
        value = made.hook.received[-1].json
        assert (value["value"], "text" in value) == ({"key": "k1", "pick": "1,2"}, False)
        await made.send(message(attachments=[adaptive(card(actions=[{**SUBMIT, "title": "One", "data": BACK}]))]))
        await user.submit("One")
        assert made.hook.received[-1].json["value"] == "k1"
        assert user.messages[-1]["text"] == "One"
        with pytest.raises(LookupError):
            await user.submit("Choose", day="x")


async def test_a_removed_app_and_an_unknown_conversation_take_nothing() -> None:
    async with talk() as made:
        await made.user.say("hello")
        await made.user.uninstall()
        assert (await made.send(message(text="a")))[1]["error"]["code"] == "ConversationBlockedByUser"
        made.user.conversation = {"id": "a:other"}
        made.teams.users.clear()
        assert (await made.send(message(text="a")))[1]["error"]["code"] == "ConversationNotFound"


async def test_messages_are_updated_and_too_many_are_refused() -> None:
    clock = [1_800_000_000.0]
    async with talk(clock=lambda: clock[0], limits_rate=True) as made:
        await made.user.say("hello")
        _, answer = await made.send(message(text="one"))
        assert (await made.send(message(text="two"), "PUT", answer["id"]))[0] == 200
        assert [one["text"] for one in made.user.received] == ["two"]
        assert (await made.send(message(text="two"), "PUT", "other"))[0] == 404
        for _ in range(6):
            assert (await made.send(message(text="a")))[0] == 201
        assert (await made.send(message(text="a")))[0] == 429


async def test_single_sign_on_exchanges_a_token_or_asks_for_consent() -> None:
    async with talk() as made:
        user, service = made.user, f"{made.teams.url}/api"
        await user.say("hello")
        state = {"connectionName": "work", "conversation": {}, "msAppId": made.teams.app_id}
        packed = base64.b64encode(json.dumps(state).encode()).decode()
        status, resource = await made.call(
            f"{service}/botsignin/GetSignInResource?{urlencode({'state': packed})}", method="GET"
        )
        assert status == 200
        assert (await made.call(f"{service}/botsignin/GetSignInResource?state=e30=", method="GET"))[0] == 400
        button = {"type": "signin", "title": "Log in", "value": resource["signInLink"]}
        content = {
            "connectionName": "work",
            "tokenExchangeResource": resource["tokenExchangeResource"],
            "buttons": [button],
        }
        assert (await made.send(message(attachments=[{"contentType": CARD + "oauth", "content": content}])))[0] == 201
        await user.exchange_token()
        invoke = made.hook.received[-1].json
        assert (invoke["type"], invoke["name"]) == ("invoke", "signin/tokenExchange")
        assert invoke["value"]["id"] == resource["tokenExchangeResource"]["id"]
        whom = urlencode({"userId": user.id, "connectionName": "work", "channelId": "msteams"})
        made.teams.exchanges_of_tokens = False
        assert (await made.call(f"{service}/usertoken/exchange?{whom}", {"token": "x"}))[0] == 412
        assert (await made.call(f"{service}/usertoken/GetToken?{whom}", method="GET"))[0] == 404
        await user.sign_in("token-1")
        code = made.hook.received[-1].json["value"]["state"]
        assert (await made.call(f"{service}/usertoken/GetToken?{whom}&code=0", method="GET"))[0] == 404
        assert (await made.call(f"{service}/usertoken/GetToken?{whom}&code={code}", method="GET"))[1][
            "token"
        ] == "token-1"
        assert (await made.call(f"{service}/usertoken/SignOut?{whom}", method="DELETE"))[0] == 200
        assert (await made.call(f"{service}/usertoken/GetToken?{whom}", method="GET"))[0] == 404
        await user.fail_to_sign_in()
        assert made.hook.received[-1].json["name"] == "signin/failure"


async def test_a_group_mentions_the_bot() -> None:
    async with talk() as made:
        group = {"id": "19:g@thread.v2", "conversationType": "groupChat", "isGroup": True}
        await made.user.say("hello", group)
        activity = made.hook.received[-1].json
        assert activity["text"] == "<at>Stand-in</at> hello"
        address = f"{made.teams.service_url}v3/conversations/{group['id']}/activities"
        assert (await made.call(address, message(text="a")))[0] == 201


async def test_the_screen_says_that_the_app_is_not_there_also_after_it_was_removed() -> None:
    async with Teams() as teams:
        ada = teams.user()
        for ada.has_installed in (False, True, False):
            assert teams.screen()["notes"] == ([] if ada.has_installed else ["The app is not installed."])
