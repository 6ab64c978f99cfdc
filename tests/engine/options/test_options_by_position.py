"""A shown option that is named by its place: "the second one"."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, keywords, q, quick, say, support, trait

ROOMS = keywords("Room", sea=["sea view"], garden=["garden view"], court=[], attic=[], cellar=[], tower=[], barn=[])
BOOK = trait(book=["book"])


def booking(*more: dict[str, object], kind: str = "quick-reply", **question: object) -> Chat:
    display: dict[str, object] = (
        quick() if kind == "quick-reply" else {"type": kind, "title": "Open", "button-text": "OK"}
    )
    if kind == "carousel":
        display["template"] = {"title": "{{value}}"}
    flow = bot({"book": goal(q("room", "Room", display=display, **question), *more, say("{{room}}."))}, ROOMS, BOOK)
    chat = Chat(flow)
    chat.say("book")
    return chat


@pytest.mark.parametrize(
    ("text", "room"), [("the second one", "barn"), ("2", "barn"), ("first", "attic"), ("3", "cellar")]
)
def test_a_reply_is_chosen_by_its_place(text: str, room: str) -> None:
    chat = booking()
    assert chat.say(text) == [f"{room}."]


def test_the_last_is_that_of_the_page_which_is_shown() -> None:
    assert booking().say("the last one")[-1].startswith("garden.")
    chat = booking()
    chat.say("Next 5")
    assert chat.say("the last one")[-1].startswith("tower.")
    chat = booking()
    chat.say("Next 5")
    assert chat.say("the first")[-1].startswith("sea.")


def test_an_option_that_is_not_shown_is_not_chosen() -> None:
    chat = booking()
    assert chat.say("the seventh one")[0].startswith("I am not sure")


def test_a_question_for_a_number_elsewhere_does_not_take_the_place() -> None:
    chat = booking(q("guests", "Number"))
    assert chat.say("2") == ["guests?"]
    assert chat.state.entities["room"]["value"] == "barn"
    assert chat.say("2")[-1].startswith("barn.")


def test_a_quantity_is_no_position() -> None:
    chat = booking(q("guests", "Number"))
    chat.say("I want 2")
    assert chat.state.entities == {"guests": 2}


def test_what_the_question_itself_reads_goes_first() -> None:
    flow = bot({"book": goal(q("day", "Date", display=quick("tomorrow", "today")), say("{{day}}"))}, BOOK)
    chat = Chat(flow)
    chat.say("book")
    assert chat.say("the second") == ["2026.12.02"]
    chat = Chat(flow)
    chat.say("book")
    assert chat.say("the second one") == ["2026.11.20"]


def test_any_text_stays_the_whole_text() -> None:
    chat = Chat(bot({"book": goal(q("name", display=quick("Ada", "Bob")), say("{{name}}"))}, BOOK))
    chat.say("book")
    assert chat.say("the second one") == ["the second one"]


def test_a_yes_or_no_has_no_places() -> None:
    chat = Chat(bot({"book": goal(confirm("sure"), say("{{sure}}"))}, BOOK))
    chat.say("book")
    assert chat.say("2")[0].startswith("Nothing is done yet.")


def test_a_trained_expression_says_what_it_is_trained_for() -> None:
    flow = bot(
        {"book": goal(q("room", "Room", display=quick()), say("{{room}}")), "more": goal(say("More."))},
        ROOMS,
        trait(book=["book"], more=["the second one"]),
    )
    chat = Chat(flow)
    chat.say("book")
    assert chat.say("the second one")[0] == "More."


def test_an_ambiguity_is_settled_by_its_place() -> None:
    types = keywords("City", Springfield_IL=["springfield"], Springfield_MA=["springfield"])
    question = q("city", "City", reactions={"ambiguities": ["Which one?"]})
    chat = Chat(bot({"book": goal(question, say("{{city}}"))}, types, BOOK))
    chat.say("book")
    assert chat.say("springfield")[0].startswith("Which one?")
    assert chat.say("the second one") == ["Springfield_MA"]


def test_several_are_chosen_where_several_may_be() -> None:
    chat = booking(capture_multiple_values=True)
    assert chat.say("the first and the third") == ["attic, cellar."]
    chat = booking()
    assert chat.say("the first and the third")[0].startswith("I am not sure")


@pytest.mark.parametrize("kind", ["carousel", "single-select", "multi-select"])
def test_cards_and_lists_have_places(kind: str) -> None:
    assert booking(kind=kind).say("the second one") == ["barn."]


MENU = {
    "welcome": support(say("Hello.", display=quick("Book a room", "Prices"))),
    "book": goal(q("room", "Room", display=quick())),
    "prices": support(say("Ten a night.")),
    "help": support(say("Help.")),
}
WISHES = trait(book=["book a room"], prices=["prices"])


@pytest.mark.parametrize(("text", "said"), [("the second one", "Ten a night."), ("1", "room?"), ("the third", "Help.")])
def test_a_suggestion_is_chosen_by_its_place_as_if_it_had_been_typed(text: str, said: str) -> None:
    chat = Chat(bot(MENU, ROOMS, WISHES))
    chat.say("hello")
    assert chat.say(text)[-1].startswith(said)


def test_suggestions_have_places_only_while_they_stand_last() -> None:
    chat = Chat(bot(MENU, ROOMS, WISHES))
    chat.say("hello")
    chat.say("prices")
    assert chat.say("the second one") == ["Help."]
    chat = Chat(bot(MENU, ROOMS, WISHES))
    chat.say("book a room")
    chat.say("the second one")
    assert chat.goals == ["book"]
    assert chat.say("the second one") == ["Help."]


def test_suggestions_of_a_session_that_is_over_have_no_places() -> None:
    chat = Chat(bot(MENU, ROOMS, WISHES))
    chat.say("hello")
    chat.wait(2000)
    assert chat.say("the second one")[0].startswith("Hello.")
    assert chat.goals == []


def test_of_two_offered_days_the_second_is_the_second_one_offered() -> None:
    chat = Chat(bot({"go": goal(q("day", "Date"), q("mail", "Email"))}, trait(go=["los"]), language="de"))
    chat.say("los")
    assert chat.say("am 3. oder 4. dezember") == ["day? [2026.12.03] [2026.12.04]"]
    chat.say("der zweite")
    assert chat.memory["day"] == "2026-12-04"
