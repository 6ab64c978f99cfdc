"""The vault's keys change while services go on; afterwards the old one can be taken away and everything still opens."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.chat.test_web import Browser, browser
from tests.http.support import MOCKS, TRAINING, Client, serving
from tests.storage.row_makers import commit, outgoing, write
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.engine import begin
from dialoom.engine.events import Fetched, Response, Said
from dialoom.errors import SettingError, VaultError
from dialoom.messages import Profile
from dialoom.service.access.key_check import NO_BOT, check_keys, note_keys
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.tokens import Tokens
from dialoom.service.bots.bots import Bots
from dialoom.service.chat import chat_row, inbound
from dialoom.service.chat import link_rows as logins
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import LinkInfo
from dialoom.service.records.key_rotation import BATCH, KeyRotation, Rotated, name_of
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sealed import COLUMNS
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey, Dedupe, Inbound, LoginRow
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.postgres import Server

    from dialoom.storage.sealed import Place, Sealed, SealedKind
    from dialoom.storage.store import Store

A, B = bytes([1]) * 32, bytes([2]) * 32
OLD, NEW = (base64.b64encode(key).decode() for key in (A, B))
BEN, CLEO = (ChatKey("tea", "rest", user) for user in ("ben", "cleo"))
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
TEAS = "http://127.0.0.1:9/teas"
LISTED: dict[str, Any] = {
    "entity-definitions": [
        TRAINING["entity-definitions"][0],
        TRAINING["entity-definitions"][1]
        | {
            "dynamic-data": {
                "data-source": {
                    "endpoint": TEAS,
                    "method": "GET",
                    "selector": "$.teas",
                    "headers": {"X-Key": "a-literal-key"},
                },
                "value-template": "{{name}}",
            }
        },
    ]
}
"""One of the teas comes from a list."""
AT_FIRST = MOCKS | {TEAS: {"GET": {"teas": [{"name": "Jasmine"}]}}}


@pytest.fixture(params=["sqlite", "postgres"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes the store of a process; all of them have the same rows."""
    match request.param:
        case "sqlite":
            yield lambda: SqliteStore(tmp_path / "data.sqlite")
        case _:
            server: Server = request.getfixturevalue("postgres_server")
            url = server.database()
            yield lambda: PostgresStore(url, is_timed_by_server=False)
            server.drop(url)


def rotation(store: Store, *keys: bytes) -> KeyRotation:
    vault = Vault.from_keys(keys)
    return KeyRotation(store, vault, Bots(store, vault, MovedClock()))


async def begun(*keys: bytes, store: Store | None = None) -> Store:
    """Return a store on which a service with these keys has started."""
    store = store or TemporaryStore()
    await store.open()
    vault, clock = Vault.from_keys(keys), MovedClock()
    tokens = Tokens(store, vault, Bots(store, vault, clock), clock)
    await check_keys(store, tokens)
    await note_keys(store, tokens)
    return store


async def every(store: Store) -> list[tuple[str, SealedKind, Sealed]]:
    """Return all that is sealed."""
    found: list[tuple[str, SealedKind, Sealed]] = []
    for bot in (NO_BOT, *await store.bots()):
        for kind in COLUMNS:
            after: Place | None = None
            while True:
                page = await store.sealed(kind, bot, b"none", after, 10)
                found += [(bot, kind, sealed) for sealed in page.values]
                if (after := page.last) is None:
                    break
    return found


