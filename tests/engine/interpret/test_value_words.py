"""understanding.md, Recognition 2: words such as from and to, and names of entities, decide which question takes what."""

import pytest

from dialoom.engine import Flow
from tests.engine.talking import Chat, bot, check, confirm, goal, keywords, q, say, talk, trait

INVALID = "I am not sure I understood what you said."
GO = trait(go=["go please"])
CITY = keywords("city", Berlin=[], Munich=["München"], Sofia=["София"], Varna=["Варна"])


def asks(*questions: dict, language: str = "en") -> Flow:
    return bot({"go": goal(*questions, confirm("ok", "So?"))}, CITY, GO, language=language)


def told(flow: Flow, *said: str) -> dict:
    """What is known after the talk; values of custom types by their names."""
    chat = Chat(flow)
    chat.say("go please")
    for text in said:
        chat.say(text)
    assert chat.failures == []
    return {
        name: value["value"] if isinstance(value, dict) and "value" in value else value
        for name, value in chat.memory.items()
    }


def cities(first: str = "from", second: str = "to", language: str = "en") -> Flow:
    return asks(q(first, "city"), q(second, "city"), language=language)


def days(first: str = "departure-date", second: str = "return-date", language: str = "en") -> Flow:
    return asks(q(first, "Date"), q(second, "Date"), language=language)


def times(first: str = "start", second: str = "end", language: str = "en") -> Flow:
    return asks(q(first, "Time"), q(second, "Time"), language=language)


@pytest.mark.parametrize(
    "text",
    [
        "from Berlin to Munich",
        "to Munich from Berlin",
        "Munich, coming from Berlin",
        "Berlin to Munich",
        "Berlin Munich",
        "I want to go to Munich and I am leaving from Berlin",
        "destination Munich, departure Berlin",
    ],
)
def test_from_and_to_decide_in_any_order(text: str) -> None:
    for names in (
        ("from", "to"),
        ("departure-city", "arrival-city"),
        ("origin", "destination"),
        ("fromCity", "toCity"),
    ):
        assert told(cities(*names), text) == dict(zip(names, ("Berlin", "Munich"), strict=True)), names


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "von Berlin nach München"),
        ("de", "nach München von Berlin"),
        ("fr", "de Berlin à Munich"),
        ("fr", "à Munich depuis Berlin"),
        ("es", "de Berlin a Munich"),
        ("es", "a Munich desde Berlin"),
        ("it", "da Berlin a Munich"),
        ("it", "a Munich da Berlin"),
        ("nl", "van Berlin naar Munich"),
        ("nl", "naar Munich vanaf Berlin"),
        ("pt", "de Berlin para Munich"),
        ("pt", "para Munich desde Berlin"),
        ("bg", "от Berlin до Munich"),
        ("bg", "до Munich от Berlin"),
        ("fi", "to Munich from Berlin"),
    ],
)
def test_each_language_has_its_words(language: str, text: str) -> None:
    assert told(cities(language=language), text) == {"from": "Berlin", "to": "Munich"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "until 17:00, from 9:00"),
        ("en", "from 9:00 until 17:00"),
        ("en", "between 9:00 and 17:00"),
        ("de", "bis 17:00, ab 9:00"),
        ("de", "zwischen 9:00 und 17:00"),
        ("fr", "de 9:00 à 17:00"),
        ("es", "desde las 9:00 hasta las 17:00"),
        ("it", "fino alle 17:00 dalle 9:00"),
        ("nl", "tot 17:00, vanaf 9:00"),
        ("pt", "até às 17:00, desde as 9:00"),
        ("bg", "до 17:00 от 9:00"),
    ],
)
def test_words_assign_times_to_questions(language: str, text: str) -> None:
    assert told(times(language=language), text) == {"start": "09:00", "end": "17:00"}


@pytest.mark.parametrize(
    "text",
    [
        "returning on 5 December 2026, leaving on 3 December 2026",
        "leaving on 3 December 2026 and returning on 5 December 2026",
        "the return is on 5 December 2026, the departure on 3 December 2026",
        "from 3 December 2026 until 5 December 2026",
        "until 5 December 2026 from the 3 December 2026",
    ],
)
def test_nouns_and_verbs_name_a_role(text: str) -> None:
    expected = ["2026-12-03", "2026-12-05"]
    for names in (("departure-date", "return-date"), ("start-date", "end-date"), ("from-date", "to-date")):
        assert list(told(days(*names), text).values()) == expected, names


