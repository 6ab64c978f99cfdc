"""People sign in to the studio at an OpenID provider; whoever should not, does not, and learns why."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from tests.http.studio.test_access_changes import Interleaved
from tests.http.support import BASE, Client, serving
from tests.service.login.misbehaving import (
    ACCESS,
    CLIENT,
    CODE,
    RIGHT,
    SECRET,
    TOKEN,
    WORDS,
    Provider,
    Way,
    provider,
)
from tests.service.login.misbehaving import (
    KEYS as KEYS_PATH,
)
from tests.service.login.ways import SAID, USERINFO_WAYS, put

from dialoom.auth.provider import read_callback
from dialoom.data import Egress, HttpFetcher
from dialoom.service.access.key_check import NO_BOT
from dialoom.service.access.studio_sign_in import Grant, Identity, StudioSignIn
from dialoom.service.login.provider_calls import MAX_BODY_BYTES
from dialoom.service.studio_openid import CALLBACK, SIGN_IN_LIFETIME_MS, StudioOpenId
from dialoom.storage.postgres.store import PostgresStore
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer
    from tests.postgres import Server

KEYS = base64.b64encode(b"k" * 32).decode()
"""Of the vault of a store that several processes share."""
START = "/v1/studio/sign-in/openid"
ROLES = "group:bot-admins=administrator email:ann@example.com=analyst domain:example.com=agent"
ANN = {"name": "Ann Example", "email": "ann@example.com", "email_verified": True}
BY_CODE = {way.code: name for name, way in {**SAID, **USERINFO_WAYS}.items()}
"""One way to be wrong for each reason to refuse a login: all of them are tried at the same code (``test_misbehaving``)."""


class Tab:
    """A person's browser: it keeps cookies, each under its path."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.cookies: dict[str, str] = {}

    async def get(self, address: str, **headers: str) -> Answer:
        place = urlsplit(address)
        kept = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        answer = await self._client.call("GET", place.path, None, kept | headers, place.query)
        if "set-cookie" in answer.headers:
            name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    async def starts(self, to: str = "/studio") -> str:
        """Return the address at the provider that the browser is sent to."""
        answer = await self.get(f"{START}?{urlencode({'to': to})}", **{"sec-fetch-site": "same-origin"})
        assert answer.status == 303, answer.body
        return answer.headers["location"]

    async def role(self) -> str | None:
        """Return the role of the session, if the browser has one."""
        answer = await self.get("/v1/studio/session")
        return str(answer.json["role"]) if answer.status == 200 else None


class Desk:
    def __init__(self, client: Client, there: Provider) -> None:
        self.client = client
        self.there = there

    def tab(self) -> Tab:
        return Tab(self.client)

    def returns(self, address: str) -> str:
        """Return the address that the provider sends the browser to when a person has logged in there."""
        return f"{CALLBACK}?{urlencode(self.there.authorize(address))}"

    async def signs_in(self, tab: Tab, to: str = "/studio") -> Answer:
        return await tab.get(self.returns(await tab.starts(to)))

    async def deeds(self) -> list[tuple[str, str, str, str]]:
        """Return what the log holds, the oldest first."""
        link = await self.client.service.studio.link()
        opened = await self.client.call(
            "POST", "/v1/studio/sign-in", {"token": link.partition("=")[2]}, {"Origin": BASE}
        )
        cookie = {"cookie": opened.headers["set-cookie"].partition(";")[0]}
        log = (await self.client.call("GET", "/v1/studio/audit", None, cookie)).json["deeds"]
        shown = [(one["who"], one["role"], one["what"], one["about"]) for one in log]
        persons = {one["person"] for one in log if one["role"] and one["about"] == "openid"}
        assert all(person == f"user-1 ({self.there.issuer})" for person in persons), persons
        return sorted(one for one in shown if one != ("administrator", "administrator", "signed-in", ""))


