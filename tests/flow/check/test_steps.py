from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.cli.check import finder, reads
from dialoom.flow import Finding, check_files
from dialoom.flow.check.steps import VALIDATIONS
from tests.flow.files import HELP, certain, said, steps, texts


def of_command(command: str, **keys: Any) -> list[str]:
    step = {"type": "command", "command": command} | {key.replace("_", "-"): value for key, value in keys.items()}
    return said(steps(step), "bad-command")


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("stay-silent", {}),
        ("stay-silent 5", {}),
        ("stay-silent 5256000", {}),
        ("stay-silent 0.5", {"live_agent": "desk"}),
        ("go-to book", {}),
        ("invalidate-entity city", {}),
        ("invalidate-entity conversation", {}),
        ("invalidate-entity", {"entities": ["a", "b"]}),
        ("set-entity", {"entity": "a", "data": None}),
        ("set-entity", {"entity": "a", "data": {"x": "{{y}}"}}),
        ("logout", {}),
    ],
)
def test_every_command_of_the_language_is_accepted(command: str, keys: dict[str, Any]) -> None:
    assert of_command(command, **keys) == []


@pytest.mark.parametrize(
    ("command", "keys", "words"),
    [
        ("goto book", {}, 'Did you mean "go-to"?'),
        ("", {}, '"" is no command. Allowed: stay-silent'),
        ("go-to", {}, 'Write "go-to <conversation>"'),
        ("stay-silent long", {}, "stay-silent <minutes>"),
        ("stay-silent 0", {}, "stay-silent <minutes>"),
        ("stay-silent ٣", {}, "stay-silent <minutes>"),
        ("stay-silent 5256000.1", {}, "at most 5256000 minutes, which are ten years"),
        ("stay-silent 1000000000000000", {}, "at most 5256000 minutes"),
        ("stay-silent " + 400 * "9", {}, "at most 5256000 minutes"),
        ("stay-silent 1e9", {}, "stay-silent <minutes>"),
        ("logout now", {}, 'Write "logout"'),
        ("invalidate-entity", {}, "invalidate-entity <name>"),
        ("invalidate-entity a", {"entities": ["b"]}, "invalidate-entity <name>"),
        ("set-entity", {"entity": "a"}, '"data" beside it'),
        ("set-entity", {"data": 1}, '"entity"'),
        ("set-entity a", {"entity": "a", "data": 1}, "says too much"),
        ("logout", {"live_agent": "desk"}, '"live-agent" does not go with logout'),
        ("go-to book", {"entity": "a"}, '"entity" does not go with go-to'),
    ],
)
def test_a_command_that_is_not_complete_or_says_too_much_is_told(
    command: str, keys: dict[str, Any], words: str
) -> None:
    (message,) = of_command(command, **keys)
    assert words in message


def of_validation(kind: str, parameters: dict[str, Any] | None = None, rule: str = "bad-parameters") -> list[str]:
    validation: dict[str, Any] = {"type": kind}
    if parameters is not None:
        validation["parameters"] = parameters
    question = {"type": "question", "entity": "a", "entity-type": "Text", "reactions": {"validations": [validation]}}
    prefix = "conversations/book/steps/0/reactions/validations/0"
    return [message.removeprefix(prefix) for message in said(steps(question), rule)]


def test_each_validation_tells_what_it_needs() -> None:
    assert of_validation("phone") == of_validation("email") == []
    assert of_validation("regex") == [': A regex validation needs "value" in its parameters.']
    assert of_validation("range", {}) == ['/parameters: A range validation needs "min" or "max" in its parameters.']
    assert of_validation("custom", {"condition": None}) == [
        '/parameters: A custom validation needs "condition" in its parameters.'
    ]


def test_a_parameter_of_another_validation_is_told() -> None:
    assert of_validation("length", {"min": 1, "values": ["a"], "note": "n"}) == [
        '/parameters/values: "values" is no parameter of a length validation. Allowed: min, max.'
    ]


