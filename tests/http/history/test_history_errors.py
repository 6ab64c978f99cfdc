"""Every refusal of the history API once: status, code, headers, and a sentence that a person can act on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import msgspec
import pytest
from tests.http.raw import listening
from tests.http.support import Client, serving
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.storage.store import TooSlow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

TOKEN = "Bot-Server-Access-Token history-token-of-tea"
LIST = "/v1/bots/tea/conversations"
NESTED = '{"a":' * 11 + "1" + "}" * 11


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


class Asked(msgspec.Struct, frozen=True):
    """A request with a live token and nothing else, but for what is named."""

    path: str = LIST
    query: Any = None
    method: str = "GET"
    headers: dict[str, str] = {}
    raw_path: bytes | None = None

    async def of(self, client: Client) -> Answer:
        headers = {"Authorization": TOKEN} | self.headers
        return await client.call(self.method, self.path, None, headers, self.query, raw_path=self.raw_path)


class Refusal(msgspec.Struct, frozen=True):
    status: int
    code: str
    said: tuple[str, ...]
    """Parts of the sentence."""
    pointer: str | None = None
    headers: dict[str, str] = {}


def _check(answer: Answer, refusal: Refusal) -> None:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    problem = answer.json
    assert (answer.status, problem["status"], problem["code"]) == (refusal.status, refusal.status, refusal.code)
    assert problem["type"] == f"urn:dialoom:problem:{refusal.code}"
    assert problem["title"]
    assert [part for part in refusal.said if part not in problem["detail"]] == [], problem["detail"]
    assert problem["detail"].endswith((".", "?"))
    assert problem.get("pointer") == refusal.pointer
    assert {name: answer.headers.get(name) for name in refusal.headers} == refusal.headers


def _asks(**query: Any) -> Asked:
    return Asked(query={name: text if isinstance(text, str) else json.dumps(text) for name, text in query.items()})


def _says(code: str, *said: str, pointer: str | None = None) -> Refusal:
    return Refusal(400, code, said, pointer)


NUMBER = '"limit" is a whole number from 0 to 1000; here it is '
PARAMETERS = {
    "a parameter that does not exist": (_asks(offset="1"), _says("unknown-parameter", '"offset"', "limit, skip, sort")),
    "a parameter of lists at a count": (
        Asked(f"{LIST}/_count", {"limit": "1"}), _says("unknown-parameter", '"limit"', "Known are: query.")
    ),
    "a parameter where there is none": (
        Asked(f"{LIST}/1", {"query": "{}"}), _says("unknown-parameter", '"query"', "None is known here.")
    ),
    "a parameter given twice": (Asked(query="limit=1&limit=2"), _says("bad-parameter", '"limit" stands twice')),
    "the same twice": (Asked(query="limit=1&limit=1"), _says("bad-parameter", '"limit" stands twice')),
    "a hundred and one parameters": (Asked(query="&".join(["limit=1"] * 101)), _says("bad-parameter", "100")),
    "a limit too large": (_asks(limit="1001"), _says("bad-parameter", NUMBER + '"1001"')),
    "a limit of many digits": (_asks(limit="9" * 5000), _says("bad-parameter", NUMBER + '"999')),
    "a negative limit": (_asks(limit="-1"), _says("bad-parameter", NUMBER + '"-1"')),
    "a limit that is no number": (_asks(limit="ten"), _says("bad-parameter", NUMBER + '"ten"')),
    "a limit that is no whole number": (_asks(limit="1.5"), _says("bad-parameter", NUMBER)),
    "a limit in other digits": (_asks(limit="٣"), _says("bad-parameter", NUMBER)),
    "an empty limit": (Asked(query="limit="), _says("bad-parameter", NUMBER + "empty")),
    "a limit without a value": (Asked(query="limit"), _says("bad-parameter", NUMBER + "empty")),
    "a skip too large": (_asks(skip="1000001"), _says("bad-parameter", '"skip"', "0 to 1000000")),
    "a negative skip": (_asks(skip="-5"), _says("bad-parameter", '"skip"')),
    "skip beside after": (_asks(skip="0", after="x"), _says("bad-parameter", "skip and after", "Link")),
    "a total that is neither": (_asks(total="yes"), _says("bad-parameter", '"total" is true or false')),
    "a cursor that is none": (_asks(after="abc"), _says("bad-cursor", "no cursor of ours")),
    "fields with an empty name": (_asks(fields="User,,Status"), _says("bad-fields", "User,StartedAt")),
    "fields with an operator": (_asks(fields="$where"), _says("bad-fields", '"$where"')),
    "a sort in another API's words": (
        _asks(sort="-StartedAt"), _says("bad-sort", '"-StartedAt"', '{"StartedAt":-1}', pointer="")
    ),
    "a sort with another direction": (_asks(sort={"a": 2}), _says("bad-sort", '"a"', pointer="/a")),
    "a sort by nine properties": (
        _asks(sort={f"a{number}": 1 for number in range(9)}), _says("too-many-sort-properties", "9", "8", pointer="")
    ),
    "a parameter that is not UTF-8": (Asked(query="query=%FF"), _says("bad-text", "not UTF-8")),
}  # fmt: skip

QUERIES = {
    "not JSON": (_asks(query="{"), _says("not-json", "character 2", pointer="")),
    "no object": (_asks(query="[]"), _says("not-an-object", "an array", pointer="")),
    "empty": (Asked(query="query="), _says("not-json", "character 1", pointer="")),
    "an operator that runs code": (
        _asks(query={"$where": "1"}), _says("operator-not-allowed", "$where", pointer="/$where")
    ),
    "an operator that is none": (
        _asks(query={"Errors": {"$gtt": 1}}), _says("unknown-operator", "$gtt", '"$gt"', pointer="/Errors/$gtt")
    ),
    "an operand that is none": (_asks(query={"a": {"$size": -1}}), _says("bad-operand", pointer="/a/$size")),
    "a date that is none": (_asks(query={"a": {"$gt": {"$date": "soon"}}}), _says("bad-date", "2026-11-20T08:15:30.250Z", pointer="/a/$gt")),
    "a key twice": (_asks(query='{"a":1,"a":2}'), _says("doubled-key", '"a"', pointer="/a")),
    "NUL in a text": (_asks(query='{"a":"\\u0000"}'), _says("bad-text", "NUL", pointer="/a")),
    "half a surrogate pair": (_asks(query='{"a":["\\ud800"]}'), _says("bad-text", "surrogate", pointer="/a/0")),
    "a number without end": (_asks(query='{"a":1e999}'), _says("bad-number", "double precision", pointer="/a")),
    "too deep": (_asks(query=NESTED), _says("too-deep", "10", pointer="/a" * 10)),
    "too long": (_asks(query={"a": "b" * 16384}), _says("too-long", "16384", pointer="")),
    "too many conditions": (
        _asks(query={"$or": [{"a": 1}] * 201}), _says("too-many-clauses", "200", pointer="/$or/200/a")
    ),
    "too many values": (_asks(query={"a": {"$in": [*range(1001)]}}), _says("too-many-values", "1000", pointer="/a/$in")),
}  # fmt: skip

ADDRESSES = {
    "an address without anything": (Asked("/v1/bots/tea/nothing"), Refusal(404, "not-found", ("nothing at",))),
    "a conversation that is not there": (
        Asked(f"{LIST}/0199"), Refusal(404, "not-found", ('Bot "tea" has no conversation "0199".',))
    ),
    "a message by its id": (Asked("/v1/bots/tea/messages/0199"), Refusal(404, "not-found", ("nothing at",))),
    "a bot without a name": (Asked("/v1/bots//conversations"), Refusal(404, "not-found", ("nothing at",))),
    "an id with NUL": (
        Asked(f"{LIST}/a\0b", raw_path=f"{LIST}/a%00b".encode()), Refusal(400, "bad-text", ("NUL",), "")
    ),
    "an id with half a surrogate pair": (
        Asked(f"{LIST}/�", raw_path=f"{LIST}/%ED%A0%80".encode()), Refusal(400, "bad-text", ("not UTF-8",))
    ),
    "an id that is not UTF-8": (
        Asked(f"{LIST}/�", raw_path=f"{LIST}/%FF".encode()), Refusal(400, "bad-text", ("not UTF-8", "percent"))
    ),
    "another method": (
        Asked(method="POST"), Refusal(405, "method", ("GET, HEAD",), headers={"allow": "GET, HEAD, OPTIONS"})
    ),
    "a method of nobody's": (
        Asked(method="BREW"), Refusal(405, "method", ("GET, HEAD",), headers={"allow": "GET, HEAD, OPTIONS"})
    ),
    "reading where one can only erase": (
        Asked("/v1/bots/tea/users/ada"), Refusal(405, "method", ("DELETE",), headers={"allow": "DELETE, OPTIONS"})
    ),
    "another form": (
        Asked(headers={"Accept": "text/csv"}),
        Refusal(406, "not-acceptable", ("application/json or application/x-ndjson",)),
    ),
    "lines of a count": (
        Asked(f"{LIST}/_count", headers={"Accept": "application/x-ndjson"}),
        Refusal(406, "not-acceptable", ("comes as application/json.",)),
    ),
    "a body that is too large": (
        Asked(headers={"Content-Length": "1048577"}),
        Refusal(413, "too-large", ("1048576 bytes",), headers={"connection": "close"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", PARAMETERS.values(), ids=PARAMETERS)
async def test_a_parameter_that_is_wrong_is_named(client: Client, row: tuple[Asked, Refusal]) -> None:
    asked, refusal = row
    _check(await asked.of(client), refusal)


@pytest.mark.parametrize("row", QUERIES.values(), ids=QUERIES)
async def test_a_query_that_is_wrong_is_pointed_at(client: Client, row: tuple[Asked, Refusal]) -> None:
    asked, refusal = row
    _check(await asked.of(client), refusal)


@pytest.mark.parametrize("row", ADDRESSES.values(), ids=ADDRESSES)
async def test_what_cannot_be_asked_so_is_refused(client: Client, row: tuple[Asked, Refusal]) -> None:
    asked, refusal = row
    _check(await asked.of(client), refusal)


@pytest.mark.parametrize("sort", ["Data.context.city", "UpdatedAt", "Goal", "Bot", '{"Status":1,"StartedAt":1}'])
async def test_a_stream_in_an_order_that_no_index_has_says_by_what_it_can_be_sorted(client: Client, sort: str) -> None:
    asked = Asked(query={"sort": sort}, headers={"Accept": "application/x-ndjson"})
    _check(await asked.of(client), _says("unsortable-stream", "_id, User, Status", "StartedAt", "limit"))


async def test_a_long_query_that_is_wrong_is_refused_as_a_short_one(client: Client) -> None:
    asked = _asks(query={"a": "b" * 4000, "$where": "1"})
    _check(await asked.of(client), _says("operator-not-allowed", "$where", pointer="/$where"))


# -- who asks

NO_TOKEN = ("no valid token", "Authorization: Bot-Server-Access-Token <token>")
CHALLENGE = {"www-authenticate": "Bot-Server-Access-Token"}


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bot-Server-Access-Token",
        "Bot-Server-Access-Token ",
        "Bot-Server-Access-Token unknown",
        "Bot-Server-Access-Token \xff\xfe",
        "Bot-Server-Access-Token history-token-of-tea more",
        "history-token-of-tea",
        "Bearer history-token-of-tea",
        "Bot-Server-Access-Token rest-token-of-tea",
    ],
)
@pytest.mark.parametrize("query", [None, {"limit": "wrong"}])
async def test_without_a_live_token_nothing_else_is_looked_at(
    client: Client, authorization: str | None, query: Any
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = await client.call("GET", LIST, None, headers | {"Accept": "text/csv"}, query)
    _check(answer, Refusal(401, "unauthorized", NO_TOKEN, headers=CHALLENGE))


async def test_a_revoked_token_is_as_unknown_as_any(client: Client) -> None:
    token = await client.service.tokens.create("tea")
    asked = Asked(headers={"Authorization": f"Bot-Server-Access-Token {token.text}"})
    assert (await asked.of(client)).status == 200
    await client.service.tokens.revoke("tea", token.row.id)
    _check(await asked.of(client), Refusal(401, "unauthorized", NO_TOKEN, headers=CHALLENGE))


@pytest.mark.parametrize("bot", ["tea", "nowhere", "../other"])
async def test_a_token_of_another_bot_does_not_learn_whether_there_is_this_one(client: Client, bot: str) -> None:
    path = f"/v1/bots/{quote(bot, safe='')}/conversations"
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-other"}
    answer = await client.call("GET", path, None, headers, raw_path=path.encode())
    _check(answer, Refusal(403, "other-bot", ("another bot",)))


async def test_two_tokens_at_once_are_refused(client: Client) -> None:
    answer = await client.call("GET", LIST, None, {"Authorization": TOKEN, " authorization": TOKEN})
    assert answer.status == 200  # another name
    scope_headers = [(b"authorization", TOKEN.encode())] * 2
    answer = await _with_headers(client, scope_headers)
    _check(answer, Refusal(400, "bad-request", ("Authorization stands twice",)))


async def _with_headers(client: Client, headers: list[tuple[bytes, bytes]]) -> Answer:
    app = client.app

    async def with_others(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "headers": headers}, receive, send)

    client.app = with_others  # type: ignore[assignment]  # the same call, with headers that no dict can hold
    try:
        return await client.call("GET", LIST)
    finally:
        client.app = app


@pytest.mark.parametrize("user", ["ada", "nobody"])
async def test_a_token_that_may_only_read_does_not_erase(client: Client, user: str) -> None:
    answer = await Asked(f"/v1/bots/tea/users/{user}", method="DELETE").of(client)
    _check(answer, Refusal(403, "scope", ('"erase"',)))


async def test_a_token_that_may_only_erase_does_not_read(client: Client) -> None:
    token = await client.service.tokens.create("tea", scopes=("erase",))
    asked = Asked(headers={"Authorization": f"Bot-Server-Access-Token {token.text}"})
    _check(await asked.of(client), Refusal(403, "scope", ('"read"',)))


async def test_who_asks_too_often_is_told_when_to_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="1/h") as client:
        assert (await Asked().of(client)).status == 200
        answer = await Asked().of(client)
        _check(answer, Refusal(429, "too-many-requests", ("with this token", "Send the next in")))
        assert 1 <= int(answer.headers["retry-after"]) <= 3600


@pytest.mark.parametrize("path", ["//v1/bots/tea/dead-letters", "/v1//bots/tea/dead-letters", "/v1%2Fbots/tea"])
async def test_no_odd_way_to_write_an_address_goes_round_the_rates(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path) as client:
        asked = Asked(path.replace("%2F", "/"), raw_path=path.encode())
        _check(await asked.of(client), Refusal(404, "not-found", ("nothing at",)))


# -- the store


class _Failing(TemporaryStore):
    """Its queries fail with this, once there is one."""

    error: StoreError | None = None

    async def find(self, *values: Any) -> Any:
        if self.error is not None:
            raise self.error
        return await super().find(*values)

    async def count(self, *values: Any) -> Any:
        if self.error is not None:
            raise self.error
        return await super().count(*values)


SLOW = Refusal(503, "query-too-slow", ("10 s", "indexed", "after", "stream"), headers={"retry-after": "10"})
AWAY = Refusal(503, "store-away", ("store is away", "Ask again"), headers={"retry-after": "2"})


@pytest.mark.parametrize("path", [LIST, f"{LIST}/_count", "/v1/bots/tea/messages", f"{LIST}/0199"])
@pytest.mark.parametrize(
    ("error", "refusal"), [(TooSlow("/srv/data is slow"), SLOW), (StoreError("/srv/data is away"), AWAY)]
)
async def test_a_store_that_does_not_answer_in_time_is_no_fault_of_the_client(
    tmp_path: Path, path: str, error: StoreError, refusal: Refusal
) -> None:
    store = _Failing()
    async with serving(tmp_path, store=store) as client:
        store.error = error
        answer = await Asked(path).of(client)
        _check(answer, refusal)
        assert b"/srv/data" not in answer.body


# -- what is no fault


async def test_the_scheme_of_the_token_may_be_written_in_any_case(client: Client) -> None:
    asked = Asked(headers={"Authorization": "bot-server-access-token  history-token-of-tea"})
    assert (await asked.of(client)).status == 200


def lasting(headers: dict[str, str]) -> dict[str, str]:
    """What two answers to the same request have in common."""
    return {
        name: value
        for name, value in headers.items()
        if name not in ("request-id", "ratelimit-remaining", "ratelimit-reset")
    }


async def test_a_head_is_answered_as_the_get_without_its_body(client: Client) -> None:
    for path in (LIST, f"{LIST}/_count", "/v1/bots/tea/messages"):
        got, head = await Asked(path).of(client), await Asked(path, method="HEAD").of(client)
        assert (head.status, lasting(head.headers), head.body) == (200, lasting(got.headers), b"")
        assert int(head.headers["content-length"]) == len(got.body)
    refused = await Asked(f"{LIST}/0199", method="HEAD").of(client)
    assert (refused.status, refused.body) == (404, b"")


async def test_options_tells_the_methods_and_opens_nothing_to_pages_of_others(client: Client) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    answer = await client.call("OPTIONS", LIST, None, headers)
    assert (answer.status, answer.body, answer.headers["allow"]) == (204, b"", "GET, HEAD, OPTIONS")
    asked = await Asked(headers={"Origin": "https://elsewhere.example"}).of(client)
    assert asked.status == 200
    assert not [name for name in answer.headers | asked.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "nonsense", ""])
async def test_the_content_type_of_a_question_without_a_body_does_not_matter(client: Client, content_type: str) -> None:
    assert (await Asked(headers={"Content-Type": content_type}).of(client)).status == 200


async def test_ids_may_hold_whatever_an_address_can_encode(client: Client) -> None:
    for id in ("a/b", "a%2Fb", "..", "a b", "é漢", "a?b#c", "a+b", '"', "_count "):
        path = f"{LIST}/{quote(id, safe='')}"
        answer = await Asked(f"{LIST}/{id}", raw_path=path.encode()).of(client)
        _check(answer, Refusal(404, "not-found", (f'no conversation "{id}"',)))


async def test_parameters_are_utf_8_and_a_plus_is_a_space(client: Client) -> None:
    for sender in ("é", "a b"):
        await client.say("tea", sender=sender)
    for query in ('query={"User":"a+b"}', urlencode({"query": '{"User":"é"}'})):
        answer = await client.call("GET", LIST, None, {"Authorization": TOKEN}, query)
        assert [record["User"] for record in answer.json] == ["a b" if "+" in query else "é"]


# -- bytes that no client library sends


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (b"/v1/bots/tea/conversations/\xff", 400),
        (b"/v1/bots/tea/conversations?query=\xff", 400),
        (b"/v1/bots/tea/dead-letters?limit=\xff", 400),
        (b"/v1/bots/tea/nothing?query=\xff", 400),
        (b"/v1/bots/tea/nothing?query=%FF", 404),
        (b"/v1/bots/tea/dead-letters?limit=%FF", 400),
        (b"/v1/bots/tea/conversations?limit=1#fragment", 200),
        (b"http://elsewhere.example/v1/bots/tea/conversations?limit=1", 200),
        (b'/v1/bots/tea/conversations?query={"User":"%C3%A9"}', 200),
    ],
)
async def test_raw_bytes_in_an_address_are_no_fault_of_ours(client: Client, target: bytes, status: int) -> None:
    async with listening(client.app) as door:
        connection = await door.open()
        await connection.send(b"GET %b HTTP/1.1\r\nHost: a\r\nAuthorization: %b\r\n\r\n" % (target, TOKEN.encode()))
        answered, body = await connection.answer()
    assert answered == status
    assert status == 200 or msgspec.json.decode(body)["status"] == status
