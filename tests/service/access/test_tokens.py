"""Tokens follow the bot's files and survive nothing that they should not."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from tests.http.support import BOT, Client, serving, write_bot
from tests.service.process_stores import until
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import RequestError
from dialoom.service.access.tokens import Tokens
from dialoom.service.bots.bots import Bots
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import TokenRow


class Interleaved(TemporaryStore):
    """Lets another process write between this one's reading of the tokens and its writing."""

    async def tokens(self, bot: str) -> list[TokenRow]:
        rows = await super().tokens(bot)
        await asyncio.sleep(0)
        return rows


class Asked(TemporaryStore):
    """Says how often a token was looked up; waits with the answer for the gate."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.given = asyncio.Event()
        self.given.set()
        self.revoking = asyncio.Event()
        self.revoking.set()

    async def revoke(self, bot: str, id: str, at: int) -> bool:
        await self.revoking.wait()
        return await super().revoke(bot, id, at)

    async def token(self, hash: bytes) -> TokenRow | None:
        self.looks += 1
        await self.gate.wait()
        row = await super().token(hash)
        await self.given.wait()
        return row


async def _status(client: Client, token: str) -> int:
    headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
    client.clock.move(2)
    return (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status


async def test_a_changed_bot_brings_its_channels_and_tokens(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        channels = [*BOT["channels"], {"id": "phone", "type": "rest", "token": "token-of-the-phone"}]
        folder = write_bot(tmp_path / "tea", BOT | {"access-token": "another-history-token", "channels": channels})
        await client.service.publish(folder)
        assert await _status(client, "another-history-token") == 200
        assert await _status(client, "history-token-of-tea") == 401
        body = {"sender": {"id": "a"}, "message": {"text": "hi"}}
        path = "/v1/bots/tea/channels/phone/rest/x"
        assert (await client.call("POST", path, body, {"Authorization": "Bearer token-of-the-phone"})).status == 200


async def test_a_token_taken_out_of_the_file_ends_and_another_is_made(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        made = await client.service.tokens.create("tea", name="report")
        folder = write_bot(tmp_path / "tea", {key: value for key, value in BOT.items() if key != "access-token"})
        await client.service.publish(folder)
        assert await _status(client, "history-token-of-tea") == 401
        assert await _status(client, made.text) == 200


async def test_no_token_stands_in_the_store_in_clear(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        rows = await client.service.tokens.list("tea")
        assert rows
        assert "token-of-tea" not in json.dumps([repr(row) for row in rows])
        texts = {client.service.tokens.reveal(row) for row in rows}
        assert texts == {"history-token-of-tea", "rest-token-of-tea", "web-token-of-tea"}


async def test_two_processes_that_start_at_once_make_each_token_once(tmp_path: Path) -> None:
    plain = {"id": "tea", "channels": [{"id": "web", "type": "web"}, {"id": "rest", "type": "rest"}]}
    folder = write_bot(tmp_path / "tea", plain)
    store, clock, vault = Interleaved(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    sides = []
    for _ in range(2):
        bots = Bots(store, vault, clock)
        await bots.publish(folder)
        sides.append(Tokens(store, vault, bots, clock))
    made = await asyncio.gather(*(side.prepare("tea") for side in sides))
    live = [(row.kind, row.channel) for row in await store.tokens("tea") if row.revoked_at is None]
    assert sorted(live, key=str) == [("channel", "rest"), ("channel", "web"), ("server", None)]
    assert sorted(token.row.id for tokens in made for token in tokens) == ["first", "first:rest", "first:web"]


async def test_two_processes_that_take_up_a_changed_token_at_once_end_with_it(tmp_path: Path) -> None:
    store, clock, vault = Interleaved(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    sides = []
    for token in ("an-old-token", "a-new-token"):
        folder = write_bot(tmp_path / "tea", BOT | {"access-token": token})
        sides = []
        for _ in range(2):
            bots = Bots(store, vault, clock)
            await bots.publish(folder)
            sides.append(Tokens(store, vault, bots, clock))
        await asyncio.gather(*(side.prepare("tea") for side in sides))
        clock.move(10)
    live = [row for row in await store.tokens("tea") if row.kind == "server" and row.revoked_at is None]
    assert [sides[0].reveal(row) for row in live] == ["a-new-token"]


async def test_a_first_token_that_was_revoked_is_made_anew_at_the_next_start(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        folder = write_bot(tmp_path / "tea", {key: value for key, value in BOT.items() if key != "access-token"})
        await client.service.publish(folder)
        (first,) = [row for row in await client.service.tokens.list("tea") if row.id == "first"]
        await client.service.tokens.revoke("tea", "first")
        (made,) = await client.service.tokens.prepare("tea")
        assert made.row.id == "first"
        assert made.row.hash != first.hash
        assert await _status(client, made.text) == 200


async def test_a_token_in_use_is_looked_up_before_its_time_is_over_and_nobody_waits() -> None:
    store, clock, vault = Asked(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    tokens = Tokens(store, vault, Bots(store, vault, clock), clock)
    made = await tokens.create("tea")
    await tokens.check_server(made.text, "tea", "read")
    store.gate.clear()
    clock.move(0.7)
    await tokens.check_server(made.text, "tea", "read")
    await tokens.check_server(made.text, "tea", "read")
    await asyncio.sleep(0)
    assert store.looks == 2
    store.gate.set()
    await until(lambda: len(asyncio.all_tasks()) == 1)  # the look-up has ended
    await asyncio.sleep(0)  # and what is called at its end was
    clock.move(0.7)
    await tokens.check_server(made.text, "tea", "read")
    await asyncio.sleep(0)
    assert store.looks == 3


async def test_a_token_is_never_trusted_beyond_its_time_while_its_look_up_hangs() -> None:
    store, clock, vault = Asked(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    tokens = Tokens(store, vault, Bots(store, vault, clock), clock)
    made = await tokens.create("tea")
    await tokens.check_server(made.text, "tea", "read")
    store.gate.clear()
    clock.move(0.7)
    await tokens.check_server(made.text, "tea", "read")
    clock.move(0.7)
    late = asyncio.ensure_future(tokens.check_server(made.text, "tea", "read"))
    await asyncio.sleep(0.01)
    assert not late.done()
    store.gate.set()
    await late


async def test_a_token_that_is_revoked_while_it_is_looked_up_ends_at_once() -> None:
    store, clock, vault = Asked(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    tokens = Tokens(store, vault, Bots(store, vault, clock), clock)
    made = await tokens.create("tea")
    store.given.clear()
    before = asyncio.ensure_future(tokens.check_server(made.text, "tea", "read"))
    await asyncio.sleep(0.01)
    await tokens.revoke("tea", made.row.id)
    beside = asyncio.ensure_future(tokens.check_server(made.text, "tea", "read"))
    await asyncio.sleep(0.01)
    store.given.set()
    await before
    for asked in (beside, tokens.check_server(made.text, "tea", "read")):
        with pytest.raises(RequestError, match="no valid token"):
            await asked


async def test_a_token_that_is_looked_up_while_it_is_revoked_ends_with_that() -> None:
    store, clock, vault = Asked(), MovedClock(), Vault.from_keys([bytes(32)])
    await store.open()
    tokens = Tokens(store, vault, Bots(store, vault, clock), clock)
    made = await tokens.create("tea")
    store.revoking.clear()
    revoked = asyncio.ensure_future(tokens.revoke("tea", made.row.id))
    await asyncio.sleep(0.01)
    await tokens.check_server(made.text, "tea", "read")
    store.revoking.set()
    assert await revoked
    with pytest.raises(RequestError, match="no valid token"):
        await tokens.check_server(made.text, "tea", "read")
