"""What a user types who sees a list as text, behind a button or on a page elsewhere: a place, a number, a title."""

from __future__ import annotations

import pytest

from dialoom.messages import Profile
from tests.engine.talking import Chat, bot, confirm, goal, keywords, q, say, trait

BOOK = trait(book=["book"], stop=["the third"])
COLOURS = keywords("Colour", red=["scarlet"], green=[], blue=["navy blue"], black=[])
HOURS = keywords("Hour", **{f"{hour}:00": [] for hour in range(10, 24)})
DOCTORS = keywords("Doctor")
"""A type without values of its own: those of its questions come from data sources."""
NAMES = ["Doctor Adams", "Doctor Baker", "Doctor Clark", "Bed and breakfast"]
SOURCE = "https://clinic.example/doctors"
BROWSER = Profile(id="u1", channel="web", provider="web")
NUMBERED = Profile(id="u1", channel="tg", provider="messenger-3")
"""Of a channel that writes the options of a multi-select into the text, each behind its number."""


class Asked(Chat):
    """A chat in which the question is open."""

    def __init__(self, kind: str, type: str, *more: dict[str, object], who: Profile = BROWSER) -> None:
        display: dict[str, object] = {"type": kind, "title": "Open", "button-text": "OK"}
        if type == "Doctor":
            display["data-source"] = {"endpoint": SOURCE, "method": "GET"}
            display["template"] = {"title": "{{name}}", "value": "{{id}}"}
        elif kind == "carousel":
            display["template"] = {"title": "{{value}}"}
        if type in {"Text", "Number"}:
            display["data"] = {"Text": ["Red", "Green", "Blue"], "Number": ["10", "20", "30"]}[type]
        steps = (q("choice", type, display=display), *more, say("{{choice}}."))
        types = [one for one in (COLOURS, HOURS, DOCTORS) if one["name"] == type]
        flow = bot({"book": goal(*steps), "stop": goal(say("Stopped."))}, *types, BOOK)
        super().__init__(flow, {SOURCE: [{"id": f"d{at}", "name": name} for at, name in enumerate(NAMES, 1)]})
        self.who = who
        self.types("book")

    def types(self, text: str) -> str:
        """Return the first of what the bot says to a text."""
        return self.say(text, profile=self.who)[0]


NOT_SURE = "I am not sure I understood what you said."


@pytest.mark.parametrize("kind", ["single-select", "multi-select", "carousel"])
@pytest.mark.parametrize(
    ("text", "answer"),
    [("the second", "blue."), ("2", "blue."), ("the last one", "red."), ("gren", "green."), ("geren", "green.")],
)
def test_one_of_a_list_is_chosen_by_its_place_or_by_its_title_with_a_slip(kind: str, text: str, answer: str) -> None:
    assert Asked(kind, "Colour").types(text) == answer


@pytest.mark.parametrize("who", [BROWSER, NUMBERED])
@pytest.mark.parametrize("text", ["1, 3", "1 and 3", "1,3", "1 & 3", "the first and the third", "black, green"])
def test_several_of_a_list_are_chosen_by_their_numbers_places_or_titles(text: str, who: Profile) -> None:
    assert Asked("multi-select", "Colour", who=who).types(text) == "black, green."


@pytest.mark.parametrize("text", ["1, 3", "1 and 3"])
@pytest.mark.parametrize("kind", ["single-select", "carousel"])
def test_a_list_of_which_one_is_chosen_takes_no_two(kind: str, text: str) -> None:
    assert Asked(kind, "Colour").types(text) == NOT_SURE


# ---- a list that the channel has numbered --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"), [("12, 14", "21:00, 23:00."), ("1", "10:00."), ("2 and 3", "11:00, 12:00.")]
)
def test_the_numbers_before_the_options_count_whatever_numbers_the_titles_have(text: str, answer: str) -> None:
    assert Asked("multi-select", "Hour", who=NUMBERED).types(text) == answer


def test_a_number_that_stands_before_no_option_chooses_none_of_the_others_either() -> None:
    assert Asked("multi-select", "Hour", who=NUMBERED).types("1, 15") == NOT_SURE


@pytest.mark.parametrize("type", ["Text", "Number"])
def test_numbers_before_options_are_no_text_and_no_quantity(type: str) -> None:
    assert Asked("multi-select", type, who=NUMBERED).types("1, 3") == {"Text": "Red, Blue.", "Number": "10, 30."}[type]


def test_the_options_own_words_go_before_the_numbers_of_the_list() -> None:
    assert Asked("multi-select", "Number", who=NUMBERED).types("20, 30") == "20, 30."


def test_where_nothing_is_numbered_any_text_stays_the_whole_text() -> None:
    assert Asked("multi-select", "Text").types("1, 3") == "1, 3."


# ---- options of a data source --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single-select", "multi-select", "carousel"])
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Doctor Clark", "d3."),
        ("docter clark", "d3."),
        ("doctor bakr", "d2."),
        ("bed and breakfats", "d4."),
        ("2", "d2."),
    ],
)
def test_an_option_of_a_data_source_is_chosen_by_its_title_with_slips(kind: str, text: str, answer: str) -> None:
    assert Asked(kind, "Doctor").types(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Doctor Adams, Doctor Clark", "d1, d3."),
        ("doctor adams and docter clark", "d1, d3."),
        ("doctor adams, doctor clark and bed and breakfast", "d1, d3, d4."),
        ("I would like to see doctor clark or else doctor adams", "d3, d1."),
        ("bed and breakfast, doctor clark", "d4, d3."),
        ("doctor clark, doctor clark", "d3."),
    ],
)
def test_several_options_of_a_data_source_are_listed_by_their_titles(text: str, answer: str) -> None:
    assert Asked("multi-select", "Doctor").types(text) == answer


# ---- what goes first -----------------------------------------------------------------------------------------------


def test_what_the_question_reads_itself_goes_before_a_place() -> None:
    """Two is a number of its type, and none of the options."""
    assert Asked("single-select", "Number").types("20") == "20."
    assert Asked("single-select", "Number").types("the second one") == "20."


def test_a_trained_expression_goes_before_a_place() -> None:
    assert Asked("multi-select", "Colour", who=NUMBERED).types("the third") == "Stopped."


def test_a_quantity_is_no_place_of_a_long_list() -> None:
    flow = bot(
        {"book": goal(q("item", "Item", display={"type": "single-select", "title": "Open"}), say("{{item}}."))},
        keywords(
            "Item", **{f"thing {letter}{other}": [] for letter in "abcdefghijklmnopqrst" for other in "abcdefghij"}
        ),
        trait(book=["book"]),
    )
    for text in ("5 people", "there are 5 of us", "we are 5"):
        chat = Chat(flow)
        chat.say("book")
        assert chat.say(text)[0] == NOT_SURE, text


@pytest.mark.parametrize("who", [BROWSER, NUMBERED])
def test_a_yes_or_no_has_no_places_on_any_channel(who: Profile) -> None:
    chat = Chat(bot({"book": goal(confirm("sure"), say("{{sure}}"))}, trait(book=["book"])))
    chat.say("book", profile=who)
    assert chat.say("2", profile=who)[0].startswith("Nothing is done yet.")
