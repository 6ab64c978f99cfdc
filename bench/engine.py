"""The engine alone on large flows: CPU of a turn with 10,000 options, 1,000 steps or 200 conversations, and of one
message understood. No store, no network.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.machine import heading, table
from dialoom.engine import Flow, State, Turn, begin, compile_flow, turn
from dialoom.engine.effects import Failed, Send
from dialoom.engine.events import Event, Fetched, Picked, Response, Said
from dialoom.flow import read_files
from dialoom.messages import Profile

RUNS = 15
OPTIONS, STEPS, CONVERSATIONS = 10_000, 1_000, 200
VERBS = ("book", "cancel", "move", "find", "buy", "sell", "rate", "print", "share", "repair")
THINGS = ("ticket", "room", "table", "car", "doctor", "course", "parcel", "invoice", "garden", "printer")
ENDINGS = ("please", "for me", "today", "again", "now")

Json = dict[str, Any]


def main() -> None:
    print(heading(f"The engine alone, milliseconds of CPU; median of {RUNS}"))
    rows: list[list[object]] = []
    for what, flow, events, goal in _turns():
        rows.append([what, _milliseconds(flow, events), f"under {goal}"])
    recogniser = _towns_and_wishes().recogniser
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    text = "please find a table in Towm 4711 for tomorrow at half past six"
    types = ("Conversation", "Town", "Date", "Time", "Number")
    rows.append(["one message understood", _median(lambda: recogniser.recognise(text, types, now)), "under 1"])
    print(table(["what", "ms", "goal"], rows))


def _turns() -> list[tuple[str, Flow, Sequence[Event], int]]:
    """What is measured is the last event of each list."""
    towns, steps, wishes = _towns(), _form(), _towns_and_wishes()
    filled = [_said(f"answer {number}") for number in range(STEPS)]
    return [
        ("10,000 options: asking", towns, [_said("go")], 5),
        ("10,000 options: choosing by key", towns, [_said("go"), _event(Picked, key="1.9876")], 5),
        ("10,000 options: typing one", towns, [_said("go"), _said("Town 9876")], 5),
        ("10,000 options: typing none", towns, [_said("go"), _said("somewhere quiet by the sea")], 5),
        ("1,000 steps: the last answer", steps, [_said("go"), *filled], 5),
        ("200 conversations: one of them named", wishes, [_said("could you repair the printer once more")], 5),
    ]


def _milliseconds(flow: Flow, events: Sequence[Event]) -> float:
    state = begin()
    for event in events[:-1]:
        state = _whole(flow, state, event).state
    done = _whole(flow, state, events[-1])
    assert any(isinstance(effect, Send | Failed) for effect in done.effects)
    return _median(lambda: _whole(flow, state, events[-1]))


def _median(work: Callable[[], object]) -> float:
    found = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        found.append((time.process_time() - start) * 1000)
    return statistics.median(found)


def _whole(flow: Flow, state: State, event: Event) -> Turn:
    done = turn(flow, state, event)
    while (fetch := done.pending) is not None:
        body = Response(status=200, headers={"content-type": ["application/json"]}, body=b"{}")
        done = turn(flow, done.state, Fetched(key=fetch.key, response=body))
    return done


def _said(text: str) -> Event:
    return _event(Said, text=text)


def _event(kind: type[Any], **more: Any) -> Event:
    event: Event = kind(id="e", now=1_795_176_000_000, seed=1, profile=Profile(id="u", provider="web"), **more)
    return event


# ---- the flows ---------------------------------------------------------------------------------------------------


def _flow(conversations: Json, *types: Json) -> Flow:
    files = {"bot.json": {"id": "b"}, "flow.json": {"conversations": conversations}}
    files["training.json"] = {"entity-definitions": types}
    return compile_flow(read_files({name: json.dumps(value) for name, value in files.items()}))


def _goal(*steps: Json) -> Json:
    return {"type": "goal", "steps": steps}


def _trait(expressions: dict[str, list[str]]) -> Json:
    data = [{"value": key, "expressions": said} for key, said in expressions.items()]
    return {"name": "Conversation", "lookup-strategy": "trait", "data": data}


def _town_type() -> Json:
    return {
        "name": "Town",
        "lookup-strategy": "keywords",
        "data": [{"value": f"Town {number}", "synonyms": [f"T{number}"]} for number in range(OPTIONS)],
    }


def _towns() -> Flow:
    display = {"type": "single-select", "title": "Open"}
    town = {"type": "question", "entity": "town", "entity-type": "Town", "messages": ["Where?"], "display": display}
    return _flow(
        {"go": _goal(town, {"type": "message", "messages": ["{{town}}."]})}, _trait({"go": ["go"]}), _town_type()
    )


def _form() -> Flow:
    steps = [
        {
            "type": "question",
            "entity": f"e{number}",
            "entity-type": "Text",
            "messages": [f"{number}?"],
            "is-explicit": True,
        }
        for number in range(STEPS)
    ]
    return _flow(
        {"go": _goal(*steps, {"type": "message", "messages": ["{{e0}} to {{e999}}."]})}, _trait({"go": ["go"]})
    )


def _towns_and_wishes() -> Flow:
    keys = [f"{verb}-{thing}-{half}" for verb in VERBS for thing in THINGS for half in (1, 2)][:CONVERSATIONS]
    said = {}
    for number, key in enumerate(keys):
        verb, thing, half = key.split("-")
        extra = "" if half == "1" else " with my friends"
        said[key] = [f"{verb} a {thing}{extra} {ending}" for ending in ENDINGS[: 2 + number % 2]]
    conversations = {key: _goal({"type": "message", "messages": [f"{key}."]}) for key in keys}
    return _flow(conversations, _trait(said), _town_type())


if __name__ == "__main__":
    main()
