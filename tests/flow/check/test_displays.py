from __future__ import annotations

from typing import Any

from dialoom.cli.check import finder
from dialoom.flow import Finding, check_files
from tests.flow.files import certain, said, steps, texts

CITIES = {
    "entity-definitions": [
        {
            "name": "City",
            "lookup-strategy": "keywords",
            "data": [{"value": "Vienna", "synonyms": ["Wien"]}, {"value": "São Paulo"}],
        },
        {"name": "Code", "lookup-strategy": "regex", "data": {"pattern": "[A-Z]+"}},
    ]
}
DATA_SOURCE = {"endpoint": "https://a.at", "method": "GET"}


def of_display(display: dict[str, Any], entity_type: str = "City", **more: Any) -> list[Finding]:
    question = {"type": "question", "entity": "a", "entity-type": entity_type, "display": display}
    return steps(question, training=CITIES, **more)


def rules(display: dict[str, Any], entity_type: str = "City", **more: Any) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity) for finding in of_display(display, entity_type, **more)]


def test_the_replies_of_a_message_step_must_come_from_somewhere() -> None:
    found = steps({"type": "message", "display": {"type": "quick-reply", "template": "{{this}}"}})
    assert [(finding.rule, finding.severity) for finding in found] == [("no-options", "error")]


def test_options_come_from_the_values_of_the_type_when_none_are_given() -> None:
    assert rules({"type": "quick-reply"}) == []


def test_a_question_with_nothing_to_offer_is_a_warning() -> None:
    assert rules({"type": "quick-reply"}, "Number") == [("no-options", "warning")]
    assert rules({"type": "quick-reply"}, "Code") == [("no-options", "warning")]
    assert rules({"type": "quick-reply", "data": ["1"]}, "Number") == []


def test_static_options_are_texts_or_have_a_title_unless_a_template_makes_one() -> None:
    odd = [True, {"value": "Vienna"}, "Vienna", 1]
    assert [rule for rule, _ in rules({"type": "quick-reply", "data": odd}, "Text")] == ["bad-option"] * 2
    assert rules({"type": "quick-reply", "data": odd, "template": "{{value}}"}, "Text") == []


def test_a_static_option_that_its_type_does_not_know_is_an_error_that_lets_the_bot_load() -> None:
    data = ["vienna", "WIEN", "Sao Paulo", {"title": "**Vienna** now", "value": "wien"}, {"title": "Viena"}, "{{city}}"]
    (found,) = certain(of_display({"type": "quick-reply", "data": data}))
    assert found.path.endswith("display/data/4/title")
    assert (found.rule, found.severity, found.prevents_loading) == ("unmatched-option", "error", False)
    assert found.message.endswith('Did you mean "Vienna"?')


def test_an_option_with_a_value_among_other_words_is_no_mistake_since_choosing_it_is_understood() -> None:
    pizza = {"name": "Pizza", "lookup-strategy": "keywords", "data": [{"value": "Large pizza"}, {"value": "Small one"}]}
    data = ["Large pizza, extra text", "Largee pizza", "Calzone", {"title": "Calzone", "value": "small one please"}]
    asked = {"type": "question", "entity": "p", "entity-type": "Pizza", "messages": ["Which?"]}
    display = {"type": "quick-reply", "data": data}
    flow = {"conversations": {"help": {"type": "goal", "steps": [asked | {"display": display}]}}}
    found = check_files(texts({"id": "bot"}, flow, {"entity-definitions": [pizza]}), finder=finder)
    assert [(one.rule, one.path.rpartition("/")[2]) for one in found] == [("unmatched-option", "2")]


def test_a_carousel_needs_a_template_with_a_title_and_wants_an_image() -> None:
    assert rules({"type": "carousel", "data-source": DATA_SOURCE}) == [("missing-key", "error")]
    assert rules({"type": "carousel", "data-source": DATA_SOURCE, "template": {"image": "{{i}}"}}) == [
        ("missing-key", "error")
    ]
    assert rules({"type": "carousel", "data-source": DATA_SOURCE, "template": {"title": "{{t}}"}}) == [
        ("default-taken", "warning")
    ]


def test_a_title_that_has_a_default_is_a_warning() -> None:
    assert rules({"type": "single-select", "data": ["Vienna"]}) == [("default-taken", "warning")]
    assert rules({"type": "single-select", "data": ["Vienna"], "title": "Choose"}) == []


