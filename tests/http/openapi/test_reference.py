"""The page of the reference: made from the description, safe, and served as pages are."""

from __future__ import annotations

import base64
import copy
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, Client, serving

from dialoom.http.openapi import examples
from dialoom.http.openapi import page as docs_page
from dialoom.http.openapi.document import describe

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


class _Reading(HTMLParser):
    """Elements, ids and the targets of links; raises where elements are not closed as they were opened."""

    VOID = frozenset({"meta", "link"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.elements.add(tag)
        self.attributes |= named.keys()
        self.ids += [named["id"]] if named.get("id") else []  # type: ignore[list-item]  # looked at just before
        self.links |= {named["href"]} if named.get("href") else set()  # type: ignore[arg-type]  # the same
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


async def test_the_page_is_served_with_a_policy_that_lets_nothing_in(client: Client) -> None:
    answer = await client.call("GET", "/docs")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script" not in policy
    style = re.search(r"<style>(.*?)</style>", answer.body.decode(), re.DOTALL)
    assert style is not None
    hash = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{hash}'" in policy


async def test_it_holds_no_script_and_all_that_is_described(client: Client) -> None:
    page = (await client.call("GET", "/docs")).body.decode()
    read = _Reading(page)
    assert read.open == []
    assert "script" not in read.elements
    assert not any(name.startswith("on") or name == "style" for name in read.attributes)
    words = "".join(read.words)
    described = describe(BASE)
    for path, members in described["paths"].items():
        assert path in words
        for operation in (one for one in members.values() if isinstance(one, dict)):
            assert operation["operationId"] in read.ids
            assert operation["summary"] in words
    for name in described["components"]["schemas"]:
        assert f"schema-{name}" in read.ids


async def test_every_link_within_the_page_leads_to_one_place(client: Client) -> None:
    read = _Reading((await client.call("GET", "/docs")).body.decode())
    inside = {link[1:] for link in read.links if link.startswith("#")}
    assert len(inside) > 50
    assert inside <= set(read.ids)
    assert len(read.ids) == len(set(read.ids))
    assert {link for link in read.links if not link.startswith(("#", "data:"))} == {"openapi.json"}


def test_whatever_stands_in_a_description_is_text_on_the_page() -> None:
    bad = '<script>alert("x")</script>&"\'><img src=x onerror=y>'
    described = copy.deepcopy(describe(BASE))
    path, members = "/v1/bots/{bot_id}/conversations", described["paths"]["/v1/bots/{bot_id}/conversations"]
    operation = members["get"]
    operation |= {"summary": bad, "description": f"`{bad}` {bad}", "operationId": bad}
    operation["parameters"][0] |= {"description": bad, "name": bad}
    operation["responses"]["200"] |= {"description": bad}
    operation["responses"]["200"]["headers"]["Link"] |= {"description": bad, "example": bad}
    media = operation["responses"]["200"]["content"]["application/json"]
    media["examples"] = {"bad": {"summary": bad, "value": {bad: bad}}}
    described["paths"] = {path + bad: members}
    described["servers"][0]["url"] = bad
    schemas: dict[str, Any] = described["components"]["schemas"]
    schemas[bad] = {"type": "object", "description": bad, "properties": {bad: {"enum": [bad], "examples": [bad]}}}
    page = docs_page.page(described, "")
    read = _Reading(page)
    assert not {"script", "img"} & read.elements
    assert "onerror" not in read.attributes
    assert "".join(read.words).count(bad) > 10


async def test_it_comes_compressed_and_once(client: Client) -> None:
    for path in ("/docs", "/openapi.json"):
        plain = await client.call("GET", path)
        small = await client.call("GET", path, None, {"Accept-Encoding": "gzip"})
        assert small.headers["content-encoding"] == "gzip"
        assert gzip.decompress(small.body) == plain.body
        assert len(small.body) * 4 < len(plain.body)
        again = await client.call("GET", path, None, {"If-None-Match": plain.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        head = await client.call("HEAD", path)
        assert (head.status, head.body) == (200, b"")


async def test_it_is_read_and_not_written(client: Client) -> None:
    for path in ("/docs", "/openapi.json"):
        refused = await client.call("POST", path, {})
        assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


async def test_pages_of_other_origins_may_read_the_description_alone(client: Client) -> None:
    assert (await client.call("GET", "/openapi.json")).headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in (await client.call("GET", "/docs")).headers


def test_a_value_is_laid_out_as_the_same_json_with_short_lines() -> None:
    value = {"a": [1, "two", {"b": None}], "long": ["x" * 30, {"deep": ["y" * 30, "z" * 30]}, []], "ü": "é\n"}
    shown = examples.laid_out(value)
    assert json.loads(shown) == value
    assert shown.splitlines()[1] == '  "a": [1, "two", {"b": null}],'
    assert max(map(len, shown.splitlines())) <= examples.WIDTH + 1
    assert examples.laid_out("a\nb") == "a\nb"


def test_a_call_is_shown_as_it_is_typed() -> None:
    page = docs_page.page(describe(BASE), "")
    assert "curl -G http://127.0.0.1:8080/v1/bots/clinic/conversations" in page
    assert "--data-urlencode &#x27;query={&quot;Data.channel.ProviderName&quot;" in page
    assert "-H &quot;Authorization: Bot-Server-Access-Token $TOKEN&quot;" in page