async def leave_what_waits(store: Store, vault: Vault) -> None:
    """What is sealed of a chat in the middle of things: an event in its inbox with the result of a call, a delivery, a
    login link; a draft of the studio."""
    for key in (BEN, CLEO):
        body = vault.seal(b"{}", chat_row.row_name("outbox", key))
        now = MovedClock().now()
        posted = outgoing(1, key, "nobody", body=body, due=now + 3_600_000, created_at=now)
        state = chat_row.seal(vault, key, chat_row.StoredChat(state=begin()))
        assert await commit(store, write(0, key, state=state, outbox=(posted,))) is None
        about = logins.seal(vault, key, "l1", LinkInfo("v1", nonce="n", verifier="v"))
        await store.open_login(LoginRow(key, "l1", about, 2**50))
    assert await StudioRows(store, vault, MovedClock(), "draft").add(CLEO.bot, "d1", b"{}")
    said = Said(
        id="01936600000000000000000000000001", now=MovedClock().now(), seed=1, profile=Profile(id="cleo"), text="help"
    )
    dedupe = Dedupe("k1", b"hash")
    event = vault.seal(inbound.encode(InboundEvent(said, dedupe=dedupe)), chat_row.row_name("inbox", CLEO))
    row = await store.accept(CLEO, said.id, event, dedupe, said.now)
    assert isinstance(row, Inbound)
    result = msgspec.json.encode(Fetched(key="c1", response=Response(status=200)))
    await store.journal(CLEO, row.number, "c1", vault.seal(result, chat_row.row_name("journal", CLEO)))


async def use(client: Client) -> tuple[list[str], str, str, str]:
    """Have a user in the middle of a form, with a file; return the answers so far, the visitor's secret, the address of
    the file and a token."""
    answers = [*await client.texts("tea", id="m1"), *await client.texts("Jasmine", id="m2")]
    mine = await browser(client)
    sent = await client.call("POST", "/v1/bots/tea/channels/web/web/files", PNG, mine.headers, {"name": "leaf.png"})
    assert sent.status == 201, sent.body
    await mine.send(files=[sent.json["id"]])
    token = await client.service.tokens.create("tea", name="report")
    return answers, mine.session["resume"], sent.json["id"], token.text


def teas(client: Client) -> list[str]:
    deployed = client.service.bots.active("tea")
    assert deployed is not None
    return [value["value"] for value in deployed.flow.recogniser.values("Tea")]


async def test_after_a_rotation_the_old_key_can_go_and_everything_still_opens(
    tmp_path: Path, made: Callable[[], Store]
) -> None:
    async with serving(tmp_path, training=LISTED, fetcher=MockFetcher(AT_FIRST), store=made(), keys=OLD) as client:
        answers, resume, file, token = await use(client)
        assert "Jasmine" in teas(client)
    both: dict[str, Any] = {"keys": f"{NEW},{OLD}", "training": LISTED}
    async with serving(tmp_path, fetcher=MockFetcher(MOCKS), store=made(), **both) as client:
        again = await browser(client, resume=resume)
        resume = again.session["resume"]

    store = made()
    await store.open()
    await leave_what_waits(store, Vault.from_keys([A]))
    told: list[int] = []
    done = await rotation(store, B, A).rotate(told.append)
    assert (done.resealed > 10, done.closed) == (True, {})
    assert told == sorted(told)
    new = Vault.from_keys([B])
    sealed = await every(store)
    assert {kind for _, kind, _ in sealed} == set(COLUMNS)
    for bot, kind, one in sealed:
        assert one.value.startswith(new.mark)
        if kind != "files":
            new.open(one.value, name_of(kind, bot, one.place))
    assert (await rotation(store, B, A).rotate(told.append)).resealed == 0
    await store.close()

    async with serving(tmp_path, fetcher=MockFetcher(MOCKS), store=made(), training=LISTED, keys=NEW) as client:
        assert "Jasmine" in teas(client)
        assert [*await client.texts("tea", id="m1"), *await client.texts("Jasmine", id="m2")] == answers
        assert await client.texts("sesame", id="m3") == ["Order 7: Jasmine."]
        assert (await browser(client, resume=resume)).session["user"] == again.session["user"]
        headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
        assert (await client.call("GET", "/v1/bots/tea/conversations", None, headers)).status == 200
        assert (await client.history("conversations")).status == 200
        found = await client.service.attachments.find("tea", "web", file)
        assert found is not None
        assert [piece async for piece in client.service.attachments.pieces(found)] == [PNG]
        assert found.about.name == "leaf.png"
        async with asyncio.timeout(60):
            while not await client.service.store.said(CLEO, 0, 10):  # noqa: ASYNC110  # another process may say it
                await asyncio.sleep(0.01)
        row = await client.service.store.login(BEN, "l1")
        assert row is not None
        assert logins.about_of(new, row).nonce == "n"


