"""Adaptive Cards of dialogs, and what their submits are read as."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom.channels._contract import adaptive_cards as cards
from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.engine.events import Picked, Said
from dialoom.messages import Dialog, Option, Profile

COMMON: dict[str, Any] = {**UNSET_FIELDS, "profile": Profile(id="ada")}
TWINS = tuple(Option(title="Tea", value=value, key=f"3.{index}") for index, value in enumerate(("green", "black")))


def _dialog(type: Any, options: tuple[Option, ...] = TWINS) -> Dialog:
    return Dialog(type=type, title="Choose", button_text="Take it", options=options, key="3")


def _submitted(card: dict[str, Any], inputs: dict[str, str]) -> Any:
    """What a client sends when the card's one button is pressed: its data with the inputs beside."""
    return card["actions"][0]["data"] | inputs


def test_options_of_equal_titles_differ_by_their_keys() -> None:
    [card] = cards.dialog_cards(_dialog("single-select"))
    [asked] = card["body"]
    assert asked["choices"] == [{"title": "Tea", "value": "3.0"}, {"title": "Tea", "value": "3.1"}]
    value = _submitted(card, {asked["id"]: "3.1"})
    assert cards.read_submit(value, COMMON) == Picked(**COMMON, key="3.1")


def test_several_choices_come_back_as_their_keys() -> None:
    [card] = cards.dialog_cards(_dialog("multi-select"))
    [asked] = card["body"]
    assert asked["isMultiSelect"]
    value = _submitted(card, {asked["id"]: "3.1,3.0"})
    assert cards.read_submit(value, COMMON) == Picked(**COMMON, keys=("3.1", "3.0"))


def test_a_date_names_the_asking_that_it_answers() -> None:
    [card] = cards.dialog_cards(_dialog("date-picker", ()))
    [asked] = card["body"]
    value = _submitted(card, {asked["id"]: "2026-11-23"})
    assert cards.read_submit(value, COMMON) == Picked(**COMMON, value="2026-11-23", ask="3")


def test_a_carousel_has_a_card_for_each_option() -> None:
    options = (Option(title="Tea", value=1, key="3.0", subtitle="hot", image="https://t.example/1"), TWINS[1])
    first, second = cards.dialog_cards(_dialog("carousel", options))
    assert [part["type"] for part in first["body"]] == ["Image", "TextBlock", "TextBlock"]
    assert first["actions"][0]["title"] == second["actions"][0]["title"] == "Take it"
    assert cards.read_submit(_submitted(second, {}), COMMON) == Picked(**COMMON, key="3.1")


def test_options_of_no_question_are_said_by_their_titles() -> None:
    options = (Option(title="Tea", value=1), Option(title="Milk", value=2))
    [card] = cards.dialog_cards(Dialog(type="single-select", button_text="Take it", options=options))
    [asked] = card["body"]
    assert cards.read_submit(_submitted(card, {asked["id"]: "Milk"}), COMMON) == Said(**COMMON, text="Milk")


def test_a_required_input_says_what_is_missing() -> None:
    [asked] = cards.dialog_cards(_dialog("date-picker", ()))[0]["body"]
    assert (asked["isRequired"], asked["errorMessage"]) == (True, "Choose")


def test_a_long_list_is_a_menu() -> None:
    options = tuple(Option(title=str(number), value=number, key=f"3.{number}") for number in range(11))
    few, many = (cards.dialog_cards(_dialog("single-select", part))[0]["body"][0] for part in (options[:10], options))
    assert (few["style"], many["style"]) == ("expanded", "compact")


def test_system_buttons_of_quick_replies_stand_in_a_set_of_their_own() -> None:
    replies = (*TWINS, Option(title="Next 5", value="Next 5", key="3.n", system="next"))
    card = cards.replies_card("Which?", replies, lambda title, brings: {"displayText": title, "value": brings})
    text, own, system = card["body"]
    assert (text["text"], len(own["actions"]), len(system["actions"])) == ("Which?", 2, 1)
    assert own["actions"][1]["data"] == {"displayText": "Tea", "value": {"option": "3.1"}}


@pytest.mark.parametrize("type", ["single-select", "multi-select", "carousel"])
def test_a_dialog_without_options_has_no_card(type: str) -> None:
    assert cards.dialog_cards(_dialog(type, ())) == []


def test_dialogs_that_no_card_shows_have_none() -> None:
    assert cards.dialog_cards(_dialog("location-picker", ())) == cards.dialog_cards(_dialog("login", ())) == []


@pytest.mark.parametrize("value", [None, "3.1", [], {}, {"option": 3}, {"other": "3.1"}, {"ask": "3"}])
def test_what_no_button_of_ours_brings_is_no_choice(value: Any) -> None:
    assert cards.read_submit(value, COMMON) is None


def test_a_card_that_was_submitted_empty_names_no_option() -> None:
    assert cards.read_submit({"ask": "3", "options": ","}, COMMON) == Picked(**COMMON, key="")


def test_the_input_of_a_date_keeps_to_the_first_and_the_last_day() -> None:
    dialog = msgspec.structs.replace(_dialog("date-picker", ()), min="2030-01-01", max="2030-12-31", off=("sunday",))
    asked = next(part for part in cards.dialog_cards(dialog)[0]["body"] if part["type"] == "Input.Date")
    assert (asked["min"], asked["max"]) == ("2030-01-01", "2030-12-31")
