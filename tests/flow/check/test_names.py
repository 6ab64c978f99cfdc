from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import certain, said, steps, texts


def of_bot(**keys: Any) -> list[str]:
    bot = {"id": "bot"} | {key.replace("_", "-"): value for key, value in keys.items()}
    return [f"{finding.path}: {finding.message}" for finding in check_files(texts(bot, {"conversations": {}}))]


@pytest.mark.parametrize("name", ["", "a b", "a/b", "-a", "a" * 65, "ä", ".."])
def test_an_id_must_be_fit_for_an_address(name: str) -> None:
    (message,) = of_bot(id=name)
    assert "cannot stand in an address" in message


@pytest.mark.parametrize("name", ["a", "A-1_b.c", "4f1c9a2e-0b7d-4a52-9f59-2f0d8f0a3f11"])
def test_ids_of_letters_digits_and_a_few_marks_are_fine(name: str) -> None:
    assert of_bot(id=name) == []


def test_an_entity_a_type_and_a_conversation_need_a_name() -> None:
    flow = {"conversations": {" ": {"type": "goal", "steps": [{"type": "confirmation", "entity": ""}]}}}
    training = {"entity-definitions": [{"name": "", "lookup-strategy": "trait"}]}
    found = check_files(texts({"id": "bot"}, flow, training))
    assert [finding.rule for finding in certain(found)] == ["blank-name"] * 3


@pytest.mark.parametrize("tag", ["en", "de-AT", "zh-Hant-TW", "PT-br"])
def test_bcp_47_tags_are_languages(tag: str) -> None:
    assert of_bot(language=tag) == []


def test_a_tag_with_an_underscore_is_mended() -> None:
    (message,) = of_bot(language="de_AT")
    assert message.endswith('Did you mean "de-AT"?')


def test_a_language_that_nothing_is_known_of_is_a_warning() -> None:
    (found,) = check_files(texts({"id": "bot", "language": "xq"}, {"conversations": {}}))
    assert (found.severity, found.rule) == ("warning", "unknown-language")


@pytest.mark.parametrize("zone", ["Europe/Wien", "", "Europe", "../etc/passwd", "a\nb", "x" * 5000])
def test_a_zone_that_is_not_in_the_database_is_told(zone: str) -> None:
    assert len(said(steps(settings={"timezone": zone}), "bad-timezone")) == 1


@pytest.mark.parametrize("zone", ["Universal", "Europe/Vienna", "UTC"])
def test_iana_zones_are_accepted(zone: str) -> None:
    assert steps(settings={"timezone": zone}) == []


def test_two_channels_with_one_id_are_told_at_the_second() -> None:
    assert of_bot(channels=[{"id": "a", "type": "web"}, {"id": "a", "type": "rest"}, {"id": "b", "type": "web"}]) == [
        'channels/1/id: There is a channel "a" already. Give each its own id.'
    ]


def test_two_definitions_with_one_name_are_told_at_the_second() -> None:
    definition = {"name": "City", "lookup-strategy": "trait"}
    found = steps(training={"entity-definitions": [definition, definition]})
    assert said(found, "doubled-name")[0].startswith("entity-definitions/1/name: ")


def test_a_definition_must_not_take_a_built_in_name_and_conversation_must_be_a_trait() -> None:
    definitions = [
        {"name": "Number", "lookup-strategy": "trait"},
        {"name": "Conversation", "lookup-strategy": "keywords"},
    ]
    assert said(steps(training={"entity-definitions": definitions}), "built-in-name") == [
        'entity-definitions/0/name: "Number" is a built-in type. Choose another name.',
        'entity-definitions/1/lookup-strategy: "Conversation" selects a conversation and must be a trait, not "keywords". Allowed: trait.',
    ]


def test_an_entity_type_is_built_in_or_defined() -> None:
    training = {"entity-definitions": [{"name": "City", "lookup-strategy": "trait"}]}
    questions = [{"type": "question", "entity": "a", "entity-type": name} for name in ("City", "Text", "text", "Town")]
    found = said(steps(*questions, training=training), "unknown-entity-type")
    assert len(found) == 2
    assert found[0].endswith('Did you mean "Text"?')


