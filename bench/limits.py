"""CPU time of one message to flows that never end, by what stops them (flow-language.md section 5, rule 10)."""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from bench.machine import heading, table
from dialoom.engine import Flow, begin, compile_flow, turn
from dialoom.engine.effects import Failed
from dialoom.engine.events import Fetched, Response, Said
from dialoom.flow import read_files
from dialoom.messages import Profile

RUNS = 9
NEVER = ["{{$and ($gt n 5) day}}"]
TRAIT = {
    "name": "Conversation",
    "lookup-strategy": "trait",
    "data": [{"value": "go", "expressions": ["go"]}],
}


def _say(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "messages": [text], **more}


def _do(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def _run(conversation: str, **more: Any) -> dict[str, Any]:
    return {"type": "conversation", "conversation": conversation, **more}


def _goal(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "goal", "steps": list(steps)}


def _hook(number: int) -> dict[str, Any]:
    return {"type": "webhook", "entity": f"e{number}", "data-source": {"endpoint": f"https://api.test/{number}"}}


FLOWS: dict[str, dict[str, Any]] = {
    "go-to in a circle": {"go": _goal(_do("go-to back")), "back": _goal(_do("go-to go"))},
    "messages in a circle": {
        "go": _goal(_say("Again, {{n}} {{$date day}}."), _do("go-to back")),
        "back": _goal(_say("And again."), _do("go-to go")),
    },
    "a value that grows": {
        "go": _goal(
            _do("set-entity", entity="n", data="{{$add ($default n 0) 1}}"),
            _do("set-entity", entity="m", data="{{n}}"),
            _do("go-to back"),
        ),
        "back": _goal(_do("go-to go")),
    },
    "10,000 steps whose conditions fail": {
        "go": _goal(*(_run("wide") for _ in range(110))),
        "wide": {"type": "support", "steps": [_say("x", conditions=NEVER) for _ in range(100)]},
    },
    "49 values that are wiped out one by one": {
        "go": _goal(
            *(_do("set-entity", entity=f"a{number}", data=number) for number in range(49)),
            *(_say("{{a1}}", conditions=NEVER) for _ in range(400)),
            *(_do(f"invalidate-entity a{number}") for number in range(49)),
        )
    },
    "a conversation inside itself": {"go": _goal(_say("x"), _run("go"), _run("go"), _run("go"))},
    "101 webhooks": {"go": _goal(*(_hook(number) for number in range(101)))},
}


def _flow(conversations: dict[str, Any]) -> Flow:
    return compile_flow(
        read_files(
            {
                "bot.json": json.dumps({"id": "b"}),
                "flow.json": json.dumps({"conversations": conversations}),
                "training.json": json.dumps({"entity-definitions": [TRAIT]}),
            }
        )
    )


def _stop(flow: Flow) -> tuple[float, str]:
    """Milliseconds of CPU until the flow is stopped, and where."""
    began = time.process_time()
    result = turn(flow, begin(), Said(id="e", now=1_795_176_000_000, seed=1, profile=Profile(id="u"), text="go"))
    while (fetch := result.pending) is not None:
        result = turn(flow, result.state, Fetched(key=fetch.key, response=Response(status=200, body=b"[1]")))
    spent = (time.process_time() - began) * 1000
    [failed] = [effect for effect in result.effects if isinstance(effect, Failed)]
    return spent, failed.step


def main() -> None:
    rows = []
    for name, conversations in FLOWS.items():
        flow = _flow(conversations)
        stops = [_stop(flow) for _ in range(RUNS)]
        rows.append((name, stops[0][1], statistics.median(spent for spent, _ in stops)))
    print(heading("One message to a flow that never ends; the goal is below 100 ms of CPU"))
    print(table(("flow", "stopped at", "CPU ms"), rows))
