from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.flow.model import KeywordsType, KeywordValue
from dialoom.understanding import Candidate, Recogniser
from tests.understanding.conftest import DEFINITIONS, trait
from tests.work import lines_run

SENTENCE = "I'd like to see Dr. Petrova on 3rd March 2027 at 15:00"
TYPES = [
    "Conversation",
    "questions",
    "Urgency",
    "Doctor",
    "Card",
    "Text",
    "Number",
    "Date",
    "Time",
    "Datetime",
    "Duration",
]
TYPES += ["Amount", "Email", "PhoneNumber", "Url", "Location", "File", "Confirmation", "unknown"]


def test_a_sentence_gives_all_its_values_with_their_places(clinic: Recogniser, now: datetime) -> None:
    found = clinic.recognise(SENTENCE, ["Doctor", "Date", "Time", "Conversation"], now)
    assert found["Doctor"] == [Candidate("Doctor", {"value": "Dr. Petrova", "room": 3}, 1.0, 16, 27, "Dr. Petrova")]
    assert found["Date"] == [Candidate("Date", "2027-03-03", 1.0, 31, 45, "3rd March 2027")]
    assert found["Time"] == [Candidate("Time", "15:00", 1.0, 49, 54, "15:00")]
    assert [(one.value, one.start, one.end) for one in found["Conversation"]] == [({"value": "book"}, 0, len(SENTENCE))]


def test_every_asked_for_type_has_a_list(clinic: Recogniser, now: datetime) -> None:
    assert clinic.recognise("", TYPES, now) == {type_: [] for type_ in TYPES}


def test_a_number_inside_a_time_is_a_number_only_when_asked_for(clinic: Recogniser, now: datetime) -> None:
    assert set(clinic.recognise("at 4", ["Time"], now)) == {"Time"}
    assert clinic.recognise("at 4", ["Time", "Number"], now)["Number"][0].text == "4"


def test_a_trained_expression_is_sure_whatever_its_case_and_signs(clinic: Recogniser, now: datetime) -> None:
    found = clinic.recognise("  What can YOU do?! ", ["Conversation"], now)["Conversation"]
    assert found == [Candidate("Conversation", {"value": "help"}, 1.0, 2, 19, "What can YOU do?!")]