def test_steps_commands_and_the_trait_name_conversations_that_are_there() -> None:
    training = {
        "entity-definitions": [
            {
                "name": "Conversation",
                "lookup-strategy": "trait",
                "data": [{"value": "book"}, {"value": "restart"}, {"value": "booook"}],
            },
            {"name": "Mood", "lookup-strategy": "trait", "data": [{"value": "good"}]},
        ]
    }
    found = steps(
        {"type": "conversation", "conversation": "bok"},
        {"type": "command", "command": "go-to boook"},
        {"type": "command", "command": "go-to  book"},
        training=training,
    )
    assert [(finding.path.rpartition("/")[0], finding.meant) for finding in certain(found)] == [
        ("conversations/book/steps/0", "book"),
        ("conversations/book/steps/1", "book"),
        ("entity-definitions/0/data/2", "book"),
    ]


def test_credentials_and_live_agents_must_be_there() -> None:
    source = {"endpoint": "https://a.at", "method": "GET", "authentication-method": "ofice"}
    bot = {
        "id": "bot",
        "credentials": {"office": {"type": "bearer", "token": {"env": "BOT_A"}}},
        "live-agents": {"office": "https://desk.example.com"},
    }
    hand_off = {"type": "command", "command": "stay-silent", "live-agent": "desk"}
    found = steps({"type": "webhook", "data-source": source}, hand_off, bot=bot)
    assert said(found, "unknown-credential") == [
        'conversations/book/steps/0/data-source/authentication-method: This is no name of a credential of bot.json. Did you mean "office"?'
    ]
    assert len(said(found, "unknown-live-agent")) == 1
    assert said(steps(hand_off), "unknown-live-agent") == []


@pytest.mark.parametrize("name", ["user", "conversation", "conversationDisplayName", "_x", "_system"])
def test_no_answer_may_take_a_name_that_the_service_uses(name: str) -> None:
    question = {"type": "question", "entity": name, "entity-type": "Text"}
    confirmation = {"type": "confirmation", "entity": name}
    review = {"type": "entities-confirmation", "entity": name, "entities": ["a"]}
    found = steps(question, confirmation, review)
    assert [(one.rule, one.severity, one.path) for one in certain(found)] == [
        ("reserved-name", "error", f"conversations/book/steps/{index}/entity") for index in (0, 1, 2)
    ]


def test_a_step_that_is_no_question_may_lay_values_over_the_profile() -> None:
    assert steps({"type": "command", "command": "set-entity", "entity": "user", "data": {"FirstName": "Ada"}}) == []


def of_runs(**runs: tuple[str, ...]) -> list[str]:
    conversations = {
        key: {"type": "goal", "steps": [{"type": "conversation", "conversation": name} for name in names]}
        for key, names in runs.items()
    }
    return said(check_files(texts({"id": "bot"}, {"conversations": conversations})), "endless")


def test_a_conversation_that_runs_itself_in_place_is_told() -> None:
    assert of_runs(a=("b",), b=("c",), c=()) == []
    (message,) = of_runs(a=("a",))
    assert message.startswith('conversations/a/steps/0/conversation: "a" runs itself in place, and never ends. ')


def test_every_step_of_a_ring_of_conversations_is_told() -> None:
    found = of_runs(a=("x", "b"), b=("c",), c=("a",), x=(), y=("a",))
    assert [message.split(":")[0] for message in found] == [
        f"conversations/{step}/conversation" for step in ("a/steps/1", "b/steps/0", "c/steps/0")
    ]
    assert '"a" runs "b", which runs "a" again, in place' in found[0]


def test_a_conversation_that_runs_itself_on_a_condition_may_end() -> None:
    assert certain(steps({"type": "conversation", "conversation": "book", "conditions": ["{{more}}"]})) == []


def test_a_legal_name_is_listed_once() -> None:
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait"}]}
    question = {"type": "question", "entity": "a", "entity-type": "Zzzzzz", "messages": ["?"]}
    (found,) = certain(steps(question, training=training))
    assert found.allowed.count("Conversation") == 1
    assert found.message.count("Conversation") == 1