async def test_turns_go_on_while_everything_is_sealed_anew(tmp_path: Path, made: Callable[[], Store]) -> None:
    async with serving(tmp_path, store=made(), keys=OLD) as client:
        for number in range(12):
            await client.texts("tea", sender=f"user {number}")
    async with serving(tmp_path, store=made(), keys=f"{NEW},{OLD}") as client:
        rotating = asyncio.create_task(rotation(client.service.store, B, A).rotate(lambda _: None))

        async def order(number: int) -> list[str]:
            await client.texts("Green", sender=f"user {number}")
            return await client.texts("sesame", sender=f"user {number}")

        told = await asyncio.gather(*(order(number) for number in range(12)))
        assert told == [["Order 7: Green."]] * 12
        assert (await rotating).closed == {}
    async with serving(tmp_path, store=made(), keys=NEW) as client:
        assert (await client.history("conversations/_count")).json == {"count": 12}
        new = Vault.from_keys([B])
        assert all(one.value.startswith(new.mark) for _, _, one in await every(client.service.store))


async def test_two_processes_take_the_new_key_one_after_the_other_and_both_answer_all_the_time(tmp_path: Path) -> None:
    store = TemporaryStore()
    for first, second in ((OLD, f"{OLD},{NEW}"), (f"{NEW},{OLD}", f"{OLD},{NEW}"), (f"{NEW},{OLD}", f"{NEW},{OLD}")):
        async with (
            serving(tmp_path / "a", store=store.beside(), keys=first) as a,
            serving(tmp_path / "b", store=store.beside(), keys=second) as b,
        ):
            made = await b.service.tokens.create("tea")
            headers = {"Authorization": f"Bot-Server-Access-Token {made.text}"}
            for number, client in enumerate((a, b, a)):
                answer = await client.say("help", id=f"{first}{second}{number}")
                assert answer.status == 200
                assert (await client.call("GET", "/v1/bots/tea/conversations", None, headers)).status == 200
    await store.open()
    assert (await rotation(store, B, A).rotate(lambda _: None)).closed == {}


async def test_a_rotation_waits_until_a_service_knows_the_new_key() -> None:
    store = await begun(A)
    with pytest.raises(SettingError, match="No service has started on this store with the key that stands first now"):
        await rotation(store, B, A).rotate(lambda _: None)
    assert all(one.value.startswith(Vault.from_keys([A]).mark) for _, _, one in await every(store))
    await begun(B, A, store=store)
    assert (await rotation(store, B, A).rotate(lambda _: None)).closed == {}


async def test_with_one_key_there_is_nothing_to_do() -> None:
    store = await begun(A)
    assert await rotation(store, A).rotate(lambda _: None) == Rotated(1, 0, {})


