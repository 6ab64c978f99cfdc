"""A value in a reply to a confirmation that is no correction: it changes nothing, and nothing is done."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, trait

PICK_UPS = "https://parcels.test/pick-ups"
QUESTIONS = {
    "en": "We come on {{day}} at {{time}} for {{parcels}} parcels. Shall I order the driver?",
    "de": "Wir kommen am {{day}} um {{time}} und holen {{parcels}} Pakete. Soll ich den Fahrer bestellen?",
    "fr": "Nous venons le {{day}} à {{time}} pour {{parcels}} colis. Dois-je commander le chauffeur ?",
    "es": "Venimos el {{day}} a las {{time}} a por {{parcels}} paquetes. ¿Pido el chófer?",
    "it": "Veniamo il {{day}} alle {{time}} per {{parcels}} pacchi. Ordino l'autista?",
    "nl": "We komen op {{day}} om {{time}} voor {{parcels}} pakketten. Zal ik de chauffeur bestellen?",
    "pt": "Vimos no dia {{day}} às {{time}} buscar {{parcels}} volumes. Peço o motorista?",
    "bg": "Идваме на {{day}} в {{time}} за {{parcels}} пакета. Да поръчам ли шофьора?",
    "sv": "Vi kommer den {{day}} klockan {{time}} för {{parcels}} paket. Ska jag beställa föraren?",
}


def _parcel(language: str = "en", question: str = "") -> Chat:
    """A talk that has come to the confirmation. It is Friday, the 20th of November 2026."""
    flow = bot(
        {
            "send": goal(
                q("address"),
                q("reason", "Reason"),
                q("day", "Date"),
                q("time", "Time"),
                q("parcels", "Number"),
                confirm("sure", question or QUESTIONS[language]),
                hook("order", PICK_UPS, "ordered", source={"method": "POST"}, conditions=["{{sure}}"]),
            ),
            "track": goal(q("number"), name="where my parcel is"),
        },
        trait(send=["send it off"], track=["where is my parcel", "track my parcel"]),
        keywords("Reason", Moving=[], Health=["ill"]),
        language=language,
    )
    chat = Chat(flow, {PICK_UPS: {"id": 1}})
    for said in ("send it off", "12 Mill Road", "Moving", "2026-11-24", "14:00", "2"):
        chat.say(said)
    return chat


def _values(chat: Chat) -> tuple[object, ...]:
    return tuple(chat.memory.get(name) for name in ("address", "reason", "day", "time", "parcels", "sure"))


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "I'll let you know on Monday"),
        ("en", "yes, ask me again tomorrow"),
        ("en", "I'll tell you at 5"),
        ("en", "do you work on Saturday?"),
        ("en", "ok, but does he come on Monday too?"),
        ("en", "yesterday the driver came at 5"),
        ("en", "now"),
        ("en", "right away"),
        ("de", "ich sage morgen Bescheid"),
        ("de", "ja, ich melde mich am Montag"),
        ("de", "arbeitet ihr am Samstag?"),
        ("de", "gestern war um 5 niemand da"),
        ("de", "sofort"),
        ("fr", "je vous dis demain"),
        ("fr", "vous travaillez samedi ?"),
        ("es", "lo decido mañana"),
        ("es", "¿trabajan el sábado?"),
        ("it", "le dico domani"),
        ("it", "lavorate sabato?"),
        ("nl", "ik laat het morgen weten"),
        ("nl", "werken jullie zaterdag?"),
        ("pt", "vou decidir amanhã"),
        ("pt", "trabalham no sábado?"),
        ("bg", "ще ви кажа утре"),
        ("bg", "работите ли в събота?"),
        ("sv", "jag hör av mig imorgon"),
        ("sv", "jobbar ni på lördag?"),
    ],
)
def test_a_time_to_answer_or_a_question_changes_nothing(language: str, reply: str) -> None:
    chat = _parcel(language)
    before = _values(chat)
    chat.say(reply)
    assert _values(chat) == before
    assert not chat.calls


@pytest.mark.parametrize(
    "reply",
    ["no, Monday", "can you make it Monday?", "is Monday possible?", "does Monday work?", "do you have Monday?"],
)
def test_a_wish_for_another_day_is_taken(reply: str) -> None:
    chat = _parcel()
    chat.say(reply)
    assert (chat.memory["day"], chat.memory["time"]) == ("2026-11-23", "14:00")


def test_a_clause_of_its_own_is_a_correction() -> None:
    chat = _parcel()
    chat.say("4 pm please, do you work on Saturday?")
    assert (chat.memory["day"], chat.memory["time"]) == ("2026-11-24", "16:00")


def test_a_part_of_the_day_beside_a_new_day_leaves_the_hour_open() -> None:
    chat = _parcel()
    assert chat.say("no, tomorrow evening") == ["time? [14:00]"]
    assert chat.memory["day"] == "2026-11-21"


@pytest.mark.parametrize("reply", ["yes, 12 Mill Road", "yes, 2 parcels", "yes, two parcels"])
def test_an_answer_said_again_beside_a_yes_leaves_it_a_plain_one(reply: str) -> None:
    assert _parcel().say(reply) == ["ordered"]


def test_the_number_of_an_answer_said_again_is_no_other_value() -> None:
    chat = _parcel()
    chat.say("yes, 12 Mill Road at 5")
    assert (chat.memory["parcels"], chat.memory["time"]) == (2, "17:00")


def test_a_number_before_a_new_text_belongs_to_it() -> None:
    chat = _parcel()
    chat.say("the address is 14 Mill Road")
    assert (chat.memory["address"], chat.memory["time"]) == ("14 Mill Road", "14:00")


def test_words_of_the_confirmation_beside_a_value_start_nothing_else() -> None:
    chat = _parcel()
    chat.say("3 parcels")
    assert (chat.memory["parcels"], chat.goals) == (3, ["send"])


def test_the_verb_of_the_sentence_before_a_short_question_is_a_yes() -> None:
    assert _parcel(question="I send the driver on {{day}} at {{time}}. Shall I?").say("send him") == ["ordered"]


def test_a_short_form_is_not_the_word_that_it_is_written_like() -> None:
    chat = _parcel()
    chat.say("I'll stay")
    assert chat.memory["reason"]["value"] == "Moving"


@pytest.mark.parametrize("reply", ["they are worth $300", "my phone number is 555 0100"])
def test_the_digits_of_another_measure_are_no_count(reply: str) -> None:
    chat = _parcel()
    before = _values(chat)
    chat.say(reply)
    assert _values(chat) == before


@pytest.mark.parametrize("reply", ["make it $3", "no, $3"])
def test_a_sum_alone_answers_a_question_for_a_number(reply: str) -> None:
    chat = _parcel()
    chat.say(reply)
    assert chat.memory["parcels"] == 3