def test_a_word_steers_a_single_value_away_from_the_open_question() -> None:
    assert told(cities(), "to Munich") == {"to": "Munich"}
    assert told(cities(), "Munich") == {"from": "Munich"}
    assert told(cities(), "to Munich", "from Berlin") == {"from": "Berlin", "to": "Munich"}


def test_with_one_question_for_it_a_value_is_taken_whatever_stands_before_it() -> None:
    assert told(asks(q("from", "city")), "to Munich") == {"from": "Munich"}
    assert told(asks(q("day", "Date"), q("n", "Number")), "from tomorrow") == {"day": "2026-11-21"}


def test_the_second_value_of_a_pair_is_no_ambiguity_for_the_question_that_takes_the_first() -> None:
    assert told(cities(), "Berlin", "from Berlin to Munich") == {"from": "Berlin", "to": "Munich"}
    assert told(cities(), "Berlin", "from Sofia to Munich") == {"from": "Sofia", "to": "Munich"}


def test_a_stay_begins_with_the_arrival() -> None:
    stay = days("arrival", "departure")
    expected = {"arrival": "2026-12-03", "departure": "2026-12-05"}
    assert told(stay, "from 3 December 2026 to 5 December 2026") == expected
    assert told(stay, "departing on 5 December 2026, arriving on 3 December 2026") == expected


def test_alternatives_for_one_of_two_are_offered_for_it() -> None:
    chat = talk(cities(), [("go please", ["from?"]), ("from Berlin, to Munich or Varna", ["to? [Munich] [Varna]"])])
    assert chat.tap("Varna") == ["So? [Yes] [No]"]
    assert chat.memory["from"] == {"value": "Berlin"}


# ---- corrections by name -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("change the return to the 7th", ("2026-12-03", "2026-12-07")),
        ("change the departure to the 2nd", ("2026-12-02", "2026-12-05")),
        ("make the departure date the 2nd", ("2026-12-02", "2026-12-05")),
        ("no, the return is on the 7th", ("2026-12-03", "2026-12-07")),
        ("from the 2nd please", ("2026-12-02", "2026-12-05")),
        ("until the 7th", ("2026-12-03", "2026-12-07")),
        ("change the return to the 7th and the departure to the 2nd", ("2026-12-02", "2026-12-07")),
        ("make it the 7th", ("2026-12-03", "2026-12-07")),
    ],
)
def test_a_correction_goes_to_the_question_that_it_names(text: str, expected: tuple[str, str]) -> None:
    known = told(days(), "from 3 December 2026 to 5 December 2026", text)
    assert (known["departure-date"], known["return-date"]) == expected


def test_a_new_value_after_to_is_no_destination() -> None:
    assert told(asks(q("to", "city"), q("from", "city")), "Berlin", "Varna", "change it to Sofia") == {
        "to": "Berlin",
        "from": "Sofia",
    }


def test_a_correction_by_name_goes_past_the_open_question() -> None:
    flow = days()
    assert told(flow, "3 December 2026", "no, make the departure 2 December 2026") == {"departure-date": "2026-12-02"}


def test_a_name_of_several_words_is_told_from_a_part_of_it() -> None:
    flow = asks(q("time", "Time"), q("end-time", "Time"))
    assert told(flow, "9:00", "17:00", "make the time 10:00") == {"time": "10:00", "end-time": "17:00"}
    assert told(flow, "9:00", "17:00", "make the end time 16:00") == {"time": "9:00".zfill(5), "end-time": "16:00"}


def test_make_the_time_corrects_the_time() -> None:
    flow = bot(
        {"go": goal(q("doctor", "doc"), q("time", "Time"), q("n", "Number"), say("{{doctor}} {{time}} {{n}}"))},
        keywords("doc", Petrova=["Dr. Petrova"], Brown=[]),
        GO,
    )
    talk(
        flow,
        [
            ("go please", ["doctor?"]),
            ("Petrova", ["time?"]),
            ("15:00", ["n?"]),
            ("make the time 16:00", ["n?"]),
            ("no, the doctor is Brown", ["n?"]),
            ("2", ["Brown 16:00 2"]),
        ],
    )