def test_a_carousel_needs_its_title_only_where_the_bot_speaks_on_messenger_2() -> None:
    display = {"type": "carousel", "data-source": DATA_SOURCE, "template": {"title": "{{t}}", "image": "{{i}}"}}
    assert rules(display) == []
    assert rules(display, bot={"id": "bot", "channels": [{"id": "v", "type": "messenger-2"}]}) == [
        ("default-taken", "warning"),
        ("falls-back", "warning"),
    ]


def test_pictures_that_a_channel_does_not_show_are_one_warning_for_all_such_channels() -> None:
    display = {"type": "quick-reply", "data": [{"title": "Vienna", "image": "https://a.test/v.png"}]}
    channels = [{"id": type, "type": type} for type in ("web", "messenger-1", "messenger-3", "voice-assistant")]
    assert said(of_display(display), "not-shown") == []
    (told,) = said(of_display(display, bot={"id": "bot", "channels": channels}), "not-shown")
    assert "not shown on messenger-3 and voice-assistant." in told
    plain = {"type": "quick-reply", "data": ["Vienna"]}
    assert said(of_display(plain, bot={"id": "bot", "channels": channels}), "not-shown") == []


def test_options_from_two_places_are_a_warning() -> None:
    display = {"type": "quick-reply", "data": ["Vienna"], "data-source": DATA_SOURCE}
    assert [finding.severity for finding in of_display(display)] == ["warning"]
    assert len(said(of_display(display), "two-sources")) == 1


def test_days_of_a_date_picker_are_days() -> None:
    def found(**display: Any) -> list[str]:
        shown = {"type": "date-picker", "title": "Choose", **display}
        question = {"type": "question", "entity": "a", "entity-type": "Date", "display": shown}
        flow = {"conversations": {"book": {"type": "goal", "steps": [question]}}}
        return said(check_files(texts({"id": "bot"}, flow, CITIES), finder=finder), "bad-day")

    assert found(min="today", max="{{last}}", off=["Sunday", "2030-12-25", "{{closed}}"]) == []
    no_day, misspelt = found(min="2030-02-30", off=["sundya"])
    assert '"2030-02-30" is no day. ' in no_day
    assert 'Did you mean "sunday"?' in misspelt
    (no_room,) = found(min="2030-02-02", max="2030-02-01")
    assert '"max" is before "min" (2030-02-02)' in no_room
    week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    (no_weekday,) = found(off=week)
    assert "Every weekday is off" in no_weekday


def test_a_picker_and_the_range_of_its_question_name_the_same_limits() -> None:
    def found(display: dict[str, Any], *validations: dict[str, Any]) -> list[str]:
        question = {"type": "question", "entity": "a", "entity-type": "Date", "display": display}
        checked = [{**one, "error-message": ["No."]} for one in validations]
        whole = question | {"reactions": {"validations": checked}}
        return [one.path.rpartition("/")[2] for one in steps(whole, training=CITIES) if one.rule == "days-differ"]

    picker = {"type": "date-picker", "title": "Choose"}
    limits = {"type": "range", "parameters": {"min": "today"}}
    assert found(picker, limits) == ["display"]
    assert found(picker | {"min": "today"}, limits) == []
    assert found(picker | {"min": "today", "max": "2030-01-01"}, limits) == ["max"]
    assert found(picker | {"min": "today"}, {"type": "custom", "parameters": {"condition": "{{a}}"}}) == []


def test_places_have_a_title_and_stand_on_the_earth() -> None:
    def found(places: dict[str, Any]) -> list[tuple[str, str]]:
        return rules({"type": "location-picker", "title": "Choose", "places": places}, "Location")

    harbour = {"title": "Harbour", "latitude": 53.5, "longitude": "9.97"}
    assert found({"data": [harbour]}) == []
    assert (
        found({"data": [{"latitude": 1, "longitude": 1}, harbour | {"latitude": 91}]}) == [("bad-place", "error")] * 2
    )
    assert found({"data": [{"name": "a"}], "template": {"title": "{{name}}"}}) == []
    assert found({}) == [("no-options", "error")]
    assert found({"data": [harbour], "data-source": DATA_SOURCE}) == [("two-sources", "warning")]
