"""What only an administrator may give away, and that nothing changes between the check and the deed."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.studio.test_people import _code, signed_in
from tests.http.support import BOT, FLOW, serving
from tests.stores import TemporaryStore

from dialoom.errors import RequestError
from dialoom.storage.store import TokenRow, Version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

from tests.http.studio.test_people import Person

ROOM = "/v1/studio/bots/tea"
REFUSED = (403, "administrator-needed")
REST, WEB = BOT["channels"]
CHANGES: dict[str, dict[str, Any]] = {
    "user-secret": {"channels": [REST, WEB | {"user-secret": "a secret word of my own, for forged users"}]},
    "access-token": {"access-token": "history-token-of-mine"},
    "token": {"channels": [REST | {"token": "rest-token-of-mine"}, WEB]},
    "retention-days": {"retention-days": 1},
    "allowed-origins": {"channels": [REST, WEB | {"allowed-origins": ["https://evil.example"]}]},
    "erase-from-page": {"channels": [REST, WEB | {"erase-from-page": True}]},
    "channel": {"channels": [REST, WEB, {"id": "back", "type": "rest", "token": "back-token-of-mine"}]},
    "credential": {"credentials": {"mine": {"type": "bearer", "token": "word", "url-prefix": "https://a.example/"}}},
}


class Interleaved(TemporaryStore):
    """Does something else, once, just before the studio changes what is active or who is signed in."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def _stop(self) -> None:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()

    async def publish(self, version: Version, instead_of: str | None = None) -> bool:
        await self._stop()
        return await super().publish(version, instead_of)

    async def roll_back(self, bot: str, version: str, now: int, instead_of: str | None = None) -> bool:
        await self._stop()
        return await super().roll_back(bot, version, now, instead_of)

    async def add_token(self, token: TokenRow) -> None:
        await self._stop()
        await super().add_token(token)


class Room:
    """A bot without a folder, with an administrator and a developer in its studio."""

    def __init__(self, ada: Person, grace: Person, store: Interleaved) -> None:
        self.ada, self.grace, self.store = ada, grace, store

    async def save(self, by: Person, **keys: Any) -> str:
        draft = (await by.ask("GET", f"{ROOM}/draft")).json
        bot = json.loads(draft["files"]["bot.json"]) | {name.replace("_", "-"): value for name, value in keys.items()}
        wish = {"revision": draft["revision"], "files": {"bot.json": json.dumps(bot)}}
        saved = await by.ask("PUT", f"{ROOM}/draft", wish)
        assert saved.status == 200, saved.body
        return str(saved.json["revision"])

    async def publish(self, by: Person, **keys: Any) -> Any:
        return await by.ask("POST", f"{ROOM}/draft/publish", {"revision": await self.save(by, **keys)})

    async def active(self) -> str:
        versions = (await self.ada.ask("GET", f"{ROOM}/versions")).json
        return next(one["version"] for one in versions if one["isActive"])

    async def store_active(self) -> str:
        """Return the version that is active by now, whether or not the studio has seen it."""
        [active] = [row.version for row in await self.store.versions("tea") if row.is_active]
        return active

    async def deeds(self, what: str) -> list[Any]:
        return [one for one in (await self.ada.ask("GET", "/v1/studio/audit")).json["deeds"] if one["what"] == what]


@asynccontextmanager
async def room(folder: Path, **named: Any) -> AsyncIterator[Room]:
    store = Interleaved()
    async with serving(folder, store=store, **named) as client:
        client.service.bots.folders.clear()  # so that drafts are in the store
        yield Room(await signed_in(client, name="Ada"), await signed_in(client, "developer", "Grace"), store)


async def _until(condition: Callable[[], object]) -> None:
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it has not come about in 30 s")


