"""A bot that says what is hard to draw: long answers, hostile texts, images of any shape, words that run both ways."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tests.http.support import write_bot
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE_TOKEN = "dlc_token_of_the_page_of_{}"
TALL = "https://images.test/tall.svg"
DEAD = "https://images.test/dead.png"
LONG = "First line of the answer.\n\n" + "\n\n".join(
    f"Paragraph {number} of a long answer. " * 4 for number in range(30)
)
ZALGO = "Z" + "̷̡̛̮͙̘͔̗̯͂̈́̈́̒̚" * 30 + "algo"
HOSTILE = (
    ZALGO,
    "w" * 5000,
    "safe\u202e txt.exe \u202eoverride",
    "😀" * 200,
    '<img src=x onerror="window.broken=1"><script>window.broken=1</script>',
    "[click](javascript:window.broken=1) ![x](javascript:window.broken=1)",
)
MIXED = "مرحبا بكم في العيادة.\n\nDr. Jonas Lindqvist (Cardiology), Room 12.\n\n- Check-up, 20 min.\n- فحص عام"
PEOPLE = [
    {"title": "Dr. Amira Haddad", "subtitle": "طب عام", "value": "a", "image": TALL},
    {"title": "د. سامي خليل", "subtitle": "Cardiology, 2nd floor", "value": "b", "image": DEAD},
    {"title": "Dr. Mei Tanaka", "subtitle": "الأمراض الجلدية", "value": "c"},
]
CARD = {"title": "{{this.title}}", "subtitle": "{{this.subtitle}}", "image": "{{this.image}}"}
LOOK = {"brand": "#ffd400", "background": "#fff3d6", "font": "Courier New", "radius": 4, "header": "Yellow shop"}
SIZES = [f"Size {number}" for number in range(1, 13)]


def _question(entity: str, text: str, display: dict[str, Any]) -> dict[str, Any]:
    return {"type": "question", "entity": entity, "entity-type": "Text", "messages": [text], "display": display}


def _goal(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "goal", "steps": [*steps]}


def _say(*texts: str) -> dict[str, Any]:
    return _goal(*({"type": "message", "messages": [text]} for text in texts))


CONVERSATIONS = {
    "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello!"]}]},
    "long": _say(LONG),
    "hostile": _say(*HOSTILE),
    "mixed": _say(MIXED, f"![A map]({DEAD})"),
    "sizes": _goal(_question("size", "Which size?", {"type": "quick-reply", "data": SIZES})),
    "cards": _goal(
        _question("card", "Whom?", {"type": "carousel", "title": "People", "data": PEOPLE, "template": CARD})
    ),
    "people": _goal(
        _question("people", "Who?", {"type": "multi-select", "title": "Choose", "data": PEOPLE})
        | {"capture-multiple-values": True}
    ),
    "review": _goal(
        _question("colour", "Which colour?", {"type": "quick-reply", "data": ["Green", "Black"]}),
        {"type": "entities-confirmation", "entity": "ok", "entities": ["colour"], "messages": ["All right?"]},
    ),
}
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": name, "expressions": [f"show {name}"]} for name in CONVERSATIONS if name != "welcome"],
        }
    ]
}


@contextlib.contextmanager
def view_bots(folder: Path, origin: str) -> Iterator[Service]:
    """Serve the bot in English and in Arabic, and in English with a look of its own. ``origin``: of a host's page."""
    web = {"id": "web", "type": "web", "allowed-origins": [origin]}
    flow = {"conversations": CONVERSATIONS}
    bots = [
        {"id": "plain", "name": "Plain", "channels": [web | {"token": PAGE_TOKEN.format("plain")}]},
        {"id": "arabic", "name": "عيادة", "language": "ar"},
        {"id": "branded", "name": "Branded", "channels": [web | {"token": PAGE_TOKEN.format("branded")}], "look": LOOK},
    ]
    service = Service([write_bot(folder / str(bot["id"]), bot, flow, TRAINING) for bot in bots], folder / "data")
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()
