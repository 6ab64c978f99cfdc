"""After a restore: what a backup may have brought back is ended, and nothing that nobody could have ended before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http import dialogs
from tests.http.chat.test_picker import address, say
from tests.http.support import BASE, BOT, Client, serving
from tests.service.login.chatting import ADA, BROWSER, OVER, reach_prompt, refusal_code, tea_house
from tests.stores import TemporaryStore

from dialoom.service.records.after_restore import Ended, end_restored_access

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.service.access.tokens import Token
    from dialoom.storage.store import Store

PLAIN = {"id": "tea", "channels": [{"id": "rest", "type": "rest"}, {"id": "web", "type": "web"}]}
"""Its tokens are made at the start."""


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "sqlite":
        return TemporaryStore()
    from dialoom.storage.postgres.store import PostgresStore

    return PostgresStore(request.getfixturevalue("postgres_server").database())


@pytest.fixture
async def client(tmp_path: Path, store: Store) -> AsyncIterator[Client]:
    async with serving(tmp_path, store=store, bot=PLAIN) as client:
        yield client


async def end(client: Client) -> Ended:
    service = client.service
    # Made at the same millisecond, links of before and after could not be told apart.
    client.clock.move(2)
    ended = await end_restored_access(service.store, service.bots, service.tokens, service.studio, client.clock)
    client.clock.move(2)
    return ended


async def reads_history(client: Client, token: Token) -> bool:
    headers = {"Authorization": f"Bot-Server-Access-Token {token.text}"}
    return (await client.call("GET", "/v1/bots/tea/conversations", None, headers)).status == 200


async def test_secret_tokens_are_revoked_and_each_place_has_a_new_one(client: Client) -> None:
    tokens = client.service.tokens
    made = await tokens.create("tea", scopes=("read", "erase"), name="shop")
    assert await reads_history(client, made)
    before = {row.id: row.hash for row in await tokens.list("tea")}
    ended = await end(client)
    assert not await reads_history(client, made)
    # Of the bot beside it the service's own start has made one too.
    assert {row.id for row in ended.revoked if row.bot == "tea"} == {"first", "first:rest", made.row.id}
    assert {row.id for row in ended.made if row.bot == "tea"} == {"first", "first:rest"}
    assert [row.id for row in ended.kept if row.bot == "tea"] == ["first:web"]
    live = {row.id: row.hash for row in await tokens.list("tea") if row.revoked_at is None}
    assert live.keys() == {"first", "first:rest", "first:web"}
    assert {id for id in live if live[id] == before[id]} == {"first:web"}


async def test_tokens_of_bot_json_stay(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=BOT) as client:
        ended = await end(client)
        assert [row for row in ended.revoked if row.bot == "tea"] == []
        assert (await client.history("conversations")).status == 200
        assert (await client.say("tea")).status == 200


async def test_studio_sessions_and_links_are_ended(client: Client) -> None:
    studio = client.service.studio
    links = [(await studio.link()).partition("=")[2] for _ in range(2)]
    signed_in = await studio.sign_in(links[0])
    assert (await end(client)).studio == 2
    for attempt in (studio.session(signed_in.text), studio.sign_in(links[1])):
        with pytest.raises(Exception, match=r"link|signed in"):
            await attempt
    await studio.sign_in((await studio.link()).partition("=")[2])


async def test_a_picker_address_of_before_is_over_and_a_new_one_is_not(tmp_path: Path) -> None:
    async with serving(tmp_path, dialogs.FLOW) as client:
        path = address(await say(client, {"text": "tea"}))
        assert (await client.call("GET", f"{path}/question")).status == 200
        await end(client)
        answer = await client.call("GET", f"{path}/question")
        assert (answer.status, answer.json["code"]) == (410, "picker-over")
        other = address(await say(client, {"text": "tea", "sender": "ben"}))
        assert (await client.call("GET", f"{other}/question")).status == 200


async def test_a_login_link_of_before_is_over_and_the_next_prompt_has_another(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        state = await reach_prompt(client)
        opened = await client.service.links.open(state)
        await client.service.links.tie(opened, opened.rule, BROWSER)
        ended = await end(client)
        assert ended.logins == 1
        links = client.service.links
        assert await refusal_code(links.open(state)) == OVER
        assert await refusal_code(links.take(state, BROWSER)) == OVER
        assert await client.service.link_statuses.for_card(ADA, opened.link) == "over"
        again = await reach_prompt(client)
        assert again != state
        await links.open(again)


async def test_sessions_of_chats_go_on(client: Client) -> None:
    opened = (await client.open()).json
    await end(client)
    headers = {"Origin": BASE, "Authorization": f"Bearer {opened['token']}"}
    answer = await client.call("GET", "/v1/bots/tea/channels/web/web/messages", None, headers)
    assert answer.status == 200


async def test_running_it_again_ends_what_was_made_since(client: Client) -> None:
    first = await end(client)
    second = await end(client)
    assert {row.id for row in second.revoked} == {row.id for row in first.made}
    assert {row.id for row in second.made} == {row.id for row in first.made}


async def test_a_token_of_a_channel_that_there_is_no_more_is_revoked(client: Client) -> None:
    made = await client.service.tokens.create("tea", kind="channel", channel="old")
    assert made.row.id in {row.id for row in (await end(client)).revoked}
