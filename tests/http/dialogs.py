"""A bot that asks once with each kind of dialog."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING, Any

from tests.http.support import MOCKS

from dialoom.authoring.mock_fetcher import MockFetcher

if TYPE_CHECKING:
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response

FLOW: dict[str, Any] = {
    "conversations": {
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]},
        "tea": {
            "type": "goal",
            "display-name": "your tea",
            "steps": [
                {
                    "type": "question",
                    "entity": "kind",
                    "entity-type": "Tea",
                    "messages": [["A cup.", "Which **tea**?"]],
                    "display": {
                        "type": "single-select",
                        "title": "Choose",
                        "button-text": "Take it",
                        "data": [
                            {
                                "title": "**Green** tea",
                                "value": "Green",
                                "subtitle": "light",
                                "image": "https://t.example/g",
                            },
                            {"title": "Black"},
                        ],
                    },
                },
                {
                    "type": "question",
                    "entity": "more",
                    "entity-type": "Tea",
                    "capture-multiple-values": True,
                    "is-explicit": True,
                    "messages": ["And which to take home?"],
                    "display": {"type": "multi-select", "title": "Add"},
                },
                {
                    "type": "question",
                    "entity": "cup",
                    "entity-type": "Text",
                    "messages": ["Which cup?"],
                    "display": {
                        "type": "carousel",
                        "title": "See the cups",
                        "data": ["Red", "Blue"],
                        "template": {
                            "title": "{{this}} cup",
                            "image": "https://t.example/{{this}}.png",
                            "value": "{{this}}",
                        },
                    },
                },
                {
                    "type": "question",
                    "entity": "day",
                    "entity-type": "Date",
                    "messages": ["Which day?"],
                    "display": {"type": "date-picker"},
                    "reactions": {
                        "validations": [
                            {
                                "type": "range",
                                "parameters": {"min": "2026-10-01"},
                                "error-message": ["That is too soon."],
                            }
                        ]
                    },
                },
                {
                    "type": "question",
                    "entity": "place",
                    "entity-type": "Location",
                    "messages": ["Where to?"],
                    "display": {"type": "location-picker", "title": "Show where"},
                },
                {
                    "type": "question",
                    "entity": "note",
                    "entity-type": "Text",
                    "messages": [
                        "{{user.FirstName}}: {{kind}}, {{more}}, {{cup}}, {{day}}, {{place.latitude}}. A note?"
                    ],
                },
            ],
        },
    }
}


def with_call() -> dict[str, Any]:
    """The same with an outside call after the first answer."""
    flow = copy.deepcopy(FLOW)
    call = {
        "type": "webhook",
        "entity": "order",
        "data-source": {"endpoint": "http://127.0.0.1:9/tea", "method": "POST", "payload": {}},
    }
    flow["conversations"]["tea"]["steps"].insert(1, call)
    return flow


class Held(MockFetcher):
    """Outside calls wait until the test lets them go."""

    def __init__(self) -> None:
        super().__init__(MOCKS)
        self.gate = asyncio.Event()

    async def fetch(self, request: Request, **_: Any) -> Response | NoResponse:
        await self.gate.wait()
        return await super().fetch(request)
