"""The studio's door and its Settings, over the whole HTTP face: who comes in, what each refusal is, what is shown when."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, BOT, Client, serving
from tests.stores import TemporaryStore

from dialoom.flow.channels import Channel
from dialoom.http.app import App
from dialoom.http.studio.settings import StudioSettings
from dialoom.service.access.key_check import NO_BOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Answer

    from dialoom.storage.store import TokenRow

OWN = {"Origin": BASE}
ROOM = "/v1/studio/bots/tea"
SECRETS = ("history-token-of-tea", "rest-token-of-tea", "web-token-of-tea")
CHANGES = [
    ("/v1/studio/sign-in", {"token": "guess"}),
    ("/v1/studio/sign-out", {}),
    (f"{ROOM}/tokens", {"name": "report", "scopes": ["read"]}),
    (f"{ROOM}/tokens/bot.json/show", {}),
    (f"{ROOM}/tokens/bot.json/revoke", {}),
]
READS = ["/v1/studio/session", ROOM]
INSIDE = [("GET", path, None) for path in READS] + [("POST", path, body) for path, body in CHANGES[2:]]


class Interleaved(TemporaryStore):
    """Another process comes between reading a token and using it."""

    async def token(self, hash: bytes) -> TokenRow | None:
        row = await super().token(hash)
        await asyncio.sleep(0)
        return row


async def _token(client: Client) -> str:
    return (await client.service.studio.link()).partition("#sign-in=")[2]


async def _sign_in(client: Client, token: str | None = None, **named: Any) -> Answer:
    token = token or await _token(client)
    return await client.call("POST", "/v1/studio/sign-in", {"token": token}, OWN | named.pop("headers", {}), **named)


async def _cookie(client: Client) -> dict[str, str]:
    answer = await _sign_in(client)
    assert answer.status == 200, answer.body
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


async def _change(client: Client, path: str, cookie: dict[str, str], body: Any = None) -> Answer:
    return await client.call("POST", path, {} if body is None else body, OWN | cookie)


def _refusal(answer: Answer) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    return answer.status, answer.json["code"]


# -- coming in


async def test_a_link_carries_its_token_behind_the_sign_that_browsers_do_not_send(tmp_path: Path) -> None:
    async with serving(tmp_path, base_url="https://bots.example") as client:
        link = await client.service.studio.link()
        assert link.startswith("https://bots.example/studio#sign-in=dll_")


async def test_a_link_signs_in_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        token = await _token(client)
        first = await _sign_in(client, token)
        assert first.status == 200
        assert first.json == {"expiresAt": "2026-09-22T02:13:20.000Z"}
        assert token not in first.headers["set-cookie"]
        second = await _sign_in(client, token)
        assert _refusal(second) == (401, "link-over")
        assert "dialoom studio link" in second.json["detail"]
        assert "set-cookie" not in second.headers


async def test_of_several_processes_that_are_shown_a_link_at_once_one_takes_it(tmp_path: Path) -> None:
    async with serving(tmp_path, store=Interleaved()) as client:
        token = await _token(client)
        answers = await asyncio.gather(*(_sign_in(client, token) for _ in range(5)))
        assert sorted(answer.status for answer in answers) == [200, 401, 401, 401, 401]


async def test_a_link_is_over_after_15_minutes(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        early, late = await _token(client), await _token(client)
        client.clock.move(15 * 60 - 1)
        assert (await _sign_in(client, early)).status == 200
        client.clock.move(1)
        assert _refusal(await _sign_in(client, late)) == (401, "link-over")


async def test_no_other_token_signs_in(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        session = (await _cookie(client))["Cookie"].partition("=")[2]
        for text in ("", "guess", session, *SECRETS, "x" * 5000):
            assert _refusal(await _sign_in(client, text or " ")) == (401, "link-over")


async def test_no_other_token_is_a_session(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for text in ("", "guess", await _token(client), *SECRETS):
            headers = {"Cookie": f"dialoom_studio_8080={text}"}
            assert _refusal(await client.call("GET", ROOM, None, headers)) == (401, "studio-session")


async def test_a_session_and_a_link_open_nothing_but_the_studio(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        session = (await _cookie(client))["Cookie"].partition("=")[2]
        for text in (session, await _token(client)):
            headers = {"Authorization": f"Bot-Server-Access-Token {text}"}
            assert (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status == 401
            assert (await client.say("help", token=text)).status == 401


async def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = (await _sign_in(client)).headers["set-cookie"]
        value, *attributes = cookie.split("; ")
        assert value.startswith("dialoom_studio_8080=dls_")
        assert attributes == ["Path=/v1/studio", "Max-Age=43200", "HttpOnly", "SameSite=Strict"]
        # Under https it goes over https only, and no other host of the domain can set one of its name.
        client.app = await asyncio.to_thread(App, client.service, "https://bots.example")
        safe = await _sign_in(client, headers={"Origin": "https://bots.example"})
        value, *attributes = safe.headers["set-cookie"].split("; ")
        assert value.startswith("__Host-dialoom_studio_443=dls_")
        assert attributes == ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict", "Secure"]
        assert (await client.call("GET", "/v1/studio/session", headers={"Cookie": value})).status == 200
        plain = {"Cookie": value.removeprefix("__Host-")}
        assert (await client.call("GET", "/v1/studio/session", headers=plain)).status == 401


async def test_tries_to_sign_in_are_held_to_a_rate_of_their_own(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        tries = [await _sign_in(client, f"guess-{number}", peer="203.0.113.5") for number in range(60)]
        assert {_refusal(answer) for answer in tries[:30]} == {(401, "link-over")}
        # The 31st, on a machine that does not take the two seconds after which another may come.
        refused = next(answer for answer in tries[30:] if answer.status != 401)
        assert _refusal(refused) == (429, "too-many-requests")
        assert int(refused.headers["retry-after"]) >= 1
        assert (await _sign_in(client, peer="203.0.113.6")).status == 200


async def test_pages_of_other_origins_use_up_no_try_of_an_address(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for _ in range(40):
            answer = await _sign_in(client, "guess", headers={"Origin": "https://evil.example"})
            assert _refusal(answer) == (403, "origin")
        assert (await _sign_in(client)).status == 200


async def test_rows_of_old_links_and_sessions_are_taken_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for _ in range(6):
            for _ in range(3):
                await _cookie(client)
                await _token(client)
            client.clock.move(25 * 3600)
        rows = await client.service.store.tokens(NO_BOT)
        # Three days' worth at most: this day's, those whose time is over, and those that are free.
        assert len([row for row in rows if row.kind.startswith("studio-")]) <= 27
        assert (await _sign_in(client)).status == 200


async def test_no_link_and_no_session_lies_in_the_store_in_clear(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        session = (await _cookie(client))["Cookie"].partition("=")[2]
        token = await _token(client)
        rows = repr(await client.service.store.tokens(NO_BOT))
        assert session not in rows
        assert token not in rows


# -- going out


async def test_a_session_is_over_after_12_hours(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        client.clock.move(12 * 3600 - 1)
        assert (await client.call("GET", ROOM, None, cookie)).status == 200
        client.clock.move(1)
        refused = await client.call("GET", ROOM, None, cookie)
        assert _refusal(refused) == (401, "studio-session")
        assert "dialoom studio link" in refused.json["detail"]


async def test_signing_out_ends_the_session_for_whoever_kept_its_cookie(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie, other = await _cookie(client), await _cookie(client)
        out = await _change(client, "/v1/studio/sign-out", cookie)
        assert out.status == 204
        assert out.headers["set-cookie"].startswith("dialoom_studio_8080=; Path=/v1/studio; Max-Age=0;")
        assert _refusal(await client.call("GET", ROOM, None, cookie)) == (401, "studio-session")
        assert (await client.call("GET", ROOM, None, other)).status == 200
        assert (await _change(client, "/v1/studio/sign-out", cookie)).status == 204


async def test_signing_in_anew_ends_the_session_that_the_browser_had(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        assert (await _sign_in(client, headers=cookie)).status == 200
        assert _refusal(await client.call("GET", ROOM, None, cookie)) == (401, "studio-session")


# -- what every endpoint refuses


@pytest.mark.parametrize(("method", "path", "body"), INSIDE)
async def test_nothing_is_told_to_those_who_are_not_signed_in(
    tmp_path: Path, method: str, path: str, body: Any
) -> None:
    async with serving(tmp_path) as client:
        for place in (path, path.replace("tea", "nobody")):
            answer = await client.call(method, place, body, OWN)
            assert _refusal(answer) == (401, "studio-session")
            assert answer.headers["www-authenticate"] == "Cookie"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:8081", "null", "https://127.0.0.1:8080", None]
)
@pytest.mark.parametrize(("path", "body"), CHANGES)
async def test_only_the_studios_own_page_changes_anything(
    tmp_path: Path, path: str, body: Any, origin: str | None
) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        before = await client.service.tokens.list("tea")
        answer = await client.call("POST", path, body, cookie | ({"Origin": origin} if origin else {}))
        assert _refusal(answer) == (403, "origin")
        assert "access-control-allow-origin" not in answer.headers
        assert await client.service.tokens.list("tea") == before
        assert (await client.call("GET", ROOM, None, cookie)).status == 200


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
@pytest.mark.parametrize(("path", "body"), CHANGES)
async def test_a_change_comes_as_json(tmp_path: Path, path: str, body: Any, content_type: str) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        answer = await client.call("POST", path, body, OWN | cookie | {"Content-Type": content_type})
        assert _refusal(answer) == (415, "content-type")


@pytest.mark.parametrize(("path", "body"), CHANGES)
async def test_a_change_holds_what_it_should_and_nothing_else(tmp_path: Path, path: str, body: Any) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        for wrong, code in ((b"{", "bad-json"), ([], "bad-body"), (body | {"more": 1}, "bad-body")):
            assert _refusal(await _change(client, path, cookie, wrong)) == (400, code)


@pytest.mark.parametrize(
    ("path", "allowed"), [(path, "POST") for path, _ in CHANGES] + [(path, "GET") for path in READS]
)
async def test_another_method_is_refused(tmp_path: Path, path: str, allowed: str) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        for method in {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} - {allowed}:
            answer = await client.call(method, path, None, OWN | cookie)
            assert answer.status == 405
            assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(("method", "path", "body"), INSIDE)
async def test_a_parameter_is_refused(tmp_path: Path, method: str, path: str, body: Any) -> None:
    async with serving(tmp_path) as client:
        answer = await client.call(method, path, body, OWN | await _cookie(client), {"a": "b"})
        assert _refusal(answer) == (400, "unknown-parameter")


@pytest.mark.parametrize(("method", "path", "body"), [call for call in INSIDE if "tea" in call[1]])
async def test_an_unknown_bot_is_not_found(tmp_path: Path, method: str, path: str, body: Any) -> None:
    async with serving(tmp_path) as client:
        answer = await client.call(method, path.replace("tea", "nobody"), body, OWN | await _cookie(client))
        assert _refusal(answer) == (404, "not-found")


async def test_a_token_of_another_bot_or_one_that_is_over_is_not_found(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        other = await client.service.tokens.create("other", name="theirs")
        gone = await client.service.tokens.create("tea", name="gone")
        await client.service.tokens.revoke("tea", gone.row.id)
        for id in (other.row.id, gone.row.id, "nothing", "keys"):
            for what in ("show", "revoke"):
                answer = await _change(client, f"{ROOM}/tokens/{id}/{what}", cookie)
                assert _refusal(answer) == (404, "not-found")


@pytest.mark.parametrize("path", ["/v1/studio", "/v1/studio/nothing", f"{ROOM}/nothing", f"{ROOM}/tokens/a"])
async def test_other_addresses_are_not_found(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path) as client:
        assert _refusal(await client.call("GET", path, None, await _cookie(client))) == (404, "not-found")


# -- what is shown


async def test_the_frame_names_the_bots_and_the_role(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.call("GET", "/v1/studio/session", None, await _cookie(client))
        assert answer.json["role"] == "administrator"
        assert answer.json["bots"] == [{"id": "tea", "name": "Tea house"}, {"id": "other", "name": "other"}]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


async def test_settings_show_ids_addresses_and_tokens_without_their_texts(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.call("GET", ROOM, None, await _cookie(client))
        assert answer.headers["cache-control"] == "no-store"
        assert not any(secret in answer.body.decode() for secret in SECRETS)
        found = answer.json
        assert (found["id"], found["name"], found["api"]) == ("tea", "Tea house", f"{BASE}/v1/bots/tea")
        assert found["reference"] == f"{BASE}/docs"
        (token,) = found["tokens"]
        assert token == {
            "id": "bot.json",
            "name": "",
            "scopes": ["read"],
            "createdAt": "2026-09-21T14:13:20.000Z",
            "revokedAt": None,
            "isOfFile": True,
        }
        rest, web = found["channels"]
        assert (rest["id"], rest["type"], rest["address"]) == (
            "rest",
            "rest",
            f"{BASE}/v1/bots/tea/channels/rest/rest/my-app",
        )
        assert [token["id"] for token in rest["tokens"]] == ["bot.json:rest"]
        assert (web["address"], web["allowedOrigins"]) == (f"{BASE}/chat/tea/web", ["https://shop.example"])


@pytest.mark.parametrize(
    ("type", "end"),
    [
        ("mobile", "/chat/tea/here"),
        ("rest", "/v1/bots/tea/channels/here/rest/my-app"),
        ("messenger-3", "/v1/bots/tea/channels/here/messenger-3"),
        ("directline", "/v1/bots/tea/channels/here/directline/v3/directline"),
    ],
)
async def test_each_channel_has_the_address_that_its_callers_use(tmp_path: Path, type: Any, end: str) -> None:
    async with serving(tmp_path) as client:
        room = StudioSettings(client.service, BASE)
        assert room.address("tea", Channel(id="here", type=type)) == f"{BASE}{end}"


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("bot.json", "history-token-of-tea"),
        ("bot.json:rest", "rest-token-of-tea"),
        ("bot.json:web", "web-token-of-tea"),
    ],
)
async def test_a_token_is_shown_alone_and_on_request(tmp_path: Path, id: str, text: str) -> None:
    async with serving(tmp_path) as client:
        answer = await _change(client, f"{ROOM}/tokens/{id}/show", await _cookie(client))
        assert answer.json == {"token": text}
        assert answer.headers["cache-control"] == "no-store"


async def test_a_token_is_made_used_shown_and_revoked(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        wish = {"name": " report ", "scopes": ["erase", "read"]}
        made = await _change(client, f"{ROOM}/tokens", cookie, wish)
        assert made.status == 201
        assert made.headers["cache-control"] == "no-store"
        id, text = made.json["row"]["id"], made.json["token"]
        assert (made.json["row"]["name"], made.json["row"]["scopes"]) == ("report", ["read", "erase"])
        headers = {"Authorization": f"Bot-Server-Access-Token {text}"}
        assert (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status == 200
        assert (await _change(client, f"{ROOM}/tokens/{id}/show", cookie)).json == {"token": text}
        assert (await _change(client, f"{ROOM}/tokens/{id}/revoke", cookie)).status == 204
        assert (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status == 401
        (row,) = [row for row in (await client.call("GET", ROOM, None, cookie)).json["tokens"] if row["id"] == id]
        assert row["revokedAt"] is not None


@pytest.mark.parametrize(
    "wish",
    [
        {"name": "a"},
        {"scopes": ["read"]},
        {"name": "a", "scopes": []},
        {"name": "a", "scopes": ["administrator"]},
        {"name": "a", "scopes": "read"},
        {"name": "", "scopes": ["read"]},
        {"name": "   ", "scopes": ["read"]},
        {"name": "x" * 81, "scopes": ["read"]},
        {"name": "red \x1b[31m", "scopes": ["read"]},
        {"name": "\x07", "scopes": ["read"]},
        {"name": "two\nlines", "scopes": ["read"]},
        {"name": "end\n", "scopes": ["read"]},
        {"name": "c1 \x9b31m", "scopes": ["read"]},
        {"name": 1, "scopes": ["read"]},
    ],
)
async def test_a_new_token_has_a_name_and_known_rights(tmp_path: Path, wish: dict[str, Any]) -> None:
    async with serving(tmp_path) as client:
        before = await client.service.tokens.list("tea")
        answer = await _change(client, f"{ROOM}/tokens", await _cookie(client), wish)
        assert _refusal(answer) == (400, "bad-body")
        assert await client.service.tokens.list("tea") == before


async def test_a_channels_token_is_not_revoked_from_here(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await _change(client, f"{ROOM}/tokens/bot.json:rest/revoke", await _cookie(client))
        assert _refusal(answer) == (404, "not-found")
        assert (await client.say("help")).status == 200


async def test_the_log_names_what_was_done_and_no_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with serving(tmp_path, log_requests="on") as client:
        cookie = await _cookie(client)
        made = (await _change(client, f"{ROOM}/tokens", cookie, {"name": "Ada's", "scopes": ["read"]})).json
        await _change(client, f"{ROOM}/tokens/{made['row']['id']}/show", cookie)
        text = caplog.text
        assert f"token {made['row']['id']} of bot tea was shown" in text
        assert "POST /v1/studio/bots/{bot_id}/tokens/{id}/show 200" in text
        for secret in (made["token"], cookie["Cookie"].partition("=")[2], "Ada's"):
            assert secret not in text


# -- the page


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "built").mkdir()
    for language in ("en", "de"):
        page = f'<!doctype html><html lang="{language}"><title>Studio</title>'
        (tmp_path / "built" / f"studio.{language}.html").write_text(page)
    return tmp_path / "built"


@pytest.mark.parametrize(
    "path", ["/studio", "/studio/", "/studio/tea/settings", "/studio/tea/hand-off", "/studio/nobody/build"]
)
async def test_the_page_is_the_same_for_everybody_and_nobody_frames_it(tmp_path: Path, built: Path, path: str) -> None:
    async with serving(tmp_path, static=built) as client:
        answer = await client.call("GET", path)
        assert (answer.status, answer.body) == (200, b'<!doctype html><html lang="en"><title>Studio</title>')
        assert (await client.call("GET", path, None, await _cookie(client))).body == answer.body
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert re.findall(r"([\w-]+) [^;]*http", policy) == ["img-src"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert (await client.call("HEAD", path)).body == b""
        assert _refusal(await client.call("POST", path)) == (405, "method")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        # French has texts for users, but none in the studio.
        ("fr,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.2, de;q=0.9", "de"),
        ("de;q=0, en;q=0.1", "en"),
        ("fr", "en"),
    ],
)
async def test_the_page_is_that_of_the_first_of_its_languages_that_the_browser_prefers(
    tmp_path: Path, built: Path, accepted: str | None, language: str
) -> None:
    async with serving(tmp_path, static=built) as client:
        answer = await client.call("GET", "/studio", headers={} if accepted is None else {"Accept-Language": accepted})
        assert f'<html lang="{language}">' in answer.body.decode()
        assert answer.headers["vary"] == "accept-language"


@pytest.mark.parametrize("path", ["/studio/tea", "/studio/tea/nothing", "/studio/tea/settings/more", "/studios"])
async def test_there_is_no_page_where_no_room_is(tmp_path: Path, built: Path, path: str) -> None:
    async with serving(tmp_path, static=built) as client:
        assert (await client.call("GET", path)).status == 404


async def test_the_page_is_served_under_its_own_policy_only(tmp_path: Path, built: Path) -> None:
    async with serving(tmp_path, static=built) as client:
        assert (await client.call("GET", "/static/studio.en.html")).status == 404
        assert (await client.call("GET", "/static/studio.de.html")).status == 404


async def test_a_page_that_was_not_built_is_said_so(tmp_path: Path) -> None:
    async with serving(tmp_path, static=tmp_path / "nowhere") as client:
        assert _refusal(await client.call("GET", "/studio")) == (503, "not-built")


async def test_a_store_that_is_away_is_said_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _cookie(client)
        await client.service.store.close()
        try:
            answer = await client.call("GET", ROOM, None, cookie)
        finally:
            await client.service.store.open()
        assert _refusal(answer) == (503, "store-away")


def test_the_room_of_the_bot_in_these_tests_has_the_secrets_that_are_looked_for() -> None:
    assert all(secret in json.dumps(BOT) for secret in SECRETS)