def test_a_steered_correction_is_validated() -> None:
    early = {"reactions": {"validations": [check("range", "Too late.", max="12:00")]}}
    flow = bot({"go": goal(q("start", "Time", **early), q("end", "Time"), confirm("ok", "So?"))}, GO)
    talk(
        flow,
        [
            ("go please", ["start?"]),
            ("from 9:00 until 17:00", ["So? [Yes] [No]"]),
            ("change the start to 13:00", ["Too late.", "start?"]),
            ("10:00", ["So? [Yes] [No]"]),
        ],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 adults and 3 children", (2, 3)),
        ("3 children and 2 adults", (2, 3)),
        ("3 children, 2 adults", (2, 3)),
        ("2 adults, 1 child", (2, 1)),
        ("adults 2, children 3", (2, 3)),
        ("children: 3, adults: 2", (2, 3)),
        ("2 and 3", (2, 3)),
        ("1 adult with 3 children", (1, 3)),
    ],
)
def test_what_is_counted_stands_behind_the_number(text: str, expected: tuple[int, int]) -> None:
    known = told(asks(q("adults", "Number"), q("children", "Number")), text)
    assert (known["adults"], known["children"]) == expected


def test_a_number_is_corrected_by_what_it_counts() -> None:
    flow = asks(q("guests", "Number"), q("rooms", "Number"), q("day", "Date"))
    assert told(flow, "4", "sorry, 5 guests")["guests"] == 5
    assert told(flow, "4", "2", "make that 3 rooms") == {"guests": 4, "rooms": 3}
    assert told(flow, "4", "2", "make it 5 guests") == {"guests": 5, "rooms": 2}


# ---- what a number counts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "a three star place for 2 people", {"stars": 3, "guests": 2}),
        ("en", "for 2 people in a 3-star place", {"stars": 3, "guests": 2}),
        ("en", "rated 4.5 or better, there are two of us", {"stars": 4.5, "guests": 2}),
        ("en", "a table of 2, rating above 4", {"stars": 4}),
        ("en", "something for 4", {"guests": 4}),
        ("en", "3 hotel rooms for 5 nights", {"rooms": 3, "days": 5}),
        ("en", "rooms for 3 travellers", {"guests": 3}),
        ("en", "a group of six, 2 rooms", {"guests": 6, "rooms": 2}),
        ("de", "ein Haus mit 3 Sternen für 2 Personen", {"stars": 3, "guests": 2}),
        ("de", "für 4", {"guests": 4}),
        ("de", "2 Doppelzimmer für 5 Nächte", {"days": 5}),
        ("de", "zwei Zimmer für drei Leute", {"rooms": 2, "guests": 3}),
        ("fr", "2 chambres pour 3 personnes", {"rooms": 2, "guests": 3}),
        ("es", "2 habitaciones para 3 personas", {"rooms": 2, "guests": 3}),
        ("it", "2 camere per 3 persone", {"rooms": 2, "guests": 3}),
        ("nl", "2 kamers voor 3 personen", {"rooms": 2, "guests": 3}),
        ("pt", "2 quartos para 3 pessoas", {"rooms": 2, "guests": 3}),
        ("bg", "2 стаи за 3 човека", {"rooms": 2, "guests": 3}),
    ],
)
def test_the_word_beside_a_number_says_what_it_counts(language: str, text: str, expected: dict) -> None:
    numbers = [q(name, "Number") for name in ("stars", "guests", "rooms", "days")]
    known = told(asks(q("city", "city"), *numbers, language=language), text)
    assert {name: known.get(name) for name in expected} == expected


def test_a_number_that_counts_another_thing_corrects_nothing() -> None:
    flow = asks(q("guests", "Number"), q("city", "city"))
    assert told(flow, "2", "make it 3 guests") == {"guests": 3}
    assert told(flow, "2", "we stay for 4 nights") == {"guests": 2}
    assert told(flow, "2", "with zero changes of trains") == {"guests": 2}
    assert told(flow, "2", "it should be rated 4.5 anyway") == {"guests": 2}
    assert told(asks(q("gäste", "Number"), q("city", "city"), language="de"), "2", "für 4 Nächte") == {"gäste": 2}


def test_a_number_may_count_anything_where_it_is_asked_for() -> None:
    assert told(asks(q("guests", "Number"), q("city", "city")), "2 nights") == {"guests": 2}


def test_one_is_a_number_only_where_it_counts() -> None:
    flow = asks(q("tickets", "Number"), q("city", "city"))
    assert told(flow, "3", "find me one in Berlin") == {"tickets": 3, "city": "Berlin"}
    assert told(flow, "3", "I would like a cheaper one") == {"tickets": 3}
    assert told(flow, "3", "sorry, only one") == {"tickets": 1}
    assert told(flow, "3", "one ticket in Berlin") == {"tickets": 1, "city": "Berlin"}


def test_words_of_a_name_that_say_nothing_name_no_question() -> None:
    flow = asks(q("city", "city"), q("number-of-guests", "Number"), q("score", "Number"))
    assert told(flow, "with a score of 4") == {"score": 4}


