"""Direct Line 3.0 as Bot Framework clients speak it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.http import dialogs
from tests.http.chat.directline import LINE, PAGE, SECRET, Talk, ask, begin, serving_line, token_of
from tests.http.support import Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving_line(tmp_path) as client:
        yield client


def error(answer: Any) -> tuple[int, str]:
    """Status and code of a refusal, whose form is Direct Line's."""
    assert set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "message"}
    assert answer.json["error"]["message"]
    return answer.status, answer.json["error"]["code"]


# -- talking


async def test_a_conversation_begins_with_the_welcome_and_goes_on_by_watermarks(client: Client) -> None:
    talk = await begin(client)
    assert [one["text"] for one in await talk.read()] == ["Hello!"]
    assert [one["text"] for one in await talk.say("tea")] == ["Which tea?"]
    assert await talk.read() == []


async def test_an_activity_is_echoed_with_the_id_that_its_client_gave_it(client: Client) -> None:
    talk = await begin(client, await token_of(client, "ada"))
    posted = await talk.post(text="tea")
    _, mine, _ = await talk.read()
    assert mine["id"] == posted.json["id"]
    assert mine["channelData"] == {"clientActivityID": "c1"}
    assert (mine["text"], mine["from"]) == ("tea", {"id": "ada", "role": "user"})


async def test_the_same_activity_again_is_taken_once(client: Client) -> None:
    talk = await begin(client)
    for _ in range(2):
        talk.number = 0
        assert (await talk.post(text="tea")).status == 200
    assert [one["text"] for one in await talk.read()] == ["Hello!", "tea", "Which tea?"]
    talk.number = 0
    assert error(await talk.post(text="another")) == (422, "BadArgument")


async def test_a_quick_reply_comes_back_as_its_key_and_is_shown_with_its_title(client: Client) -> None:
    talk = await begin(client)
    [*_, asked] = await talk.say("tea")
    black = asked["suggestedActions"]["actions"][0]
    assert (black["type"], black["title"]) == ("messageBack", "Black")
    assert await talk.send(text="", value=black["value"])
    talk.watermark = ""
    assert [one["text"] for one in await talk.read()][-2:] == ["Black", "The password?"]


async def test_a_tap_on_an_old_question_gets_the_current_one(client: Client) -> None:
    talk = await begin(client)
    [*_, asked] = await talk.say("tea")
    green, black = asked["suggestedActions"]["actions"][:2]
    await talk.send(text=green["text"], value=green["value"])
    assert [one["text"] for one in await talk.send(text=black["text"], value=black["value"])][-1] == "The password?"


async def test_what_is_no_message_says_nothing(client: Client) -> None:
    talk = await begin(client)
    for kind in ("typing", "event", "endOfConversation"):
        assert (await talk.post(type=kind, name="webchat/join", value={"language": "en"})).status == 200
    assert [one["text"] for one in await talk.read()] == ["Hello!"]


async def test_every_dialog_is_a_card_that_answers_its_question(tmp_path: Path) -> None:
    async with serving_line(tmp_path, flow=dialogs.FLOW) as client:
        talk = await begin(client, await token_of(client, "ada"))
        asked = (await talk.say("tea"))[-1]
        [select] = asked["attachments"]
        choices = select["content"]["body"][0]["choices"]
        assert [choice["title"] for choice in choices] == ["Green tea – light", "Black"]
        [more] = await talk.send(value=_filled(select, choices[0]["value"]))
        choices = more["attachments"][0]["content"]["body"][0]["choices"]
        both = ",".join(choice["value"] for choice in choices if choice["title"] != "Mint")
        [cups] = await talk.send(value=_filled(more["attachments"][0], both))
        assert (cups["attachmentLayout"], len(cups["attachments"])) == ("carousel", 2)
        [day] = await talk.send(value=cups["attachments"][1]["content"]["actions"][0]["data"])
        again = (await talk.send(value=_filled(day["attachments"][0], "2020-01-01")))[-1]
        assert again["attachments"]
        [place] = await talk.send(value=_filled(again["attachments"][0], "2026-12-01"))
        [action] = place["attachments"][0]["content"]["actions"]
        assert (action["type"], action["title"]) == ("Action.OpenUrl", "Show where")
        assert "/channels/line/pick/" in action["url"]
        stale = (await talk.send(value=_filled(select, "1.0")))[-1]
        assert stale["text"] == "Where to?"
        talk.watermark = ""
        mine = [one["text"] for one in await talk.read() if one["from"]["role"] == "user"]
        assert mine[:4] == ["tea", "Green tea", "Black, Green", "Blue cup"]


