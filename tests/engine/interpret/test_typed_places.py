"""A place that is typed or spoken where one is asked for: coordinates, a town, or what can be done instead."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.messages import Profile
from dialoom.understanding.towns import coordinates, towns_named
from tests.engine.talking import Chat, bot, goal, q, quick, say, support, trait

VOICE = Profile(id="u1", provider="voice-assistant")
PICKER = {"type": "location-picker"}
PLACES = PICKER | {
    "places": {
        "data": [{"name": "The shop", "at": [1, 2]}],
        "template": {"title": "{{name}}", "latitude": "{{at.[0]}}", "longitude": "{{at.[1]}}"},
    }
}


def asked(
    display: dict[str, Any] | None = PICKER, language: str = "en", profile: Profile | None = None, **more: Any
) -> Chat:
    flow = bot(
        {
            "go": goal(q("place", "Location", display=display), say("{{place.name}} {{place.latitude}}")),
            "hours": support(say("Nine to five.")),
        },
        trait(go=["go"], hours=["york"]),
        language=language,
        **more,
    )
    chat = Chat(flow)
    chat.say("go", **({} if profile is None else {"profile": profile}))
    return chat


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("42.5, 23.25", (42.5, 23.25)),
        ("42.5 23.25", (42.5, 23.25)),
        ("-33.92,18.42", (-33.92, 18.42)),
        ("42,5; 23,25", (42.5, 23.25)),
        ("42.5° N, 23.25° W", (42.5, -23.25)),
        ("91, 3", None),
        ("1, 181", None),
        ("42.5", None),
        ("1, 2, 3", None),
        ("at 5, 6 people", None),
        ("9" * 5000 + ", 1", None),
    ],
)
def test_coordinates(text: str, point: tuple[float, float] | None) -> None:
    assert coordinates(text) == point


def test_typed_coordinates_answer_a_question_for_a_place() -> None:
    chat = asked()
    assert chat.say("42.5, 23.25") == [" 42.5"]
    assert chat.memory == {} or "place" not in chat.memory


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("Sofia", "en", "Sofia"),
        ("in sofia", "en", "Sofia"),
        ("София", "bg", "Sofia"),
        ("в Габрово", "bg", "Gabrovo"),
        ("München", "de", "Munich"),
        ("nach muenchen", "de", "Munich"),
        ("Paris, France", "en", "Paris"),
        ("Paris, Frankreich", "de", "Paris"),
        ("Paris, Germany", "en", None),
    ],
)
def test_a_town_by_its_name(text: str, language: str, name: str | None) -> None:
    chat = asked(language=language)
    said = chat.say(text)
    assert said == [f"{name} {towns_named(name, 'en')[0].latitude:g}"] if name else len(said) == 2


def test_towns_of_one_name_are_offered_the_most_populous_first() -> None:
    chat = asked()
    (said,) = chat.say("London")
    assert said.endswith("[London, United Kingdom] [London, Canada]")
    assert chat.say("London, Canada") == ["London, Canada 42.98"]


def test_by_voice_one_of_them_is_chosen_by_its_place() -> None:
    chat = asked(profile=VOICE)
    chat.say("london", profile=VOICE)
    assert chat.say("the second one", profile=VOICE) == ["London, Canada 42.98"]


def test_the_places_of_the_flow_go_before() -> None:
    assert asked(PLACES).say("the shop") == ["The shop 1"]
    assert asked(PLACES).say("Sofia") == ["Sofia 42.7"]


@pytest.mark.parametrize("text", ["Nowhereville", "x" * 5000, "Bath, Bath, Bath, Bath"])
def test_an_unknown_place_leads_on(text: str) -> None:
    told, again = asked().say(text)
    assert told == "I do not know this place. Name a town, such as London. You can also share where you are."
    assert again.startswith("place?")


def test_an_unknown_place_names_one_that_the_flow_offers_and_by_voice_nothing_to_share() -> None:
    assert "such as The shop." in asked(PLACES).say("Nowhereville")[0]
    assert asked(profile=VOICE).say("Nowhereville", profile=VOICE)[0].endswith("such as London.")


def test_the_authors_own_invalid_reply_comes_first() -> None:
    chat = asked(invalid_replies=["Sorry?"])
    assert chat.say("Nowhereville")[0] == "Sorry?"


def test_a_trained_expression_is_no_town() -> None:
    assert asked().say("York")[0] == "Nine to five."


# ---- the replies of a question for a text, by voice --------------------------------------------------------------


def offered(provider: str, language: str = "en") -> tuple[Chat, Profile]:
    profile = Profile(id="u1", provider=provider)
    step = q("size", "Text", display=quick("Small", "Medium", "Large"))
    chat = Chat(bot({"go": goal(step, say("{{size}}."))}, trait(go=["go"]), language=language))
    chat.say("go", profile=profile)
    return chat, profile


@pytest.mark.parametrize(
    ("said", "language", "chosen"),
    [
        ("the second one", "en", "Medium."),
        ("number two", "en", "Medium."),
        ("the last", "en", "Large."),
        ("the first", "en", "Small."),
        ("die zweite", "de", "Medium."),
        ("die letzte", "de", "Large."),
        ("two", "en", "two."),
        ("the second floor", "en", "the second floor."),
    ],
)
def test_by_voice_a_reply_of_a_text_question_is_chosen_by_its_place(said: str, language: str, chosen: str) -> None:
    chat, profile = offered("voice-assistant", language)
    assert chat.say(said, profile=profile) == [chosen]


@pytest.mark.parametrize("provider", ["web", "messenger-3", "rest"])
def test_where_replies_are_read_the_words_are_the_answer(provider: str) -> None:
    chat, profile = offered(provider)
    assert chat.say("the second one", profile=profile) == ["the second one."]
