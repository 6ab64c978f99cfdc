from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from dialoom.flow.notyet import NOT_YET
from tests.flow.files import texts

STEPS: list[dict[str, Any]] = [
    {"type": "entities-confirmation", "entity": "ok", "entities": ["a"]},
    {"type": "command", "command": "stay-silent 5", "live-agent": "desk"},
    {"type": "command", "command": "logout"},
    {"type": "message", "messages": ["a"], "protected": True},
    *(
        {"type": "question", "entity": "a", "entity-type": "Text", **more}
        for more in (
            {"entity-type": "Location"},
            {"reactions": {"suggestions": ["a"]}},
            {"reactions": {"validations": [{"type": "image", "parameters": {"contains": "cat"}}]}},
            {"display": {"type": "date-picker", "title": "a"}},
        )
    ),
]
BOT = {
    "id": "bot",
    "channels": [
        {"id": "a", "type": "messenger-3"},
        {"id": "b", "type": "rest", "callback-url": "https://a.at"},
        {"id": "c", "type": "web", "user-secret": {"env": "BOT_A"}, "require-user-token": True},
    ],
    "credentials": {"a": {"type": "client-certificate", "certificate": {"env": "BOT_A"}, "key": {"env": "BOT_B"}}},
    "live-agents": {"desk": "https://a.at"},
    "image-labeller": "https://a.at",
    "retention-days": 3,
}
TRAINING = {
    "entity-definitions": [
        {
            "name": "B",
            "lookup-strategy": "keywords",
            "dynamic-data": {"data-source": {"endpoint": "https://a.at", "method": "GET"}, "value-template": "{{a}}"},
        },
    ]
}
LOGIN = {
    "entity": "auth",
    "messages": ["a"],
    "acknowledgements": ["b"],
    "display": {"type": "login", "template": {"title": "a"}},
    "socialnet": {"app-id": "a", "app-secret": {"env": "BOT_A"}},
}


def test_every_feature_that_does_not_run_yet_is_refused_in_plain_words() -> None:
    flow = {"settings": {"authentication": LOGIN}, "conversations": {"a": {"type": "goal", "steps": STEPS}}}
    found = check_files(texts(BOT, flow, TRAINING))
    assert {finding.rule for finding in found} == {"not-yet"}
    assert all(finding.severity == "error" and finding.prevents_loading for finding in found)
    told = "\n".join(map(str, found))
    for row in NOT_YET:
        assert row.feature in told, row
    assert "Not yet: this version reads this display" in told


@pytest.mark.parametrize("value", [None, False, [], ""])
def test_a_key_that_asks_for_nothing_is_no_feature(value: object) -> None:
    applies = [row for row in NOT_YET if row.key == "suggestions"]
    assert applies
    from dialoom.flow.pieces import Piece

    assert not applies[0].applies(Piece("reactions", "flow.json", (), {"suggestions": value}))
