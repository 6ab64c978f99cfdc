"""The bots of the crash harness, with every text of theirs: what a user must have seen can be said word by word.

``ledger`` takes orders: two questions, a call without and one with an ``Idempotency-Key``, a sum kept over all orders.
``brief`` forgets a user who says nothing for a moment: its timers are due around the kills. ``desk`` hands over to a
person, so that something is delivered; ``queue`` to the people of the studio, for a refund as long as it takes, for a
parcel for a moment.
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

LEDGER, BRIEF, DESK, QUEUE = "ledger", "brief", "desk", "queue"
SESSION_SECONDS = 1.5
"""Of ``brief``."""
ORDER = "order"
PERSON = "a person"
GREETING = "Hello! What would you like to do?"
"""Of the service, to whoever opens the chat of a bot that has no words of its own for it."""
WHICH = "Which item?"
MOMENT = "One moment."
SILENT_SECONDS = 0.06
REFUND = "I want my money back"
PARCEL = "where is my parcel"
PEOPLE = "people"
BACK = "All well?"
HAPPY = "yes, thank you"
THANKS = "See you."
AGAIN = "Here again."
REFUND_SECONDS, PARCEL_SECONDS = 600.0, 2.4
"""For how long ``queue`` is silent."""
RUN = secrets.token_hex(8)


def token(bot: str, kind: str) -> str:
    """``kind``: rest, web or history. Of this run alone: two runs on one machine never take each other's messages."""
    return f"{kind}-token-of-{bot}-in-{RUN}"


def how_many(item: str) -> str:
    return f"How many of {item}?"


def booked(item: str, amount: int, price: int, number: str, total: int) -> str:
    return f"{amount} of {item} at {price} under {number}: {total} in all."


def price_of(item: str) -> int:
    return 10 + sum(item.encode()) % 90


def write(folder: Path, outside: str) -> list[Path]:
    """The folders of all bots, calling ``outside``."""
    return [
        _write(folder / LEDGER, LEDGER, _ledger(outside)),
        _write(folder / BRIEF, BRIEF, _brief()),
        _write(folder / DESK, DESK, _desk(), {"live-agents": {"people": f"{outside}/posts"}}),
        _write(folder / QUEUE, QUEUE, _queue()),
    ]


def _write(folder: Path, id: str, flow: dict[str, Any], more: dict[str, Any] | None = None) -> Path:
    folder.mkdir(parents=True)
    channels = [
        {"id": "web", "type": "web", "token": token(id, "web")},
        {"id": "rest", "type": "rest", "token": token(id, "rest")},
    ]
    bot = {"id": id, "name": id, "access-token": token(id, "history"), "channels": channels, **(more or {})}
    expressions = {
        "order": [ORDER, "I want to order", "order something"],
        "person": [PERSON, "talk to a person", "let me speak with somebody"],
        "refund": [REFUND, "a refund", "refund my order"],
        "parcel": [PARCEL, "my parcel is late", "track a parcel"],
    }
    data = [{"value": key, "expressions": expressions[key]} for key in flow["conversations"] if key in expressions]
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]}
    for name, content in (("bot", bot), ("flow", flow), ("training", training)):
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return folder


def _ledger(outside: str) -> dict[str, Any]:
    return {
        "settings": {"persist-entities": ["total"]},
        "conversations": {
            "order": {
                "type": "goal",
                "steps": [
                    _question("item", "Text", WHICH),
                    _question("amount", "Number", how_many("{{item}}")),
                    {
                        "type": "webhook",
                        "entity": "price",
                        "data-source": {"endpoint": f"{outside}/price?item={{{{$encodeURI item}}}}", "method": "GET"},
                    },
                    {
                        "type": "webhook",
                        "entity": "booking",
                        "data-source": {
                            "endpoint": f"{outside}/orders",
                            "method": "POST",
                            "timeout": 20,
                            "payload": {"item": "{{item}}", "amount": "{{amount}}", "price": "{{price.cents}}"},
                        },
                    },
                    _total(0, "{{$not total}}"),
                    _total("{{$add total amount}}"),
                    {
                        "type": "message",
                        "messages": [
                            "{{amount}} of {{item}} at {{price.cents}} under {{booking.number}}: {{total}} in all."
                        ],
                    },
                ],
            },
        },
    }


def _total(value: Any, *conditions: str) -> dict[str, Any]:
    return {"type": "command", "command": "set-entity", "entity": "total", "data": value, "conditions": conditions}


def _brief() -> dict[str, Any]:
    return {
        "settings": {"session-timeout": SESSION_SECONDS / 60},
        "conversations": {
            "order": {"type": "goal", "steps": [_question("item", "Text", WHICH)]},
        },
    }


def _desk() -> dict[str, Any]:
    silent = {"type": "command", "command": f"stay-silent {SILENT_SECONDS / 60}", "live-agent": "people"}
    steps = [{"type": "message", "messages": [MOMENT]}, silent]
    return {"settings": {}, "conversations": {"person": {"type": "support", "steps": steps}}}


def _queue() -> dict[str, Any]:
    def waits(seconds: float) -> dict[str, Any]:
        silent = {"type": "command", "command": f"stay-silent {seconds / 60}", "live-agent": PEOPLE}
        steps = [_message(MOMENT), silent, _question("happy", "Text", BACK), _message(THANKS)]
        return {"type": "goal", "steps": steps}

    again = {"type": "support", "steps": [_message(AGAIN)]}
    return {"conversations": {"refund": waits(REFUND_SECONDS), "parcel": waits(PARCEL_SECONDS), "restart": again}}


def _message(text: str) -> dict[str, Any]:
    return {"type": "message", "messages": [text]}


def _question(entity: str, type: str, text: str) -> dict[str, Any]:
    return {"type": "question", "entity": entity, "entity-type": type, "is-explicit": True, "messages": [text]}
