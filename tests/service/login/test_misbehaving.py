"""Providers that are wrong, each in one way, over real sockets: every one is refused for the right reason, in time, and
says nothing through us. In the same way a right one is believed.
"""

from __future__ import annotations

import asyncio
import functools
import json
import threading
import tracemalloc
from ipaddress import IPv4Address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.data.authority import Authority, door
from tests.service.login import transport
from tests.service.login.logging_in import NONCE, SECRETS, Answers, log_in, oidc, opened, providers
from tests.service.login.misbehaving import CLIENT, DISCOVERY, KEYS, RIGHT, TOKEN, WORDS, Way, provider
from tests.service.login.signing import compact, ec_key, es256, rs256, rsa_jwk, rsa_key
from tests.service.login.transport import MIB, OTHER, TALKED
from tests.service.login.ways import SAID, header, put

from dialoom.auth.provider import CHECKS, read_callback
from dialoom.data import Egress, HttpFetcher
from dialoom.service.login.provider_calls import CALLS, ProviderFailed, read
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.data.authority import Pair
    from tests.data.far_ends import Call

    from dialoom.service.chat.login_values import Login
    from dialoom.service.login.providers import Providers

WAYS = {**SAID, **TALKED}
SHORT = 0.3
"""Seconds of a call to a provider that never ends one."""
LONGEST = 10.0
"""Seconds after which a test is stuck."""
CODES = {check.code for check in CHECKS} | set(CALLS)

RIGHT_WAYS = {
    "as it is": RIGHT,
    "without RFC 9207": Way("", metadata=put(authorization_response_iss_parameter_supported=False)),
    "with client_secret_post alone": Way(
        "", metadata=put(token_endpoint_auth_methods_supported=["client_secret_post"])
    ),
    "that does not say how clients authenticate": Way(
        "", metadata=lambda _, right: {k: v for k, v in right.items() if k != "token_endpoint_auth_methods_supported"}
    ),
    "that signs on a curve": Way(
        "", signed=lambda _, claims: compact({"alg": "ES256", "kid": "two"}, claims, es256(ec_key()))
    ),
    "that names no key where one fits": Way(
        "", signed=lambda _, claims: compact({"alg": "RS256"}, claims, rs256(rsa_key()))
    ),
    "with a list of one audience": Way("", claims=lambda _, right: right | {"aud": [right["aud"]]}),
    "without a hash of the access token": Way(
        "", claims=lambda _, right: {k: v for k, v in right.items() if k != "at_hash"}
    ),
    "whose clock is a minute ahead": Way("", claims=lambda _, right: right | {"iat": right["iat"] + 59}),
    "whose clock is a minute behind": Way("", claims=lambda _, right: right | {"exp": right["iat"] - 59}),
    "that writes bearer small": Way("", answer=put(token_type="bearer")),
    "with a header that nobody knows": Way("", signed=header(x5t="abc", typ="JWT", further=["members"])),
    "with keys that nobody knows": Way("", keys=lambda _, right: {"keys": [*right["keys"], {"kty": 7}, None, "key"]}),
}


async def attempt(way: Way, clock: MovedClock, seconds: float) -> Login:
    async with provider(clock.now(), way) as there, providers(clock, seconds=seconds, in_all=2 * seconds) as made:
        try:
            async with asyncio.timeout(LONGEST):
                return await log_in(there, made, opened(oidc(there.issuer)))
        finally:
            assert there.calls(OTHER) == 0
            assert there.calls(TOKEN) <= 1


@pytest.mark.parametrize("name", WAYS)
async def test_a_wrong_provider_is_refused_for_what_is_wrong(name: str) -> None:
    way = WAYS[name]
    seconds = SHORT if way.code == transport.TIMEOUT else LONGEST
    with pytest.raises(ProviderFailed) as caught:
        await attempt(way, MovedClock(), seconds)
    assert caught.value.code == way.code, caught.value
    assert way.code in CODES
    assert [secret for secret in (*SECRETS, WORDS, "user-1", "evil.example") if secret in str(caught.value)] == []
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("name", RIGHT_WAYS)
async def test_a_right_provider_is_believed(name: str) -> None:
    clock = MovedClock()
    login = await attempt(RIGHT_WAYS[name], clock, LONGEST)
    assert login.value == {
        "access_token": "the-access-token",
        "token_type": "Bearer",
        "expires_at": clock.now() // 1000 + 3600,
        "scope": "openid profile",
        "sub": "user-1",
    }
    assert login.grant.refresh_token == "the-refresh-token"


