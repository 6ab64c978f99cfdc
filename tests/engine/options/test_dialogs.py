"""The six displays as the engine sends them, and what their answers become (flow-language.md section 8)."""

from typing import Any

import pytest

from dialoom.engine.events import Located
from dialoom.engine.options.shown_days import MAX_OFF_DAYS
from dialoom.messages import Dialog, Option
from tests.engine.talking import Chat, bot, do, goal, keywords, q, quick, say, trait

GO = trait(go=["go"])
INVALID = "I am not sure I understood what you said."
COLOR = {
    "name": "color",
    "lookup-strategy": "keywords",
    "data": [
        {"value": "red", "synonyms": [], "metadata": {"hex": "#f00"}},
        {"value": "blue", "synonyms": ["navy"], "metadata": {"hex": "#00f"}},
    ],
}


def asking(
    display: dict, type: str = "Text", *types: dict, language: str = "en", text: str = "{{x}}", **more: Any
) -> Chat:
    steps = (q("x", type, display=display, **more), say(text))
    return Chat(bot({"go": goal(*steps)}, GO, *types, language=language))


def dialog_of(chat: Chat) -> Dialog:
    dialog = chat.messages[-1].dialog
    assert dialog is not None
    return dialog


@pytest.mark.parametrize(
    ("display", "language", "title", "button"),
    [
        ({"type": "location-picker"}, "en", "Open", "Submit"),
        ({"type": "date-picker"}, "de", "Öffnen", "Senden"),
        ({"type": "single-select", "data": ["a"]}, "fr", "Ouvrir", "Envoyer"),
        ({"type": "multi-select", "data": ["a"]}, "bg", "Отваряне", "Изпращане"),
        ({"type": "carousel", "data": ["a"], "template": {"title": "{{this}}"}}, "en", "Open", "Select"),
        ({"type": "carousel", "data": ["a"], "template": {"title": "{{this}}"}}, "tr", "Aç", "Seç"),
        ({"type": "date-picker", "title": "", "button-text": ""}, "en", "Open", "Submit"),
        ({"type": "date-picker", "title": "{{nothing}}"}, "en", "Open", "Submit"),
        (
            {"type": "date-picker", "title": "When, {{user.FirstName}}?", "button-text": "Take"},
            "en",
            "When, Ada?",
            "Take",
        ),
    ],
)
def test_titles_and_buttons_have_defaults_in_the_bots_language(
    display: dict, language: str, title: str, button: str
) -> None:
    chat = asking(display, language=language)
    chat.say("go")
    shown = dialog_of(chat)
    assert (shown.type, shown.title, shown.button_text) == (display["type"], title, button)


def test_a_dialog_names_its_asking_and_its_options_begin_with_it() -> None:
    chat = asking({"type": "single-select", "data": ["a", "b"]})
    chat.say("go")
    assert dialog_of(chat).key == "1"
    assert [option.key for option in dialog_of(chat).options] == ["1.0", "1.1"]
    chat.say("a")
    chat.say("go")
    assert dialog_of(chat).key == "2"


def test_a_repeated_question_keeps_its_key() -> None:
    chat = asking({"type": "date-picker"}, "Date")
    chat.say("go")
    key = dialog_of(chat).key
    assert chat.say("banana") == [INVALID, "x? <date-picker: >"]
    assert dialog_of(chat).key == key


# ---- where options come from ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single-select", "multi-select", "carousel"])
def test_options_come_from_data_a_source_an_entity_or_the_type(kind: str) -> None:
    template = {"title": "{{this}}"}
    cards = [{"title": "red"}, {"title": "blue"}]
    for display, told in (
        ({"data": ["red", "blue"], "template": template}, {}),
        ({"data-source": {"endpoint": "https://api.test/colors"}, "template": {"title": "{{title}}"}}, {}),
        ({"data-source": {"entity": "colors"}, "template": {"title": "{{title}}"}}, {"colors": cards}),
    ):
        chat = asking({"type": kind, **display}, "color", COLOR)
        chat.answers["https://api.test/colors"] = cards
        assert chat.say("go", context=told) == [f"x? <{kind}: red, blue>"]
        assert chat.tap("red") == ["red"]
    chat = asking({"type": kind, "template": {"title": "{{value}} {{hex}}"}}, "color", COLOR)
    assert chat.say("go") == [f"x? <{kind}: blue #00f, red #f00>"]
    assert chat.tap("blue #00f") == ["blue"]