def _filled(card: dict[str, Any], given: str) -> dict[str, Any]:
    """What a client submits when the card's one input was filled."""
    content = card["content"]
    return dict(content["actions"][0]["data"]) | {content["body"][0]["id"]: given}


async def test_a_card_that_was_left_empty_is_asked_again(tmp_path: Path) -> None:
    async with serving_line(tmp_path, flow=dialogs.FLOW) as client:
        talk = await begin(client)
        [*_, asked] = await talk.say("tea")
        [*_, again] = await talk.send(value=_filled(asked["attachments"][0], ""))
        assert again["text"] == asked["text"]


async def test_two_conversations_of_one_user_show_one_chat_each_from_its_beginning(client: Client) -> None:
    first = await begin(client, await token_of(client, "ada"))
    await first.say("tea")
    second = await begin(client, await token_of(client, "ada"))
    assert await second.read() == []
    await first.say("Green")
    assert [one["text"] for one in await second.read()] == ["Green", "The password?"]


async def test_the_user_s_name_zone_and_language_reach_the_profile(client: Client) -> None:
    talk = await begin(client, await token_of(client, "ada"), locale="en-GB")
    await talk.post(text="tea", locale="de-AT", localTimezone="Europe/Vienna")
    [record] = (await client.history("conversations")).json
    assert record["User"] == "ada"
    assert record["Data"]["user"] | {"Locale": None} == {
        "ExternalId": None, "FirstName": "Ada", "LastName": "Lovelace", "Avatar": None, "Locale": None, "Timezone": None,
    }  # fmt: skip
    assert record["Data"]["channel"]["ProviderName"] == "directline"


# -- files


FORM = "multipart/form-data; boundary=cut"


def form(*parts: tuple[str, str, bytes]) -> bytes:
    """A body as browsers make it: head lines, type and content of each part."""
    pieces = [
        b"--cut\r\nContent-Disposition: form-data; %b\r\nContent-Type: %b\r\n\r\n%b\r\n"
        % (head.encode(), type.encode(), content)
        for head, type, content in parts
    ]
    return b"".join(pieces) + b"--cut--\r\n"


ACTIVITY = json.dumps(
    {"type": "message", "text": "tea", "attachments": [{"name": "leaf.png"}], "channelData": {"clientActivityID": "u1"}}
).encode()


async def upload(talk: Talk, body: bytes, content_type: str = FORM) -> Any:
    path = f"conversations/{talk.id}/upload"
    headers = {"Content-Type": content_type}
    return await ask(talk.client, "POST", path, talk.token, body, headers=headers, query={"userId": "somebody"})


async def test_an_upload_keeps_its_files_and_says_its_text(client: Client) -> None:
    talk = await begin(client)
    body = form(
        ('name="activity"; filename="blob"', "application/vnd.microsoft.activity", ACTIVITY),
        ('name="file"; filename="leaf.png"', "image/png", b"\x89PNG\r\n\x1a\n\r\n--cu"),
    )
    assert (await upload(talk, body)).json == {"id": "u1"}
    said = [one for one in await talk.read() if one["from"]["role"] == "user"]
    [file] = said[0]["attachments"]
    assert (file["name"], file["contentType"]) == ("leaf.png", "image/png")
    assert said[0]["channelData"] == {"clientActivityID": "u1"}
    assert said[0]["text"] == "tea"
    path, _, query = file["contentUrl"].removeprefix("http://127.0.0.1:8080").partition("?")
    read = await client.call("GET", path, query=query)
    assert (read.status, read.body) == (200, b"\x89PNG\r\n\x1a\n\r\n--cu")


