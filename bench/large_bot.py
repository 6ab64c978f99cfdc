"""A bot as large as the studio has to bear it: 200 conversations, nearly all of five steps, and their training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CONVERSATIONS = 200
STEPS = 5
"""Of each conversation."""
EXPRESSIONS = 8
"""That select each goal."""

_THINGS = ("table", "parcel", "invoice", "room", "ticket", "contract", "course", "repair", "meter", "refund")
_ACTS = ("book", "move", "cancel", "find", "send", "check", "extend", "explain", "order", "compare")
_PLACES = (
    "in town",
    "abroad",
    "at home",
    "for a child",
    "for two",
    "at night",
    "next year",
    "by post",
    "online",
    "in bulk",
)


def write_bot(folder: Path, id: str = "large") -> Path:
    """Write the bot's files and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _files(id).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return folder


def _files(id: str) -> dict[str, Any]:
    conversations = {
        "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello! What can I do for you?"]}]},
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say what you want to do."]}]},
    }
    conversations |= {_key(number): _conversation(number) for number in range(CONVERSATIONS - len(conversations))}
    goals = [key for key, conversation in conversations.items() if conversation["type"] == "goal"]
    data = [{"value": key, "expressions": _expressions(number)} for number, key in enumerate(goals)]
    trait = {"name": "Conversation", "lookup-strategy": "trait", "data": data}
    scenario = {
        "it": "books a table",
        "steps": [{"user": {"text": "book a table in town"}, "bot": [[{"text": "/.*/"}]]}],
    }
    return {
        "bot.json": {"id": id, "name": "Large", "language": "en", "channels": [{"id": "web", "type": "web"}]},
        "flow.json": {"conversations": conversations},
        "training.json": {"entity-definitions": [trait]},
        "tests/booking.json": {"name": "Booking", "scenarios": [scenario]},
    }


def _words(number: int) -> tuple[str, str, str]:
    return _ACTS[number % 10], _THINGS[number // 10 % 10], _PLACES[(number // 100 + number) % 10]


def _key(number: int) -> str:
    return "-".join(_words(number)).replace(" ", "-") + f"-{number}"


def _expressions(number: int) -> list[str]:
    act, thing, place = _words(number)
    said = f"{act} a {thing} {place}"
    before = ("", "I want to ", "please ", "can you ", "I need to ", "could we ", "how do I ", "let us ")
    return [f"{one}{said}" for one in before[:EXPRESSIONS]]


def _conversation(number: int) -> dict[str, Any]:
    act, thing, place = _words(number)
    following = _key((number * 7 + 3) % (CONVERSATIONS - 2))
    return {
        "type": "goal" if number % 10 < 9 else "support",
        "display-name": f"{act} a {thing} {place} ({number})",
        "steps": [
            {
                "type": "question",
                "entity": f"day{number}",
                "entity-type": "Date",
                "messages": [f"For which day shall I {act} the {thing} {place}?", f"When shall I {act} it?"],
            },
            {
                "type": "question",
                "entity": f"count{number}",
                "entity-type": "Number",
                "conditions": [f"{{{{$has day{number}}}}}"],
                "messages": [f"How many shall I {act} on {{{{day{number}}}}}?"],
                "display": {"type": "quick-reply", "data": ["1", "2", "3", "4"]},
            },
            {"type": "confirmation", "entity": f"right{number}", "messages": [f"{act} {{{{count{number}}}}}, right?"]},
            {"type": "message", "messages": [f"Done: {act} a {thing}.", f"That {thing} is done."]},
            {"type": "command", "command": f"go-to {following}", "conditions": [f"{{{{$not right{number}}}}}"]},
        ],
    }