def test_every_validation_of_the_model_is_in_the_table() -> None:
    from typing import get_args, get_type_hints

    from dialoom.flow.parts import Validation

    assert set(get_args(get_type_hints(Validation)["type"])) == set(VALIDATIONS)


@pytest.mark.parametrize("limit", [-1, 1.5, "a", True, []])
def test_a_length_is_a_whole_number(limit: object) -> None:
    assert len(of_validation("length", {"max": limit})) == 1


@pytest.mark.parametrize("pattern", ["a(b", "[", "*", "(?P<a", "a{3,1}"])
def test_a_regular_expression_that_cannot_be_read_is_told(pattern: str) -> None:
    assert len(of_validation("regex", {"value": pattern}, "bad-regex")) == 1
    definition = {"name": "Code", "lookup-strategy": "regex", "data": {"pattern": pattern}}
    assert len(said(steps(training={"entity-definitions": [definition]}), "bad-regex")) == 1


@pytest.mark.parametrize(
    ("pattern", "column", "words"),
    [
        (
            "ab(?=c)",
            2,
            "a look ahead that does not stand right behind the first ^, which cannot be searched in linear time. Match what stands there as well",
        ),
        (r"(\w)\1", 5, "a reference to what a group matched"),
        ("(a?){900}b", 4, "takes too long: it costs 54,001, and at most 5,000 are allowed. Ask for fewer times here"),
    ],
)
def test_a_pattern_that_could_hold_up_the_service_is_told_where_it_stands(
    pattern: str, column: int, words: str
) -> None:
    """Columns count the characters of the file, where a backslash is written twice."""
    definition = {"name": "Code", "lookup-strategy": "regex", "data": {"pattern": pattern}}
    training = json.dumps({"entity-definitions": [definition]}, indent=2)
    found = steps(training={"entity-definitions": [definition]})
    (finding,) = [one for one in found if one.rule == "slow-regex"]
    assert (finding.file, finding.severity, finding.prevents_loading) == ("training.json", "error", True)
    assert finding.path == "entity-definitions/0/data/pattern"
    text = json.dumps(pattern)
    place = training.index(text) + 1 + column
    lines = training[:place].split("\n")
    assert (finding.line, finding.column) == (len(lines), len(lines[-1]) + 1)
    assert words in finding.message
    assert len(of_validation("regex", {"value": pattern}, "slow-regex")) == 1


def test_a_pattern_that_python_only_wonders_about_is_no_mistake() -> None:
    assert of_validation("regex", {"value": "[[a]"}, "bad-regex") == []


def of_range(limit: Any, entity_type: str = "Number") -> list[str]:
    validation = {"type": "range", "parameters": {"min": limit}}
    question = {
        "type": "question",
        "entity": "a",
        "entity-type": entity_type,
        "reactions": {"validations": [validation]},
    }
    return said(steps(question), "bad-parameters")


@pytest.mark.parametrize("limit", [1, 2.5, "3", "{{least}}"])
def test_a_limit_of_a_number_is_a_number_or_a_template(limit: Any) -> None:
    assert of_range(limit) == []


@pytest.mark.parametrize("limit", ["a", "", "today", True, [1], {}])
def test_a_limit_that_no_number_can_be_compared_with_is_told(limit: Any) -> None:
    (message,) = of_range(limit)
    assert message.startswith("conversations/book/steps/0/reactions/validations/0/parameters/min: ")


def test_a_limit_of_a_date_may_be_said_as_people_say_it() -> None:
    assert of_range("today", "Date") == []
    assert len(of_range(True, "Date")) == 1