async def test_a_message_has_ten_files_at_most(client: Client) -> None:
    talk = await begin(client)
    files = [('name="file"; filename="a"', "text/plain", b"x")] * 11
    assert error(await upload(talk, form(*files))) == (400, "BadArgument")
    assert (await upload(talk, form(*files[:10]))).status == 200
    [said] = [one for one in await talk.read() if one["from"]["role"] == "user"]
    assert len(said["attachments"]) == 10


async def test_links_and_text_of_one_message_take_its_share_once(tmp_path: Path) -> None:
    async with serving_line(tmp_path, quota_chat="64 KiB") as client:
        talk = await begin(client)
        links = [{"contentUrl": "https://shop.example/leaf.png", "contentType": "image/png"}]
        assert (await talk.post(text="tea", attachments=links, entities=["x" * 40_000])).status == 200


async def test_a_file_takes_nothing_of_the_share_of_messages(tmp_path: Path) -> None:
    async with serving_line(tmp_path, quota_chat="64 KiB") as client:
        talk = await begin(client)
        assert (await upload(talk, b"x" * 100_000, "text/plain")).status == 200
        [file] = [file for one in await talk.read() for file in one.get("attachments", ())]
        assert file["contentType"] == "text/plain"
        assert error(await talk.post(text="tea", entities=["x" * 65_000])) == (429, "TooManyRequests")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", FORM),
        (b"--cut--\r\n", FORM),
        (b"--cut\r\nno head", FORM),
        (form(("name=a", "text/plain", b"x")), "multipart/form-data"),
        (form(('name="activity"', "application/vnd.microsoft.activity", b"{")), FORM),
        (form(('name="file"; filename="a"', "text/plain", b"")), FORM),
        (form(*[('name="file"; filename="a"', "text/plain", b"x")] * 17), FORM),
    ],
)
async def test_a_form_that_cannot_be_read_is_refused(client: Client, body: bytes, content_type: str) -> None:
    talk = await begin(client)
    assert error(await upload(talk, body, content_type)) == (400, "BadArgument")


# -- who may


async def test_a_user_id_that_differs_from_the_token_s_is_overwritten(client: Client) -> None:
    talk = await begin(client, await token_of(client, "ada"), user={"id": "eve"})
    await talk.post(text="tea", **{"from": {"id": "eve", "name": "Eve"}})
    assert {record["User"] for record in (await client.history("conversations")).json} == {"ada"}


async def test_without_a_user_id_each_token_is_a_user_of_its_own(client: Client) -> None:
    first, second = await begin(client), await begin(client)
    for talk in (first, second):
        await talk.post(text="tea")
    users = [record["User"] for record in (await client.history("conversations")).json]
    assert len(set(users)) == 2
    assert all(user.startswith("dl_") for user in users)


async def test_the_secret_speaks_for_every_user(client: Client) -> None:
    talk = await begin(client, SECRET, user={"id": "ada"})
    talk.token = SECRET
    assert [one["text"] for one in await talk.say("tea")] == ["Hello!", "Which tea?"]
    assert (await ask(client, "GET", f"conversations/{talk.id}", SECRET)).status == 200
    assert {record["User"] for record in (await client.history("conversations")).json} == {"ada"}