# ---- verbs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "language", "text"),
    [
        (("pickup-date", "dropoff-date"), "en", "drop it off on the 5th of December, picking the car up on the 3rd"),
        (("dropoff-date", "pickup-date"), "en", "pick it up on December 3 and drop it off on December 5"),
        (("dropoff-date", "pickup-date"), "en", "I pick it up and keep it until December 5, so from December 3"),
        (("check-in", "check-out"), "en", "checking out on December 5 and checking in on December 3"),
        (("check_in_date", "check_out_date"), "en", "leaving on December 5, arriving on December 3"),
        (("abholung", "rückgabe"), "de", "am 5. Dezember zurückbringen und am 3. Dezember abholen"),
        (("pickup-date", "dropoff-date"), "de", "am 3. Dezember abholen und am 5. Dezember zurückbringen"),
        (("anreise", "abreise"), "de", "Abreise am 5. Dezember, Anreise am 3. Dezember"),
    ],
)
def test_verbs_of_two_words_and_verbs_behind_the_value_name_a_role(
    names: tuple[str, str], language: str, text: str
) -> None:
    known = told(days(*names, language=language), text)
    assert sorted(known[name] for name in names) == ["2026-12-03", "2026-12-05"]
    first = next(name for name in names if not name.startswith(("dropoff", "check-out", "check_out", "rück", "abr")))
    assert known[first] == "2026-12-03"


def test_the_word_right_before_a_place_outweighs_a_verb() -> None:
    assert told(cities(), "I am leaving to Munich") == {"to": "Munich"}
    assert told(cities(), "we are leaving for Munich") == {"to": "Munich"}
    assert told(cities(), "my return flight is from Varna") == {"from": "Varna"}


# ---- corrections without a name ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "actually I need it on December 2", ("2026-12-02", "2026-12-05")),
        ("en", "make it December 7 please", ("2026-12-03", "2026-12-07")),
        ("en", "no, December 7", ("2026-12-03", "2026-12-07")),
        ("en", "I need it until December 7", ("2026-12-03", "2026-12-07")),
        ("de", "eigentlich brauche ich es am 2. Dezember", ("2026-12-02", "2026-12-05")),
        ("de", "sagen wir lieber am 7. Dezember", ("2026-12-03", "2026-12-07")),
    ],
)
def test_a_sentence_without_a_word_for_the_second_corrects_the_first(
    language: str, text: str, expected: tuple[str, str]
) -> None:
    flow = days("departure-date", "return-date", language=language)
    known = told(flow, "3.12.2026" if language == "de" else "3 December 2026", "5 December 2026", text)
    assert (known["departure-date"], known["return-date"]) == expected


# ---- values that are not meant -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "not Berlin, Munich", "Munich"),
        ("en", "Munich, not in Berlin", "Munich"),
        ("en", "why not Berlin", "Berlin"),
        ("en", "I do not. Berlin", "Berlin"),
        ("de", "nicht Berlin, sondern München", "Munich"),
        ("de", "warum nicht Berlin", "Berlin"),
        ("fr", "pas Berlin, Munich", "Munich"),
        ("fr", "pourquoi pas Berlin", "Berlin"),
        ("es", "no, Berlin", "Berlin"),
    ],
)
def test_a_value_behind_not_is_not_taken(language: str, text: str, expected: str) -> None:
    assert told(asks(q("city", "city"), language=language), text)["city"] == expected


def test_beside_a_value_as_written_one_with_a_slip_is_no_ambiguity() -> None:
    genre = keywords("genre", Sports=["match"], Drama=[], Comedy=[])
    flow = bot({"go": goal(q("genre", "genre"), confirm("ok", "So?"))}, genre, GO)
    talk(flow, [("go please", ["genre?"]), ("a drama to watch", ["So? [Yes] [No]"])])
    talk(flow, [("go please", ["genre?"]), ("drama or comedy", ["genre? [Drama] [Comedy]"])])
    talk(flow, [("go please", ["genre?"]), ("a dramma", ["So? [Yes] [No]"])])


def test_a_word_of_the_question_s_own_name_is_no_slip() -> None:
    price = keywords("level", Pricey=[], Cheap=[])
    flow = bot({"go": goal(q("city", "city"), q("price", "level"))}, CITY, price, GO)
    chat = talk(flow, [("go please", ["city?"]), ("Berlin, at a good price", ["price?"])])
    assert "price" not in chat.memory