def unread_limits(language: str, entity_type: str, **limits: Any) -> list[Finding]:
    validation = {"type": "range", "parameters": limits, "error-message": ["No."]}
    question = {"type": "question", "entity": "a", "entity-type": entity_type, "messages": ["?"]}
    flow = {
        "conversations": {
            "book": {"type": "goal", "steps": [question | {"reactions": {"validations": [validation]}}]},
            "help": HELP,
        }
    }
    found = check_files(texts({"id": "bot", "language": language}, flow), finder=finder, reads=reads)
    return [one for one in found if one.rule in ("unread-limit", "bad-parameters")]


@pytest.mark.parametrize(
    ("language", "entity_type", "limit"),
    [
        ("en", "Date", "tomorrow"),
        ("en", "Date", "tomorow"),  # an answer is read as leniently
        ("en", "Date", "2030-02-28"),
        ("en", "Date", "28.02.2030"),
        ("en", "Date", "2030-02-28T10:00"),
        ("en", "Date", "{{first}}"),
        ("en", "Date", ""),
        ("de", "Date", "heute"),
        ("de", "Date", "in 3 months"),
        ("en", "Time", "9:00"),
        ("en", "Time", "9 am"),
        ("fr", "Time", "midi"),
        ("en", "Datetime", "tomorrow at 9"),
        ("en", "Text", "m"),
    ],
)
def test_a_limit_may_be_anything_that_is_read_as_the_answer_is(language: str, entity_type: str, limit: Any) -> None:
    assert unread_limits(language, entity_type, min=limit) == []


@pytest.mark.parametrize(
    ("language", "entity_type", "limit"),
    [
        ("en", "Date", "tomrw"),
        ("en", "Date", "today + 3 days"),
        ("en", "Date", "2030-02-30"),
        ("en", "Date", "heute"),
        ("en", "Date", 2030),
        ("en", "Time", "32:00"),
        ("en", "Time", "closing time"),
        ("en", "Time", 9),
        ("de", "Datetime", "irgendwann"),
    ],
)
def test_a_limit_that_is_read_as_no_day_or_hour_is_a_warning(language: str, entity_type: str, limit: Any) -> None:
    (found,) = unread_limits(language, entity_type, max=limit)
    assert (found.rule, found.severity) == ("unread-limit", "warning")
    assert str(found).startswith(
        f"flow.json:{found.line}:{found.column} conversations/book/steps/0/reactions/validations/0/parameters/max: "
        f'"{limit}" is read as no {entity_type} in "{language}", '
    )


def test_a_number_as_limit_is_told_as_an_error_once() -> None:
    assert [one.rule for one in unread_limits("en", "Number", min="abc")] == ["bad-parameters"]


def test_limits_in_words_are_passed_over_where_nobody_lends_the_reading() -> None:
    validation = {"type": "range", "parameters": {"min": "tomrw"}}
    question = {"type": "question", "entity": "a", "entity-type": "Date", "reactions": {"validations": [validation]}}
    assert said(steps(question), "unread-limit") == []


@pytest.mark.parametrize("step", [{"type": "message"}, {"type": "message", "messages": [], "conditions": ["{{a}}"]}])
def test_a_message_step_that_sends_nothing_is_a_warning(step: dict[str, Any]) -> None:
    (found,) = certain(steps(step))
    assert (found.rule, found.severity) == ("no-message", "warning")


def test_a_message_step_may_send_replies_alone() -> None:
    assert steps({"type": "message", "display": {"type": "quick-reply", "data": ["a"]}}) == []


def test_an_image_validation_without_a_labeller_is_a_warning() -> None:
    def of(bot: dict[str, Any]) -> list[str]:
        validation = {"type": "image", "parameters": {"contains": "cat"}}
        reactions = {"validations": [validation]}
        step = {"type": "question", "entity": "photo", "entity-type": "File", "reactions": reactions}
        return said(steps(step, bot=bot), "no-labeller")

    assert of({"id": "bot", "image-labeller": "https://labels.example.com"}) == []
    assert len(of({"id": "bot"})) == len(of({"id": "bot", "image-labeller": ""})) == 1
