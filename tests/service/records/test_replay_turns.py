"""What a user did in a recorded conversation, as turns of a try-out."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.service.records.replay_turns import turns_of


def _user(type: str, text: str | None = None, payload: Any = None) -> dict[str, Any]:
    return {"From": "user", "Type": type, "Text": text, "Payload": payload, "Sequence": 2}


def _bot(payload: Any = None) -> dict[str, Any]:
    return {"From": "bot", "Type": "text", "Text": "Which?", "Payload": payload, "Sequence": 1}


REPLIES = {
    "replies": [{"title": "Green", "value": "g", "key": "3.0"}, {"title": "Next 5", "key": "3.next", "system": "next"}]
}
DIALOG = {
    "dialog": {
        "type": "multi-select",
        "options": [{"title": "A", "value": {"id": 1}, "key": "4.0"}, {"title": "B", "value": 2, "key": "4.1"}],
    }
}


@pytest.mark.parametrize(
    ("message", "turn"),
    [
        (_user("text", "tea"), {"text": "tea"}),
        (_user("option", "Green", {"keys": ["3.0"]}), {"option": "g"}),
        (_user("option", "Next 5", {"keys": ["3.next"]}), {"option": "Next 5"}),
        (_user("option", "A, B", {"keys": ["4.0", "4.1"]}), {"option": [{"id": 1}, 2]}),
        (_user("option", "Lost", {"keys": ["9.9"]}), {"option": "Lost"}),
        (_user("option", None, {"value": "2026-11-23"}), {"option": "2026-11-23"}),
        (_user("option", "Old", None), {"option": "Old"}),
        (
            _user("location", "Altona", {"latitude": 53.5, "longitude": 9.9, "name": "Altona"}),
            {"location": {"latitude": 53.5, "longitude": 9.9, "name": "Altona"}},
        ),
        (
            _user("file", None, [{"url": "u", "mime_type": "image/png", "name": "leaf.png"}]),
            {"attachments": [{"payload": {"url": "u"}, "mimeType": "image/png", "name": "leaf.png"}]},
        ),
        (_user("text", "***"), {"isMasked": True, "text": "***"}),
    ],
)  # fmt: skip
def test_each_kind_of_message_becomes_the_turn_that_a_test_would_have(message: Any, turn: dict[str, Any]) -> None:
    opened, *turns = turns_of([_bot(REPLIES), _bot(DIALOG), message])
    assert opened == {"sequence": 1, "event": {"type": "opening"}}
    assert turns == [{"sequence": 2, **turn}]


def test_what_says_nothing_that_could_be_said_again_is_left_out() -> None:
    assert turns_of([_user("text"), _user("option", None, "***")]) == []
