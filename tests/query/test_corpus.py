"""The entry for conformance corpora: the stores answer alike, refusals are told, dates are stored texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.query.corpus import ADDRESS, history

if TYPE_CHECKING:
    from tests.postgres import Server

STORES = ["memory", "sqlite", "postgres"]
DOCUMENTS = [
    {"_id": "a", "Errors": 2, "At": {"$date": "2026-11-20T09:15:30+01:00"}},
    {"_id": "b", "Errors": 0, "Tags": ["x", {"y": 1}]},
    {"_id": "c", "Errors": 2.5, "At": "2027-01-01T00:00:00.000Z"},
]


@pytest.fixture(autouse=True)
def address(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS, postgres_server.url)


def asked(store: str, query: Any, **others: Any) -> Any:
    return history(store, {"docs": DOCUMENTS, "query": query, **others})


@pytest.mark.parametrize("store", STORES)
def test_a_case_gives_the_ids_that_match_in_order(store: str) -> None:
    assert asked(store, {"Errors": {"$gt": 1}}) == ["a", "c"]
    assert asked(store, {}, sort={"Errors": -1}) == ["c", "a", "b"]
    assert asked(store, {"Tags": {"y": 1}}) == ["b"]


@pytest.mark.parametrize("store", STORES)
def test_skip_and_limit_take_a_stretch(store: str) -> None:
    assert asked(store, {}, skip=1) == ["b", "c"]
    assert asked(store, {}, skip=1, limit=1) == ["b"]
    assert asked(store, {"Tags": [7]}, skip=1, limit=1) == []
    assert asked(store, {}, sort={"_id": -1}, limit=2) == ["c", "b"]


@pytest.mark.parametrize("store", STORES)
def test_dates_of_documents_are_the_stored_text(store: str) -> None:
    assert asked(store, {"At": "2026-11-20T08:15:30.000Z"}) == ["a"]
    assert asked(store, {"At": {"$gt": {"$date": "2026-12-01"}}}) == ["c"]


@pytest.mark.parametrize("store", STORES)
def test_ids_may_be_numbers(store: str) -> None:
    assert history(store, {"docs": [{"_id": 10}, {"_id": 9}], "query": {"_id": {"$gt": 1}}}) == [9, 10]


@pytest.mark.parametrize("store", STORES)
def test_a_refusal_is_told_by_its_code(store: str) -> None:
    assert asked(store, {"$where": "1"}) == {"error": "operator-not-allowed"}
    assert asked(store, {}, sort={"Errors": 2}) == {"error": "bad-sort"}
    parallel = [{"_id": "a", "x": [1], "y": [2]}]
    assert history(store, {"docs": parallel, "query": {}, "sort": {"x": 1, "y": 1}}) == {"error": "parallel-arrays"}
