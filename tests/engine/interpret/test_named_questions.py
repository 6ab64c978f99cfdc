"""A message that names a question and says that it is wrong, or denies a value, has that question asked again."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, say, support, trait

BOOK = "https://garage.test/bookings"
CARS = keywords("Car", Audi=[], BMW=[], Volvo=[])
WISHES = trait(book=["book"], person=["I want to talk to a person", "call a human", "can somebody phone me"])
STEPS = (
    q("car", "Car", names=["vehicle"]),
    q("date", "Date"),
    q("time", "Time"),
    q("phone", "PhoneNumber"),
    q("name", "Text", names=["Name", "Namen", "nom", "nombre", "nome", "naam", "името", "namnet"]),
    q("plate", "Text", names=["number plate", "registration"]),
)
ANSWERS = ("book", "Audi", "2026-11-24", "09:00", "555 1234", "Ada", "CB 1234")


def filled(language: str = "en") -> Chat:
    flow = bot(
        {
            "book": goal(*STEPS, confirm("sure"), hook("booking", BOOK, source={"method": "POST"})),
            "person": support(say("Somebody will call.")),
        },
        CARS,
        WISHES,
        language=language,
    )
    chat = Chat(flow, {BOOK: 1})
    for said in ANSWERS:
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("en", "the phone number is wrong", "phone?"),
        ("en", "i think the phone number is wrong", "phone?"),
        ("en", "change the time please", "time?"),
        ("en", "no, the date is wrong", "date?"),
        ("en", "everything but the date", "date?"),
        ("en", "everything is fine except the registration", "plate?"),
        ("en", "I want a different vehicle", "car?"),
        ("en", "not Tuesday", "date?"),
        ("en", "any day but Tuesday", "date?"),
        ("en", "not the Audi", "car?"),
        ("de", "die Uhrzeit ist falsch", "time?"),
        ("de", "alles außer der Telefonnummer", "phone?"),
        ("de", "nicht am Dienstag", "date?"),
        ("de", "Dienstag passt nicht", "date?"),
        ("en", "Tuesday no", "date?"),
        ("es", "el Audi no", "car?"),
        ("fr", "l'heure est fausse", "time?"),
        ("fr", "pas à 9 h", "time?"),
        ("es", "la fecha está mal", "date?"),
        ("it", "l'ora è sbagliata", "time?"),
        ("nl", "de datum klopt niet", "date?"),
        ("pt", "a data está errada", "date?"),
        ("bg", "датата е грешна", "date?"),
        ("en", "the time doesn't suit me", "time?"),
        ("en", "I can't at 9", "time?"),
        ("en", "9 is too early for me", "time?"),
        ("en", "Tuesday doesn't work", "date?"),
        ("de", "die Uhrzeit passt mir leider nicht", "time?"),
        ("de", "am Dienstag kann ich nicht", "date?"),
        ("fr", "l'heure ne me convient pas", "time?"),
        ("es", "la hora no me viene bien", "time?"),
        ("it", "l'ora non mi va bene", "time?"),
        ("nl", "de tijd past me niet", "time?"),
        ("pt", "a hora não me dá jeito", "time?"),
        ("bg", "часът не ми е удобен", "time?"),
    ],
)
def test_a_named_or_denied_answer_is_asked_for_again(language: str, said: str, asked: str) -> None:
    chat = filled(language)
    assert chat.say(said)[-1].startswith(asked)
    assert not chat.calls


@pytest.mark.parametrize(
    ("said", "car", "time"),
    [
        ("change the time to 4pm", "Audi", "16:00"),
        ("not the Audi, the BMW", "BMW", "09:00"),
        ("yes but at 10:30", "Audi", "10:30"),
        ("no, the Volvo", "Volvo", "09:00"),
        ("change the car to the BMW and the time to 11:00", "BMW", "11:00"),
        ("make it 11", "Audi", "11:00"),
        ("I can't at 9, 10:30 is fine", "Audi", "10:30"),
    ],
)
def test_a_value_beside_it_is_taken_at_once(said: str, car: str, time: str) -> None:
    chat = filled()
    assert chat.say(said) == ["Right? [Yes] [No]"]
    assert chat.memory["car"]["value"] == car
    assert chat.memory["time"] == time


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [
        ("en", "go ahead but change the name to Anna", "Anna"),
        ("en", "can you change the name to Anna Maria Smith please", "Anna Maria Smith"),
        ("en", "yes, but my name is O'Neil-Smith", "O'Neil-Smith"),
        ("en", "change the name to Anna but keep the time", "Anna"),
        ("de", "ja, aber der Name ist Anna", "Anna"),
        ("de", "ändere den Namen auf Anna", "Anna"),
        ("fr", "oui mais changez le nom en Anna", "Anna"),
        ("es", "sí pero cambie el nombre a Anna", "Anna"),
        ("it", "sì ma cambi il nome in Anna", "Anna"),
        ("nl", "ja maar verander de naam in Anna", "Anna"),
        ("pt", "sim mas mude o nome para Anna", "Anna"),
        ("bg", "да, но сменете името на Ана", "Ана"),
        ("sv", "ja men ändra namnet till Anna", "Anna"),
    ],
)
def test_a_text_behind_the_name_of_its_question_is_taken(language: str, said: str, name: str) -> None:
    chat = filled(language)
    assert chat.say(said)[-1].startswith("Right?")
    assert chat.memory["name"] == name
    assert not chat.calls


def test_a_text_and_another_value_are_both_taken() -> None:
    chat = filled()
    assert chat.say("change the name to Anna and the time to 11:00") == ["Right? [Yes] [No]"]
    assert (chat.memory["name"], chat.memory["time"]) == ("Anna", "11:00")


@pytest.mark.parametrize(
    "said",
    [
        "change the name to something else",
        "change the name to another one",
        "change the name to my wife's",
        "the name is spelled wrong",
        "what if I change the name to Anna?",
    ],
)
def test_words_that_are_no_text_for_sure_have_the_question_asked_again(said: str) -> None:
    assert filled().say(said)[-1].startswith("name?")


@pytest.mark.parametrize(
    "said", ["the name is important", "is the name Anna?", "don't change the name to Anna", "the name is fine"]
)
def test_a_statement_about_a_name_gives_none(said: str) -> None:
    chat = filled()
    assert chat.say(said)[-1] == "Right? [Yes] [No]"
    assert chat.memory["name"] == "Ada"


def test_a_text_for_another_question_is_taken_where_a_date_is_asked() -> None:
    flow = bot({"book": goal(q("name", "Text"), q("date", "Date"), say("{{name}}"))}, WISHES)
    chat = Chat(flow)
    chat.say("book")
    chat.say("Ada")
    assert chat.say("change the name to Anna") == ["date?"]
    assert chat.memory["name"] == "Anna"


@pytest.mark.parametrize(
    "said", ["nothing is wrong with the date", "don't change the time", "there is nothing wrong with the phone"]
)
def test_to_say_that_nothing_is_wrong_names_nothing(said: str) -> None:
    chat = filled()
    assert chat.say(said) == ["Nothing is done yet.", "Right? [Yes] [No]"]


def test_why_not_proposes_the_value() -> None:
    chat = filled()
    assert chat.say("why not Wednesday") == ["Right? [Yes] [No]"]
    assert chat.memory["date"] == "2026-11-25"


def test_two_questions_that_fit_are_offered_by_their_first_names() -> None:
    flow = bot(
        {
            "trip": goal(
                q("start-day", "Date", names=["departure"]),
                q("end-day", "Date", names=["way home"]),
                confirm("sure"),
                hook("x", BOOK, source={"method": "POST"}),
            )
        },
        trait(trip=["trip"]),
    )
    chat = Chat(flow, {BOOK: 1})
    for said in ("trip", "2026-11-24", "2026-11-27"):
        chat.say(said)
    assert chat.say("the date is wrong") == ["Which one do you mean? [departure] [way home]"]
    assert chat.tap("way home")[-1].startswith("end-day?")
    assert chat.memory["start-day"] == "2026-11-24"


def test_at_a_text_question_only_a_message_that_says_nothing_else_names_another() -> None:
    flow = bot({"book": goal(*STEPS[:4], q("fault", "Text"), say("{{fault}}"))}, CARS, WISHES)
    chat = Chat(flow)
    for said in ANSWERS[:5]:
        chat.say(said)
    assert chat.say("the phone is wrong")[-1].startswith("phone?")
    chat.say("555 9999")
    assert chat.say("the number plate light is wrong") == ["the number plate light is wrong"]


def test_the_old_value_is_the_first_of_the_options_when_it_is_asked_again() -> None:
    assert filled().say("the vehicle is wrong") == ["car? [Audi]"]


def test_a_value_said_again_beside_a_yes_is_no_correction() -> None:
    chat = filled()
    chat.say("yes, at 09:00")
    assert chat.calls


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("change the time and the date", {"time", "date"}),
        ("the vehicle, the date and the phone are wrong", {"car", "date", "phone"}),
        ("change the date to Monday and the time", {"time"}),
    ],
)
def test_each_of_several_named_questions_is_asked_again(said: str, lost: set[str]) -> None:
    chat = filled()
    chat.say(said)
    assert {name for name in ("car", "date", "time", "phone") if chat.memory.get(name) is None} == lost


def test_of_two_questions_named_with_or_the_user_chooses() -> None:
    assert filled().say("the date or the time is wrong") == ["Which one do you mean? [date] [time]"]


def test_a_weekday_denies_each_date_that_falls_on_it() -> None:
    chat = filled()
    chat.say("on 2026-12-01")
    assert chat.say("not Tuesday")[-1].startswith("date?")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Tuesday no, Wednesday"),
        ("en", "Tuesday is not possible, Wednesday is"),
        ("de", "Dienstag nicht, Mittwoch"),
        ("fr", "mardi non, mercredi"),
        ("es", "martes no, miércoles"),
        ("it", "martedì no, mercoledì"),
        ("nl", "dinsdag niet, woensdag"),
    ],
)
def test_a_value_denied_behind_it_gives_way_to_the_next(language: str, said: str) -> None:
    chat = filled(language)
    chat.say(said)
    assert chat.memory["date"] == "2026-11-25"
    assert not chat.calls


def test_a_broken_thing_is_no_denied_value_where_nothing_is_confirmed() -> None:
    flow = bot({"book": goal(*STEPS[:2], say("{{car}}"))}, CARS, trait(book=["repair my car"]))
    chat = Chat(flow)
    chat.say("repair my car, the Audi doesn't work")
    assert chat.memory["car"]["value"] == "Audi"


RENTAL = (
    q("boat", "Boat"),
    q("start", "Time"),
    q("persons", "Number"),
    q("phone", "PhoneNumber", optional=True),
    q("note", optional=True),
)
BOATS = keywords("Boat", Kayak=[], Pedalo=[])


def rental(language: str = "en") -> Chat:
    """At a confirmation of a goal that has a count beside an hour."""
    review = {"type": "entities-confirmation", "entity": "reviewed", "entities": ["boat", "start", "persons"]}
    steps = (
        *RENTAL,
        confirm("sure"),
        {**review, "messages": ["What shall I change?"], "conditions": ["{{$not sure}}"]},
        {
            "type": "command",
            "command": "invalidate-entity",
            "entities": ["sure", "reviewed"],
            "conditions": ["{{$not sure}}"],
        },
        hook("booking", BOOK, source={"method": "POST"}),
    )
    chat = Chat(bot({"book": goal(*steps)}, BOATS, WISHES, language=language), {BOOK: 1})
    for said in ("book", "Kayak", "10:00", "4", "no", "no"):
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("en", "no, change the start", "start?"),
        ("en", "no change the start", "start?"),
        ("en", "No. Change the boat!", "boat?"),
        ("es", "no, cambiar la hora", "start?"),
        ("de", "nein, Uhrzeit ändern", "start?"),
        ("fr", "non, changer l'heure", "start?"),
        ("it", "no, cambiare l'ora", "start?"),
        ("pt", "não, mudar a hora", "start?"),
    ],
)
def test_no_change_something_asks_it_again(language: str, said: str, asked: str) -> None:
    chat = rental(language)
    assert chat.say(said)[0].startswith(asked)
    assert chat.calls == []


def test_no_change_to_something_asks_nothing_again() -> None:
    assert not rental().say("no change to the boat")[0].startswith("boat?")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "the start"), ("en", "start please"), ("de", "die Uhrzeit"), ("es", "la hora"), ("it", "l'ora")],
)
def test_a_mere_name_answers_what_shall_be_changed(language: str, said: str) -> None:
    chat = rental(language)
    assert chat.say({"en": "no", "de": "nein"}.get(language, "no"))[0].startswith("What shall I change?")
    assert chat.say(said)[0].startswith("start?")


@pytest.mark.parametrize("said", ["10 is too early", "10 doesn't work for me", "I can't at 10"])
def test_an_hour_that_is_refused_is_no_count(said: str) -> None:
    chat = rental()
    assert chat.say(said)[0].startswith("start?")
    assert chat.state.entities["persons"] == 4


@pytest.mark.parametrize(
    ("said", "entity", "value"),
    [("at 11, not 10", "start", "11:00"), ("pedalo not kayak", "boat", "Pedalo"), ("5 not 4", "persons", 5)],
)
def test_a_value_before_a_denied_one_is_taken(said: str, entity: str, value: object) -> None:
    chat = rental()
    assert chat.say(said)[-1].startswith("Right?")
    told = chat.state.entities[entity]
    assert (told["value"] if isinstance(told, dict) else told) == value


def test_many_digits_are_a_telephone_number_sooner_than_a_count() -> None:
    chat = rental()
    chat.say("yes, my phone is 5551234567")
    assert (chat.state.entities["phone"], chat.state.entities["persons"]) == ("5551234567", 4)
    assert chat.calls == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "nö"),
        ("de", "nee"),
        ("de", "nein danke"),
        ("en", "nope"),
        ("en", "no, thanks"),
        ("it", "no"),
        ("de", "no"),
    ],
)
def test_a_no_in_any_form_leaves_an_optional_question_without_a_value(language: str, said: str) -> None:
    chat = Chat(bot({"book": goal(*RENTAL, say("Done.{{note}}"))}, BOATS, WISHES, language=language))
    for told in ("book", "Kayak", "10:00", "4", said):
        chat.say(told)
    assert chat.say(said) == ["Done."]


@pytest.mark.parametrize(
    ("entity", "said"),
    [
        *(("note", text) for text in ("that's not right", "this is not correct", "something is wrong, not sure what")),
        ("car", "no, I don't care"),
        ("plane", "change of plan"),
    ],
)
def test_a_word_that_only_begins_like_a_name_is_none(entity: str, said: str) -> None:
    flow = bot({"book": goal(q(entity), confirm("ok", "Right?"), q("more"))}, trait(book=["book"]))
    chat = Chat(flow)
    for text in ("book", "Ada", said):
        chat.say(text)
    assert f"{entity}?" not in chat.say("hm")
