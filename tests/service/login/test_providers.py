"""What the service asks of a right provider, how often, and what it makes of the answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from tests.service.login.logging_in import (
    BASE,
    NONCE,
    STATE,
    VERIFIER,
    authentication,
    compiled_bot,
    log_in,
    oidc,
    opened,
    providers,
)
from tests.service.login.misbehaving import (
    ACCESS,
    CLIENT,
    DISCOVERY,
    KEYS,
    REDIRECT,
    REFRESH,
    REVOKE,
    RIGHT,
    SECRET,
    TOKEN,
    provider,
)
from tests.service.login.signing import compact, rs256, rsa_jwk, rsa_key
from tests.service.login.ways import header, instead, put

from dialoom.auth.provider import read_callback
from dialoom.data import Egress, HttpFetcher
from dialoom.errors import SettingError
from dialoom.service.chat.login_values import Grant
from dialoom.service.login.provider_calls import MAX_BODY_BYTES, ProviderFailed
from dialoom.service.login.providers import Providers, SocialPlaces
from dialoom.service.observe.instruments import Counts
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from tests.data.far_ends import Call
    from tests.service.login.misbehaving import Provider

    from dialoom.service.login.links import Opened


async def test_the_browser_is_sent_with_all_that_belongs_to_a_login() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        settings = oidc(
            there.issuer,
            scope="profile email",
            **{"authorization-params": {"prompt": "login", "resources": ["https://a.example", "https://b.example"]}},
        )
        address = await made.address(opened(settings))
        asked = parse_qs(urlsplit(address).query)
        assert address.startswith(f"{there.issuer}/authorize?")
        assert asked["state"] == [STATE]
        assert asked["nonce"] == [NONCE]
        assert asked["redirect_uri"] == [REDIRECT]
        assert asked["scope"] == ["openid profile email"]
        assert asked["resource"] == asked["resources"] == ["https://a.example", "https://b.example"]
        assert asked["prompt"] == ["login"]
        assert VERIFIER not in address
        assert there.calls(DISCOVERY) == 1


async def test_a_login_keeps_its_refresh_and_id_token_beside_the_entity() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        assert login.value == {
            "access_token": ACCESS,
            "token_type": "Bearer",
            "expires_at": clock.now() // 1000 + 3600,
            "scope": "openid profile",
            "sub": "user-1",
        }
        assert login.grant.version == link.about.version
        assert login.grant.refresh_token == REFRESH
        assert login.grant.id_token is not None
        assert login.grant.revocation_endpoint == there.issuer + REVOKE
        assert there.refused == []


async def test_a_secret_comes_from_where_the_bot_says() -> None:
    clock = MovedClock()

    def read(_: str, secret: Any) -> str:
        assert secret.env == "BOT_SECRET"
        return SECRET

    async with provider(clock.now()) as there:
        made = _with_secrets(clock, read)
        settings = authentication(
            oidc={"issuer": there.issuer, "client-id": CLIENT, "client-secret": {"env": "BOT_SECRET"}}
        )
        await log_in(there, made, opened(settings))
        await made.close()


async def test_a_secret_that_is_not_there_is_said_by_its_name() -> None:
    def read(_: str, secret: Any) -> str:
        raise SettingError('The environment variable "BOT_SECRET", which a bot names, is not set.')

    made = _with_secrets(MovedClock(), read)
    with pytest.raises(ProviderFailed) as caught:
        await made.address(opened(oidc("https://login.example")))
    assert caught.value.code == "provider-secret"
    assert "BOT_SECRET" in str(caught.value)
    await made.close()


def _with_secrets(clock: MovedClock, read: Any) -> Providers:
    egress = Egress(allow_private=True)
    fetcher = HttpFetcher(egress, body_limit=MAX_BODY_BYTES)
    places, counted = SocialPlaces("https://s.example/d", "https://g.example"), Counts("tokens_taken_back", "")
    return Providers(fetcher, egress, read, clock, BASE, places, counted)


async def test_a_cancel_is_believed_of_the_issuer_that_was_asked_alone() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        said = [("error", "access_denied"), ("state", STATE)]
        assert await made.is_cancelled(link, read_callback([*said, ("iss", there.issuer)]))
        for iss, code in (("https://evil.example", "callback-issuer"), ("", "callback-issuer-missing")):
            params = read_callback([*said, ("iss", iss)])
            assert not await made.is_cancelled(link, params)
            with pytest.raises(ProviderFailed) as caught:
                await made.login(link, params)
            assert caught.value.code == code
        assert not await made.is_cancelled(link, read_callback([("code", "c"), *said[1:], ("iss", there.issuer)]))
        assert (there.calls(DISCOVERY), there.calls(TOKEN)) == (1, 0)


async def test_a_cancel_at_a_provider_of_which_nothing_is_known_is_its_failure() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        there.way = RIGHT._replace(status={DISCOVERY: "500 Internal Server Error"})
        params = read_callback([("error", "access_denied"), ("state", STATE)])
        assert not await made.is_cancelled(opened(oidc(there.issuer)), params)
        with pytest.raises(ProviderFailed) as caught:
            await made.login(opened(oidc(there.issuer)), params)
        assert caught.value.code == "metadata-status"


# -- what is kept


async def test_metadata_and_keys_are_asked_for_once_in_ten_minutes() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        for _ in range(3):
            await log_in(there, made, opened(oidc(there.issuer)))
        assert (there.calls(DISCOVERY), there.calls(KEYS), there.calls(TOKEN)) == (1, 1, 3)
        clock.move(601)
        there.now += 601
        await log_in(there, made, opened(oidc(there.issuer)))
        assert (there.calls(DISCOVERY), there.calls(KEYS), there.calls(TOKEN)) == (2, 2, 4)


async def test_sixty_four_logins_at_once_ask_for_metadata_and_keys_once() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        addresses = await asyncio.gather(*(made.address(link) for _ in range(64)))
        params = read_callback(there.authorize(addresses[0]))
        await asyncio.gather(*(made.login(link, params) for _ in range(64)))
        assert (there.calls(DISCOVERY), there.calls(KEYS), there.calls(TOKEN)) == (1, 1, 64)


async def test_a_failure_is_kept_for_three_seconds() -> None:
    clock = MovedClock()
    wrong = RIGHT._replace(status={DISCOVERY: "503 Service Unavailable"})
    async with provider(clock.now(), wrong) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        for _ in range(3):
            with pytest.raises(ProviderFailed) as caught:
                await made.address(link)
            assert caught.value.code == "metadata-status"
        assert there.calls(DISCOVERY) == 1
        there.way = RIGHT
        clock.move(3.1)
        await made.address(link)
        assert there.calls(DISCOVERY) == 2


async def test_new_keys_are_read_once_where_a_token_names_one_that_nobody_knows() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        await log_in(there, made, link)
        _turn_key(there)
        params = read_callback(there.authorize(await made.address(link)))
        await asyncio.gather(*(made.login(link, params) for _ in range(16)))
        assert there.calls(KEYS) == 2


async def test_a_token_of_an_unknown_key_makes_the_keys_be_read_once_in_thirty_seconds() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        await log_in(there, made, link)
        there.way = RIGHT._replace(signed=header(kid="nobody's"))
        for _ in range(5):
            await _fails(there, made, link, "id-token-key")
        assert there.calls(KEYS) == 2
        clock.move(31)
        there.now += 31
        await _fails(there, made, link, "id-token-key")
        assert there.calls(KEYS) == 3


async def test_keys_that_cannot_be_read_anew_leave_the_known_ones_in_their_place() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        await log_in(there, made, link)
        there.way = RIGHT._replace(signed=header(kid="nobody's"), status={KEYS: "500 Internal Server Error"})
        await _fails(there, made, link, "keys-status")
        there.way = RIGHT
        await log_in(there, made, link)
        assert there.calls(KEYS) == 2


async def test_who_gives_up_waiting_for_metadata_does_not_end_it_for_the_others() -> None:
    clock, asked, go_on = MovedClock(), asyncio.Event(), asyncio.Event()

    async def wait(call: Call) -> None:
        asked.set()
        await go_on.wait()
        await there.say(call)

    async with provider(clock.now(), RIGHT._replace(talk={DISCOVERY: wait})) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        first, second = (asyncio.create_task(made.address(link)) for _ in range(2))
        await asked.wait()
        first.cancel()
        await asyncio.wait([first])
        go_on.set()
        assert (await second).startswith(there.issuer)
        assert there.calls(DISCOVERY) == 1


async def test_an_issuer_that_hangs_holds_up_no_other_one() -> None:
    clock, asked = MovedClock(), asyncio.Event()

    async def hang(_: Call) -> None:
        asked.set()
        await asyncio.Event().wait()

    stuck = RIGHT._replace(talk={DISCOVERY: hang})
    async with provider(clock.now(), stuck) as bad, provider(clock.now()) as good, providers(clock) as made:
        waiting = [asyncio.create_task(made.address(opened(oidc(bad.issuer)))) for _ in range(200)]
        await asked.wait()
        await log_in(good, made, opened(oidc(good.issuer)))
        assert bad.calls(DISCOVERY) == 1
        assert not any(one.done() for one in waiting)
        for one in waiting:
            one.cancel()
        await asyncio.wait(waiting)


# -- refresh


async def test_a_refresh_gives_a_new_token_and_what_it_does_not_say_stays_as_it_was() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        clock.move(4000)
        there.now += 4000
        there.refreshed = {"access_token": "newer", "refresh_token": None, "scope": None, "id_token": None}
        fresh = await made.refresh(link.deployed, login.grant, login.value)
        assert fresh.value == login.value | {"access_token": "newer", "expires_at": clock.now() // 1000 + 3600}
        assert fresh.grant == login.grant
        clock.move(600)
        there.now += 600
        there.way = RIGHT._replace(metadata=lambda _, right: right | {"revocation_endpoint": None})
        assert (await made.refresh(link.deployed, login.grant, login.value)).grant == login.grant
        form = dict(parse_qsl(there.there.calls[-1].body.decode()))
        assert form == {"grant_type": "refresh_token", "refresh_token": REFRESH}


async def test_a_refresh_may_bring_a_new_refresh_token_and_an_id_token_of_the_same_user() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        there.refreshed = {"refresh_token": "the-second"}
        fresh = await made.refresh(link.deployed, login.grant, login.value)
        assert fresh.grant == Grant(
            login.grant.version, "the-second", login.grant.id_token, login.grant.revocation_endpoint
        )


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"sub": "user-2"}, "id-token-renewed"),
        ({"nonce": "another"}, "id-token-renewed"),
        ({"azp": CLIENT}, "id-token-renewed"),
        ({"iss": "https://evil.example"}, "id-token-issuer"),
        ({"aud": "another-client"}, "id-token-audience"),
        ({"exp": 1}, "id-token-expiry"),
    ],
)
async def test_a_refresh_for_somebody_else_is_refused(changed: dict[str, Any], code: str) -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        there.way = RIGHT._replace(claims=put(**changed))
        with pytest.raises(ProviderFailed) as caught:
            await made.refresh(link.deployed, login.grant, login.value)
        assert caught.value.code == code


async def test_a_refresh_that_the_provider_refuses_or_never_answers_is_a_failure() -> None:
    clock = MovedClock()

    async def hang(_: Call) -> None:
        await asyncio.Event().wait()

    async with provider(clock.now()) as there, providers(clock, seconds=1.5) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        for grant, way, code in (
            (Grant("1", "another", login.grant.id_token), RIGHT, "token-error"),
            (login.grant, RIGHT._replace(answer=instead([])), "token-json"),
            (login.grant, RIGHT._replace(talk={TOKEN: hang}), "provider-timeout"),
            (Grant("1"), RIGHT, "provider-no-refresh"),
        ):
            there.way = way
            with pytest.raises(ProviderFailed) as caught:
                await made.refresh(link.deployed, grant, login.value)
            assert caught.value.code == code


async def test_a_version_without_the_provider_block_refreshes_nothing() -> None:
    other = compiled_bot(authentication(socialnet={"app-id": "7", "app-secret": "s"}))
    async with providers(MovedClock()) as made:
        with pytest.raises(ProviderFailed) as caught:
            await made.refresh(other, Grant("1", "token", "id"), {})
        assert caught.value.code == "provider-changed"


# -- revocation


async def test_a_refresh_token_is_taken_back_where_the_provider_said() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        request = await made.revocation(link.deployed, login.grant, REFRESH)
        assert (request.method, request.url) == ("POST", there.issuer + REVOKE)
        assert dict(parse_qsl((request.body or b"").decode())) == {
            "token": REFRESH,
            "token_type_hint": "refresh_token",
        }
        assert request.trusted_host
        access = await made.revocation(link.deployed, login.grant, ACCESS)
        assert b"access_token" in (access.body or b"")


async def test_where_the_provider_takes_nothing_back_nothing_is_asked() -> None:
    async with providers(MovedClock()) as made:
        with pytest.raises(ProviderFailed) as caught:
            await made.revocation(compiled_bot(oidc("https://login.example")), Grant("1", "token"), "token")
        assert caught.value.code == "provider-no-revocation"


def _turn_key(there: Provider) -> None:
    """Make the provider sign with a new key, and publish only that."""
    there.way = RIGHT._replace(
        keys=lambda *_: {"keys": [rsa_jwk(rsa_key("tomorrow's"), "new")]},
        signed=lambda _, claims: compact({"alg": "RS256", "kid": "new"}, claims, rs256(rsa_key("tomorrow's"))),
    )


async def _fails(there: Provider, made: Providers, link: Opened, code: str) -> None:
    with pytest.raises(ProviderFailed) as caught:
        await log_in(there, made, link)
    assert caught.value.code == code