def test_the_ways_to_be_wrong_are_many_and_meet_every_check_of_a_login() -> None:
    assert len(SAID) > 120
    assert len(TALKED) > 60
    met = {way.code for way in WAYS.values()}
    # Read before anything is asked of a provider, and of a refresh.
    elsewhere = {"callback-doubled", "callback-value", "callback-neither", "id-token-renewed"}
    of_logins = {check.code for check in CHECKS if not check.code.startswith(("social-", "userinfo-"))} - elsewhere
    assert of_logins - met == set()


# -- bounds


@pytest.mark.parametrize("path", [DISCOVERY, KEYS, TOKEN])
@pytest.mark.parametrize("talk", [transport.flood, transport.flood_in_chunks, transport.burst])
async def test_however_much_is_sent_little_of_it_is_held(path: str, talk: transport.Talk) -> None:
    transport.packed_bomb()
    tracemalloc.start()
    try:
        with pytest.raises(ProviderFailed) as caught:
            await attempt(Way("", talk={path: talk}), MovedClock(), LONGEST)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.code == "provider-too-large"
    assert peak < 12 * MIB


async def test_answers_are_read_beside_the_event_loop() -> None:
    """1 MiB of JSON that was written to be slow keeps nobody else waiting."""
    assert await read("The answer", threading.get_ident) != threading.get_ident()


async def test_all_calls_of_a_login_share_one_time() -> None:
    """Each of them ends in its own time, and together they would take more than what they share."""
    clock = MovedClock()
    async with provider(clock.now()) as there, providers(clock, seconds=LONGEST, in_all=0.6) as made:
        link = opened(oidc(there.issuer))
        params = there.authorize(await made.address(link))

        async def hesitate(call: Call) -> None:
            await asyncio.sleep(0.4)
            await there.say(call)

        there.way = RIGHT._replace(talk={TOKEN: hesitate, KEYS: hesitate})
        with pytest.raises(ProviderFailed) as caught:
            await made.login(link, read_callback(params))
    assert caught.value.code == "provider-timeout"
    assert caught.value.is_timeout
    assert "in all" in str(caught.value)


# -- TLS


@pytest.mark.parametrize("name", ["trusted", "unknown authority", "another host", "expired"])
async def test_a_certificate_that_is_not_to_be_trusted_ends_the_login(tmp_path: Path, name: str) -> None:
    authority = Authority()
    pairs: dict[str, Pair] = {
        "trusted": authority.server(),
        "unknown authority": Authority("Somebody").server(),
        "another host": authority.server("127.0.0.2"),
        "expired": authority.pair("127.0.0.1", alternative=x509.IPAddress(IPv4Address("127.0.0.1")), days=-1),
    }
    clock = MovedClock()
    egress = Egress(allow_private=True)
    fetcher = HttpFetcher(egress, authorities=authority.certificate)
    async with providers(clock, fetcher, egress=egress) as made, door(tmp_path, pairs[name], None) as there:
        code = await _refused(made, there.url)
    # What the server says there is an empty list: a right connection is all that it has to give.
    assert code == ("metadata-json" if name == "trusted" else "provider-tls")


