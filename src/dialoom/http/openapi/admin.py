"""What the description says of the endpoints for operators: dead letters, lists, health, metrics, and of the pages."""

from __future__ import annotations

from typing import Any

from dialoom.http.openapi.forms import Answer, Form, asked, content, of, operation, place, text
from dialoom.http.openapi.history import BOT, ERASE, READ
from dialoom.http.openapi.problems import EVERYWHERE
from dialoom.http.openapi.records import SCHEMAS
from dialoom.service.outbox.outbox import MAX_LISTED

_REFUSED = ("unknown-parameter", "bad-parameter", "bad-request", "unauthorized", "other-bot", "scope")
_LETTER = place("letter_id", "The dead letter's `id`.", "01a1fe42-c594-7001-8c1d-58ca063f304c")


def _example(name: str) -> Form:
    return {key: one["examples"][0] for key, one in SCHEMAS[name]["properties"].items()}


def paths() -> Form:
    letters, type = "/v1/bots/{bot_id}/dead-letters", place("name", "The entity type's name.", "City")
    return {
        "/v1/bots/{bot_id}/entity-types/{name}/_refresh": {"parameters": [BOT, type], "post": _refresh()},
        letters: {"parameters": [BOT], "get": _letters()},
        f"{letters}/{{letter_id}}/resend": {"parameters": [BOT, _LETTER], "post": _resend()},
        f"{letters}/{{letter_id}}": {"parameters": [BOT, _LETTER], "delete": _drop()},
        "/healthz": {"get": _health("health", "The process answers", "For whoever restarts what hangs.", ())},
        "/readyz": {
            "get": _health(
                "ready",
                "The service takes events",
                "For load balancers: 503 while the store is away, cannot be read or written, or the service stops. A "
                "doubted clock and a damaged page of the database stand in the body of a 200.",
                ("store-away", "store-cannot-read", "store-cannot-write", "stopping"),
                "Readiness",
            )
        },
        "/metrics": {"get": _metrics()},
        "/openapi.json": {
            "get": _page("description", "This description", "As OpenAPI 3.1.", {"type": "object"}, "application/json")
        },
        "/docs": {"get": _page("reference", "This description as a page", "Made from `/openapi.json`.", text("HTML."))},
        "/chat/{bot_id}/{channel_id}": {
            "parameters": [BOT, place("channel_id", "The id of a web or mobile channel.", "web")],
            "get": _page(
                "chatPage", "The hosted chat page", "For a browser.", text("HTML."), codes=("not-found", "not-built")
            ),
        },
    }


def _refresh() -> Form:
    return operation(
        "refreshEntityType",
        "Upkeep",
        "Read a dynamic list now",
        "Reads the list of an entity type with `dynamic-data` and takes it. When that fails, the last good list stays.",
        Answer("200", "What came of it.", content(of("Refreshed"), {"cities": ("A new list", _example("Refreshed"))})),
        (*_REFUSED, "not-found", "not-acceptable", "list-not-read", *EVERYWHERE),
        security=[READ],
    )


def _letters() -> Form:
    limit = asked(
        "limit",
        "At most so many.",
        {"type": "integer", "minimum": 1, "maximum": MAX_LISTED, "default": 100},
        {"ten": ("The ten oldest", 10)},
    )
    examples: dict[str, tuple[str, Any]] = {"one": ("One letter", [_example("DeadLetter")])}
    return operation(
        "listDeadLetters",
        "Upkeep",
        "List dead letters",
        "Deliveries to the outside that were given up, the oldest first; what they say is not shown.",
        Answer("200", "The letters.", content(of("DeadLetters"), examples)),
        (*_REFUSED, "not-acceptable", *EVERYWHERE),
        security=[READ],
        parameters=[limit],
    )


def _resend() -> Form:
    return operation(
        "resendDeadLetter",
        "Upkeep",
        "Resend a dead letter",
        "Puts it back among what is to be delivered, with all attempts and the same id and `Idempotency-Key`.",
        Answer("204", "It waits for its delivery."),
        (*_REFUSED, "not-found", "not-acceptable", *EVERYWHERE),
        security=[ERASE],
    )


def _drop() -> Form:
    return operation(
        "dropDeadLetter",
        "Upkeep",
        "Drop a dead letter",
        "Deletes it: it will never be delivered.",
        Answer("204", "It is gone."),
        (*_REFUSED, "not-found", "not-acceptable", *EVERYWHERE),
        security=[ERASE],
    )


def _health(id: str, summary: str, description: str, codes: tuple[str, ...], schema: str = "Health") -> Form:
    return operation(
        id,
        "Upkeep",
        summary,
        description,
        Answer("200", "It does.", content(of(schema), {"ok": ("It does", {"status": "ok"})})),
        codes,
    )


def _metrics() -> Form:
    return operation(
        "metrics",
        "Upkeep",
        "What Prometheus reads",
        "With the operator's token; from this machine without one, where nobody else can ask.",
        Answer("200", "The metrics.", content(text("Prometheus' text format."), None, "text/plain")),
        ("unauthorized", "metrics-closed", "too-many-requests", "internal"),
        security=[{"metrics": []}, {}],
    )


def _page(
    id: str, summary: str, description: str, shape: Form, media: str = "text/html", codes: tuple[str, ...] = ()
) -> Form:
    return operation(
        id,
        "Pages",
        summary,
        description,
        Answer("200", "It.", content(shape, None, media)),
        (*codes, "too-many-requests", "internal"),
    )
