"""Queries at all limits that nothing matches: each reads every record, and as slowly as the rules allow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.storage.store import Collection

REFUSED = {"$or": [{"Text": {"$regex": r"(?:\PL\PN){30}z0"}} for _ in range(20)]}
"""Short, and a second of work before a record is read, were it taken."""
SLOW = {"$or": [{"Payload.words": {"$regex": rf"\w(?:.?){{990}}[xyz][!?{number}]"}} for number in range(20)]}
"""As slow to search as the rules allow: each takes some tenths of a second a text of the longest."""
LONGEST = 8000
"""Characters of the longest text that a user may send."""


def _nested(depth: int) -> dict[str, Any]:
    """``$nor`` in ``$nor``: always true, however deep."""
    return {"Text": {"$gt": 0}} if depth == 0 else {"$nor": [_nested(depth - 1), _nested(0)]}


QUERIES: dict[str, dict[str, Any]] = {
    "200 conditions": {"$or": [{f"Payload.a.{number}.b.c": {"$gt": number}} for number in range(200)]},
    "1,000 values": {"Understanding.Text.value": {"$in": [f"door {number}" for number in range(1000)]}},
    "depth": {"$and": [_nested(3), {"Payload.deep": {"$not": {"$not": {"$exists": True}}}}]},
    "20 regexes": {"$or": [{"Text": {"$regex": f"(w|o|wo)*.{{40}}[^x]{{200}}q{number}z"}} for number in range(20)]},
    "$or of $elemMatch": {
        "$or": [
            {f"Payload.a.b.c.d.e.f{number}": {"$elemMatch": {"x.y": {"$gt": number}, "z": {"$ne": None}}}}
            for number in range(60)
        ]
    },
}
NEVER_IN_TIME = ("200 conditions", "20 regexes", "$or of $elemMatch")
"""Those that no database tells quickly: to the others it may know the answer at once."""
SORT = {"Payload.z": 1, "Understanding.Text.0.value": -1, "Step": 1}


def asked() -> Iterator[tuple[str, dict[str, str]]]:
    """What a hostile client sends: the path behind ``messages``, and its parameters."""
    while True:
        for number, query in enumerate(QUERIES.values()):
            text = json.dumps(query, separators=(",", ":"))
            yield ("/_count", {"query": text}) if number % 2 else ("", {"query": text, "sort": json.dumps(SORT)})


def documents(collection: Collection, bot: str, count: int, begin: int = 0) -> list[dict[str, Any]]:
    """Messages for them to read, one in twenty as long as may be."""
    assert collection == "messages"
    return [
        {
            "_id": f"hostile-{number:08d}",
            "Bot": bot,
            "Conversation": f"hostile-{number // 10}",
            "User": f"reader-{number // 10}",
            "Channel": "rest",
            "From": "user",
            "Type": "text",
            "Text": ("wo" * (LONGEST // 2)) if number % 20 == 0 else f"The one at the window, for {number} people",
            "Payload": {"a": [{"b": number}], "deep": {"er": [[number]]}},
            "Step": None,
            "Understanding": {"Text": [{"value": f"window {number}", "start": 0, "end": 9}]},
            "Error": None,
            "CreatedAt": "2026-11-20T08:15:30.250Z",
            "Sequence": number % 10 + 1,
        }
        for number in range(begin, begin + count)
    ]
