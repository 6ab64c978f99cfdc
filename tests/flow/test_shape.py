from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import certain, steps, texts

STEPS = "question, message, webhook, confirmation, entities-confirmation, conversation, command"


def only(*found: dict[str, Any], **more: Any) -> str:
    (finding,) = (one for one in certain(steps(*found, **more)) if one.rule != "no-message")
    return f"{finding.path.removeprefix('conversations/book/steps/')}: {finding.message}"


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (
            {"type": "question", "entity": "a", "entity-type": "Text", "display": {"type": "quickreply"}},
            '0/display/type: "quickreply" is no display. Did you mean "quick-reply"?',
        ),
        ({"type": "mesage"}, '0/type: "mesage" is no type of a step. Did you mean "message"?'),
        (
            {"type": "zzz"},
            f'0/type: "zzz" is no type of a step. Allowed: {STEPS}.',
        ),
        ({"messages": ["a"]}, f'0: "type" is missing: a step needs it. Allowed: {STEPS}.'),
        ({"type": "question", "entity": "a"}, '0: "entity-type" is missing: a question step needs it.'),
        (
            {"type": "message", "mesages": []},
            '0/mesages: "mesages" is no key of a message step. Did you mean "messages"?',
        ),
        (
            {"type": "message", "messages": ["a"], "conditions": "a"},
            '0/conditions: "a" is not right here: a list is expected. Write ["a"].',
        ),
        ({"type": "message", "messages": [3]}, "0/messages/0: 3 is not right here: a text or a list is expected."),
        (
            {"type": "message", "messages": [["a", 3]]},
            '0/messages/0/1: 3 is not right here: a text is expected. Write "3".',
        ),
        (
            {"type": "message", "messages": None},
            "0/messages: null stands for nothing here: a list is expected. Leave the key out to get its default.",
        ),
        (
            {"type": "question", "entity": "a", "entity-type": "Text", "is-explicit": "false"},
            '0/is-explicit: "false" is not right here: true or false is expected. Write false without quotes.',
        ),
        (
            {"type": "webhook", "data-source": {"entity": "a", "timeout": 31}},
            "0/data-source/timeout: 31 is out of bounds: it must be at most 30.",
        ),
        (
            {"type": "webhook", "data-source": {"entity": "a", "timeout": 0}},
            "0/data-source/timeout: 0 is out of bounds: it must be more than 0.",
        ),
        (
            {"type": "webhook", "data-source": {"entity": "a", "method": "gets"}},
            '0/data-source/method: "GETS" is no method. Did you mean "GET"?',
        ),
    ],
)
def test_each_fault_of_shape_is_told_in_words_with_what_is_allowed(step: dict[str, Any], sentence: str) -> None:
    assert only(step) == sentence


def test_a_step_that_is_no_object_is_told_once() -> None:
    assert only("hello") == '0: "hello" is not right here: an object is expected.'


def test_every_unknown_key_of_an_object_is_told_at_its_key() -> None:
    found = check_files(
        {"bot.json": '{\n "id": "a",\n "nmae": "b",\n "lang": "de"\n}', "flow.json": '{"conversations": {}}'}
    )
    assert [(finding.line, finding.column, finding.meant) for finding in found] == [(3, 2, "name"), (4, 2, "language")]
    assert "channels" in found[0].allowed


def test_a_secret_is_never_repeated() -> None:
    bot = {
        "id": "bot",
        "access-token": 123456,
        "channels": [{"id": "a", "type": "rest", "token": ["hunter2"]}],
        "credentials": {"x": {"type": "bearer", "token": 654321}},
    }
    flow = {
        "conversations": {
            "a": {
                "type": "goal",
                "steps": [
                    {
                        "type": "webhook",
                        "data-source": {"endpoint": "https://a.at", "headers": {"Authorization": ["777777"]}},
                    }
                ],
            }
        }
    }
    shown = "\n".join(map(str, check_files(texts(bot, flow))))
    assert shown.count("This secret is not written right") == 4
    for secret in ("123456", "hunter2", "654321", "777777"):
        assert secret not in shown


def test_metadata_that_is_no_object_is_told() -> None:
    definition = {"name": "City", "lookup-strategy": "keywords", "data": [{"value": "a", "metadata": "x"}]}
    assert only(training={"entity-definitions": [definition]}).endswith('"x" is not right here: an object is expected.')


def test_note_and_schema_are_ordinary_keys_in_the_maps_of_the_author() -> None:
    found = check_files(
        {
            "bot.json": '{"id": "a", "note": "n", "$schema": "s"}',
            "flow.json": '{"note": "n", "conversations": {"note": {"type": "goal", "note": "n"}}, "commands": {"note": ["n"]}}',
        }
    )
    assert [finding.path for finding in certain(found)] == ["commands/note"]


@pytest.mark.parametrize("key", ["silence-timeout", "session-timeout"])
@pytest.mark.parametrize("minutes", [5_256_001, 1e15, 1e300])
def test_minutes_that_no_date_can_be_made_of_are_refused(key: str, minutes: float) -> None:
    flow = {"conversations": {}, "settings": {key: minutes}}
    (finding,) = [one for one in check_files(texts({"id": "bot"}, flow)) if one.severity == "error"]
    assert (finding.rule, finding.path) == ("not-allowed", f"settings/{key}")
    assert "it must be at most 5256000" in finding.message


@pytest.mark.parametrize("days", [0, -1, 36_501, 1e300])
def test_days_of_retention_have_their_bounds(days: float) -> None:
    (finding,) = check_files(texts({"id": "bot", "retention-days": days}, {"conversations": {}}))
    assert (finding.rule, finding.path) == ("not-allowed", "retention-days")


def test_days_that_are_no_whole_number_are_refused() -> None:
    (finding,) = check_files(texts({"id": "bot", "retention-days": 30.5}, {"conversations": {}}))
    assert finding.message == "30.5 is not right here: a whole number is expected."


SECRET = "Kq7vXw2LpZ9rT4mN8sYb1cD6fGhJ3k"


@pytest.mark.parametrize(
    ("bot", "flow"),
    [
        ({"id": "bot", SECRET: 1}, {}),
        (
            {"id": "bot"},
            {"data-source": {"endpoint": "https://a.at", "method": "GET", "authentication-method": SECRET}},
        ),
        (
            {
                "id": "bot",
                "credentials": {"office": {"type": "bearer", "token": {"env": "BOT_A"}}},
            },
            {"data-source": {"endpoint": "https://a.at", "method": "GET", "authentication-method": SECRET}},
        ),
        ({"id": "bot", "channels": [{"id": "a", "type": "web", "allowed-origins": [SECRET]}]}, {}),
        ({"id": "bot", "channels": [{"id": "a", "type": "web", "allowed-origins": [f"https://a.at/{SECRET}"]}]}, {}),
    ],
)
def test_no_finding_shows_what_may_be_a_secret(bot: dict[str, Any], flow: dict[str, Any]) -> None:
    found = steps({"type": "webhook", "entity": "a"} | flow, bot=bot)
    assert any(one.severity == "error" for one in found)
    assert not [str(one) for one in found if SECRET in str(one)]


def test_no_finding_shows_an_issuer_that_is_no_address() -> None:
    oidc = {"issuer": SECRET, "client-id": "bot", "client-secret": {"env": "BOT_S"}}
    flow = {"conversations": {}, "settings": {"authentication": {"entity": "login", "oidc": oidc}}}
    found = check_files(texts({"id": "bot"}, flow))
    assert "login-issuer" in {one.rule for one in found}
    assert not [str(one) for one in found if SECRET in str(one)]
