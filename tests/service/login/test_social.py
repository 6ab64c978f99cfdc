"""The social login over real sockets: a stand-in of the documented shape, and its ways to be wrong."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.auth.provider.drawn import FEW, answers
from tests.data.far_ends import far_end
from tests.service.login import transport
from tests.service.login.logging_in import REDIRECT, STATE, Answers, authentication, opened, providers

from dialoom.auth.provider import CHECKS, read_callback
from dialoom.service.login.provider_calls import CALLS, ProviderFailed
from dialoom.service.login.providers import SocialPlaces
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from tests.data.far_ends import Call, FarEnd
    from tests.service.login.transport import Talk

    from dialoom.service.chat.login_values import Login

APP, APP_SECRET, CODE, TOKEN = "1234567890", "app s3cret & more", "social-code", "opaque-social-token"
EXCHANGE, INSPECTION = "/v99.0/oauth/access_token", "/v99.0/debug_token"
SETTINGS = authentication(socialnet={"app-id": APP, "app-secret": APP_SECRET})
LIFE = 5_184_000


NOTHING: Mapping[str, Any] = MappingProxyType({})


class Way(NamedTuple):
    code: str
    exchange: Mapping[str, Any] | bytes = NOTHING
    """Other members of the answer; None takes one away."""
    data: Mapping[str, Any] | bytes = NOTHING
    """Other members of the inspection."""
    status: Mapping[str, str] = NOTHING
    talk: Mapping[str, Talk] = NOTHING


ERROR = {"error": {"message": "Invalid verification code format.", "type": "OAuthException", "code": 100}}
WAYS = {
    "a code that is refused": Way("token-status", json.dumps(ERROR).encode(), status={EXCHANGE: "400 Bad Request"}),
    "an exchange that is no JSON": Way("token-json", b"access_token=opaque-social-token&expires=5184000"),
    "an exchange with status 500": Way("token-status", b"<html>", status={EXCHANGE: "500 Internal Server Error"}),
    "no token": Way("token-access-token", {"access_token": None}),
    "a token that is a number": Way("token-access-token", {"access_token": 7}),
    "a token with a line break": Way("token-access-token", {"access_token": "a\nb"}),
    "a type that is not bearer": Way("token-type", {"token_type": "mac"}),
    "an expiry in words": Way("token-expires-in", {"expires_in": "never"}),
    "an inspection that is refused": Way("social-status", status={INSPECTION: "400 Bad Request"}),
    "an inspection that is no JSON": Way("social-json", data=b"ok"),
    "an inspection without data": Way("social-json", data=b"{}"),
    "an inspection whose data is a list": Way("social-json", data=b'{"data": []}'),
    "an inspection with a member twice": Way("social-json", data=b'{"data": {}, "data": {}}'),
    "a token of another app": Way("social-app", data={"app_id": "999"}),
    "a token of no app": Way("social-app", data={"app_id": None}),
    "a token of an app that is true": Way("social-app", data={"app_id": True}),
    "a token that is not valid": Way("social-valid", data={"is_valid": False}),
    "a token that is valid in words": Way("social-valid", data={"is_valid": "true"}),
    "a token of which nothing is said": Way("social-valid", data={"is_valid": None}),
    "the app's own token": Way("social-type", data={"type": "APP"}),
    "a page's token": Way("social-type", data={"type": "PAGE"}),
    "a token that has expired": Way("social-expiry", data={"expires_at": 1_000_000_000}),
    "an inspection's expiry in words": Way("social-expiry", data={"expires_at": "soon"}),
    "nobody's token": Way("social-user", data={"user_id": None}),
    "a user whose id is a list": Way("social-user", data={"user_id": ["1"]}),
    **{
        f"{path} that {name}": Way(
            {EXCHANGE: "token-status", INSPECTION: "social-status"}[path] if code == transport.STATUS else code,
            talk={path: talk},
        )
        for path in (EXCHANGE, INSPECTION)
        for name, (code, talk) in transport.TALKS.items()
    },
}


class Social:
    def __init__(self, there: FarEnd, now: int, way: Way) -> None:
        self.there, self.now, self.way = there, now // 1000, way
        self.wrong: list[str] = []
        """What was wrong with requests."""

    async def reply(self, call: Call) -> None:
        path = urlsplit(call.target).path
        if path in self.way.talk:
            await self.way.talk[path](call)
        elif path == EXCHANGE:
            await self._exchange(call)
        elif path == INSPECTION:
            await self._inspect(call)
        else:
            await call.reply("404 Not Found", b"")

    async def _exchange(self, call: Call) -> None:
        form = dict(parse_qsl(call.body.decode()))
        right = {"client_id": APP, "client_secret": APP_SECRET, "redirect_uri": REDIRECT, "code": CODE}
        self._compare("exchange", form, right)
        answer = {"access_token": TOKEN, "token_type": "bearer", "expires_in": LIFE}
        await call.reply(self.way.status.get(EXCHANGE, "200 OK"), _changed(answer, self.way.exchange))

    async def _inspect(self, call: Call) -> None:
        own = f"{APP}|{APP_SECRET}"
        proof = hmac.new(APP_SECRET.encode(), own.encode(), hashlib.sha256).hexdigest()
        query = dict(parse_qsl(urlsplit(call.target).query))
        self._compare("inspection", query, {"input_token": TOKEN, "access_token": own, "appsecret_proof": proof})
        data = {
            "app_id": APP,
            "type": "USER",
            "application": "Bank",
            "data_access_expires_at": self.now + 7_776_000,
            "expires_at": self.now + LIFE,
            "is_valid": True,
            "scopes": ["public_profile", "email"],
            "user_id": "10150000000000001",
        }
        other = self.way.data
        body = other if isinstance(other, bytes) else b'{"data": ' + _changed(data, other) + b"}"
        await call.reply(self.way.status.get(INSPECTION, "200 OK"), body)

    def _compare(self, what: str, said: dict[str, str], right: dict[str, str]) -> None:
        if said != right:
            self.wrong.append(what)


def _changed(right: dict[str, Any], other: Mapping[str, Any] | bytes) -> bytes:
    if isinstance(other, bytes):
        return other
    return json.dumps({name: one for name, one in {**right, **other}.items() if one is not None}).encode()


@asynccontextmanager
async def social(now: int, way: Way) -> AsyncIterator[Social]:
    made: list[Social] = []

    async def answer(call: Call) -> None:
        await made[0].reply(call)

    async with far_end(answer) as there:
        made.append(Social(there, now, way))
        yield made[0]


async def attempt(way: Way, clock: MovedClock, look: Callable[[Social], None] = lambda _: None) -> Login:
    seconds = 0.3 if way.code == transport.TIMEOUT else 10.0
    async with social(clock.now(), way) as there:
        places = SocialPlaces(f"{there.there.url}/v99.0/dialog/oauth", f"{there.there.url}/v99.0/")
        async with providers(clock, seconds=seconds, places=places) as made:
            link = opened(SETTINGS)
            address = urlsplit(await made.address(link))
            assert address.path == "/v99.0/dialog/oauth"
            assert dict(parse_qsl(address.query)) == {
                "client_id": APP,
                "redirect_uri": REDIRECT,
                "response_type": "code",
                "state": STATE,
            }
            login = await made.login(link, read_callback([("code", CODE), ("state", STATE)]))
            look(there)
            return login


async def test_a_right_network_logs_in_by_code_inspection_and_proof() -> None:
    clock, seen = MovedClock(), []
    login = await attempt(Way(""), clock, lambda there: seen.append((there.wrong, len(there.there.calls))))
    assert seen == [([], 2)]
    assert login.value == {
        "access_token": TOKEN,
        "token_type": "Bearer",
        "expires_at": clock.now() // 1000 + LIFE,
        "scope": "public_profile email",
        "sub": "10150000000000001",
    }
    assert (login.grant.refresh_token, login.grant.id_token, login.grant.revocation_endpoint) == (None, None, None)


async def test_a_token_that_never_expires_has_no_expiry() -> None:
    login = await attempt(Way("", {"expires_in": None}, {"expires_at": 0}), MovedClock())
    assert "expires_at" not in login.value


async def test_the_earlier_of_two_expiries_counts() -> None:
    clock = MovedClock()
    login = await attempt(Way("", data={"expires_at": clock.now() // 1000 + 60}), clock)
    assert login.value["expires_at"] == clock.now() // 1000 + 60


@pytest.mark.parametrize("name", WAYS)
async def test_a_wrong_network_is_refused_for_what_is_wrong(name: str) -> None:
    way = WAYS[name]
    with pytest.raises(ProviderFailed) as caught:
        await attempt(way, MovedClock())
    assert caught.value.code == way.code, caught.value
    assert [word for word in (APP_SECRET, CODE, TOKEN, STATE, "verification") if word in str(caught.value)] == []


async def test_an_error_in_place_of_a_code_is_told_in_the_standards_words_alone() -> None:
    async with providers(MovedClock()) as made:
        for error, said in (("server_error", '"server_error"'), ("my-own-words", None)):
            with pytest.raises(ProviderFailed) as caught:
                await made.login(opened(SETTINGS), read_callback([("error", error), ("state", STATE)]))
            assert caught.value.code == "callback-error"
            assert (said or "answered the login with an error") in str(caught.value)
            assert "my-own-words" not in str(caught.value)


def test_every_check_of_the_social_login_is_met() -> None:
    met = {way.code for way in WAYS.values()}
    assert {check.code for check in CHECKS if check.code.startswith("social-")} - met == set()
    assert met <= {check.code for check in CHECKS} | set(CALLS)


# -- any bytes


def _right() -> dict[str, dict[str, Any]]:
    """Return what a right network answers."""
    data = {"app_id": APP, "type": "USER", "is_valid": True, "user_id": "1015", "scopes": ["email"], "expires_at": 0}
    return {EXCHANGE: {"access_token": TOKEN, "token_type": "bearer", "expires_in": LIFE}, INSPECTION: {"data": data}}


async def _through(end: str, body: bytes, status: int) -> Login:
    """Return the login where the network answers with these bytes at one of its ends."""
    right = {path: json.dumps(answer).encode() for path, answer in _right().items() if path != end}
    places = SocialPlaces("https://social.example/dialog", "https://graph.social.example/v99.0")
    async with providers(MovedClock(), Answers(right, body, status), places=places) as made:
        return await made.login(opened(SETTINGS), read_callback([("code", CODE), ("state", STATE)]))


DATA = _right()[INSPECTION]["data"]
DRAWN = {
    EXCHANGE: answers(_right()[EXCHANGE], "error", "scope", "id_token"),
    INSPECTION: answers(_right()[INSPECTION], "error") | answers(DATA).map(lambda data: b'{"data": ' + data + b"}"),
}


@pytest.mark.parametrize("end", DRAWN)
async def test_what_the_next_test_takes_from_is_believed_as_it_is(end: str) -> None:
    login = await _through(end, json.dumps(_right()[end]).encode(), 200)
    assert login.value["sub"] == "1015"


@pytest.mark.parametrize("end", DRAWN)
@FEW
@given(drawn=st.data(), status=st.sampled_from([200, 200, 200, 201, 302, 400, 500]))
def test_no_bytes_that_the_network_may_answer_with_break_anything_or_are_believed_for_more_than_they_say(
    end: str, drawn: st.DataObject, status: int
) -> None:
    body = drawn.draw(DRAWN[end])
    try:
        login = asyncio.run(_through(end, body, status))
    except ProviderFailed as refused:
        code = refused.code
    else:
        _holds_what_was_said(login, end, body, status)
        return
    assert code.startswith(("token-", "social-"))


def _holds_what_was_said(login: Login, end: str, body: bytes, status: int) -> None:
    assert status == 200
    told = {path: json.loads(body) if path == end else answer for path, answer in _right().items()}
    assert login.value["access_token"] == told[EXCHANGE]["access_token"]
    seen = told[INSPECTION]["data"]
    assert (seen["is_valid"], str(seen["app_id"]), seen.get("type", "USER")) == (True, APP, "USER")
    assert login.value["sub"] == str(seen["user_id"])