def test_a_dialog_shows_all_its_options_and_is_never_paged() -> None:
    data = [str(number) for number in range(40)]
    chat = asking({"type": "carousel", "data": data, "template": {"title": "{{this}}"}})
    chat.say("go")
    assert len(dialog_of(chat).options) == 40
    assert chat.messages[-1].replies == ()
    assert chat.say("next 5") == ["next 5"]


def test_a_card_has_a_subtitle_an_image_and_its_title_as_its_value() -> None:
    template = {"title": "**{{name}}**", "subtitle": "{{text}}", "image": "https://a.test/{{id}}.png"}
    display = {
        "type": "carousel",
        "data": [{"name": "A", "text": "first", "id": 1}, {"name": "B", "id": 2}],
        "template": template,
    }
    chat = asking(display)
    chat.say("go")
    assert dialog_of(chat).options == (
        Option("**A**", "A", "1.0", subtitle="first", image="https://a.test/1.png"),
        Option("**B**", "B", "1.1", image="https://a.test/2.png"),
    )
    assert chat.tap("**B**") == ["B"]


def test_a_typed_title_or_value_chooses_as_well() -> None:
    display = {
        "type": "single-select",
        "data": [{"id": 7, "name": "Seven"}],
        "template": {"title": "{{name}}", "value": "{{id}}"},
    }
    assert [asking_said(display, said) for said in ("seven", "7")] == [["7"], ["7"]]


def asking_said(display: dict, said: str) -> list[str]:
    chat = asking(display, "Number")
    chat.say("go")
    return chat.say(said)


# ---- several ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", [{"keys": ("1.0",)}, {"key": "1.0"}, {"value": ["a"]}, {"value": "a"}, {"value": "A"}]
)
def test_a_multi_select_stores_a_list_even_of_one(answer: dict) -> None:
    chat = asking({"type": "multi-select", "data": ["a", "b", "c"]}, text="{{$json x}}")
    chat.say("go")
    assert chat.pick(**answer) == ['["a"]']


def test_a_typed_answer_to_a_multi_select_is_a_list_too() -> None:
    chat = asking({"type": "multi-select"}, "color", COLOR, text="{{#each x}}{{value}} {{hex}};{{/each}}")
    chat.say("go")
    assert chat.say("navy and red") == ["blue #00f;red #f00;"]
    chat.say("go")
    assert chat.say("red") == ["red #f00;"]


def test_several_of_a_type_bring_their_metadata() -> None:
    chat = asking({"type": "multi-select"}, "color", COLOR, text="{{#each x}}{{hex}};{{/each}}")
    chat.say("go")
    assert chat.pick(keys=("1.1", "1.0", "1.1")) == ["#f00;#00f;"]


def test_nothing_chosen_is_no_answer() -> None:
    chat = asking({"type": "multi-select", "data": ["a", "b"]})
    chat.say("go")
    assert chat.pick([]) == [INVALID, "x? <multi-select: a, b>"]


# ---- dates and places ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "given", "stored"),
    [
        ("Date", "2026-12-24", "2026-12-24"),
        ("Text", "2026-12-24", "2026-12-24"),
        ("Datetime", "2026-12-24", "2026-12-24T00:00:00+00:00"),
        ("Datetime", "2026-12-24T18:30", "2026-12-24T18:30:00+00:00"),
    ],
)
def test_a_date_picker_answers_what_the_question_asks_for(type: str, given: str, stored: str) -> None:
    chat = Chat(bot({"go": goal(q("x", type, display={"type": "date-picker"}), q("y"))}, GO))
    chat.say("go")
    assert chat.pick(given, ask="1") == ["y?"]
    assert chat.memory["x"] == stored


