"""What a provider gave and no chat took is taken back there, beside the browser that waits for its page."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from tests.service.login.logging_in import log_in, oidc, opened, providers
from tests.service.login.misbehaving import ACCESS, KEYS, REFRESH, REVOKE, RIGHT, TOKEN, Way, provider
from tests.service.login.ways import GONE, header, instead, put
from tests.service.process_stores import until

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.data import Egress
from dialoom.service.chat.login_values import Grant, Login
from dialoom.service.login.provider_calls import Calls, ProviderFailed
from dialoom.service.login.revoke import MAX_LOGINS_AT_ONCE, RETRY_SECONDS, RevokeUnused
from dialoom.service.observe.instruments import Counts
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from tests.data.far_ends import Call
    from tests.http.support import Client
    from tests.service.login.misbehaving import Provider

    from dialoom.engine.effects import Request
    from dialoom.service.login.links import Opened
    from dialoom.service.login.providers import Providers


BOTH = sorted([REFRESH, ACCESS])


def counts() -> Counts:
    return Counts("tokens_taken_back", "", "bot", "outcome")


async def hang(_: Call) -> None:
    await asyncio.Event().wait()


async def refusal(there: Provider, made: Providers, link: Opened | None = None) -> str:
    with pytest.raises(ProviderFailed) as caught:
        await log_in(there, made, link or opened(oidc(there.issuer)))
    return caught.value.code


async def next_one_is_taken_back(made: Providers, clock: MovedClock) -> None:
    """Check that a further token is revoked; one begun before would have been by then."""
    async with provider(clock.now(), WRONG["another nonce"]) as other:
        await refusal(other, made)
        await until(lambda: len(other.revoked) == 2)


WRONG = {
    "another's audience": Way("id-token-audience", claims=put(aud="another-client")),
    "another nonce": Way("id-token-nonce", claims=put(nonce="another")),
    "an unknown key": Way("id-token-key", signed=header(kid="nobody's")),
    "no ID token": Way("token-id-token", answer=put(id_token=GONE)),
    "keys that are away": Way("keys-status", status={KEYS: "500 Internal Server Error"}),
}


@pytest.mark.parametrize("name", WRONG)
async def test_the_tokens_of_a_login_that_fails_a_check_are_taken_back(name: str) -> None:
    clock, way = MovedClock(), WRONG[name]
    async with provider(clock.now(), way) as there, providers(clock) as made:
        assert await refusal(there, made) == way.code
        await until(lambda: len(there.revoked) == 2)
        assert sorted(there.revoked) == BOTH
        assert there.refused == []


async def test_those_of_a_login_that_is_given_up_are_taken_back_too() -> None:
    """As when its time is over."""
    clock = MovedClock()
    async with provider(clock.now(), RIGHT._replace(talk={KEYS: hang})) as there, providers(clock) as made:
        login = asyncio.ensure_future(log_in(there, made, opened(oidc(there.issuer))))
        await until(lambda: there.calls(KEYS) == 1)
        login.cancel()
        await asyncio.wait([login])
        await until(lambda: sorted(there.revoked) == BOTH)


SILENT = {
    "a right login": RIGHT,
    "a redirect of another issuer": Way(
        "callback-issuer", redirect=lambda _, right: [*right[:2], ("iss", "https://evil.example")]
    ),
    "a token answer that cannot be read": Way("token-json", answer=instead([])),
    "a code that is refused": Way("token-status", status={TOKEN: "400 Bad Request"}),
    "a provider that takes nothing back": Way(
        "id-token-nonce", metadata=put(revocation_endpoint=GONE), claims=put(nonce="another")
    ),
}


@pytest.mark.parametrize("name", SILENT)
async def test_nothing_is_taken_back_where_nothing_is_known_or_all_is_right(name: str) -> None:
    clock, way = MovedClock(), SILENT[name]
    async with provider(clock.now(), way) as there, providers(clock) as made:
        if way.code:
            assert await refusal(there, made) == way.code
        else:
            await log_in(there, made, opened(oidc(there.issuer)))
        await next_one_is_taken_back(made, clock)
    assert there.calls(REVOKE) == 0


async def test_who_waits_for_the_login_does_not_wait_for_that() -> None:
    clock, way = MovedClock(), WRONG["another nonce"]._replace(talk={REVOKE: hang})
    async with provider(clock.now(), way) as there, providers(clock, seconds=60.0, in_all=60.0) as made:
        async with asyncio.timeout(10):
            assert await refusal(there, made) == "id-token-nonce"
        await until(lambda: there.calls(REVOKE) == 2)


async def test_a_provider_that_is_away_is_told_again_and_one_that_refuses_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    clock, way, counted = MovedClock(), WRONG["another nonce"], counts()
    async with provider(clock.now(), way) as there, providers(clock, counted=counted) as made:
        there.way = way._replace(status={REVOKE: "503 Service Unavailable"})
        assert await refusal(there, made) == "id-token-nonce"
        await until(lambda: sorted(there.revoked) == BOTH)
        there.way = way._replace(status={REVOKE: "400 Bad Request"})
        moving = cast("Client", SimpleNamespace(clock=clock))
        await until(lambda: counted.values() == {("bank", "failed"): 2}, moving, seconds=RETRY_SECONDS[0])
        assert sorted(there.revoked) == sorted(BOTH * 2)
    lines = [record.getMessage() for record in caplog.records if "could not be taken back" in record.getMessage()]
    assert (
        lines
        == [f"a token of a login of bot bank could not be taken back: {there.issuer} answered 400 Bad Request."] * 2
    )


async def test_a_provider_that_stays_away_is_told_three_times_of_both_at_once() -> None:
    clock, way, counted = MovedClock(), WRONG["another nonce"], counts()
    async with provider(clock.now(), way) as there, providers(clock, counted=counted) as made:
        there.way = way._replace(status={REVOKE: "503 Service Unavailable"})
        assert await refusal(there, made) == "id-token-nonce"
        begun = clock.now()
        moving = cast("Client", SimpleNamespace(clock=clock))
        await until(lambda: counted.values() == {("bank", "failed"): 2}, moving, seconds=1.0)
        assert sorted(there.revoked) == sorted(BOTH * 3)
        assert sum(RETRY_SECONDS) * 1000 <= clock.now() - begun


async def test_a_refresh_that_is_refused_takes_nothing_back_of_the_login_that_the_chat_has() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        login = await log_in(there, made, link)
        there.way = RIGHT._replace(claims=put(sub="user-2"))
        with pytest.raises(ProviderFailed):
            await made.refresh(link.deployed, login.grant, login.value)
        await next_one_is_taken_back(made, clock)
    assert there.calls(REVOKE) == 0


async def test_a_login_that_no_chat_took_is_given_back_as_the_version_that_it_came_by() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock) as made:
        link = opened(oidc(there.issuer))
        made.revoke(link.deployed, await log_in(there, made, link))
        await until(lambda: sorted(there.revoked) == BOTH)
        assert there.refused == []


# -- bounds


class Slow:
    """Never says what is to be called."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, token: str) -> Request:
        self.asked += 1
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


