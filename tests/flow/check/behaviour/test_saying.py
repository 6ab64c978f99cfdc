from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import HELP, said, steps, texts

CITY = {
    "name": "City",
    "lookup-strategy": "keywords",
    "data": [{"value": "Restart!", "synonyms": ["Graz", "von vorn"]}],
}


@pytest.mark.parametrize("key", ["invalid-replies", "general-failure"])
def test_replies_without_a_text_are_told(key: str) -> None:
    assert len(said(steps(settings={key: []}), "no-fallback")) == 1
    assert len(said(steps(settings={key: [[" "]]}), "no-fallback")) == 1
    assert said(steps(settings={key: ["Pardon?"]}), "no-fallback") == said(steps(settings={}), "no-fallback") == []


def question(**keys: Any) -> dict[str, Any]:
    return {"type": "question", "entity": "city", "entity-type": "Text"} | keys


def test_a_question_that_shows_nothing_is_told_unless_it_may_be_spared() -> None:
    assert len(said(steps(question()), "no-message")) == 1
    display = {"type": "quick-reply", "data": ["a"]}
    setter = {"type": "command", "command": "set-entity", "entity": "city", "data": "a"}
    for spared in ([question(messages=["?"])], [question(display=display)], [question(conditions=["{{a}}"])]):
        assert said(steps(*spared), "no-message") == []
    assert said(steps(setter, question()), "no-message") == []


def test_a_phrase_of_restart_is_told_where_it_answers_a_question() -> None:
    shown = {"type": "quick-reply", "data": ["RESTART", {"title": "Anew", "value": "restart"}, "go on"]}
    found = steps(
        question(messages=["?"], display=shown),
        {"type": "message", "messages": ["Say restart."], "display": {"type": "quick-reply", "data": ["restart"]}},
        training={"entity-definitions": [CITY]},
    )
    assert [finding.path for finding in found if finding.rule == "restart-phrase"] == [
        "conversations/book/steps/0/display/data/0",
        "conversations/book/steps/0/display/data/1",
        "entity-definitions/0/data/0/value",
    ]


def test_the_phrases_of_restart_are_those_of_the_settings_then_of_the_commands_then_of_the_language() -> None:
    def paths(bot: dict[str, Any], **keys: Any) -> list[str]:
        flow = {"conversations": {"help": HELP, "book": {"type": "goal"}}, **keys}
        found = check_files(texts(bot, flow, {"entity-definitions": [CITY]}))
        return [finding.path.rpartition("data/0/")[2] for finding in found if finding.rule == "restart-phrase"]

    commands = {"RESTART": ["Graz"]}
    assert paths({"id": "b"}, commands=commands) == ["synonyms/0"]
    assert paths({"id": "b"}, commands=commands, settings={"commands": {"RESTART": ["von vorn"]}}) == ["synonyms/1"]
    assert paths({"id": "b", "language": "de"}) == []


def test_an_expression_of_restart_itself_may_be_its_phrase() -> None:
    data = [{"value": "restart", "expressions": ["restart"]}, {"value": "book", "expressions": ["restart"]}]
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]}
    assert [path.split(":")[0] for path in said(steps(training=training), "restart-phrase")] == [
        "entity-definitions/0/data/1/expressions/0"
    ]


def test_an_answer_that_is_only_spoken_is_one_for_a_bot_that_only_speaks() -> None:
    value = {"value": "a", "expressions": ["a", "b", "c"], "ssmlAnswers": ["<speak>a</speak>"]}
    training = {"entity-definitions": [{"name": "Q", "lookup-strategy": "QnA", "data": [value]}]}
    spoken = {"id": "bot", "channels": [{"id": "a", "type": "voice-assistant"}]}
    assert len(said(steps(training=training), "no-answer")) == 1
    assert said(steps(training=training, bot=spoken), "no-answer") == []


WORDS = Path(__file__).parents[4] / "frontend/src/studio/build/words.ts"


def test_a_text_that_the_studio_writes_into_a_new_step_is_told_in_every_language() -> None:
    written = re.findall(r'start(?:Wording|Question): "(.*)"', WORDS.read_text(encoding="utf-8"))
    assert len(written) == 4
    for text in written:
        found = steps({"type": "message", "messages": ["Hello.", text]})
        assert [one.split(":")[0] for one in said(found, "placeholder")] == ["conversations/book/steps/0/messages/1"]