def test_an_expression_of_two_values_needs_no_lead(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", a=("do it now",), b=("do it now", "other thing")),), "en")
    assert bot.recognise("do it now", ["Conversation"], now)["Conversation"][0].value == {"value": "a"}


def test_other_traits_do_not_compete_with_the_conversation(clinic: Recogniser, now: datetime) -> None:
    found = clinic.recognise("it is urgent, book an appointment", ["Conversation", "Urgency"], now)
    assert found["Conversation"][0].value == {"value": "book"}
    assert found["Urgency"][0].value == {"value": "high"}


def test_of_the_likeliest_senses_one_that_is_not_meant_may_be_left_out(now: datetime) -> None:
    wishes = trait("Conversation", block=("block my card",), unblock=("unblock my card",), loan=("I want a loan",))
    bot = Recogniser((wishes,), "en")
    first, second = bot.likeliest("don't block my card", ["Conversation"], now)
    assert (first.value["value"], second.value["value"]) == ("block", "unblock")
    first, second = bot.likeliest("don't block my card", ["Conversation"], now, {("Conversation", "block")})
    assert (first.value["value"], second.value["value"]) == ("unblock", "loan")


def test_the_likeliest_senses_are_given_though_none_is_likely_enough(clinic: Recogniser, now: datetime) -> None:
    assert clinic.recognise("a boat on the lake", ["Conversation"], now)["Conversation"] == []
    first, second = clinic.likeliest(" a boat on the lake ", ["Conversation"], now)
    assert second.confidence <= first.confidence < 0.65
    assert (first.start, first.end, first.text) == (1, 19, "a boat on the lake")
    assert clinic.likeliest("a boat", [], now) == clinic.likeliest(" ", ["Conversation"], now) == []


def test_unknown_words_of_a_value_do_not_hide_what_a_sentence_is_about(now: datetime) -> None:
    names = tuple(KeywordValue(value=name) for name in ("Zagorka Wxyzkowski", "Brmbr Qwrtz"))
    bot = Recogniser((*DEFINITIONS[:1], KeywordsType(name="Doctor", data=names)), "en")
    text = "book an appointment Zagorka Wxyzkowski 3rd March 2027 15:30 +359 888 123 456"
    assert bot.recognise(text, ["Conversation"], now)["Conversation"][0].value == {"value": "book"}


def test_trained_expression_prefers_conversations_and_questions() -> None:
    bot = Recogniser((trait("Mood", good=("all fine",)), trait("Conversation", chat=("all fine",))), "en")
    assert bot.trained_expression("All fine!") == ("Conversation", "chat")
    assert bot.trained_expression("fine") is None
    assert bot.trained_expression("") is None


def test_kinds(clinic: Recogniser) -> None:
    kinds = [clinic.kind(one) for one in ("Conversation", "questions", "Doctor", "Card", "Date", "nothing")]
    assert kinds == ["trait", "QnA", "keywords", "regex", "built-in", None]


def test_a_value_is_named_by_its_own_name_a_synonym_or_an_expression(clinic: Recogniser) -> None:
    assert clinic.value_named("Doctor", "petrova") == {"value": "Dr. Petrova", "room": 3}
    assert clinic.value_named("Urgency", "HIGH") == {"value": "high"}
    assert clinic.value_named("Urgency", "no hurry") == {"value": "low"}
    assert clinic.value_named("Urgency", "hurry") is None
    assert clinic.value_named("Date", "tomorrow") is None


def test_values_are_listed_for_types_that_have_some(clinic: Recogniser) -> None:
    assert [one["value"] for one in clinic.values("Urgency")] == ["high", "low"]
    assert [one["value"] for one in clinic.values("Doctor")] == ["Dr. Émile Martin", "Dr. Ivanov", "Dr. Petrova"]
    assert clinic.values("Card") == []
    assert clinic.values("Date") == []


def test_a_whole_text_is_read_as_a_value_of_its_type(clinic: Recogniser, now: datetime) -> None:
    assert clinic.reads("Date", "2027.08.07", now) == "2027-08-07"
    assert clinic.reads("Date", "on Friday then", now) is None
    assert clinic.reads("Time", "9:30", now) == "09:30"
    assert clinic.reads("Number", "twenty-five", now) == 25
    assert clinic.reads("Card", "AB1234", now) == {"value": "AB1234"}
    assert clinic.reads("Doctor", "Petrova", now) == {"value": "Dr. Petrova", "room": 3}
    assert clinic.reads("Text", " anything ", now) == "anything"
    assert clinic.reads("Confirmation", "No", now) is False
    assert clinic.reads("Location", "here", now) is None
    assert clinic.reads("Number", "1" * 5_000, now) is None


def test_text_takes_all_of_a_long_message(clinic: Recogniser, now: datetime) -> None:
    text = "word " * 2_000
    assert clinic.recognise(text, ["Text"], now)["Text"][0].value == text.strip()


LANGUAGES = ("en", "de", "fr", "bg", "zh", "xx")
BOTS = {language: Recogniser(DEFINITIONS, language) for language in LANGUAGES}
PIECES = st.sampled_from(
    [
        *(
            "at",
            "4",
            "15:00",
            "half past",
            "3rd",
            "March",
            "2027",
            "31",
            "February",
            "tomorrow",
            "next",
            "friday",
            "-",
            "+",
        ),
        *(
            "übermorgen",
            "um",
            "le",
            "1er",
            "yes",
            "no",
            "€",
            "$",
            "1,200",
            "@",
            "a@b.com",
            "+359 888",
            "(",
            ")",
            "👍",
            "é",
        ),
        *(
            "Dr.",
            "Petrova",
            "İ",
            "ß",
            "\u0301",
            "月",
            "3月3日",
            "T",
            "Z",
            "www.x.com",
            "PT",
            "twenty",
            "-five",
            "hundred",
            "o'",
        ),
        *(
            "29",
            "0",
            "99999999999999999999",
            "٣",
            "²",
            "½",
            "\u202f",
            "\x00",
            "\ud800",
            "ﬃ",
            "in",
            "a",
            "week",
            "ago",
            "'28",
        ),
    ]
)


@settings(max_examples=150)
@given(
    text=st.one_of(
        st.text(st.characters(), max_size=80),
        st.lists(PIECES, max_size=14).map(" ".join),
        st.lists(PIECES).map("".join),
    ),
    language=st.sampled_from(LANGUAGES),
)
def test_any_text_is_taken_and_every_candidate_lies_inside_it(text: str, language: str, now: datetime) -> None:
    bot = BOTS[language]
    for type_, candidates in bot.recognise(text, TYPES, now).items():
        before = (0, 0)
        for one in candidates:
            assert one.type == type_
            assert 0 <= one.start < one.end <= len(text)
            assert one.text == text[one.start : one.end]
            assert 0 < one.confidence <= 1
            assert one.start >= before[1] or (one.start, one.end) == before
            before = (one.start, one.end)
        bot.reads(type_, text, now)
        bot.value_named(type_, text)
    bot.trained_expression(text)


def test_the_values_of_a_sentence_are_sought_once_whatever_the_number_of_traits(now: datetime) -> None:
    """Each trait leaves out the unknown words that belong to values."""
    values = tuple(KeywordValue(value=f"town number {number}") for number in range(20))
    towns = [KeywordsType(name=f"Town{number}", data=values) for number in range(10)]
    text = "see " + " and ".join(f"town number {number}" for number in range(20))

    def work(traits: int) -> int:
        types = [f"T{number}" for number in range(traits)]
        senses = [trait(name, yes=(f"see the {name} now",), no=(f"leave {name} alone",)) for name in types]
        recogniser = Recogniser((*senses, *towns), "en")
        return lines_run(lambda: recogniser.recognise(text, types, now))

    assert work(3) <= work(1) * 1.5


def test_a_type_has_values_when_there_is_any(clinic: Recogniser) -> None:
    empty = Recogniser((KeywordsType(name="Town", data=()), trait("Mood")), "en")
    assert [empty.has_values(name) for name in ("Town", "Mood", "Number", "nothing")] == [False] * 4
    assert clinic.has_values("Conversation")
    assert clinic.has_values("Doctor")