async def test_of_each_bot_only_so_many_are_in_hand_and_what_is_dropped_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow, counted = Slow(), counts()
    taking = RevokeUnused(Calls(MockFetcher({}), Egress()), MovedClock(), counted)
    for _ in range(MAX_LOGINS_AT_ONCE + 3):
        taking.begin("bank", ("refresh", "access"), slow.ask)
    await until(lambda: slow.asked == 2 * MAX_LOGINS_AT_ONCE)
    assert counted.values() == {("bank", "dropped"): 6}
    line = f"the tokens of a login of bot bank are not taken back: {MAX_LOGINS_AT_ONCE} logins of it are in hand"
    assert caplog.text.count(line) == 3
    # Another bot's provider does not hang.
    taking.begin("shop", ("token",), slow.ask)
    await until(lambda: slow.asked == 2 * MAX_LOGINS_AT_ONCE + 1)
    await taking.close()
    taking.begin("shop", ("token",), slow.ask)
    await asyncio.sleep(0)
    assert slow.asked == 2 * MAX_LOGINS_AT_ONCE + 1


def test_the_refresh_token_goes_first_and_what_is_no_token_does_not_go() -> None:
    assert Login({"access_token": "a"}, Grant("1", "r")).tokens == ("r", "a")
    assert Login({"access_token": ["a"]}, Grant("1")).tokens == ()