@contextlib.asynccontextmanager
async def desk(folder: Path, way: Way = RIGHT, profile: dict[str, Any] = ANN, **settings: Any) -> AsyncIterator[Desk]:
    clock = MovedClock()
    if profile and way.claims is None:
        way = way._replace(claims=put(**profile))
    fetcher = HttpFetcher(Egress(allow_private=True), body_limit=MAX_BODY_BYTES)
    async with provider(clock.now(), way) as there:
        there.redirect = BASE + CALLBACK
        openid = {
            "studio_openid_issuer": there.issuer,
            "studio_openid_client_id": CLIENT,
            "studio_openid_client_secret": SECRET,
            "studio_openid_roles": ROLES,
        }
        async with serving(folder, fetcher=fetcher, clock=clock, **(openid | settings)) as client:
            yield Desk(client, there)


def title(page: Answer) -> str:
    return page.body.decode().partition('<h1 dir="auto">')[2].partition("</h1>")[0]


async def test_who_has_a_role_is_signed_in_with_it_and_back_where_they_were(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        assert (await tab.get("/v1/studio/sign-in/ways")).json == {"provider": urlsplit(house.there.issuer).netloc}
        done = await house.signs_in(tab, "/studio/tea/operate?tab=tokens")
        assert (done.status, done.headers["location"]) == (303, f"{BASE}/studio/tea/operate?tab=tokens")
        kept = done.headers["set-cookie"]
        assert "HttpOnly; SameSite=Strict" in kept
        assert "Max-Age=43200" in kept
        visit = (await tab.get("/v1/studio/session")).json
        assert (visit["role"], visit["name"]) == ("analyst", "Ann Example")
        assert await house.deeds() == [("Ann Example", "analyst", "signed-in", "openid")]
        assert house.there.refused == []


async def test_the_cookie_of_a_sign_in_is_the_browsers_own_and_lasts_as_long_as_the_sign_in(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        first = await house.tab().get(f"{START}?to=/studio")
        kept = first.headers["set-cookie"]
        assert "; Path=/v1/studio/sign-in; Max-Age=600; HttpOnly; SameSite=Lax" in kept
        assert parse_qs(urlsplit(first.headers["location"]).query)["scope"] == ["openid profile email"]


@pytest.mark.parametrize(
    ("profile", "role", "name"),
    [
        ({"preferred_username": "ann", "groups": ["bot-admins"]}, "administrator", "ann"),
        ({"email": "bob@example.com", "email_verified": True}, "agent", "bob@example.com"),
        ({"groups": ["bot-admins"]}, "administrator", "user-1"),
        ({"name": "Ann" * 100, "groups": ["bot-admins"]}, "administrator", ("Ann" * 100)[:80]),
    ],
)
async def test_a_person_is_called_what_the_provider_says(
    tmp_path: Path, profile: dict[str, Any], role: str, name: str
) -> None:
    async with desk(tmp_path, profile=profile) as house:
        tab = house.tab()
        await house.signs_in(tab)
        visit = (await tab.get("/v1/studio/session")).json
        assert (visit["role"], visit["name"]) == (role, name)


async def test_userinfo_tells_what_the_id_token_does_not(tmp_path: Path) -> None:
    way = Way("", userinfo=put(**ANN, groups=["bot-admins"]))
    async with desk(tmp_path, way, {}) as house:
        tab = house.tab()
        await house.signs_in(tab)
        assert await tab.role() == "administrator"


async def test_groups_that_the_id_token_leaves_empty_are_those_of_userinfo(tmp_path: Path) -> None:
    way = Way("", claims=put(**ANN, groups=None), userinfo=put(groups=["bot-admins"]))
    async with desk(tmp_path, way) as house:
        tab = house.tab()
        await house.signs_in(tab)
        assert await tab.role() == "administrator"


@pytest.mark.parametrize(
    ("groups", "email", "role"), [(["others"], ANN["email"], "analyst"), ([], "a@b.example", None)]
)
async def test_a_sign_in_ends_sessions_with_a_role_that_the_provider_gives_no_more(
    tmp_path: Path, groups: list[str], email: str, role: str | None
) -> None:
    async with desk(tmp_path, profile=ANN | {"groups": ["bot-admins"]}) as house:
        before, own = house.tab(), house.tab()
        await house.signs_in(before)
        assert await before.role() == "administrator"
        house.there.way = Way("", claims=put(**ANN | {"groups": groups, "email": email}))
        await house.signs_in(own)
        assert await own.role() == role
        assert await before.role() is None
        assert len(await house.client.service.studio.sessions()) == (role is not None)


async def test_of_two_sign_ins_at_once_with_two_roles_one_role_is_left(tmp_path: Path) -> None:
    store = Interleaved()
    async with desk(tmp_path, profile=ANN | {"groups": ["bot-admins"]}, store=store) as house:
        first, second = house.tab(), house.tab()

        async def lose_the_group() -> None:
            house.there.way = Way("", claims=put(**ANN))
            await house.signs_in(second)
            assert await second.role() == "analyst"

        store.meanwhile = lose_the_group
        await house.signs_in(first)
        assert len({one.role for one in await house.client.service.studio.sessions()}) == 1


async def test_a_provider_gives_a_role_for_single_bots_until_it_gives_it_for_others(tmp_path: Path) -> None:
    roles = "group:shop=developer@other group:tea=developer@tea"
    async with desk(tmp_path, profile=ANN | {"groups": ["tea"]}, studio_openid_roles=roles) as house:
        before, own = house.tab(), house.tab()
        await house.signs_in(before)
        assert (await before.get("/v1/studio/bots/tea")).status == 200
        assert (await before.get("/v1/studio/bots/other")).status == 404
        house.there.way = Way("", claims=put(**ANN | {"groups": ["shop"]}))
        await house.signs_in(own)
        assert [one["id"] for one in (await own.get("/v1/studio/session")).json["bots"]] == ["other"]
        assert await before.role() is None


async def test_the_people_room_says_by_whom_somebody_is_known_and_ends_the_session(tmp_path: Path) -> None:
    async with desk(tmp_path, profile=ANN | {"groups": ["bot-admins"]}) as house:
        ann, own = house.tab(), house.tab()
        await house.signs_in(ann)
        await house.signs_in(own)
        link = await house.client.service.studio.link("agent", "Grace")
        await house.client.call("POST", "/v1/studio/sign-in", {"token": link.partition("=")[2]}, {"Origin": BASE})
        found = (await own.get("/v1/studio/people")).json["sessions"]
        ways = {(one["name"], one["issuer"], one["subject"]) for one in found}
        assert ways == {("Ann Example", house.there.issuer, "user-1"), ("Grace", None, None)}
        other = next(one["id"] for one in found if one["name"] == "Ann Example" and not one["isOwn"])
        assert await house.client.service.studio.end(other)
        assert await ann.role() is None
        assert await own.role() == "administrator"


async def test_a_sign_out_ends_the_session_and_is_in_the_log(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        await house.signs_in(tab)
        cookie = "; ".join(f"{name}={value}" for name, value in tab.cookies.items())
        await house.client.call("POST", "/v1/studio/sign-out", {}, {"Origin": BASE, "cookie": cookie})
        assert await tab.role() is None
        assert ("Ann Example", "analyst", "signed-out", "") in await house.deeds()


# -- whom it must not let in


@pytest.mark.parametrize(
    ("profile", "email"),
    [
        ({"name": "Eve"}, "none that the provider has verified"),
        (ANN | {"email_verified": False}, "none that the provider has verified"),
        (ANN | {"email_verified": "true"}, "none that the provider has verified"),
        (ANN | {"email": "eve@elsewhere.example"}, "eve@elsewhere.example"),
        ({"name": "<b>Eve</b>", "groups": ["bot-admins-2"]}, "none that the provider has verified"),
    ],
)
async def test_who_has_no_role_is_told_what_to_ask_for(tmp_path: Path, profile: dict[str, Any], email: str) -> None:
    async with desk(tmp_path, profile=profile) as house:
        tab = house.tab()
        page = await house.signs_in(tab)
        assert (page.status, title(page)) == (403, "You have no role in this studio")
        text = page.body.decode()
        assert email in text
        assert "DIALOOM_STUDIO_OPENID_ROLES" in text
        assert "<b>" not in text
        assert await tab.role() is None
        assert await house.client.service.studio.sessions() == []
        assert (profile["name"], "", "sign-in-refused", "no-role") in await house.deeds()


@pytest.mark.parametrize("code", sorted(BY_CODE))
async def test_a_wrong_provider_signs_nobody_in(tmp_path: Path, code: str, caplog: pytest.LogCaptureFixture) -> None:
    way = {**SAID, **USERINFO_WAYS}[BY_CODE[code]]
    async with desk(tmp_path, way, {} if code.startswith("userinfo-") else ANN) as house:
        tab = house.tab()
        with caplog.at_level(logging.WARNING):
            first = await tab.get(f"{START}?to=/studio")
            if first.status == 303:
                page = await tab.get(f"{CALLBACK}?{urlencode(house.there.authorize(first.headers['location']))}")
            else:
                page = first
        assert (page.status, title(page)) == (502, "The sign-in did not work")
        assert f"({code})" in caplog.text
        secrets = (SECRET, CODE, ACCESS, WORDS, "user-1", "ann@example.com")
        assert [one for one in secrets if one in page.body.decode() or one in caplog.text] == []
        assert await tab.role() is None
        assert await house.client.service.studio.sessions() == []


async def test_a_state_serves_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        back = house.returns(await tab.starts())
        assert (await tab.get(back)).status == 303
        again = await tab.get(back)
        assert (again.status, title(again)) == (410, "This sign-in is over")
        assert house.there.calls(TOKEN) == 1


async def test_a_state_serves_ten_minutes(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        address = await tab.starts()
        house.client.clock.move(SIGN_IN_LIFETIME_MS)
        page = await tab.get(house.returns(address))
        assert (page.status, house.there.calls(TOKEN)) == (410, 0)
        assert await tab.role() is None


async def test_an_address_sent_to_somebody_else_signs_them_in_to_nothing_and_uses_nothing_up(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        eve, ann = house.tab(), house.tab()
        back = house.returns(await eve.starts())
        await ann.starts()  # she has a cookie of her own
        for victim in (ann, house.tab()):
            page = await victim.get(back)
            assert (page.status, title(page)) == (403, "This sign-in was begun elsewhere")
            assert await victim.role() is None
        assert house.there.calls(TOKEN) == 0
        assert ("", "", "sign-in-refused", "login-browser") in await house.deeds()


async def test_a_code_of_another_sign_in_is_of_no_use(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        ann, eve = house.tab(), house.tab()
        state = parse_qs(urlsplit(await eve.starts()).query)["state"][0]
        # The provider's code is bound to Ann's challenge; Eve puts it behind her own state.
        stolen = dict(house.there.authorize(await ann.starts())) | {"state": state}
        page = await eve.get(f"{CALLBACK}?{urlencode(stolen)}")
        assert (page.status, await eve.role()) == (502, None)
        assert house.there.refused == ["code_verifier"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "state=x",
        "code=c",
        "code=c&state=nobody-made-this",
        "code=c&state=a&state=b",
        "code=c&error=e&state=s",
        "code=%0a&state=s",
    ],
)
async def test_what_is_no_answer_to_a_sign_in_is_refused(tmp_path: Path, query: str) -> None:
    async with desk(tmp_path) as house:
        page = await house.tab().get(f"{CALLBACK}?{query}")
        assert page.status in (404, 410)
        assert title(page) == "This sign-in is over"
        assert await house.deeds() == []


async def test_who_cancels_is_told_so(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        state = parse_qs(urlsplit(await tab.starts()).query)["state"][0]
        cancelled = {"error": "access_denied", "state": state, "iss": house.there.issuer}
        page = await tab.get(f"{CALLBACK}?{urlencode(cancelled)}", **{"accept-language": "fr, de;q=0.9"})
        assert (page.status, title(page)) == (403, "Sie wurden nicht angemeldet")


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example/studio", "//evil.example", "/\\evil.example", "/studio.evil.example", "/studio@evil.example",
        "/studio/../v1/bots", "/studio/%2e%2e/x", "/studio/./build", "/studio\r\nX: y", "/studio//evil.example/build",
        "javascript:alert(1)", "/v1/studio/sign-in/openid", "/studio/tea/build#x", "/studio/tea/build/more", "",
        "/studio?" + "a" * 3000,
    ],
)  # fmt: skip
async def test_a_sign_in_ends_in_the_studio_whatever_the_address_says(tmp_path: Path, to: str) -> None:
    async with desk(tmp_path) as house:
        done = await house.signs_in(house.tab(), to)
        assert (done.status, done.headers["location"]) == (303, f"{BASE}/studio")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_leads_to_the_studios_page_and_into_no_sign_in(tmp_path: Path, site: str) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        answer = await tab.get(START, **{"sec-fetch-site": site})
        assert (answer.status, answer.headers["location"], tab.cookies) == (303, f"{BASE}/studio", {})
        assert await house.client.service.store.studio_rows(NO_BOT, "sign-in", None, 10) == []


async def test_an_address_may_begin_thirty_sign_ins_a_minute(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab = house.tab()
        for _ in range(30):
            await tab.starts()
        assert (await tab.get(START)).status == 429


async def test_without_a_provider_nobody_signs_in_by_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        tab = Tab(client)
        assert (await tab.get("/v1/studio/sign-in/ways")).json == {"provider": None}
        assert (await tab.get(START)).status == 404
        assert (await tab.get(f"{CALLBACK}?code=c&state=s")).status == 404


async def test_of_several_processes_one_ends_a_sign_in_that_another_began(
    tmp_path: Path, postgres_server: Server
) -> None:
    url = postgres_server.database()
    stores = [PostgresStore(url, is_timed_by_server=False) for _ in range(2)]
    async with desk(tmp_path, store=stores[0], keys=KEYS) as house:
        service = house.client.service
        await stores[1].open()
        other = StudioOpenId(stores[1], service.vault, service.clock, service.providers.open_id, service.settings, BASE)
        begun = await service.studio_openid.begin("b" * 43, "/studio")
        params = read_callback(house.there.authorize(begun))
        ends = await asyncio.gather(
            *(one.finish("b" * 43, params) for one in (service.studio_openid, other)), return_exceptions=True
        )
        assert sorted(type(one).__name__ for one in ends) == ["Arrival", "RequestError"]
        assert (house.there.calls(TOKEN), house.there.calls(KEYS_PATH)) == (1, 1)
        # A session that was begun on one process is known, by its provider's name, on the other.
        opened = await service.studio.sign_in_as(Identity(house.there.issuer, "user-1"), Grant("agent"), "Ann")
        there = StudioSignIn(stores[1], service.vault, service.clock, BASE)
        assert (await there.session(opened.text)).name == "Ann"
        assert await there.identity(opened.session.id) == Identity(house.there.issuer, "user-1")
        await stores[1].close()


async def test_what_is_kept_of_a_sign_in_is_sealed_and_gone_when_it_ends(tmp_path: Path) -> None:
    async with desk(tmp_path) as house:
        tab, store = house.tab(), house.client.service.store
        address = await tab.starts()
        (row,) = await store.studio_rows(NO_BOT, "sign-in", None, 10)
        asked = parse_qs(urlsplit(address).query)
        assert asked["nonce"][0].encode() not in row.body
        assert asked["state"][0] not in row.id
        await tab.get(house.returns(address))
        assert await store.studio_rows(NO_BOT, "sign-in", None, 10) == []
