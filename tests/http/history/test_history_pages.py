"""Pages of the history API: walked by their links, with totals, with a part of the properties, as lines."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.http.support import BASE, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

NEXT = re.compile(r'<([^>]+)>; rel="next"')
HEADERS = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
USERS = ("ada", "Bob", "cy", "dee", "eve")


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """With five conversations of two kinds, begun a second apart."""
    async with serving(tmp_path) as client:
        for number, sender in enumerate(USERS):
            for text in ("tea", "green", "pass")[: 1 + number % 2]:
                assert (await client.say(text, sender=sender)).status == 200
            client.clock.move(1)
        yield client


def _next(answer: Answer) -> str | None:
    link = answer.headers.get("link")
    if link is None:
        return None
    found = NEXT.fullmatch(link)
    assert found is not None, link
    return found[1]


async def _follow(client: Client, address: str) -> Answer:
    """As a client does that knows nothing but the link."""
    parts = urlsplit(address)
    assert f"{parts.scheme}://{parts.netloc}" == BASE
    return await client.call("GET", parts.path, None, HEADERS, parts.query)


async def _walk(client: Client, **query: Any) -> list[list[str]]:
    answer = await client.history("conversations", **query)
    pages = [[record["User"] for record in answer.json]]
    while (address := _next(answer)) is not None:
        answer = await _follow(client, address)
        assert answer.status == 200, answer.body
        pages.append([record["User"] for record in answer.json])
        assert len(pages) < 10
    return pages


async def test_links_lead_through_all_pages_to_an_end(client: Client) -> None:
    assert await _walk(client, limit=2) == [["ada", "Bob"], ["cy", "dee"], ["eve"]]
    assert await _walk(client, limit=5) == [[*USERS]]
    assert await _walk(client, limit=1) == [[user] for user in USERS]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ({"StartedAt": -1}, ["eve", "dee", "cy", "Bob", "ada"]),
        ({"Messages.user": -1, "User": 1}, ["Bob", "dee", "ada", "cy", "eve"]),
        ("User", ["Bob", "ada", "cy", "dee", "eve"]),
        ({"Data.entities.kind.value": 1, "User": -1}, ["eve", "cy", "ada", "dee", "Bob"]),
    ],
)
async def test_links_keep_the_sort_and_the_query(client: Client, sort: Any, order: list[str]) -> None:
    pages = await _walk(client, limit=2, sort=sort, query={"User": {"$ne": "nobody"}})
    assert [user for page in pages for user in page] == order
    assert [len(page) for page in pages] == [2, 2, 1]


async def test_a_link_repeats_everything_but_the_place(client: Client) -> None:
    query = '{"User": {"$ne": "a&b=c d"}}'
    answer = await client.history("conversations", limit=1, skip=1, fields="User", query=query, total="true")
    address = _next(answer)
    assert address is not None
    parts = urlsplit(address)
    assert parts.path == "/v1/bots/tea/conversations"
    given = parse_qs(parts.query, strict_parsing=True)
    assert given.pop("after")
    assert given == {"limit": ["1"], "fields": ["User"], "query": [query], "total": ["true"]}
    assert (await _follow(client, address)).json[0]["User"] == "cy"


async def test_a_page_begun_with_skip_goes_on_by_its_link(client: Client) -> None:
    assert await _walk(client, limit=2, skip=2) == [["cy", "dee"], ["eve"]]
    assert await _walk(client, limit=2, skip=5) == [[]]


async def test_a_walk_gives_nothing_twice_and_misses_nothing_while_others_write(client: Client) -> None:
    answer = await client.history("conversations", limit=2)
    seen = [record["User"] for record in answer.json]
    for sender in ("new", "newer"):
        client.clock.move(1)
        await client.say("tea", sender=sender)
    await client.say("green", sender="ada")
    while (address := _next(answer)) is not None:
        answer = await _follow(client, address)
        seen += [record["User"] for record in answer.json]
    assert seen == [*USERS, "new", "newer"]


async def test_a_cursor_of_another_sort_or_query_is_refused(client: Client) -> None:
    answer = await client.history("conversations", limit=1, sort="User")
    address = _next(answer)
    assert address is not None
    (after,) = parse_qs(urlsplit(address).query)["after"]
    for other in ({}, {"sort": "Status"}, {"sort": {"User": -1}}, {"sort": "User", "query": "{}"}):
        refused = await client.history("conversations", after=after, **other)
        assert (refused.status, refused.json["code"]) == (400, "bad-cursor")
    assert (await client.history("conversations", sort="User", after=after)).status == 200


async def test_where_no_cursor_can_name_the_place_the_link_counts(client: Client) -> None:
    for sender in ("wide", "wider"):
        assert (await client.say("tea", sender=sender, context={"note": "n" * 9000})).status == 200
    pages = await _walk(client, limit=1, sort={"Data.context.note": -1, "User": 1}, query={"User": {"$gte": "w"}})
    assert pages == [["wide"], ["wider"]]


async def test_the_total_counts_all_that_match_whatever_the_page(client: Client) -> None:
    for query, total in (({}, "5"), ({"Messages.user": 1}, "3"), ({"User": "x"}, "0")):
        for more in ({"limit": 1}, {"limit": 0}, {"skip": 4}):
            answer = await client.history("conversations", query=query, total="true", **more)
            assert answer.headers["x-total-count"] == total
    assert "x-total-count" not in (await client.history("conversations", total="false")).headers


async def test_no_records_are_asked_for_with_a_limit_of_nothing(client: Client) -> None:
    answer = await client.history("conversations", limit=0)
    assert (answer.json, answer.headers.get("link")) == ([], None)
    assert (await client.history("conversations", limit=0, query='{"$where":1}')).status == 400
    assert (await client.history("conversations", limit="000", skip="0007")).json == []


async def test_fields_leave_of_each_record_what_they_name(client: Client) -> None:
    records = (await client.history("conversations", fields="User,Messages.bot,Data.user.FirstName,Nothing")).json
    assert [list(record) for record in records] == [["_id", "User", "Messages", "Data"]] * 5
    assert records[0]["Messages"] == {"bot": 2}
    assert records[0]["Data"] == {"user": {"FirstName": "Ada"}}
    by_id = (await client.history("conversations", fields="_id")).json
    assert [list(record) for record in by_id] == [["_id"]] * 5


async def test_a_page_may_come_as_lines(client: Client) -> None:
    headers = HEADERS | {"Accept": "application/x-ndjson"}
    answer = await client.call("GET", "/v1/bots/tea/conversations", None, headers, {"limit": "2", "fields": "User"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.body.endswith(b"\n")
    assert [json.loads(line)["User"] for line in answer.body.splitlines()] == ["ada", "Bob"]
    address = _next(answer)
    assert address is not None
    assert [record["User"] for record in (await _follow(client, address)).json] == ["cy", "dee"]
    in_any_order = {"limit": "3", "sort": "Data.entities.kind.value"}
    answer = await client.call("GET", "/v1/bots/tea/conversations", None, headers, in_any_order)
    assert (answer.status, len(answer.body.splitlines())) == (200, 3)
    none = await client.call("GET", "/v1/bots/tea/conversations", None, headers, {"limit": "0"})
    assert (none.status, none.body) == (200, b"")