async def test_a_token_is_refreshed_and_expires_after_half_an_hour(client: Client) -> None:
    talk = await begin(client)
    client.clock.move(1700)
    refreshed = await ask(client, "POST", "tokens/refresh", talk.token)
    assert (refreshed.status, refreshed.json["conversationId"]) == (200, talk.id)
    client.clock.move(100)
    assert error(await talk.post(text="tea")) == (403, "TokenExpired")
    assert error(await ask(client, "POST", "tokens/refresh", talk.token)) == (403, "TokenExpired")
    talk.token = refreshed.json["token"]
    assert (await talk.post(text="tea")).status == 200


async def test_reconnecting_gives_a_new_token_and_a_stream_behind_the_watermark(client: Client) -> None:
    talk = await begin(client)
    await talk.say("tea")
    path = f"conversations/{talk.id}"
    answer = await ask(client, "GET", path, talk.token, query={"watermark": talk.watermark})
    assert (answer.status, answer.json["conversationId"]) == (200, talk.id)
    assert answer.json["streamUrl"].startswith(f"ws://127.0.0.1:8080{LINE}/{path}/stream?watermark=3&t=")


async def test_tokens_and_secrets_that_are_not_valid_here_are_refused(client: Client) -> None:
    talk, other = await begin(client), await begin(client)
    path = f"conversations/{talk.id}/activities"
    assert error(await ask(client, "GET", path, None)) == (401, "Unauthorized")
    for key in ("guessed", other.token, talk.token[:-2] + "xx", "web-token-of-tea", f"{SECRET}x", "\xe9"):
        assert error(await ask(client, "GET", path, key)) == (403, "BadArgument"), key
    assert error(await ask(client, "POST", "tokens/generate", talk.token)) == (403, "BadArgument")
    assert error(await ask(client, "POST", "tokens/refresh", SECRET)) == (403, "BadArgument")
    assert error(await ask(client, "GET", "conversations/none/activities", SECRET)) == (404, "ConversationNotFound")


async def test_a_channel_without_a_secret_takes_no_calls(client: Client) -> None:
    path = LINE.replace("/line/", "/mute/")
    answer = await client.call("POST", f"{path}/tokens/generate", {}, {"Authorization": "Bearer "})
    assert error(answer) == (401, "Unauthorized")
    answer = await client.call("POST", f"{path}/tokens/generate", {}, {"Authorization": "Bearer x"})
    assert error(answer) == (404, "NotFound")
    for other in ("web", "none"):
        path = LINE.replace("/line/", f"/{other}/")
        answer = await client.call("POST", f"{path}/conversations", {}, {"Authorization": f"Bearer {SECRET}"})
        assert error(answer) == (404, "NotFound")


async def test_pages_of_other_origins_may_not_use_the_channel(client: Client) -> None:
    key = await token_of(client, trustedOrigins=[f"{PAGE}/"])
    for origin, status in ((PAGE, 201), ("https://evil.example", 403), ("http://127.0.0.1:8080", 403)):
        answer = await ask(client, "POST", "conversations", key, {}, headers={"Origin": origin})
        assert answer.status == status
        assert answer.headers.get("access-control-allow-origin") == (PAGE if origin == PAGE else None)
    early = await ask(client, "OPTIONS", "conversations", None, headers={"Origin": PAGE})
    assert early.status == 204
    assert "x-ms-bot-agent" in early.headers["access-control-allow-headers"]


async def test_an_erased_user_s_conversation_is_gone(client: Client) -> None:
    first = await begin(client, await token_of(client, "ada"))
    await first.say("tea")
    talk = await begin(client, await token_of(client, "ada"))
    await talk.say("Green")
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    token = (await client.service.tokens.create("tea", scopes=("read", "erase"))).text
    headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
    assert (await client.call("DELETE", "/v1/bots/tea/users/ada", None, headers)).status == 200
    path = f"conversations/{talk.id}/activities"
    assert error(await ask(client, "GET", path, talk.token)) == (404, "ConversationNotFound")