class Stubborn(TemporaryStore):
    """Seals with the old key what was sealed again, as a process beside would."""

    async def reseal(self, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
        done = await super().reseal(kind, bot, changes)
        if kind == "chats":
            await super().reseal(kind, bot, [(after, before) for before, after in changes])
        return done


async def chat(store: Store, key: ChatKey, *keys: bytes, text: bytes | None = None) -> None:
    """Return a chat's row. ``text``: in place of what is sealed."""
    await commit(
        store,
        write(0, key, state=text or chat_row.seal(Vault.from_keys(keys), key, chat_row.StoredChat(state=begin()))),
    )


async def publish(store: Store, bot: str = "tea") -> None:
    vault = Vault.from_keys([A])
    bots = Bots(store, vault, MovedClock())
    await bots.publish_files({"bot.json": f'{{"id": "{bot}"}}', "flow.json": '{"conversations": {}}'})


async def test_a_process_that_goes_on_with_an_older_key_is_told() -> None:
    store = await begun(B, A, store=Stubborn())
    await publish(store)
    await chat(store, BEN, A)
    with pytest.raises(VaultError, match="still seals with an older key"):
        await rotation(store, B, A).rotate(lambda _: None)


async def test_what_does_not_open_is_counted_and_everything_else_is_sealed_anew() -> None:
    store = await begun(B, A)
    await publish(store)
    damaged = bytes([1]) + Vault.from_keys([A]).mark[1:] + bytes(40)
    await chat(store, BEN, text=damaged)
    await chat(store, CLEO, A)
    await chat(store, CLEO._replace(user="dan"), bytes([9]) * 32)
    done = await rotation(store, B, A).rotate(lambda _: None)
    assert done.closed == {("tea", "chats"): 2}
    kept = [await store.chat(key) for key in (BEN, CLEO)]
    assert [one and one.state.startswith(Vault.from_keys([B]).mark) for one in kept] == [False, True]
    assert kept[0] is not None
    assert kept[0].state == damaged


async def test_more_rows_than_a_step_takes_are_all_sealed_anew() -> None:
    store = await begun(B, A)
    await publish(store)
    for number in range(3 * BATCH):
        await chat(store, BEN._replace(user=f"user {number}"), A)
    done = await rotation(store, B, A).rotate(lambda _: None)
    assert done.resealed == 3 * BATCH + 1
    assert all(one.value.startswith(Vault.from_keys([B]).mark) for _, _, one in await every(store))


class BrokenOff(Exception):
    pass


async def test_a_rotation_that_was_broken_off_goes_on_with_what_is_left(made: Callable[[], Store]) -> None:
    store = await begun(B, A, store=made())
    await publish(store)
    for number in range(BATCH + 10):
        await chat(store, BEN._replace(user=f"user {number}"), A)

    new, seen = Vault.from_keys([B]), [one for _, _, one in await every(store)]

    def told(rows: int) -> None:
        if rows > BATCH:
            raise BrokenOff

    with pytest.raises(BrokenOff):
        await rotation(store, B, A).rotate(told)
    left = [one for _, _, one in await every(store) if not one.value.startswith(new.mark)]
    assert 0 < len(left) < len(seen)
    assert (await rotation(store, B, A).rotate(lambda _: None)).resealed == len(left)
    assert all(one.value.startswith(new.mark) for _, _, one in await every(store))
    await store.close()


async def test_revoked_tokens_stay_revoked_and_their_texts_taken(tmp_path: Path) -> None:
    store = TemporaryStore()
    async with serving(tmp_path, store=store, keys=OLD) as client:
        made = await client.service.tokens.create("tea")
        assert await client.service.tokens.revoke("tea", made.row.id)
    async with serving(tmp_path, store=store, keys=f"{NEW},{OLD}") as client:
        await rotation(client.service.store, B, A).rotate(lambda _: None)
    async with serving(tmp_path, store=store, keys=NEW) as client:
        headers = {"Authorization": f"Bot-Server-Access-Token {made.text}"}
        assert (await client.call("GET", "/v1/bots/tea/conversations", None, headers)).status == 401
        assert [row for row in await client.service.tokens.list("tea") if row.revoked_at is not None]


async def test_a_visitor_who_comes_while_both_keys_are_there_keeps_the_chat(tmp_path: Path) -> None:
    store = TemporaryStore()
    async with serving(tmp_path, store=store, keys=OLD) as client:
        mine = await browser(client)
        assert "resume" not in (await browser(client, resume=mine.session["resume"])).session
    async with serving(tmp_path, store=store, keys=f"{NEW},{OLD}") as client:
        again: Browser = await browser(client, resume=mine.session["resume"])
        assert again.session["user"] == mine.session["user"]
        assert again.session["resume"] != mine.session["resume"]
        await rotation(client.service.store, B, A).rotate(lambda _: None)
    async with serving(tmp_path, store=store, keys=NEW) as client:
        last = await browser(client, resume=again.session["resume"])
        assert last.session["user"] == mine.session["user"]
        assert (await browser(client, resume=mine.session["resume"])).session["user"] != mine.session["user"]
