"""Some hundred records of conversations of the last three weeks, for the studio's Conversations and Insights."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live import Service

COUNT = 240
NAMES = (("Ada", "Lovelace"), ("Grace", "Hopper"), ("Edsger", "Dijkstra"), ("Barbara", "Liskov"), (None, None))
STATUSES = ("success",) * 6 + ("abandoned",) * 4 + ("failure", "closed", "handed-over")
STOPS = ("order/0", "order/0", "order/0", "order/1", "order/3", "claim/0", "claim/6", "track/0")
LASTING_NAME = "Friederike-Charlotte von Hohenstein-Waldeck"


def fill(service: Service, folder: Path, bot: str = "shop") -> None:
    """Import the records beside the running service, as an operator does."""
    conversations, messages = [], []
    draw, now = random.Random(7), datetime.now(UTC)
    for number in range(COUNT):
        started = now - timedelta(hours=2 + number * 2 + draw.randrange(2), minutes=draw.randrange(60))
        conversations.append(_conversation(bot, number, started, draw))
        messages += _messages(conversations[-1], started)
    for name, records in (("conversations", conversations), ("messages", messages)):
        file = folder / f"{name}.ndjson"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        service.command("history", "import", bot, str(file), *(("--messages",) if name == "messages" else ()))


def _conversation(bot: str, number: int, started: datetime, draw: random.Random) -> dict[str, Any]:
    status = draw.choice(STATUSES)
    first, last = draw.choice(NAMES) if number != 4 else (LASTING_NAME, None)
    ended = started + timedelta(minutes=3)
    step = draw.choice(STOPS) if status in ("abandoned", "failure") else "order/26"
    missed = draw.choice((0, 0, 0, 1, 3))
    return {
        "_id": f"made-{number:04}", "Bot": bot, "User": f"guest-{number:04}", "Channel": draw.choice(("web", "web", "mobile")),
        "Status": status, "StartedAt": _iso(started), "UpdatedAt": _iso(ended), "EndedAt": _iso(ended),
        "Goal": None if status == "closed" else step.partition("/")[0], "Errors": 2 if status == "failure" else 0,
        "Messages": {"user": 2, "bot": 3}, "FlowVersion": draw.choice(("5d0f3a1c9be2", "5d0f3a1c9be2", "90aa0c11d7e4")),
        "Data": {
            "channel": {"Id": "web", "ProviderName": "web", "Name": "Website"},
            "user": {"ExternalId": None, "FirstName": first, "LastName": last},
            "context": {}, "entities": {}, "step": step, **({"notUnderstood": missed} if missed else {}),
        },
    }  # fmt: skip


def _messages(conversation: dict[str, Any], started: datetime) -> list[dict[str, Any]]:
    find = {"value": "order", "confidence": 0.93, "start": 0, "end": 12, "text": "I want a mug"}
    missed = "notUnderstood" in conversation["Data"]
    said: list[dict[str, Any]] = [
        {"From": "user", "Type": "text", "Text": "I want a mug", "Understanding": {"Conversation": [find]}},
        {
            "From": "bot", "Type": "text", "Text": "What would you like to order?", "Step": "order/0",
            "Payload": {"replies": [{"title": "Mugs", "value": "mugs", "key": "1.0"}, {"title": "Lamps", "value": "lamps", "key": "1.1"}]},
        },
        {"From": "user", "Type": "text", "Text": "something with otters" if missed else "Mugs"} | ({"Understood": False} if missed else {}),
        {"From": "bot", "Type": "text", "Text": "Which one? Our mugs are made of stoneware.", "Step": "order/1"},
    ]  # fmt: skip
    if conversation["Status"] == "failure":
        said.append({"From": "bot", "Type": "text", "Text": "I cannot reach our shop system just now.", "Error": "order/3: the endpoint answered 500"})  # fmt: skip
    return [
        {
            "_id": f"{conversation['_id']}-{sequence}", "Conversation": conversation["_id"], "User": conversation["User"],
            "Channel": conversation["Channel"], "CreatedAt": _iso(started + timedelta(seconds=7 * sequence)), "Sequence": sequence,
            **message,
        }
        for sequence, message in enumerate(said, 1)
    ]  # fmt: skip


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
