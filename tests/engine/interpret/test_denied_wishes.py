"""A wish that the user denies starts nothing (flow-language.md section 5, rule 4)."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, goal, keywords, q, trait

BLOCK = {
    "en": ["block my card", "I lost my card", "please block the card", "my card was stolen", "freeze my card"],
    "de": ["Karte sperren", "meine Karte sperren", "ich habe meine Karte verloren", "sperren Sie meine Karte"],
    "fr": ["bloquer ma carte", "j'ai perdu ma carte", "bloquez ma carte", "ma carte a été volée"],
    "es": ["bloquear mi tarjeta", "he perdido mi tarjeta", "bloquee mi tarjeta", "me han robado la tarjeta"],
    "it": ["bloccare la carta", "ho perso la carta", "bloccate la mia carta", "mi hanno rubato la carta"],
    "nl": ["mijn pas blokkeren", "ik ben mijn pas kwijt", "blokkeer mijn pas", "mijn pas is gestolen"],
    "pt": ["bloquear o cartão", "perdi o meu cartão", "bloqueie o meu cartão", "roubaram o meu cartão"],
}
LIMIT = {
    "en": ["raise my limit", "I need a higher limit", "increase the limit of my account"],
    "de": ["Limit erhöhen", "ich brauche ein höheres Limit", "mein Limit anheben"],
}


def bank(language: str) -> Chat:
    goals = {"block": goal(q("card", "Number", "Which card?")), "limit": goal(q("limit", "Number", "Which limit?"))}
    limit = LIMIT.get(language, ["zzz limit zzz"])
    return Chat(bot(goals, trait(block=BLOCK[language], limit=limit), language=language))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "don't block my card"),
        ("en", "I don't want to block my card"),
        ("en", "please do not freeze my card"),
        ("de", "ich will meine Karte nicht sperren"),
        ("de", "bitte die Karte nicht sperren"),
        ("fr", "ne bloquez pas ma carte"),
        ("fr", "je ne veux pas bloquer ma carte"),
        ("es", "no quiero bloquear mi tarjeta"),
        ("es", "no bloqueen mi tarjeta"),
        ("it", "non bloccate la carta"),
        ("it", "non voglio bloccare la carta"),
        ("nl", "mijn pas niet blokkeren"),
        ("pt", "não quero bloquear o cartão"),
        ("en", "I didn't lose my card"),
        ("en", "I'm not going to block my card"),
        ("de", "ich habe meine Karte nicht verloren"),
        ("de", "ich will die Karte ned sperren"),
        ("fr", "je n'ai pas perdu ma carte"),
        ("fr", "je veux plus bloquer ma carte"),
        ("es", "no he perdido la tarjeta"),
        ("es", "tampoco quiero bloquear la tarjeta"),
        ("it", "non ho perso la carta"),
        ("nl", "mijn pas is niet gestolen"),
        ("pt", "nao bloqueie o meu cartão"),
    ],
)
def test_a_denied_wish_starts_nothing(language: str, said: str) -> None:
    chat = bank(language)
    chat.say(said)
    assert chat.state.stack == ()


@pytest.mark.parametrize("said", ["don't block my card, raise my limit", "I don't want to block it, raise my limit"])
def test_the_wish_beside_a_denied_one_starts(said: str) -> None:
    assert bank("en").say(said) == ["Which limit?"]


@pytest.mark.parametrize(
    "said", ["why not block my card", "I can't find my card, please block it", "don't forget to block my card"]
)
def test_a_negation_that_denies_no_wish_keeps_nothing_from_starting(said: str) -> None:
    assert bank("en").say(said) == ["Which card?"]


def test_a_wish_that_is_trained_with_a_denial_starts_by_one() -> None:
    goals = {"repair": goal(q("device", "Text", "Which device?")), "buy": goal(q("what", "Text", "What?"))}
    wishes = trait(repair=["my phone does not start", "it is not working", "does not turn on"], buy=["buy a phone"])
    assert Chat(bot(goals, wishes)).say("my phone does not turn on") == ["Which device?"]


@pytest.mark.parametrize("said", ["do not block it, something with the limit", "don't block, card trouble"])
def test_what_is_denied_is_not_offered(said: str) -> None:
    chat = bank("en")
    chat.say(said)
    own = chat.state.own
    assert own is None or ("Conversation", "block") not in own.wishes


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "nicht bei lind"), ("de", "auf keinen fall lind"), ("en", "not with lind"), ("fr", "pas avec lind")],
)
def test_a_value_behind_a_denial_and_a_preposition_is_none(language: str, said: str) -> None:
    flow = bot(
        {"go": goal(q("who", "who"), q("mail", "Email"))},
        trait(go=["go"]),
        keywords("who", Lind=[], Kurt=[]),
        language=language,
    )
    chat = Chat(flow)
    chat.say("go")
    chat.say(said)
    assert "who" not in chat.memory


def test_an_expression_that_denies_something_else_lets_no_denied_wish_start() -> None:
    goals = {"cancel": goal(q("ref", "Number", "Which booking?"))}
    expressions = ["cancel my table", "I do not want to come, cancel the table", "I will not come to the class"]
    chat = Chat(bot(goals, trait(cancel=expressions)))
    chat.say("please do not cancel my table")
    assert chat.state.stack == ()
    assert chat.say("I am ill and will not come to the class today") == ["Which booking?"]