@pytest.mark.parametrize("what", CHANGES)
async def test_a_developer_publishes_no_literal_that_gives_something_away(tmp_path: Path, what: str) -> None:
    async with room(tmp_path) as studio:
        before = await studio.active()
        revision = await studio.save(studio.grace, **CHANGES[what])
        told = [(await by.ask("GET", f"{ROOM}/draft/difference")).json["access"] for by in (studio.grace, studio.ada)]
        refused = await studio.grace.ask("POST", f"{ROOM}/draft/publish", {"revision": revision})
        assert _code(refused) == REFUSED
        assert await studio.active() == before
        published = await studio.ada.ask("POST", f"{ROOM}/draft/publish", {"revision": revision})
        assert published.status == 200, published.body
        [deed] = await studio.deeds("published")
        assert len(deed["access"]) == 1
        assert told == [deed["access"], deed["access"]]
        assert (await studio.ada.ask("GET", f"{ROOM}/draft/difference")).json["access"] == []
        assert "of my own" not in json.dumps(deed)
        assert deed["access"][0] in refused.json["detail"]


async def test_a_rollback_passes_the_same_check_as_a_publish(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:
        first = await studio.active()
        done = await studio.publish(studio.ada, channels=[REST, WEB | {"allowed-origins": ["https://new.example"]}])
        assert done.status == 200, done.body
        second = await studio.active()
        refused = await studio.grace.ask("POST", f"{ROOM}/rollback", {"version": first})
        assert _code(refused) == REFUSED
        assert "https://shop.example" in refused.json["detail"]
        assert await studio.active() == second
        told = (await studio.grace.ask("GET", f"{ROOM}/versions/{second}/difference/{first}")).json["access"]
        assert (await studio.ada.ask("POST", f"{ROOM}/rollback", {"version": first})).status == 200
        [deed] = await studio.deeds("rolled-back")
        assert told == deed["access"]
        assert deed["access"] == ['It opens the channel "web" to pages of "https://shop.example".']


async def test_a_developer_goes_back_where_that_gives_nothing_away(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:
        first = await studio.active()
        assert (await studio.publish(studio.grace, name="Tea room")).status == 200
        back = await studio.grace.ask("POST", f"{ROOM}/rollback", {"version": first})
        assert back.status == 200, back.body
        assert await studio.active() == first


async def test_a_publish_judged_beside_another_version_does_nothing(tmp_path: Path) -> None:
    """Grace's draft keeps the origin that is live; meanwhile an administrator takes that origin away."""
    async with room(tmp_path) as studio:
        revision = await studio.save(studio.grace, name="Tea room")

        async def close() -> None:
            sealed = studio.grace.client.service.vault.seal(b"{}", "version\0tea\0closed")
            await studio.store.publish(Version("tea", "closed", sealed, 2))

        studio.store.meanwhile = close
        refused = await studio.grace.ask("POST", f"{ROOM}/draft/publish", {"revision": revision})
        assert _code(refused) == (409, "version-changed")
        assert await studio.store_active() == "closed"


async def test_a_rollback_judged_beside_another_version_does_nothing(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:
        first = await studio.active()
        assert (await studio.publish(studio.grace, name="Tea room")).status == 200

        async def close() -> None:
            await studio.store.publish(Version("tea", "closed", b"", 2))

        studio.store.meanwhile = close
        refused = await studio.grace.ask("POST", f"{ROOM}/rollback", {"version": first})
        assert _code(refused) == (409, "version-changed")
        assert await studio.store_active() == "closed"


async def test_of_two_new_bots_with_one_id_one_is_made(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:

        async def other() -> None:
            await studio.store.publish(Version("new", "others", b"", 2))

        studio.store.meanwhile = other
        wish = {"id": "new", "name": "New", "language": "en", "start": "blank"}
        assert _code(await studio.grace.ask("POST", "/v1/studio/bots", wish)) == (409, "bot-exists")
        assert [row.version for row in await studio.store.versions("new")] == ["others"]


async def test_a_folder_takes_no_access_from_a_developer_and_the_log_names_each_of_an_administrator(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as client:
        studio = Room(await signed_in(client, name="Ada"), await signed_in(client, "developer", "Grace"), Interleaved())
        draft = (await studio.grace.ask("GET", f"{ROOM}/draft")).json
        assert draft["source"] == "folder"
        for keys in CHANGES.values():
            bot = json.dumps(json.loads(draft["files"]["bot.json"]) | keys)
            wish = {"revision": draft["revision"], "files": {"bot.json": bot}}
            assert _code(await studio.grace.ask("PUT", f"{ROOM}/draft", wish)) == REFUSED
        await studio.save(studio.ada, name="Tea room")
        await studio.save(studio.ada, retention_days=1)
        await studio.save(studio.ada, trace=True)
        told = sorted(one["access"] for one in await studio.deeds("draft-saved"))
        assert told == [
            [],
            ["It changes how long conversations are kept (retention-days)."],
            ["It keeps what users say in traces (trace)."],
        ]


async def test_a_broken_file_on_the_way_gives_a_developer_nothing_and_can_be_mended(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        grace = await signed_in(client, "developer", "Grace")

        async def put(text: str) -> Any:
            revision = (await grace.ask("GET", f"{ROOM}/draft")).json["revision"]
            return await grace.ask("PUT", f"{ROOM}/draft", {"revision": revision, "files": {"bot.json": text}})

        assert (await put("{")).status == 200
        assert _code(await put(json.dumps(BOT | CHANGES["user-secret"]))) == REFUSED
        assert (await put(json.dumps(BOT))).status == 200


async def test_a_link_that_is_used_twice_at_once_signs_in_once(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:
        service = studio.ada.client.service
        link = (await service.studio.link("developer", "Eve")).partition("#sign-in=")[2]
        before = len(await service.studio.sessions())
        done = await asyncio.gather(*(service.studio.sign_in(link) for _ in range(5)), return_exceptions=True)
        assert sum(isinstance(one, RequestError) for one in done) == 4
        assert len(await service.studio.sessions()) == before + 1


async def test_nobody_who_signs_in_meanwhile_is_left_when_all_are_signed_out(tmp_path: Path) -> None:
    async with room(tmp_path) as studio:
        sign_in = studio.ada.client.service.studio
        link = (await sign_in.link("developer", "Eve")).partition("#sign-in=")[2]
        studio.store.meanwhile = sign_in.sign_all_out
        with pytest.raises(RequestError):
            await sign_in.sign_in(link)
        assert await sign_in.sessions() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{ROOM}/users/ada/erase", {"channel": "rest"}),
        (f"{ROOM}/tokens", {"name": "mine", "scopes": ["read"]}),
        ("/v1/studio/people/links", {"name": "Eve", "role": "administrator"}),
    ],
)
async def test_who_is_signed_out_while_a_body_is_held_back_does_nothing_with_it(
    tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    async with room(tmp_path) as studio:
        client, sign_in = studio.ada.client, studio.ada.client.service.studio
        app, before = client.app, await studio.store.tokens("tea")

        async def late(scope: Any, receive: Any, send: Any) -> None:
            async def receive_late() -> Any:
                await sign_in.sign_all_out()
                return await receive()

            await app(scope, receive_late, send)

        client.app = late  # type: ignore[assignment]  # an app is called as this is
        assert _code(await studio.ada.ask("POST", path, body)) == (401, "studio-session")
        assert await studio.store.tokens("tea") == before


async def test_a_person_who_is_signed_out_while_the_page_waits_hears_no_more(tmp_path: Path) -> None:
    steps = [{"type": "command", "command": "stay-silent 10", "live-agent": "desk"}]
    flow = {"conversations": FLOW["conversations"] | {"welcome": {"type": "support", "steps": steps}}}
    async with serving(tmp_path, flow) as client:
        ada, eve = await signed_in(client, name="Ada"), await signed_in(client, "agent", "Eve")
        assert (await client.say("hello")).status == 200
        [waiting] = (await eve.ask("GET", f"{ROOM}/hand-offs")).json["handOffs"]
        chat = f"{ROOM}/hand-offs/{waiting['id']}"
        position = (await eve.ask("GET", chat)).json["next"]
        query = {"after": position, "wait": 20}
        polling = asyncio.create_task(eve.client.call("GET", chat, None, eve.headers, query))
        await _until(client.service.hub.count)
        sessions = (await ada.ask("GET", "/v1/studio/people")).json["sessions"]
        id = next(one["id"] for one in sessions if one["name"] == "Eve")
        assert (await ada.ask("POST", f"/v1/studio/people/{id}/end", {})).status == 204
        await client.say("a word that Eve may not read")
        assert _code(await polling) == (401, "studio-session")