def test_a_date_may_be_typed_instead() -> None:
    chat = asking({"type": "date-picker"}, "Date")
    chat.say("go")
    assert chat.say("tomorrow") == ["2026.11.21"]


def test_a_date_that_fails_its_validation_is_asked_for_again() -> None:
    rules = {"validations": [{"type": "range", "parameters": {"min": "today"}, "error-message": ["Too late."]}]}
    chat = asking({"type": "date-picker"}, "Date", reactions=rules)
    chat.say("go")
    assert chat.pick("2026-11-19", ask="1") == ["Too late.", "x? <date-picker: >"]
    assert chat.pick("2026-11-20", ask=dialog_of(chat).key) == ["2026.11.20"]


def test_a_location_picker_gives_a_place() -> None:
    chat = asking({"type": "location-picker"}, "Location", text="{{x.name}} {{x.latitude}} {{x.longitude}}")
    assert chat.say("go") == ["x? <location-picker: >"]
    assert chat.send(Located, latitude=48.2, longitude=16.4, name="Home", ask="1") == ["Home 48.2 16.4"]


def test_a_location_picker_of_a_question_for_words_gives_what_the_place_is_called() -> None:
    for name, expected in (("Home", "Home"), (None, "48.2, 16.4")):
        chat = asking({"type": "location-picker"})
        chat.say("go")
        assert chat.send(Located, latitude=48.2, longitude=16.4, name=name) == [expected]


# ---- stale answers ------------------------------------------------------------------------------------------------


def two_questions() -> Chat:
    flow = bot(
        {
            "go": goal(
                q("a", "Date", display={"type": "date-picker"}),
                q("b", "Date", display={"type": "date-picker"}),
                q("c", "Location", display={"type": "location-picker"}),
                say("Done."),
            )
        },
        GO,
    )
    chat = Chat(flow)
    chat.say("go")
    return chat


def test_a_date_for_an_earlier_asking_is_never_applied_to_the_open_one() -> None:
    chat = two_questions()
    assert chat.pick("2026-12-01", ask="1") == ["b? <date-picker: >"]
    assert chat.pick("2026-12-05", ask="1") == ["b? <date-picker: >"]
    assert "b" not in chat.memory
    assert chat.memory["a"] == "2026-12-01"
    assert chat.pick("2026-12-02", ask="2") == ["c? <location-picker: >"]


def test_a_place_for_an_earlier_asking_is_never_applied_to_the_open_one() -> None:
    chat = two_questions()
    chat.pick("2026-12-01")
    chat.pick("2026-12-02")
    assert chat.send(Located, latitude=1.0, longitude=2.0, ask="1") == ["c? <location-picker: >"]
    assert chat.send(Located, latitude=1.0, longitude=2.0, ask="3") == ["Done."]
    assert chat.send(Located, latitude=1.0, longitude=2.0, ask="3") == [INVALID]


def test_an_answer_that_names_no_asking_is_for_the_open_one() -> None:
    chat = two_questions()
    assert chat.pick("2026-12-01") == ["b? <date-picker: >"]


def test_a_stale_restart_is_no_restart() -> None:
    chat = two_questions()
    chat.pick("2026-12-01")
    assert chat.pick("restart", ask="1") == ["b? <date-picker: >"]


def test_while_silent_a_place_is_heard_and_not_answered() -> None:
    chat = Chat(bot({"go": goal(do("stay-silent 5"), q("x", "Location"))}, GO))
    chat.say("go")
    assert chat.send(Located, latitude=1.0, longitude=2.0, ask="9") == []
    assert "x" not in chat.memory


def test_quick_replies_are_no_dialog() -> None:
    chat = asking(quick("a", "b"))
    assert chat.say("go") == ["x? [a] [b]"]
    assert chat.messages[-1].dialog is None


