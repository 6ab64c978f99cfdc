"""Which form of an answer a client gets for what it says it accepts."""

from __future__ import annotations

import pytest

from dialoom.errors import RequestError
from dialoom.http.server.accept import JSON, NDJSON, accepted


def _chosen(*lines: str) -> str:
    return accepted([(b"accept", line.encode()) for line in lines], (JSON, NDJSON))


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("application/json", JSON),
        ("application/x-ndjson", NDJSON),
        ("APPLICATION/X-NDJSON", NDJSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("", JSON),
        (" , ", JSON),
        ("application/json, text/plain, */*", JSON),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", JSON),
        ("application/json;q=0.5, application/x-ndjson", NDJSON),
        ("application/json;q=0.5, application/x-ndjson;q=0.4", JSON),
        ("application/x-ndjson;q=0.001, application/json;q=0", NDJSON),
        ("*/*, application/json;q=0", NDJSON),
        ("application/*;q=0.2, application/x-ndjson;q=0.3", NDJSON),
        ("application/x-ndjson, */*", NDJSON),
        ("application/x-ndjson, application/json", NDJSON),
        ("application/json, application/x-ndjson", JSON),
        ("application/json; charset=utf-8; q=1.000", JSON),
        ('text/html; title="a, application/x-ndjson;q=1", application/json;q=0.1', JSON),
        ("application/x-ndjson ; Q=0.9 , application/json;q=0.8", NDJSON),
        ("application/json;q=2, application/x-ndjson;q=0.1", NDJSON),
        ("*/json, nonsense, application/x-ndjson;q=0.1", NDJSON),
    ],
)
def test_the_form_that_the_client_likes_best_is_chosen(header: str, form: str) -> None:
    assert _chosen(header) == form


def test_several_headers_count_as_one() -> None:
    assert _chosen("text/html", "application/x-ndjson") == NDJSON
    assert accepted([], (JSON, NDJSON)) == JSON


@pytest.mark.parametrize(
    "header",
    ["text/html", "application/json;q=0", "*/*;q=0", "application/jsonl", "text/*", "application/json;q=x", "json"],
)
def test_who_takes_nothing_of_what_is_offered_is_told_what_is(header: str) -> None:
    with pytest.raises(RequestError) as refused:
        _chosen(header)
    assert refused.value.code == "not-acceptable"
    assert JSON in refused.value.detail
    assert NDJSON in refused.value.detail