async def test_too_many_messages_are_refused_in_the_same_form(tmp_path: Path) -> None:
    async with serving_line(tmp_path, rate_user="3/min") as client:
        talk = await begin(client)
        answers = [await talk.post(text="tea") for _ in range(3)]
        assert [answer.status for answer in answers] == [200, 200, 429]
        assert error(answers[-1]) == (429, "TooManyRequests")
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_who_guesses_tokens_has_to_wait(tmp_path: Path) -> None:
    async with serving_line(tmp_path, rate_address="3/min") as client:
        talk = await begin(client)
        path = f"conversations/{talk.id}/activities"
        guesses = [await ask(client, "GET", path, f"guess-{number}") for number in range(4)]
        assert [error(answer)[0] for answer in guesses] == [403, 403, 403, 429]
        assert (await talk.post(text="tea")).status == 200  # a token that is known goes on


async def test_the_longest_user_id_still_has_a_stream(client: Client) -> None:
    answer = await ask(client, "POST", "conversations", SECRET, {"user": {"id": "\U0001f600" * 256, "name": "ß" * 256}})
    assert answer.status == 201
    assert len(answer.json["streamUrl"]) < 16_000
    answer = await ask(client, "POST", "conversations", SECRET, {"user": {"id": "x" * 257}})
    assert error(answer) == (400, "BadArgument")


# -- bad inputs


@pytest.mark.parametrize("watermark", ["-1", "x", "99", "1e3", "9" * 20, "٣"])
async def test_a_watermark_that_was_never_given_is_refused(client: Client, watermark: str) -> None:
    refusal = (404, "ConversationNotFound") if watermark == "99" else (400, "BadArgument")
    talk = await begin(client)
    path = f"conversations/{talk.id}"
    for end in ("", "/activities", "/stream"):
        answer = await ask(client, "GET", path + end, talk.token, query={"watermark": watermark})
        assert error(answer) == refusal


async def test_bodies_that_are_too_large_or_no_activity_are_refused(client: Client) -> None:
    talk = await begin(client)
    assert error(await talk.post(text="x" * 8001)) == (400, "BadArgument")
    assert error(await talk.post(text="x" * 1024 * 1024)) == (413, "MessageSizeTooBig")
    for bad in (
        {"text": " "},
        {"value": {"other": 1}},
        {"type": None},
        {"text": 3},
        {"channelData": {"clientActivityID": 3}},
    ):
        assert error(await talk.post(**bad)) == (400, "BadArgument"), bad
    files = [{"contentType": "image/png", "contentUrl": url} for url in ("data:image/png;base64,AA==", "javascript:1")]
    for file in files:
        assert error(await talk.post(attachments=[file])) == (400, "BadArgument")
    path = f"conversations/{talk.id}/activities"
    assert error(await ask(client, "POST", path, talk.token, b"{")) == (400, "BadArgument")
    assert error(await ask(client, "PUT", path, talk.token, {})) == (405, "MethodNotAllowed")
    assert error(await ask(client, "GET", f"conversations/{talk.id}/stream", talk.token)) == (400, "BadArgument")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.sampled_from(["message", "3.0", "ada"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["id", "option", "options", "date", "say", "ask", "clientActivityID", "contentUrl", "x"]), inner, max_size=3
    ),
    max_leaves=6,
)  # fmt: skip
NAMES = ("from", "text", "value", "attachments", "locale", "localTimezone", "channelData", "entities")
ACTIVITIES = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4)


async def test_no_activity_makes_a_fault(tmp_path: Path) -> None:
    async with serving_line(tmp_path, rate_user="off", rate_token="off", rate_address="off") as client:
        talk = await begin(client)
        drawn: list[dict[str, Any]] = []

        @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(ACTIVITIES)
        def draw(activity: dict[str, Any]) -> None:
            drawn.append(activity)

        draw()
        for activity in drawn:
            answer = await talk.post(**{"type": "message"} | activity)
            assert answer.status in (200, 400, 422, 429), (activity, answer.body)
            assert answer.status == 200 or error(answer)
        assert await talk.read()