def test_a_single_select_takes_a_typed_synonym() -> None:
    chat = asking({"type": "single-select"}, "size", keywords("size", big=["large"], small=[]))
    assert chat.say("go") == ["x? <single-select: big, small>"]
    assert chat.say("large") == ["big"]


# ---- days and places that are offered ----------------------------------------------------------------------------


def test_a_date_picker_says_which_days_it_offers() -> None:
    days = {"min": "today", "max": "{{last}}", "off": ["Sunday", "2026-12-25", "{{closed}}", "{{none}}"]}
    chat = asking({"type": "date-picker", **days}, "Date")
    chat.say("go", context={"last": "2027-03-31", "closed": ["2027-01-01", "2026-12-25"]})
    shown = dialog_of(chat)
    assert (shown.min, shown.max) == ("2026-11-20", "2027-03-31")
    assert shown.off == ("sunday", "2026-12-25", "2027-01-01")


def test_a_limit_that_is_empty_in_memory_is_none() -> None:
    chat = asking({"type": "date-picker", "min": "{{first}}", "max": "{{last}}"}, "Date")
    chat.say("go")
    assert (dialog_of(chat).min, dialog_of(chat).max, dialog_of(chat).off) == (None, None, ())


def test_a_limit_that_is_no_day_fails_the_step() -> None:
    chat = asking({"type": "date-picker", "min": "{{first}}"}, "Date")
    assert chat.say("go", context={"first": "soonish"}) == [
        "We are experiencing technical difficulties at this moment."
    ]


def test_more_days_that_are_off_than_can_be_read_in_time_fail_the_step() -> None:
    chat = asking({"type": "date-picker", "off": ["{{closed}}"]}, "Date")
    assert chat.say("go", context={"closed": ["2027-01-01"] * (MAX_OFF_DAYS + 1)}) == [
        "We are experiencing technical difficulties at this moment."
    ]


def test_what_the_picker_leaves_out_is_no_validation() -> None:
    chat = asking({"type": "date-picker", "min": "2030-01-01", "off": ["monday"]}, "Date")
    chat.say("go")
    assert chat.say("2027-03-01") == ["2027.03.01"]


HARBOUR = {"title": "Harbour", "latitude": 53.5436, "longitude": "9.9673", "subtitle": "Hafenstrasse 4"}


def test_a_location_picker_offers_places_which_their_names_choose() -> None:
    places = {"data": [HARBOUR, {"title": "{{not}} a template", "latitude": 0, "longitude": 0}]}
    chat = asking({"type": "location-picker", "places": places}, "Location", text="{{x.name}} {{x.longitude}}")
    chat.say("go")
    harbour, other = dialog_of(chat).options
    value = {"latitude": 53.5436, "longitude": 9.9673, "name": "Harbour"}
    assert harbour == Option("Harbour", value, "1.0", "Hafenstrasse 4")
    assert other.title == "{{not}} a template"
    assert chat.say("harbour") == ["Harbour 9.9673"]


def test_at_a_question_for_text_a_place_says_its_name() -> None:
    chat = asking({"type": "location-picker", "places": {"data": [HARBOUR]}})
    chat.say("go")
    assert chat.say("harbour") == ["Harbour"]


def test_a_place_that_is_no_point_of_the_earth_fails_the_step() -> None:
    places = {"data": [HARBOUR], "template": {"latitude": "9{{longitude}}"}}
    chat = asking({"type": "location-picker", "places": places}, "Location")
    assert chat.say("go") == ["We are experiencing technical difficulties at this moment."]


@pytest.mark.parametrize(("style", "role"), [("normal", "confirm"), ("danger", "danger")])
def test_the_yes_of_a_confirmation_with_a_display_says_what_it_is(style: str, role: str) -> None:
    display = {"type": "confirm", "style": style}
    chat = Chat(
        bot({"go": goal({"type": "confirmation", "entity": "ok", "messages": ["ok?"], "display": display})}, GO)
    )
    chat.say("go")
    assert [(one.title, one.role) for one in chat.messages[-1].replies] == [("Yes", role), ("No", "")]