async def test_a_provider_that_speaks_no_tls_is_refused() -> None:
    def say_no(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(say_no, "127.0.0.1", 0)
    async with server, providers(MovedClock()) as made:
        port = server.sockets[0].getsockname()[1]
        assert await _refused(made, f"https://127.0.0.1:{port}") in {"provider-tls", "provider-broken"}


async def test_nobody_there_is_a_refusal() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there:
        gone = there.issuer
    async with providers(clock) as made:
        assert await _refused(made, gone) == "provider-refused"


async def test_an_issuer_inside_the_network_is_reached_where_the_operator_allows_it_alone() -> None:
    clock = MovedClock()
    async with provider(clock.now()) as there:
        async with providers(clock, egress=Egress(allow_private=False)) as made:
            assert await _refused(made, there.issuer) == "provider-egress"
        assert there.there.connections == []
        listed = frozenset({there.issuer.removeprefix("http://")})
        async with providers(clock, egress=Egress(allowed_hosts=listed)) as made:
            await log_in(there, made, opened(oidc(there.issuer)))


# -- any bytes

ISSUER = "https://login.example"
METADATA = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}{TOKEN}",
    "jwks_uri": f"{ISSUER}{KEYS}",
    "id_token_signing_alg_values_supported": ["RS256", "ES256", "none", "HS256"],
}


@functools.cache
def _right() -> dict[str, bytes]:
    """Return what a right provider would answer."""
    now = MovedClock().now() // 1000
    claims = {"iss": ISSUER, "sub": "user-1", "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": NONCE}
    token = compact({"alg": "RS256", "kid": "one"}, claims, rs256(rsa_key()))
    tokens = {"access_token": "the-access-token", "token_type": "Bearer", "id_token": token}
    keys = {"keys": [rsa_jwk(rsa_key(), "one")]}
    return {DISCOVERY: encoded(METADATA), KEYS: encoded(keys), TOKEN: encoded(tokens)}


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


async def _through(bodies: Mapping[str, bytes], other: bytes = b"", status: int = 200) -> Login:
    async with providers(MovedClock(), Answers(bodies, other, status)) as made:
        link = opened(oidc(ISSUER))
        await made.address(link)
        return await made.login(link, read_callback([("code", "the-code"), ("state", "the-state")]))


_TEXTS = st.text(max_size=20) | st.sampled_from(["", "Bearer", "eyJhbGciOiJub25lIn0.e30.", "a.b.c", "RS256", ISSUER])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=20,
)
_MEMBERS = st.sampled_from(
    [
        *METADATA,
        *("keys", "kty", "kid", "n", "e", "use", "alg"),
        *("access_token", "token_type", "expires_in", "refresh_token", "id_token", "scope", "error"),
    ]
)
_ANSWERS = st.binary(max_size=200) | st.dictionaries(_MEMBERS, _JSON, max_size=8).map(encoded)


async def test_what_the_next_test_takes_from_is_believed_as_it_is() -> None:
    assert (await _through(_right())).value["sub"] == "user-1"


@pytest.mark.parametrize("end", [DISCOVERY, KEYS, TOKEN])
@settings(max_examples=100, deadline=None)
@given(body=_ANSWERS, status=st.sampled_from([200, 200, 200, 201, 302, 400, 401, 500]))
def test_no_bytes_that_a_provider_may_answer_with_are_believed_or_break_anything(
    end: str, body: bytes, status: int
) -> None:
    right = {other: one for other, one in _right().items() if other != end}
    with pytest.raises(ProviderFailed):
        asyncio.run(_through(right, body, status))


@settings(max_examples=100, deadline=None)
@given(
    place=st.integers(0), letter=st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
)
def test_an_id_token_with_one_letter_changed_is_refused_wherever_it_is(place: int, letter: str) -> None:
    tokens = json.loads(_right()[TOKEN])
    token = tokens["id_token"]
    place %= len(token)
    assume(token[place] != letter)
    tokens["id_token"] = token[:place] + letter + token[place + 1 :]
    with pytest.raises(ProviderFailed):
        asyncio.run(_through(_right() | {TOKEN: encoded(tokens)}))


# -- what the tests share


async def _refused(made: Providers, issuer: str) -> str:
    """Return the code with which this issuer is refused before a browser is sent there."""
    with pytest.raises(ProviderFailed) as caught:
        async with asyncio.timeout(LONGEST):
            await made.address(opened(oidc(issuer)))
    return caught.value.code
