"""What has one plain meaning loads in it: methods in small letters, numbers as texts, one text as a list of one."""

from __future__ import annotations

from typing import Any

from dialoom.flow import check_files, read_files
from dialoom.flow.model import Bot
from dialoom.flow.steps import Message, Question, Webhook
from tests.flow.files import texts

TRAINING = {"entity-definitions": []}


def read(*steps: dict[str, Any], **flow: Any) -> Bot:
    conversations = {"a": {"type": "goal", "steps": list(steps)}}
    return read_files(texts({"id": "bot"}, {"conversations": conversations, **flow}, TRAINING))


def question(**more: Any) -> dict[str, Any]:
    return {"type": "question", "entity": "a", "entity-type": "Text", "messages": ["?"]} | more


def test_a_method_is_taken_in_any_case_and_a_header_that_is_a_number_as_its_text() -> None:
    request = {"endpoint": "https://a.example", "method": "options", "headers": {"X-Version": 2, "X-Rate": 1.5}}
    (step,) = read({"type": "webhook", "data-source": request}).flow.conversations["a"].steps
    assert isinstance(step, Webhook)
    assert (step.data_source.method, step.data_source.headers) == ("OPTIONS", {"X-Version": "2", "X-Rate": "1.5"})


def test_one_text_is_a_list_of_one() -> None:
    checks = [{"type": "image", "parameters": {"contains": "car"}, "error-message": "No car."}]
    asked = question(messages="What?", reactions={"validations": checks, "acknowledgements": "Fine."})
    bot = read(asked, {"type": "message", "messages": "Hello"}, commands={"NEXT-PAGE": "more"})
    first, second = bot.flow.conversations["a"].steps
    assert isinstance(first, Question)
    assert isinstance(second, Message)
    assert (first.messages, second.messages) == (("What?",), ("Hello",))
    assert first.reactions.acknowledgements == ("Fine.",)
    assert first.reactions.validations[0].error_message == ("No car.",)
    assert first.reactions.validations[0].parameters.contains == ("car",)
    assert bot.commands.next_page == ("more",)


def test_static_options_that_are_numbers_are_texts_unless_a_template_makes_the_options() -> None:
    display = {"type": "quick-reply", "data": [1, 2.5, {"title": 3, "value": 4}]}
    (step,) = read(question(display=display)).flow.conversations["a"].steps
    assert isinstance(step, Question)
    assert getattr(step.display, "data", None) == ("1", "2.5", {"title": "3", "value": "4"})
    (step,) = read(question(display=display | {"template": "{{this}}"})).flow.conversations["a"].steps
    assert isinstance(step, Question)
    assert getattr(step.display, "data", None) == (1, 2.5, {"title": 3, "value": 4})


def findings_of(*steps: dict[str, Any]) -> list[tuple[str, str, str]]:
    flow = {"conversations": {"help": {"type": "goal", "steps": list(steps)}}}
    found = check_files(texts({"id": "bot"}, flow, TRAINING))
    return [(one.rule, one.severity, one.message) for one in found]


def test_a_condition_without_braces_does_not_load_and_the_finding_has_the_right_form() -> None:
    for bare, right in (
        ("status == 200", "{{$eq status 200}}"),
        ("_response.status !== 404", "{{$ne _response.status 404}}"),
        ("age >= 18", "{{$gte age 18}}"),
        ("$has name", "{{$has name}}"),
        ("{$has name}", "{{$has name}}"),
        ("${paid}", "{{paid}}"),
        ("!paid", "{{$not paid}}"),
        ("not $has name", "{{$not ($has name)}}"),
        ("a == 1 && b == 'x and y'", "{{$and ($eq a 1) ($eq b 'x and y')}}"),
        ("a != 'b or c' or age < 18", "{{$or ($ne a 'b or c') ($lt age 18)}}"),
    ):
        ((rule, severity, message),) = findings_of({"type": "message", "messages": ["a"], "conditions": [bare]})
        assert (rule, severity) == ("bare-condition", "error")
        assert message.endswith(f'Write "{right}".')
    checks = [{"type": "custom", "parameters": {"condition": "a == 1"}, "error-message": ["No."]}]
    assert [rule for rule, *_ in findings_of(question(reactions={"validations": checks}))] == ["bare-condition"]


def test_a_currency_that_is_none_and_one_without_quotes_are_told() -> None:
    def told(text: str) -> list[str]:
        return [one[2] for one in findings_of({"type": "message", "messages": [text]}) if one[0] == "bad-currency"]

    assert told("{{$currency price 'EUR'}} {{$currency price code}}") == []
    assert told("{{$currency price 'Dollars'}}")[0].startswith('"Dollars" is no code')
    assert told("{{#if price}}{{$currency price USD}}{{/if}}") == [
        "USD without quotes is a name in memory. Write 'USD'."
    ]
    assert told("{{$currency price eur}}") == ["eur without quotes is a name in memory. Write 'EUR'."]
    assert told("{{$currency price null}}")[0].startswith("null is no code")


def test_a_currency_of_a_question_that_is_none_and_one_where_no_amount_is_asked_for_are_told() -> None:
    def told(type: str, code: str) -> list[str]:
        asked = question(currency=code) | {"entity-type": type}
        return [message for rule, _, message in findings_of(asked) if rule == "bad-currency"]

    assert told("Amount", "CHF") == []
    assert told("Amount", "Euro")[0].startswith('"Euro" is no code of a currency')
    assert told("Amount", "XQX")[0].startswith('"XQX" is no code of a currency')
    assert told("Number", "EUR") == ['"currency" is for questions of the type Amount, not for Number.']


def test_a_selector_that_cannot_be_read_is_not_said_to_be_read() -> None:
    source = {"endpoint": "https://api.example.com", "method": "GET", "selector": "Result[]"}
    assert [rule for rule, *_ in findings_of({"type": "webhook", "data-source": source})] == ["bad-template"]
