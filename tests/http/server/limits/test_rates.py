"""Who asks too much, over the whole HTTP face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, serving

from dialoom.errors import RequestError
from dialoom.http.server.limits.rates import Rates, verified
from dialoom.http.server.request_context import RequestContext, RequestPolicy, Shutdown
from dialoom.service.observe.metrics import Metrics
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Answer, Client

REST = "/v1/bots/tea/channels/rest/rest/test"
LIVE = {"Authorization": "Bearer rest-token-of-tea"}


def _refused(answer: Answer) -> bool:
    if answer.status != 429:
        return False
    assert answer.json["code"] == "too-many-requests"
    assert int(answer.headers["retry-after"]) >= 1
    return True


async def _post(client: Client, number: int, *, token: str = "rest-token-of-tea", **named: Any) -> Answer:
    body = {"sender": {"id": f"user-{number}"}, "message": {"text": "help"}}
    return await client.call("POST", REST, body, {"Authorization": f"Bearer {token}"}, **named)


async def test_one_token_is_held_to_its_rate(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="3/h") as client:
        statuses = [(await _post(client, number)).status for number in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert _refused(await _post(client, 9))
        assert (await client.history("conversations")).status == 200  # another token


async def test_a_history_token_is_held_to_the_same_rate(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="2/h") as client:
        assert [(await client.history("messages")).status for _ in range(3)] == [200, 200, 429]


async def test_one_chat_user_is_held_to_its_rate_and_the_others_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_user="2/h") as client:
        assert [(await client.say("help")).status for _ in range(2)] == [200, 200]
        refused = await client.say("help")
        assert _refused(refused)
        assert "this user" in refused.json["detail"]
        assert (await client.say("help", sender="bob")).status == 200


async def test_what_a_user_of_the_chat_page_sends_counts_as_well(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_user="1/h") as client:
        opened = (await client.open()).json
        headers = {"Authorization": f"Bearer {opened['token']}", "Origin": BASE}
        said = [
            await client.call(
                "POST", "/v1/bots/tea/channels/web/web/messages", {"id": str(number), "text": "help"}, headers
            )
            for number in range(2)
        ]
        assert said[0].status == 202
        assert _refused(said[1])
        upload = await client.call("POST", "/v1/bots/tea/channels/web/web/files", b"abc", headers, {"name": "a.txt"})
        assert _refused(upload)


async def test_a_back_end_with_a_live_token_never_meets_the_rate_of_its_address(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h") as client:
        assert [(await _post(client, number)).status for number in range(10)] == [200] * 10


async def test_requests_without_a_token_count_for_their_address(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h") as client:
        page = "/chat/tea/web"
        statuses = [(await client.call("GET", page, peer="203.0.113.5")).status for _ in range(3)]
        assert statuses[2] == 429
        assert statuses[0] != 429
        assert (await client.call("GET", page, peer="203.0.113.6")).status != 429


async def test_a_page_of_another_origin_may_read_why_it_was_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h") as client:
        answers = [
            await client.call(
                "POST",
                "/v1/bots/tea/channels/web/web/sessions",
                {},
                {"Origin": "https://shop.example", "Authorization": "Bearer web-token-of-tea"},
            )
            for _ in range(2)
        ]
        assert _refused(answers[1])
        assert answers[1].headers["access-control-allow-origin"] == "https://shop.example"


async def test_tokens_that_are_refused_count_for_the_address_that_tries_them(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="3/h") as client:
        tries = [(await _post(client, 1, token=f"guess-{number}")).status for number in range(5)]
        assert tries == [401, 401, 401, 429, 429]
        other = await _post(client, 1, token="guess", peer="203.0.113.6")
        assert other.status == 401


async def test_a_token_that_is_known_to_be_live_works_beside_one_who_guesses(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h") as client:
        assert (await _post(client, 1)).status == 200
        for number in range(5):
            await _post(client, 1, token=f"guess-{number}")
        assert (await _post(client, 2)).status == 200
        tea = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
        assert (await client.call("GET", "/v1/bots/tea/messages", None, tea)).status == 429


async def test_a_refusal_before_the_token_was_looked_at_makes_no_token_known(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h") as client:
        nowhere = {"Authorization": "Bearer guess"}
        statuses = [(await client.call("GET", "/v1/nothing", None, nowhere)).status for _ in range(4)]
        assert statuses == [404, 404, 429, 429]


async def test_several_live_tokens_work_beside_one_who_guesses_much(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h", rate_token="1000/s") as client:
        assert (await _post(client, 1)).status == (await client.history("messages")).status == 200
        for number in range(200):
            await _post(client, 1, token=f"guess-{number}")
            if number % 20 == 0:
                assert (await _post(client, number)).status == (await client.history("messages")).status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [("OPTIONS", "/v1/bots/tea/messages"), ("GET", "/v1/nothing"), ("GET", REST)],
)
async def test_a_request_for_which_no_token_was_checked_makes_none_known(
    tmp_path: Path, method: str, path: str
) -> None:
    async with serving(tmp_path, rate_address="3/h") as client:
        guess = {"Authorization": "Bearer guess"}
        first = [(await client.call(method, path, None, guess)).status for _ in range(3)]
        assert 429 not in first
        tries = [(await _post(client, 1, token="guess")).status for _ in range(3)]
        assert tries == [429] * 3


async def test_the_token_of_a_chat_page_is_no_live_token_of_the_rest_channel(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="2/h") as client:
        public, path = {"Authorization": "Bearer web-token-of-tea"}, "/v1/bots/tea/channels/web/rest/test"
        body = {"sender": {"id": "ada"}, "message": {"text": "help"}}
        assert [(await client.call("POST", path, body, public)).status for _ in range(4)] == [404, 404, 429, 429]


async def test_a_token_has_one_rate_however_it_is_written(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="2/h", rate_address="off") as client:
        body = {"sender": {"id": "ada"}, "message": {"text": "help"}}
        ways = ("Bearer ", "bearer  ", "BEARER ", "BeArEr    ")
        headers = [{"Authorization": f"{way}rest-token-of-tea"} for way in ways]
        assert [(await client.call("POST", REST, body, header)).status for header in headers] == [200, 200, 429, 429]


async def test_a_user_token_that_is_refused_does_not_make_the_back_end_unknown(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h") as client:
        assert (await _post(client, 1)).status == 200
        assert (await _post(client, 1, token="guess")).status == 401
        body = {"sender": {"id": "ada", "token": "no.user.token"}, "message": {"text": "help"}}
        assert (await client.call("POST", REST, body, LIVE)).status == 401
        assert (await _post(client, 1)).status == 200


async def test_a_token_that_was_revoked_is_no_longer_known(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h") as client:
        made = await client.service.tokens.create("tea")
        server = {"Authorization": f"Bot-Server-Access-Token {made.text}"}

        async def status() -> int:
            return (await client.call("GET", "/v1/bots/tea/messages", None, server)).status

        assert await status() == 200
        await client.service.tokens.revoke("tea", made.row.id)
        assert [await status() for _ in range(4)] == [401, 401, 429, 429]


ADDRESS = ("203.0.113.5", 4711)


def _use(rates: Rates, token: str, *, is_live: bool, client: tuple[str, int] = ADDRESS) -> bool:
    """One request; gives whether it was let in."""
    scope: dict[str, Any] = {"client": client, "headers": []}
    try:
        is_known = rates.token(scope, token)
    except RequestError:
        return False
    if is_live:
        verified(scope)
    rates.settle(scope, token, 200 if is_live else 401, is_known=is_known)
    return True


def test_no_number_of_guesses_puts_a_live_token_out_of_a_full_table() -> None:
    rates = Rates(Settings(rate_address="2/h"), Metrics(), most=8)
    live = [f"live-{number}" for number in range(8)]
    assert all(_use(rates, token, is_live=True) for token in live)
    for number in range(5000):
        _use(rates, f"guess-{number}", is_live=False)
        _use(rates, f"guess-{number}", is_live=False, client=(f"198.51.{number // 250}.{number % 250}", 1))
    assert not _use(rates, "guess", is_live=False)
    assert all(_use(rates, token, is_live=True) for token in live)


def test_a_token_in_two_headers_is_refused_and_counts_for_its_address() -> None:
    metrics = Metrics()
    desk = RequestPolicy(Shutdown(), Rates(Settings(rate_address="2/h"), metrics), metrics, logs_requests=False)
    scope: dict[str, Any] = {
        "client": ADDRESS,
        "headers": [(b"authorization", b"Bearer a"), (b"authorization", b"Bearer b")],
    }

    async def nothing(*_: Any) -> Any:
        return None

    codes = []
    for _ in range(4):
        with pytest.raises(RequestError) as refused:
            RequestContext(scope, nothing, nothing, desk).check_token()
        codes.append(refused.value.code)
    assert codes == ["bad-request", "bad-request", "too-many-requests", "too-many-requests"]


async def test_only_a_trusted_proxy_says_from_where_a_request_comes(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h", trusted_proxies="10.0.0.0/8") as client:

        async def status(peer: str, forwarded: str) -> int:
            headers = {"X-Forwarded-For": forwarded}
            return (await client.call("GET", "/v1/account-linking/start", None, headers, peer=peer)).status

        assert await status("10.0.0.1", "198.51.100.1") == 404
        assert await status("10.0.0.1", "198.51.100.1") == 429
        assert await status("10.0.0.1", "198.51.100.2") == 404
        assert await status("203.0.113.5", "198.51.100.3") == 404
        assert await status("203.0.113.5", "198.51.100.4") == 429


async def test_health_and_the_files_of_pages_are_held_to_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h") as client:
        for path in ("/healthz", "/readyz", "/static/none.js"):
            assert {(await client.call("GET", path)).status for _ in range(5)} <= {200, 404}


async def test_off_means_no_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="off", rate_user="off", rate_address="off") as client:
        assert {(await client.say("help")).status for _ in range(300)} == {200}
        assert {(await _post(client, 1, token="guess")).status for _ in range(50)} == {401}


async def test_refusals_are_counted_by_their_kind(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_user="1/h", rate_address="1/h") as client:
        for _ in range(3):
            await client.say("help")
        text = (await client.call("GET", "/metrics")).body.decode()
        assert 'dialoom_rate_refusals_total{kind="user"} 2.0' in text
        assert (await client.call("GET", "/metrics")).status == 429
