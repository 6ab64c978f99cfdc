"""The table of endpoints: each row has its handler, and paths lead to their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http.support import serving

from dialoom.errors import RequestError
from dialoom.http.endpoints import ENDPOINTS
from dialoom.http.routing import Router

if TYPE_CHECKING:
    from pathlib import Path


def _path(*parts: str) -> str | None:
    found = Router(ENDPOINTS).find(("", *parts))
    return None if found is None else found[0].path


async def test_every_row_has_a_handler_and_every_handler_a_row(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert set(client.app.handlers) == {row.id for row in ENDPOINTS}


def test_rows_of_one_path_share_their_rate_and_no_method_stands_twice() -> None:
    for route in Router(ENDPOINTS).routes.values():
        rows = [row for row in ENDPOINTS if row.path == route.path]
        assert {row.rate for row in rows} == {route.rate}
        methods = [method for row in rows for method in (row.method, *row.also)]
        assert len(methods) == len(set(methods)), route.path


def test_a_fixed_part_counts_before_a_free_one() -> None:
    assert _path("v1", "bots", "tea", "conversations", "_count") == "/v1/bots/{bot_id}/conversations/_count"
    assert _path("v1", "bots", "tea", "conversations", "x") == "/v1/bots/{bot_id}/conversations/{conversation_id}"


def test_a_part_may_hold_a_slash_and_is_never_empty() -> None:
    found = Router(ENDPOINTS).find(("", "v1", "bots", "tea", "users", "a/b"))
    assert found is not None
    assert found[1] == ("tea", "a/b")
    assert _path("v1", "bots", "", "conversations") is None
    assert _path("v1", "bots", "tea", "users", "") is None


def test_one_slash_may_stand_behind_what_programs_call_and_behind_no_page() -> None:
    assert _path("v1", "bots", "tea", "conversations", "") == "/v1/bots/{bot_id}/conversations"
    assert _path("v1", "bots", "tea", "conversations", "", "") is None
    assert _path("chat", "tea", "web", "") is None


def test_what_takes_the_rest_of_a_path_takes_all_of_it() -> None:
    found = Router(ENDPOINTS).find(("", "static", "assets", "a.js"))
    assert found is not None
    assert found[1] == ("assets/a.js",)


def test_a_method_that_is_not_allowed_is_refused_with_those_that_are() -> None:
    found = Router(ENDPOINTS).find(("", "v1", "account-linking", "start"))
    assert found is not None
    with pytest.raises(RequestError) as refused:
        found[0].row("BREW")
    assert (refused.value.code, refused.value.headers["Allow"]) == ("method", "GET, HEAD, POST")
